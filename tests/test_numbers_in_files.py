"""Numbers in files that rehref reads have bounds: neither time nor memory follows from them, and no traceback."""

from __future__ import annotations

import json
import math
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from bounded import NUMBERS, assert_bounded
from checked.contexts import written
from rehref.archives.pieces import PieceOutcome
from rehref.archives.saved_captures import CAPTURES, read_captures
from rehref.cli.program import program
from rehref.files.file_errors import FileError
from rehref.files.reading_files import MOST, whole_number
from rehref.site.states import State

HEAD = '{"format": "rehref-contract", "version": 1, "urls": %s}\n'


@pytest.mark.parametrize("value", [-1, MOST + 1, True, 1.0, math.inf, math.nan, "1", None, []])
def test_a_number_that_is_none(value: object) -> None:
    with pytest.raises(ValueError, match="not a whole number"):
        whole_number(value)


def read(data: str) -> None:
    try:
        assert State.of_contract(data.encode(), "c.jsonl") is not None
    except FileError as error:
        assert "is damaged" in str(error) or "of version" in str(error)  # noqa: PT017 -- it may be read, too


def captured(folder: Path, number: str) -> None:
    (folder / CAPTURES).write_text(f'{{"uri": "http://h/", "date": {number}, "status": {number}, "path": "x"}}\n')
    list(read_captures(folder))


READERS: dict[str, Callable[[Path, str], Any]] = {
    "contract: count": lambda _, number: read(HEAD % 0 + f'{{"broken": ["", "x.html", "missing-file", {number}]}}\n'),
    "contract: status": lambda _, number: read(HEAD % 0 + f'{{"url": "", "to": "b", "status": {number}}}\n'),
    "contract: level": lambda _, number: read(HEAD % 0 + f'{{"url": "", "ids": {{}}, "text": "{number[:5000]}:"}}\n'),
    "contract: id": lambda _, number: read(HEAD % 0 + f'{{"url": "", "ids": {{"a": {json.dumps(number)}}}}}\n'),
    "contract: version": lambda _, number: read((HEAD % 0).replace(": 1,", f": {number},")),
    "contract: urls": lambda _, number: read(HEAD % number),
    "captures": captured,
}


@pytest.mark.parametrize("reader", READERS)
def test_what_a_file_says_is_bounded(tmp_path: Path, reader: str) -> None:
    assert_bounded(partial(READERS[reader], tmp_path))


def test_an_outcome_has_counts() -> None:
    for value in (-1, MOST + 1, True, 1.0, math.inf, "1"):
        assert PieceOutcome.of_object({"changed": value}) is None


COMMANDS: dict[str, tuple[str, str, list[str]]] = {
    "contract": (
        "c.jsonl",
        HEAD % 1 + '{"url": "a.html", "ids": {}}\n{"broken": ["", "x.html", "missing-file", %s]}\n',
        ["compare", "c.jsonl", "site"],
    ),
    "baseline": (
        "b.json",
        '{"format": "rehref-baseline", "version": 1, "problems": '
        '[{"document": "a", "reference": "b", "code": "c", "count": %s}]}',
        ["check", "site", "--baseline", "b.json"],
    ),
    "map": ("m.json", '{"http://h/": %s}', ["rewrite", "--map", "m.json", "site/a.html"]),
    "urls": ("u.cdxj", 'h)/ 2024 {"url": %s, "filename": "a.html"}', ["links", "--urls", "u.cdxj", "site"]),
    "configuration": ("rehref.toml", "[check]\nmax_redirects = %s\ndepth = %s\nmax_findings = %s", ["check", "site"]),
    "vercel.json": (
        "site/vercel.json",
        '{"redirects": [{"source": "/a", "destination": "/b", "statusCode": %s}]}',
        ["check", "site"],
    ),
    "netlify.toml": ("site/netlify.toml", "[[redirects]]\nfrom = '/a'\nto = '/b'\nstatus = %s", ["check", "site"]),
    "manifest": ("site/x.webmanifest", '{"start_url": "a.html", "n": %s}', ["check", "--select", "all", "site"]),
    "regular expression": ("rehref.toml", "[check]\nexclude = 'a{%s}'", ["check", "site"]),
    "accepted statuses": ("rehref.toml", "[check]\naccept = '%s'", ["check", "site"]),
}


@pytest.mark.parametrize("number", NUMBERS, ids=lambda text: text[:12])
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_says_what_is_wrong_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, number: str
) -> None:
    written(tmp_path, {"site/a.html": "<a href=a.html>"})
    name, text, arguments = COMMANDS[command]
    (tmp_path / name).write_text(text.replace("%s", number))
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(program, arguments)
    assert done.exit_code in (0, 1, 2)
    assert "should not happen" not in done.output
    notes = [line for line in done.stderr.splitlines() if "is the root of the site" not in line]
    assert done.exit_code < 2 or len(notes) == 1


def test_a_link_that_was_broken_very_often_is_counted_not_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, {"site/a.html": "<title>Winds</title><a href=x.html>", "site/b.html": "<a href=a.html>"})
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(program, ["compare", "--save", "c.jsonl", "site"]).exit_code == 0
    contract = Path("c.jsonl")
    contract.write_text(contract.read_text().replace('"missing-file",1]', f'"missing-file",{3_000_000}]'))
    assert "3000000" in contract.read_text()
    written(tmp_path, {"site/b.html": "<a href=a.html><a href=y.html>"})
    tracemalloc.start()
    done = CliRunner().invoke(program, ["compare", "c.jsonl", "site"])
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()
    assert (done.exit_code, "there is no file y.html" in done.output) == (1, True)
    assert "there is no file x.html" not in done.output
