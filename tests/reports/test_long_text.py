"""`LongText`: text that is kept until all of it is known, in memory or in a temporary file."""

from __future__ import annotations

import pickle

import pytest

from rehref.reports.formats import LongText, pieces_of


@pytest.mark.parametrize("count", [0, 1, 3, 20])
def test_a_text_is_read_as_it_was_added(count: int) -> None:
    text = LongText()
    assert text.is_empty
    added = [bytes([number]) * (1 << 20) for number in range(count)]
    for piece in added:
        text.add(piece)
    assert text.is_empty == (count == 0)
    for each in (text, text, pickle.loads(pickle.dumps(text))):
        assert b"".join(pieces_of(each)) == b"".join(added)


def test_other_texts_are_one_piece() -> None:
    assert list(pieces_of(b"")) == [b""]
    assert list(pieces_of(bytearray(b"a"))) == [b"a"]
