"""Whether two spellings name the same file.

1. The file system decides that, not the platform: Linux can mount a case-insensitive disk, and macOS a case-sensitive
   one. `ignores_case` asks the file system without writing anything: whether an existing name also exists in the other
   case.
2. Where there is no name with letters to ask about, in the folder or above it, Windows and macOS are assumed to ignore
   case, other systems not.
3. File systems that ignore case also ignore, or nearly, how characters are composed (Unicode normalization).
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable
from itertools import islice
from pathlib import Path

_ASKED = 100
"""How many names of a folder are examined."""


def ignores_case(folder: Path) -> bool:
    """Whether names in a folder, which need not exist yet, are the same in upper and lower case (rules 1, 2)."""
    real = Path(os.path.realpath(folder))
    for place in (real, *real.parents):
        try:
            with os.scandir(place) as entries:
                names = {entry.name for entry in islice(entries, _ASKED)}
        except OSError:
            continue
        for name in sorted(names):
            other = name.swapcase()
            if other != name and other.swapcase() == name:
                return other not in names and _is_same(place / name, place / other)
    return sys.platform in ("win32", "darwin")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return os.path.samestat(one.lstat(), other.lstat())
    except OSError:
        return False


def same_file_key(folder: Path) -> Callable[[str], str]:
    """Return a function from paths in a folder to keys: two spellings of one file have equal keys."""
    return folded if ignores_case(folder) else str


def folded(path: str) -> str:
    """A path without differences of case and composition (rule 3)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def relative_to(path: str, folder: str) -> str | None:
    """The part of a real path below a folder, spelled as in the path, with slashes; None if it is not below it.

    Names are compared as the file system does.
    """
    parts, above = Path(path).parts, Path(folder).parts
    begins = parts[: len(above)]
    if begins != above:
        # only now: to ask the file system takes longer
        if len(begins) < len(above) or list(map(folded, begins)) != list(map(folded, above)):
            return None
        if not ignores_case(Path(folder)):
            return None
    return "/".join(parts[len(above) :])
