"""The rule that replaces references by a function or a table."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as AbstractMapping
from dataclasses import dataclass

from rehref.base import Base, clean
from rehref.documents.link import Link
from rehref.option_errors import refuse_no_flags
from rehref.rewriting.browser_differences import settled
from rehref.rewriting.contract import ByBeginning, Drop, NewBeginning, Rule
from rehref.rewriting.rules.link_properties import in_full, is_below_json_ld_base, is_out_of_reach
from rehref.rewriting.rules.mapping_table import Table
from rehref.uri.resolver import Profile
from rehref.uri.same_document import is_current_document


class Mapping:
    """Replace references by a function or a table.

    A function is called with each `Link` (including those of kind `base`) and returns the new reference as text, or
    None. A table maps target URIs to replacements (`rehref.rewriting.rules.mapping_table`). URIs are normalized before
    they are compared (RFC 3986 §6.2.2, §6.2.3), in the `whatwg` profile as the URL Standard serializes them. A key that
    ends in `*` is a prefix: the rest of the target is added to the replacement's end (or instead of its own `*`, if it
    has one). An exact key counts before prefixes, and the longest prefix before others. A target with a fragment that
    has no entry is looked up without the fragment, which is added again. A table leaves `base` elements unchanged:
    references relative to them that are in the table become absolute. `metadata`: the table is for metadata too, as
    with `Absolute`. References that browsers read differently (`browser-differs`) stay under a table.
    """

    __slots__ = ("_entries", "_function", "_metadata", "_tables")

    def __init__(
        self, mapping: Callable[[Link], str | None] | AbstractMapping[str, str], *, metadata: bool = False
    ) -> None:
        if not callable(mapping) and not isinstance(mapping, AbstractMapping):
            raise TypeError(f"a mapping is made of a function or a table, not {type(mapping).__name__}")
        refuse_no_flags(metadata=metadata)
        self._metadata = metadata
        self._function = mapping if callable(mapping) else None
        self._entries = dict(mapping) if isinstance(mapping, AbstractMapping) else {}
        for key, value in self._entries.items():
            if not isinstance(key, str) or not isinstance(value, str):
                raise TypeError(f"a mapping has texts for keys and values, not {key!r}: {value!r}")
        self._tables: dict[Profile, Table] = {}

    def _value(self) -> tuple[object, ...]:
        return self._function, frozenset(self._entries.items()), self._metadata

    def __eq__(self, other: object) -> bool:
        """Return whether the other has the same function or table."""
        return self._value() == other._value() if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        made_of = self._entries if self._function is None else self._function
        return f"Mapping({made_of!r}{', metadata=True' if self._metadata else ''})"

    @property
    def careful(self) -> bool:
        """Return whether it is a table."""
        return self._function is None

    def for_document(self, own: Base, base: Base, profile: Profile) -> Rule:
        """Return the rule for one document."""
        if self._function is not None:
            return self._function
        if profile not in self._tables:
            self._tables[profile] = Table(self._entries, profile)
        return _LookUp(self._tables[profile], self._metadata)

    def __call__(self, link: Link) -> str | Drop | None:
        """Return the new reference of the link in the profile `rfc3986`, or None if it stays."""
        return self.for_document(link.base, link.base, "rfc3986")(link)


@dataclass(frozen=True, slots=True)
class _LookUp:
    """A table for one document."""

    look_up: Table
    metadata: bool

    def __call__(self, link: Link) -> str | None:
        """Return the new reference of the link, or None if it stays."""
        if link.kind == "base" or is_out_of_reach(link, metadata=self.metadata):  # codebase too
            return None
        if settled(link, base_goes=False) is None:
            return None
        assert link.target is not None
        if is_below_json_ld_base(link):
            assert link.base.uri is not None
            new = self.look_up(link.target)
            # a reference that is not in the table must not change with its `@base`
            return in_full(link) if new is None and self.look_up(link.base.uri) is not None else new
        return self.plain(link.reference, link.target, link.base, same_document=link.same_document)

    def plain(self, reference: str, target: str | None, base: Base, *, same_document: bool) -> str | None:
        """See `MixedRule`."""
        if target is None or (same_document and is_current_document(clean(reference))):
            return None
        return self.look_up(target)

    def by_beginning(self, base: Base) -> ByBeginning | None:
        """See `ByBeginning`."""
        return ByBeginning(self._of_beginning, metadata=self.metadata)

    def _of_beginning(self, beginning: str, *_of: str | None) -> NewBeginning | None:
        return self.look_up.of_beginning(beginning)
