"""Baselines (`Baseline` in site/findings.py)."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.files.file_errors import FileError
from rehref.files.writing import write_atomically
from rehref.site._baseline_file import KnownProblem
from rehref.site.findings import Baseline, Finding


def finding(document: str, reference: str, code: str = "missing-file", line: int | None = 1) -> Finding:
    return Finding(document=document, code=code, message="message", line=line, column=1, reference=reference)


FINDINGS = [finding("a.html", "x"), finding("a.html", "x", line=7), finding("b.html", "y", "missing-fragment")]


def test_what_is_known_is_not_new_wherever_it_stands() -> None:
    moved = [finding("a.html", "x", line=70), finding("a.html", "x", line=None), FINDINGS[2]]
    assert list(Baseline.of(FINDINGS).new_in(moved)) == []


@pytest.mark.parametrize("new", [finding("c.html", "x"), finding("a.html", "z"), finding("a.html", "x", "orphan")])
def test_another_document_reference_or_code_is_new(new: Finding) -> None:
    assert list(Baseline.of(FINDINGS).new_in([*FINDINGS, new])) == [new]


def test_if_there_are_more_the_last_ones_are_new() -> None:
    more = [finding("a.html", "x", line=line) for line in (1, 2, 3, 4)]
    assert [one.line for one in Baseline.of(FINDINGS).new_in(more)] == [3, 4]


def test_the_baseline_given_stays_as_it_is() -> None:
    baseline = Baseline.of(FINDINGS)
    list(baseline.new_in(FINDINGS))
    assert baseline == Baseline.of(FINDINGS)


def test_the_file(tmp_path: Path) -> None:
    file = tmp_path / "new" / "baseline.json"
    write_atomically(file, Baseline.of(reversed(FINDINGS)).content)
    assert file.read_text("ascii") == (
        '{"format": "rehref-baseline", "version": 1, "problems": [\n'
        '{"document": "a.html", "reference": "x", "code": "missing-file", "count": 2},\n'
        '{"document": "b.html", "reference": "y", "code": "missing-fragment", "count": 1}\n'
        "]}\n"
    )
    assert Baseline.read(file) == Baseline.of(FINDINGS)
    write_atomically(file, Baseline.of([]).content)
    assert json.loads(file.read_bytes())["problems"] == []
    with pytest.raises(FileError, match="cannot be read"):
        Baseline.read(tmp_path / "none.json")


TEXT = st.text(st.characters(), max_size=6)


@given(st.dictionaries(st.builds(KnownProblem, TEXT, TEXT, TEXT), st.integers(1, 1000), max_size=8))
def test_writing_and_reading_gives_the_same(problems: dict[KnownProblem, int]) -> None:
    assert Baseline.parse(Baseline(Counter(problems)).content, "x").known == problems


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"))),
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xy"))),
)
def test_new_is_the_difference(before: list[tuple[str, str]], now: list[tuple[str, str]]) -> None:
    old, new = [finding(*each) for each in before], [finding(*each) for each in now]
    assert Baseline.of(Baseline.of(old).new_in(new)) == Baseline.of(new).without(old)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "x: is not a baseline: it is not JSON; write it again"),
        (b"\xff", "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        (b"[]", "x: is not a baseline; write"),
        (b'{"format": "other"}', "x: is not a baseline; write"),
        (b'{"format": "rehref-baseline", "version": 2}', "another version, not 1"),
        (b'{"format": "rehref-baseline", "version": 1}', "its problem 1 has no"),
        (b'{"format": "rehref-baseline", "version": 1, "problems": [1]}', "its problem 1 has no"),
        (b'{"format": "rehref-baseline", "version": 1, "problems": [{"document": "a"}]}', "its problem 1 has no"),
    ],
)
def test_what_is_no_baseline(content: bytes, message: str) -> None:
    with pytest.raises(FileError) as failed:
        Baseline.parse(content, "x")
    assert message in str(failed.value)


@pytest.mark.parametrize("count", ["true", "-1", "1.5", '"1"', "null"])
def test_a_count_is_a_number(count: str) -> None:
    content = (
        '{"format": "rehref-baseline", "version": 1, "problems": [{"document": "a", "reference": "", "code": "c", '
    )
    assert Baseline.parse(f'{content}"count": 1, "more": 2}}]}}'.encode(), "x").known == {KnownProblem("a", "", "c"): 1}
    with pytest.raises(FileError):
        Baseline.parse(f'{content}"count": {count}}}]}}'.encode(), "x")
