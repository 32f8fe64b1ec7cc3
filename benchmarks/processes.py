"""Measures the processes of a command: user time and memory of each.

- The processes are the command, and all descendants of it and of other given processes (those of a cluster). Each is
  read every quarter of a second (`/proc`), so the last moments of a process may be missing.
- The memory of a process is its largest resident set (`VmHWM`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

EVERY = 0.25
_TICKS = os.sysconf("SC_CLK_TCK")


class Process(NamedTuple):
    """The program of a process (`java`, `python3.11`), its seconds of user time, and its peak memory in bytes."""

    program: str
    user: float
    peak: int


class Run(NamedTuple):
    """Seconds of wall-clock time; the command's first process, and the others."""

    clock: float
    first: Process
    others: Sequence[Process]

    def of(self, program: str) -> list[Process]:
        """The other processes of a program, those with the most user time first."""
        found = [each for each in self.others if each.program.startswith(program)]
        return sorted(found, key=lambda each: -each.user)

    @property
    def user(self) -> float:
        """Seconds of user time of all processes."""
        return self.first.user + sum(each.user for each in self.others)


def run(arguments: Sequence[str], environment: Mapping[str, str] | None = None, roots: Iterable[int] = ()) -> Run:
    """Run a command, with its output on standard error. Raises SystemExit if it fails. `roots`: others."""
    began = time.perf_counter()
    child = subprocess.Popen(arguments, env=environment, stdout=sys.stderr)
    known: dict[tuple[int, str], Process] = {}
    above = {child.pid, *roots}
    before = set(_table(set(roots), set()))
    followed: set[int] = set()
    while child.poll() is None:
        table = _table(above, followed)
        followed = {process for process, _ in table}
        known |= table
        time.sleep(EVERY)
    clock = time.perf_counter() - began
    if child.returncode:
        raise SystemExit(f"{' '.join(arguments[:5])} … ended with {child.returncode}")
    (first,) = [process for (number, _), process in known.items() if number == child.pid]
    others = [process for key, process in known.items() if key[0] != child.pid and key not in before]
    return Run(clock, first, others)


def _table(roots: set[int], followed: set[int]) -> dict[tuple[int, str], Process]:
    """These processes and their descendants, by number and start time."""
    parents: dict[int, int] = {}
    stats: dict[int, list[str]] = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            try:
                stats[int(each.name)] = fields = (each / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue  # it has ended
            parents[int(each.name)] = int(fields[1])
    found = {}
    for number, fields in stats.items():
        above = number
        while above not in roots and above not in followed and above in parents:
            above = parents[above]
        if above in parents:
            try:
                found[number, fields[19]] = _process(number, fields)
            except (OSError, ValueError):
                continue
    return found


def _process(number: int, fields: Sequence[str]) -> Process:
    """The figures of a process; `fields`: of its `stat`, from the state on. Raises ValueError if it has ended."""
    folder = Path("/proc", str(number))
    memory = [line for line in (folder / "status").read_text().splitlines() if line.startswith("VmHWM")]
    if not memory:
        raise ValueError(number)
    program = (folder / "exe").readlink().name
    return Process(program, int(fields[11]) / _TICKS, int(memory[0].split()[1]) * 1024)
