"""Planning what to replace, whatever the markup: the rules of `rehref.markup._source.splicing`, and of `mapping`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.markup import _charrefs as charrefs
from rehref.markup._source.splicing import (
    CharacterMap,
    Segment,
    Syntax,
    ValueChange,
    changes_of,
    pieces,
    plan,
    quote_around,
)
from rehref.markup.parsed import Edit
from rehref.text.encoding import Source, Splice, spliced
from rehref.text.source_text import SourceText

ESCAPED = Syntax((partial(charrefs.escape, quote='"'),), lambda text: text.replace("&", "&amp;"), charrefs.decode)


def planned(raw: str, changes: list[ValueChange], syntax: Syntax = ESCAPED) -> str:
    """What becomes of a raw value in one segment."""
    units = SourceText(Source(raw))
    mapping = mapped(units, [Segment(0, len(raw))])
    value = syntax.decode(raw)
    splices = [splice for piece in pieces(mapping, value, changes) for splice in plan(units, mapping, piece, syntax)]
    return spliced(raw, splices)


def mapped(units: SourceText, segments: list[Segment]) -> CharacterMap:
    return CharacterMap(units, segments, lambda segment, raw: charrefs.replaced(raw, attribute=True))


@pytest.mark.parametrize(
    ("value", "edit", "changes"),
    [
        ("abc", Edit(0, 0, 3, "abc"), []),
        ("abc", Edit(0, 1, 2, "b"), []),
        ("abc", Edit(0, 0, 0, None), []),
        ("abc", Edit(0, 0, 3, "xabc"), [ValueChange(0, 0, "x")]),
        ("abc", Edit(0, 0, 3, "abcx"), [ValueChange(3, 3, "x")]),
        ("abc", Edit(0, 0, 3, "axc"), [ValueChange(1, 2, "x")]),
        ("aab", Edit(0, 0, 3, "aaab"), [ValueChange(0, 0, "a")]),
        ("xaay", Edit(0, 0, 4, "xaaay"), [ValueChange(1, 1, "a")]),
        ("xaby", Edit(0, 1, 3, "ac"), [ValueChange(2, 3, "c")]),
        ("xyabcz", Edit(0, 2, 5, "axc"), [ValueChange(3, 4, "x")]),
        ("xaaay", Edit(0, 0, 5, "xaay"), [ValueChange(1, 2, "")]),
        ("../a", Edit(0, 0, 4, "../b/a"), [ValueChange(2, 2, "/b")]),
    ],
)
def test_what_old_and_new_have_in_common_stays(value: str, edit: Edit, changes: list[ValueChange]) -> None:
    assert changes_of(value, [edit]) == changes


@given(st.text("ab"), st.text("ab"))
def test_a_trimmed_change_says_the_same_and_nothing_shorter_does_at_its_ends(old: str, new: str) -> None:
    changes = changes_of(old, [Edit(0, 0, len(old), new)])
    assert spliced(old, changes) == new
    for start, end, text in changes:
        assert start == end or text == "" or (old[start] != text[0] and old[end - 1] != text[-1])


def test_each_edit_of_a_value_is_looked_at() -> None:
    edits = [Edit(0, 0, 1, "a"), Edit(0, 1, 2, None), Edit(0, 2, 3, "x"), Edit(0, 3, 4, "d"), Edit(0, 4, 5, "")]
    assert changes_of("abcde", edits) == [ValueChange(2, 3, "x"), ValueChange(4, 5, "")]


def test_only_what_changes_is_written() -> None:
    assert planned("x&amp;y", [ValueChange(2, 3, "&lt")]) == "x&amp;&amp;lt"
    assert planned("&#65;b&#67;", [ValueChange(1, 2, "")]) == "&#65;&#67;"


def test_changes_beside_each_other_leave_the_rest() -> None:
    assert planned("&#65;bc&#67;", [ValueChange(1, 2, "x"), ValueChange(2, 3, "y")]) == "&#65;xy&#67;"


def test_what_would_come_to_mean_something_else_is_written_anew() -> None:
    assert planned("&am", [ValueChange(3, 3, "p;")]) == "&amp;amp;"
    assert planned("&l&#116;", [ValueChange(2, 3, "t")]) == "&amp;lt"


def test_a_part_of_what_a_reference_stands_for_is_written_anew() -> None:
    assert planned("&fjlig;x", [ValueChange(0, 1, "g")]) == "gjx"
    assert planned("&fjlig;&#120;", [ValueChange(0, 1, "g"), ValueChange(1, 2, "k")]) == "gkx"  # these two overlap


def test_the_first_way_that_does_is_taken_and_else_it_stays() -> None:
    ways: tuple[Callable[[str], str], ...] = (str, lambda text: text.replace("!", "%21"))
    syntax = Syntax(ways, None, str, lambda raw: "!" not in raw)
    assert planned("ab", [ValueChange(1, 1, "c")], syntax) == "acb"
    assert planned("ab", [ValueChange(1, 1, "!")], syntax) == "a%21b"
    assert planned("a!b", [ValueChange(1, 1, "c")], syntax) == "a!b"


def test_broken_bytes_are_not_trusted_where_characters_do_not_show_them() -> None:
    raw = '<a href="\ud800&#98;\xe9">'
    units = SourceText(Source(raw.encode("utf-16-le", "surrogatepass"), "utf-16le"))
    segment = Segment(9, len(raw) - 2)
    mapping = mapped(units, [segment])
    value = charrefs.decode(units.text[segment.start : segment.end])

    def made(change: ValueChange) -> list[Splice[str]]:
        return plan(units, mapping, pieces(mapping, value, [change])[0], ESCAPED)

    assert made(ValueChange(3, 3, "c")) == [(*segment[:2], "\ufffdb\xe9c")]
    assert made(ValueChange(0, 3, "c")) == [(*segment[:2], "c")]


def test_broken_bytes_that_go_leave_the_rest_as_it_is() -> None:
    raw = '<a href="&#97;\ud800&#98;">'
    units = SourceText(Source(raw.encode("utf-16-le", "surrogatepass"), "utf-16le"))
    mapping = mapped(units, [Segment(9, len(raw) - 2)])
    (piece,) = pieces(mapping, "a\ufffdb", [ValueChange(1, 2, "x")])
    assert plan(units, mapping, piece, ESCAPED) == [(14, 15, "x")]


def test_a_change_over_several_segments_is_written_into_the_first() -> None:
    units = SourceText(Source("ab<!---->c&amp;<!---->de"))
    mapping = mapped(units, [Segment(0, 2), Segment(9, 15), Segment(22, 24)])
    assert (mapping.begins, mapping.size) == ([0, 2, 4], 6)
    found = pieces(mapping, "abc&de", [ValueChange(1, 5, "x")])
    assert [(piece.value, piece.changes) for piece in found] == [
        ("ab", [ValueChange(1, 2, "x")]),
        ("c&", [ValueChange(0, 2, "")]),
        ("de", [ValueChange(0, 1, "")]),
    ]
    splices = [splice for piece in found for splice in plan(units, mapping, piece, ESCAPED)]
    assert spliced(units.text, splices, 0, 24) == "ax<!----><!---->e"


def test_what_changes_in_a_later_segment_is_written_there() -> None:
    units = SourceText(Source("abc<!---->&#100;e&#102;"))
    mapping = mapped(units, [Segment(0, 3), Segment(10, 23)])
    (piece,) = pieces(mapping, "abcdef", [ValueChange(4, 5, "x")])
    assert (piece.begin, piece.value, piece.changes) == (3, "def", [ValueChange(1, 2, "x")])
    assert plan(units, mapping, piece, ESCAPED) == [(16, 17, "x")]
    (piece,) = pieces(mapping, "abcdef", [ValueChange(3, 4, "x")])
    assert plan(units, mapping, piece, ESCAPED) == [(10, 16, "x")]


def test_what_is_added_at_the_end_stands_in_the_last_segment() -> None:
    units = SourceText(Source("ab<!---->"))
    mapping = mapped(units, [Segment(0, 2), Segment(9, 9)])
    (piece,) = pieces(mapping, "ab", [ValueChange(2, 2, "x")])
    assert plan(units, mapping, piece, ESCAPED) == [(9, 9, "x")]


def test_a_character_has_a_beginning_and_an_end_of_its_own() -> None:
    mapping = mapped(SourceText(Source("a<!---->&amp;b")), [Segment(0, 1), Segment(8, 14)])
    assert [mapping.start(at) for at in range(4)] == [0, 8, 13, 14]
    assert [mapping.end(at) for at in range(4)] == [0, 1, 13, 14]


def test_a_quote_stands_on_both_sides() -> None:
    texts = [SourceText(Source(text)) for text in ('"a"', "'a'", "\"a'", "=a>", "'a")]
    assert [quote_around(text, 1, 2) for text in texts] == ['"', "'", "", "", ""]
