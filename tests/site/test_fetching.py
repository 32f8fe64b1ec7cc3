"""Pages that are fetched for a check: no more than asked for, and what traps a crawl."""

from __future__ import annotations

from checked.made_web import Web, fetching
from rehref.site._crawling.fetching import trap

DOCS = "https://a.example/docs/"


def links(*references: str) -> str:
    """A page with some links."""
    return "<!DOCTYPE html><title>T</title>" + "\n".join(f'<a href="{each}">x</a>' for each in references)


def test_no_more_pages_are_fetched_than_asked_for() -> None:
    pages = {f"{DOCS}?month={number}": links(f"?month={number + 1}", "about") for number in range(100)}
    web = Web(pages)
    with fetching(web, f"{DOCS}?month=0", max_pages=10) as (fetched, _):
        assert len(web.asked) == 10
        assert fetched.not_asked == (f"{DOCS}?month=9",)
        assert trap(fetched.not_asked) == DOCS
