"""Splices for the ordinary references of a document, which the compiled twin finds, made without places and edits.

1. An ordinary reference (`rehref.uri.ordinary_references`) in an ordinary place is written in the source as it is read.
   Its new text is spliced in its place, if that text needs no escapes there.
2. All references in any other place, and those that the rule needs the link of, are left to Python.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.parsers.charrefs import speaks_for_itself
from rehref.parsers.contract import tells_byte_splices
from rehref.parsers.source.twin import TwinScan
from rehref.parsers.source.twin_exchange import ByteSplice

_IS_SAFE = re.compile(r"[A-Za-z0-9\-._~!$*+;:@/?#%]++").fullmatch
"""Whether a text needs no quotes or escapes wherever a reference can be."""
_IS_SAFE_IN_QUOTES = re.compile(r"[A-Za-z0-9\-._~!$*+;:@/?#%=&]++").fullmatch


class DirectSplices(NamedTuple):
    """The splices; how many references these places have; the numbers of all other places."""

    splices: list[ByteSplice]
    references: int
    odd: list[int]


def direct_splices(
    document: Document, new_text: Callable[[str], str | None], needs_link: Callable[..., bool] | None
) -> DirectSplices | None:
    """Return the splices of the ordinary references; None if the twin cannot read the document.

    `new_text`: returns the new text for a text, None if it stays. `needs_link`: see `rehref.rewriting.contract`.
    """
    twin = document.twin(targets=False)
    if twin is None or not tells_byte_splices(document.parsed):
        return None
    scan, how = twin
    batches = scan.links(how, Link, (document.base, document.part, document.own.uri, document.date))
    if batches is None:
        return None
    found: list[tuple[int, ByteSplice | None]] = []
    odd: list[int] = []
    special: set[int] = set()
    for batch in batches:
        odd += [number for _, number in batch.odd]
        for link in batch.links:
            is_special = link.kind == "metadata" or _is_special(link, needs_link)
            splice = None if is_special else _splice(link, new_text)
            if splice is not None and not _is_safe(scan, splice):
                is_special = True
            if is_special:
                special.add(scan.number_at(link.span[0]))
            found.append((link.span[0], splice))
    if special:
        starts, ends = zip(*map(scan.extent, sorted(special)), strict=True)
        found = [each for each in found if each[0] < starts[0] or each[0] > ends[bisect_right(starts, each[0]) - 1]]
    splices = [splice for _, splice in found if splice is not None]
    return DirectSplices(splices, len(found), sorted({*odd, *special}))


def _is_special(link: Link, needs_link: Callable[..., bool] | None) -> bool:
    assert link.span is not None
    is_written_so = link.reference != "" and link.span[1] - link.span[0] == len(link.reference)
    return not is_written_so or (needs_link is not None and needs_link(link.kind, link.element, link.attribute))


def _splice(link: Link, new_text: Callable[[str], str | None]) -> ByteSplice | None:
    """Return the splice for a link; None if it stays."""
    assert link.span is not None
    new = None if link.kind in ("fragment", "namespace") else new_text(link.reference)
    return None if new is None or new == link.reference else (*link.span, new.encode())


def _is_safe(scan: TwinScan, splice: ByteSplice) -> bool:
    """Return whether the new text needs no escapes (rule 1)."""
    start, end, new = splice
    text = new.decode()
    if _IS_SAFE(text):
        return True
    return bool(_IS_SAFE_IN_QUOTES(text) and speaks_for_itself(text) and scan.is_quoted(start, end))
