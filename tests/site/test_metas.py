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
    ("before", "after", "counts"),
    [
        ("<noscript>", "</noscript>", False),
        ("<body><NOSCRIPT>", "</NOSCRIPT>", False),
        ("<noscript>", "</noscript><script src=location.js></script>", False),
        ("<noscript>", "</noscript><script type=application/json>location</script>", False),
        ("<noscript>", "</noscript><script>location.replace('x')</script>", True),
        ("<noscript>", f"</noscript>{refresh('9; url=y')}", True),
        ("<noscript></noscript>", "", True),
    ],
)
def test_in_a_noscript_a_refresh_counts_only_beside_a_script_that_leads_on(
    before: str, after: str, counts: bool
) -> None:
    assert (refresh_of(metas(f"{before}{refresh('0; url=x')}{after}")) is not None) is counts


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
