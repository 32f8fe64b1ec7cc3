"""Apply a rule to all documents of a container, and count what it does.

A document that does not change is not touched, nor is what encloses it; one that takes too long stays as it is, and is
reported. The rule that counts is called for each link; if twice in a row for the same one
(`rehref.rewriting._asking_rules`), it counts once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO
from urllib.parse import unquote_to_bytes

from rehref.archives._container_integrity import (
    ContainerHashes,
    Demanded,
    FoundVersions,
    demanded_in,
    examined,
    may_have_hashes,
    policies_become,
    versions_in,
    with_hashes,
)
from rehref.archives.pieces import PLACES, RunCounts
from rehref.containers.kinds import Container
from rehref.containers.parts import ChangedPart, Diagnostic, Part, few
from rehref.containers.streams import is_same
from rehref.documents.document import Document
from rehref.documents.integrity import Digests, Hashes
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.exceptions import OutOfTimeError
from rehref.rewriting.edits import Rewritten, rewrite_document
from rehref.rewriting.link_properties import WITHIN, difference, is_file_uri
from rehref.rewriting.rule import (
    Attributes,
    DocumentRule,
    Drop,
    Offer,
    RowRule,
    Rule,
    offered_by,
    rule_for,
)
from rehref.uri.components import split

_READ_ONCE = "it is read only once; rewrite a whole file"
_NO_HASHES: Mapping[str, Sequence[Digests]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Rewriting:
    """How the documents of a container are rewritten."""

    rule: Rule | DocumentRule
    offer: Offer
    how: ReadOptions
    splices: bool
    percent_encode: bool

    def rule_on(self, date: str) -> Rule | DocumentRule:
        """Return the rule for what was captured at this time."""
        return self.rule if self.offer.dated is None else self.offer.dated(date)

    def rule_for(self, document: Document, date: str) -> Rule | DocumentRule:
        """The rule for a document. Where URIs of documents mean something only within the container, it leaves some
        references.
        """
        here = self.rule_on(date)
        if not (document.own.uri or "").startswith(WITHIN):
            return here
        return _but_inside(rule_for(here, document.own, document.base, document.how.profile))

    def rewritten(self, document: Document, here: Rule | DocumentRule) -> Rewritten:
        """Rewrite a document by its rule."""
        return rewrite_document(document, here, splices=self.splices, percent_encode=self.percent_encode)

    def examined(self, container: Container) -> ContainerHashes:
        """The hashes in a container, if it can be read twice, so that they stay right (`_container_integrity`)."""
        if not container.file.seekable() or container.options.within is not None:
            return ContainerHashes(why=_READ_ONCE)
        return examined(
            lambda: demanded_in(container, self.how),
            lambda demanded, known: self.versions_in(container, demanded, known),
        )

    def versions_in(self, container: Container, demanded: Demanded, known: ContainerHashes) -> FoundVersions:
        """Return the documents with hashes in a container."""

        def rewritten(document: Document, part: Part) -> bytes:
            return _joined(self.rewritten(document, self.rule_for(document, part.date)))

        return versions_in(container, self.how, demanded, known, rewritten)


def _joined(made: Rewritten) -> bytes:
    data = made.data
    assert isinstance(data, bytes)
    return data


@dataclass(slots=True)
class _Hashing:
    """Keeps hashes right in the documents that are written. `known`: what hashes become."""

    known: ContainerHashes
    counts: RunCounts
    stale: list[Diagnostic] = field(default_factory=list)
    is_unknown: bool = False

    def finished(self, document: Document, made: Rewritten, part: Part) -> ChangedPart:
        """Return the new document, and the new hashes for the policies of its head."""
        content, splices, moved = made.content, made.splices, _NO_HASHES
        assert not isinstance(content, str)
        has_some = bool(self.known.versions or self.known.why)
        old = document.source.data if has_some and not isinstance(content, bytes) else content
        if has_some and isinstance(old, bytes) and Hashes.may_be_in(old):
            new = with_hashes(document, _joined(made), self.known)
            self.is_unknown = self.is_unknown or new.is_unknown
            if new.moved:
                content, splices, moved = new.data, None, new.moved
            if part.is_counted:
                self.counts.hashes += bool(new.moved)
                self.stale += (
                    Diagnostic(part.label, f"the integrity of {each} did not match before, and stays", code="odd")
                    for each in new.stale
                )
        if not (made.changed or moved):
            return ChangedPart(content, splices)
        return ChangedPart(content, splices, policies_become(document, content, part.layers.policies, moved))

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield which hashes stay, after all is written."""
        yield from self.stale
        if self.is_unknown:
            yield Diagnostic(
                "", f"hashes of other documents in it (integrity) stay as they are: {self.known.why}", code="odd"
            )


def versions_for(
    container: Container,
    rule: Rule | DocumentRule,
    how: ReadOptions,
    demanded: Demanded,
    known: ContainerHashes,
    *,
    percent_encode: bool = False,
) -> FoundVersions:
    """Return the documents with hashes in a container that is rewritten together with others."""
    return _Rewriting(rule, offered_by(rule), how, splices=False, percent_encode=percent_encode).versions_in(
        container, demanded, known
    )


def rewrite_container(
    container: Container,
    out: BinaryIO,
    rule: Rule | DocumentRule,
    how: ReadOptions,
    counts: RunCounts,
    *,
    all_types: bool = False,
    guarded: bool = False,
    percent_encode: bool = False,
    places: list[str] | None = None,
    hashes: ContainerHashes | None = None,
) -> Iterator[Diagnostic]:
    """Write a container with rewritten documents to `out`, and yield diagnostics meanwhile.

    `guarded`: an exception of the rule becomes a diagnostic, and the document stays as it is; else it is raised, since
    the rule is the caller's. `percent_encode`: see `rewrite_document`. `places`: gets the first places that browsers
    read differently. `hashes`: of all containers that are rewritten together; None: of this one.
    """
    diagnostics: list[Diagnostic] = []
    rewriting = _Rewriting(rule, offered_by(rule), how, container.kind.takes_splices, percent_encode)
    known = ContainerHashes()
    if may_have_hashes(container, all_types=all_types):
        known = rewriting.examined(container) if hashes is None else hashes
    hashing = _Hashing(known, counts)

    with_encoding = container.encodings(how)

    def change(part: Part) -> ChangedPart | None:
        part = with_encoding(part)
        try:
            document = part.opened(how)
        except Exception as error:
            if part.is_counted:
                diagnostics.append(part.not_read(error))
            return None
        here = rewriting.rule_for(document, part.date)
        try:
            made = rewriting.rewritten(document, here)
            counts.withheld += withheld(document, here) if part.is_counted else 0
            new = hashing.finished(document, made, part)
        except Exception as error:
            if not guarded and not isinstance(error, OutOfTimeError):
                raise
            if part.is_counted:
                diagnostics.append(part.not_read(error))
            return None
        if part.is_counted:
            _count(counts, made)
        if part.is_counted and made.otherwise and places is not None and len(places) < PLACES:
            places.extend(first_places(part.uri or part.label, part.opened(how))[: PLACES - len(places)])
        return None if is_same(new.content, part.data) else new

    wanted = container.kind.wanted_for_reading if all_types else container.kind.wanted_for_rewriting
    for diagnostic in container.rewrite(out, change, wanted):
        while diagnostics:
            yield diagnostics.pop(0)
        yield diagnostic
    yield from diagnostics
    yield from few(hashing.diagnostics())


def _count(counts: RunCounts, rewritten: Rewritten) -> None:
    counts.documents += 1
    counts.references += rewritten.references
    counts.changed += rewritten.changed
    counts.otherwise += rewritten.otherwise
    counts.kept_bases += rewritten.keeps_base
    counts.changed_documents += rewritten.changed > 0


def _but_inside(rule: Rule) -> Rule:
    """The rule, which leaves references to documents of the same container unchanged.

    So it is in an EPUB, and in a message without any base (RFC 2557 §5).
    """

    def write(link: Link, attributes: Attributes) -> str | Drop | None:
        inside = link.target is not None and link.target.startswith(WITHIN)  # not a file that exists, either
        if inside or link.kind == "base":
            return None
        return rule.write(link, attributes) if isinstance(rule, RowRule) else rule(link)

    return (
        replace(rule, write=write, beginnings=None) if isinstance(rule, RowRule) else RowRule(write, None, False, True)
    )


class MissingTargets:
    """Counts references that were changed into relative ones, and lead to neither a file nor a folder on the disk.

    A query does not matter to this, and is ignored. One that leads out of the top folder counts, too.
    """

    def __init__(self, top: Path, relative: str) -> None:
        """`top`: the folder that the document is below; `relative`: its path there, with slashes."""
        self._top = top
        self._folder = relative.split("/")[:-1]
        self._there: dict[str, bool] = {}

    def count(self, made: Rewritten) -> int:
        """Return how many of these references there are."""
        texts = (
            each for each in made.asked.table.written() if isinstance(each.answer, str) and each.row.kind != "base"
        )
        new = (each for each in texts if each.answer not in ("", each.row.text))
        return sum(each.times for each in new if not self._is_there(str(each.answer)))

    def _is_there(self, reference: str) -> bool:
        scheme, authority, path, *_ = split(reference)
        if scheme is not None or authority is not None or path == "":
            return True
        if path not in self._there:
            self._there[path] = self._look(path)
        return self._there[path]

    def _look(self, path: str) -> bool:
        reached = [] if path.startswith("/") else self._folder.copy()
        for segment in path.split("/"):
            if segment == "..":
                if not reached:
                    return False
                reached.pop()
            elif segment not in (".", ""):
                reached.append(os.fsdecode(unquote_to_bytes(segment)))
        try:
            return self._top.joinpath(*reached).exists()
        except (OSError, ValueError):  # a NUL, a name that is too long
            return False


def withheld(document: Document, rule: Rule | DocumentRule) -> int:
    """How many references of a document the rule leaves so that it does not write a `file:` URI of this machine.

    `rule`: the rule that rewrote it.
    """
    if not document.own.local:
        return 0
    with_file_urls = offered_by(rule).with_file_urls
    writing = None if with_file_urls is None else with_file_urls()
    if writing is None:
        return 0
    own, base, profile = document.own, document.base, document.how.profile
    stays, written = rule_for(rule, own, base, profile), rule_for(writing, own, base, profile)
    local = (link for link in document.links() if link.base.local and is_file_uri(link.target))
    return sum(stays(link) is None and written(link) not in (None, link.reference) for link in local)


def first_places(name: str, document: Document) -> tuple[str, ...]:
    """The first places of a document where browsers read a reference differently (`link_properties`): `a.html:12`.

    For people. `name`: the document's name. A core that knows no lines gives the name alone.
    """
    found = (link.line for link in document.links() if difference(link.problems) is not None)
    lines = dict.fromkeys(islice(found, PLACES))
    return tuple(name if line is None else f"{name}:{line}" for line in lines)
