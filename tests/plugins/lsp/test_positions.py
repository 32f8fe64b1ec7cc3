"""Positions of an editor: `rehref.plugins.lsp._positions` beside what Python's own codecs count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from rehref.plugins.lsp._positions import PositionedText
from rehref.text.encoding import Source

CODECS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}
TEXTS = st.text(st.sampled_from("ab \r\n\x0b\x0c\x85\u2028é\u0301ß漢😀𝒳"), max_size=30)
UNITS = st.sampled_from(sorted(CODECS))


def made(text: str, units: str = "utf-16") -> PositionedText:
    return PositionedText(Source(text.encode(), "utf-8"), units)


def expected(text: str, offset: int, units: str) -> lsp.Position:
    """The position of a character, counted by the rules of LSP and nothing else."""
    before = text[:offset]
    ended = before[:-1] + "\n" if before.endswith("\r") and text[offset : offset + 1] == "\n" else before
    lines = ended.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    name, size = CODECS[units]
    return lsp.Position(len(lines) - 1, len(lines[-1].encode(name)) // size)


@given(TEXTS, UNITS)
def test_a_position_counts_code_units_and_leads_back(text: str, units: str) -> None:
    known = made(text, units)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] != "\r\n" or offset == 0:
            position = known.position(offset)
            assert position == expected(text, offset, units)
            assert known.offset(position) == offset


def test_emoji_and_combining_characters_have_the_lengths_of_each_encoding() -> None:
    text = "x\n😀e\u0301 <a>"
    offset = text.index("<")
    found = {units: made(text, units).position(offset).character for units in CODECS}
    assert found == {"utf-8": 8, "utf-16": 5, "utf-32": 4}


def test_a_position_past_the_end_is_the_end() -> None:
    text = made("ab\r\ncd")
    assert text.offset(lsp.Position(0, 9)) == 2
    assert text.offset(lsp.Position(1, 2**31 - 1)) == 6
    assert text.offset(lsp.Position(7, 0)) == 6
    assert text.offset(lsp.Position(0, 2)) == 2
    assert made("").offset(lsp.Position(3, 3)) == 0


def test_a_stretch_is_a_reference_a_line_or_nothing() -> None:
    text = PositionedText(Source.marked("\ufeffé\n<a href='ü'>".encode()), "utf-16")
    assert text.stretch(2, 10, (15, 17)) == (11, 12)
    assert text.stretch(2, None, None) == (2, 14)
    assert text.stretch(None, None, None) == text.stretch(9, 1, None) == (0, 0)


@pytest.mark.parametrize("units", sorted(CODECS))
def test_many_places_in_one_long_line_take_little_work(units: str) -> None:
    text = made("é😀" * 50_000, units)
    size = {"utf-8": 6, "utf-16": 3, "utf-32": 2}[units]
    assert all(text.position(2 * each).character == size * each for each in range(0, 50_000, 10))


def applied(text: str, edits: list[lsp.TextEdit], units: str) -> str:
    known = made(text, units)
    for edit in reversed(edits):
        start, end = known.offset(edit.range.start), known.offset(edit.range.end)
        text = text[:start] + edit.new_text + text[end:]
    return text


@given(TEXTS, TEXTS, UNITS)
def test_edits_make_the_new_text_wherever_it_differs(old: str, new: str, units: str) -> None:
    assert applied(old, made(old, units).edits_to(new.encode()), units) == new


def test_an_edit_is_what_differs_in_a_line() -> None:
    edits = made("<a href=one>\nsame\n<a href=two>\n").edits_to(b"<a href=oxe>\nsame\n<a href=twoo>\n")
    assert [(each.range.start.line, each.new_text) for each in edits] == [(0, "x"), (2, "o")]
