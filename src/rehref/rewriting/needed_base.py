"""Documents that need the base that they embed, since patterns of speculation rules are relative to it, and stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehref.carriers.html_context import script_data
from rehref.documents.formats.html_carriers import siblings
from rehref.rewriting.contract import DocumentRule, Rule, offered_by

if TYPE_CHECKING:
    from rehref.documents.document import Document


def with_needed_base(document: Document, rule: Rule | DocumentRule) -> Rule | DocumentRule | None:
    """Return a rule that keeps the base of a document, if `rule` does not, and the document needs it; else None."""
    if document.base.origin != "embedded" or (with_base_kept := offered_by(rule).with_base_kept) is None:
        return None
    kept = with_base_kept()
    return kept if kept is not None and _needs_base(document) else None


def _needs_base(document: Document) -> bool:
    parsed = document.parsed
    for number, place in enumerate(parsed.places):
        if place.element == "script" and place.attribute is None and "href_matches" in place.value:
            carrier = script_data(siblings(parsed, number).get("type"))
            if carrier is not None and carrier.syntax == "speculation-rules":
                from rehref.carriers.script_data import has_relative_pattern

                if has_relative_pattern(place.value):
                    return True
    return False
