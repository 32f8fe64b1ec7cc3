"""`rehref check --watch`: what is said after each change, and how it ends."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result

from patience import PATIENCE

Run = Callable[..., Result]

pytest.importorskip("watchfiles")


class Watching:
    """`rehref check --watch` as a process, and what it says."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rehref", "check", "--watch", "--jobs", "1", str(folder), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def says(self, end: str) -> str:
        """All up to a text, which must come."""
        assert self.process.stdout is not None
        said = b""
        while end.encode() not in said:
            ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE)
            assert ready, said
            piece = os.read(self.process.stdout.fileno(), 1 << 16)
            assert piece, said
            said += piece
        return said.decode()

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        rest, _ = self.process.communicate(timeout=PATIENCE)
        assert rest.strip() == b""  # the end of the line that was read last
        return self.process.returncode


@pytest.fixture
def public(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    folder.mkdir()
    (folder / "index.html").write_text('<a href="a.html">1</a><a href="b.html">2</a>\n')
    return folder


@pytest.fixture
def watching(public: Path) -> Iterator[Callable[..., Watching]]:
    """Begins to watch."""
    begun: list[Watching] = []

    def begin(*options: str) -> Watching:
        begun.append(Watching(public, *options))
        return begun[-1]

    yield begin
    for each in begun:
        each.process.kill()
        each.process.communicate()


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there, pipes are not waited for")


def test_what_is_new_and_what_is_gone_is_said_after_each_change(
    public: Path, watching: Callable[..., Watching]
) -> None:
    process = watching()
    first = process.says("links checked")
    assert "there is no file a.html" in first
    assert "2 errors in 1 document" in first
    (public / "a.html").write_text('<a href="index.html#none">x</a>')
    said = process.says("links checked")
    assert "gone: " in said
    assert "index.html:1:10  missing-file  a.html\n" in said
    assert "a.html:1:10  error missing-fragment" in said
    assert "b.html" not in said
    assert "2 errors in 2 documents (3 links checked" in said
    (public / "index.html").write_text('\n\n<p id=none><a href="a.html">1</a><a href="b.html">2</a>\n')
    said = process.says("links checked")
    assert "a.html:1:10  missing-fragment" in said
    assert "b.html" not in said  # its line is another one, and that is all
    assert "1 error in 2 documents" in said
    (public / "b.html").touch()
    assert "no errors in 3 documents" in process.says("links checked")
    assert process.interrupt() == 130


def test_a_folder_that_is_made_anew_is_waited_for(
    public: Path, tmp_path: Path, watching: Callable[..., Watching]
) -> None:
    process = watching()
    process.says("links checked")
    public.rename(tmp_path / "old")
    process.says("the folder cannot be read")
    (tmp_path / "new").mkdir()
    (tmp_path / "new/index.html").write_text('<a href="c.html">1</a>')
    (tmp_path / "new").rename(public)
    said = process.says("1 error in 1 document")
    assert "there is no file c.html" in said
    (public / "c.html").touch()  # the new folder is watched
    assert "c.html" in process.says("no errors in 2 documents")


def changing(monkeypatch: pytest.MonkeyPatch, *changes: Callable[[], object]) -> list[object]:
    """What is watched, in this process: each of these is a change, and Ctrl-C is the last one."""
    watched: list[object] = []

    def watch(*folders: object, **options: object) -> Iterator[set[object]]:
        watched.extend(folders)
        yield set()
        for change in changes:
            change()
            yield {"a change"}
        raise KeyboardInterrupt

    monkeypatch.setattr("watchfiles.watch", watch)
    return watched


def test_reports_in_files_are_written_anew_as_a_whole(
    run: Run, public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add_one() -> None:
        assert json.loads(report.read_bytes())["summary"]["broken"] == 2
        (public / "c.html").write_text('<a href="index.html">x</a><a href="https://e.example/">y</a>')

    report, files = tmp_path / "report.json", ("--dump-external", str(tmp_path / "list"))
    changing(monkeypatch, add_one, lambda: (public / "d.html").write_text("<a href=none>x</a>"))
    result = run("check", "--watch", "--jobs", 1, public, "--format", f"json={report}", "--format", "text", *files)
    assert result.stdout.splitlines()[-1].startswith("3 errors")
    assert {one["reference"] for one in json.loads(report.read_bytes())["problems"]} == {"a.html", "b.html", "none"}
    assert (tmp_path / "list").read_text().startswith("https://e.example/\t")


def test_several_folders_are_watched(run: Run, public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog/index.html").write_text("<a href=none.html>")
    watched = changing(monkeypatch, (tmp_path / "blog/none.html").touch)
    first, _, then = run("check", "--watch", "--jobs", 1, public, tmp_path / "blog").stdout.partition("links checked")
    assert "3 errors in 2 documents" in first
    assert "blog/index.html:1:9  missing-file  none.html" in then
    assert "2 errors in 3 documents" in then
    assert {str(each) for each in watched} == {str(public), str(tmp_path / "blog")}


def test_findings_that_were_known_before_are_not_shown(
    run: Run, public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run("check", public, "--write-baseline", tmp_path / "known.json")
    changing(monkeypatch, lambda: (public / "c.html").write_text("<a href=none>x</a>"))
    known = ("--baseline", tmp_path / "known.json")
    first, _, then = run("check", "--watch", "--jobs", 1, public, *known).stdout.partition("links checked")
    assert "a.html" not in first
    assert "no errors in 1 document" in first
    assert "1 error in 2 documents" in then
    assert "b.html" not in then
    assert "there is no file none" in then


def test_what_does_not_go_with_it_is_refused(run: Run, public: Path) -> None:
    for options in (("--fix",), ("--why", "a.html"), ("--write-baseline", "x"), ("--fix-unsure",)):
        result = run("check", "--watch", public, *options)
        assert result.exit_code == 2
        assert "does not go with" in result.stderr


def test_without_the_package_one_line_says_what_to_do(run: Run, public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    result = run("check", "--watch", public)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        "rehref: --watch: needs the package watchfiles; install it: pip install 'rehref[watch]'"
    ]


@pytest.mark.parametrize("reports", [(), ("--format", "json=report.json", "--format", "text")])
def test_where_nothing_changed_nothing_is_said(
    run: Run, public: Path, monkeypatch: pytest.MonkeyPatch, reports: tuple[str, ...]
) -> None:
    def changes(*folders: object, **options: object) -> Iterator[set[object]]:
        yield set()
        (public / "picture.png").touch()
        yield {"a change"}
        (public / "c.html").write_text("<p>")
        yield {"a change"}
        raise KeyboardInterrupt

    (public / "A.html").write_text("<p>")  # so that something is suggested
    monkeypatch.setattr("watchfiles.watch", changes)
    result = run("check", "--watch", "--jobs", "1", public, *reports)
    sums = [line for line in result.stdout.splitlines() if "links checked" in line]
    assert sums[0].startswith("2 errors in 2 documents")
    assert "in 3 documents" in sums[-1]
    assert len(sums) == (3 if reports else 2)


def test_a_root_folder_that_is_gone_for_a_while_is_waited_for(
    run: Run, public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changes(*folders: object, **options: object) -> Iterator[set[object]]:
        yield set()
        (public / "www").rename(tmp_path / "www")
        yield {"a change"}
        yield {"a change"}
        (tmp_path / "www").rename(public / "www")
        (public / "c.html").write_text("<p>")
        yield {"a change"}
        raise KeyboardInterrupt

    (public / "www").mkdir()
    (public / "www/x.html").touch()
    monkeypatch.setattr("watchfiles.watch", changes)
    result = run("check", "--watch", "--jobs", "1", public, "--root-dir", "www")
    assert result.exit_code == 130
    assert result.stderr.count("--root-dir www") == 1
    assert [line.split(" (")[0] for line in result.stdout.splitlines() if "links checked" in line] == [
        "2 errors in 2 documents",
        "2 errors in 3 documents",
    ]
    assert run("check", "--watch", public, "--root-dir", "none").exit_code == 2


@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_hints_are_said_after_the_first_check(
    run: Run, public: Path, monkeypatch: pytest.MonkeyPatch, quiet: tuple[str, ...]
) -> None:
    def changes(*folders: object, **options: object) -> Iterator[set[object]]:
        yield set()
        (public / "c.html").write_text("<p>")
        yield {"a change"}
        raise KeyboardInterrupt

    (public / "index.html").write_text("".join(f'<a href="/p{number}">x</a>' for number in range(30)))
    for number in range(30):
        (public / f"p{number}.html").write_text("<p>")
    options = ("--jobs", "1")
    assert run("check", public, *options).stderr.count("hint: ") == 1
    monkeypatch.setattr("watchfiles.watch", changes)
    assert run("check", "--watch", public, *options, *quiet).stderr.count("hint: ") == (0 if quiet else 1)
