"""Plan which captures of a web archive become which files, and which URIs lead to them.

1. Bodies of successful responses (2xx, except 204 and 205, which have none) are saved, and resources, except for those
   that wget writes about its own run. Parts (206) are joined (`rehref.rewriting.unpacking.partial_captures`); how many
   URIs are left with parts only is reported. A revisit means the capture that it refers to, by record id, by URI and
   date, or by digest; or, if the server said that nothing had changed, the previous capture of the same URI. A redirect
   (3xx with a `Location`) leads on to its target; it is not a file.
2. The last capture of a URI that can be saved counts, or, if there is none, the last redirect. With `all_captures` each
   capture is saved below a folder for its time (`20240102030405`), and a URI leads to the capture that is nearest in
   time to the document which refers to it.
3. URIs are compared like in `rehref.rewriting.rules.offline`, without fragments. If nothing is saved for an `http` URI,
   the same `https` URI counts, and the other way round: browsers that know that a host is secure request `https` at
   once (HSTS, RFC 6797), while references to `http` remain in pages. Then captures of nearly the same URI count
   (`rehref.rewriting.unpacking.loose_keys`).
4. A body is saved once, even if revisits of other URIs refer to it. A document is saved once for each URI, since its
   references may be relative to that.
5. The names `index.html` and `_captures.jsonl` at the top are reserved.
6. A few strings of each capture are kept in memory, but no bodies.
"""

from __future__ import annotations

from bisect import bisect_right
from calendar import timegm
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from rehref.containers.parts import Diagnostic
from rehref.containers.warc.captures import PARTIAL, Capture
from rehref.documents.types.media_types import essence
from rehref.files.file_names import Folder
from rehref.rewriting.offline_copies.copied_documents import is_document
from rehref.rewriting.offline_copies.remaining import Remaining
from rehref.rewriting.rules.offline import comparable, in_other_web_scheme
from rehref.rewriting.rules.template import timestamp
from rehref.rewriting.unpacking.loose_keys import loose_key
from rehref.rewriting.unpacking.partial_captures import Extent, Joint, Piece, covering, extent_of
from rehref.uri.resolver import resolve

INDEX = "index.html"
CAPTURES = "_captures.jsonl"
_WITHOUT_BODY = (204, 205)
_NOT_MODIFIED = 304
_OF_WGET = ("metadata://gnu.org/", "urn:x-wget:")
"""The records that wget writes about its own run."""
_LONG_AGO = -(1 << 40)
_MOST_REDIRECTS = 20
"""How many redirects browsers follow (the Fetch Standard, "HTTP-redirect fetch")."""


@dataclass(slots=True)
class Saved:
    """A capture that is saved, or is a redirect.

    `order`: the number of the capture in the archive; `number`: the number of the capture that has its body.
    `location`: the absolute target of a redirect, else "". `path`: the path of its file, with slashes; "" for a
    redirect. `base`: the base that a `base` element gave a document, else "".
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

    @property
    def timestamp(self) -> str:
        """Its time as 14 digits; `undated` if it is not known."""
        return timestamp(self.date) or "undated"

    @property
    def moment(self) -> int:
        """Its time in seconds since 1970."""
        return _moment(self.date)


def _moment(date: str) -> int:
    """Return seconds since 1970; a very early time for what is not a date."""
    digits = timestamp(date)
    if not digits:
        return _LONG_AGO
    fields = (digits[:4], *(digits[at : at + 2] for at in range(4, 14, 2)))
    try:
        return timegm((*map(int, fields), 0, 0, 0))
    except ValueError:  # for example month 13
        return _LONG_AGO


@dataclass(slots=True)
class Plan:
    """The places of saved captures. `files`: captures by number, each with the entries that its body is saved for."""

    entries: list[Saved]
    files: dict[int, list[Saved]]
    joints: dict[int, tuple[Joint, int]] = field(default_factory=dict)
    """The captures of parts that are joined, by number, for `bodies`."""
    titles: dict[str, str] = field(default_factory=dict)
    """The titles of the written documents by path."""
    types: dict[str, str] = field(default_factory=dict)
    """The media types of the written files by path, each with the charset of the file."""
    remaining: Remaining = field(default_factory=Remaining)
    """What of the written files needs the web or a server."""
    _by_uri: dict[str, _Times] = field(default_factory=dict)

    def __post_init__(self) -> None:
        found = _by_uri(self.entries)
        for uri, entries in list(found.items()):
            if (key := loose_key(uri)) != uri:
                found.setdefault(key, []).extend(entry for entry in entries if entry.path)
        self._by_uri = {uri: _Times.of(entries) for uri, entries in found.items() if entries}

    def wanted(self, capture: Capture) -> bool:
        """Return whether a capture's body should be saved."""
        return capture.number in self.files or capture.number in self.joints

    def find(self, uri: str, date: str) -> str | None:
        """Return the path that a comparable URI leads to from a document of that date; None if it leads nowhere."""
        for _ in range(_MOST_REDIRECTS):
            times = self._by_uri.get(uri) or self._by_uri.get(in_other_web_scheme(uri))
            times = times or self._by_uri.get(loose_key(uri))
            if times is None:
                return None
            entry = times.entries[0] if len(times.entries) == 1 else times.nearest(_moment(date))
            if entry.path:
                return entry.path
            uri = comparable(entry.location)
        return None


def _by_uri(entries: Iterable[Saved]) -> dict[str, list[Saved]]:
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


def plan(found: Iterable[Capture | Diagnostic], *, all_captures: bool = False) -> Iterator[Plan | Diagnostic]:
    """Decide what is saved where: yield diagnostics, and the plan at the end.

    `found`: all captures, each with its part, which shows whether it can be read (for those in `may_be_saved`).
    """
    seen = _Seen()
    for each in found:
        if isinstance(each, Diagnostic):
            yield each
        else:
            seen.add(each)
    seen.join()
    found_plan = _named(seen.chosen(all_captures=all_captures), seen.joints, all_captures=all_captures)
    partial = sum(found_plan.find(uri, "") is None for uri in seen.partial)
    if partial:
        what = "1 URI was" if partial == 1 else f"{partial:,} URIs were"
        yield Diagnostic("", f"{what} captured only in part (206), and cannot be joined; not saved", code="odd")
    yield found_plan


def may_be_saved(capture: Capture) -> bool:
    """Return whether a capture's body may be saved (rule 1)."""
    if capture.is_revisit or capture.uri.lower().startswith(_OF_WGET):
        return False
    return 200 <= capture.status < 300 and capture.status not in _WITHOUT_BODY


class _Seen:
    """The captures of an archive, by every key that revisits refer to."""

    def __init__(self) -> None:
        self._bodies: dict[str, Saved] = {}
        self._redirects: list[Saved] = []
        self._contents: list[Saved] = []
        self._revisits: list[Capture] = []
        self._parts: dict[tuple[str, int, str], list[tuple[Piece, Saved]]] = {}
        self.partial: set[str] = set()
        self.joints: dict[int, tuple[Joint, int]] = {}

    def add(self, capture: Capture) -> None:
        """Record a capture."""
        uri, date, status, number = capture.uri, capture.date, capture.status, capture.number
        if 300 <= status < 400 and status != _NOT_MODIFIED and capture.location:
            target = resolve(uri, capture.location.strip())
            self._redirects.append(Saved(number, uri, date, status, "", number, location=target))
        elif capture.is_revisit:
            self._revisits.append(capture)
        elif capture.part is not None:
            entry = Saved(number, uri, date, status, essence(capture.part.media_type), number)
            extent = extent_of(capture.content_range)
            is_whole = extent is not None and extent.is_whole and extent.end == len(capture.part.data)
            if status == PARTIAL and not is_whole:
                self._add_part(entry, extent, len(capture.part.data), capture.validator)
                return
            self._contents.append(entry)
            for key in (capture.id, f"{comparable(uri)} {timestamp(date)}", capture.digest):
                if key:
                    self._bodies.setdefault(key, entry)

    def _add_part(self, entry: Saved, extent: Extent | None, length: int, validator: str) -> None:
        """Record a capture of a part of a resource."""
        uri = comparable(entry.uri)
        self.partial.add(uri)
        is_weak = validator.startswith("W/")  # RFC 9110 §15.3.7.3
        if not is_weak and extent is not None and extent.end - extent.start == length:
            pieces = self._parts.setdefault((uri, extent.total, validator or entry.date[:10]), [])
            pieces.append((Piece(extent, entry.number), entry))

    def join(self) -> None:
        """Decide which parts are joined, when all captures are known."""
        begins = 0
        for (_, total, _), found in self._parts.items():
            pieces = covering(piece for piece, _ in found)
            if pieces:
                first = pieces[0].number
                joint = Joint(first, total, len(pieces), begins)
                begins += total
                self.joints.update({piece.number: (joint, piece.extent.start) for piece in pieces})
                self._contents += [entry for piece, entry in found if piece.number == first]

    def chosen(self, *, all_captures: bool) -> list[Saved]:
        """Return the saved captures and the redirects, in the order of the archive (rule 2)."""
        contents = sorted(chain(self._contents, self._resolved()), key=lambda entry: entry.order)
        found: Iterable[Saved] = chain(contents, self._redirects)
        if not all_captures:
            found = (_latest(self._redirects) | _latest(contents)).values()
        return sorted(found, key=lambda entry: entry.order)

    def _resolved(self) -> Iterator[Saved]:
        """Yield the revisits whose original is in the archive."""
        by_uri = _by_uri(self._contents) if self._revisits else {}
        for revisit in self._revisits:
            original = self._original(revisit, by_uri)
            if original is not None:
                status = revisit.status if revisit.status not in (0, _NOT_MODIFIED) else original.status
                if 200 <= status < 300:
                    media_type, number = original.media_type, original.number
                    yield Saved(revisit.number, revisit.uri, revisit.date, status, media_type, number)

    def _original(self, revisit: Capture, by_uri: dict[str, list[Saved]]) -> Saved | None:
        refers_to = f"{comparable(revisit.original_uri)} {timestamp(revisit.original_date)}"
        for key in (revisit.original, refers_to, revisit.digest):
            if key and key in self._bodies:
                return self._bodies[key]
        if revisit.status != _NOT_MODIFIED:
            return None
        moment = _moment(revisit.date)
        same = by_uri.get(comparable(revisit.original_uri or revisit.uri), ())
        return max((entry for entry in same if entry.moment <= moment), key=lambda entry: entry.moment, default=None)


def _latest(entries: list[Saved]) -> dict[str, Saved]:
    """Return the last capture of each URI; of captures at one moment the last in the archive."""
    return {uri: max(reversed(each), key=lambda entry: entry.moment) for uri, each in _by_uri(entries).items()}


def _named(entries: list[Saved], joints: dict[int, tuple[Joint, int]], *, all_captures: bool) -> Plan:
    """Give the files their names (rules 4, 5)."""
    top = Folder((INDEX, CAPTURES))
    paths: dict[tuple[int, str], str] = {}
    files: dict[int, list[Saved]] = {}
    for entry in entries:
        if entry.location:
            continue
        key = (entry.number, comparable(entry.uri) if is_document(entry.media_type) else "")
        if key not in paths:
            name, folder = top.below(entry.timestamp) if all_captures else ("", top)
            path = folder.take(entry.uri, entry.media_type)
            paths[key] = f"{name}/{path}" if name else path
            files.setdefault(entry.number, []).append(entry)
        entry.path = paths[key]
    joined = {number: each for number, each in joints.items() if each[0].number in files}
    return Plan(entries, files, joined)
