"""Names of files that are there, but that the reference does not spell: differences that the eye does not see.

1. A file or folder whose name has a `?`, a `#` or a `%`: `a?b.html`, `c#/`. In a reference `?` begins the query, `#`
   the fragment, and `%` an escape; so the name is written `a%3Fb.html`, `c%23/`. A folder may be without its slash.
2. A name that looks the same but has another Unicode normalization form (UAX #15): é as one character, or as an e and
   an accent. Browsers see two names.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from urllib.parse import unquote

_SIGNS = frozenset("?#%")


def named_literally(rest: str, paths: Container[str]) -> tuple[str, str, str] | None:
    """The file or folder, of some paths, that is exactly the text after the URI of the site in a target (rule 1).

    The result is its path, the last name in it with such a character, and the text after the path in the target: "", or
    a fragment.
    """
    if _SIGNS.isdisjoint(rest):
        return None
    before, sign, fragment = rest.rpartition("#")
    for text, tail in ((rest, ""), (before, sign + fragment)):
        for path in (text, unquote(text, errors="surrogateescape")):
            named = next((name for name in path.split("/")[::-1] if not _SIGNS.isdisjoint(name)), None)
            found = next((one for one in (path, f"{path}/") if one in paths), None)
            if named is not None and found is not None:
                return found, named, tail
    return None


def is_other_form(one: str, other: str) -> bool:
    """Whether two names look the same but differ (rule 2)."""
    return one != other and unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def form_of(text: str) -> str:
    """The normalization form of a text beyond ASCII, for people."""
    return next((form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, text)), "neither NFC nor NFD")
