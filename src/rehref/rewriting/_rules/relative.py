"""How `Relative` writes references."""

from __future__ import annotations

import re
from functools import cached_property

from rehref.documents.base import Base
from rehref.documents.link import Link
from rehref.rewriting.link_properties import (
    full,
    has_hierarchy,
    has_no_hierarchy,
    in_full,
    is_base_element,
    is_below_json_ld_base,
    is_json_ld,
    is_of_codebase,
    is_out_of_reach,
    is_same_document_as_written,
    may_go,
    settled,
)
from rehref.rewriting.rule import Attributes, ByBeginning, NewBeginning, RowRule
from rehref.uri.components import Components, split, unsplit
from rehref.uri.normalization import comparison_key
from rehref.uri.resolver import Profile, Relativizer

_PLAIN_AUTHORITY = re.compile(r"([a-z0-9\-.]*[a-z0-9\-])\.*(?::[0-9]*)?").fullmatch


class _Host:
    """The scheme and authority of a URI, and equivalent ones (RFC 3986 §6.2.2, §6.2.3)."""

    __slots__ = ("_authority", "_key", "_profile", "_same", "_scheme", "plain")

    def __init__(self, uri: str, profile: Profile) -> None:
        self._scheme, self._authority = split(uri)[:2]
        plain = _PLAIN_AUTHORITY(self._authority or "")
        self.plain = None if plain is None else plain[1]
        """The name of the host, if it is such that a URI with another beginning is on another host."""
        self._profile = profile
        self._key: str | None = None
        self._same: dict[tuple[str | None, str | None], bool] = {}

    def as_own(self, target: str, parts: Components) -> str | None:
        """Return a hierarchical target on this host, with scheme and authority written as here; None for any other."""
        scheme, authority, path, query, fragment = parts
        if (scheme, authority) == (self._scheme, self._authority):
            if path != "":
                return target
        elif not self._is_same(scheme, authority):
            return None
        if path == "" and authority is not None:
            path = split(comparison_key(f"{scheme}://{authority}")).path  # "/", if the scheme says so
        return unsplit((self._scheme, self._authority, path, query, fragment))

    def _is_same(self, scheme: str | None, authority: str | None) -> bool:
        """Return whether they are equivalent to those here."""
        known = self._same.get((scheme, authority))
        if known is None:
            if self._key is None:
                self._key = self._key_of(self._scheme, self._authority)
            known = self._same[scheme, authority] = self._key_of(scheme, authority) == self._key
        return known

    def _key_of(self, scheme: str | None, authority: str | None) -> str:
        return comparison_key(unsplit((scheme, authority, "/", None, None)), self._profile)


def rule_of_document(own: Base, base: Base, profile: Profile, *, metadata: bool) -> RowRule:
    """Return the rule for one document."""
    if own.uri is None or has_no_hierarchy(base):
        return RowRule(lambda link, attributes: None)
    rule = _RelativeTo(own.uri, base, profile, metadata=metadata)
    return RowRule(rule.write, rule.beginnings)


class _RelativeTo:
    """`Relative` for one document.

    `own`: its URI. `base`: the base that browsers use; they do not know `codebase`.
    """

    def __init__(self, own: str, base: Base, profile: Profile, *, metadata: bool) -> None:
        self._own = own
        self._base = base
        self._metadata = metadata
        self._profile: Profile = profile
        path = own.partition("?")[0]
        # `beginnings` knows no others
        self._path = None if "/." in path or not path.startswith(("http://", "https://", "file:///")) else path
        # the empty reference is the document itself, however its URI is written (RFC 3986 §5.2.2), except to browsers
        self._is_empty_own = profile in ("rfc3986", "rfc3986-compat")

    @cached_property
    def _relative(self) -> Relativizer:
        return Relativizer(self._own, self._profile, paths_only=True)

    @cached_property
    def _host(self) -> _Host:
        return _Host(self._own, self._profile)

    @property
    def beginnings(self) -> ByBeginning | None:
        """See `RowRule`."""
        return None if self._path is None else ByBeginning(self._of_beginning, metadata=self._metadata)

    def write(self, link: Link, _attributes: Attributes) -> str | None:
        """Return the new reference of the link, or None if it stays."""
        if is_base_element(link):
            return "" if link.target is None or split(link.target).resolves_paths else None
        if has_no_hierarchy(link.base):  # that of a `srcdoc`
            return None
        if link.kind == "text" or is_out_of_reach(link, metadata=self._metadata):  # texts have no relative ones
            return None
        of_codebase = is_of_codebase(link.base)  # other attributes (`code`) stay relative to that
        here = settled(link, base_goes=may_go(self._base if of_codebase else link.base, self._own))
        if here is None:
            return None
        if of_codebase or (is_json_ld(here) and (is_below_json_ld_base(here) or in_full(here) is None)):
            return in_full(here)
        assert here.target is not None
        if is_same_document_as_written(here):
            return None
        reference = self._written(here.reference, here.target, here.base)
        if reference is not None and reference[:1] == "@" and is_json_ld(here):
            return f"./{reference}"  # a text that looks like a keyword is not a reference
        # "" is not a resource or style sheet, although by the RFC it is the document
        if reference == "" and here.element not in ("a", "area"):
            is_folder = self._own.endswith("/") and here.target == self._own
            return "./" if is_folder else self._host.as_own(here.target, split(here.target))
        # an import map has no place for a query or a fragment alone
        if reference is not None and reference[:1] in ("?", "#") and _is_of_script(here.element, here.attribute):
            return self._host.as_own(here.target, split(here.target))
        return reference

    def _of_beginning(self, beginning: str, *of: str | None) -> NewBeginning | None:
        assert self._path is not None
        if "text" in of[2:3]:
            return NewBeginning(None)  # as in `__call__`; no other kind is in a document with these
        if beginning in ("http://", "https://", "http:", "https:", ""):
            return self._elsewhere(beginning)
        below = self._path.removeprefix(beginning)
        if below == self._path or beginning[-1] != "/":
            return None
        # what is in the next folder on the way to the document, or is the document, has a shorter path
        folder, slash, _ = below.partition("/")
        nearer = (folder + slash,) if folder + slash else ()
        return NewBeginning("../" * below.count("/"), (*nearer, "?", "#"))

    def _elsewhere(self, beginning: str) -> NewBeginning | None:
        """The same for `http://` and the like, which other hosts follow; and "": other schemes."""
        scheme, colon, slashes = beginning.partition(":")
        here = self._own.startswith(f"{scheme}:") if colon else self._own.startswith("file:")
        if here and (not colon or self._host.plain is None):
            return None
        own_host = (self._host.plain or "",) if slashes else (f"//{self._host.plain}",)
        return NewBeginning(beginning, own_host if here else ())

    def _written(self, reference: str, target: str, base: Base) -> str | None:
        """Return a target as a relative reference, or in full; None if the reference stays."""
        parts = split(target)
        if not has_hierarchy(parts):
            return None
        as_own = self._host.as_own(target, parts)
        if as_own is None:  # a reference relative to another base must be rewritten
            return full(reference, target, base)
        rest = as_own.removeprefix(self._own)
        if self._is_empty_own and rest != as_own and rest[:1] in ("", "#"):
            return rest
        return self._relative(as_own)


def _is_of_script(element: str, attribute: str | None) -> bool:
    """Return whether a reference is in the text of a script."""
    return element == "script" and attribute is None
