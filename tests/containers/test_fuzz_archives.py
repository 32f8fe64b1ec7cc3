"""The fuzzer for archives compares something, and finds what differs."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from containers.fuzz import differences, expected_of, main
from containers.made_archives import MadeArchive, Payload, made_archive


def test_archives_mean_what_they_should(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("containers.fuzz.python_with_pywb", lambda: None)
    assert main(["--cases", "20", "--seed", "7"]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("pywb is not installed")
    assert last == "20 archives without a difference; pywb replayed 0"


def test_there_is_something_of_everything() -> None:
    captures = [each for number in range(60) for each in made_archive(Random(number)).captures]
    assert {each.method for each in captures} == {"GET", "POST", "PUT", "HEAD", "OPTIONS"}
    assert {each.is_revisit for each in captures} == {True, False}
    assert len({each.payload.charset for each in captures}) == 5
    assert {made_archive(Random(number)).is_known for number in range(60)} == {True, False}


def changed(made: MadeArchive) -> MadeArchive:
    """The same archive, with a last page that means something else."""
    *others, last = made.captures
    return made._replace(captures=[*others, last._replace(method="GET", payload=Payload(b"<p>other<a href=y>", ""))])


def test_a_difference_is_found(tmp_path: Path) -> None:
    made = next(each for each in map(made_archive, map(Random, range(99))) if each.captures[-1].method == "GET")
    assert list(differences(made, tmp_path)) == []
    (tmp_path / "again").mkdir()
    assert list(differences(changed(made), tmp_path / "again")) != []
    assert expected_of(changed(made), rewritten=False) != expected_of(made, rewritten=False)
