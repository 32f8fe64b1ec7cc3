"""Whether an XML document is well-formed (XML 1.0 §2.1, Namespaces in XML 1.0 §7), or a notebook JSON, and where not.

rehref reads XML as it is written; but browsers show nothing after an error, and feed readers stop. expat decides, which
reads nothing external, so it accepts an entity that an external DTD may declare. If it stops for another reason (an
unknown encoding, a limit of its own, XML 1.1) nothing is reported.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from xml.parsers import expat

_VERSION = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml\s+version\s*=\s*[\"']1\.0").match
_DECLARED = re.compile(rb"(?:\xef\xbb\xbf)?<\?xml\s").match
# out of memory, unknown encoding, and a limit on entity expansion: not errors of a document
_NOT_THE_DOCUMENTS: Final = frozenset({1, 18, 35, 43})


class NotWellFormed(NamedTuple):
    """What is wrong, for people ("mismatched tag"), and where: line and column, from 1."""

    message: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"is not well-formed XML: {self.message} at {self.line}:{self.column}"


def not_well_formed(data: bytes) -> NotWellFormed | None:
    """The first error of well-formedness in an XML document; None if there is none or it is not known. Never fails."""
    if _DECLARED(data) is not None and _VERSION(data) is None:
        return None
    parser = expat.ParserCreate(namespace_separator="\n")
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        if error.code in _NOT_THE_DOCUMENTS:
            return None
        return NotWellFormed(expat.ErrorString(error.code) or "an error", error.lineno, error.offset + 1)
    except (LookupError, ValueError):  # expat asks Python for the encoding, and cannot use it
        return None
    return None


def not_json(data: bytes) -> NotWellFormed | None:
    """The first error of a notebook; JSON that is nested too deeply has no place of one. Never fails."""
    import json  # XML does not need it

    try:
        json.loads(data.decode("utf-8-sig", "replace"))
    except json.JSONDecodeError as error:
        return NotWellFormed(error.msg.lower(), error.lineno, error.colno)
    except ValueError:  # a number with more digits than Python reads: it is well-formed
        return None
    except RecursionError:
        return NotWellFormed("it is nested too deeply", 1, 1)
    return None
