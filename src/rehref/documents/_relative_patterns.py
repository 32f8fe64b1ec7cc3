"""Patterns of speculation rules that are relative to the base of their page: a page with one needs its base."""

from __future__ import annotations

from rehref.documents._carriers.html_context import script_data
from rehref.markup.places import CompleteParsed


def has_relative_patterns(parsed: CompleteParsed) -> bool:
    """Whether a page has speculation rules with such a pattern."""
    for number, place in enumerate(parsed.places):
        if place.element == "script" and place.attribute is None and "href_matches" in place.value:
            carrier = script_data(parsed.attributes_at(number).get("type"))
            if carrier is not None and carrier.syntax == "speculation-rules":
                from rehref.uri._syntaxes.script_data import has_relative_pattern  # hardly any page has rules

                if has_relative_pattern(place.value):
                    return True
    return False
