r"""References that lead where only browsers read them to (`b\a.html`, `http:/example.org/`): how to write them for all.

1. Browsers read a backslash before the query as a slash, and find the host, or the path, after `https:` with any number
   of slashes. The new reference has the slashes that are meant. In ASCII, other invalid characters are percent-encoded.
2. Browsers must go from the base to the same URL as before, so the new reference is sure.
"""

from __future__ import annotations

import re

from rehref.uri.percent_encoding import percent_encode
from rehref.uri.whatwg import resolve_or_none

_PARTS = re.compile(r"(https?:)?([^?#]*)(.*)", re.IGNORECASE | re.DOTALL).fullmatch


def with_slashes(reference: str, base: str, seen: str) -> str | None:
    """A reference, without white space around it, as browsers read it; None if it cannot be written so.

    `base`: its base; `seen`: the URL that browsers go to.
    """
    parts = _PARTS(reference)
    assert parts is not None
    path, rest = parts[2].replace("\\", "/"), parts[3]
    spellings = (f"{parts[1] or ''}//{path.lstrip('/')}{rest}", path + rest)
    encoded = map(percent_encode, spellings) if reference.isascii() else ()
    return next((new for new in (*encoded, *spellings) if resolve_or_none(base, new) == seen), None)
