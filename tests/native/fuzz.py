"""Compares the compiled twin with the reference on generated and mutated documents, until a time is over.

`python tests/native/fuzz.py SECONDS SEED`: places as both scans find them, links and rewritten bytes; on the first
difference it prints the document, and ends with 1.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import rehref
from rehref.documents.names import carrier_names
from rehref.documents.selection import Selection, extra
from rehref.parsers.contract import Source
from rehref.parsers.source import twin
from rehref.parsers.source.construction.run import construct
from rehref.parsers.source.reading import Reading
from rehref.parsers.source.scan import scan
from rehref.parsers.units import Units

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
PIECES = [
    *(
        "<a|href=x>|<A|HREF=Q>|<base href=y>|<form action=z>|</form>|<td background=q>|</td>|<tr>|<table>|"
        "</table>|<select>|</select>|<option>|<caption>|<template>|</template>|<svg>|</svg>|</svg|<math>|</math>|"
        "<mi>|<path d=x>|</path>|<style>|</style>|<th>|<script type=importmap>|<script>|</script>|"
        "<script><!--<script>|</script></script>|<!--|-->|--!>|<!-->|<!-- x -->|<![CDATA[|]]>|<title>|</title>|"
        "<textarea>|<noscript>|</noscript>|<body background=b>|<body style=x>|<html itemtype=t>|<head>|"
        "<frameset>|</iframe>|'|<|>|=|/|(|&|#|?|<!doctype html>|<?x>|</|</>|src='| href|<foreignObject>|<desc>|"
        "<font face=q>|<!--[if IE]>|<![endif]-->|<plaintext>|<image src=y>|<svg:a xlink:href=h>|<x/y=z/>|"
        "<link rel=stylesheet href=u>|<object data=d codebase=c>|</object>|<annotation-xml>|<STYLE>a</sTyle >|"
        "<x-y style='url(i)'>|../|./|c.html|#f|?q|&amp;|%20|http://h.example/|mailto:x|"
    )
    .removesuffix("|")
    .split("|"),
    *(
        '<p style="url(i)">',
        '<img src="a&amp;b" srcset="x 1x">',
        '<meta http-equiv=refresh content="0;url=x">',
        '<use href="#i"/>',
        '<iframe srcdoc="&lt;a href=1>">',
        '"',
        "\r",
        "\x00",
        "\x80",
        "\xe9",
        "\u212a",
        'href="',
        "<caf\xe9 style='url(i)'>",
        " ",
        "\n",
        "\r\n",
    ),
]
SELECTIONS = (
    Selection(),
    Selection(scripting=True, conditional_comments=True, attributes=(extra("data-src"), extra("img@class"))),
)
ENCODINGS = (None, "utf-8", "utf-8", "utf-8", "windows-1252", "shift_jis", "gb18030", "euc-kr", "utf-16le")
URLS = ("http://h.example/a/b/c.html", "https://h.example?q", "file:///srv/page.html", "mailto:x@example.org", None)
RULES = (rehref.Absolute(), rehref.Absolute(same_document=True, base_element="drop"), rehref.Absolute("empty"))


class Case(NamedTuple):
    """A document, and how it is read."""

    source: Source
    selection: Selection
    url: str | None
    profile: str
    rule: rehref.Absolute


def texts(chance: random.Random) -> Iterator[str]:
    """Documents without end: made of pieces, and fixtures with pieces put in, taken out, doubled."""
    fixtures = [path.read_bytes().decode("utf-8", "replace") for path in sorted(FIXTURES.rglob("*.html"))]
    while True:
        yield "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 14)))
        if chance.random() < 0.05:
            text = chance.choice(fixtures)
            for _ in range(chance.randint(1, 6)):
                at = chance.randint(0, len(text))
                behind = min(len(text), at + chance.randint(0, 20))
                text = text[:at] + chance.choice([*PIECES, "", text[at:behind] * 2]) + text[behind:]
            yield text


def cases(chance: random.Random) -> Iterator[Case]:
    """Cases without end."""
    for text in texts(chance):
        encoding = chance.choice(ENCODINGS)
        source = Source(text) if encoding is None else Source(text.encode(encoding, "replace"), encoding)
        profile = chance.choice(["rfc3986", "rfc3986", "rfc3986-compat", "whatwg", "rfc2396"])
        yield Case(source, chance.choice(SELECTIONS), chance.choice(URLS), profile, chance.choice(RULES))


def places_differ(case: Case, *, with_tree: bool) -> bool:
    """Whether the scans find other places; `with_tree`: or tree construction does."""
    wanted = carrier_names(case.selection).wanted
    units = Units(case.source)
    found = scan(units, wanted)
    by_twin = twin.twin_scan(units, wanted)
    if by_twin is not None and list(by_twin) != found:
        return True
    if not with_tree:
        return False
    reading = Reading(units, wanted)
    construct(reading)
    return reading.places != found


def made_of(case: Case) -> tuple[object, ...]:
    """The links of the document, and the document rewritten."""
    options = {"url": case.url, "profile": case.profile, "encoding": case.source.encoding, "media_type": "text/html"}
    options |= {"scripting": case.selection.scripting, "conditional_comments": case.selection.conditional_comments}
    options |= {"attributes": [f"{each.element}@{each.attribute}" for each in case.selection.attributes]}
    data = case.source.data
    return rehref.links(data, **options), rehref.rewrite(data, case.rule, **options)  # type: ignore[arg-type]


def differs(case: Case, number: int) -> bool:
    """Whether the twins make something else of a case; links and bytes of every second one."""
    if places_differ(case, with_tree=number % 8 == 0):
        return True
    if number % 2:
        return False
    by_twin = made_of(case)
    kept, twin.TWIN = twin.TWIN, None
    try:
        return made_of(case) != by_twin
    finally:
        twin.TWIN = kept


def main(seconds: float, seed: int) -> int:
    """Compare until the time is over; the exit code."""
    end = time.monotonic() + seconds
    number = 0
    for number, case in enumerate(cases(random.Random(seed)), 1):
        if differs(case, number):
            print(f"The twins differ (seed {seed}, case {number}): {case}")
            return 1
        if time.monotonic() > end:
            break
    print(f"{number:,} cases, no difference (seed {seed}).")
    return 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]), int(sys.argv[2])))
