"""What of a site is checked: named and excluded documents, included and excluded references."""

from __future__ import annotations

import re

from rehref.site._grounds.site_context import CheckScope, scope_of
from rehref.site.check_options import CheckOptions


def test_what_is_left_out_is_not_checked_even_if_it_is_named() -> None:
    scope = scope_of(
        CheckOptions(files=("a", "b.html"), exclude_paths=("a/x.html",)), ["a/x.html", "a/y.html", "b.html", "c"]
    )
    assert scope.checked == ["a/y.html", "b.html"]
    assert [scope.reports(path) for path in ("a/none.html", "ab", "b.html", "c")] == [True, False, True, False]
    everything = scope_of(CheckOptions(files=("",)), ["a", "b/c"])
    assert everything.checked == ["a", "b/c"]


def test_include_and_exclude() -> None:
    def chosen(uri: str, include: str | None = None, exclude: str | None = None) -> bool:
        options = CheckOptions(
            include=() if include is None else (re.compile("never"), re.compile(include)),
            exclude=() if exclude is None else (re.compile("never"), re.compile(exclude)),
        )
        return CheckScope(options).chooses(uri)

    assert chosen("a")
    assert (chosen("xay", include="a"), chosen("xby", include="a")) == (True, False)
    assert (chosen("xay", exclude="a"), chosen("xby", exclude="a")) == (False, True)
    assert (chosen("ab", "a", "b"), chosen("ac", "a", "b")) == (False, True)
