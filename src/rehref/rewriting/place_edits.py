"""Edits of the places of a document, as a rule wants them; a parser core splices them into the source.

1. Only references that a rule changes are edited. A new reference that equals the old one, as written, is not a change;
   nor is an empty one instead of white space: it means the same, and in CSS an empty URL is not a reference.
2. This module writes a new reference for its micro-syntax (`rehref.carriers`); the core writes it for the markup.
3. References of a document inside a document are edited there, and the result becomes edits of the outer document.
4. A rule that needs only a reference and its target is asked once for a text that is relative to the document's base.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from rehref.carriers.syntaxes import SYNTAXES
from rehref.documents.bound_resolver import BoundResolver
from rehref.documents.document import LOCAL_KINDS, Document, Reference, innermost
from rehref.documents.formats.html_carriers import siblings
from rehref.documents.link import Link
from rehref.parsers.contract import Edit, tells_byte_splices, tells_splices
from rehref.parsers.source.twin_exchange import ByteSplice
from rehref.rewriting.asked_rule import AskedRule
from rehref.rewriting.browser_differences import difference
from rehref.rewriting.contract import Drop, LinkNeeded
from rehref.rewriting.percent_encoding import write_valid
from rehref.text.ascii import WHITE_SPACE

_MOST_KNOWN = 100_000
_AT_ONCE = 5000
"""How many places are edited at a time: edits take much more memory than splices."""


class ChangedReference(NamedTuple):
    """A reference and its new text."""

    reference: Reference
    new: str | Drop


class PlaceEdits:
    """Asks a rule about the references of places. `counted`, `changed`: how many there were, and how many change.

    `leaves_metadata`: whether the rule is known to leave them all. Then JSON-LD, which takes long, is not read.
    """

    def __init__(self, document: Document, asked: AskedRule, *, leaves_metadata: bool = False) -> None:
        self._document = document
        self._asked = asked
        self._leaves_metadata = leaves_metadata
        self._known: dict[str, str | LinkNeeded | None] = {}  # the results of `plain` for texts (rule 4)
        self._unread: list[int] = []
        self.counted = 0
        self.changed = 0

    def of_all(self) -> list[Edit]:
        """Return the edits of all places, in order."""
        places = list(self._document.parsed.places)  # made all at once, which takes less time than one by one
        return [edit for number in range(len(places)) for edit in self.of_place(number)]

    def of_place(self, number: int, answers: Sequence[str | Drop | None] | None = None) -> Sequence[Edit]:
        """Return the edits of one place. `answers`: of the rule, if it has been asked about its references."""
        document = self._document
        if (
            self._leaves_metadata
            and document.carriers is not None
            and document.carriers.is_metadata(document.parsed, number)
        ):
            self._unread.append(number)
            return ()
        references = document.found(number)
        news = map(self._new, references) if answers is None else answers
        changes: list[ChangedReference] = []
        for reference, new in zip(references, news, strict=True):
            self.counted += 1
            if new is not None and new != reference.text and (new != "" or reference.text.strip(WHITE_SPACE)):
                changes.append(ChangedReference(reference, new))
        self.changed += len(changes)
        if changes and changes[0].reference.inner is not None:
            return _edits(changes)
        return [_edit(reference, new) for reference, new in changes]  # most places are like this, and need no grouping

    def uncounted(self) -> int:
        """Return how many references there are in places that were not read."""
        return sum(len(self._document.found(number)) for number in self._unread)

    def splices(self, edits: Iterable[Sequence[Edit]]) -> list[ByteSplice]:
        """Return what edits of places replace in the bytes of the source, in order."""
        parsed = self._document.parsed
        assert tells_byte_splices(parsed)
        splices: list[ByteSplice] = []
        for some in _together(edits):
            found = parsed.byte_splices(some)
            assert found is not None, "the bytes that the twin scans are known"
            splices += found
        return sorted(splices, key=itemgetter(0))  # what a removed attribute takes along may be behind others

    def _new(self, reference: Reference) -> str | Drop | None:
        """Return the new text of a reference."""
        asked = self._asked
        if asked.valid:
            return write_valid(self._document, reference, lambda link: self._ask(link, reference))
        document, inmost = innermost(self._document, reference)
        if asked.plain is None:
            of_base = inmost.kind == "base"  # which may have problems of its own
            needs_all = of_base or asked.sees_positions
            return self._ask(self._document.link(reference) if needs_all else document.resolved(inmost), reference)
        if self._leaves_metadata and inmost.kind == "metadata":
            return None
        text, place = inmost.text, document.parsed.places[inmost.place]
        if asked.needs_link(inmost.kind, place.element, place.attribute):
            return self._ask(self._document.link(reference), reference)
        if text == "" or inmost.kind in LOCAL_KINDS:
            return self._ask(document.resolved(inmost), reference)
        resolver = document.resolver if inmost.base is None else inmost.base
        known = self._known if resolver is self._document.resolver else {}
        if text not in known:
            if difference(resolver(text)[2]) is not None:
                return self._ask(document.resolved(inmost), reference)
            if len(known) >= _MOST_KNOWN:
                known.clear()
            known[text] = self._plain(text, resolver)
        new = known[text]
        if isinstance(new, LinkNeeded):
            return self._ask(document.resolved(inmost), reference)
        if asked.note is not None and inmost.kind == "resource":
            asked.note(place.element, place.attribute, text if new is None else new, 1)
        return new

    def _plain(self, text: str, resolver: BoundResolver) -> str | LinkNeeded | None:
        target, same, _ = resolver(text)
        assert self._asked.plain is not None
        return self._asked.plain(text, target, resolver.base, same_document=same)

    def _ask(self, link: Link, reference: Reference) -> str | Drop | None:
        if self._asked.of_element is None:
            return self._asked(link)
        document, inmost = innermost(self._document, reference)
        return self._asked(link, siblings(document.parsed, inmost.place))


def _together(edits: Iterable[Sequence[Edit]]) -> Iterator[list[Edit]]:
    """The edits of many places together, but not of too many."""
    some: list[Edit] = []
    for count, each in enumerate(edits, 1):
        some += each
        if count % _AT_ONCE == 0:
            yield some
            some = []
    yield some


def _edits(changes: Sequence[ChangedReference]) -> list[Edit]:
    """Return the edits of a document; those of documents inside it are edits of the places of these (rule 4)."""
    edits: list[Edit] = []
    for place, group in groupby(changes, key=lambda change: change.reference.place):
        here = list(group)
        inner = here[0].reference.inner
        if inner is None:
            edits += [_edit(reference, new) for reference, new in here]
            continue
        parsed = inner.document.parsed
        assert tells_splices(parsed)
        within = _edits([ChangedReference(each.inner.reference, new) for each, new in here if each.inner is not None])
        spliced = parsed.splices(within)
        edits += [Edit(place, inner.offset + start, inner.offset + end, text) for start, end, text in spliced]
    return edits


def _edit(reference: Reference, new: str | Drop) -> Edit:
    """Return the edit that turns one reference into another."""
    if isinstance(new, Drop):
        return Edit(reference.place, 0, 0, None)
    end, syntax, old = reference.end, reference.syntax, reference.text
    if syntax == "css" and old and new.endswith(old):
        end, new = reference.start, new[: -len(old)]  # the unchanged part keeps its escapes
    return Edit(reference.place, reference.start, end, SYNTAXES[syntax].write(new, reference.form))
