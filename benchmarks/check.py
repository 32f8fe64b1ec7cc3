"""How long it takes to check a folder, and how much memory, beside lychee and linkchecker.

    python benchmarks/check.py FOLDER… [--rounds N] [--lychee FILE] [--linkchecker FILE] [--growth] [--json FILE]

1. Everyone checks the same files, offline, with fragments, by its command line, as a process of its own, and writes
   what it found as JSON (linkchecker: CSV) to a file. What that is, is not compared here: `scripts/checkers` does so.
2. They take turns; a figure is the median over the rounds, a ratio the median of the ratios within each round. A first
   turn of each, so that the files are in memory, is not counted.
3. The memory is that of all processes together, at its highest: the sum of their proportional set sizes (what is shared
   counts once), looked at every 0.1 s. It is taken in a turn of its own, which is not timed.
4. `--growth`: a tenth of the documents of each folder, copied with all other files, is checked as well. Ten times the
   pages may take eleven times as long.
5. linkchecker is slow: it is asked once, and only if it is named.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

LYCHEE_TARGETS = {"rust-doc": 6.0, "python3.11-doc": 5.0}
_EVERY = 0.1


@dataclass(frozen=True, slots=True)
class Figure:
    """What one candidate took for one folder: seconds, bytes at the highest; and how many times faster rehref is."""

    folder: str
    candidate: str
    seconds: float
    memory: int
    ratio: float


def commands(folder: Path, out: Path, lychee: str | None) -> dict[str, list[str]]:
    """The command lines of those who take turns."""
    found = {
        "rehref": [
            *(sys.executable, "-m", "rehref", "check", str(folder), "--quiet", "--no-progress"),
            *("--format", "json", "-o", str(out / "rehref.json")),
        ]
    }
    if lychee is not None:
        found["lychee"] = [
            *(lychee, "--offline", "--include-fragments", "--no-progress", "--format", "json"),
            *("-o", str(out / "lychee.json"), "--root-dir", str(folder), str(folder)),
        ]
    return found


def run(command: Sequence[str]) -> float:
    """How long a command takes. Whatever it finds, and exits with, is its own affair, unless it could not begin."""
    began = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"{command[0]} exited with {done.returncode}: {done.stderr[-400:].decode(errors='replace')}")
    return time.perf_counter() - began


def memory_of(command: Sequence[str]) -> int:
    """The highest memory of a command and all processes that it begins, in bytes (rule 3)."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    highest = 0
    while process.poll() is None:
        highest = max(highest, sum(map(_size, _family(process.pid))))
        time.sleep(_EVERY)
    return highest


def _family(pid: int) -> Iterator[int]:
    """A process and those below it."""
    yield pid
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = task.read_text().split()
        except OSError:  # it has ended
            continue
        for child in children:
            yield from _family(int(child))


def _size(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def measured(folder: Path, rounds: int, lychee: str | None, linkchecker: str | None, out: Path) -> list[Figure]:
    """The figures for one folder."""
    turns = commands(folder, out, lychee)
    seconds: dict[str, list[float]] = {name: [] for name in turns}
    for number in range(rounds + 1):
        for name, command in turns.items():
            took = run(command)
            if number:
                seconds[name].append(took)
    figures = []
    for name, command in turns.items():
        ratios = [other / own for own, other in zip(seconds["rehref"], seconds[name], strict=True)]
        figures.append(
            Figure(str(folder), name, statistics.median(seconds[name]), memory_of(command), statistics.median(ratios))
        )
    if linkchecker is not None:
        pages = ["-o", "none", "-F", f"csv/{out / 'linkchecker.csv'}", "--no-robots", str(folder / "index.html")]
        took = run([linkchecker, *pages])
        figures.append(Figure(str(folder), "linkchecker", took, 0, took / statistics.median(seconds["rehref"])))
    return figures


def a_tenth(folder: Path, copy: Path) -> Path:
    """A copy of a folder with every tenth of its pages, and all that is no page."""
    number = 0
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        if path.suffix == ".html":
            number += 1
            if number % 10 != 1:
                continue
        target = copy / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    return copy


def growth(folder: Path, rounds: int, out: Path) -> float:
    """How many times as long all pages take as a tenth of them."""
    few = a_tenth(folder, out / "tenth")
    all_of_them = min(run(commands(folder, out, None)["rehref"]) for _ in range(rounds))
    return all_of_them / min(run(commands(few, out, None)["rehref"]) for _ in range(rounds))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lychee", default=shutil.which("lychee"))
    parser.add_argument("--linkchecker")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args()
    figures: list[Figure] = []
    print(f"{os.cpu_count()} cores, Python {sys.version.split()[0]}")
    for folder in given.folders:
        with tempfile.TemporaryDirectory() as out:
            for figure in measured(folder.resolve(), given.rounds, given.lychee, given.linkchecker, Path(out)):
                figures.append(figure)
                memory = f"{figure.memory / 1e6:7.0f} MB" if figure.memory else " " * 10
                print(f"{folder.name:24} {figure.candidate:12} {figure.seconds:8.2f} s {memory} {figure.ratio:6.1f} ×")
            if given.growth:
                times = growth(folder.resolve(), given.rounds, Path(out))
                print(f"{folder.name:24} ten times the pages take {times:.1f} times as long")
        for name, target in LYCHEE_TARGETS.items():
            reached = [figure.ratio for figure in figures if figure.candidate == "lychee" and name in figure.folder]
            if reached and name in str(folder):
                print(f"{folder.name:24} target {target:.0f} ×: {'reached' if reached[-1] >= target else 'missed'}")
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(figure) for figure in figures], indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
