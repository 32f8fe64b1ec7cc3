"""How fast archives are rewritten, whether memory stays flat, and pages compared with pywb.

    python benchmarks/archive.py [--sizes 100,1000] [--corpus FOLDER] [--pywb PYTHON] [--keep FOLDER]
    python benchmarks/archive.py --unpack [ARCHIVE…] [--rounds 3]
    python benchmarks/archive.py --beside COMMIT [--mix request,response,metadata] [--sizes 48] [--rounds 3]

- A .warc.gz of each size (megabytes, compressed) is made of real pages and of generated modern ones (`modern.py`);
  each record has its own URI and text. `rehref rewrite FILE -o OUT` rewrites it, in a separate process. The benchmark
  prints the time and the peak memory (the largest resident set) of that process.
- warcio reads the output: it must have as many records, and every digest must be right.
- With pywb: rehref and pywb rewrite the same pages, without an archive, one process each, in turns. Both put a
  prefix before every reference. pywb can also rewrite scripts and styles; that is off. pywb needs its own Python
  (`--pywb`), because it installs another brotli.
- `--beside` measures something else: how many records a second this commit and another one read and write
  (`commits.py`).
- `--unpack` measures something else: the processor time of `rehref rewrite --unpack`, compared with that of `rehref
  rewrite` for the same archive; without archives, for a made one of 2.5 MB. The target is three times as much.
"""

from __future__ import annotations

import argparse
import gzip
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import commits
import modern

HERE = Path(__file__).resolve().parent
CORPUS = HERE / "corpora" / "python3.11-doc"
SMALLER = "postgresql-doc-15"
"""A second corpus, with smaller pages."""
MEGABYTE = 1_000_000
REHREF = """
import sys, time, rehref, pickle
pages = pickle.load(sys.stdin.buffer)
rule = rehref.Template("http://localhost:8080/web/20240101000000mp_/{uri}")
began = time.process_time()
for url, page in pages:
    rehref.rewrite(page, rule, url=url)
print(time.process_time() - began)
"""
PYWB = """
import sys, time, pickle
from pywb.rewrite.html_rewriter import HTMLRewriter
from pywb.rewrite.url_rewriter import UrlRewriter
pages = pickle.load(sys.stdin.buffer)
pages = [(url, page.decode("utf-8", "replace")) for url, page in pages]
began = time.process_time()
for url, page in pages:
    rewriter = HTMLRewriter(UrlRewriter("20240101000000mp_/" + url, "http://localhost:8080/web/"))
    rewriter.rewrite(page)
    rewriter.close()
print(time.process_time() - began)
"""


def pages(corpus: Path) -> list[bytes]:
    """Real and generated pages, mixed."""
    real = [file.read_bytes() for file in sorted(corpus.rglob("*.html"))][:600]
    made = list(modern.pages())
    step = max(1, len(real) // max(1, len(made)))
    mixed: list[bytes] = []
    for number, page in enumerate(real):
        mixed.append(page)
        if number % step == 0 and made:
            mixed.append(made.pop())
    return mixed + made


def record(number: int, page: bytes) -> bytes:
    """One response record, as a separate gzip member."""
    uri = f"https://example.org/{number % 97}/{number}/page.html"
    body = page + b"<!-- %d -->" % number
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body)
    head = (
        f"WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{uuid.UUID(int=number)}>\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: {uri}\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(http) + len(body)}\r\n\r\n"
    )
    return gzip.compress(head.encode() + http + body + b"\r\n\r\n", 1, mtime=0)


def make(file: Path, size: int, made_of: list[bytes]) -> int:
    """Write an archive of about `size` bytes; return how many records it has."""
    number = written = 0
    with file.open("wb") as out:
        while written < size:
            data = record(number, made_of[number % len(made_of)])
            out.write(data)
            written += len(data)
            number += 1
    return number


def run(arguments: list[str]) -> tuple[float, int]:
    """Run a command; return the seconds, and its peak memory in bytes."""
    began = time.perf_counter()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise SystemExit(f"{arguments[0]} ended with {child.returncode}")
    return time.perf_counter() - began, usage.ru_maxrss * 1024


def processor_time(arguments: list[str], rounds: int, folder: Path) -> float:
    """The least processor time of rehref with these arguments; `{}` in them becomes a new path in the folder.

    Nothing is deleted meanwhile: for some seconds ext4 avoids the inodes of deleted files, and the time to find others
    counts as that of the program that makes a file.
    """
    times = []
    for _ in range(rounds):
        new = Path(tempfile.mkdtemp(dir=folder), "new")
        child = subprocess.Popen(
            [sys.executable, "-m", "rehref", *(each.format(new) for each in arguments)], stderr=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        times.append(usage.ru_utime + usage.ru_stime)
    return min(times)


def unpacking(archives: list[Path], rounds: int, folder: Path) -> Iterator[str]:
    """Compare unpacking with rewriting. `folder`: where they write."""
    for file in archives:
        unpack = processor_time(["rewrite", "-q", "--unpack", "{}", str(file)], rounds, folder)
        rewrite = processor_time(["rewrite", "-q", "--jobs", "1", str(file), "-o", "{}"], rounds, folder)
        yield f"{file.name}: {unpack:.2f} s, {unpack / rewrite:.1f} times rewriting, {rewrite:.2f} s (target: 3)"


def checked(file: Path) -> int:
    """Count the records of the archive, and check every digest."""
    from warcio.archiveiterator import ArchiveIterator

    with file.open("rb") as stream:
        count = 0
        for each in ArchiveIterator(stream, check_digests="raise"):
            each.content_stream().read()
            count += 1
        return count


def timed(python: str, program: str, given: bytes) -> float:
    """The seconds that a program prints."""
    return float(subprocess.run([python, "-c", program], input=given, capture_output=True, check=True).stdout)


def beside_pywb(python: str, made_of: list[bytes], rounds: int) -> Iterator[str]:
    """Compare the rewriting of pages without an archive."""
    import pickle

    given = pickle.dumps([(f"https://example.org/{n}/page.html", page) for n, page in enumerate(made_of[:200])])
    size = sum(map(len, made_of[:200]))
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(timed(sys.executable, REHREF, given))
        theirs.append(timed(python, PYWB, given))
    ratio = median(there / here for here, there in zip(ours, theirs, strict=True))
    yield f"rehref {size / median(ours) / MEGABYTE:6.1f} MB/s   pywb {size / median(theirs) / MEGABYTE:6.1f} MB/s"
    yield f"{ratio:.1f} times pywb (target: 3)"


def beside_commit(options: argparse.Namespace) -> None:
    """Print the comparison of `--beside`."""
    small = [file.read_bytes() for file in sorted((options.corpus.parent / SMALLER).rglob("*.html"))]
    sources = [pages(options.corpus), *([small] if small else [])]
    with tempfile.TemporaryDirectory() as folder:
        size = int(options.sizes or 48) * MEGABYTE
        rows = []
        for row in commits.beside(options.beside, sources, size, options.mix.split(","), options.rounds, Path(folder)):
            print(row, flush=True)
            rows.append(row)
    if options.json:
        commits.written(rows, options.json)
    if options.strict and any(row.ratio < row.wanted for row in rows):
        raise SystemExit(1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Rewrite archives: time, memory, and pages compared with pywb.")
    parser.add_argument("--sizes", help="megabytes, separated by commas (default 100,1000; with --beside 48)")
    parser.add_argument("--corpus", type=Path, default=CORPUS)
    parser.add_argument("--pywb", metavar="PYTHON", help="a Python that has pywb")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="write the archives to this folder, and keep them")
    parser.add_argument("--beside", metavar="COMMIT", help="compare with this commit instead")
    parser.add_argument("--unpack", metavar="ARCHIVE", nargs="*", type=Path, help="compare unpacking with rewriting")
    parser.add_argument("--mix", default=",".join(commits.MIX), help="the records of each page: also image")
    parser.add_argument("--json", type=Path, metavar="FILE", help="with --beside: also write the figures to this file")
    parser.add_argument("--strict", action="store_true", help="with --beside: exit 1 if a target is missed")
    options = parser.parse_args()
    if options.beside:
        beside_commit(options)
        return
    if options.unpack is not None:
        with tempfile.TemporaryDirectory() as temporary:
            made = Path(temporary, "pages.warc.gz")
            if not options.unpack:
                make(made, 2_500_000, list(modern.pages()))
            for line in unpacking(options.unpack or [made], options.rounds, Path(temporary)):
                print(line, flush=True)
        return
    sizes = options.sizes or "100,1000"
    made_of = pages(options.corpus)
    print(f"{len(made_of)} pages, {sum(map(len, made_of)) / MEGABYTE:.0f} MB")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for size in [int(size) for size in sizes.split(",") if size]:
            source, out = folder / f"pages-{size}.warc.gz", folder / f"pages-{size}-rewritten.warc.gz"
            count = make(source, size * MEGABYTE, made_of)
            seconds, memory = run([sys.executable, "-m", "rehref", "rewrite", "-q", str(source), "-o", str(out)])
            records = checked(out)
            print(
                f"{size:6,} MB, {count:,} records: {seconds:6.1f} s, {size / seconds:5.1f} MB/s compressed, "
                f"peak {memory / MEGABYTE:.0f} MB (target: under 200), {records:,} records read again"
            )
            if not options.keep:
                source.unlink()
                out.unlink()
        if options.pywb:
            for line in beside_pywb(options.pywb, made_of, options.rounds):
                print(line)
        else:
            print("not compared with pywb: --pywb PYTHON names a Python that has it")


if __name__ == "__main__":
    main()
