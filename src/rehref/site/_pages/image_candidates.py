"""The candidates of a `srcset` that browsers drop when they choose an image.

HTML Standard, "parse a srcset attribute", its descriptor parser; and "select an image source". Of candidates with the
same density, or the same width, only the first counts.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rehref.uri.syntaxes import SYNTAXES

# a space in parentheses does not end a descriptor
_DESCRIPTOR = re.compile(r"(?:[^\t\n\f\r (,]++|\([^)]*+\)?+)+")
_WIDTH_OR_HEIGHT = re.compile(r"0*(\d*)[wh]", re.ASCII).fullmatch
_DENSITY = re.compile(r"(-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?)x", re.ASCII).fullmatch
_LONGEST_SHOWN = 40


class _Size(NamedTuple):
    """The meaning of a candidate's descriptors: `w` or `x`, and the number."""

    unit: str
    number: str | float


def dropped(value: str) -> dict[int, str]:
    """The candidates of a srcset value that browsers drop: where the URL of each begins, and why, for people."""
    found: dict[int, str] = {}
    first: dict[_Size, str] = {}
    for candidate, rest in SYNTAXES["srcset"].find_with_rest(value):
        size = _size(_DESCRIPTOR.findall(rest))
        if isinstance(size, str):
            found[candidate.start] = size
        elif size in first:
            what = "width" if size.unit == "w" else "density (1x, the default)"
            found[candidate.start] = f"{_shown(first[size])}, before it, has the same {what}"
        else:
            first[size] = candidate.text
    return found


def _size(descriptors: list[str]) -> _Size | str:
    """The meaning of a candidate's descriptors; or why they are invalid.

    A candidate has one `w`, with at most one `h` beside it, or one `x`; with none of them it is `1x`. Any other
    descriptor drops it; so does text after a space in a URL.
    """
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
    """The number in a descriptor, above 0 for `w` and `h`, or None. A width of any length is compared by its digits."""
    if (integer := _WIDTH_OR_HEIGHT(descriptor)) is not None:
        return integer[1] or None
    density = _DENSITY(descriptor)
    number = None if density is None else float(density[1])
    return None if number is None or number < 0 else number


def _shown(text: str) -> str:
    return repr(text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…")
