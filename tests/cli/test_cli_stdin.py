"""Standard input that cannot be read: one line names it, the other documents are done, and the exit code is 2."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from patience import PATIENCE

RunProcess = Callable[..., "subprocess.CompletedProcess[bytes]"]

HEADERS = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"


@pytest.fixture
def unreadable(tmp_path: Path) -> Iterator[int]:
    """A file opened for writing alone, as standard input: whoever reads it gets an error of the system."""
    file = os.open(tmp_path / "written", os.O_WRONLY | os.O_CREAT)
    yield file
    os.close(file)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    for name in ("a.html", "b.html"):
        (tmp_path / name).write_text(f"<a href=x-{name}>", encoding="utf-8")
    (tmp_path / "headers").write_text(HEADERS, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("options", [(), ("--format", "jsonl"), ("--parser", "all"), ("--jobs", "2")])
def test_the_others_are_reported(
    run_process: RunProcess, pages: Path, unreadable: int, options: tuple[str, ...]
) -> None:
    result = run_process("links", *options, "a.html", "-", "b.html", stdin=unreadable)
    assert result.stderr.decode().splitlines() == ["rehref: -: cannot be read: bad file descriptor"]
    assert result.returncode == 2
    if options == ("--parser", "all"):
        assert b"2 documents, 0 with disagreements" in result.stdout
    else:
        assert result.stdout.index(b"x-a.html") < result.stdout.index(b"x-b.html")


@pytest.mark.parametrize(
    "options",
    [
        (),
        ("-o", "out.html"),
        ("--diff",),
        ("--unpack", "folder"),
        ("--headers", "headers"),
        ("--media-type", "application/warc", "-o", "out.warc"),
        ("--media-type", "text/html"),
    ],
)
def test_nothing_is_rewritten(run_process: RunProcess, pages: Path, unreadable: int, options: tuple[str, ...]) -> None:
    result = run_process("rewrite", "--quiet", *options, "-", stdin=unreadable)
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.decode().splitlines() == ["rehref: -: cannot be read: bad file descriptor"]
    assert not any((pages / name).exists() for name in ("out.html", "out.warc"))


@pytest.mark.parametrize("command", ["links a.html - b.html", "rewrite --quiet -", "rewrite --quiet -o out -"])
def test_one_that_is_closed_is_reported(pages: Path, command: str) -> None:
    shell = f'"{sys.executable}" -m rehref {command} <&-'
    ran = subprocess.run(["sh", "-c", shell], capture_output=True, timeout=PATIENCE, check=False)
    assert ran.returncode == 2
    assert ran.stderr.decode() == "rehref: -: cannot be read: standard input is closed; name a file\n"
    assert command.startswith("rewrite") or ran.stdout.index(b"x-a.html") < ran.stdout.index(b"x-b.html")
    assert not (pages / "out").exists()
