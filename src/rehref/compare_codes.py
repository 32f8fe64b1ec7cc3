"""The codes of what a change of a site loses (`rehref compare`): name, meaning, what to do, and severity.

No check finds them (`rehref.codes.COMPARED`).
"""

from __future__ import annotations

from typing import Final

ROWS: Final = (
    (
        "url-gone",
        "The new state of the site does not answer this URL.",
        "Links to it from other sites find nothing. Redirect it to where its content is now (--write-redirects), or "
        "keep it.",
        "error",
    ),
    (
        "id-gone",
        "The page has no such id any more.",
        "Links to it end at the top of the page. Keep the old id beside the new one.",
        "error",
    ),
    ("url-moved", "The URL is redirected for good.", "There is nothing to do.", "info"),
    ("id-moved", "The page of the id is redirected, and the id is there too.", "There is nothing to do.", "info"),
    (
        "newly-broken",
        "The link is broken, and was not before.",
        "Only the change broke it. Correct the reference, or what it refers to.",
        "error",
    ),
    (
        "page-hollow",
        "The page has kept its URL, but lost nearly all of its text.",
        "Readers find a page without what they came for. Say there where it is now, or redirect the page.",
        "warning",
    ),
    (
        "id-changed",
        "The id is at another place of the page, and another id has its content.",
        "Links to it lead to something else now. Give the section its old id back.",
        "warning",
    ),
)
