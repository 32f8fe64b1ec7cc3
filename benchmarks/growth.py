"""Whether the time for hostile markup grows with its size, and no faster.

    scripts/bench growth [--sizes 1,10,100] [--further] [--shape NAME]… [--json FILE] [--strict]

- Each shape is made in each size (in MB, 10^6 bytes), read by `rehref.links` and rewritten by `rehref.rewrite`,
  each in a separate process, which prints its time and peak memory.
- From one size to the next, time may grow `LEEWAY` times as much as the size: 12 times for 10.
- Times are processor time; a short one is the least of several. An apparent miss is measured again. A time below
  `FLOOR` counts as `FLOOR`, because differences between short times are not growth.
- A run ends after twice the allowed time, plus some for the start; larger sizes are then left out. It also ends
  when it needs more memory than `--memory` allows. Either is reported as a miss.
- `--further` adds shapes that make tree construction look through its stack of open elements again and again.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import rehref

URL = "https://www.example.com/folder/page.html"
MEGABYTE = 1_000_000
LEEWAY = 1.2
"""How many times as much as the size the time may grow."""
FLOOR = 0.02
"""Seconds."""
FIRST_LIMIT = 20.0
"""Seconds for the smallest size."""
START = 10.0
"""Seconds for a process to start, to make its document, and to read it several times if that is fast."""

Operation = Callable[[bytes], object]

OPERATIONS: Mapping[str, Operation] = {
    "links": lambda data: rehref.links(data, url=URL),
    "rewrite": lambda data: rehref.rewrite(data, url=URL),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """A document: `unit`, again and again, then `then` as often, between two ends. "{}" in the unit is a number."""

    unit: str
    before: str = ""
    after: str = ""
    then: str = ""

    def document(self, size: int) -> bytes:
        """About `size` bytes of it."""
        numbered = "{}" in self.unit
        count = size // (len(self.unit) + len(self.then) + (4 if numbered else 0))
        units = "".join(map(self.unit.format, range(count))) if numbered else self.unit * count
        return f"{self.before}{units}{self.then * count}{self.after}".encode()


SHAPES: dict[str, Shape] = {
    "<": Shape("<"),
    "unclosed comment": Shape("<!-- x "),
    "<!--": Shape("<!--"),
    "unclosed quotes": Shape('<a href="'),
    "unclosed attributes": Shape("<a href=x "),
    "unclosed values": Shape("<p a="),
    "<a": Shape("<a "),
    "attributes on one tag": Shape(" a{}=x", "<p", " href=x><a href=y>"),
    "hrefs on one tag": Shape(" href=x", "<a", "><a href=y>"),
    "nested div": Shape("<div>", after="<a href=x>"),
    "nested svg": Shape("<svg>", after="<a href=x>"),
    "srcset of commas": Shape(",", '<img srcset="', '">'),
    "url( in style": Shape("url(", "<style>", "</style>"),
    "& in a value": Shape("&", '<a href="', '">'),
    "&amp; in a value": Shape("&amp;", '<a href="', '">'),
}


_NOT_ORDINARY = "<select><select></select>"
"""Shapes that the scanner cannot read without tree construction."""

FURTHER: dict[str, Shape] = {
    "a around blocks": Shape("<a><div>", _NOT_ORDINARY),
    "b around blocks": Shape("<b><div></b>", _NOT_ORDINARY),
    "b around i": Shape("<b><i></b>", _NOT_ORDINARY),
    "nobr around blocks": Shape("<nobr><div>", _NOT_ORDINARY),
    "markers": Shape("<applet><b>", _NOT_ORDINARY),
    "li deep in div": Shape("<div>", _NOT_ORDINARY, then="<li></li>"),
    "table deep down": Shape("<y>", _NOT_ORDINARY, then="<table></table>"),
    "template deep down": Shape("<y>", _NOT_ORDINARY, then="<template></template>"),
    "option deep in select": Shape("<y>", _NOT_ORDINARY + "<select><object>", then="<option></option>"),
    "x out of reach": Shape("<y>", _NOT_ORDINARY + "<x><div>", then="</x>"),
    "p out of scope": Shape("<y>", _NOT_ORDINARY + "<p><button>", then="<div></div>"),
    "b out of scope": Shape("<y>", _NOT_ORDINARY + "<b><object>", then="</b>"),
    "b far from block": Shape("<y>", _NOT_ORDINARY + "<b>", "<div></b>"),
    "div out of svg": Shape("<g>", "<div><svg><desc><svg>", then="</div>"),
}


@dataclass(frozen=True, slots=True)
class Run:
    """One size of one shape, read or rewritten. Without `seconds` it failed, and `failure` says why."""

    megabytes: float
    seconds: float | None
    memory: float | None
    """The peak memory of the process, in MB."""
    growth: float | None = None
    """How many times as long as the previous size."""
    met: bool | None = None
    failure: str = ""


def timed(operation: Operation, data: bytes) -> float:
    """Seconds, the least of several if they are few."""
    best = spent = 0.0
    runs = 0
    while runs == 0 or (spent < 2.0 and runs < 5):
        started = time.process_time()
        operation(data)
        seconds = time.process_time() - started
        best = seconds if runs == 0 else min(best, seconds)
        spent += seconds
        runs += 1
    return best


def child(shape: str, operation: str, size: int, memory: int) -> None:
    """The separate process: prints seconds and MB."""
    if memory:
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    data = (SHAPES | FURTHER)[shape].document(size)
    OPERATIONS[operation](
        b'<img srcset="a, b"><style>url(a)</style><svg><a href="a&amp;">'
    )  # what is computed only once
    seconds = timed(OPERATIONS[operation], data)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([seconds, peak / (MEGABYTE if sys.platform == "darwin" else 1_000)]))


def run(shape: str, operation: str, megabytes: float, limit: float, memory: int) -> Run:
    """Run one in a separate process."""
    size = round(megabytes * MEGABYTE)
    command = [sys.executable, __file__, "--child", shape, operation, str(size), str(memory)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        return Run(megabytes, None, None, met=False, failure=f"not finished in {limit:.0f} s")
    if done.returncode == 0:
        seconds, peak = json.loads(done.stdout)
        return Run(megabytes, seconds, peak)
    last = (done.stderr.strip().splitlines() or [""])[-1]
    failure = f"more than {memory / 1e9:.1f} GB" if "MemoryError" in last or done.returncode < 0 else last
    return Run(megabytes, None, None, met=False, failure=failure)


def runs(shape: str, operation: str, sizes: Sequence[float], memory: int) -> list[Run]:
    """All sizes, the smallest first, until one fails."""
    results: list[Run] = []
    limit = FIRST_LIMIT
    for megabytes in sizes:
        result = run(shape, operation, megabytes, START + limit, memory)
        if results:
            result = grown(results[-1], result)
            if result.seconds is not None and not result.met:
                again = grown(results[-1], run(shape, operation, megabytes, START + limit, memory))
                result = min(result, again, key=lambda run: run.seconds or float("inf"))
        results.append(result)
        if result.seconds is None:
            break
        following = [size for size in sizes if size > megabytes]
        if following:
            limit = 2 * LEEWAY * max(result.seconds, FLOOR) * following[0] / megabytes
    return results


def grown(before: Run, after: Run) -> Run:
    """The later result, with its growth over the earlier one."""
    if before.seconds is None or after.seconds is None:
        return after
    growth = max(after.seconds, FLOOR) / max(before.seconds, FLOOR)
    met = growth <= LEEWAY * after.megabytes / before.megabytes
    return replace(after, growth=round(growth, 2), met=met)


def show(shape: str, operation: str, results: Sequence[Run]) -> None:
    cells = []
    for result in results:
        if result.seconds is None or result.memory is None:
            cells.append(f"{result.megabytes:g} MB: {result.failure}")
            continue
        growth = "" if result.growth is None else f"× {result.growth:.1f}"
        cells.append(f"{result.seconds:>8.3f} s {growth:<7} {result.memory:>7,.0f} MB")
    verdict = "MISSED" if any(result.met is False for result in results) else "met"
    print(f"  {shape:<22} {operation:<8} {' '.join(f'{cell:<28}' for cell in cells)} {verdict}", flush=True)


def available_memory() -> int:
    """Most of the machine's memory, in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * 8 // 10


def main() -> int:
    parser = argparse.ArgumentParser(description="Time hostile markup of growing size.")
    parser.add_argument("--sizes", default="1,10,100", help="in MB, smallest first (default 1,10,100)")
    parser.add_argument("--further", action="store_true", help="also further shapes, for tree construction")
    parser.add_argument("--shape", action="append", choices=[*SHAPES, *FURTHER], metavar="NAME", help="only this shape")
    parser.add_argument(
        "--memory", type=float, metavar="GB", help="for each process (default: most of the machine's memory)"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to this file")
    parser.add_argument("--strict", action="store_true", help="exit 1 if anything is missed")
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        shape, operation, size, limit = options.child
        child(shape, operation, int(size), int(limit))
        return 0

    sizes = sorted(float(size) for size in options.sizes.split(","))
    memory = available_memory() if options.memory is None else int(options.memory * 1e9)
    print(f"Seconds, how many times the last size's (at most {LEEWAY:g} × the growth in size), and memory, for")
    print(f"{', '.join(f'{size:g}' for size in sizes)} MB of:\n")
    report: dict[str, dict[str, list[Run]]] = {}
    for shape in options.shape or (SHAPES | FURTHER if options.further else SHAPES):
        report[shape] = {}
        for operation in OPERATIONS:
            report[shape][operation] = runs(shape, operation, sizes, memory)
            show(shape, operation, report[shape][operation])
    missed = [
        f"{shape} ({operation})"
        for shape, operations in report.items()
        for operation, results in operations.items()
        if any(result.met is False for result in results)
    ]
    print(f"\nMissed: {', '.join(missed)}." if missed else "\nAll met.")
    if options.json:
        as_json = {
            shape: {operation: [asdict(result) for result in results] for operation, results in operations.items()}
            for shape, operations in report.items()
        }
        options.json.write_text(json.dumps(as_json, indent=2) + "\n", encoding="utf-8")
    return 1 if missed and options.strict else 0


if __name__ == "__main__":
    sys.exit(main())
