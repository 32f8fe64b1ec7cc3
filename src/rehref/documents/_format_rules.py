"""What the format of a document says of it: what its places carry, and what references are relative to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from rehref.documents._bases.bound_resolver import BoundResolver
from rehref.documents.base import Base, Problem
from rehref.documents.link import Reference
from rehref.markup.twin_exchange import DocumentCarriers, Find, MarkupCarriers
from rehref.uri.syntaxes import found_in

Finder: TypeAlias = Callable[[Any, int], Sequence[Reference]]
"""The references in place number `int` of a document."""


Tag: TypeAlias = tuple[str, int, int]
"""Element, line and column of a tag."""


class Parts(NamedTuple):
    """The parts of a document that have a base of their own.

    `base`, `resolver`: return what is for references relative to the base that the attribute in a place names; of a
    plain base `base` gets the URI, else None, and its element, line and column, if they are known.
    `xml_base`: whether an `xml:base` counts. `are_plain`: whether browsers do not show the document: they know no such
    bases.
    """

    base: Callable[[Any, int, str | None, Tag | None], Base]
    resolver: Callable[[Any, int], BoundResolver]
    xml_base: bool = False
    are_plain: bool = False


class FormatRules(NamedTuple):
    """What a format says of a document, which its functions get.

    `carriers`: what places carry; None: names do not decide it. `give`: finds references for the compiled twin, in the
    micro-syntaxes that it does not read. `markup`: the carriers for HTML in the texts of elements in XML. `notice`:
    reports, by place, problems of references that name a base, besides those that follow from their text; also those
    for which other references must be read, if asked.
    """

    find: Finder
    carriers: DocumentCarriers | None = None
    give: Find = found_in
    markup: MarkupCarriers | None = None
    notice: Callable[[Any, bool], Mapping[int, tuple[Problem, ...]]] | None = None
    parts: Parts | None = None

    @property
    def carriers_of_base(self) -> DocumentCarriers | None:
        """What places carry; None if names do not decide it, or parts of the document have other bases."""
        return None if self.parts is not None and self.parts.xml_base else self.carriers
