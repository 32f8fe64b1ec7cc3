"""Looking for names that are like another: exact, and never a comparison with very many."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.checking.repair import near_names, suggestions
from rehref.checking.repair.near_names import NearNames
from rehref.checking.repair.suggestions import Suggester
from rehref.checking.site.files import Files
from rehref.text.nearest import alike_up_to, edits


def is_within(one: str, other: str, most: int) -> bool:
    """The definition of `edits`, step by step: slow, and plain."""
    same = alike_up_to(one, other)
    one, other = one[same:], other[same:]
    if one == "" or other == "":
        return len(one) + len(other) <= most
    if most == 0:
        return False
    if one[:2] == other[1::-1] and one[2:] == other[2:]:
        return True
    rest, other_rest, fewer = one[1:], other[1:], most - 1
    return is_within(rest, other_rest, fewer) or is_within(rest, other, fewer) or is_within(one, other_rest, fewer)


@given(st.text("abc", max_size=7), st.text("abc", max_size=7))
def test_edits_are_as_defined(one: str, other: str) -> None:
    assert edits(one, other) == next((most for most in range(3) if is_within(one, other, most)), 3)


@given(st.text("ab", max_size=12), st.lists(st.tuples(st.integers(0, 11), st.text("ab", max_size=1)), max_size=2))
def test_edits_are_found(text: str, changes: list[tuple[int, str]]) -> None:
    other = text
    for at, new in changes:
        other = other[:at] + new + other[at + 1 :]
    assert edits(text, other) <= 2
    assert (edits(text, other) == 0) is (text == other)


NAMES = {
    "numbers at the end": ("page-with-a-long-name-{:05}.html", "page-with-a-long-name-{:05}x.html"),
    "numbers in the middle": ("aaaaaaaaaaaaaaa{:05}bbbbbbbbbbbbbbb.html", "aaaaaaaaaaaaaaa{:05}bbbbbbbbbbbbbbc.html"),
    "numbers first": ("{:05}bbbbbbbbbbbbbbbbbbbbbbbbbbbbb.html", "{:05}bbbbbbbbbbbbbbbbbbbbbbbbbbbbcb.html"),
    "no name like it": ("{:05}bbbbbbbbbbbbbbbbbbbbbbbbbbbbb.html", "zzbbbbbbbbbbbbbbbbbbbbbbbbbbbbb{:05}.html"),
    "folders": ("d{:05}/page.html", "d{:05}x/page.html"),
    "short": ("{:05}.html", "x{:05}.html"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", NAMES)
def test_no_finding_is_compared_with_very_many(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """However many files and findings there are, the comparisons of each finding are no more."""
    compared = 0

    def counted(one: str, other: str) -> int:
        nonlocal compared
        compared += 1
        return edits(one, other)

    monkeypatch.setattr(near_names, "edits", counted)
    monkeypatch.setattr(suggestions, "edits", counted)
    name, wanted = NAMES[kind]
    for count in (100, 200, 400, 3000):
        paths = [name.format(number) for number in range(count)]
        folders = frozenset({"", *(path.partition("/")[0] for path in paths if "/" in path)})
        suggester = Suggester(
            Files(frozenset(paths), folders), lambda path: frozenset(), lambda path: "http://h/" + path
        )
        findings = min(count, 300)
        compared = 0
        for number in range(findings):
            suggester.for_missing_file(wanted.format(number), "index.html")
        assert compared <= findings * 1000, count


def test_ids_are_compared_with_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    monkeypatch.setattr(near_names, "edits", lambda one, other: compared.append(one) or edits(one, other))
    for count in (100, 400, 3000):
        ids = frozenset(f"section-{number:05}" for number in range(count))
        suggester = Suggester(Files(frozenset({"p"}), frozenset({""})), lambda path: ids, lambda path: path)  # noqa: B023
        compared.clear()
        for number in range(100):
            suggester.for_missing_fragment("p", f"section-{number:05}x")
        assert len(compared) <= 100 * 500


def test_what_was_looked_for_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    names = NearNames(f"name-{number}" for number in range(50))
    first = names.within_two("name-1x")
    assert first[0] == "name-1"
    monkeypatch.setattr(near_names, "edits", None)
    assert names.within_two("name-1x") == first


def test_never_too_much_is_remembered() -> None:
    names = NearNames(["abcdef"])
    for number in range(5000):
        names.within_two(f"abcdef{number}")
    assert names.within_two.cache_info().currsize <= 1000
