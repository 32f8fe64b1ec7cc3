"""The targets of many references at once.

1. A reference is glued if its target is what stands in front of it (a folder of the base, or the document) and then the
   reference itself, or what is left of it behind `../`. Most are. RFC 3986 §5.2.2 then has nothing to compute.
2. The references are written one a line, and one substitution puts in front of every line of a kind what belongs there:
   so the loop over them is in C.
3. What may need more than that (dot segments, a scheme, an empty or rooted path, a query alone, characters that are
   none of a URI's) is left to the long way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import compress
from operator import ne
from typing import TypeAlias

_FIRST = r"[A-Za-z0-9_~!$'()*+,;=@\-]"
_SEGMENTS = r"[A-Za-z0-9_~!$'()*+,;=@/\-]*+"
_LATER = r"[A-Za-z0-9_~!$&'()*+,;=:@/?.\-]*+"
# a relative path without dot segments, a query, a fragment; up to the end of the line. A dot is never before a slash
_REST = rf"{_FIRST}{_SEGMENTS}(?:\.{_FIRST}{_SEGMENTS}|(?!))*+(?:\?{_LATER})?(?:\#{_LATER})?\n"
_FRAGMENT = re.compile(rf"\n(?=\#{_LATER}\n)")
_BELOW = tuple(re.compile(rf"\n{re.escape('../' * up)}(?={_REST})") for up in range(9))
"""What is below the base's folder, below the one above it, and so on."""

LEVELS = len(_BELOW)

Glued: TypeAlias = tuple[list[str], list[str]]
"""References, and the target of each."""


def glue(references: Iterable[str], folders: Sequence[str], document: str | None) -> Glued:
    """The references that can be glued, each once, and their targets.

    `folders`: URIs that end in a slash: of the base's folder, the one above, and so on, at most `LEVELS`. `document`:
    what goes before a fragment; None if nothing may.
    """
    texts = list(dict.fromkeys(references))
    before = "\n".join(["", *texts, ""])
    if before.count("\n") != len(texts) + 1:
        texts = [text for text in texts if "\n" not in text]
        before = "\n".join(["", *texts, ""])
    after = before
    for level, (below, folder) in enumerate(zip(_BELOW, folders, strict=False)):
        if level and "../" * level not in before:
            break
        after = below.sub(_as_template("\n" + folder), after)
    if document is not None:
        after = _FRAGMENT.sub(_as_template("\n" + document), after)
    targets = after.split("\n")[1:-1]
    changed = list(map(ne, texts, targets))
    if all(changed):
        return texts, targets
    return list(compress(texts, changed)), list(compress(targets, changed))


def _as_template(text: str) -> str:
    """What stands for a text in `re.sub`."""
    return text.replace("\\", "\\\\")
