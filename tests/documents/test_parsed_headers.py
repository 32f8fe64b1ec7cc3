"""The fields of a head as places."""

from __future__ import annotations

from rehref.documents._formats.parsed_headers import CARRIERS
from rehref.text.header_fields import Head


def test_heads_know_the_names_of_all_fields_with_references() -> None:
    assert frozenset(CARRIERS) == Head.CARRIERS
