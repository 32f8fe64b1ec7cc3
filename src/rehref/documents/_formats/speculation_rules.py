"""Speculation rules in a file (`application/speculationrules+json`), which a `Speculation-Rules` field names.

References are found as in a `script` (`rehref.uri._syntaxes.script_data`), but are relative to the file (HTML Standard,
"process the Speculation-Rules header"). Those of a rule with `"relative_to": "document"` are left out.
"""

from __future__ import annotations

from functools import partial

from rehref.documents._formats.format_contract import carried_references, text_format
from rehref.documents._formats.manifest import ESCAPE, sniff_json
from rehref.uri.syntaxes import Carrier

_RULES = Carrier("speculation-rules-file", "resource", "HTML Standard, speculation rules")
FORMAT = text_format(partial(carried_references, carrier=_RULES), sniff_json, ESCAPE, "speculation-rules")
