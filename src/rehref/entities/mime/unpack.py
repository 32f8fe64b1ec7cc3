"""A message as files in one folder: what each part is to be called, and its bytes.

1. Every leaf is a file: by the end of its location's path, its file name (Content-Disposition, Content-Type), or its
   Content-ID; otherwise `part-3-1`. The root document is `index`.
2. Names hold ASCII letters, digits, `.`, `_` and `-` only, begin with a letter, digit or `_`, and are at most 100
   characters long: none leaves the folder, none is hidden, none means something else to any system, and each is its own
   relative reference. Reserved names (`con`, `nul`, ...) get a `_` before them.
3. No two are the same, in upper or lower case: a later one gets a number.
4. The ending is one that the media type has, so that browsers see the type again. What has a type that is not known
   here keeps the ending that it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from rehref.base import Layers
from rehref.entities.mime import headings, transfer
from rehref.entities.mime.bases import Bases, Inside
from rehref.entities.mime.headings import Buffer
from rehref.entities.mime.structure import Entity, scan
from rehref.entities.parts import Limits, Trouble
from rehref.entities.troubles import few
from rehref.uri.components import split

LONGEST = 100
"""Characters of a name."""
_LONGEST_ENDING = 12

ENDINGS: Mapping[str, tuple[str, ...]] = {
    "application/javascript": (".js", ".mjs"),
    "application/json": (".json",),
    "application/pdf": (".pdf",),
    "application/xhtml+xml": (".xhtml", ".xht"),
    "application/xml": (".xml",),
    "audio/mpeg": (".mp3",),
    "font/otf": (".otf",),
    "font/ttf": (".ttf",),
    "font/woff": (".woff",),
    "font/woff2": (".woff2",),
    "image/avif": (".avif",),
    "image/bmp": (".bmp",),
    "image/gif": (".gif",),
    "image/jpeg": (".jpg", ".jpeg", ".jpe"),
    "image/png": (".png",),
    "image/svg+xml": (".svg",),
    "image/vnd.microsoft.icon": (".ico",),
    "image/webp": (".webp",),
    "image/x-icon": (".ico",),
    "message/rfc822": (".eml",),
    "text/css": (".css",),
    "text/html": (".html", ".htm"),
    "text/javascript": (".js", ".mjs"),
    "text/plain": (".txt", ".text", ".log", ".md", ".csv"),
    "text/xml": (".xml",),
    "video/mp4": (".mp4",),
    "video/webm": (".webm",),
}
"""How the files of a media type may end; the first is what is added."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]++")
_ENDING = re.compile(rf"\.[A-Za-z0-9]{{1,{_LONGEST_ENDING - 1}}}").fullmatch
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|\Z)", re.IGNORECASE).match


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What the parts of a message are called as files.

    `files`: for each part's number, its file name. `targets`: for each absolute URI of a part (without fragment; `cid:`
    and `mid:` too), its file name, as a reference relative to the folder. `root`: the number of the root document,
    None if there is none. `troubles`: what is wrong with the message.

    `targets` holds those of the outermost message before those of messages in it; a part's own `inside` tells exactly.
    """

    files: Mapping[str, str]
    targets: Mapping[str, str]
    root: str | None
    troubles: tuple[Trouble, ...]


@dataclass(frozen=True, slots=True)
class Body:
    """The decoded bytes of a part: its number, and pieces of at most a few megabytes."""

    number: str
    pieces: Iterator[bytes]


def plan(data: Buffer, around: Layers, limits: Limits | None = None) -> Unpacked:
    """Name the parts of a message (rules 1 to 4). `around`: what stands outside of it. Raises nothing on content."""
    found = scan(data, (limits or Limits()).depth)
    bases = Bases(data, found.entities, around)
    leaves = dict(bases.leaves())
    root = bases.root()
    names = _Names()
    called: dict[int, str] = {}
    if root is not None:
        called[root] = names.take("index", _endings(leaves[root]))
    for index, entity in leaves.items():
        if index != root:
            called[index] = names.take(_wish(data, bases, index, entity), _endings(entity))
    targets = Inside()
    for index in sorted(leaves, key=lambda index: leaves[index].message != 0):
        for uri in bases.uris(index):
            targets.add(uri, called[index])
    files = {entity.number: called[index] for index, entity in leaves.items()}
    return Unpacked(files, targets, None if root is None else leaves[root].number, tuple(found.troubles))


def bodies(data: Buffer, limits: Limits | None = None) -> Iterator[Body | Trouble]:
    """The decoded bytes of every part that `plan` names, in their order, however large.

    The pieces of one are to be taken before the next is asked for. What has an encoding that is not known comes as it
    is, and is reported.
    """
    return few(_bodies(data, limits or Limits()))


def _bodies(data: Buffer, limits: Limits) -> Iterator[Body | Trouble]:
    for entity in scan(data, limits.depth).entities:
        if entity.kind not in ("leaf", "opaque"):
            continue
        encoding = entity.encoding
        if encoding not in transfer.KNOWN:
            yield Trouble(
                f"part {entity.number}", f"its transfer encoding {encoding!r} cannot be read; it stays encoded"
            )
            encoding = ""
        yield Body(entity.number, transfer.chunks(data, entity.body, entity.end, encoding))


def _endings(entity: Entity) -> tuple[str, ...]:
    return ENDINGS.get(entity.essence, ())


def _wish(data: Buffer, bases: Bases, index: int, entity: Entity) -> str:
    """What a part would be called best, as it is written somewhere."""
    path = split(bases.location(index) or "").path
    wishes = [
        unquote(path.rpartition("/")[2]),
        headings.parameters(headings.text(data, entity.spans.get("content-disposition"))).get("filename", ""),
        "" if entity.type is None else entity.type.parameters.get("name", ""),
        headings.identifier(data, entity.spans.get("content-id")).partition("@")[0],
    ]
    for wish in wishes:
        name = safe(wish)
        if name:
            return name
    return f"part-{entity.number.replace('.', '-')}"


def safe(wish: str) -> str:
    """The name that is nearest to a wish (rule 2), without a folder; "" if nothing is left of it."""
    name = _UNSAFE.sub("-", wish[-4 * LONGEST :].replace("\\", "/").rpartition("/")[2])
    return name.lstrip(".-").rstrip(".-")


class _Names:
    """The names that are taken."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def take(self, wish: str, endings: tuple[str, ...]) -> str:
        """Give a name that is free, as near to a safe wish as may be (rules 2 to 4)."""
        stem, dot, last = wish.rpartition(".")
        ending = f".{last}" if dot and stem and _ENDING(f".{last}") else ""
        if endings and ending.lower() not in endings:
            stem, ending = wish, endings[0]
        elif ending == "":
            stem = wish
        if not endings and ending == "":
            ending = ".bin"
        if _RESERVED(stem):
            stem = f"_{stem}"
        stem = stem[: LONGEST - _LONGEST_ENDING - 10].rstrip(".-") or "_"
        key = f"{stem}{ending}".lower()
        number = self._numbers.get(key, 1)
        name = f"{stem}{ending}"
        while name.lower() in self._taken:
            number += 1
            name = f"{stem}-{number}{ending}"
        self._numbers[key] = number
        self._taken.add(name.lower())
        return name
