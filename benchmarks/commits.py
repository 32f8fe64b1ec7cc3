"""How many records of an archive two commits read and write in a second: what `archive.py --beside COMMIT` prints.

- The other commit is copied from git into a temporary folder, and its compiled twin is built there. This one is the
  working tree, with its twin. The bytecode of both is compiled before, as installers do.
- A .warc.gz is made like those of crawlers: for each page a request, a response and metadata, each a separate record
  and gzip member; responses have digests. `--mix` chooses the records of a page; an `image` is a response of 10 KB
  that rehref does not read.
- `rehref links --format jsonl` and `rehref rewrite` read it, with one process. A figure is the number of records in a
  second of user time of the whole command, the median over the rounds. The peak of memory is the largest of all
  rounds. An archive of one page, which is not measured, comes first, so that both commits have their bytecode.
  A machine may be a fifth slower a minute later, so in each round this commit runs before the other one and after it.
  The ratio is that of the other's time to the mean of these two, the median over the rounds.
- The results of both must be the same, unpacked, and every digest in the output must be right (warcio); otherwise the
  benchmark ends with exit 1.
"""

from __future__ import annotations

import base64
import compileall
import gzip
import hashlib
import io
import json
import os
import random
import subprocess
import sys
import tarfile
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, cycle
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
MIX = ("request", "response", "metadata")
TARGETS = {"links": 6.0, "rewrite": 4.0}
MEGABYTE = 1_000_000


@dataclass(frozen=True, slots=True)
class Row:
    """Records in a second of processor time, their ratio, peak memory in bytes, and the ratio's target."""

    command: str
    before: float
    now: float
    ratio: float
    memory_before: int
    memory_now: int
    wanted: float

    def __str__(self) -> str:
        return (
            f"{self.command:8} {self.before:8,.0f} {self.now:8,.0f} records a second, {self.ratio:.1f} times as many "
            f"(target: {self.wanted:g}); peak {self.memory_before / MEGABYTE:.0f} and "
            f"{self.memory_now / MEGABYTE:.0f} MB"
        )


# --- the archive


def _digest(data: bytes) -> str:
    return "sha1:" + base64.b32encode(hashlib.sha1(data, usedforsecurity=False).digest()).decode()


def _record(kind: str, number: int, uri: str, media_type: str, block: bytes, digests: Sequence[str] = ()) -> bytes:
    lines = (
        "WARC/1.1",
        f"WARC-Type: {kind}",
        f"WARC-Record-ID: <urn:uuid:{uuid.UUID(int=number)}>",
        "WARC-Date: 2026-01-01T00:00:00Z",
        f"WARC-Target-URI: {uri}",
        *digests,
        f"Content-Type: {media_type}",
        f"Content-Length: {len(block)}",
    )
    head = "".join(f"{line}\r\n" for line in lines) + "\r\n"
    return gzip.compress(head.encode() + block + b"\r\n\r\n", 6, mtime=0)


def _answer(number: int, uri: str, media_type: str, body: bytes) -> bytes:
    http = f"HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nServer: x\r\nContent-Length: {len(body)}\r\n\r\n"
    block = http.encode() + body
    digests = (f"WARC-Block-Digest: {_digest(block)}", f"WARC-Payload-Digest: {_digest(body)}")
    return _record("response", number, uri, "application/http; msgtype=response", block, digests)


def _of_page(number: int, page: bytes, mix: Sequence[str]) -> Iterator[bytes]:
    """The records of one page."""
    uri = f"https://example.org/{number % 97}/{number}/page.html"
    for at, kind in enumerate(mix):
        id_ = number * len(mix) + at
        if kind == "request":
            asked = b"GET /%d/page.html HTTP/1.1\r\nHost: example.org\r\nUser-Agent: x\r\n\r\n" % number
            yield _record("request", id_, uri, "application/http; msgtype=request", asked)
        elif kind == "response":
            yield _answer(id_, uri, "text/html; charset=utf-8", page + b"<!-- %d -->" % number)
        elif kind == "metadata":
            yield _record("metadata", id_, uri, "application/warc-fields", b"fetchTimeMs: 12\r\n")
        elif kind == "image":
            yield _answer(id_, f"{uri}.png", "image/png", random.Random(number).randbytes(10_000))
        else:
            raise SystemExit(f"--mix: there is no {kind!r}; there are request, response, metadata and image")


def make_crawl(file: Path, size: int, sources: Sequence[Sequence[bytes]], mix: Sequence[str] = MIX) -> int:
    """Write an archive of about `size` bytes, with pages from `sources` in turn; return how many records it has."""
    records = written = 0
    pages = chain.from_iterable(zip(*map(cycle, sources), strict=True))
    with file.open("wb") as out:
        for number, page in enumerate(pages):
            for data in _of_page(number, page, mix):
                written += out.write(data)
                records += 1
            if written >= size:
                break
    return records


# --- the commits


def compiled(modules: Path) -> Path:
    """The same modules, with bytecode beside them, as after an installation."""
    compileall.compile_dir(modules, quiet=1)
    return modules


def taken_from_git(commit: str, folder: Path) -> Path:
    """Put the commit's files into a folder, and build its twin; return the folder of its modules."""
    packed = subprocess.run(["git", "-C", ROOT, "archive", commit], check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as files:
        files.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else files.extractall(folder)
    build = [sys.executable, "setup.py", "--quiet", "build_ext", "--inplace"]
    subprocess.run(build, cwd=folder, check=True, env={**os.environ, "REHREF_NATIVE": "require"}, stdout=sys.stderr)
    return folder / "src"


# a small process runs the command: a process begun by a large one starts with its memory
RUN = """
import os, subprocess, sys
child = subprocess.Popen([sys.executable, "-m", "rehref", *sys.argv[1:]])
_, status, usage = os.wait4(child.pid, 0)
print(usage.ru_utime, usage.ru_maxrss * 1024, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status))
"""


def run(modules: Path, arguments: Sequence[str], out: Path, byte_code: Path) -> tuple[float, int]:
    """Run the `rehref` of these modules; return seconds of user time, and peak memory in bytes.

    `byte_code`: the folder with their bytecode.
    """
    environment = {**os.environ, "PYTHONPATH": str(modules), "PYTHONPYCACHEPREFIX": str(byte_code)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with out.open("wb") as stream:
        ran = subprocess.run(
            [sys.executable, "-c", RUN, *arguments], stdout=stream, stderr=subprocess.PIPE, env=environment
        )
    if ran.returncode != 0:
        raise SystemExit(f"rehref {arguments[0]} of {modules} ended with {ran.returncode}: {ran.stderr.decode()}")
    seconds, memory = ran.stderr.split()[-2:]
    return float(seconds), int(memory)


def check_sum(file: Path) -> str:
    """The checksum of the content of a file, unpacked if it is gzipped."""
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]


def measured(
    command: str, archives: Sequence[Path], records: int, sides: Sequence[Path], rounds: int, folder: Path
) -> Row:
    """Measure a command of both commits. `archives`: one of one page, and the measured one."""
    outputs = [folder / f"{command}-{number}.{'warc.gz' if command == 'rewrite' else 'jsonl'}" for number in (0, 1)]
    memory = [0, 0]

    def seconds(side: int, archive: Path) -> float:
        to = ["-o", str(outputs[side])] if command == "rewrite" else ["--format", "jsonl"]
        shown = Path(os.devnull) if command == "rewrite" else outputs[side]
        arguments = [command, "-q", str(archive), "--jobs", "1", *to]
        took, peak = run(sides[side], arguments, shown, folder / "byte-code")
        memory[side] = max(memory[side], peak)
        return took

    for side in (0, 1):
        seconds(side, archives[0])
    times = [tuple(seconds(side, archives[1]) for side in (1, 0, 1)) for _ in range(rounds)]
    if check_sum(outputs[0]) != check_sum(outputs[1]):
        raise SystemExit(f"rehref {command}: the two commits give different results")
    before = records / median(other for _, other, _ in times)
    now = records / median([each for first, _, last in times for each in (first, last)])
    ratio = median(2 * other / (first + last) for first, other, last in times)
    return Row(command, before, now, ratio, *memory, TARGETS[command])


def beside(
    commit: str, sources: Sequence[Sequence[bytes]], size: int, mix: Sequence[str], rounds: int, folder: Path
) -> Iterator[Row]:
    """Measure this commit beside another one, in an archive of about `size` bytes. Raises SystemExit."""
    from archive import checked

    small, archive = folder / "one-page.warc.gz", folder / "crawl.warc.gz"
    make_crawl(small, 1, sources, mix)
    records = make_crawl(archive, size, sources, mix)
    print(f"{archive.stat().st_size / MEGABYTE:.0f} MB, {records:,} records ({', '.join(mix)}); compared with {commit}")
    (folder / "other").mkdir()
    sides = (compiled(taken_from_git(commit, folder / "other")), compiled(ROOT / "src"))
    for command in TARGETS:
        yield measured(command, (small, archive), records, sides, rounds, folder)
    again = checked(folder / "rewrite-1.warc.gz")
    print(f"{again:,} written records read again, every digest right")


def written(rows: Sequence[Row], file: Path) -> None:
    """Write the figures to a file as JSON."""
    file.write_text(json.dumps([asdict(row) for row in rows], indent=2) + "\n", "utf-8")
