"""Names of files that hold what came out of a container: safe on every system, and true to the media type.

Names hold ASCII letters, digits, `.`, `_` and `-` only, begin with a letter, digit or `_`, and are at most 100
characters long: none leaves the folder, is hidden, or has a special meaning to any system, and each is its own relative
reference. No two names in a folder are the same, in upper or lower case: a later one gets a number.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from urllib.parse import unquote

from rehref.files.discovery import endings
from rehref.uri.components import split

LONGEST = 100
"""Characters of a name."""
_LONGEST_ENDING = 12
_LONGEST_STEM = LONGEST - _LONGEST_ENDING - 10
_DEEPEST = 16
_LONGEST_PATH = 180
_HASH = 8

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]++")
_ENDING = re.compile(rf"\.[A-Za-z0-9]{{1,{_LONGEST_ENDING - 1}}}").fullmatch
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE).match


def safe(wish: str) -> str:
    """The safe name that is nearest to a wish, without a folder; "" if nothing is left of it.

    Reserved names (`con`, `nul`, ...) get a `_` before them. One that is too long is cut, and ends in a hash of the
    whole.
    """
    name = _UNSAFE.sub("-", wish[-4 * LONGEST :].replace("\\", "/").rpartition("/")[2])
    return name.lstrip(".-").rstrip(".-")


class Names:
    """The names that are taken in a folder."""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {name.lower() for name in taken}
        self._numbers: dict[str, int] = {}

    def take(self, wish: str, endings: tuple[str, ...]) -> str:
        """A free name, as near to a safe wish as possible.

        Its ending is one that the media type has, so that browsers see the type again. A file of a type that is not
        known here keeps its ending.
        """
        stem, dot, last = wish.rpartition(".")
        ending = f".{last}" if dot and stem and _ENDING(f".{last}") else ""
        if endings and ending.lower() not in endings:
            stem, ending = wish, endings[0]
        elif ending == "":
            stem = wish
        return self._take(stem, ending or ".bin")

    def take_folder(self, wish: str) -> str:
        """A name for a folder, in the same way."""
        return self._take(wish, "")

    def _take(self, stem: str, ending: str) -> str:
        if _RESERVED(stem):
            stem = f"_{stem}"
        if len(stem) > _LONGEST_STEM:
            stem = f"{stem[: _LONGEST_STEM - _HASH - 1].rstrip('.-')}-{hashed(stem)}"
        stem = stem.rstrip(".-") or "_"
        key = f"{stem}{ending}".lower()
        number = self._numbers.get(key, 1)
        name = f"{stem}{ending}"
        while name.lower() in self._taken:
            number += 1
            name = f"{stem}-{number}{ending}"
        self._numbers[key] = number
        self._taken.add(name.lower())
        return name


def hashed(text: str) -> str:
    """A short name for any text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]


class Folder:
    """A folder in which URIs are saved. Folders whose names differ in case only are one.

    A URI is saved below a folder for its host, or its scheme, in folders that follow its path, under the last segment
    and the query; `index` where those are empty. If that makes more than `_DEEPEST` folders, or more than
    `_LONGEST_PATH` characters (Windows takes 259 of a whole path), one folder named by the hash of the path replaces
    them.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        """`taken`: names that are taken already."""
        self._names = Names(taken)
        self._folders: dict[str, tuple[str, Folder]] = {}

    def take(self, uri: str, essence: str) -> str:
        """The path, with slashes, under which a URI of a media type is saved; a different one each time."""
        parts = split(uri)
        # RFC 3986 §3.2: the user's name is private
        host = (parts.authority or "").rpartition("@")[2].lower() or parts.scheme or "_"
        *above, last = parts.path.split("/")
        folders = [_segment(segment) for segment in above if segment]
        name = _segment(last) if last else "index"
        if parts.query:
            name = f"{name}-{_UNSAFE.sub('-', unquote(parts.query))}"
        above_all = _segment(host)
        length = sum(len(each) + 1 for each in (above_all, *folders, name[:_LONGEST_STEM]))
        if len(folders) > _DEEPEST or (folders and length > _LONGEST_PATH):
            folders = [hashed(parts.path)]
        path, folder = "", self
        for wish in (above_all, *folders):
            found, folder = folder.below(wish)
            path += f"{found}/"
        return path + folder._names.take(name, endings(essence))

    def below(self, wish: str) -> tuple[str, Folder]:
        """A folder in it, and its name."""
        key = wish.lower()
        if key not in self._folders:
            self._folders[key] = (self._names.take_folder(wish), Folder())
        return self._folders[key]


def _segment(segment: str) -> str:
    """The name that is nearest to a segment; its hash where nothing is left of it."""
    return safe(unquote(segment)) or hashed(segment)
