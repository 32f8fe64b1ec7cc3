"""How fast every way through rehref is: each rule, each profile, bytes and text, beside other libraries.

    scripts/bench roads [--corpus FOLDER] [--megabytes N] [--rounds N] [--roads NAME…] [--json FILE] [--strict]

- A road is a call of `rehref.rewrite` or `rehref.links` with a rule, a profile or an option. All roads get the same
  pages, random ones of a folder; one page that is most of them would decide the figures, so `sampled` leaves it out.
  `prepared` says what a road gets of a page. The peers are lol-html, with a handler in Python, and lxml (`rewriters`).
- Roads and peers take turns, and times are processor time, as in `rewrite.py`. Megabytes are those of
  the pages in the folder, also for a road that gets something else.
- Pages that a peer cannot read (`urljoin` raises ValueError for some references) are left out, and counted.
- Before anything is timed, a rule that changes nothing must return each page as it was, a str must give the same
  as its bytes, and every other road must find or change something; otherwise the benchmark ends with exit 1.
- The small page is that of `fixed.py`, without and with a `<base>`, each time below another URL.
- The targets are for the compiled twin; without it they do not count.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import quote, urljoin

import fixed
from rewrite import CORPORA, ITERLINKS, LOLHTML, LXML, PYTHON_DOC, RUST_DOC, SITE, Page, measure, ratio, size
from rewriters import Candidate, about, candidates

import rehref
from rehref._native import HOW, TWIN

Prepared: TypeAlias = Callable[[Page], bytes | str]

AS_IT_IS: Prepared = attrgetter("data")
ABSOLUTE = rehref.Absolute()
MIRROR = "https://mirror.example/"
TABLE = {f"{SITE}*": f"{MIRROR}*", f"{SITE}library/*": f"{MIRROR}lib/*", f"{SITE}index.html": f"{MIRROR}start.html"}
REPLAY = "https://replay.example/20240102030405"
DOCUMENTATION = (PYTHON_DOC, RUST_DOC)
SMALL = "small"
SMALL_PAGES = {"no <base>": ("", fixed.TARGET), "<base>": ("/docs/", fixed.TARGET_WITH_BASE)}
"""The base, and the most microseconds for a page."""


@dataclass(frozen=True, slots=True)
class Road:
    """A way through rehref. `wanted`: how many times as fast as a peer, on documentation and on other pages."""

    name: str
    call: Callable[..., Any]
    wanted: Mapping[str, tuple[float, float]]
    prepared: Prepared

    def candidate(self, documents: Mapping[str, bytes | str]) -> Candidate:
        """The same as what `rewrite.measure` takes; `documents` are those of the road, by URL."""
        return Candidate(self.name, "", "rewrite", lambda _data, url: self.call(documents[url], url=url))


@dataclass(frozen=True, slots=True)
class Row:
    """A road's result beside one peer."""

    road: str
    megabytes_per_second: float
    peer: str
    ratio: float
    target: float
    met: bool


def with_dash(page: Page) -> str:
    """The page as text, with a character outside ASCII at the end of its body."""
    text = page.data.decode(errors="replace")
    before, end, after = text.rpartition("</body>")
    return f"{before}—{end}{after}" if end else f"{text}—"


def to_mirror(link: rehref.Link) -> str | None:
    """A function as users write it: it looks at each link."""
    return MIRROR + link.target if link.kind == "hyperlink" and link.target else None


def rewriting(name: str, rule: Any, target: float = 4.0, prepared: Prepared = AS_IT_IS, **options: Any) -> Road:
    wanted = {LOLHTML: (target, 4.0), LXML: (12.0, 12.0)} if name == "absolute" else {LOLHTML: (target, 3.0)}
    return Road(name, partial(rehref.rewrite, rule=rule, **options), wanted, prepared)


def listing(name: str, **options: Any) -> Road:
    return Road(name, partial(rehref.links, **options), {ITERLINKS: (4.0, 5.0)}, AS_IT_IS)


ROADS = (
    rewriting("absolute", ABSOLUTE),
    rewriting("absolute-str", ABSOLUTE, prepared=with_dash),
    rewriting("absolute-whatwg", ABSOLUTE, profile="whatwg"),
    rewriting("absolute-rfc2396", ABSOLUTE, profile="rfc2396"),
    rewriting("percent-encode", ABSOLUTE, percent_encode=True),
    rewriting("relative", rehref.Relative()),
    rewriting("relative-of-absolute", rehref.Relative(), prepared=lambda page: rehref.rewrite(page.data, url=page.url)),
    rewriting("template", rehref.Template(f"{REPLAY}/{{uri}}")),
    rewriting("template-modifier", rehref.Template(f"{REPLAY}{{modifier}}/{{uri}}")),
    rewriting("table", rehref.Mapping(TABLE)),
    rewriting("function", to_mirror, 3.0),
    rewriting("nothing", lambda _link: None),
    listing("links"),
    listing("links-whatwg", profile="whatwg"),
    listing("links-rfc2396", profile="rfc2396"),
)
MAY_CHANGE_NOTHING = ("relative", "nothing")


def sampled(folder: Path, megabytes: float) -> list[Page]:
    """Random pages below a folder, none twice, none larger than a fifth of this size, until they have this size."""
    paths = sorted(path for path in folder.rglob("*.html") if path.is_file())
    random.Random(3986).shuffle(paths)
    distinct: dict[bytes, Page] = {}
    left = megabytes * 1e6
    for path in paths:
        if left <= 0:
            break
        data = path.read_bytes()
        digest = hashlib.sha256(data).digest()
        if digest not in distinct and len(data) <= megabytes * 1e6 / 5:
            distinct[digest] = Page(SITE + quote(path.relative_to(folder).as_posix()), data)
            left -= len(data)
    return list(distinct.values())


def readable(page: Page, peers: Sequence[Candidate]) -> bool:
    """Whether every peer can read a page."""
    try:
        for peer in peers:
            peer.run(page.data, page.url)
    except Exception:  # whatever a library raises
        return False
    return True


def complaints(road: Road, documents: Mapping[str, bytes | str]) -> Iterator[str]:
    """What is wrong with a road's results."""
    works = road.name in MAY_CHANGE_NOTHING
    for url, document in documents.items():
        result = road.call(document, url=url)
        works = works or (result != [] if isinstance(result, list) else result != document)
        if road.name == "nothing" and result != document:
            yield f"{road.name}: it changes {url}"
        if isinstance(document, str) and result.encode() != road.call(document.encode(), url=url, encoding="utf-8"):
            yield f"{road.name}: it does not give the same as bytes: {url}"
    if not works:
        yield f"{road.name}: it finds nothing to do"


def rows(roads: Sequence[Road], figures: dict[str, list[float]], megabytes: float, kind: int) -> list[Row]:
    """The result of each road beside each of its peers. `kind`: 0 for documentation, 1 for other pages."""
    found = []
    for road in roads:
        speed = round(megabytes / statistics.median(figures[road.name]), 1)
        for peer, targets in road.wanted.items():
            times = ratio(figures, road.name, peer)
            found.append(Row(road.name, speed, peer, round(times, 2), targets[kind], times >= targets[kind]))
    return found


def verdict(*, met: bool) -> str:
    return "" if TWIN is None else "  met" if met else "  MISSED"


def on_pages(
    roads: Sequence[Road], peers: Sequence[Candidate], pages: Sequence[Page], rounds: int, kind: int
) -> list[Row]:
    """Check the roads on pages, measure them, and print the result. Raises SystemExit."""
    documents = [(road, {page.url: road.prepared(page) for page in pages}) for road in roads]
    if wrong := [text for each in documents for text in complaints(*each)]:
        raise SystemExit("\n".join(wrong[:20]))
    ours = [road.candidate(own) for road, own in documents]
    figures = measure([*ours, *peers], pages, rounds)
    megabytes = size(pages) / 1e6
    for peer in peers:
        print(f"  {peer.name:<26} {megabytes / statistics.median(figures[peer.name]):7.1f} MB/s")
    found = rows(roads, figures, megabytes, kind)
    for row in found:
        beside = f"{row.ratio:6.2f} × {row.peer}, ≥ {row.target:g}{verdict(met=row.met)}"
        print(f"  {row.road:<26} {row.megabytes_per_second:7.1f} MB/s {beside}", flush=True)
    return found


def on_small_pages(rounds: int, count: int = 1000) -> list[fixed.Row]:
    """Measure the small pages, and print the result. Raises SystemExit if rehref finds another target."""
    print("\nsmall page: microseconds")
    urls = [fixed.BASES["http"].format(number) for number in range(count)]
    found = []
    for shape, (base, most) in SMALL_PAGES.items():
        data = (f'<base href="{base}">' if base else "").encode() + fixed.PAGE
        if rehref.links(data, url=urls[0])[-1].target != urljoin(urljoin(urls[0], base), "x.html"):
            raise SystemExit(f"small page, {shape}: its link has another target")
        for name, figure in sorted(fixed.measure(data, urls, rounds).items()):
            met = figure <= most if name in fixed.OURS else None
            found.append(fixed.Row(shape, "http", name, round(figure, 1), met))
            judged = "" if met is None else f" ≤ {most:g}{verdict(met=met)}"
            print(f"  {shape:<10} {name:<26} {figure:7.1f}{judged}", flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="Time every rule, profile and kind of source, beside other libraries.")
    parser.add_argument("--rounds", type=int, default=5, help="rounds of each corpus (default 5)")
    parser.add_argument("--megabytes", type=float, default=3.0, help="megabytes of each corpus (default 3)")
    parser.add_argument("--corpus", type=Path, action="append", metavar="FOLDER", help="instead of the documentation")
    names = [*(road.name for road in ROADS), SMALL]
    parser.add_argument("--roads", nargs="+", choices=names, default=names, metavar="NAME", help=", ".join(names))
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to this file")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    options = parser.parse_args()
    roads = [road for road in ROADS if road.name in options.roads]
    needed = {peer for road in roads for peer in road.wanted}
    peers = [candidate for candidate in candidates()[0] if candidate.name in needed]
    if len(peers) < len(needed):
        print("python-lolhtml is not installed, but the roads are compared with it.")
        return 2
    print(f"{about()}, rehref {rehref.__version__} ({HOW}); n × means: n times as fast as the other.")
    report: dict[str, list[Row]] = {}
    for folder in (options.corpus or [CORPORA / name for name in DOCUMENTATION]) if roads else []:
        sample = sampled(folder, options.megabytes)
        pages = [page for page in sample if readable(page, peers)]
        if not pages:
            print(f"No pages below {folder}.")
            return 2
        left_out = f", {len(sample) - len(pages)} left out" if len(pages) < len(sample) else ""
        print(f"\n{folder.name}: {len(pages)} pages, {size(pages) / 1e6:.1f} MB{left_out}", flush=True)
        kind = 0 if folder.name in DOCUMENTATION else 1
        report[folder.name] = on_pages(roads, peers, pages, options.rounds, kind)
    small = on_small_pages(options.rounds) if SMALL in options.roads else []
    if options.json:
        corpora = {title: [asdict(row) for row in table] for title, table in report.items()}
        whole = {"python": about(), "how": HOW, "corpora": corpora, "small": [asdict(row) for row in small]}
        options.json.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    met = [row.met for table in report.values() for row in table] + [row.met is not False for row in small]
    return 1 if options.strict and TWIN is not None and not all(met) else 0


if __name__ == "__main__":
    sys.exit(main())
