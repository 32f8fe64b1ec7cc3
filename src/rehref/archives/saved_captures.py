"""The saved captures of a web archive: which URIs lead to them, and the file that records them for `rehref serve`.

URIs are compared like in `rehref.rewriting.offline_rule`, without fragments. If nothing is saved for an `http` URI, the
same `https` URI counts, and the other way round: browsers that know that a host is secure request `https` at once
(HSTS, RFC 6797), while references to `http` remain in pages. Then captures of nearly the same URI count (`loose_key`),
as in the replay of pywb.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from calendar import timegm
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from rehref.archives._copies.remaining import Remaining
from rehref.containers.parts import Capture, Part, timestamp
from rehref.files.file_documents import real_path_within
from rehref.files.writing import write_atomically
from rehref.rewriting.offline_rule import comparable, in_other_web_scheme
from rehref.uri.resolver import parse_or_none

INDEX = "index.html"
CAPTURES = "_captures.jsonl"
_LONG_AGO = -(1 << 40)
_MOST_REDIRECTS = 20  # how many redirects browsers follow (the Fetch Standard, "HTTP-redirect fetch")
_STATIC: Final = re.compile(
    r"css|m?js|png|jpe?g|gif|webp|avif|svgz?|ico|bmp|woff2?|ttf|otf|eot|mp[34]|m4[av]|og[gv]|web[ma]|vtt", re.IGNORECASE
).fullmatch
_ESCAPED: Final = re.compile(r"%(?:2[124789AC]|3[ABCE]|40|5[BCDE]|60|7[BCD])", re.IGNORECASE).sub
_LONGEST: Final = 1 << 16
_MOST: Final = 1_000_000
_NAME = r"[A-Za-z0-9_][A-Za-z0-9._-]{0,99}"  # those of `rehref.archives._unpacking.file_names`
_IS_PATH = re.compile(rf"{_NAME}(?:/{_NAME}){{0,31}}").fullmatch
_RANGE = re.compile(r"\s*bytes\s+([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})\s*", re.IGNORECASE).fullmatch
_IS_TYPE = re.compile(r"[ -~]{0,200}").fullmatch


@dataclass(slots=True)
class Saved:
    """A capture that is saved, or is a redirect.

    `order`: the number of the capture in the archive; `number`: the number of the capture that has its body.
    `location`: the absolute target of a redirect, else "". `path`: the path of its file, with slashes; "" for a
    redirect. `base`: the base that a `base` element gave a document, else "". `refresh`: the value of its `Refresh`
    field.
    """

    order: int
    uri: str
    date: str
    status: int
    media_type: str
    number: int
    location: str = ""
    path: str = ""
    base: str = ""
    refresh: str = ""

    @property
    def timestamp(self) -> str:
        """Its time as 14 digits; `undated` if it is not known."""
        return timestamp(self.date) or "undated"

    @property
    def moment(self) -> int:
        """Its time in seconds since 1970."""
        return moment_of(self.date)


def moment_of(date: str) -> int:
    """Return seconds since 1970; a very early time for what is not a date."""
    digits = timestamp(date)
    if not digits:
        return _LONG_AGO
    fields = (digits[:4], *(digits[at : at + 2] for at in range(4, 14, 2)))
    try:
        return timegm((*map(int, fields), 0, 0, 0))
    except ValueError:  # for example month 13
        return _LONG_AGO


class PartExtent(NamedTuple):
    """The bytes of a part, from `start` up to `end`, of `total` ones."""

    start: int
    end: int
    total: int


def part_extent(content_range: str) -> PartExtent | None:
    """Return what a `Content-Range` says; None if it does not say it, or it is impossible."""
    found = _RANGE(content_range)
    if found is None:
        return None
    first, last, total = map(int, found.groups())
    return PartExtent(first, last + 1, total) if first <= last < total else None


@dataclass(slots=True)
class Joint:
    """A resource that is joined; `number`: the capture of its first part, which stands for it."""

    number: int
    total: int
    missing: int
    """How many parts are missing."""
    begins: int = 0
    """Where it begins in the temporary file."""
    first: Part | None = None


class SavedTarget(NamedTuple):
    """The path of the file that a URI leads to, None if there is none, and the fragment that redirects give."""

    path: str | None
    fragment: str | None = None


@dataclass(slots=True)
class CapturePlan:
    """The places of saved captures. `files`: captures by number, each with the entries that its body is saved for."""

    entries: list[Saved]
    files: dict[int, list[Saved]]
    joints: dict[int, tuple[Joint, int]] = field(default_factory=dict)
    """The captures of parts that are joined, by number, for `capture_bodies`."""
    titles: dict[str, str] = field(default_factory=dict)
    """The titles of the written documents by path."""
    types: dict[str, str] = field(default_factory=dict)
    """The media types of the written files by path, each with the charset of the file."""
    remaining: Remaining = field(default_factory=Remaining)
    """What of the written files needs the web or a server."""
    _by_uri: dict[str, _Times] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = by_uri(self.entries)
        for uri, entries in list(found.items()):
            if (key := loose_key(uri)) != uri:
                found.setdefault(key, []).extend(entry for entry in entries if entry.path)
        self._by_uri = {uri: _Times.of(entries) for uri, entries in found.items() if entries}

    def wanted(self, capture: Capture) -> bool:
        """Return whether a capture's body should be saved."""
        return capture.number in self.files or capture.number in self.joints

    def find(self, uri: str, date: str) -> str | None:
        """Return the path that a comparable URI leads to from a document of that date; None if it leads nowhere."""
        return self.target_of(uri, date).path

    def target_of(self, uri: str, date: str) -> SavedTarget:
        """Return the same with the last fragment that redirects on the way give."""
        fragment = None
        for _ in range(_MOST_REDIRECTS):
            times = self._by_uri.get(uri) or self._by_uri.get(in_other_web_scheme(uri))
            times = times or self._by_uri.get(loose_key(uri))
            if times is None:
                break
            entry = times.entries[0] if len(times.entries) == 1 else times.nearest(moment_of(date))
            if entry.path:
                return SavedTarget(entry.path, fragment)
            _, mark, given = entry.location.partition("#")
            fragment = given if mark else fragment
            uri = comparable(entry.location)
        return SavedTarget(None)

    def reference_of(self, redirect: Saved) -> str:
        """Return the path that a redirect leads to, with the fragment; "" if it is not saved."""
        path, given = self.target_of(comparable(redirect.location), redirect.date)
        _, mark, fragment = redirect.location.partition("#")
        fragment = fragment if given is None else given
        return "" if path is None else path + (f"#{fragment}" if mark or given is not None else "")


@dataclass(frozen=True, slots=True)
class FindAt:
    """Finds the files of a plan for a document of some date: a `Find` of `rehref.rewriting.offline_rule`."""

    plan: CapturePlan
    date: str

    def __call__(self, uri: str) -> str | None:
        """Return the path that a comparable URI leads to."""
        return self.plan.find(uri, self.date)

    def fragment(self, uri: str) -> str | None:
        """See `SavedFiles`."""
        return self.plan.target_of(uri, self.date).fragment


def by_uri(entries: Iterable[Saved]) -> dict[str, list[Saved]]:
    """The captures of each comparable URI."""
    found: dict[str, list[Saved]] = {}
    for entry in entries:
        found.setdefault(comparable(entry.uri), []).append(entry)
    return found


class _Times(NamedTuple):
    """The captures of a URI in order of time."""

    moments: list[int]
    entries: list[Saved]

    @classmethod
    def of(cls, entries: list[Saved]) -> _Times:
        """Sort the captures; at one moment, those that are not redirects come last, since they count more."""
        found = sorted(entries, key=lambda entry: (entry.moment, entry.path != ""))
        return cls([entry.moment for entry in found], found)

    def nearest(self, moment: int) -> Saved:
        """Return the capture nearest in time; of two equally near ones the earlier."""
        behind = bisect_right(self.moments, moment)
        if behind == 0 or (
            behind < len(self.moments) and self.moments[behind] - moment < moment - self.moments[behind - 1]
        ):
            behind = bisect_right(self.moments, self.moments[behind])
        return self.entries[behind - 1]


def loose_key(uri: str) -> str:
    """The same text for URIs whose captures may stand for each other. `uri`: `comparable`.

    It does not distinguish `%2C` from `,`: crawlers record URIs in other spellings than pages have. These may differ
    (RFC 3986 §2.2), so an exact match takes precedence. Escapes of delimiters (`/ ? # & = + %`) and of other characters
    stay. The query of an image, a style sheet, a script, a font or a recording is mostly there for caches
    (`site.css?v=3`): if the path has the ending of one, any query serves.
    """
    if not uri.startswith(("http:", "https:")):
        return uri
    rest = uri.partition(":")[2]
    if "%" in rest:
        rest = _ESCAPED(lambda found: chr(int(found[0][1:], 16)), rest)
    path = rest.partition("?")[0]
    if path == rest:
        return rest
    name, _, ending = path.rpartition("/")[2].rpartition(".")
    return path if name and _STATIC(ending) else rest


def write_captures(folder: Path, plan: CapturePlan) -> None:
    """Write the file for a plan whose files are written. Raises `FileError`.

    Each line is a JSON object with `uri`, `date` and `status`; of a saved capture also `path` (below the folder) and
    `type` (the media type, with the charset of the file as it was written), and of a page with a `base` element `base`
    (absolute); of a redirect `location` (absolute).
    """

    def write(file: BinaryIO) -> None:
        for each in plan.entries:
            row = {"uri": each.uri, "date": each.date, "status": each.status, "path": each.path}
            row |= {"type": plan.types.get(each.path), "location": each.location, "base": each.base}
            file.write(json.dumps({name: value for name, value in row.items() if value}).encode("ascii") + b"\n")

    write_atomically(folder / CAPTURES, write, within=folder)


def read_captures(folder: Path) -> Iterator[Saved]:
    """Yield the captures of an unpacked folder, with URIs as browsers write them. Raises `FileError` and `OSError`.

    Nothing in it is trusted. A line is skipped if it is longer than `_LONGEST` bytes, is not such an object, or has a
    path or media type that rehref would not write, or a URI that browsers reject. At most `_MOST` lines are read.
    """
    with real_path_within(folder, folder / CAPTURES, done="read").open("rb") as file:
        for line in islice(iter(partial(file.readline, _LONGEST), b""), _MOST):
            try:
                row = {"path": "", "type": "", "location": "about:blank", "base": "about:blank", **json.loads(line)}
                uri, location, base = (parse_or_none(row[name]) for name in ("uri", "location", "base"))
                entry = Saved(
                    order=0,
                    uri=uri or "",
                    date=str(row["date"]),
                    status=0,
                    media_type=row["type"],
                    number=0,
                    location=location or "",
                    path=row["path"],
                    base=base or "",
                )
                is_sound = _IS_TYPE(entry.media_type) and (entry.path == "" or _IS_PATH(entry.path))
                if uri and location and base and is_sound:
                    yield entry
            except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
                continue
