"""Memory of the processes that work on a collection: it does not grow with the size of an archive; for a large page, it
is little more than the page.
"""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from pathlib import Path

import pytest

from crawl import crawl, http, record, response
from patience import PATIENCE
from rehref._native import TWIN

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the peak of a process is in kilobytes there")

MEGABYTE = 1 << 20
PROGRAM = """
import functools, resource, subprocess, sys
from rehref.cli import main
from rehref.cli._commands.rewrite import command
from rehref.archives import many_files as running
running.links_into = functools.partial(running.links_into, size=2 << 20)
command.rewrite_many = functools.partial(command.rewrite_many, size=2 << 20)
if sys.argv[1] == "work":
    main(sys.argv[2:])
else:
    subprocess.run([sys.executable, "-c", sys.orig_argv[2], "work", *sys.argv[1:]], check=True)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""
COMMANDS = {
    "jsonl": ("links", "--format", "jsonl"),
    "parquet": ("links", "--format", "parquet"),
    "rewrite": ("rewrite",),
}


def archive(file: Path, megabytes: int, *, large: bool) -> None:
    """An archive of pages; `large`: with a record of 200 MB that is not a document."""
    noise = random.Random(1)
    pages = [f"<a href=a{n}>{noise.randbytes(MEGABYTE // 8).hex()}" for n in range(4 * megabytes)]
    records = [response(f"https://h.example/{n}", page, number=n) for n, page in enumerate(pages)]
    if large:
        block = http(noise.randbytes(MEGABYTE) * 200, "video/mp4")
        video = record("response", "https://h.example/v", block, number=99_999, Content_Type="application/http")
        records.insert(len(records) // 2, video)
    file.write_bytes(crawl(records))


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_memory_does_not_grow_with_an_archive(tmp_path: Path, name: str) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    peaks = []
    for number, (megabytes, large) in enumerate(((6, False), (48, True))):
        archive(tmp_path / f"{number}.warc.gz", megabytes, large=large)
        more = [f"{number}.warc.gz", "-o", f"out{number}/", "--jobs", "2", "--quiet"]
        command = [sys.executable, "-c", PROGRAM, *COMMANDS[name], *more]
        ran = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, check=True, timeout=PATIENCE)
        peaks.append(int(ran.stdout))
    small, large_one = peaks
    assert large_one < 300 * MEGABYTE
    assert large_one < small + 64 * MEGABYTE


ONE_COMMAND = """
import resource, subprocess, sys
with open("stdout", "wb") as out:
    subprocess.run([sys.executable, "-m", "rehref", *sys.argv[1:]], stdout=out, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
"""
PARAGRAPH = "<p>" + "lorem ipsum dolor sit amet " * 8 + '<a href="page{}.html">next</a></p>\n'
ON_ONE_PAGE = {
    "jsonl": ("links", "--format", "jsonl"),
    "jsonl-among-others": ("links", "--format", "jsonl", *(f"small{n}.html" for n in range(30))),
    "jsonl-folder": ("links", "--format", "jsonl", "-o", "out"),
    "parquet": ("links", "--format", "parquet", "-o", "out"),
    "rewrite": ("rewrite", "--url", "https://h.example/"),
    "rewrite-folder": ("rewrite", "--url", "https://h.example/", "-o", "out/"),
}


@pytest.mark.slow
@pytest.mark.parametrize("packed", [False, True], ids=["file", "archive"])
@pytest.mark.parametrize("name", ON_ONE_PAGE)
def test_memory_for_a_large_page_is_little_more_than_the_page(tmp_path: Path, name: str, packed: bool) -> None:
    if TWIN is None:
        pytest.skip("without the compiled twin it takes more")
    if name == "parquet":
        pytest.importorskip("pyarrow")
    page = "".join(PARAGRAPH.format(number) for number in range(400_000)).encode()
    assert 90 * MEGABYTE < len(page) < 100 * MEGABYTE
    source = tmp_path / ("page.warc.gz" if packed else "page.html")
    if packed:
        # two of them: the first one is not kept while the second is read
        source.write_bytes(b"".join(response(f"https://h.example/{n}/", page, number=n) for n in range(2)))
    else:
        source.write_bytes(page)
    for number in range(30):
        (tmp_path / f"small{number}.html").write_bytes(b"<a href=x>")
    jobs = "2" if name == "jsonl-among-others" else "1"
    command = [sys.executable, "-c", ONE_COMMAND, *ON_ONE_PAGE[name], source.name, "--jobs", jobs, "--quiet"]
    ran = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, check=True, timeout=PATIENCE)
    room = (150 if name == "parquet" else 84) * MEGABYTE  # the table of its references takes 24 of them
    assert int(ran.stdout) < len(page) + room
    if name == "parquet":
        return
    made = [tmp_path / "stdout", *(path for path in (tmp_path / "out").glob("*") if path.is_file())]
    contents = [path.read_bytes() for path in made]
    plain = b"".join(gzip.decompress(each) if each.startswith(b"\x1f\x8b") else each for each in contents)
    assert plain.count(b"/page399999.html") == 1 + packed
