"""How `Absolute` writes references. It is the only rule that removes an attribute (`DROP`): the `href` of a `base`.

If the embedded base is removed, references with a scheme and without a host need care: the scheme of the base decides
whether `file:/b` or `x:/../b` is relative, for browsers and for `rfc3986-compat`. Such a reference is written so that
browsers read it as before; and as it would be written if the document's own URI had been the base, so that a second run
changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rehref.documents.base import Base, Layers, clean
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.rewriting.link_properties import (
    difference,
    has_no_hierarchy,
    is_absolute,
    is_base_element,
    is_file_uri,
    is_of_codebase,
    is_out_of_reach,
    is_same_document_as_written,
    is_usual,
    is_without_hierarchy,
    may_go,
    settled,
)
from rehref.rewriting.rule import DROP, Attributes, BaseElement, ByBeginning, Drop, NewBeginning, RowRule
from rehref.uri.components import split
from rehref.uri.resolver import Profile, parse_or_none

_OF_BASE: Mapping[BaseElement, str | Drop | None] = {"drop": DROP, "empty": "", "keep": None}


class AbsoluteWriter(NamedTuple):
    """Writes what `Absolute` asks for, by the same names."""

    base_element: BaseElement
    same_document: bool
    metadata: bool
    file_urls: bool

    def for_document(self, own: Base, base: Base, profile: Profile) -> RowRule:
        """Return the rule for one document."""
        if self.base_element in ("drop", "empty"):
            if not has_no_hierarchy(base):
                return RowRule(_BaseGoes(self, own, base, profile).write)
            return self._replace(base_element="keep").for_document(own, base, profile)
        begins = ByBeginning(
            _as_it_is, fragments=self.same_document, metadata=self.metadata, codebases=True, only_relative=True
        )
        return RowRule(self._write, None if base.local and not self.file_urls else begins)

    def _write(self, link: Link, _attributes: Attributes) -> str | Drop | None:
        return self.plain(link) if is_usual(link) else self.of_link(link)

    def of_link(self, link: Link) -> str | Drop | None:
        """Return the new reference of a link of a document that is not known, or None if it stays."""
        base_goes = self.base_element in ("drop", "empty") and may_go(link.base, None)
        return self.of(link, self.plain, base_goes=base_goes)

    def of(self, link: Link, plain: Callable[[Link], str | None], *, base_goes: bool) -> str | Drop | None:
        """Return the new reference of the link by `plain`, or None if it stays.

        `base_goes`: whether the embedded base that browsers resolve it against is removed.
        """
        if link.base.local and not self.file_urls and is_file_uri(link.target):
            return None  # also for a base: references relative to it stay
        if is_base_element(link) and self.base_element != "absolute":
            return None if is_without_hierarchy(link) else _OF_BASE[self.base_element]
        if is_out_of_reach(link, metadata=self.metadata):
            return None
        here = settled(link, base_goes=base_goes)
        if here is None:
            return None
        return plain(here)

    def plain(self, link: Link) -> str | None:
        """Return the new reference of a link that is in reach, or None if it stays."""
        reference, target, base = link[:3]
        if not self.same_document and is_same_document_as_written(link):
            return None
        if ":" in reference and is_absolute(reference, target, base):
            return None
        return None if base.local and not self.file_urls and is_file_uri(target) else target


def _as_it_is(beginning: str, *_of: str | None) -> NewBeginning:
    return NewBeginning(beginning)


class _BaseGoes:
    """`Absolute` if embedded bases are removed; references are resolved against the document's own URI afterwards.

    `base`: the base that browsers use; they do not know `codebase`.
    """

    __slots__ = ("_base", "_begin", "_own", "_resolver", "_rule")

    def __init__(self, rule: AbsoluteWriter, own: Base, base: Base, profile: Profile) -> None:
        self._rule = rule
        self._own = own.uri
        self._base = base
        scheme = None if own.uri is None else split(own.uri).scheme
        self._begin = "" if scheme is None else f"{scheme.lower()}:"
        outside = Layers(retrieval=own.uri)
        self._resolver = read_document("", MediaType.TEXT, None, outside, ReadOptions(profile=profile)).resolver

    def write(self, link: Link, _attributes: Attributes) -> str | Drop | None:
        """Return the new reference of the link, or None if it stays."""
        if is_usual(link):
            return self._plain(link)
        base = self._base if is_of_codebase(link.base) else link.base
        return self._rule.of(link, self._plain, base_goes=may_go(base, self._own))

    def _plain(self, link: Link) -> str | None:
        reference, target, base = link[:3]
        new = self._rule.plain(link)
        if target is None or (base.local and not self._rule.file_urls):
            return new
        if new is not None:
            return self._without_base(new, target, base)
        if ":" not in reference:
            return None
        stays = clean(reference)  # it was absolute, but perhaps is not any more
        written = self._without_base(stays, target, base)
        return None if written == stays else written

    def _without_base(self, text: str, target: str, base: Base) -> str:
        """What to write instead of `text`, which leads to `target`, also in browsers."""
        size = len(self._begin)
        if text[:size].lower() != self._begin or text[size : size + 2] == "//":
            return text
        if not size or base.uri == self._own or base.scope == "@base":  # an `@base` stays
            return text
        seen = parse_or_none(target)
        if seen is not None and seen != self._resolver.in_browsers(text):
            return seen
        again, _, problems = self._resolver(text)
        return text if again is None or difference(problems) is not None else again
