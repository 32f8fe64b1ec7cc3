"""Windows and macOS, simulated: what their file systems, shells and pipes do otherwise."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import click
import pytest

from cli_runs import Run, site_of
from patience import PATIENCE
from rehref.cli import messages
from rehref.cli.click_options import expanded
from rehref.cli.program import program
from rehref.files import pool
from rehref.files import pool as of_jobs
from rehref.files.file_documents import ignores_case, real_path_within, relative_to, uri_of_absolute
from rehref.files.file_errors import FileError
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site

FIXTURES = Path(__file__).parents[2] / "fixtures"
CONTAINERS = [
    *(FIXTURES / "containers" / name for name in ("book.epub", "pages.wacz", "pages.warc.gz", "response.http")),
    FIXTURES / "mime" / "internet-explorer.mht",
    FIXTURES / "page.xhtml",
]


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What we ask the system for, and no library does."""
    for module in (messages, of_jobs, pool):
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
    monkeypatch.setattr("rehref.cli.click_options.sys", _Windows())
    assert expanded(sources) == ("[c].html", "a.html", "b.html", "d.css", "none*.html", "-", "[c].html", "a.html")
    assert expanded(("[c]*",)) == ("[c].html",)


def test_the_program_expands_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.html").write_text("<a href=x>")
    monkeypatch.chdir(tmp_path)
    assert run("links", "*.html").exit_code == 2
    monkeypatch.setattr("rehref.cli.click_options.sys", _Windows())
    assert run("links", "*.html", "--format", "csv").stdout.count("a.html") >= 1


# --- pipes and processes


@pytest.mark.usefixtures("windows")
def test_a_closed_pipe_is_einval(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def failing() -> None:
        raise OSError(errno.EINVAL, "Invalid argument")

    monkeypatch.setattr(messages, "_silence", lambda stream: None)
    assert messages.guarded(failing) == messages.READER_GONE == 141
    assert capsys.readouterr().err == ""


def test_elsewhere_and_of_a_file_einval_is_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    def failing(*of: str) -> Callable[[], None]:
        def fail() -> None:
            raise OSError(errno.EINVAL, "Invalid argument", *of)

        return fail

    monkeypatch.setattr(messages, "_silence", lambda stream: None)
    assert messages.guarded(failing()) == 2
    request.getfixturevalue("windows")
    assert messages.guarded(failing("a.html")) == 2
    assert "a.html" in capsys.readouterr().err


def test_at_most_61_processes_on_windows(request: pytest.FixtureRequest) -> None:
    assert of_jobs.how_many(100, 1000, 1) == 100
    request.getfixturevalue("windows")
    assert of_jobs.how_many(100, 1000, 1) == 61
    assert of_jobs.how_many(None, 100_000, 1) <= 61


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


# --- names on a file system that ignores case


def test_the_file_system_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Page.html").write_text("")
    sensitive = not (tmp_path / "pAGE.HTML").exists()
    assert ignores_case(tmp_path) is not sensitive
    assert ignores_case(tmp_path / "not" / "yet") is not sensitive
    before = sorted(path.name for path in tmp_path.iterdir())
    assert before == ["Page.html"]
    # a file of that name is another one
    if sensitive:
        (tmp_path / "pAGE.HTML").write_text("")
        assert not ignores_case(tmp_path)
    monkeypatch.setattr("rehref.files.file_documents._is_same", lambda one, other: True)
    assert ignores_case(tmp_path) is not sensitive
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "a.html").write_text("")
    assert ignores_case(tmp_path / "sub")


@pytest.mark.parametrize(("platform", "ignored"), [("win32", True), ("darwin", True), ("linux", False)])
def test_where_no_name_tells_the_platform_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str, ignored: bool
) -> None:
    monkeypatch.setattr("rehref.files.file_documents.os.scandir", _refused)
    monkeypatch.setattr("rehref.files.file_documents.sys", type("sys", (), {"platform": platform}))
    assert ignores_case(tmp_path) is ignored


def _refused(*_: object) -> None:
    raise PermissionError


@pytest.mark.usefixtures("ignoring")
def test_no_two_documents_go_to_the_same_file(run: Run, tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", "A.html", "a.html")
    if len(list(site.iterdir())) < 2:
        pytest.skip("this file system ignores case itself")
    result = run("rewrite", "--url", "http://h/", site, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "would both be written to" in result.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("ignoring")
def test_no_source_is_written_over(run: Run, tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", "a.html")
    result = run("rewrite", "--url", "http://h/", site / "a.html", "-o", site / "A.HTML")
    assert result.exit_code == 2
    assert "would be written over the source" in result.stderr
    result = run("rewrite", "--url", "http://h/", site, "-o", tmp_path / "SITE")
    assert "which is being read" in result.stderr


@pytest.mark.usefixtures("ignoring")
def test_composed_names_are_the_same(run: Run, tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", unicodedata.normalize("NFC", "é.html"), unicodedata.normalize("NFD", "é.html"))
    result = run("rewrite", "--url", "http://h/", site, "-o", tmp_path / "out")
    assert "would both be written to" in result.stderr


def test_a_link_that_spells_the_folder_otherwise_stays_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    site = site_of(tmp_path / "site", "deep/a.html")
    site_of(tmp_path / "SITE", "deep/a.html")
    (site / "link").symlink_to(tmp_path / "SITE" / "deep")
    assert Site.of(site, CheckOptions()).files.links["link"].code == "leaves-folder"
    with pytest.raises(FileError):
        real_path_within(site, site / "link" / "a.html")
    request.getfixturevalue("ignoring")
    assert Site.of(site, CheckOptions()).files.links["link"].folder == "deep"
    assert real_path_within(site, site / "link" / "a.html").name == "a.html"
    assert relative_to(str(tmp_path / "other"), str(site)) is None
    assert relative_to(str(tmp_path), str(site)) is None
    assert relative_to(str(site), str(site)) == ""


def test_a_sensitive_file_system_tells_them_apart(run: Run, tmp_path: Path) -> None:
    site = site_of(tmp_path / "site", "A.html", "a.html")
    if len(list(site.iterdir())) < 2:
        pytest.skip("this file system ignores case itself")
    assert run("rewrite", "--url", "http://h/", site, "-o", tmp_path / "out").exit_code == 0
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_a_folder_may_end_in_what_separates_names_there(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_of(tmp_path / "site", "a.html")
    windows = type("os", (), {"sep": "\\", "__getattr__": lambda self, name: getattr(os, name)})()
    monkeypatch.setattr("rehref.cli._commands.rewrite.command.os", windows)
    result = run("rewrite", "--url", "http://h/", site / "a.html", "-o", f"{tmp_path / 'out'}\\")
    assert result.exit_code == 0, result.output
    assert (tmp_path / "out\\" / "a.html").is_file()  # here that is one name


# --- processes that are begun anew, as on Windows and macOS

_SPAWNING = """
import multiprocessing, sys
from rehref.files import pool
pool._context = lambda: multiprocessing.get_context("spawn")
from rehref.cli import main
if __name__ == "__main__":
    main(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "status"),
    [
        (["links", "--format", "csv"], 0),
        (["links", "--parser", "all"], 0),
        (["rewrite", "-o", "out"], 0),
        (["rewrite", "--to", "relative", "-o", "out"], 0),
        (["rewrite", "--to", "offline", "-o", "out"], 0),
        (["rewrite", "--to", "http://r/{kind}/{uri:encoded}", "-o", "out"], 0),
        (["rewrite", "--map", "map.json", "-o", "out"], 0),
        (["check", "--no-progress"], 1),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_all_work_crosses_to_other_processes(command: list[str], status: int, tmp_path: Path) -> None:
    site_of(tmp_path / "site", *(f"{number}.html" for number in range(6)))
    (tmp_path / "map.json").write_text('{"http://h/x": "http://n/"}')
    (tmp_path / "spawning.py").write_text(_SPAWNING)
    url = [] if command[0] == "check" else ["--url", "http://h/"]
    said = []
    for jobs in ("1", "2"):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        done = subprocess.run(
            [sys.executable, "spawning.py", *command, *url, "--jobs", jobs, "site"],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=PATIENCE,
            check=False,
        )
        assert done.returncode == status, done.stderr
        said.append(re.sub(r"\d+\.\d s", "", done.stdout + done.stderr))
    assert said[0] == said[1]
