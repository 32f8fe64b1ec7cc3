"""The codes of what is not wrong, but worth a look: name, what it means, and what to do.

They are warnings, and reported if they are selected only (`rehref.codes.LINT`).
"""

from __future__ import annotations

from typing import Final

ROWS: Final = (
    (
        "hash-link",
        "The link leads to # alone.",
        "It goes to the top of the page, and is often one that somebody meant to fill in later. Name where it leads, "
        "or make it a button.",
    ),
    (
        "missing-slash",
        "The link leads to a folder, and does not end in a slash.",
        "Servers answer with a redirection to the folder, which takes time, and without which relative links of its "
        "index lead elsewhere. Write the slash.",
    ),
    (
        "no-favicon",
        "The page has no icon.",
        "No link names one (rel=icon), and there is no favicon.ico, which browsers ask for then. Add either.",
    ),
    (
        "empty-open-graph",
        "An Open Graph property has no content.",
        "Whoever shows a preview of the page finds nothing there. Fill it in, or remove the element.",
    ),
    (
        "protocol-relative",
        "The reference begins with //.",
        "It takes the scheme of the page that it stands on, and fails on a disk. Write https:// before it.",
    ),
    (
        "own-http",
        "The link leads to the site itself by http:, and the site is on https:.",
        "Whoever follows it is redirected, or watched. Write https:, or leave out scheme and host.",
    ),
    (
        "http-link",
        "The link leads to http:.",
        "What is read there can be read and changed on its way. Write https:, if the other site has it.",
    ),
    (
        "mixed-content",
        "A page that is to be read by https: loads something by http:.",
        "Browsers block it, or load it by https: (Mixed Content, W3C). Write https:.",
    ),
    (
        "no-integrity",
        "A script or style sheet of another site has no integrity.",
        "Whoever changes the file there changes this page. Write its digest as integrity, and crossorigin beside it "
        "(Subresource Integrity, W3C), or copy the file.",
    ),
    (
        "blank-to-http",
        "The link opens a new window on http:.",
        "What is shown in a window that this page opened can be changed on its way. Write https:, or leave out target.",
    ),
)
