"""Compares the compiled twin with the reference on generated documents: `scripts/fuzz native` runs it.

- Cases come in batches. Batch `b` of seed `s` is always the same, whoever runs it: processes change the speed only.
- It ends when the time is over or there were as many cases as asked for; with 1 on the first difference, of which it
  prints the shortest document that it finds. A process that dies or hangs in a batch is a difference, too.
- What the twin made by itself is counted, so that everyone sees that something was compared.
"""

from __future__ import annotations

import argparse
import faulthandler
import gc
import os
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import rehref
from native.comparing import BoundResolver, Coverage, Difference, Sample, Setting, differs, shortened
from native.generating import URLS, sheet, texts
from native.generating_xml import xml_texts
from rehref._native import TWIN
from rehref.documents.options import ReadOptions
from rehref.rewriting.rule import DocumentRule, Rule
from rehref.text.encoding import Source
from rehref.uri.resolver import Profile

BATCH = 250
"""Documents in a batch."""
HANGS = 300
"""Seconds after which a batch that takes a second or two will not end."""
SELECTIONS = (
    ReadOptions(),
    ReadOptions(),
    ReadOptions(scripting=True, conditional_comments=True, attributes=("data-src", "img@class")),
)
ENCODINGS = (*("utf-8",) * 10, None, None, "windows-1252", "windows-1252", "shift_jis", "gb18030", "euc-kr", "utf-16le")
PROFILES: tuple[Profile, ...] = (*("rfc3986",) * 16, *("rfc3986-compat",) * 4, "whatwg", "rfc2396")
RULES: Sequence[tuple[Rule | DocumentRule, bool]] = (
    (rehref.Absolute(), False),
    (rehref.Absolute(same_document=True), False),
    (rehref.Absolute("keep", file_urls=True), False),
    (rehref.Absolute("keep", same_document=True, metadata=True), False),
)
"""Rules of which the twin does the most by itself, and whether all is percent-encoded besides."""
OTHER_RULES: Sequence[tuple[Rule | DocumentRule, bool]] = (
    (rehref.Absolute(same_document=True, base_element="drop"), False),
    (rehref.Absolute("empty", metadata=True), False),
    (rehref.Relative(), False),
    (rehref.Relative(metadata=True), False),
    (rehref.Template("https://replay.example/{modifier}/{uri}"), False),
    (rehref.Template("https://replay.example/1/{uri}"), False),
    (rehref.Template("https://h.example/{uri}"), True),
    (rehref.Mapping({"http://h.example/*": "https://new.example/*", "https://h.example/a*": "n:*"}), False),
    (
        rehref.Mapping({"HTTP://h.example:80/%61/*": "m:*", "https://h.example/x": "x", "https://i.example*": "o:*"}),
        False,
    ),
    (rehref.Absolute(), True),
)


class Found(NamedTuple):
    """What came of a batch."""

    coverage: Coverage
    difference: str | None
    """For people."""


def samples(chance: Random) -> Iterator[Sample]:
    """Documents without end, and how they are read."""
    in_html, in_xml = texts(chance), xml_texts(chance)
    while True:
        is_xml = chance.random() < 0.2
        yield Sample(
            _source(chance, next(in_xml if is_xml else in_html)),
            chance.choice(SELECTIONS),
            [_setting(chance) for _ in range(3)],
            chance.random() < 0.02 and not is_xml,
            chance.random() < 0.01,
            chance.random() < 0.02,
            _source(chance, sheet(chance)).data if chance.random() < 0.1 else None,
            is_xml,
        )


def _source(chance: Random, text: str) -> Source:
    encoding = chance.choice(ENCODINGS)
    if encoding is None:
        return Source(text)
    data = text.encode(encoding, "replace")
    how = chance.random()
    if how < 0.05 and data:
        at = int(chance.random() * len(data))
        data = data[:at] + bytes((int(chance.random() * 256),)) + data[at + 1 :]
    elif how < 0.1 and encoding == "utf-8":
        return Source(b"\xef\xbb\xbf" + data, encoding, 3)
    return Source(data, encoding)


def _setting(chance: Random) -> Setting:
    odd = chance.random()
    against = BoundResolver(
        chance.choice(URLS),
        chance.choice(("http://e.example/f/", "g/")) if odd < 0.05 else None,
        chance.choice(PROFILES),
        0.05 < odd < 0.1,
        0.1 < odd < 0.15,
        0.15 < odd < 0.3,
    )
    return Setting(against, (*RULES, chance.choice(OTHER_RULES)) if chance.random() < 0.5 else RULES)


def run(seed: int, batch: int, *, show: bool = False) -> Found:
    """Compare a batch, up to the first difference."""
    faulthandler.dump_traceback_later(HANGS, exit=True, file=sys.__stderr__)
    coverage = Coverage()
    for number, sample in enumerate(islice(samples(Random(f"{seed}-{batch}")), BATCH)):
        if show:
            print(number, sample, flush=True)
        difference = differs(sample, coverage)
        if difference is not None:
            faulthandler.cancel_dump_traceback_later()
            return Found(coverage, _report(seed, batch, sample, difference))
    faulthandler.cancel_dump_traceback_later()
    gc.collect()
    return Found(coverage, None)


def _report(seed: int, batch: int, sample: Sample, difference: Difference) -> str:
    """What differs, in the shortest document that shows it."""

    short, shown = shortened(sample, difference.what)
    return (
        f"The twins differ in {shown.what} (--seed {seed} --batch {batch}):\n"
        f"  {short}\n  with the twin: {shown.by_twin}\n  without:       {shown.without}"
    )


def found_in(seed: int, jobs: int) -> Iterator[Found]:
    """What comes of batch after batch, without end, in so many processes."""
    if jobs == 1:
        for batch in range(sys.maxsize):
            yield run(seed, batch)
    with ProcessPoolExecutor(jobs) as pool:
        running: dict[Future[Found], int] = {}
        batch = 0
        try:
            while True:
                while len(running) < 2 * jobs:
                    running[pool.submit(run, seed, batch)] = batch
                    batch += 1
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    yield done.result()
                    del running[done]
        except BrokenProcessPool:
            batches = ", ".join(str(batch) for batch in sorted(running.values()))
            yield Found(
                Coverage(), f"A process died (--seed {seed}) in one of the batches {batches}: try --batch N --show"
            )
        finally:
            pool.shutdown(cancel_futures=True)


def fuzz(founds: Iterator[Found], *, seconds: float | None, cases: int | None) -> tuple[Coverage, str | None]:
    """Compare until the time is over, or there were so many cases, or the twins differ."""
    begun = said = time.monotonic()
    total = Coverage()
    for found in founds:
        total.add(found.coverage)
        now = time.monotonic()
        if found.difference is not None:
            return total, found.difference
        if (cases is not None and total.cases >= cases) or (seconds is not None and now - begun >= seconds):
            break
        if now - said >= 60:
            said = now
            print(f"{total.cases:,} cases, {total.cases / (now - begun):,.0f} a second", file=sys.stderr, flush=True)
    return total, None


def summary(total: Coverage) -> str:
    """What was compared."""
    read = total.documents - total.refused
    lines = [
        f"{total.documents:,} documents, of which the twin read {_share(read, total.documents)}",
        f"{total.references:,} references rewritten",
        f"{total.links.total():,} links; by the twin alone, by micro-syntax:",
    ]
    for syntax, count in total.links.most_common():
        lines.append(f"  {syntax:<10} {count:>12,}  {_share(count - total.handed[syntax], count)}")
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def main(arguments: list[str] | None = None) -> int:
    """Compare until the end; the exit code."""
    parser = argparse.ArgumentParser(
        prog="scripts/fuzz native", description="Compare the compiled twin with the reference."
    )
    parser.add_argument("seconds", type=float, nargs="?", help="how long (60, unless --cases is given)")
    parser.add_argument("--cases", type=int, help="how many cases at least")
    parser.add_argument("--seed", type=int, default=Random().randrange(1_000_000), help="what to begin with")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many processes")
    parser.add_argument("--batch", type=int, help="run this batch alone")
    parser.add_argument("--show", action="store_true", help="print each document of it before it is read")
    given = parser.parse_args(arguments)
    if TWIN is None:
        print("The compiled twin was not built: there is nothing to compare.", file=sys.stderr)
        return 2
    seconds = 60.0 if given.seconds is None and given.cases is None else given.seconds
    begun = time.monotonic()
    founds = (
        found_in(given.seed, given.jobs)
        if given.batch is None
        else iter([run(given.seed, given.batch, show=given.show)])
    )
    total, difference = fuzz(founds, seconds=seconds, cases=given.cases)
    founds.close() if hasattr(founds, "close") else None
    took = time.monotonic() - begun
    memory = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) // 1024
    print(summary(total))
    print(
        f"{total.cases:,} cases in {took:,.0f} s ({total.cases / took:,.0f} a second), {memory} MiB a process at most."
    )
    print(f"No difference (--seed {given.seed})." if difference is None else difference)
    return 0 if difference is None else 1


if __name__ == "__main__":
    faulthandler.enable()
    sys.exit(main())
