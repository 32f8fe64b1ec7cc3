"""Places that are also known as a whole: which are on `base` elements, what references they have, as a table.

1. The compiled twin finds such places (`rehref.parsers.source.twin`). A parser core may give any other sequence of
   places; then all who ask look at them one by one, with the same result.
2. Who asks knows no core: `tabled` says whether places are such ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from rehref.parsers.contract import Place

if TYPE_CHECKING:
    from rehref.parsers.source.plan import Carriers, Carrying, MarkupCarriers
    from rehref.parsers.source.recoded import Recoded
    from rehref.parsers.source.reference_table import ReferenceTable
    from rehref.parsers.source.twin_exchange import Find, Held, How
    from rehref.uri.ordinary_references import Prefixes


class TabledPlaces(Protocol):
    """Such places; `rehref.parsers.source.twin.TwinScan` explains what the methods take."""

    def __len__(self) -> int: ...
    def __getitem__(self, index: int) -> Place: ...
    def bases(self) -> list[int]:
        """The numbers of the places on `base` elements in HTML, outside of templates."""

    def templates(self) -> list[tuple[int, int]]:
        """Where the content of each outermost `template` begins and ends."""

    def xml_bases(self) -> list[int]:
        """The numbers of the `xml:base` places."""

    @property
    def has_entities(self) -> bool:
        """Whether a value in XML may have a reference to an entity that is not predefined."""

    def how(
        self,
        before: Prefixes,
        own: str | None,
        carriers: Carriers,
        ask: Callable[[int], int],
        find: Find,
        *,
        base_is_own: bool,
        metadata: bool = True,
        markup: MarkupCarriers | None = None,
        scope: int = ...,
    ) -> How:
        """How references are read here."""

    def table(self, how: How, recoded: Recoded | None = None) -> ReferenceTable | None:
        """The references; None if the units of the source are not its bytes."""

    def held(
        self,
        carriers: Carriers,
        ask: Callable[[int], int],
        naming: Carrying,
        folders: tuple[str, ...],
        *,
        at_own_base: bool,
    ) -> Held:
        """What the places hold."""


def tabled(places: Sequence[Place]) -> TabledPlaces | None:
    """The places, if they are known as a whole."""
    known: Any = places
    return known if hasattr(known, "table") else None


def may_be_bases(places: Sequence[Place]) -> Sequence[int]:
    """The numbers of the places on `base` elements, or, if these are not known, of all places."""
    known = tabled(places)
    return range(len(places)) if known is None else known.bases()


def xml_bases(places: Sequence[Place]) -> Sequence[int]:
    """The numbers of the `xml:base` places of a document in XML, none of which is in an instruction."""
    known = tabled(places)
    if known is not None:
        return known.xml_bases()
    return [
        number
        for number, place in enumerate(places)
        if place.attribute == "xml:base" and not place.element.startswith("?")
    ]
