"""The references of a `srcset` or `imagesrcset` attribute.

HTML Standard, "parse a srcset attribute": the splitting loop and the descriptor tokenizer, step for step; and for
`dropped` its descriptor parser, and "select an image source".

1. White space and commas before a candidate are skipped (step 4).
2. A URL extends to the next white space: commas inside it belong to it, also those of a `data:` URL (step 6).
3. Commas at its end are not part of it, and end the candidate: no descriptors follow (step 8).
4. Otherwise descriptors follow up to the next comma that is not in parentheses. Parentheses do not nest; an unclosed
   one extends to the end of the value (the descriptor tokenizer).
5. A candidate whose descriptors are invalid is found like any other. A browser ignores it when it chooses an image
   (`dropped`), but to a reader of the page it is a reference, and the next edit may make it valid.
6. Written text reads back as the same URL in the same place: white space as in `lists` (rules 6 and 7 there). Commas at
   the end are percent-encoded. Those at the beginning get `./` before them: `%2C` is not equivalent (RFC 3986 §2.2).
7. A descriptor is a number above 0 and `w` or `h`, or a number from 0 on and `x`. Any other drops its candidate; so
   does text after a space in a URL.
8. A candidate has one `w`, with at most one `h` beside it, or one `x`; with none of them it is `1x`.
9. Of candidates with the same density, or the same width, only the first counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from rehref.uri._syntaxes.lists import write_spaces
from rehref.uri.syntaxes import Occurrence

# Each candidate once. Repetitions never give back what they matched, since nothing after them can fail: linear.
_CANDIDATE = re.compile(
    r"""
    ([^\t\n\f\r ,] [^\t\n\f\r ]*+)          # the URL, and commas at its end
    (?: (?<=,)                              # which end the candidate
      | (?: [^(,]++ | \([^)]*+\)?+ )* ,?+  # or else its descriptors
    )
    """,
    re.VERBOSE,
)
_END_COMMAS = re.compile(r",+\Z")
# rule 4: a space in parentheses does not end a descriptor
_DESCRIPTOR = re.compile(r"(?:[^\t\n\f\r (,]++|\([^)]*+\)?+)+")
_WIDTH_OR_HEIGHT = re.compile(r"0*(\d*)[wh]", re.ASCII).fullmatch
_DENSITY = re.compile(r"(-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)x", re.ASCII).fullmatch
_LONGEST_SHOWN = 40


class ImageCandidate(NamedTuple):
    """An image candidate: where its URL begins, the URL, and the text with its descriptors."""

    start: int
    url: str
    descriptors: str


def candidates(value: str) -> Iterator[ImageCandidate]:
    """The image candidates of a srcset value, in order."""
    for match in _CANDIDATE.finditer(value):
        start, end = match.span(1)
        yield ImageCandidate(start, match[1].rstrip(","), value[end : match.end()])


def find(value: str) -> list[Occurrence]:
    """The URLs of a srcset value, in order."""
    return [Occurrence(start, start + len(url), url, "") for start, url, _ in candidates(value)]


def write(text: str, form: str) -> str:
    """Write `text` where `find` found a URL."""
    written = _END_COMMAS.sub(lambda match: "%2C" * len(match[0]), write_spaces(text, form))
    return f"./{written}" if written.startswith(",") else written


class _Size(NamedTuple):
    """The meaning of a candidate's descriptors: `w` or `x`, and the number."""

    unit: str
    number: str | float


def dropped(value: str) -> dict[int, str]:
    """The candidates of a srcset value that browsers drop: where the URL of each begins, and why, for people."""
    found: dict[int, str] = {}
    first: dict[_Size, str] = {}
    for candidate in candidates(value):
        size = _size(_DESCRIPTOR.findall(candidate.descriptors))
        if isinstance(size, str):
            found[candidate.start] = size
        elif size in first:
            what = "width" if size.unit == "w" else "density (1x, the default)"
            found[candidate.start] = f"{_shown(first[size])}, before it, has the same {what}"
        else:
            first[size] = candidate.url
    return found


def _size(descriptors: list[str]) -> _Size | str:
    """The meaning of a candidate's descriptors; or why they are invalid (rules 7 and 8)."""
    sizes: dict[str, _Size] = {}
    for descriptor in descriptors:
        unit, number = descriptor[-1], _number(descriptor)
        if number is None:
            return f"{_shown(descriptor)} is neither a width (100w) nor a density (2x)"
        if unit in sizes:
            return f"it has two descriptors in {unit}"
        sizes[unit] = _Size(unit, number)
    if "x" in sizes and len(sizes) > 1:
        return "it has a density (x) beside a width or a height"
    if "h" in sizes and "w" not in sizes:
        return "it has a height (h) without a width (w)"
    return sizes.get("w") or sizes.get("x") or _Size("x", 1.0)


def _number(descriptor: str) -> str | float | None:
    """The number in a descriptor (rule 7), or None. A width of any length is compared by its digits."""
    if (integer := _WIDTH_OR_HEIGHT(descriptor)) is not None:
        return integer[1] or None
    density = _DENSITY(descriptor)
    number = None if density is None else float(density[1])
    return None if number is None or number < 0 else number


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")
