"""Windows and macOS, simulated: what their file systems, shells and pipes do otherwise."""

from __future__ import annotations

import errno
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import click
import pytest
from click.testing import Result

from rehref import pool
from rehref.cli import errors
from rehref.cli.options import expanded
from rehref.cli.program import program
from rehref.entities.files import uri_of_absolute

Run = Callable[..., Result]
FIXTURES = Path(__file__).parents[2] / "fixtures"
CONTAINERS = [
    *(FIXTURES / "containers" / name for name in ("book.epub", "pages.wacz", "pages.warc.gz", "response.http")),
    FIXTURES / "mime" / "internet-explorer.mht",
    FIXTURES / "page.xhtml",
]


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What we ask the system for, and no library does."""
    for module in (errors, pool):
        monkeypatch.setattr(module, "sys", _Windows())


class _Windows:
    """The module `sys`, of another system."""

    platform = "win32"

    def __getattr__(self, name: str) -> Any:
        return getattr(sys, name)


# --- files that are open


def held(path: Path) -> list[str]:
    """How this process holds a file: descriptors, and memory it is mapped to."""
    real = os.path.realpath(path)
    found = []
    for descriptor in Path("/proc/self/fd").iterdir():
        try:
            if os.path.realpath(descriptor) == real:
                found.append(descriptor.name)
        except OSError:
            continue
    return found + [line for line in Path("/proc/self/maps").read_text().splitlines() if line.endswith(" " + real)]


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux tells which files are open")
@pytest.mark.parametrize("source", CONTAINERS, ids=lambda path: path.name)
def test_no_file_is_replaced_that_is_open(
    source: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replaced = []
    whole = Path.replace

    def replacing(self: Path, target: Path) -> Path:
        if holding := held(target) + held(self):
            raise PermissionError(errno.EACCES, f"held by {holding}")
        replaced.append(Path(target).name)
        return whole(self, target)

    monkeypatch.setattr(Path, "replace", replacing)
    file = tmp_path / source.name
    shutil.copy(source, file)
    result = run(
        "rewrite", "--to", "http://replay.example/{uri}", "--url", "http://h/a/b", "--in-place", "--backup", file
    )
    assert (result.exit_code, file.name in replaced) == (0, True), result.output
    assert (tmp_path / f"{file.name}.bak").read_bytes() == source.read_bytes()
    assert file.read_bytes() != source.read_bytes()


# --- shells


def test_no_pattern_is_expanded_in_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<p data-x="y">')
    seen: dict[str, Any] = {}
    whole = click.Group.main

    def main(self: click.Group, *arguments: Any, **extra: Any) -> Any:
        seen.update(extra)
        return whole(self, *arguments, **extra)

    monkeypatch.setattr(click.Group, "main", main)
    with pytest.raises(SystemExit) as ended:
        program.main(["links", "--attribute", "*@data-x", str(tmp_path / "a.html")])
    assert ended.value.code == 0
    assert seen["windows_expand_args"] is False


def test_patterns_are_expanded_among_sources_on_windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("b.html", "a.html", "[c].html", "d.css"):
        (tmp_path / name).write_text("<a href=x>")
    monkeypatch.chdir(tmp_path)
    sources = ("*.html", "?.css", "none*.html", "-", "[c].html", "a.html")
    assert expanded(sources) == sources
    monkeypatch.setattr("rehref.cli.options.sys", _Windows())
    assert expanded(sources) == ("[c].html", "a.html", "b.html", "d.css", "none*.html", "-", "[c].html", "a.html")
    assert expanded(("[c]*",)) == ("[c].html",)


def test_the_program_expands_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.html").write_text("<a href=x>")
    monkeypatch.chdir(tmp_path)
    assert run("links", "*.html").exit_code == 2
    monkeypatch.setattr("rehref.cli.options.sys", _Windows())
    assert run("links", "*.html", "--format", "csv").stdout.count("a.html") >= 1


# --- pipes and processes


@pytest.mark.usefixtures("windows")
def test_a_closed_pipe_is_einval(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(errors, "_silence_stdout", lambda: None)
    assert errors.guarded(failing) == errors.READER_GONE == 141
    assert capsys.readouterr().err == ""


def test_elsewhere_and_of_a_file_einval_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    def failing(*of: str) -> Callable[[], None]:
        def fail() -> None:
            raise OSError(errno.EINVAL, "Invalid argument", *of)

        return fail

    monkeypatch.setattr(errors, "_silence_stdout", lambda: None)
    assert errors.guarded(failing()) == 2
    request.getfixturevalue("windows")
    assert errors.guarded(failing("a.html")) == 2
    assert "a.html" in capsys.readouterr().err


def test_at_most_61_processes_on_windows(request: pytest.FixtureRequest) -> None:
    assert pool.how_many(100, 1000, 1) == 100
    request.getfixturevalue("windows")
    assert pool.how_many(100, 1000, 1) == 61
    assert pool.how_many(None, 100_000, 1) <= 61


# --- names and URIs


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        (PureWindowsPath(r"C:\sites\a b\ü.html"), "file:///C:/sites/a%20b/%C3%BC.html"),
        (PureWindowsPath(r"\\server\share\a b.html"), "file://server/share/a%20b.html"),
        (PureWindowsPath("//server/share/x"), "file://server/share/x"),
        (PureWindowsPath(r"\\?\C:\long\a.html"), "file:///C:/long/a.html"),
        (PureWindowsPath(r"\\?\UNC\server\share\a.html"), "file://server/share/a.html"),
        (PurePosixPath("/a/b c.html"), "file:///a/b%20c.html"),
        (PurePosixPath("/C:/x"), "file:///C:/x"),
        (PurePosixPath("//a/b"), "file:////a/b"),
    ],
)
def test_file_uris(path: PurePosixPath | PureWindowsPath, uri: str) -> None:
    assert uri_of_absolute(path) == uri


# --- configuration


@pytest.mark.parametrize(
    ("name", "text"),
    [("rehref.toml", '[links]\nformat = "csv"\n'), ("pyproject.toml", '[tool.rehref.links]\nformat = "csv"\n')],
)
def test_a_byte_order_mark_in_the_configuration(run: Run, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8-sig")
    result = run("links", "-", input=b"<a href=x>")
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("document,")
