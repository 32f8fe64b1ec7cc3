"""Names that are there, and that the reference does not spell: what the eye does not see of the difference.

1. A file whose name has a `?`, a `#` or a `%`, as programs save them: `a?b.html`. In a reference `?` begins the query,
   `#` the fragment, and `%` an escape; so the name is written `a%3Fb.html`.
2. A name that looks the same, in another Unicode normalization form (UAX #15): é as one character, or as an e and an
   accent. To browsers these are two names.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container
from urllib.parse import unquote

_SIGNS = frozenset("?#%")


def named_literally(rest: str, paths: Container[str]) -> tuple[str, str] | None:
    """The file, of some paths, that is named as what follows the URI of the site in a target (rule 1).

    What is given is its path, and what of the reference follows its name: "", or a fragment.
    """
    if _SIGNS.isdisjoint(rest):
        return None
    before, sign, fragment = rest.rpartition("#")
    for text, tail in ((rest, ""), (before, sign + fragment)):
        for path in (text, unquote(text, errors="surrogateescape")):
            if path in paths and not _SIGNS.isdisjoint(path):
                return path, tail
    return None


def is_other_form(one: str, other: str) -> bool:
    """Whether two names look the same, and are not (rule 2)."""
    return one != other and unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def form_of(text: str) -> str:
    """The normalization form of a text beyond ASCII, for people."""
    return next((form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, text)), "neither NFC nor NFD")
