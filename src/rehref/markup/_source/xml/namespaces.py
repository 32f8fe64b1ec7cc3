"""The namespaces of a document's prefixes at the position that has been read, and which attributes are read.

A prefix holds for the element that declares it and its content (Namespaces in XML 1.0); undoing a declaration costs as
much as making it. `xml` and `xmlns` are fixed. A name with a prefix that is not declared, or with nothing before or
after its colon, is a name in no namespace, including the colon.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rehref.markup.places import XML, XMLNS, XmlWanted, qualified
from rehref.text.source_text import SourceText

Name: TypeAlias = tuple[str, str]
"""A namespace URI and a local name."""
Undo: TypeAlias = list[tuple[str, str]]
"""Prefixes, and their former namespaces."""


class RawAttribute(NamedTuple):
    """An attribute as written: its name, its value, and where that begins (units)."""

    name: str
    value: str
    start: int


class NamespaceScope:
    """The prefixes in force. `names` caches the results of `element` since they last changed."""

    __slots__ = ("_prefixes", "_texts", "_units", "names")

    def __init__(self, units: SourceText, texts: frozenset[Name]) -> None:
        """Begin outside of all elements. `texts`: the elements whose text is wanted (`XmlWanted.texts`)."""
        self.names: dict[str, tuple[Name, bool]] = {}
        self._prefixes = {"": "", "xml": XML, "xmlns": XMLNS}
        self._texts = texts
        self._units = units

    def declare(
        self,
        attributes: Sequence[RawAttribute],
        meaning: Callable[[str, int], tuple[str, int]],
        note: Callable[[int, str], None],
    ) -> Undo | None:
        """Declare the namespaces of a tag (§3); return what to restore, None if there is nothing.

        `meaning` returns what a raw value at an offset means, and flags; `note` notes an error at an offset.
        """
        undo: Undo | None = None
        seen: set[str] = set()
        for raw, raw_value, start in attributes:
            if not raw.startswith("xmlns") or raw[5:6] not in ("", ":"):
                continue
            prefix = raw[6:]
            if prefix in seen or prefix in ("xml", "xmlns") or raw == "xmlns:":
                note(start, f"{self._units.decode(raw)} cannot be declared here")
                continue
            seen.add(prefix)
            undo = undo or []
            undo.append((prefix, self._prefixes.get(prefix, "")))
            self._prefixes[prefix] = meaning(raw_value, start)[0]
        if undo:
            self.names.clear()
        return undo

    def restore(self, undo: Undo | None) -> None:
        """Restore the former namespaces of prefixes."""
        if undo:
            self._prefixes.update(undo)
            self.names.clear()

    def element(self, raw: str) -> tuple[Name, bool]:
        """The name of an element written `raw` (§6.1, §6.2), and whether its text is wanted."""
        prefix, colon, local = raw.partition(":")
        if colon:
            uri = self._prefixes.get(prefix, "") if prefix and local else ""
        else:
            uri = self._prefixes[""]
        name = (uri, self._units.decode(local if colon and uri else raw))
        known = self.names[raw] = (name, name in self._texts or ("*", name[1]) in self._texts)
        return known

    def attribute(self, raw: str) -> str:
        """The qualified name of an attribute written `raw` (§6.2: no default applies)."""
        prefix, _, local = raw.partition(":")
        uri = self._prefixes.get(prefix, "") if prefix and local else ""
        return self._units.decode(raw) if uri == "" else qualified(uri, self._units.decode(local))


@lru_cache(maxsize=32)
def _local_names(wanted: XmlWanted) -> tuple[frozenset[str], frozenset[str]]:
    """The local names of the wanted attributes: of those in no namespace, and in any."""
    prefixed = {re.split("[:}]", name)[-1] for name in wanted.attributes if ":" in name}
    return frozenset(name for name in wanted.attributes if ":" not in name), frozenset(prefixed | {"base"})


class Interesting(dict[str, bool]):
    """Whether an attribute written so may be wanted, judging by its local name, or declares a namespace."""

    def __init__(self, wanted: XmlWanted) -> None:
        super().__init__(xmlns=True)
        self._plain, self._prefixed = _local_names(wanted)

    def __missing__(self, raw: str) -> bool:
        prefix, colon, local = raw.partition(":")
        found = self[raw] = prefix == "xmlns" or local in self._prefixed if colon else raw in self._plain
        return found
