"""Compares rehref with a live Chromium on generated documents: `scripts/fuzz browser` runs it.

- Batch `b` of seed `s` is always the same.
- It ends when the time is over or there were as many documents as asked for; with 1 if a difference is not one of
  `fuzz_expected_differences.txt`. Of each sort of those it prints the shortest document that it finds.
- How often each expected difference occurred is counted, and those that never did are named.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import chromium
from asking import Asker, asking
from differential import Difference, Sample, compare
from made_documents import batch

import rehref

EXPECTED = Path(__file__).with_name("fuzz_expected_differences.txt")
BATCH = 250
"""Documents in a batch."""
PAGES = 40
"""Batches after which Chromium begins with a new page."""
SORTS = 10
"""Sorts of differences that are shortened and printed."""
TRIES = 1500
"""Documents that are tried for a shorter one, at most."""
AT_ONCE = 25
"""Of these, at once."""
_LABEL = re.compile(r"(?<=[/.@])xn--([^./:?#]+)").sub


class Expected(NamedTuple):
    """A line of the list: what Chromium makes of our URL, or what the difference looks like."""

    name: str
    how: str
    reason: str

    def variants(self, url: str) -> Iterator[str]:
        """What may become of a URL of ours."""
        if self.how.startswith("s/"):
            pattern, replacement = re.split(r"(?<!\\)/", self.how)[1:3]
            while (new := re.sub(pattern, replacement.replace(r"\/", "/"), url)) != url:
                yield new
                url = new

    def covers(self, difference: Difference, document: str | bytes) -> bool:
        """Whether the difference, or the document, looks like it."""
        if self.how.startswith("s/"):
            return False
        if not self.how.startswith("(?#document)"):
            where = line(difference)
        else:
            where = document if isinstance(document, str) else document.decode("latin-1")
        return re.search(self.how, where) is not None


def expected_differences() -> list[Expected]:
    """The list."""
    lines = EXPECTED.read_text(encoding="utf-8").splitlines()
    return [Expected(*each.split("\t")) for each in lines if each and not each.startswith("#")]


def line(difference: Difference) -> str:
    """A difference as the list has it."""
    what, element, attribute, text, ours, theirs, bases = difference
    return f"{what}: {element} {attribute}={text!r}: {ours} > {theirs} ({bases})"


def reasons(difference: Difference, expected: Sequence[Expected], document: str | bytes = "") -> list[str]:
    """The names of the lines that explain a difference in a document; none if it is not expected."""
    if difference.what == "target" and difference.ours is not None:
        made: dict[str, list[str]] = {in_unicode(difference.ours): []}
        for each in expected:
            for url, names in list(made.items()):
                for new in each.variants(url):
                    made.setdefault(new, [*names, each.name])
        theirs = in_unicode(difference.theirs or "")
        if theirs in made:
            return made[theirs]
    return next(([each.name] for each in expected if each.covers(difference, document)), [])


def in_unicode(url: str) -> str:
    """A URL with the labels of its host in Unicode: one other character gives a label another Punycode as a whole."""
    try:
        return _LABEL(lambda label: label[1].encode().decode("punycode"), url)
    except UnicodeError:
        return url


def sort_of(difference: Difference) -> tuple[str, str, str]:
    """What differences have in common that probably have one cause: the place, or what becomes of the URL."""
    what, element, attribute, _, ours, theirs, _ = difference
    if ours is None or theirs is None or what == "places":
        return what, *((element, attribute) if what in ("missing", "surplus") else ("", str(ours is None)))
    begin, end = _shared(ours, theirs), _shared(ours[::-1], theirs[::-1])
    return what, *(url[begin : len(url) - end][:8] for url in (ours, theirs))


def _shared(one: str, other: str) -> int:
    """With how many of the same characters they begin."""
    return next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)


class Fuzz:
    """A run, and what it has found."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._expected = expected_differences()
        self.documents = self.references = 0
        self.counts: Counter[str] = Counter()
        self.sorts: dict[tuple[str, str, str], tuple[Sample, Difference]] = {}
        self.unexpected = 0

    def run(self, samples: Sequence[Sample]) -> None:
        """Compare a batch."""
        compared = compare(self._asker, samples)
        self.documents += len(samples)
        for sample, differences in zip(samples, compared, strict=True):
            for difference in differences:
                names = reasons(difference, self._expected, sample.data)
                self.counts.update(names)
                if not names:
                    self.unexpected += 1
                    self._keep(sample, difference)

    def _keep(self, sample: Sample, difference: Difference) -> None:
        sort = sort_of(difference)
        known = self.sorts.get(sort)
        if known is None or len(sample.data) < len(known[0].data):
            self.sorts[sort] = sample, difference

    def never(self) -> list[str]:
        """The expected differences that did not occur."""
        return [each.name for each in self._expected if each.name not in self.counts]

    def _still(self, samples: Sequence[Sample], what: str) -> tuple[Sample, Difference] | None:
        """The first of some documents that differs in this, unexpectedly."""
        for sample, differences in zip(samples, compare(self._asker, samples), strict=True):
            for each in differences:
                if each.what == what and not reasons(each, self._expected, sample.data):
                    return sample, each
        return None

    def shortened(self, sample: Sample, difference: Difference) -> tuple[Sample, Difference]:
        """The shortest document found by leaving out that differs in the same sort of thing, unexpectedly."""
        size, tries = len(sample.data) // 2 + 1, TRIES
        while size and tries > 0:
            data = sample.data
            less = [sample._replace(data=data[:at] + data[at + size :]) for at in range(0, len(data), size)]
            tries -= len(less)
            groups = (less[at : at + AT_ONCE] for at in range(0, len(less), AT_ONCE))
            found = next(filter(None, (self._still(group, difference.what) for group in groups)), None)
            if found is None:
                size //= 2
            else:
                sample, difference = found
        return sample, difference


def main(arguments: list[str] | None = None) -> int:
    """Compare until the end; the exit code."""
    parser = argparse.ArgumentParser(prog="scripts/fuzz browser", description="Compare rehref with Chromium.")
    parser.add_argument("seconds", type=float, nargs="?", help="how long (60, unless --cases is given)")
    parser.add_argument("--cases", type=int, help="how many documents at least")
    parser.add_argument("--seed", type=int, default=Random().randrange(1_000_000), help="what to begin with")
    parser.add_argument("--first", type=int, default=0, metavar="BATCH", help="the first batch (0)")
    given = parser.parse_args(arguments)
    program = chromium.find_chromium()
    if program is None:
        print("There is no Chromium here ($REHREF_CHROMIUM names one in another place): nothing is compared.")
        return 0
    warnings.simplefilter("ignore", rehref.SourceResemblesPathWarning)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile, asking(program, Path(profile)) as asker:
        return fuzz(asker, given.seed, given.first, given.seconds, given.cases)


def fuzz(asker: Asker, seed: int, first: int, seconds: float | None, cases: int | None) -> int:
    """Compare batch after batch; the exit code."""
    if seconds is None and cases is None:
        seconds = 60.0
    begun = said = time.monotonic()
    run = Fuzz(asker)
    number = first
    while not ((cases is not None and run.documents >= cases) or (seconds is not None and said - begun >= seconds)):
        run.run(batch(Random(f"{seed}-{number}"), BATCH))
        number += 1
        if number % PAGES == 0:
            asker.begin()
            print(f"{run.documents:,} documents, {time.monotonic() - begun:,.0f} s", file=sys.stderr, flush=True)
        said = time.monotonic()
    took = time.monotonic() - begun
    print(f"{run.documents:,} documents in {took:,.0f} s ({run.documents / took:,.0f} a second). Expected differences:")
    for name, count in run.counts.most_common():
        print(f"  {count:>7,}  {name}")
    if run.never():
        print(f"  never: {', '.join(run.never())}")
    if not run.unexpected:
        print(f"No other difference (--seed {seed}).")
        return 0
    print(f"{run.unexpected:,} differences that are not expected (--seed {seed}), of {len(run.sorts)} sorts:")
    for sample, difference in sorted(run.sorts.values(), key=lambda pair: len(pair[0].data))[:SORTS]:
        short, shown = run.shortened(sample, difference)
        print(f"{line(shown)}\n  {short}", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
