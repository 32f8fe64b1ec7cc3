"""Ctrl-C and `kill -9` in the middle of a collection, and `--resume`: the same files as those of one run.

The program works on small pieces. From the second archive on it waits, so that it ends in the middle of one for sure.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from crawl import crawl, response
from patience import PATIENCE, wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")

PROGRAM = """
import functools, os, signal, sys, time
from pathlib import Path
from rehref.cli import main
from rehref.cli._commands.rewrite import command
from rehref.archives import _links_of_pieces, _rewriting_pieces, many_files as running

first, waits = os.getpid(), sys.argv.pop(1)

def then(work):
    def waiting(*arguments):
        file, within = arguments[0], next((each for each in arguments if type(each).__name__ == "ByteRange"), None)
        if file.name.startswith("two") and within is not None and within.start > 0:
            if waits == "here":
                Path("waits").touch()
                time.sleep(1000)
            elif waits == "dies" and os.getpid() != first and not Path("died").exists():
                Path("died").touch()
                os.kill(os.getpid(), signal.SIGKILL)
        return work(*arguments)
    return waiting

_links_of_pieces.documents_of = then(_links_of_pieces.documents_of)
_rewriting_pieces.rewrite_found = then(_rewriting_pieces.rewrite_found)
running.links_into = functools.partial(running.links_into, size=50_000)
command.rewrite_many = functools.partial(command.rewrite_many, size=50_000)
main(sys.argv[1:])
"""
NAMES = ("one.warc.gz", "page.html", "two.warc.gz")
COMMANDS = {
    "jsonl": ("links", *NAMES, "--format", "jsonl"),
    "parquet": ("links", *NAMES, "--format", "parquet"),
    "ordered": ("links", *NAMES, "--format", "jsonl", "--ordered"),
    "rewrite": ("rewrite", *NAMES),
    "conversions": ("rewrite", *NAMES, "--as-conversion", "--all-types"),
}


def begun(folder: Path, waits: str, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", PROGRAM, waits, *arguments]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def ran(folder: Path, *arguments: str, waits: str = "no") -> bytes:
    """Run to the end: what was said on standard error."""
    process = begun(folder, waits, *arguments)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    return said


def written(folder: Path) -> dict[str, bytes]:
    """The files, but for the manifest, whose lines are in the order in which pieces are done."""
    files = [each for each in sorted(folder.rglob("*")) if each.is_file() and each.name != "_manifest"]
    return {str(each.relative_to(folder)): each.read_bytes() for each in files}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two archives and a page."""
    for seed, name in enumerate(("one.warc.gz", "two.warc.gz")):
        noise = random.Random(seed)
        pages = [f"<a href=a{n}>{noise.randbytes(noise.randrange(3000)).hex()}</a>" for n in range(120)]
        data = crawl(response(f"https://h.example/{n}", page, number=n) for n, page in enumerate(pages))
        (tmp_path / name).write_bytes(data)
    (tmp_path / "page.html").write_bytes(b"<base href=https://h.example/><a href=x>")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "ended_by"),
    [
        ("jsonl", signal.SIGINT),
        ("rewrite", signal.SIGINT),
        pytest.param("parquet", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("ordered", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("conversions", signal.SIGINT, marks=pytest.mark.slow),
        pytest.param("parquet", signal.SIGKILL, marks=pytest.mark.slow),
        pytest.param("rewrite", signal.SIGKILL, marks=pytest.mark.slow),
    ],
)
def test_a_run_that_ended_in_the_middle_is_resumed(folder: Path, name: str, ended_by: signal.Signals) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    command = COMMANDS[name]
    said = ran(folder, *command, "-o", "whole", "--jobs", "1")
    process = begun(folder, "here", *command, "-o", "out/", "--jobs", "2")
    wait_until((folder / "waits").exists)
    manifest = folder / "out" / ("_rehref-unfinished" if command[0] == "rewrite" else "") / "_manifest"
    wait_until(lambda: manifest.read_bytes().count(b"\n") >= 3)
    if ended_by is signal.SIGINT:
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    else:
        process.kill()
    _, words = process.communicate(timeout=PATIENCE)
    assert (process.returncode, words.strip()) == (130 if ended_by is signal.SIGINT else -signal.SIGKILL, b"")
    if ended_by is signal.SIGINT:
        assert list(folder.rglob(".rehref-*")) == []
    assert written(folder / "out") != written(folder / "whole")
    again = ran(folder, *command, "-o", "out/", "--jobs", "2", "--resume")
    assert again.replace(b"out/", b"whole") == said
    assert written(folder / "out") == written(folder / "whole")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_a_process_of_the_pool_that_is_killed_is_replaced(folder: Path, name: str) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    said = ran(folder, *COMMANDS[name], "-o", "whole", "--jobs", "1")
    again = ran(folder, *COMMANDS[name], "-o", "out", "--jobs", "2", waits="dies")
    assert (folder / "died").exists()
    assert again.replace(b"out", b"whole") == said
    assert written(folder / "out") == written(folder / "whole")
