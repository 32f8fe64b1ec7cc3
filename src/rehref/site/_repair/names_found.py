"""Names in paths, and how they are spelt: their parts, their extensions, and differences that the eye does not see.

The path of a folder ends with a slash.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Container, Iterable
from typing import Final, NamedTuple
from urllib.parse import unquote

from rehref.documents.media_types import MediaType
from rehref.site._series import edits


def last_name(path: str) -> str:
    """The last name of a path; that of a folder with its slash."""
    return path[path.rfind("/", 0, -1) + 1 :]


def before_last_name(path: str) -> str:
    """The path of the folder that something is in, with a slash at its end; "" at the top."""
    return path[: -len(last_name(path))]


def two_names(path: str) -> str:
    """The last two names of a path; if it has only one, that one with a slash before it."""
    before = before_last_name(path)
    return last_name(before) + last_name(path) if before != "" else "/" + path


class CutPath(NamedTuple):
    """A path without the extension of its last name, and the extension with its dot; for a folder, its slash."""

    stem: str
    extension: str


def cut(path: str) -> CutPath:
    """Cut a path before the extension of its last name."""
    if path.endswith("/"):
        return CutPath(path[:-1], "/")
    start = path.rfind("/") + 1
    dot = path.rfind(".", start + 1)
    return CutPath(path, "") if dot == -1 else CutPath(path[:dot], path[dot:])


def ends_first(found: Iterable[str], path: str) -> list[str]:
    """Paths, beginning with those that are the end of `path`."""
    return sorted(found, key=lambda other: not path.endswith(f"/{other}"))


def grouped(texts: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    """Texts grouped by a key, each group in the order of the texts."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for text in texts:
        groups[key(text)].append(text)
    return dict(groups)


_LOADED: Final = frozenset({"css", "js", "mjs", "txt", "webmanifest"}).union(
    *(MediaType.EXTENSIONS[group] for group in ("images", "sound", "films", "fonts"))
)
_STYLES: Final = frozenset({"css", "less", "sass", "scss", "styl"})
_KINDS: Final = (
    MediaType.EXTENSIONS["pages"] | {"/"},
    _STYLES,
    *(names - _STYLES for names in MediaType.EXTENSIONS.values()),
)
_IN_USE: Final = frozenset().union(*MediaType.EXTENSIONS.values())
_SPELLINGS: Final = tuple(
    frozenset(names.split())
    for names in ("htm html", "jpg jpeg", "tif tiff", "mpg mpeg", "mid midi", "aif aiff", "yml yaml")
)

_SHOWN: Final = {
    "img": MediaType.EXTENSIONS["images"],
    "image": MediaType.EXTENSIONS["images"],
    "audio": MediaType.EXTENSIONS["sound"],
    "video": MediaType.EXTENSIONS["films"] | MediaType.EXTENSIONS["images"],
    "source": MediaType.EXTENSIONS["films"] | MediaType.EXTENSIONS["sound"] | MediaType.EXTENSIONS["images"],
    "track": frozenset({"vtt"}),
}
"""The extensions of what elements show; a `video` has a poster, too."""


def may_show(element: str, path: str) -> bool:
    """Whether an element may show the file at a path, as far as its extension says so."""
    extension = cut(path).extension.lower().removeprefix(".")
    return element not in _SHOWN or extension in ("", "/") or extension in _SHOWN[element]


def has_extension(extension: str) -> bool:
    """Whether the end of a name, from its last dot, is an extension: it has a letter, as `jquery-3.6` does not.

    "" is not one.
    """
    return any(map(str.isalpha, extension))


def may_be_added(extension: str) -> bool:
    """Whether an extension, with its dot, may be what is missing from a name that has none.

    It is only an extension of what pages load: not that of an archive or a source text beside it, of a copy
    (`notes.md~`), or of a generated file (`style.css.map`). Nor that of a page: many hosts have clean URLs, and add it.
    """
    return extension.lower().removeprefix(".") in _LOADED


def are_of_one_kind(one: str, other: str) -> bool:
    """Whether two extensions, with their dots, may be those of files of one kind.

    Files of two kinds (`MediaType.EXTENSIONS`; style sheets are another kind than programs) are not alike, even if
    their names are; a folder is like a page. A file whose kind is not known may be like any other.
    """
    names = [name.lower().removeprefix(".") for name in (one, other)]
    kinds = [[kind for kind in _KINDS if name in kind] for name in names]
    return not all(kinds) or any(kind in kinds[1] for kind in kinds[0])


def is_misspelt(wanted: str, extension: str, here: Container[str]) -> bool:
    """Whether an extension is an edit away from another, and nobody uses it.

    `.css` is not a misspelt `.scss`, nor `.mp3` a misspelt `.mp4`. But some have two spellings: `.htm` and `.html`.
    """
    if edits(wanted.lower(), extension.lower()) != 1:
        return False
    names = {name.lower().removeprefix(".") for name in (wanted, extension)}
    return any(names <= ways for ways in _SPELLINGS) or not (wanted in here or wanted[1:].lower() in _IN_USE)


_ZEROS = re.compile(r"(?<!\d)0+(?=\d)").sub


def without_zeros(path: str) -> str:
    """A path whose numbers have no zeros before them: `ch01s02` and `ch1s2` are one name, written in two ways."""
    return _ZEROS("", path)


_SIGNS = frozenset("?#%")


def named_literally(rest: str, paths: Container[str]) -> tuple[str, str, str] | None:
    """The file or folder, of some paths, that is exactly the text after the URI of the site in a target: `a?b.html`,
    `c#/`.

    In a reference `?` begins the query, `#` the fragment, and `%` an escape; so the name is written `a%3Fb.html`,
    `c%23/`. A folder may be without its slash. The result is its path, the last name in it with such a character, and
    the text after the path in the target: "", or a fragment.
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
    """Whether two names look the same but differ, in their Unicode normalization form (UAX #15).

    É may be one character, or an E and an accent. Browsers see two names.
    """
    return one != other and unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", other)


def form_of(text: str) -> str:
    """The normalization form of a text beyond ASCII, for people."""
    return next((form for form in ("NFC", "NFD") if unicodedata.is_normalized(form, text)), "neither NFC nor NFD")
