"""What `meta` elements of a page say: refreshes, and what search engines leave out."""

from __future__ import annotations

import pytest
from site_parts import context_of

from rehref.documents.document import Document
from rehref.site._pages.metas import is_left_out, read_metas, refresh_of

SITE = context_of("file:///srv/", lambda uri: (None, "", ""))


def refresh(content: str) -> str:
    return f'<meta http-equiv="refresh" content="{content}">'


def metas(page: str) -> Document:
    return read_metas(SITE, "a.html", page.encode())


@pytest.mark.parametrize(
    ("content", "at_once", "text"),
    [
        ("0", True, None),
        ("5; url=x", False, "x"),
        (".", True, None),
        ("0" * 9999, True, None),
        ("9" * 9999, False, None),
    ],
)
def test_a_refresh_has_a_time_and_may_have_a_url(content: str, at_once: bool, text: str | None) -> None:
    told = refresh_of(metas(refresh(content)))
    assert told is not None
    assert (told.at_once, told.reference and told.reference.text) == (at_once, text)


@pytest.mark.parametrize(
    ("page", "left_out"),
    [
        ("<meta name=robots content=noindex>", True),
        ("<meta content='nofollow, NoIndex' name=' ROBOTS'>", True),
        ("<meta name=robots content=none>", True),
        ("<meta name=robots content=nofollow>", False),
        ("<meta name=author content=noindex>", False),
        ("<template><meta name=robots content=noindex></template>", False),
    ],
)
def test_search_engines_are_reported_to_leave_a_page_out(page: str, left_out: bool) -> None:
    assert is_left_out(metas(page)) is left_out
