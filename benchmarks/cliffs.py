"""How much more a byte of unusual markup costs than one of a page dense with ordinary links.

    scripts/bench cliffs [--kilobytes N] [--shape NAME]… [--json FILE] [--strict]

- Each shape is a document of one kind of reference or markup, again and again, of the same size as the dense page.
  `rehref.links` and `rehref.rewrite` read it, in one process, one shape after the other.
- Times are processor time, the least of several runs. A figure is how many times as long a byte takes as in the dense
  page; the most is `MOST`, or what the shape allows.
- XML is also compared with lxml, which parses it only.
- The targets are for the compiled twin; without it they do not count.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from lxml import etree

import rehref
from rehref._native import TWIN

URL = "https://www.example.com/folder/page.html"
HTML = "<!doctype html><meta charset=utf-8><title>x</title>"
MOST = 10.0
_RUNS = 5
_ENOUGH = 0.5
"""Seconds for the runs of one shape."""

OPERATIONS: Mapping[str, Callable[..., object]] = {"links": rehref.links, "rewrite": rehref.rewrite}


@dataclass(frozen=True, slots=True)
class Shape:
    """A document: `unit`, again and again, "{}" in it being a number, between two ends. `most`: the most for it."""

    unit: str
    before: str = HTML
    after: str = ""
    media_type: str = "text/html"
    encoding: str = "utf-8"
    url: str | None = URL
    most: float = MOST

    def document(self, size: int) -> bytes:
        """About `size` bytes of it."""
        count = size // len(self.unit.replace("{}", "12345").encode(self.encoding))
        units = "".join(self.unit.replace("{}", str(number)) for number in range(count))
        return f"{self.before}{units}{self.after}".encode(self.encoding)


def _xml(unit: str, root: str, media_type: str = "application/xml") -> Shape:
    return Shape(unit, f'<?xml version="1.0"?><{root}>', f"</{root.partition(' ')[0]}>", media_type)


DENSE = "dense"
SHAPES: Mapping[str, Shape] = {
    DENSE: Shape('<p><a href="a/page-{}.html">text</a>'),
    "srcset with umlauts": Shape('<img srcset="bäume-{}.jpg 1x, straße-{}.jpg 2x">'),
    "a[]=1&b|c": Shape('<p><a href="p?a[]={}&b|c">text</a>'),
    "spaces": Shape('<p><a href="my file {}.html">text</a>'),
    "umlauts": Shape('<p><a href="bäume-{}.html">text</a>'),
    "character references": Shape('<p><a href="p?a={}&amp;b=2">text</a>'),
    "named references": Shape('<p><a href="caf&eacute;-{}.html?a&copy=1">text</a>'),
    "percent signs": Shape('<p><a href="a%20b-{}.html?100%">text</a>'),
    "dot segments": Shape('<p><a href="a/./b{}/../c.html">text</a>'),
    "IP hosts": Shape('<p><a href="http://127.0.0.1/p{}">text</a><a href="http://[::1]/p{}">text</a>'),
    "no URL": Shape('<p><a href="a/page-{}.html">text</a>', url=None),
    "no URL, with a base": Shape('<p><a href="a/page-{}.html">text</a>', HTML + "<base href=/folder/>", url=None),
    "ports": Shape('<p><a href="http://localhost:8080/p{}">text</a>'),
    "above the root": Shape('<p><a href="../../../p{}">text</a>'),
    "srcdoc": Shape('<iframe srcdoc="<a href=p{}>x</a>"></iframe>'),
    "codebase": Shape('<object codebase="d{}/" data="x"></object>'),
    "object": Shape('<object data="x{}"></object>'),
    "tables in tables": Shape('<table><tr><td><a href="p{}">x</a>'),
    "table in table": Shape('<table><tr><td><table><tr><td><a href="p{}">x</a></table></table>'),
    "table parts in templates": Shape('<template><tr><td><a href="p{}">x</a></td></tr></template>'),
    "svg": Shape('<svg><a href="p{}"><path d=x /></a></svg>'),
    "frames": Shape('<frame src="p{}">', "<html><frameset>", "</frameset></html>"),
    "JSON-LD": Shape(
        '<script type="application/ld+json">{"url":"p{}","image":["a.png","b.png"],"name":"text"}</script>'
    ),
    "@base in JSON-LD": Shape(
        '<script type="application/ld+json">{"@context":{"@base":"http://h.example/"},"url":"p{}","image":"a.png"}</script>'
    ),
    "head with profile": Shape(
        '<p><a href="a/page-{}.html">text</a>', '<html><head profile="http://gmpg.org/xfn/11"><title>x</title><body>'
    ),
    "style with a space": Shape('<p><a href="p{}.html">x</a>', HTML + '<style>p{background:url("a b.png")}</style>'),
    "style attributes": Shape("<p style=\"background:url('a b{}.png')\">text</p>"),
    "UTF-16": Shape('<p><a href="a/page-{}.html">text</a>', encoding="utf-16"),
    "GBK": Shape('<p><a href="a/page-{}.html">中文</a>', "<meta charset=gbk>", encoding="gbk"),
    "style sheet": Shape('.c{} { background: url("img/a{}.png"); color: red }\n', "", "", "text/css"),
    "@import": Shape('@import "a{}.css";\n', "", "", "text/css"),
    "manifest": Shape('{"src":"i{}.png"},', '{"icons":[', '{"src":"i.png"}]}', "application/manifest+json"),
    "text": Shape("see http://h.example/p{} for more\n", "", "", "text/plain"),
    "XHTML": _xml(
        '<p><a href="p{}.html">x</a></p>', 'html xmlns="http://www.w3.org/1999/xhtml"', "application/xhtml+xml"
    ),
    "Atom": _xml(
        '<entry><title>t{}</title><link href="p{}"/><id>urn:x:{}</id><content type="html">&lt;p&gt;'
        '&lt;a href="q{}"&gt;some text that is long&lt;/a&gt;</content></entry>',
        'feed xmlns="http://www.w3.org/2005/Atom"',
        "application/atom+xml",
    ),
    "xml:base": _xml(
        '<entry xml:base="d{}/"><title>t{}</title><link href="p{}"/><id>urn:x:{}</id></entry>',
        'feed xmlns="http://www.w3.org/2005/Atom"',
        "application/atom+xml",
    ),
    "sitemap": _xml(
        "<url><loc>http://h.example/p{}</loc><lastmod>2020-01-01</lastmod></url>",
        'urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"',
    ),
    "SVG document": _xml(
        '<a href="p{}"><path d="M0 0"/></a>', 'svg xmlns="http://www.w3.org/2000/svg"', "image/svg+xml"
    ),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A shape, read in one way: `times` as long a byte as in the dense page. `lxml`: its parse of XML beside it."""

    shape: str
    operation: str
    megabytes_per_second: float
    times: float
    met: bool
    lxml: float | None = None


def speed(run: Callable[[], object], size: int) -> float:
    """Megabytes in a second, the best of several runs."""
    best, spent = float("inf"), 0.0
    for _ in range(_RUNS):
        started = time.process_time()
        run()
        seconds = time.process_time() - started
        best, spent = min(best, seconds), spent + seconds
        if spent > _ENOUGH:
            break
    return size / best / 1e6


def rows(shapes: list[str], size: int) -> list[Row]:
    """The results, each printed when it is known."""
    found: list[Row] = []
    dense: dict[str, float] = {}
    for name in shapes:
        shape = SHAPES[name]
        data = shape.document(size)
        is_xml = "xml" in shape.media_type and "html" not in shape.media_type
        parsed = speed(partial(etree.fromstring, data), len(data)) if is_xml else None
        for operation, run in OPERATIONS.items():
            reached = speed(partial(run, data, url=shape.url, media_type=shape.media_type), len(data))
            times = dense.setdefault(operation, reached) / reached
            row = Row(name, operation, reached, times, times <= shape.most, parsed and reached / parsed)
            beside = "" if row.lxml is None else f"   {row.lxml:.2f} × lxml's parse"
            verdict = "" if row.met else "MISSED"
            print(f"  {name:<26} {operation:<8} {reached:8.1f} MB/s {times:8.1f} × {verdict:<6}{beside}")
            found.append(row)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description="How much more unusual markup costs than usual.")
    parser.add_argument("--kilobytes", type=int, default=300, help="the size of each document (default 300)")
    parser.add_argument("--shape", action="append", choices=[*SHAPES], metavar="NAME", help="only this shape")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the results to this file")
    parser.add_argument("--strict", action="store_true", help="exit 1 if anything is missed")
    options = parser.parse_args()
    print("A byte of each shape takes so many times as long as one of the dense page:\n")
    found = rows(list(dict.fromkeys([DENSE, *(options.shape or SHAPES)])), options.kilobytes * 1000)
    missed = [f"{row.shape} ({row.operation})" for row in found if not row.met]
    print(f"\nMissed: {', '.join(missed)}." if missed else "\nAll met.")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in found], indent=2) + "\n", encoding="utf-8")
    return 1 if missed and options.strict and TWIN is not None else 0


if __name__ == "__main__":
    sys.exit(main())
