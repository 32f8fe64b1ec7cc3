"""How fast links to other hosts are checked, compared with lychee; whether limits are kept, and memory stays flat.

    scripts/bench web [--urls N] [--hosts N] [--takes SECONDS] [--interval SECONDS] [--rounds N]
                      [--loop uvloop|asyncio] [--json FILE] [--strict]

- A folder of pages links to `--urls` URLs on `--hosts` hosts, in random order. All hosts are one server on loopback
  (`tests/web/load_server.py`), a separate process that answers each request after `--takes` seconds, and counts.
- rehref and lychee check the folder, in turns, each as a separate process, by its command line, with the same limits
  (50 at a time, 6 at one host, the interval) and the same method (HEAD). Each turn has its own server. A first turn
  with a tenth of the URLs counts only for the memory.
- As the server counts, each URL must be requested exactly once, with no more than 50 requests at a time and 6 at one
  host, and never more to one host in a second than the interval allows. If rehref fails in this, the benchmark ends
  with exit 1. The figures of lychee are printed, too. (The shortest time between the arrivals of two requests may be
  less than the interval, because requests do not take equally long to arrive.)
- Seconds are wall-clock time of whole commands, medians; the ratio is the median of the ratios within each round. If
  other programs are running, the program that computes more loses more. Processor time is that of a command with all
  its processes, the least of all rounds. Without uvloop (`--loop asyncio`) rehref uses asyncio's own event loop.
- The memory is the peak of the command's largest process. With ten times the URLs it may be `FLAT` times
  as much, pages and their links included.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests" / "web"))

from load_server import Counting, counting  # noqa: E402

AT_ONCE = 50
AT_A_HOST = 6
TARGET = 1.0
MOST_CPU = 1.2
"""The most processor time, as a multiple of lychee's."""
FLAT = 1.5
_A_PAGE = 100  # links


@dataclass(frozen=True, slots=True)
class Turn:
    """The figures of one candidate for a number of URLs, and what the server counted meanwhile.

    `memory`: bytes. `cpu`: seconds, of all its processes.
    """

    candidate: str
    urls: int
    seconds: float
    cpu: float
    memory: int
    counted: dict[str, Any]

    def faults(self, options: argparse.Namespace) -> list[str]:
        """What violates the limits, as the server counts."""
        counted = self.counted
        in_a_second = int(1 / options.interval) + 2 if options.interval else self.urls
        found = {
            "not each URL once": not counted["requests"] == counted["urls"] == self.urls,
            f"{counted['most']} at a time": counted["most"] > AT_ONCE,
            f"{counted['most at a host']} at a host": counted["most at a host"] > AT_A_HOST,
            f"{counted['most in a second']} a second at a host": counted["most in a second"] > in_a_second,
        }
        return [fault for fault, is_there in found.items() if is_there]


def commands(folder: Path, options: argparse.Namespace) -> dict[str, list[str]]:
    """The command lines of the programs that take turns."""
    interval, lychee = options.interval, options.lychee
    hides = "sys.modules['uvloop'] = None; " if options.loop == "asyncio" else ""
    program = f"import sys; {hides}from rehref.cli import main; main(sys.argv[1:])"
    limits = ["--max-concurrency", str(AT_ONCE), "--host-concurrency", str(AT_A_HOST)]
    found = {
        "rehref": [
            *(sys.executable, "-c", program, "check", str(folder), "--external", "--allow-private", "--no-cache"),
            *(*limits, "--host-request-interval", f"{interval}s", "--quiet", "--no-progress"),
        ]
    }
    if lychee is not None:
        found["lychee"] = [
            *(lychee, *limits, "--host-request-interval", f"{round(interval * 1000)}ms", "--method", "head"),
            *("--no-progress", "-q", "--format", "json", "-o", os.devnull, str(folder)),
        ]
    return found


def write_pages(folder: Path, server: Counting, urls: int, hosts: int) -> None:
    """Pages with links to this number of URLs, in the same order each time."""
    links = [f'<a href="{server.url(number % hosts, number)}">{number}</a>\n' for number in range(urls)]
    random.Random(15).shuffle(links)
    for start in range(0, urls, _A_PAGE):
        text = "".join(links[start : start + _A_PAGE])
        (folder / f"page{start}.html").write_text(f"<!DOCTYPE html><title>{start}</title>\n{text}", encoding="utf-8")


def turn(candidate: str, urls: int, options: argparse.Namespace) -> Turn:
    """Check all links with one candidate. Ends the benchmark if it fails."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary, "site")
        folder.mkdir()
        with counting(options.takes) as server:
            write_pages(folder, server, urls, options.hosts)
            command = commands(folder, options)[candidate]
            start = time.perf_counter()
            with Path(temporary, "said").open("w+b") as said:
                process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)
                _, status, usage = os.wait4(process.pid, 0)
                seconds = time.perf_counter() - start
                process.returncode = os.waitstatus_to_exitcode(status)
                said.seek(0)
                if process.returncode != 0:
                    raise SystemExit(f"{candidate}: exit {process.returncode}: {said.read().decode()[-1000:]}")
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Turn(candidate, urls, seconds, usage.ru_utime + usage.ru_stime, memory, server.report)


def show(made: Turn, options: argparse.Namespace) -> None:
    """Print the result of a turn."""
    counted = made.counted
    gap = f"{counted['gaps']['0'] * 1000:.0f} ms" if counted["gaps"] else "-"
    print(
        f"{made.candidate:8}{made.urls:7,} URLs {made.seconds:7.2f} s {made.urls / made.seconds:7,.0f}/s "
        f"{made.cpu:6.1f} s cpu {made.memory / 1e6:5,.0f} MB   at once {counted['most']}, "
        f"at a host {counted['most at a host']}, in a second {counted['most in a second']}, shortest gap {gap}"
        f"   {'; '.join(made.faults(options)) or 'all right'}",
        flush=True,
    )


def main() -> int:
    """Measure, and print the figures and whether the targets are met."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=20_000)
    parser.add_argument("--hosts", type=int, default=200)
    parser.add_argument("--takes", type=float, default=0.02, help="seconds until the server answers")
    parser.add_argument("--interval", type=float, default=0.05, help="seconds between requests to one host")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--lychee", help="the program")
    parser.add_argument("--loop", choices=("uvloop", "asyncio"), default="uvloop")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    options = parser.parse_args()
    candidates = list(commands(Path(), options))
    small = {candidate: turn(candidate, options.urls // 10, options) for candidate in candidates}
    for made in small.values():
        show(made, options)
    rounds: list[dict[str, Turn]] = []
    for _ in range(options.rounds):
        rounds.append({candidate: turn(candidate, options.urls, options) for candidate in candidates})
        for made in rounds[-1].values():
            show(made, options)
    met = True
    print()
    for candidate in candidates:
        growth = statistics.median(each[candidate].memory for each in rounds) / small[candidate].memory
        seconds = statistics.median(each[candidate].seconds for each in rounds)
        text = f"{candidate}: {options.urls / seconds:,.0f} URLs/s; {growth:.2f} times the memory for 10 times the URLs"
        if candidate == "rehref":
            met &= growth <= FLAT
            text += f" (at most {FLAT}: {'met' if growth <= FLAT else 'missed'})"
        print(text)
    if "lychee" in candidates:
        ratio = statistics.median(each["lychee"].seconds / each["rehref"].seconds for each in rounds)
        met &= ratio >= TARGET
        says = "met" if ratio >= TARGET else "missed"
        print(f"rehref is {ratio:.2f} times as fast as lychee (at least {TARGET}: {says})")
        cpu = {candidate: min(each[candidate].cpu for each in rounds) for candidate in candidates}
        times = cpu["rehref"] / cpu["lychee"]
        met &= times <= MOST_CPU
        says = "met" if times <= MOST_CPU else "missed"
        print(f"rehref takes {times:.2f} times the processor time of lychee (at most {MOST_CPU}: {says})")
    if options.json:
        turns = [asdict(made) for each in [small, *rounds] for made in each.values()]
        facts = {"python": platform.python_version(), "machine": platform.machine(), "turns": turns, "met": met}
        options.json.write_text(json.dumps(facts, indent=1), encoding="utf-8")
    if any(each["rehref"].faults(options) for each in [small, *rounds]):
        return 1
    return 0 if met or not options.strict else 1


if __name__ == "__main__":
    sys.exit(main())
