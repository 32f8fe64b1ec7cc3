"""JSON-LD documents: the references in them (JSON-LD 1.1; `application/ld+json`, `*.jsonld`).

They are found as in a `script` element of HTML (`rehref.uri._syntaxes.json_ld`), each relative to the `@base` in scope,
or else to the document's own URI (JSON-LD 1.1 §4.1.3). As statements (`metadata`) and contexts (`namespace`) they are
changed only if metadata is asked for.
"""

from __future__ import annotations

from functools import partial

from rehref.documents._formats.format_contract import carried_references, text_format
from rehref.documents._formats.manifest import ESCAPE, sniff_json
from rehref.uri.syntaxes import Carrier

ELEMENT = "json-ld"
"""Reported in place of the element that contains a reference."""
FORMAT = text_format(
    partial(carried_references, carrier=Carrier("json-ld", "metadata", "JSON-LD 1.1")), sniff_json, ESCAPE, ELEMENT
)
