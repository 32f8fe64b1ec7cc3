"""How much time and memory it takes to check a folder, compared with lychee and linkchecker.

    python benchmarks/check.py FOLDER… [--rounds N] [--lychee FILE] [--linkchecker FILE] [--growth] [--json FILE]

- All programs check the same files, offline, with fragments, by their command lines, as separate processes, and write
  the findings as JSON (linkchecker: CSV) to a file. `scripts/checkers` compares the findings; this benchmark does not.
  Python may keep compiled modules, as it does for installed packages.
- They take turns; a figure is the median over the rounds, a ratio the median of the ratios within each round. A first
  turn of each, which reads the files into memory, is not counted. The targets are for wall-clock time; if other
  programs are running, the processor time of all processes is more reliable.
- The memory is the peak of all processes together: the sum of their proportional set sizes (shared memory
  counts once), measured every 0.1 s. It is measured in a separate turn, which is not timed.
- `--growth` also checks a folder with one copy of each folder, and one with ten. Ten times the pages may
  take eleven times as long.
- linkchecker is slow: it runs once, and only if it is named, and is ended when it has taken `PATIENCE` times as long
  as rehref. Its ratio is then at least that.
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
from typing import NamedTuple

LYCHEE_TARGETS = {"rust-doc": 12.0, "python3.11-doc": 10.0}
MEMORY_TARGET = 0.5
LINKCHECKER_TARGET = 20.0
GROWTH_TARGET = 11.0
PATIENCE = 25.0
_EVERY = 0.1


@dataclass(frozen=True, slots=True)
class Figure:
    """One candidate and folder: seconds, peak memory in bytes, and how many times faster rehref is.

    `cpu`, `cpu_ratio`: the same for the processor time of all processes. `ended`: whether it ended by itself.
    """

    folder: str
    candidate: str
    seconds: float
    memory: int
    ratio: float
    cpu: float = 0.0
    cpu_ratio: float = 0.0
    ended: bool = True


def commands(folder: Path, out: Path, lychee: str | None) -> dict[str, list[str]]:
    """The command lines of the programs that take turns."""
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


class Took(NamedTuple):
    """The time of a command, and the processor time of all its processes."""

    seconds: float
    cpu: float


def run(command: Sequence[str], limit: float | None = None) -> Took:
    """Run a command, and return its time. Findings and exit codes do not matter, unless it could not start.

    Raises `subprocess.TimeoutExpired` if it takes longer than `limit` seconds.
    """
    began, before = time.perf_counter(), _cpu()
    done = subprocess.run(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, env=_environment(), timeout=limit
    )
    if done.returncode not in (0, 1, 2):
        raise SystemExit(f"{command[0]} exited with {done.returncode}: {done.stderr[-400:].decode(errors='replace')}")
    return Took(time.perf_counter() - began, _cpu() - before)


def _cpu() -> float:
    """The processor time of all processes that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def _environment() -> dict[str, str]:
    """The environment of all programs."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def memory_of(command: Sequence[str]) -> int:
    """The peak memory of a command and all its processes, in bytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=_environment())
    highest = 0
    while process.poll() is None:
        highest = max(highest, sum(map(_size, _family(process.pid))))
        time.sleep(_EVERY)
    return highest


def _family(pid: int) -> Iterator[int]:
    """A process and its descendants."""
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
    taken: dict[str, list[Took]] = {name: [] for name in turns}
    for number in range(rounds + 1):
        for name, command in turns.items():
            took = run(command)
            if number:
                taken[name].append(took)
    figures = []
    for name, command in turns.items():
        pairs = list(zip(taken["rehref"], taken[name], strict=True))
        figures.append(
            Figure(
                str(folder),
                name,
                statistics.median(took.seconds for took in taken[name]),
                memory_of(command),
                statistics.median(other.seconds / own.seconds for own, other in pairs),
                statistics.median(took.cpu for took in taken[name]),
                statistics.median(other.cpu / own.cpu for own, other in pairs),
            )
        )
    if linkchecker is not None:
        own = statistics.median(took.seconds for took in taken["rehref"])
        took, ended = _by_linkchecker(linkchecker, folder, out, own * PATIENCE)
        figures.append(Figure(str(folder), "linkchecker", took, 0, took / own, ended=ended))
    return figures


def _by_linkchecker(linkchecker: str, folder: Path, out: Path, limit: float) -> tuple[float, bool]:
    """The time of linkchecker, and whether it ended by itself."""
    config = out / "linkcheckerrc"
    config.write_text("[AnchorCheck]\n", encoding="ascii")
    for path in (out, config):
        path.chmod(0o755)  # it changes to another user if root runs it
    first = min(folder.rglob("index.html"), key=lambda path: len(path.parts))
    try:
        return run(
            [linkchecker, "--config", str(config), "--no-robots", "--no-status", "-o", "csv", str(first)], limit
        ).seconds, True
    except subprocess.TimeoutExpired:
        return limit, False


def copies(folder: Path, number: int, below: Path) -> Path:
    """Copy a folder several times into another one, each copy into a separate folder."""
    for copy in range(number):
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                target = below / str(copy) / path.relative_to(folder)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    return below


def growth(folder: Path, rounds: int, out: Path) -> float:
    """How many times as long ten copies of a folder take as one: the median of the ratios within each round."""
    one, ten = (commands(copies(folder, number, out / str(number)), out, None)["rehref"] for number in (1, 10))
    run(one), run(ten)  # warm up
    return statistics.median(run(ten).seconds / run(one).seconds for _ in range(rounds))


def judge(figures: Sequence[Figure]) -> None:
    """Print whether the targets for one folder are met."""
    memory = {figure.candidate: figure.memory for figure in figures}
    for figure in figures:
        target = LINKCHECKER_TARGET if figure.candidate == "linkchecker" else None
        if figure.candidate == "lychee":
            target = next((least for name, least in LYCHEE_TARGETS.items() if name in figure.folder), None)
            share = memory["rehref"] / figure.memory
            verdict = "met" if share <= MEMORY_TARGET else "MISSED"
            print(f"{'':24} {share:.2f} × the memory of {figure.candidate}, ≤ {MEMORY_TARGET:g}: {verdict}")
        if target is not None:
            print(f"{'':24} {target:g} × {figure.candidate}: {'met' if figure.ratio >= target else 'MISSED'}")


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
                least = "" if figure.ended else " at least: it was ended"
                cpu = f"  (cpu {figure.cpu:.2f} s, {figure.cpu_ratio:.1f} ×)" if figure.cpu else ""
                times = f"{figure.ratio:6.1f} ×{least}{cpu}"
                print(f"{folder.name:24} {figure.candidate:12} {figure.seconds:8.2f} s {memory} {times}", flush=True)
            if given.growth:
                grown = growth(folder.resolve(), given.rounds, Path(out))
                verdict = "met" if grown <= GROWTH_TARGET else "MISSED"
                print(f"{'':24} ten times the pages take {grown:.1f} times as long, ≤ {GROWTH_TARGET:g}: {verdict}")
        judge([figure for figure in figures if figure.folder == str(folder.resolve())])
    if given.json is not None:
        given.json.write_text(json.dumps([asdict(figure) for figure in figures], indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
