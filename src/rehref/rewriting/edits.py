"""Apply a rule to a document: edits are planned on decoded values, and a parser core splices them into the source.

1. Only references that a rule changes are edited. A new reference that equals the old one, as written, is not a change;
   nor is an empty one instead of white space: it means the same, and in CSS an empty URL is not a reference.
2. This module writes a new reference for its micro-syntax (`rehref.carriers`); the core writes it for the markup.
3. If a rule raises an exception, it is raised here, since the rule is the caller's.
4. References of a document inside a document are edited there, and the result becomes edits of the outer document.
5. A rule that needs only a reference and its target is called once for each text (`PlainRule`), unless browsers read
   the text differently.
6. The twin finds the ordinary references for such a rule (`rehref.rewriting.direct_splices`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, Protocol

from rehref.base import Base
from rehref.carriers.syntaxes import SYNTAXES
from rehref.documents.bound_resolver import BoundResolver
from rehref.documents.document import LOCAL_KINDS, Document, Reference, innermost
from rehref.documents.formats.html_carriers import siblings
from rehref.documents.link import Link
from rehref.options import ReadOptions
from rehref.parsers.contract import Edit, tells_byte_splices, tells_splices
from rehref.parsers.source.twin_exchange import ByteSplice, Changes
from rehref.rewriting.browser_differences import difference
from rehref.rewriting.contract import (
    DocumentRule,
    Drop,
    Rule,
    is_careful,
    rule_for,
    written_targets,
)
from rehref.rewriting.direct_splices import direct_splices
from rehref.rewriting.percent_encoding import write_valid
from rehref.text.ascii import WHITE_SPACE
from rehref.text.large_bytes import AnyBytes, joined

_MOST_KNOWN = 100_000
_AT_ONCE = 5000
"""How many places are edited at a time: edits take much more memory than splices."""


class ChangedReference(NamedTuple):
    """A reference and its new text."""

    reference: Reference
    new: str | Drop


class Rewritten(NamedTuple):
    """A document's new source, of the same type as the old; how many references were changed; how many there are.

    `content`: the source; a large one is made in pieces.
    `otherwise`: how many references a built-in rule would have written differently if browsers read them like the RFC
    (`rehref.rewriting.browser_differences`).
    `splices`: what was replaced in the bytes of the source (from, to, by what), if requested and known.
    """

    content: AnyBytes | str
    changed: int
    references: int
    splices: Sequence[tuple[int, int, bytes]] | None = None
    otherwise: int = 0

    @property
    def data(self) -> bytes | str:
        """The source as a whole."""
        return self.content if isinstance(self.content, str) else joined(self.content)


class _Source(Protocol):
    """A document, or a page that is to become one: what it is before it is complete."""

    @property
    def own(self) -> Base:
        """Its own URI."""

    @property
    def base(self) -> Base:
        """The base of its references."""

    @property
    def how(self) -> ReadOptions:
        """How it is read."""

    @property
    def document(self) -> Document:
        """The complete document."""

    def absolute(self, *, fragments: bool, metadata: bool) -> Changes | None:
        """See `Document.absolute`."""

    def spliced(self, changes: Changes, others: Sequence[ByteSplice]) -> AnyBytes | str:
        """See `Document.spliced`."""


def rewrite_document(
    source: _Source, rule: Rule | DocumentRule, *, splices: bool = False, percent_encode: bool = False
) -> Rewritten:
    """Apply a rule to a document. `percent_encode`: write every reference as a valid URI."""
    here = rule_for(rule, source.own, source.base, source.how.profile)
    plan = _Plan(source, here, careful=is_careful(rule), valid=percent_encode)
    by_twin = plan.by_twin(splices=splices) or plan.by_texts(splices=splices)
    if by_twin is not None:
        return by_twin
    edits = plan.run()
    parsed = source.document.parsed
    replaced = parsed.byte_splices(edits) if splices and tells_byte_splices(parsed) else None
    return Rewritten(parsed.apply(edits), plan.changed, plan.references, replaced, plan.otherwise)


class _Plan:
    """Applies a rule to the places of a document, one after the other."""

    def __init__(self, source: _Source, rule: Rule, *, careful: bool, valid: bool) -> None:
        self.source = source
        self.rule = rule
        self.careful = careful
        self.otherwise = 0
        self.leaves_metadata = False  # whether the rule is known to leave them all
        self.valid = valid
        # the methods of a `PlainRule` and an `ElementRule`
        self.plain: Callable[..., str | None] | None = None if valid else getattr(rule, "plain", None)
        self.of_element: Callable[..., str | Drop | None] | None = getattr(rule, "of_element", None)
        self.needs_link: Callable[..., bool] | None = getattr(rule, "needs_link", None)
        self.changed = 0
        self.references = 0
        # the results of `plain` for texts that are relative to the document's base
        self._known: dict[str, str | None] = {}

    def by_twin(self, *, splices: bool) -> Rewritten | None:
        """Return the document rewritten by the twin and, where needed, by Python; None if the twin cannot do it."""
        written = None if self.plain is None else written_targets(self.rule, self.source.base)
        if written is None:
            return None
        changes = self.source.absolute(fragments=written.fragments, metadata=written.metadata)
        if changes is None:
            return None
        self.references, self.changed = changes.references, changes.changed
        self.leaves_metadata = not written.metadata
        others = self._others(changes.odd) if changes.odd else ()
        replaced = changes.byte_splices(others) if splices else None
        data = self.source.spliced(changes, others)
        return Rewritten(data, self.changed, self.references, replaced, self.otherwise)

    def by_texts(self, *, splices: bool) -> Rewritten | None:
        """Return the document rewritten with ordinary links that the twin finds; None if it cannot do it (rule 6)."""
        if self.plain is None:
            return None
        found = direct_splices(self.document, lambda text: self._text(text, self.document.resolver), self.needs_link)
        if found is None:
            return None
        self.references, self.changed = found.references, len(found.splices)
        made = sorted([*found.splices, *self._others(found.odd)], key=itemgetter(0))
        data = self.source.spliced(Changes(0, b"", [], ()), made)
        return Rewritten(data, self.changed, self.references, made if splices else None, self.otherwise)

    def _others(self, odd: Sequence[int]) -> Sequence[ByteSplice]:
        """Return what is replaced in the places that the twin leaves to Python."""
        parsed = self.document.parsed
        assert tells_byte_splices(parsed)
        others: list[ByteSplice] = []
        for first in range(0, len(odd), _AT_ONCE):
            edits = [edit for number in odd[first : first + _AT_ONCE] for edit in self._place(number)]
            some = parsed.byte_splices(edits) if edits else ()
            assert some is not None, "the bytes that the twin scans are known"
            others += some
        if len(odd) > _AT_ONCE:
            others.sort(key=itemgetter(0))
        return others

    @cached_property
    def document(self) -> Document:
        """The complete document."""
        return self.source.document

    def run(self) -> list[Edit]:
        """Return the edits in order."""
        places = list(self.document.parsed.places)  # made all at once, which takes less time than one by one
        return [edit for number in range(len(places)) for edit in self._place(number)]

    def _place(self, number: int) -> Sequence[Edit]:
        """Return the edits of one place."""
        changes: list[ChangedReference] = []
        for reference in self.document.found(number):
            self.references += 1
            new = self._new(reference)
            if new is not None and new != reference.text and (new != "" or reference.text.strip(WHITE_SPACE)):
                changes.append(ChangedReference(reference, new))
        self.changed += len(changes)
        if changes and changes[0].reference.inner is not None:
            return _edits(changes)
        return [_edit(reference, new) for reference, new in changes]  # most places are like this, and need no grouping

    def _new(self, reference: Reference) -> str | Drop | None:
        """Return the new text of a reference."""
        if self.valid:
            return write_valid(self.document, reference, lambda link: self._ask(link, reference))
        if self.plain is None:
            return self._ask(self.document.link(reference), reference)
        document, inmost = innermost(self.document, reference)
        if self.leaves_metadata and inmost.kind == "metadata":
            return None
        text = inmost.text
        if text == "" or inmost.kind in LOCAL_KINDS or self._is_special(document, inmost):
            return self._ask(document.resolved(inmost), reference)
        resolver = document.resolver if inmost.base is None else inmost.base
        if text not in self._known or resolver is not self.document.resolver:
            problems = resolver(text)[2]
            if problems and difference(problems) is not None:
                return self._ask(document.resolved(inmost), reference)
        return self._text(text, resolver)

    def _text(self, text: str, resolver: BoundResolver) -> str | None:
        """Return the new text for a text that the rule needs no link for."""
        assert self.plain is not None
        known = self._known if resolver is self.document.resolver else {}
        if text not in known:
            if len(known) >= _MOST_KNOWN:
                known.clear()
            target, same, _ = resolver(text)
            known[text] = self.plain(text, target, resolver.base, same_document=same)
        return known[text]

    def _is_special(self, document: Document, reference: Reference) -> bool:
        """Return whether the rule needs the link of this reference, besides its texts."""
        if self.needs_link is None:
            return False
        place = document.parsed.places[reference.place]
        return self.needs_link(reference.kind, place.element, place.attribute)

    def _ask(self, link: Link, reference: Reference) -> str | Drop | None:
        """Return the rule's result for a link. Counts references that differ because of browsers."""
        rule = self.rule
        if self.of_element is not None:
            document, inmost = innermost(self.document, reference)
            rule = partial(self.of_element, attributes=siblings(document.parsed, inmost.place))
        new = rule(link)
        if not (new is None or isinstance(new, str | Drop)):
            raise TypeError(
                "a rule returns the new reference as a str, None for one that stays as it is, or rehref.DROP, "
                f"not {type(new).__name__} (for {link.reference!r})"
            )
        if self.careful and link.problems and difference(link.problems) is not None:
            self.otherwise += rule(link._replace(problems=())) != new
        return new


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
