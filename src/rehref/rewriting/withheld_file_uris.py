"""Counts the references that a rule leaves as they are, not to write `file:` URIs of this machine (rules, rule 7)."""

from __future__ import annotations

from rehref.documents.document import Document
from rehref.rewriting.contract import DocumentRule, Rule, is_document_rule
from rehref.rewriting.rules.link_properties import is_file_uri


def withheld(document: Document, rule: Rule | DocumentRule) -> int:
    """How many references of a document stay for that reason. `rule` is what it was rewritten with."""
    if not document.own.local or not hasattr(rule, "with_file_urls"):
        return 0
    telling = rule.with_file_urls()
    if telling is None:
        return 0
    stays, told = _for_document(rule, document), _for_document(telling, document)
    local = (link for link in document.links() if link.base.local and is_file_uri(link.target))
    return sum(stays(link) is None and told(link) not in (None, link.reference) for link in local)


def _for_document(rule: Rule | DocumentRule, document: Document) -> Rule:
    if is_document_rule(rule):
        return rule.for_document(document.own, document.base, document.profile)
    return rule  # type: ignore[return-value]  # it needs to know no document
