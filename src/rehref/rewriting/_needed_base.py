"""Documents that need the base that they embed, since patterns of speculation rules are relative to it, and stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehref.rewriting.rule import DocumentRule, Rule, offered_by

if TYPE_CHECKING:
    from rehref.documents.document import Document


def with_needed_base(document: Document, rule: Rule | DocumentRule) -> Rule | DocumentRule | None:
    """Return a rule that keeps the base of a document, if `rule` does not, and the document needs it; else None."""
    if document.base.origin != "embedded" or (with_base_kept := offered_by(rule).with_base_kept) is None:
        return None
    kept = with_base_kept()
    return kept if kept is not None and document.declared.relative_patterns else None
