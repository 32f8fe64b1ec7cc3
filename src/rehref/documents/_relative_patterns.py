"""Patterns of speculation rules that are relative to the base of their page: a page with one needs its base."""

from __future__ import annotations

import re

from rehref.documents._carriers.html_context import script_data
from rehref.markup.places import CompleteParsed
from rehref.text.json_text import Array, Object, String, Value

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:").match


def has_relative_patterns(parsed: CompleteParsed) -> bool:
    """Whether a page has speculation rules with such a pattern."""
    for number, place in enumerate(parsed.places):
        if place.element == "script" and place.attribute is None and "href_matches" in place.value:
            carrier = script_data(parsed.attributes_at(number).get("type"))
            is_rule_set = carrier is not None and carrier.syntax == "speculation-rules"
            if is_rule_set and _has_relative_pattern(place.value):
                return True
    return False


def _has_relative_pattern(value: str) -> bool:
    """Whether speculation rules have one (HTML Standard, "parse a speculation rule set string")."""
    rule_set = Object.read(value)
    waiting: list[Value] = [] if rule_set is None else [rule_set]
    while waiting:
        here = waiting.pop()
        found = here.members if isinstance(here, Object) else {}
        patterns = found.pop("href_matches", None)
        if any(map(_is_relative_pattern, patterns.items if isinstance(patterns, Array) else (patterns,))):
            return True
        waiting += here.items if isinstance(here, Array) else found.values()
    return False


def _is_relative_pattern(pattern: Value | None) -> bool:
    # URL Pattern, "create": a text with a protocol, or a dictionary that has one, or a base of its own, is not relative
    if isinstance(pattern, Object):
        return pattern.members.keys().isdisjoint(("protocol", "baseURL"))
    return isinstance(pattern, String) and _SCHEME(pattern.text) is None
