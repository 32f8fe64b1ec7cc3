"""Extensions of names: which are missing, and which are misspelt.

1. A name has an extension if the text after its last dot has a letter: `jquery-3.6` has none.
2. An extension is surely missing only from a name that has none, and only an extension of what pages load: not that of
   an archive or a source text beside it, of a copy (`notes.md~`), or of a generated file (`style.css.map`). Nor that of
   a page: many hosts have clean URLs, and add it.
3. An extension is misspelt if it is an edit away from another, and nobody uses it: `.css` is not a misspelt `.scss`,
   nor `.mp3` a misspelt `.mp4`. But some have two spellings: `.htm` and `.html`.
4. Files of two kinds (`GROUPS`; style sheets are another kind than programs) are not alike, even if their names are; a
   folder is like a page. A file whose kind is not known may be like any other.
"""

from __future__ import annotations

from collections.abc import Container
from typing import Final

from rehref.documents.types.sniffing import GROUPS
from rehref.text.nearest import edits

_LOADED: Final = frozenset({"css", "js", "mjs", "txt", "webmanifest"}).union(
    *(GROUPS[group] for group in ("images", "sound", "films", "fonts"))
)
_STYLES: Final = frozenset({"css", "less", "sass", "scss", "styl"})
_KINDS: Final = (GROUPS["pages"] | {"/"}, _STYLES, *(names - _STYLES for names in GROUPS.values()))
_IN_USE: Final = frozenset().union(*GROUPS.values())
_SPELLINGS: Final = tuple(
    frozenset(names.split())
    for names in ("htm html", "jpg jpeg", "tif tiff", "mpg mpeg", "mid midi", "aif aiff", "yml yaml")
)


def has_extension(extension: str) -> bool:
    """Whether the end of a name, from its last dot, is an extension (rule 1); "" is not one."""
    return any(map(str.isalpha, extension))


def may_be_added(extension: str) -> bool:
    """Whether an extension, with its dot, may be what is missing from a name that has none (rule 2)."""
    return extension.lower().removeprefix(".") in _LOADED


def are_of_one_kind(one: str, other: str) -> bool:
    """Whether two extensions, with their dots, may be those of files of one kind (rule 4)."""
    names = [name.lower().removeprefix(".") for name in (one, other)]
    kinds = [[kind for kind in _KINDS if name in kind] for name in names]
    return not all(kinds) or any(kind in kinds[1] for kind in kinds[0])


def is_misspelt(wanted: str, extension: str, here: Container[str]) -> bool:
    """Whether an extension surely is another one misspelt, both with dots; `here`: the extensions of the files."""
    if edits(wanted.lower(), extension.lower()) != 1:
        return False
    names = {name.lower().removeprefix(".") for name in (wanted, extension)}
    return any(names <= ways for ways in _SPELLINGS) or not (wanted in here or wanted[1:].lower() in _IN_USE)
