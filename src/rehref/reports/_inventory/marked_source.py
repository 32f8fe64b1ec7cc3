"""The source of a document, cut into references and the text between them.

Places are those of the links' spans. References that overlap, or are the same characters, are one piece with several
links; an empty one is a piece, too. Without spans (tree cores) nothing is marked, and the page says so. A source that
looks binary is not shown. Passwords are masked, between references and in them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Final, NamedTuple

from rehref.documents.link import Link
from rehref.reports.terminal import visible
from rehref.text.encoding import Source
from rehref.uri.components import mask_text

_BINARY: Final = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")
_BINARY_SHARE: Final = 10
"""A source with one binary character in this many looks binary."""
_EDGES: Final = ' \t\n\r\f<>"'
"""A character that no password has (`rehref.uri.components.mask_text`)."""
_WORDS: Final = re.compile(r"([\s<>\"]+)")
_AT: Final = re.compile(r"@|\\(?:u00|x|0{0,4})40")
_DELIMITER: Final = re.compile(r"[:/]|\\(?:u00|x|0{0,4})(?:3a|2f)", re.IGNORECASE)
_WITHHELD: Final = "[not shown: it may hold a password]"
_LINE_END: Final = re.compile("\r\n?+")
_KEPT: Final = re.compile(r"([\t\n])")


class MarkedText(NamedTuple):
    """Some characters of the source, as they are shown, and the numbers of their links, if any."""

    text: str
    links: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class MarkedSource:
    """A source in pieces. `left_out`: bytes, or characters, after them. `unmarked`: links without a known place.

    `reason`: why nothing is shown; "" if something is.
    """

    pieces: tuple[MarkedText, ...] = ()
    left_out: int = 0
    unmarked: int = 0
    reason: str = ""


def marked(source: Source, links: Sequence[Link], most: int) -> MarkedSource:
    """The source in pieces; `most`: the number of bytes, or characters, to show at most."""
    if most == 0:
        return MarkedSource(reason="Sources are not shown.")
    text, offsets = source._replace(data=source.data[:most], encoding=source.encoding or "utf-8").characters()
    if len(_BINARY.findall(text)) * _BINARY_SHARE > len(text):
        return MarkedSource(reason="It looks binary, so its source is not shown.")
    cut = offsets[-1] < len(source.data)
    end = _end(text) if cut else len(text)
    spans = _spans(links, offsets, end)
    pieces = tuple(_pieces(text, spans, end, links))
    unmarked = sum(link.span is None for link in links)
    return MarkedSource(pieces, len(source.data) - offsets[end], unmarked)


def _end(text: str) -> int:
    """The length of the part that is shown of a cut text.

    Nothing is shown after the last white space or quote, since the cut may have separated a password from its host.
    """
    return 1 + max(map(text.rfind, _EDGES))


def _spans(links: Sequence[Link], offsets: Sequence[int], end: int) -> list[tuple[int, int, tuple[int, ...]]]:
    """The places of references in characters, in order, overlapping ones as one; none after `end`."""
    found: list[tuple[int, int, tuple[int, ...]]] = []
    places = ((*link.span, number) for number, link in enumerate(links) if link.span is not None)
    for first, behind, number in sorted(places):
        if behind > offsets[end]:
            continue
        start, stop = bisect_left(offsets, first), bisect_left(offsets, behind)
        if found and (start < found[-1][1] or (start, stop) == found[-1][:2]):
            before, until, numbers = found.pop()
            start, stop, own = before, max(until, stop), (*numbers, number)
        else:
            own = (number,)
        found.append((start, stop, own))
    return found


def _pieces(
    text: str, spans: Iterable[tuple[int, int, tuple[int, ...]]], end: int, links: Sequence[Link]
) -> Iterator[MarkedText]:
    at = 1 if text.startswith("\ufeff") else 0
    for start, stop, numbers in spans:
        if at < start:
            yield MarkedText(_fit(_between(text[at:start])))
        yield MarkedText(_fit(_reference(text[start:stop], [links[number] for number in numbers])), numbers)
        at = stop
    if at < end:
        yield MarkedText(_fit(_between(text[at:end])).removesuffix("\n"))


def _reference(written: str, links: Sequence[Link]) -> str:
    """The shown text of a reference: as it is written, masked.

    If a password only appears after decoding (`u&#58;secret@h`), it is shown decoded and masked.
    """
    masked = [mask_text(link.reference) for link in links]
    if any(own != link.reference for own, link in zip(masked, links, strict=True)):
        return " ".join(masked)
    return mask_text(written)


def _between(text: str) -> str:
    """The shown text between references; a word that may show a password once it is decoded is not shown."""
    if "@" not in text and "&" not in text and "\\" not in text:
        return text
    return "".join(_word(word) for word in _WORDS.split(text))


def _word(word: str) -> str:
    masked, decoded = mask_text(word), unescape(word)
    if unescape(masked) != mask_text(decoded):
        return _WITHHELD
    escaped = "\\" in decoded and _AT.search(decoded) is not None and _DELIMITER.search(decoded) is not None
    return _WITHHELD if escaped else masked


def _fit(text: str) -> str:
    """The text with its lines, whatever ends them, and tabs.

    Every other character that people cannot see is an escape.
    """
    lines = _LINE_END.sub("\n", text)
    return "".join(each if each in ("\t", "\n") else visible(each) for each in _KEPT.split(lines))
