"""What is known of the pages of a state."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from unittest import mock

import rehref
from plugins.compare.sites import page, site
from rehref.site._states import page_details as reading


def test_a_page_that_is_the_same_in_both_states_is_read_once(tmp_path: Path) -> None:
    kept = {f"kept-{number}.html": page(f"Kept {number}") for number in range(20)}
    old = site(tmp_path / "old", {**kept, "gone.html": page("Storm"), "other.html": page("Before")})
    new = site(tmp_path / "new", {**kept, "here.html": page("Storm"), "other.html": page("After")})
    read: list[str] = []
    details_of = reading.details_of

    def counted(each: Any) -> object:
        read.append(each.path)
        return details_of(each)

    with mock.patch.object(reading, "details_of", counted):
        result = rehref.compare(old, new, jobs=1)
    assert [(each.code, each.url, each.moved_to) for each in result.problems] == [
        ("url-gone", "gone.html", "here.html")
    ]
    assert sorted(read) == sorted(
        [*kept, "club.html", "index.html", "news.html", "gone.html", "here.html", *2 * ["other.html"]]
    )
