"""The codes of what is not wrong, but worth a look: name, meaning, and what to do.

They are warnings, and are reported only if they are selected (`rehref.codes.LINT`).
"""

from __future__ import annotations

from typing import Final

ROWS: Final = (
    (
        "hash-link",
        "The link leads to # alone.",
        "It leads to the top of the page, and is often a forgotten placeholder. Write the target, or make it a button.",
    ),
    (
        "missing-slash",
        "The link leads to a folder, but does not end in a slash.",
        "Servers redirect to the URL with the slash, which takes time; where they do not, relative links of the index "
        "page lead elsewhere. Write the slash.",
    ),
    (
        "no-favicon",
        "The page has no icon.",
        "No link element names one (rel=icon), and there is no favicon.ico, which browsers then request. Add either.",
    ),
    (
        "empty-open-graph",
        "An Open Graph property has no content.",
        "Programs that show a preview of the page find nothing there. Fill it in, or remove the element.",
    ),
    (
        "protocol-relative",
        "The reference begins with //.",
        "It takes the scheme of its page, and so fails in a page opened from a disk. Write https:// instead of //.",
    ),
    (
        "own-http",
        "The link leads to the site itself by http:, but the site is on https:.",
        "Readers are redirected, or load the page without encryption. Write https:, or leave out scheme and host.",
    ),
    (
        "http-link",
        "The link leads to http:.",
        "Others can read and change what is sent that way. Write https:, if the other site supports it.",
    ),
    (
        "mixed-content",
        "A page on https: loads something by http:.",
        "Browsers block it, or load it by https: (Mixed Content, W3C). Write https:.",
    ),
    (
        "no-integrity",
        "A script or style sheet of another site has no integrity.",
        "A person who changes the file there changes this page. Add integrity with its digest, and crossorigin "
        "(Subresource Integrity, W3C), or copy the file.",
    ),
    (
        "blank-to-http",
        "The link opens an http: page in a new window.",
        "Others can change that page while it is sent. Write https:, or leave out the target attribute.",
    ),
)
