"""What the command line takes comes from the rows where it is defined: no name is written a second time."""

from __future__ import annotations

import ast
from pathlib import Path

import click
import pytest

import rehref
from rehref.cli.parameters import Report
from rehref.cli.program import import_command
from rehref.containers.kinds import KINDS
from rehref.markup.cores import BUILT_IN
from rehref.reports.formats import OF_FINDINGS, OF_LINKS
from rehref.rewriting.built_in_rules import OPTIONS, RULES
from rehref.site.check_options import ROWS
from rehref.uri.resolver import PROFILES

SOURCE = Path(rehref.__file__).parent / "cli"
OTHERS = {
    ("parsers.py", "table"),  # what `rehref parsers` shows, which is not a report of links
    ("parsers.py", "json"),
    ("command.py", "whatwg"),  # `--unpack`: browsers saved it
    *(("_explanation.py", name) for name in PROFILES),  # the headings above their steps
    ("_explanation.py", "none"),  # no target
}
NAMES = {
    *ROWS["host"].choices,
    *BUILT_IN,
    *PROFILES,
    *(row.name for row in (*RULES, *OF_FINDINGS, *OF_LINKS, *KINDS)),
}


def option(command: str, name: str) -> click.Parameter:
    return next(each for each in import_command(command).params if each.name == name)


def test_no_name_is_written_a_second_time() -> None:
    found = {
        (file.name, node.value)
        for file in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in NAMES
    }
    assert found == OTHERS


@pytest.mark.parametrize(
    ("command", "name", "choices"),
    [
        ("check", "host", tuple(ROWS["host"].choices)),
        ("check", "profile", tuple(PROFILES)),
        ("links", "profile", tuple(PROFILES)),
        ("links", "format", (*(row.name for row in OF_LINKS), "parquet")),
    ],
)
def test_choices_are_the_rows(command: str, name: str, choices: tuple[str, ...]) -> None:
    kind = option(command, name).type
    assert isinstance(kind, click.Choice | Report)
    assert tuple(kind.choices) == choices


def test_the_help_names_all_rows() -> None:
    assert option("rewrite", "to").metavar == "|".join(row.name for row in RULES)
    assert {row.name for row in OPTIONS} <= {each.name for each in import_command("rewrite").params}
    unpack = option("rewrite", "unpack")
    assert isinstance(unpack, click.Option)
    for kind in KINDS:
        for called, endings in kind.endings:
            assert (f"{called} ({', '.join(endings)})" in (unpack.help or "")) == bool(kind.unpacked_as)
    formats = option("check", "formats")
    assert isinstance(formats, click.Option)
    assert all(row.name in (formats.help or "") for row in OF_FINDINGS)
