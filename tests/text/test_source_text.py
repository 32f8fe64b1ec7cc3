"""Lines and columns, many at once: as counting from the beginning tells them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

PIECES = ("\n", "\r\n", "\r", "a", '"', "é", "日本", "😀", " " * 300, "x" * 700)


def counted(text: str, offset: int) -> tuple[int, int]:
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis", "gb18030", "utf-16-le"])
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=30), data=st.data())
def test_positions(encoding: str, pieces: list[str], data: st.DataObject) -> None:
    pieces = [piece for piece in pieces if piece != "😀" or encoding in ("utf-8", "gb18030", "utf-16-le")]
    pieces = [piece for piece in pieces if piece != "é" or encoding != "shift_jis"]
    starts = [sum(map(len, pieces[:number])) for number in range(len(pieces) + 1)]
    text = "".join(pieces)
    # no place begins within a line's end
    starts = [start for start in starts if not (text[start - 1 : start] == "\r" and text[start : start + 1] == "\n")]
    chosen = sorted(data.draw(st.lists(st.sampled_from(starts), max_size=12)))
    names = {"utf-16-le": "utf-16le"}
    units = SourceText(Source(text.encode(encoding), names.get(encoding, encoding)))
    offsets = [start if units.wide else len(text[:start].encode(encoding)) for start in chosen]
    lines, columns = units.positions(offsets)
    assert list(zip(lines, columns, strict=True)) == [counted(text, start) for start in chosen]
