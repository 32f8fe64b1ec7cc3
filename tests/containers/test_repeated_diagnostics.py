"""Floods of diagnostics: a test or more for each rule of `rehref.containers.parts`."""

from __future__ import annotations

from rehref.containers.parts import MOST_ALIKE, Diagnostic, few


def told(*diagnostics: Diagnostic) -> list[str]:
    return [str(diagnostic) for diagnostic in few(diagnostics)]


def test_the_first_are_reported_and_the_rest_counted():
    many = [Diagnostic(f"part {number}", "it is broken", "mend it", code="odd") for number in range(1, MOST_ALIKE + 3)]
    assert list(few(many[:-1])) == many[:-1]
    found = list(few(many))
    assert found[:-1] == many[:MOST_ALIKE]
    assert str(found[-1]) == f"2 more, up to part {MOST_ALIKE + 2}: it is broken; mend it"
    assert found[-1].harmless


def test_what_is_quoted_and_numbers_make_no_kinds():
    names = ["x", "it's", '"it\'s"', "\n'"]
    many = [Diagnostic("", f"its charset {names[number % 4]!r} is no. {number:,}") for number in range(1500)]
    assert told(*many)[MOST_ALIKE:] == [f"1,480 more: {many[-1].message}"]


def test_each_kind_counts_for_itself_and_all_else_passes():
    found = list(few([1, Diagnostic("a", "one"), 2, *[Diagnostic("b", "two")] * 50, 3, Diagnostic("c", "one")]))
    assert [each for each in found if not isinstance(each, Diagnostic)] == [1, 2, 3]
    assert [each.where for each in found if isinstance(each, Diagnostic)] == [
        "a",
        *"b" * MOST_ALIKE,
        "c",
        "30 more, up to b",
    ]
