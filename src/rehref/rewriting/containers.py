"""Apply a rule to all documents of a container.

1. A document that does not change is not touched, nor is what encloses it.
2. If the URIs of documents mean something only within the container (an EPUB; a message without any base, RFC 2557 §5),
   a reference that leads to such a document stays as it is, whatever the rule.
3. If a rule raises an exception, it is raised here, since the rule is the caller's; with `guarded` it is reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from rehref.containers.opening import not_read, open_part
from rehref.containers.parts import ChangedPart, Diagnostic, Part
from rehref.containers.registry import Container
from rehref.documents.link import Link
from rehref.options import ReadOptions
from rehref.rewriting.contract import DocumentRule, Drop, Rule, is_careful, rule_for
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.percent_encoding import WITHIN
from rehref.rewriting.rules.template import Template
from rehref.rewriting.withheld_file_uris import withheld


@dataclass(slots=True)
class Counts:
    """Counts for the documents of a file; `missing`: references that were written, but lead to missing files."""

    documents: int = 0
    references: int = 0
    changed: int = 0
    changed_documents: int = 0
    otherwise: int = 0
    withheld: int = 0
    missing: int = 0


def rewrite_container(
    container: Container,
    out: BinaryIO,
    rule: Rule | DocumentRule,
    how: ReadOptions,
    counts: Counts,
    *,
    all_types: bool = False,
    guarded: bool = False,
    percent_encode: bool = False,
) -> Iterator[Diagnostic]:
    """Write a container with rewritten documents to `out`, and yield diagnostics meanwhile.

    `guarded`: an exception of the rule becomes a diagnostic, and the document stays as it is. `percent_encode`: see
    `rewrite_document`.
    """
    diagnostics: list[Diagnostic] = []

    def change(part: Part) -> ChangedPart | None:
        try:
            document = open_part(part, how)
        except Exception as error:
            diagnostics.append(not_read(part, error))
            return None
        here: Rule | DocumentRule = rule.dated(part.date) if isinstance(rule, Template) else rule
        if (document.own.uri or "").startswith(WITHIN):
            here = _ButInside(rule_for(here, document.own, document.base, document.how.profile), is_careful(rule))
        try:
            splices = container.kind.takes_splices
            rewritten = rewrite_document(document, here, splices=splices, percent_encode=percent_encode)
        except Exception as error:
            if not guarded:
                raise
            diagnostics.append(not_read(part, error))
            return None
        counts.documents += 1
        counts.withheld += withheld(document, here)
        counts.references += rewritten.references
        counts.changed += rewritten.changed
        counts.otherwise += rewritten.otherwise
        counts.changed_documents += rewritten.changed > 0
        if rewritten.data == part.data:
            return None
        assert isinstance(rewritten.data, bytes)
        return ChangedPart(rewritten.data, rewritten.splices)

    wanted = container.kind.wanted_for_reading if all_types else container.kind.wanted_for_rewriting
    for diagnostic in container.rewrite(out, change, wanted):
        while diagnostics:
            yield diagnostics.pop(0)
        yield diagnostic
    yield from diagnostics


@dataclass(frozen=True, slots=True)
class _ButInside:
    """Return the rule, which leaves references to documents of the same container unchanged (rule 2)."""

    rule: Rule
    careful: bool

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference of the link, or None if it stays."""
        inside = link.target is not None and link.target.startswith(WITHIN)  # not a file that exists, either
        return None if inside or link.kind == "base" else self.rule(link)
