"""`rehref explain`: what codes mean."""

from __future__ import annotations

import re

import pytest

from cli_runs import Run
from rehref.site.codes import CODES, DIAGNOSTICS, GROUPS, Code


@pytest.mark.parametrize("row", [*CODES.values(), *DIAGNOSTICS], ids=lambda row: str(row.name))
def test_every_code_is_explained(run: Run, row: Code) -> None:
    result = run("explain", row.name)
    assert result.exit_code == 0
    assert f"): {row.sentence}\n{row.help}\n" in result.stdout


def test_several_at_once_and_both_meanings_of_one(run: Run) -> None:
    out = run("explain", "orphan", "unreadable").stdout
    assert re.findall(r"^([a-z-]+) \((.*?)\):", out, re.MULTILINE) == [
        ("orphan", "warning"),
        ("unreadable", "error"),
        ("unreadable", "of a container"),
    ]


def test_groups_list_their_codes(run: Run) -> None:
    out = run("explain", "base").stdout
    assert re.findall(r"^  ([a-z-]+) ", out, re.MULTILINE) == [*GROUPS["base"].codes]


def test_without_a_name_all_are_listed(run: Run) -> None:
    out = run("explain").stdout
    listed = re.findall(r"^  ([a-z-]+) ", out, re.MULTILINE)
    assert listed == [*CODES, *(row.name for row in DIAGNOSTICS), *GROUPS]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("misingfile", "misingfile: there is no such code; did you mean missing-file?"),
        ("truncate", "truncate: there is no such code; did you mean truncated?"),
        ("zzzzzz", "zzzzzz: there is no such code; rehref explain lists them"),
        ("", '"": there is no such code; rehref explain lists them'),
    ],
)
def test_unknown_names(run: Run, name: str, says: str) -> None:
    result = run("explain", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"rehref: {says}\n"


def test_what_asks_for_a_code_that_is_off_by_default(run: Run) -> None:
    for name, ways in (
        ("orphan", "--select orphan or --orphans"),
        ("hash-link", "--select hash-link or --select lint"),
        ("web-not-found", "--external"),
        ("web-moved-for-now", "--external with --select web-moved-for-now"),
    ):
        assert f"\nIt is off by default; {ways} turns it on.\n" in run("explain", name).stdout
    assert "off by default" not in run("explain", "missing-file").stdout


def test_the_function_of_the_examples_is_explained(run: Run) -> None:
    for name, is_used in (("not-a-uri", True), ("missing-file", False)):
        assert ("problems(page) calls rehref.links(page, url=" in run("explain", name).stdout) == is_used
