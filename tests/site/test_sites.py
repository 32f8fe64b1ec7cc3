"""The sites of `fixtures/sites`: `rehref check` finds what is broken in them, each at its place, and nothing else."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from click.testing import CliRunner

from rehref.cli.program import program

SITES = Path(__file__).resolve().parents[2] / "fixtures" / "sites"
NAMES = sorted(path.parent.name for path in SITES.glob("*/expected.json"))


class Broken(NamedTuple):
    """A broken link."""

    document: str
    line: int
    reference: str
    code: str


def expected(name: str) -> dict[str, Any]:
    return json.loads((SITES / name / "expected.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def problems(name: str, *options: str) -> tuple[int, list[dict[str, Any]]]:
    """The exit code, and the errors that are found."""
    arguments = [
        "check",
        str(SITES / name / "site"),
        "--format",
        "json",
        *expected(name)["options"]["rehref"],
        *options,
    ]
    result = CliRunner().invoke(program, arguments, catch_exceptions=False)
    found = json.loads(result.stdout)["problems"]
    return result.exit_code, [problem for problem in found if problem["severity"] == "error"]


def test_there_are_thirty_four() -> None:
    assert len(NAMES) == 34
    assert all(expected(name)["broken"] for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_broken_is_found_and_nothing_else(name: str) -> None:
    code, found = problems(name)
    assert code == 1
    assert sorted(Broken(each["document"], each["line"], each["reference"], each["code"]) for each in found) == sorted(
        Broken(each["document"], each["line"], each["reference"], each["code"]) for each in expected(name)["broken"]
    )


@pytest.mark.parametrize("name", NAMES)
def test_where_each_leads(name: str) -> None:
    site = expected(name)
    _, found = problems(name, "--site-url", site["uri"])
    targets = {(each["document"], each["reference"]): each["target"] for each in found}
    assert targets == {(each["document"], each["reference"]): each["target"] for each in site["broken"]}


@pytest.mark.parametrize("name", NAMES)
def test_each_stands_where_the_span_says(name: str) -> None:
    _, found = problems(name)
    for each in found:
        data = (SITES / name / "site" / each["document"]).read_bytes()
        start, end = each["span"]
        assert unescape(data[start:end].decode("utf-8")) == each["reference"]
        assert data.count(b"\n", 0, start) + 1 == each["line"]


@pytest.mark.parametrize(
    "name",
    [name for name in NAMES if name.startswith("base-") and name not in ("base-public", "base-rejected")],
)
def test_a_base_that_is_skipped_makes_other_links_broken(name: str) -> None:
    _, found = problems(name, "--ignore-embedded-base")
    right = {(each["document"], each["reference"]) for each in expected(name)["broken"]}
    assert {(each["document"], each["reference"]) for each in found} != right
