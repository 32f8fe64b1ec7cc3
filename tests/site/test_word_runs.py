"""The hashes of runs of words, and that a page with the same bytes in both states is read for them once."""

from __future__ import annotations

from unittest import mock
from zlib import crc32

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from examples import examples
from rehref._native import TWIN
from rehref.site._states import word_runs as module
from rehref.site._states.word_runs import word_runs

PIECES = (
    "a",
    "_",
    "9",
    "é",
    "Ж",
    "\u0301",
    "漢",
    "か",
    "가",
    "가가",
    "\U00010400",
    "\U0001f600",
    "\U00030000",
    "\ud800",
    " ",
    "-",
    "\0",
    "\u3000",
)
texts = st.lists(st.sampled_from(PIECES) | st.characters(), max_size=40).map("".join)


@pytest.mark.skipif(TWIN is None, reason="the compiled twin was not built")
@given(texts)
@example("a " * 3000)
@settings(max_examples=examples(1000))
def test_the_twin_finds_the_runs_of_the_reference(text: str) -> None:
    by_twin = word_runs(text)
    with mock.patch.object(module, "TWIN", None):
        assert by_twin == word_runs(text)


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("", ()),
        (" -. ", ()),
        ("one", ("one",)),
        ("one two, three", ("one two three",)),
        ("one  two; three-four", ("one two three four",)),
        ("one two three four five", ("one two three four", "two three four five")),
        ("a a a a a", ("a a a a",)),
        ("é漢字x_1", ("é 漢 字 x_1",)),
    ],
)
def test_a_run_is_four_words_with_a_space_between_them(text: str, runs: tuple[str, ...]) -> None:
    assert list(word_runs(text)) == sorted(crc32(run.encode()) for run in runs)
