"""Elements that are left out with their content: those with the attribute `data-rehref-ignore`, or that class.

1. In HTML an element extends as far as in a browser (`rehref.parsers.source.extents`), in XML to its
   end tag. Documents of other types have no elements; those in a `srcdoc` belong to its `iframe`.
2. The value of `data-rehref-ignore` may name codes, or groups of them: then only these are ignored. If it is empty, or
   `true`, all are. The value of another attribute does not matter.
3. A class of that name (`class="note data-proofer-ignore"`) does the same as an attribute without a value.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rehref.checking.ignoring import IGNORE_ATTRIBUTE, IgnoredRanges, codes_named
from rehref.documents.types.media_types import Reader
from rehref.parsers.source.extents import Extent, html_extents, xml_extents
from rehref.text.source import Source
from rehref.text.source_text import SourceText


def ignored_elements(
    source: Source, reader: Reader | None, attributes: Collection[str], *, scripting: bool = False
) -> IgnoredRanges[tuple[int, int]]:
    """The extents of the elements that are left out: from line and column to line and column."""
    units = SourceText(source)
    ranges: list[tuple[tuple[int, int], tuple[int, int], str]] = []
    for name in attributes:
        for extent in _ignored(units, reader, name, scripting=scripting):
            first, (line, column) = units.position(extent.start), units.position(extent.end)
            ranges += ((first, (line, column - 1), code) for code in _codes(name, extent.value))
    return IgnoredRanges(ranges)


def _ignored(units: SourceText, reader: Reader | None, name: str, *, scripting: bool) -> Iterator[Extent]:
    """The elements that have the attribute, or are in the class (rule 3)."""
    text = units.text.lower()
    if name in text:
        yield from _extents(units, reader, name, scripting=scripting)
        if "class" in text:
            for extent in _extents(units, reader, "class", scripting=scripting):
                if name in extent.value.lower().split():
                    yield extent._replace(value="")


def _extents(units: SourceText, reader: Reader | None, name: str, *, scripting: bool) -> Sequence[Extent]:
    if reader == "html":
        return html_extents(units, frozenset({name}), scripting=scripting)
    return xml_extents(units, frozenset({name})) if reader == "xml" else ()


def _codes(name: str, value: str) -> list[str]:
    """The codes that are ignored; "" means all (rule 2)."""
    is_for_all = name != IGNORE_ATTRIBUTE or value.strip() in ("", "true")
    return [""] if is_for_all else codes_named(value)
