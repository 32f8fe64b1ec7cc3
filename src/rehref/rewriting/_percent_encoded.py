"""A rule that writes valid URIs: with `percent_encode`, every reference that is written matches RFC 3986.

A reference that does not match is percent-encoded before the rule gets it, as if the author had written it so. Browsers
must go where they went before. If that does not hold (a backslash that is a slash to browsers), `whatwg` writes the
target in browsers, and the profiles of the RFCs leave the reference as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from rehref.documents.base import Candidate, Problem, clean
from rehref.documents.link import Link, RowSetting
from rehref.rewriting.link_properties import WITHIN, difference
from rehref.rewriting.rule import Drop, Rule
from rehref.uri.components import split
from rehref.uri.normalization import percent_encode
from rehref.uri.resolver import parse_or_none
from rehref.uri.validation import is_valid

NEVER_CHANGED: Final = frozenset({"about", "blob", "cid", "data", "javascript", "mailto", "mid"})
"""Schemes whose URIs are content or a name, which stays as it is written."""

_FILLED_IN = "%s"
_MARK = "placeholder"
_ANY_BASE = "http://site.invalid/a/"
_LEFT_ALONE = frozenset({"fragment", "namespace", "metadata", "part"})


def write_valid(link: Link, again: Callable[[str], Link], setting: RowSetting, rule: Rule) -> str | Drop | None:
    """The new reference of a link under a rule, or None if it stays.

    If the rule leaves it, the percent-encoded form is written; if the rule changes it, the new reference is
    percent-encoded again where necessary. One that cannot become a URI is not written. `again`: returns the link with
    another text. `setting`: what it is relative to.
    """
    valid = _Valid(setting)
    old = text = link.reference
    if not valid.is_valid(text) and not _is_left_alone(link, setting):
        text = valid.of(text)
        link = again(text)
    new = rule(_with_difference(link, valid))
    if isinstance(new, str):
        new = valid.of(new)
        new = new if valid.is_valid(new) else None
    if new is None:
        return None if text == old else text
    return new


class _Valid(NamedTuple):
    """Makes valid references for one place. `setting`: what they are relative to."""

    setting: RowSetting

    def is_valid(self, text: str) -> bool:
        """Return whether a reference is valid, apart from its placeholder."""
        return is_valid(text.replace(_FILLED_IN, "", 1) if self.setting.has_placeholder else text)

    def of(self, text: str) -> str:
        """A reference percent-encoded, or as browsers read it, or unchanged. The `%s` that a browser replaces stays."""
        if not self.setting.has_placeholder:
            return _valid(text, self.setting)
        mark = _MARK
        while mark in text:
            mark += _MARK
        return _valid(text.replace(_FILLED_IN, mark, 1), self.setting).replace(mark, _FILLED_IN, 1)


def _with_difference(link: Link, valid: _Valid) -> Link:
    """The link, with the problem `browser-differs` if its target cannot be a URI.

    So built-in rules leave it, or, if its base is removed, write it as browsers read it.
    """
    target = link.target
    if target is None or valid.is_valid(target) or valid.is_valid(valid.of(target)):
        return link
    if difference(link.problems) is not None:
        return link
    message = "as a URI, browsers resolve it to a different target"
    problem = Problem("browser-differs", message, valid.setting.resolver.in_browsers(link.reference))
    return link._replace(problems=(*link.problems, problem))


def _is_left_alone(link: Link, setting: RowSetting) -> bool:
    """Whether a reference that the rule leaves must stay.

    Names and fragments of this document (`usemap` compares them as they are written), statements (`metadata`), the
    schemes in `NEVER_CHANGED`, references to another part of the same container, what cannot be a base, so that it does
    not become one, and in XML what could mean anything (`unknown-entity`).
    """
    if link.kind in _LEFT_ALONE or (link.target or "").startswith(WITHIN):
        return True
    if link.target is None and any(problem.code == "unknown-entity" for problem in link.problems):
        return True
    if link.kind == "base":
        return Candidate(link.target or "", "default", "").alone(setting.document.how.profile).uri is None
    return (split(clean(link.reference)).scheme or "").lower() in NEVER_CHANGED


def _valid(text: str, setting: RowSetting) -> str:
    """A reference percent-encoded, or as browsers read it, or unchanged."""
    if is_valid(text):
        return text
    resolver, cleaned = setting.resolver, clean(text)
    base = resolver.base.uri
    written = percent_encode(cleaned, None if base is None else split(base).scheme, resolver.encode)
    if _leads_alike(cleaned, written, resolver.in_browsers):
        return written
    seen = resolver.in_browsers(cleaned) if setting.document.how.profile == "whatwg" else None
    return text if seen is None else percent_encode(seen)


def _leads_alike(old: str, new: str, in_browsers: Callable[[str], str | None]) -> bool:
    """Whether browsers go to the same target: that of the new reference is the percent-encoded one of the old."""
    before, after = in_browsers(old), in_browsers(new)
    if before is None and after is None:  # no other target, either
        before, after = parse_or_none(old, _ANY_BASE), parse_or_none(new, _ANY_BASE)
    if before is None or after is None:
        return before == after
    return before == after or percent_encode(before) == percent_encode(after)
