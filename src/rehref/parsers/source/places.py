"""Every place of HTML source: by the compiled twin where there is one, and it can; else by the reference."""

from __future__ import annotations

from collections.abc import Sequence

from rehref.parsers.contract import Place, Wanted
from rehref.parsers.source.scan import scan
from rehref.parsers.source.twin import twin_scan
from rehref.text.source_text import SourceText


def places_of(units: SourceText, wanted: Wanted) -> Sequence[Place]:
    """All places, in document order. Raises nothing on markup."""
    found = twin_scan(units, wanted)
    return scan(units, wanted) if found is None else found
