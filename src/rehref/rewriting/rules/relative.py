"""The rule that makes references relative to the document's own URI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from rehref.base import Base
from rehref.documents.base_lint import is_hierarchical as may_be_base
from rehref.documents.link import Link
from rehref.option_errors import refuse_no_flags
from rehref.rewriting.browser_differences import has_no_hierarchy, may_go, settled
from rehref.rewriting.contract import Rule
from rehref.rewriting.rules.link_properties import (
    in_full,
    is_base_element,
    is_below_codebase,
    is_below_json_ld_base,
    is_hierarchical,
    is_json_ld,
    is_out_of_reach,
    is_same_document_as_written,
)
from rehref.uri.components import Components, split, unsplit
from rehref.uri.normalization import DEFAULT_PORTS, comparison_key
from rehref.uri.relativize import Relativizer
from rehref.uri.resolver import Profile


class _Host:
    """The scheme and authority of a URI, and equivalent ones (RFC 3986 §6.2.2, §6.2.3)."""

    __slots__ = ("_authority", "_key", "_profile", "_scheme")

    def __init__(self, uri: str, profile: Profile) -> None:
        self._scheme, self._authority = split(uri)[:2]
        self._profile = profile
        self._key = self._key_of(self._scheme, self._authority)

    def as_own(self, target: str, parts: Components) -> str | None:
        """Return a hierarchical target on this host, with scheme and authority written as here; None for any other."""
        scheme, authority, path, query, fragment = parts
        if (scheme, authority) == (self._scheme, self._authority):
            if path != "":
                return target
        elif self._key_of(scheme, authority) != self._key:
            return None
        if path == "" and scheme is not None and scheme.lower() in DEFAULT_PORTS:
            path = "/"
        return unsplit((self._scheme, self._authority, path, query, fragment))

    def _key_of(self, scheme: str | None, authority: str | None) -> str:
        return comparison_key(unsplit((scheme, authority, "/", None, None)), self._profile)


@dataclass(frozen=True, slots=True)
class Relative:
    """Make every reference to the document's own scheme and host relative to the document's own URI.

    These are compared like `rehref.equivalent` does, in the `whatwg` profile as the URL Standard serializes them.

    Only relative paths are written, which keep working when the documents are moved or opened from a disk. The `href`
    of a `base` element becomes empty, since the references must be relative to the document. A document without a URI
    of its own stays unchanged. `metadata`: as with `Absolute`, but absolute references in JSON-LD stay, since only they
    are references below `@base: null`; references relative to an `@base` become absolute. References that browsers read
    differently are treated as with `Absolute`; below a base against which browsers resolve nothing, nothing changes.
    """

    careful: ClassVar[bool] = True
    may_miss_files: ClassVar[bool] = True
    metadata: bool = False

    def __post_init__(self) -> None:
        refuse_no_flags(metadata=self.metadata)

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """Return the rule for one document."""
        if own.uri is None or has_no_hierarchy(base):
            return lambda link: None
        relative = Relativizer(own.uri, profile, paths_only=True)
        host = _Host(own.uri, profile)

        def rule(link: Link) -> str | None:
            if is_base_element(link):
                return "" if link.target is None or may_be_base(link.target) else None
            if has_no_hierarchy(link.base):  # that of a `srcdoc`
                return None
            if link.kind == "text" or is_out_of_reach(link, metadata=self.metadata):  # texts have no relative ones
                return None
            of_codebase = is_below_codebase(link)  # other attributes (`code`) stay relative to that
            here = settled(link, base_goes=may_go(base if of_codebase else link.base, own.uri))
            if here is None:
                return None
            if of_codebase or (is_json_ld(here) and (is_below_json_ld_base(here) or in_full(here) is None)):
                return in_full(here)
            assert here.target is not None
            parts = split(here.target)
            if is_same_document_as_written(here) or not is_hierarchical(parts):
                return None
            target = host.as_own(here.target, parts)
            if target is None:  # a reference relative to another base must be rewritten
                return in_full(here)
            reference = relative(target)
            if reference[:1] == "@" and is_json_ld(here):
                return f"./{reference}"  # a text that looks like a keyword is not a reference
            # "" is not a resource or style sheet, although by the RFC it is the document
            return target if reference == "" and here.element not in ("a", "area") else reference

        return rule

    def __call__(self, link: Link) -> str | None:
        """Return the reference relative to the link's base, since no document is known."""
        return self.for_document(link.base, link.base, "rfc3986")(link)  # type: ignore[return-value]
