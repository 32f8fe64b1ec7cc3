"""How fast Markdown is rewritten, and its links are listed, compared with parsers alone.

    scripts/bench markdown [FOLDER…] [--rounds N] [--json FILE] [--strict]

- The documents are those below the folders; without one, the pages of this project.
- pyromark is the parser that rehref uses: what it takes alone, with and without places, is the least that is possible.
  markdown-it-py is a parser in Python. Both find no places of destinations, and write nothing.
- Before anything is timed, `Absolute` must hold the law of idempotence on every document.
- The candidates take turns, in a different order in each round. A figure is MB of documents in a second of processor
  time, the median over the rounds.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pyromark
from markdown_it import MarkdownIt

import rehref
from rehref._native import HOW

ROOT = Path(__file__).resolve().parents[1]
URL = "https://example.org/docs/guide/page.md"
OURS, TARGET = "rehref.rewrite", 8.0
"""What must be so fast, in MB a second."""

absolute = partial(rehref.rewrite, rule=rehref.Absolute(), url=URL, media_type="text/markdown")


def documents_of(folders: Sequence[Path]) -> list[bytes]:
    """Return the documents."""
    files = [path for folder in folders for path in sorted(folder.rglob("*.md"))] if folders else []
    files = files or [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    found = [path.read_bytes() for path in files]
    for path, data in zip(files, found, strict=True):
        once = absolute(data)
        if absolute(once) != once:
            sys.exit(f"{path}: a second run changes it")
    return found


def candidates() -> dict[str, Callable[[bytes], object]]:
    """Return what is timed, by name."""
    parser = MarkdownIt()
    return {
        OURS: absolute,
        "rehref.links": partial(rehref.links, url=URL, media_type="text/markdown"),
        "pyromark, places": lambda data: list(pyromark.events_with_range(data.decode("utf-8", "replace"))),
        "pyromark": lambda data: list(pyromark.events(data.decode("utf-8", "replace"))),
        "markdown-it-py": lambda data: parser.parse(data.decode("utf-8", "replace")),
    }


def measured(documents: Sequence[bytes], rounds: int) -> dict[str, float]:
    """Return MB a second by candidate."""
    size, found = sum(map(len, documents)) / 1e6, {name: list[float]() for name in candidates()}
    order, works = list(found), candidates()
    for number in range(rounds):
        random.Random(number).shuffle(order)
        for name in order:
            gc.collect()
            began = time.process_time()
            for document in documents:
                works[name](document)
            found[name].append(size / (time.process_time() - began))
    return {name: statistics.median(speeds) for name, speeds in found.items()}


def main() -> int:
    """Measure, and print the figures. Returns 1 if `--strict` is given and the target is missed."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("folders", nargs="*", type=Path, metavar="FOLDER")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--json", type=Path, metavar="FILE")
    options.add_argument("--strict", action="store_true", help="exit 1 if the target is missed")
    given = options.parse_args()
    documents = documents_of(given.folders)
    found = measured(documents, given.rounds)
    print(f"{len(documents):,} documents, {sum(map(len, documents)) / 1e6:.1f} MB; the twin: {HOW}")
    for name, speed in found.items():
        print(f"{name:<20} {speed:6.1f} MB/s  {speed / found['pyromark, places']:5.2f} of the parser alone")
    print(f"target: {TARGET:g} MB/s for {OURS}: {'met' if found[OURS] >= TARGET else 'MISSED'}")
    if given.json is not None:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if given.strict and found[OURS] < TARGET else 0


if __name__ == "__main__":
    sys.exit(main())
