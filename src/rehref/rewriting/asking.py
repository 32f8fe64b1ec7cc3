"""Asking a rule about the references of one document, and editing the places of these as it wants.

1. A rule that needs only a reference and its target (`plain`) is asked for texts, unless browsers read one
   differently; any other for links. For a text that is relative to the document's base it is asked once.
2. References that a built-in rule would write differently if browsers read them like the RFC are counted
   (`rehref.rewriting.link_properties`).
3. If a rule raises an exception, it is raised here, since the rule is the caller's.
4. Only references that a rule changes are edited. A new reference that equals the old one, as written, is not a change;
   nor is an empty one instead of white space: it means the same, and in CSS an empty URL is not a reference.
5. This module writes a new reference for its micro-syntax (`rehref.carriers`); the core writes it for the markup, and
   splices it into the source.
6. References of a document inside a document are edited there, and the result becomes edits of the outer document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, TypeAlias

from rehref.base import Base
from rehref.carriers.syntaxes import SYNTAXES
from rehref.documents.base_lint import resolves_paths
from rehref.documents.document import LOCAL_KINDS, Document, Reference, innermost
from rehref.documents.formats.html_carriers import siblings
from rehref.documents.link import Link
from rehref.parsers.contract import Edit, tells_byte_splices, tells_refused, tells_splices
from rehref.parsers.source.twin_exchange import ByteSplice
from rehref.rewriting.contract import Drop, LinkNeeded, NewBeginning, Offer, Rule, offered_by
from rehref.rewriting.link_properties import difference
from rehref.rewriting.percent_encoding import write_valid
from rehref.text import WHITE_SPACE
from rehref.uri.grammar.rfc3986 import is_valid

_USUAL = frozenset({str, type(None), Drop})
"""The types of nearly all answers."""
_MOST_KNOWN = 100_000
_AT_ONCE = 5000  # how many places are edited at a time: edits take much more memory than splices


_Change: TypeAlias = "tuple[Reference, str | Drop]"  # a reference and its new text


class AskedRule:
    """`rule`: that of the document. `outer`: what the rule offers that it comes from (`rule_for`).

    `base`: the base of the document's references. `valid`: every reference is written as a valid URI.
    """

    def __init__(self, rule: Rule, outer: Offer, base: Base, *, valid: bool) -> None:
        self.rule = rule
        self.valid = valid
        self.otherwise = 0
        """How many references count by rule 2."""
        self.offer = outer if outer.for_document is None else offered_by(rule)
        """What the rule of the document offers; `plain` and `begins` say what of that may be used."""
        self._careful = outer.careful
        self.sees_positions = outer.per_link or not self._careful
        """Whether it may look at where a link is."""
        # below a valid base the targets of ordinary references are valid, too
        of_texts = not outer.per_link and not (valid and not is_valid(base.uri or ""))
        self.plain = self.offer.plain if of_texts else None
        """That of the rule, if it has it and it may be called."""
        self.begins = self.offer.by_beginning(base) if of_texts and self.offer.by_beginning is not None else None
        """What `by_beginning` of the rule says, if it has that."""
        self.by_row = not outer.per_link and (self._careful or self.plain is not None)
        """Whether it may be asked once for a row of a table."""

    @cached_property
    def needs_link(self) -> Callable[[str, str, str | None], bool]:
        """Whether the rule needs the place of a kind of reference, on an element, in an attribute."""
        return cache(self.offer.needs_link or _never)

    def __call__(self, link: Link, attributes: Mapping[str, str] | None = None) -> str | Drop | None:
        """Return the new text for a link. `attributes`: those of its element, if they are known."""
        rule = self.rule
        if self.offer.of_element is not None and attributes is not None:
            rule = partial(self.offer.of_element, attributes=attributes)
        new = rule(link)
        if not (new is None or isinstance(new, str | Drop)):
            raise _wrong(link, new)
        if self._careful and link.problems and difference(link.problems) is not None:
            self.otherwise += rule(link._replace(problems=())) != new
        return new

    def of_all(self, links: Sequence[Link]) -> list[str | Drop | None]:
        """Return the new texts for links, whose elements are not known."""
        if self._careful:
            return [self(link) for link in links]
        news = list(map(self.rule, links))
        if not _USUAL.issuperset(map(type, news)):
            for link, new in zip(links, news, strict=True):
                if not (new is None or isinstance(new, str | Drop)):
                    raise _wrong(link, new)
        return news

    def of_beginning(self, beginning: str, *of: Any) -> NewBeginning | None:
        """Return what `of_beginning` of the rule says; None also if it may write what is invalid."""
        assert self.begins is not None
        new = self.begins.of_beginning(beginning, *of)
        return None if new is not None and self.valid and not is_valid(f"{new.text or ''}x") else new


def _never(kind: str, element: str, attribute: str | None) -> bool:
    return False


def _wrong(link: Link, new: object) -> TypeError:
    return TypeError(
        "a rule returns the new reference as a str, None for one that stays as it is, or rehref.DROP, "
        f"not {type(new).__name__} (for {link.reference!r})"
    )


class PlaceEdits:
    """Asks a rule about the references of places. `changed`: how many of them change. `refused`: where a document
    inside this one leaves out edits.

    `unread`: the numbers of places whose references, all metadata, the rule is known to leave.
    """

    def __init__(self, document: Document, asked: AskedRule, unread: Sequence[int] = ()) -> None:
        self._document = document
        self._asked = asked
        self._known: dict[str, str | LinkNeeded | None] = {}  # the results of `plain` for texts (rule 1)
        self._unread = unread
        self._read = 0
        self.changed = 0
        self.refused: list[Reference] = []

    def of_all(self) -> list[Edit]:
        """Return the edits of all places, in order."""
        places = list(self._document.parsed.places)  # made all at once, which takes less time than one by one
        return [edit for number in range(len(places)) for edit in self.of_place(number)]

    def of_place(self, number: int, answers: Sequence[str | Drop | None] | None = None) -> Sequence[Edit]:
        """Return the edits of one place. `answers`: of the rule, if it has been asked about its references."""
        references = self._document.found(number)
        news = map(self._new, references) if answers is None else answers
        changes: list[_Change] = []
        for reference, new in zip(references, news, strict=True):
            self._read += 1
            if new is not None and new != reference.text and (new != "" or reference.text.strip(WHITE_SPACE)):
                changes.append((reference, new))
        self.changed += len(changes)
        return _edits(changes, self.refused) if changes else ()

    def references(self) -> int:
        """Return how many references there are; those of places that were not read are found for that."""
        return self._read + sum(len(self._document.found(number)) for number in self._unread)

    def splices(self, edits: Iterable[Sequence[Edit]]) -> list[ByteSplice]:
        """Return what edits of places replace in the bytes of the source, in order."""
        parsed = self._document.parsed
        assert tells_byte_splices(parsed)
        splices: list[ByteSplice] = []
        places = iter(edits)
        for some in iter(lambda: list(islice(places, _AT_ONCE)), []):
            found = parsed.byte_splices(list(chain.from_iterable(some)))
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
        text, place = inmost.text, document.parsed.places[inmost.place]
        if asked.needs_link(inmost.kind, place.element, place.attribute):
            return self._ask(self._document.link(reference), reference)
        if text == "" or inmost.kind in LOCAL_KINDS:
            link = document.resolved(inmost)
            if inmost.kind == "base" and not resolves_paths(link.target or ""):
                link = self._document.link(reference)  # whether it counts is one of its problems
            return self._ask(link, reference)
        resolver = document.resolver if inmost.base is None else inmost.base
        known = self._known if resolver is self._document.resolver else {}
        if text not in known:
            target, same, problems = resolver(text)
            if difference(problems) is not None:
                return self._ask(document.resolved(inmost), reference)
            if len(known) >= _MOST_KNOWN:
                known.clear()
            known[text] = asked.plain(text, target, resolver.base, same_document=same)
        new = known[text]
        if isinstance(new, LinkNeeded):
            return self._ask(document.resolved(inmost), reference)
        if asked.offer.note is not None and inmost.kind == "resource":
            asked.offer.note(place.element, place.attribute, text if new is None else new, 1)
        return new

    def _ask(self, link: Link, reference: Reference) -> str | Drop | None:
        if self._asked.offer.of_element is None:
            return self._asked(link)
        document, inmost = innermost(self._document, reference)
        return self._asked(link, siblings(document.parsed, inmost.place))


def _edits(changes: Sequence[_Change], refused: list[Reference]) -> list[Edit]:
    """Return the edits of one place; those of a document inside it become edits of the place (rule 6).

    `refused`: gets the references whose edits that document leaves out.
    """
    first, _ = changes[0]
    if first.inner is None:
        return [_edit(reference, new) for reference, new in changes]
    offset, inner = first.inner.offset, first.inner.document
    parsed = inner.parsed
    assert tells_splices(parsed)
    within = [(each.inner.reference, new) for each, new in changes if each.inner is not None]
    places, inside = groupby(within, key=lambda change: change[0].place), list[Reference]()
    spliced = parsed.splices([edit for _, group in places for edit in _edits(list(group), inside)])
    left = {each.place for each in inside}
    left |= {place for place, _ in inner.parsed.refused} if tells_refused(inner.parsed) else set()
    refused += [each for each, _ in changes if each.inner is not None and each.inner.reference.place in left]
    return [Edit(first.place, offset + start, offset + end, text) for start, end, text in spliced]


def _edit(reference: Reference, new: str | Drop) -> Edit:
    """Return the edit that turns one reference into another."""
    if isinstance(new, Drop):
        return Edit(reference.place, 0, 0, None)
    end, syntax, old = reference.end, reference.syntax, reference.text
    if syntax == "css" and old and new.endswith(old):
        end, new = reference.start, new[: -len(old)]  # the unchanged part keeps its escapes
    return Edit(reference.place, reference.start, end, SYNTAXES[syntax].write(new, reference.form))
