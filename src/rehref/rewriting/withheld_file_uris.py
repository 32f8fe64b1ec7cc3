"""Count the references that a rule leaves, so that it does not write `file:` URIs of this machine."""

from __future__ import annotations

from rehref.documents.document import Document
from rehref.rewriting.contract import DocumentRule, Rule, rule_for
from rehref.rewriting.rules.link_properties import is_file_uri


def withheld(document: Document, rule: Rule | DocumentRule) -> int:
    """Return how many references of a document stay for that reason. `rule`: the rule that rewrote it."""
    if not document.own.local or not hasattr(rule, "with_file_urls"):
        return 0
    writing = rule.with_file_urls()
    if writing is None:
        return 0
    own, base, profile = document.own, document.base, document.how.profile
    stays, written = rule_for(rule, own, base, profile), rule_for(writing, own, base, profile)
    local = (link for link in document.links() if link.base.local and is_file_uri(link.target))
    return sum(stays(link) is None and written(link) not in (None, link.reference) for link in local)
