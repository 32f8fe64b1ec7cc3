"""`docs/coming-from.md`: what it says of rehref's options is so."""

from __future__ import annotations

import re
from pathlib import Path

import click

from rehref.cli.program import program
from rehref.code_groups import GROUPS
from rehref.codes import CODES

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = (DOCS / "coming-from.md").read_text(encoding="utf-8")
CHECKERS = (DOCS / "checkers.md").read_text(encoding="utf-8")
OURS = [row.removesuffix(" |").rsplit(" | ", 1)[1] for row in PAGE.splitlines() if row.startswith(("| `", "| plugin"))]


def options(command: str) -> set[str]:
    """The names of a command's options."""
    found = program.get_command(click.Context(program), command)
    assert found is not None
    return {name for parameter in found.params for name in parameter.opts}


def test_options_are_called_so() -> None:
    of_check = options("check")
    of_links = of_check | options("links")
    assert OURS
    for cell in OURS:
        named = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", " ".join(re.findall(r"`([^`]+)`", cell))))
        assert named <= (of_links if "rehref links" in cell else of_check), cell


def test_codes_are_called_so() -> None:
    named = re.findall(r"--(?:select|ignore|error|warn) ([a-z-]+)", PAGE)
    assert named
    assert set(named) <= {*CODES, *GROUPS}


def test_the_figures_of_lychee_are_those_of_the_comparison() -> None:
    row = re.search(
        r"^\| \*\*all\*\* \| \*\*(\d+)\*\* \| [^|]+ \| \*\*\d+ / (\d+) / (\d+)\*\* \|", CHECKERS, re.MULTILINE
    )
    assert row is not None
    broken, missed, false = row.groups()
    said = f"with {broken} broken links, lychee 0.24.2 misses {missed}, and reports {false} links that are not broken"
    assert said in PAGE
