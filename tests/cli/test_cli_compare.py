"""`rehref links --parser all`: where the parser cores disagree."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from cli_runs import Run, RunProcess
from rehref import Link
from rehref.markup import cores as registry
from rehref.markup.parsed import Parsed, Wanted
from rehref.text.encoding import Source

URL = ("--url", "http://u:secret@h/d/")
AGREED = b"<!DOCTYPE html><body><a href=a>1</a><img src=b>"
DIFFERING = AGREED + b"\n<a href=c>2</a>"


class _Other:
    """A core that sees something else."""

    name = "other"
    summary = "for tests"

    def __init__(self, before: bytes, after: bytes) -> None:
        self._before, self._after = before, after

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        if source.data == b"fail":
            raise RuntimeError("of no use")
        assert isinstance(source.data, bytes)
        return registry.core().parse(Source(source.data.replace(self._before, self._after), source.encoding), wanted)


LACKING = _Other(b"<a href=c>", b"<a>")
REBASING = _Other(b"<body>", b"<base href=/e/><body>")


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Have these cores installed besides `source`, and no others: `install(absent="no_such_module:CORE")`."""

    def installing(**others: str) -> None:
        points = [EntryPoint(name, value, registry.GROUP) for name, value in others.items()]
        monkeypatch.setattr("rehref.markup.cores.BUILT_IN", {"source": registry.BUILT_IN["source"]})
        registry._registered.cache_clear()
        registry.core.cache_clear()
        monkeypatch.setattr("importlib.metadata.entry_points", lambda *, group: points)

    yield installing
    registry._registered.cache_clear()
    registry.core.cache_clear()


@pytest.fixture
def lacking(install: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """A core is installed that lacks `<a href=c>`."""
    _install(install, monkeypatch, LACKING)


def _install(install: Callable[..., None], monkeypatch: pytest.MonkeyPatch, core: _Other) -> None:
    monkeypatch.setattr("rehref._other_core", core, raising=False)
    install(other="rehref:_other_core")


def test_where_all_agree_there_is_nothing_to_show(run: Run) -> None:
    result = run("links", *URL, "--parser", "all", "-", input=AGREED)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "1 document, 0 with disagreements\n", "")
    assert json.loads(run("links", "--parser", "all", "--format", "json", "-", input=AGREED).stdout) == []
    assert run("links", "--parser", "all", "--format", "jsonl", "-", input=AGREED).stdout == ""
    assert run("links", "--parser", "all", "--quiet", "-", input=AGREED).stdout == ""


@pytest.mark.usefixtures("lacking")
def test_what_a_core_lacks(run: Run) -> None:
    result = run("links", *URL, "--parser", "all", "-", input=DIFFERING)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines() == [
        "-  1 disagreement among source, other",
        "  base  http://u:***@h/d/  (retrieval URI)",
        "",
        "  2:9  a@href  c",
        "               → http://u:***@h/d/c  (source)",
        "               ! not other",
        "",
        "1 document, 1 with disagreements",
    ]


@pytest.mark.usefixtures("lacking")
def test_for_programs_a_link_has_the_cores_that_have_it(run: Run) -> None:
    shown = {
        form: run("links", *URL, "--parser", "all", "--format", form, "-", input=DIFFERING).stdout
        for form in ("json", "jsonl", "csv")
    }
    (link,) = json.loads(shown["json"])
    assert list(link) == ["document", *Link._fields[:11], "page", "parsers"]
    assert (link["reference"], link["target"], link["line"], link["column"]) == ("c", "http://u:***@h/d/c", 2, 9)
    assert link["parsers"] == ["source"]
    assert json.loads(shown["jsonl"]) == link
    (row,) = csv.DictReader(io.StringIO(shown["csv"]))
    assert (row["document"], row["reference"], row["parsers"]) == ("-", "c", "source")
    assert not any("secret" in text for text in shown.values())


def test_another_target(run: Run, install: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    _install(install, monkeypatch, REBASING)
    result = run("links", "--url", "http://h/d/", "--parser", "all", "-", input=AGREED)
    lines = result.stdout.splitlines()
    assert lines[:3] == [
        "-  3 disagreements among source, other",
        "  base  http://h/d/  (source)",
        "        http://h/e/  (other)",
    ]
    assert lines[4:10] == [
        "  1:27  base@href  /e/",
        "                   → http://h/e/  (other)",
        "                   ! not source",
        "  1:30  a@href     a",
        "                   → http://h/d/a  (source)",
        "                   → http://h/e/a  (other)",
    ]
    found = json.loads(
        run("links", "--url", "http://h/d/", "--parser", "all", "--format", "json", "-", input=AGREED).stdout
    )
    assert [(link["target"], link["parsers"]) for link in found if link["reference"] == "a"] == [
        ("http://h/d/a", ["source"]),
        ("http://h/e/a", ["other"]),
    ]


def test_a_core_that_cannot_be_loaded_is_named_and_left_out(run: Run, install: Callable[..., None]) -> None:
    install(absent="no_such_module:CORE", html5lib="rehref.markup._html5lib:CORE")
    result = run("links", "--parser", "all", "-", input=AGREED)
    assert result.exit_code == 0
    assert result.stdout == "1 document, 0 with disagreements\n"
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("rehref: the parser 'absent' (no_such_module:CORE) cannot be loaded: ")
    assert result.stderr.endswith("; it is left out\n")


@pytest.mark.usefixtures("lacking")
def test_a_core_that_fails_on_a_document_is_named_and_left_out(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(b"fail")
    (tmp_path / "b.html").write_bytes(DIFFERING)
    result = run("links", "--parser", "all", "--jobs", 1, "a.html", "b.html")
    assert result.exit_code == 0
    assert result.stderr == "rehref: a.html: the parser 'other' failed (RuntimeError: of no use)\n"
    assert result.stdout.endswith("\n2 documents, 1 with disagreements\n")


def test_something_that_is_no_core_fails_and_is_left_out(run: Run, install: Callable[..., None]) -> None:
    install(hollow="builtins:object")
    result = run("links", "--parser", "all", "-", input=AGREED)
    assert result.exit_code == 0
    assert "the parser 'hollow' failed (AttributeError" in result.stderr


def test_a_document_that_cannot_be_read_is_an_error_as_ever(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_bytes(AGREED)
    result = run("links", "--parser", "all", "a.html", "absent.html")
    assert result.exit_code == 2
    assert result.stdout == "1 document, 0 with disagreements\n"
    assert result.stderr.count("absent.html: cannot be read") == 1


def test_several_documents_in_several_processes(run_process: RunProcess, tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"{number}.html").write_bytes(AGREED + b"<isindex action=x>" * (number % 2))
    alone = run_process("links", "--parser", "all", "--jobs", 1, ".")
    together = run_process("links", "--parser", "all", "--jobs", 2, ".")
    assert alone.stdout == together.stdout
    assert alone.stdout.endswith(b"\n\n6 documents, 3 with disagreements\n")
    assert alone.stdout.count(b" among source, html5lib, lxml\n") == 3


def test_what_has_no_markup_has_no_disagreement(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.css").write_bytes(b"a { background: url(b) }")
    result = run("links", "--parser", "all", "a.css")
    assert (result.exit_code, result.stdout) == (0, "1 document, 0 with disagreements\n")


def test_rewriting_needs_one_core(run: Run) -> None:
    result = run("rewrite", "--parser", "all", "-", input=AGREED)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == ("rehref: --parser all: compares cores, but rewrite needs one; rehref parsers lists them\n")


def test_it_can_be_configured(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('[links]\nparser = "all"\n')
    assert run("links", "-", input=AGREED).stdout == "1 document, 0 with disagreements\n"
    assert run("rewrite", *URL, "-", input=AGREED).exit_code == 0
