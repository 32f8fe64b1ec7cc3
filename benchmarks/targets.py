"""Compares the targets in a page before and after rewriting, with a parser that is not a candidate.

- lexbor reads the page before and after. The attributes of `rewriters.ATTRIBUTES` and each image of a
  `srcset` are compared, by the target that `urljoin` returns.
- A difference is a target that occurs in the page before, but not (or less often) in the page after. A reference is
  left relative if it has no scheme, and does not stay in the document (`#x`).
- Not counted as different: an empty query or fragment, which `urljoin` drops; white space around a reference; and
  the percent-encoding of characters that are not allowed in a URI, which libxml2 adds.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, urljoin

from rewriters import IMAGE, PAIRS, SRCSETS

_WHITE = "\t\n\f\r "
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:").match
_SRCSETS = frozenset((element, attribute) for attribute, elements in SRCSETS.items() for element in elements)
_ALLOWED = "%/:=&?~#+!$,;'@()*[]-._"
# by element only: an element that matches several parts of a selector would be found several times
_SELECTOR = ", ".join(sorted({element for element, _ in PAIRS | _SRCSETS}))


@dataclass(slots=True)
class Comparison:
    """How many references were not written as intended."""

    references: int = 0
    differ: int = 0
    relative: int = 0

    def add(self, before: bytes, after: bytes, url: str) -> None:
        """Compare a page before and after, retrieved from `url`."""
        expected = Counter(_target(place, url) for place in references(before))
        got = Counter(_target(place, url) for place in references(after))
        self.references += expected.total()
        self.differ += (expected - got).total()
        self.relative += sum(is_relative(value) for _, _, value in references(after))


def is_relative(value: str) -> bool:
    """Whether a reference leads elsewhere if the page is moved."""
    return value != "" and not value.startswith("#") and _SCHEME(value) is None


def references(data: bytes) -> Iterator[tuple[str, str, str]]:
    """Element, attribute and reference of each compared reference."""
    from selectolax.lexbor import LexborHTMLParser

    for node in LexborHTMLParser(data).css(_SELECTOR):
        element = node.tag or ""
        for attribute, value in node.attributes.items():
            if (element, attribute) in PAIRS:
                yield element, attribute, (value or "").strip(_WHITE)
            elif (element, attribute) in _SRCSETS:
                for image in IMAGE.finditer(value or ""):
                    yield element, attribute, image[2]


def _target(place: tuple[str, str, str], url: str) -> tuple[str, str, str]:
    element, attribute, reference = place
    target = quote(urljoin(url, reference), safe=_ALLOWED)
    return element, attribute, target.removesuffix("#").removesuffix("?")
