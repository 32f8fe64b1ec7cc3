"""The place of a finding in its source line, as the formats of `rehref check` show it.

An excerpt is the part of the line around the reference that fits; `…` marks a cut. Every character of it is as wide as
it is shown: a tab is four spaces, and characters that a terminal acts on are escaped. A long line is cut first, so that
the time for many findings in one long line depends only on their number.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby, takewhile
from typing import NamedTuple

from rehref.reports.terminal import visible, width
from rehref.site.findings import Finding, LineOf
from rehref.uri.components import mask_text

_TAB = " " * 4
_MARGIN = 400
_CUT = "…"
# "@" as it is, or as JSON, scripts and CSS may write it
_AT = re.compile(r"@|\\(?:u00|x|0{0,4})40")
# a password has none of these (rehref.uri.components.mask_text)
_EDGE = re.compile("""[\\s<>"]""")


class PlaceInLine(NamedTuple):
    """The place of a reference in its line: from the character `start` (0-based) to `end`; `exact`: if certain."""

    start: int
    end: int
    exact: bool


class Excerpt(NamedTuple):
    """A part of a line, ready to be shown: the text before the reference, the reference, the text after it."""

    before: str
    marked: str
    after: str


def by_document(findings: Iterable[Finding]) -> Iterator[tuple[str, list[Finding]]]:
    """The documents of sorted findings, each with its findings."""
    for document, own in groupby(findings, key=lambda finding: finding.document):
        yield document, list(own)


def source_line(finding: Finding, line_of: LineOf | None) -> str | None:
    """The line of a finding, if it is available."""
    return None if line_of is None or finding.line is None else line_of(finding.document, finding.line)


def size_of(finding: Finding) -> int:
    """The length of the reference in the file, in bytes; 0 if not known."""
    start, end = (0, 0) if finding.span is None else finding.span
    return max(end - start, 0)


def place_in(finding: Finding, line: str) -> PlaceInLine | None:
    """The place of the reference in its line; None if the line has no such column.

    Its end is known if the line has it literally; or if as many characters as the span has bytes (in UTF-8, in one byte
    or in two bytes each) mean the reference, with character references decoded.
    """
    if finding.column is None or not 1 <= finding.column <= len(line) + 1:
        return None
    start = finding.column - 1
    if line.startswith(finding.reference, start):
        return PlaceInLine(start, start + len(finding.reference), exact=True)
    size = size_of(finding)
    tail = line[start : start + size]
    in_utf8 = tail.encode("utf-8", "surrogatepass")[:size].decode("utf-8", "ignore")
    from html import unescape  # it imports thousands of names

    for written in (in_utf8, tail, tail[: size // 2]):
        if written and unescape(written) == finding.reference:
            return PlaceInLine(start, start + len(written), exact=True)
    return PlaceInLine(start, start + len(in_utf8), exact=False)


def end_column(finding: Finding, line: str | None = None) -> int | None:
    """The column after the reference, 1-based, in characters; None if not known.

    Without the line it is known if the reference is ASCII and has as many characters as the span has bytes, since an
    encoded text is always longer than the text it means.
    """
    if line is not None:
        found = place_in(finding, line)
        return found.end + 1 if found is not None and found.exact else None
    if finding.column is None or finding.span is None:
        return None
    reference = finding.reference
    as_written = reference.isascii() and size_of(finding) == len(reference)
    return finding.column + len(reference) if as_written and not re.search(r"[\r\n]", reference) else None


def excerpt(finding: Finding, line: str, columns: int) -> Excerpt | None:
    """The line around the reference, in about that many columns of a terminal; None if not possible."""
    found = place_in(finding, line)
    if found is None:
        return None
    before, cut_before = _tail(line, found.start)
    after, cut_after = _head(line, found.end)
    pieces = (before, line[found.start : found.end], after)
    masked = tuple(map(mask_text, pieces))
    if not _safe("".join(pieces), "".join(masked)):
        return None
    before, marked, after = (visible(piece.replace("\t", _TAB)) for piece in masked)
    if not cut_before:
        before = before.lstrip(" ")
    marked = _middle(marked, columns)
    room = max(0, columns - width(marked))
    # the text before the reference gets twice as much room as the text after it; either can use what the other leaves
    wanted = max(room * 2 // 3, room - width(after))
    shorter = _last(before, wanted)
    shown_after = _first(after.rstrip(), max(0, room - width(shorter)))
    return Excerpt(
        (_CUT if cut_before or shorter != before else "") + shorter,
        marked,
        shown_after + (_CUT if cut_after or shown_after != after.rstrip() else ""),
    )


def _safe(text: str, masked: str) -> bool:
    """Whether masking the pieces of a text masked all that has to be masked.

    If a password may be spelled with character references or backslashes, so that masking would miss it, there is no
    excerpt.
    """
    from html import unescape

    decoded = unescape(text)
    if masked != mask_text(text) or unescape(masked) != mask_text(decoded):
        return False
    return "\\" not in decoded or _AT.search(decoded) is None


def _tail(line: str, end: int) -> tuple[str, bool]:
    """The end of the text before a place, and whether anything is missing. No cut goes through a password."""
    if end <= _MARGIN:
        return line[:end], False
    piece = line[end - _MARGIN : end]
    edge = _EDGE.search(piece)
    return (piece[edge.end() :] if edge is not None else ""), True


def _head(line: str, start: int) -> tuple[str, bool]:
    """The beginning of the text after a place, and whether anything is missing. No cut goes through a password."""
    if len(line) - start <= _MARGIN:
        return line[start:], False
    piece = line[start : start + _MARGIN]
    edge = max((found.start() for found in _EDGE.finditer(piece)), default=0)
    return piece[:edge], True


def _first(text: str, columns: int) -> str:
    """As much of the beginning as fits."""
    if width(text) <= columns:
        return text
    taken = 0
    for number, character in enumerate(text):
        taken += width(character)
        if taken > columns:
            return text[:number]
    return text


def _last(text: str, columns: int) -> str:
    """As much of the end as fits."""
    return _first(text[::-1], columns)[::-1]


def _middle(text: str, columns: int) -> str:
    """The text, or its beginning and its end, as much as fits."""
    if width(text) <= columns:
        return text
    return _first(text, max(1, columns * 2 // 3)) + _CUT + _last(text, max(1, columns // 4))


HERE = "./"
"""The label of documents in the common folder itself."""


def shared_folder(documents: Iterable[str]) -> str:
    """The folder of all documents (their paths, or URLs), with a slash at its end; "" for the checked folder."""
    folders = {document.rpartition("/")[0] for document in documents}
    if not folders or "" in folders:
        return ""
    pieces = [folder.split("/") for folder in folders]
    # the common beginning of the first and the last is that of all between them, too
    both = zip(min(pieces), max(pieces), strict=False)
    return "".join(f"{one}/" for one, _ in takewhile(lambda pair: pair[0] == pair[1], both))


def folder_of(document: str, above: str) -> str:
    """The folder of a document, one level below `above`, with a slash at its end."""
    name, slash, _ = document.removeprefix(above).partition("/")
    return f"{above}{name}/" if slash else above or HERE
