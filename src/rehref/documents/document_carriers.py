"""What the places of a document carry: the protocol that a format implements, if names decide it.

The compiled twin and the checker ask it (`rehref.documents.formats.html_carriers`, `xml_carriers`).
"""

from __future__ import annotations

from typing import Protocol

from rehref.parsers.contract import Parsed
from rehref.parsers.source.plan import Carriers


class DocumentCarriers(Carriers, Protocol):
    """What the places of a document carry, as one byte each (`rehref.documents.formats.html_carriers`, rule 3)."""

    def carried(self, parsed: Parsed, number: int) -> int:
        """What a place carries if other attributes decide about it."""

    def may_have_rel(self, element: str) -> bool:
        """Whether a `rel` on an element is one of the places."""
