"""Compares rehref with what generated archives mean, and with pywb: `scripts/fuzz archives` runs it.

An archive is unpacked: each URI shows the capture that a browser would have seen. It is rewritten: each capture has the
page that `rehref.rewrite` makes for its URI, and pywb replays these pages. `REHREF_PYWB` names a Python that has pywb;
without it, that part is skipped.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from click.testing import CliRunner
from warcio.archiveiterator import ArchiveIterator

import rehref
from containers.made_archives import MadeArchive, Payload, made_archive
from rehref.archives.saved_captures import read_captures
from rehref.cli.program import program

BATCH = 20
"""Archives that pywb replays at once."""
REPLAY = Path(__file__).with_name("replay_by_pywb.py")


class Replayed(NamedTuple):
    """What is asked of pywb: an archive, and the page that it should replay for each URI."""

    path: Path
    expected: dict[str, bytes]


def page(payload: Payload, uri: str) -> bytes:
    """A page with absolute references."""
    return rehref.rewrite(payload.data, url=uri, media_type="text/html", encoding=payload.charset or None)


def differences(made: MadeArchive, folder: Path) -> Iterator[str]:
    """Compare an archive, unpacked and rewritten, with what it means; the new one is `out.warc.gz` in the folder."""
    source = folder / "in.warc.gz"
    source.write_bytes(made.data)
    yield from _unpacked(made, source, folder / "copy")
    result = CliRunner().invoke(program, ["rewrite", "-q", str(source), "-o", str(folder / "out.warc.gz")])
    assert result.exit_code == 0, result.output
    bodies = _bodies((folder / "out.warc.gz").read_bytes())
    for each in made.captures:
        body = bodies.get(each.number)
        if body is not None and each.method != "HEAD" and body != page(each.payload, each.uri):
            yield f"record {each.number} of {each.uri} has {body!r}, not {page(each.payload, each.uri)!r}"


def _unpacked(made: MadeArchive, source: Path, copy: Path) -> Iterator[str]:
    result = CliRunner().invoke(program, ["rewrite", "-q", "--unpack", str(copy), str(source)])
    assert result.exit_code == 0, result.output
    saved = {entry.uri: (copy / entry.path).read_bytes() for entry in read_captures(copy)}
    for uri in made.uris:
        shown = made.shown(uri)
        number = None if shown is None else shown.payload.data.partition(b"<a")[0]
        if (number is None) != (uri not in saved):
            yield f"{uri} is {'not ' if uri not in saved else ''}saved"
        elif number is not None and number not in saved[uri]:
            yield f"{uri} shows {saved[uri]!r}, not {number!r}"


def _bodies(data: bytes) -> dict[int, bytes]:
    """The bodies of responses, by the numbers of their records."""
    found: dict[int, bytes] = {}
    for each in ArchiveIterator(io.BytesIO(data)):
        if each.rec_type == "response":
            found[int(each.rec_headers.get_header("WARC-Record-ID")[-13:-1], 16)] = each.content_stream().read()
    return found


def expected_of(made: MadeArchive, *, rewritten: bool) -> dict[str, bytes]:
    """What pywb should replay: the last answer to a GET of each URI."""
    found = {}
    for uri in made.uris:
        shown = made.shown(uri)
        if shown is not None and shown.method == "GET":
            found[uri] = page(shown.payload, uri) if rewritten else shown.payload.data
    return found


def python_with_pywb() -> str | None:
    """A Python that has pywb; None if there is none."""
    return os.environ.get("REHREF_PYWB") or (sys.executable if find_spec("pywb") else None)


def replay_differences(python: str, asked: Sequence[Replayed]) -> Iterator[tuple[Path, str]]:
    """Compare what pywb replays with what it should."""
    for each in asked:
        Path(f"{each.path}.uris").write_text("\n".join(each.expected), "utf-8")
    command = [python, str(REPLAY), *(str(each.path) for each in asked)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if len(lines) != len(asked):
        yield asked[0].path, f"pywb failed: {done.stderr.strip().splitlines()[-1:]}"
        return
    for each, line in zip(asked, lines, strict=True):
        found: dict[str, Any] = json.loads(line)
        for uri, body in each.expected.items():
            answer = found[uri] and found[uri][1].encode("latin-1")
            if answer != body:
                yield each.path, f"pywb replays {answer!r} for {uri}, not {body!r}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run until the time is over, or for some cases; 1 on a difference."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz archives")
    parser.add_argument("seconds", nargs="?", type=float, default=60)
    parser.add_argument("--cases", type=int)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args(arguments)
    python = python_with_pywb()
    if python is None:
        print("pywb is not installed, and REHREF_PYWB names no Python that has it: what it replays is not compared.")
    ends = time.monotonic() + given.seconds
    cases = replayed = 0
    while cases < given.cases if given.cases else time.monotonic() < ends:
        with tempfile.TemporaryDirectory() as name:
            asked: list[Replayed] = []
            for _ in range(BATCH):
                folder = Path(name, str(cases))
                folder.mkdir()
                made = made_archive(Random(f"{given.seed} {cases}"))
                for difference in differences(made, folder):
                    print(f"archive {cases} of seed {given.seed}: {difference}")
                    return 1
                if made.is_known:
                    asked.append(Replayed(folder / "in.warc.gz", expected_of(made, rewritten=False)))
                    asked.append(Replayed(folder / "out.warc.gz", expected_of(made, rewritten=True)))
                cases += 1
            if python is not None and asked:
                for path, difference in replay_differences(python, asked):
                    print(f"archive {path.parent.name} of seed {given.seed}, {path.name}: {difference}")
                    return 1
                replayed += len(asked)
    print(f"{cases:,} archives without a difference; pywb replayed {replayed:,}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
