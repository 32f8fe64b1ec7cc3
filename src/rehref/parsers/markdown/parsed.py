"""A Markdown document: the places of its references, and the source again with some of them changed.

1. A place is what the destination becomes in HTML: the `href` of an `a`, the `src` of an `img`. A definition is the
   place of all links that use it; it is an `img` if only images do.
2. The HTML inside is read by the `source` core: in a copy in which all else is white space, so that offsets are those
   of the text. Its places are among the others, in order.
3. A heading is a place too, if ids are wanted and the dialect is known: the `id` that it gets (`heading_ids`). It is
   changed by writing it behind the heading, in dialects that read it there. So is an id in a list of attributes
   elsewhere a place, as that of a `span`, which cannot be changed.
4. Known keys of the front matter are places of no element (`front_matter`).
5. A changed document must be read as before, except for the new destinations (`differs_only`). If it would not be, only
   so many of the changes are made as keep that; `refused` counts the others, and those that cannot be written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from rehref.parsers.contract import HTML, Edit, Place, Wanted
from rehref.parsers.markdown.destinations import unescaped
from rehref.parsers.markdown.events import differs_only, is_whole
from rehref.parsers.markdown.heading_ids import id_splice, ids_elsewhere, ids_of, in_html
from rehref.parsers.markdown.reading import Heading, LinkDestination, Markdown, read
from rehref.parsers.markdown.utf8 import InUtf8
from rehref.parsers.markdown.writing import meaning_offsets, written
from rehref.parsers.markdown_dialects import Dialect
from rehref.parsers.source.core import CORE
from rehref.parsers.source.parsed_source import SourceParsed
from rehref.text.encoding import Source, Splice, spliced

_ATTRIBUTES = {"a": "href", "img": "src"}
_BLANK = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
_IN_QUOTES = re.compile(r"""[^"'\\\x00-\x1f\x7f-\x9f]*+""").fullmatch
_PLAIN_SCALAR = re.compile(r"""[A-Za-z0-9/._](?:[^"'\\#:,\]}\s\x00-\x1f\x7f-\x9f]|:(?=/))*""").fullmatch
_MOST_TRIES = 40
"""How often a changed document is read, at most, to find the changes that can be made (rule 5)."""

ByteSplice = tuple[int, int, bytes]


class FrontValue(NamedTuple):
    """The value of a key of the front matter: the key, where it is, what it means, the quote around it or ""."""

    key: str
    start: int
    end: int
    text: str
    quote: str


class _Change(NamedTuple):
    """A change of the text: what it replaces, and the destination that it changes (None: HTML or front matter)."""

    splice: ByteSplice
    of: LinkDestination | None = None


class MarkdownParsed:
    """A Markdown document. See `rehref.parsers.contract.Parsed`."""

    def __init__(
        self,
        source: Source,
        wanted: Wanted,
        dialect: Dialect,
        front_matter: Callable[[bytes], Iterable[FrontValue]],
        ids_in: str | None = None,
    ) -> None:
        """Read it. Raises nothing, whatever the bytes. `front_matter`: reads that (rule 4); `ids_in`: the dialect of
        rule 3, if it is known.
        """
        self._source = InUtf8(source)
        self._dialect, self._ids_in = dialect, ids_in
        data = self._source.data
        found = read(data, dialect)
        self.skipped = found.skipped + found.unclear
        self.is_whole = is_whole(data, dialect)
        self.refused = 0
        self._made: tuple[Sequence[Edit], list[Splice]] = ((), [])
        self._html = _read_html(data, found.html, wanted)
        # what each place is of: a destination, a value of the front matter, a heading, a place in HTML, nothing
        owners: list[tuple[Place, LinkDestination | FrontValue | Heading | int | None]] = [
            (_place(one), one) for one in found.destinations
        ]
        if self._html is not None:
            owners += [(place, number) for number, place in enumerate(self._html.places)]
        if ids_in is not None and "id" in wanted.anywhere:
            owners += _named(ids_in, data, found)
        if found.front_matter is not None:
            first, behind = found.front_matter
            values = [
                one._replace(start=first + one.start, end=first + one.end) for one in front_matter(data[first:behind])
            ]
            owners += [(_of_front_matter(one), one) for one in values]
        if len(owners) > len(found.destinations):
            owners.sort(key=_start_of)
        self._read = [place for place, _ in owners]
        self._owners = [owner for _, owner in owners]
        self.direct = data is source.data or (isinstance(source.data, str) and source.data.isascii())
        self.places: Sequence[Place] = self._read if self.direct else list(map(self._as_given, self._read))

    def is_destination(self, place: int) -> bool:
        """Whether a place is a destination in Markdown, not of HTML inside."""
        return isinstance(self._owners[place], LinkDestination)

    def uses(self, place: int) -> int | None:
        """How many links and images use a definition; None for all other places."""
        owner = self._owners[place]
        return len(owner.links) if isinstance(owner, LinkDestination) and owner.form == "definition" else None

    def _as_given(self, place: Place) -> Place:
        start, end = self._source.span(place.start or 0, place.end or 0)
        return place._replace(start=start, end=end)

    @property
    def positions(self) -> tuple[Sequence[int], Sequence[int]]:
        """For each place, the line, and the column (1-based, characters), where its value begins."""
        found = [self._source.position(place.start or 0) for place in self._read]
        return [line for line, _ in found], [column for _, column in found]

    def span(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of the place's value are in the source."""
        return self._source.span(*self._span(place, start, end))

    def _span(self, number: int, start: int, end: int) -> tuple[int, int]:
        """The same in `data`."""
        place, owner = self._read[number], self._owners[number]
        if isinstance(owner, int):
            assert self._html is not None
            return self._html.unit_span(owner, start, end)
        first, behind = place.start or 0, place.end or 0
        if (start == 0 and end == len(place.value)) or not isinstance(owner, LinkDestination):
            return first, behind
        raw = self._source.data[first:behind].decode()
        offsets = meaning_offsets(raw, place.value)
        if offsets is None:
            return first, behind
        return first + len(raw[: offsets[start]].encode()), first + len(raw[: offsets[end]].encode())

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of a place's value; None: of its tag."""
        at = self._read[place].tag if offset is None else self._span(place, offset, offset)[0]
        return self._source.position(at)

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """Return the source with the edits made, as far as rule 5 allows."""
        return self._source.units.splice(self._splices(edits))

    def byte_splices(self, edits: Sequence[Edit]) -> list[tuple[int, int, bytes]] | None:
        """What to replace in the bytes of the source, as they are read; None where that is not known."""
        return self._source.units.in_bytes(self._splices(edits))

    def splices(self, edits: Sequence[Edit]) -> list[Splice]:
        """What to replace for the edits to be made, in the characters of a str."""
        return self._splices(edits)

    def _splices(self, edits: Sequence[Edit]) -> list[Splice]:
        """The same in units of the source. Bytes and splices are asked for together: what was made last is kept."""
        if self._made[0] is not edits:
            self._made = edits, self._splices_for(edits)
        return self._made[1]

    def _splices_for(self, edits: Sequence[Edit]) -> list[Splice]:
        self.refused = 0
        changes: list[_Change] = []
        in_html: list[Edit] = []
        for number, group in groupby(edits, key=attrgetter("place")):
            owner, mine = self._owners[number], list(group)
            if isinstance(owner, int):
                in_html += [edit._replace(place=owner) for edit in mine]
            elif owner is not None and (change := self._change(number, owner, mine)) is not None:
                changes.append(change)
            else:
                self.refused += len(mine)
        if in_html and self._html is not None:
            made = self._html.byte_splices(sorted(in_html, key=attrgetter("place", "start")))
            changes += map(_Change, made or ())
        changes.sort(key=lambda change: change.splice[0])
        kept = self._kept(changes)
        return self._source.splices([change.splice for change in kept])

    def _change(
        self, number: int, owner: LinkDestination | FrontValue | Heading, edits: Sequence[Edit]
    ) -> _Change | None:
        """The change that makes the edits of one place; None if they cannot be written."""
        value, data = self._read[number].value, self._source.data
        new, last = "", 0
        for _, start, end, text in edits:
            if text is None:
                return None
            new += value[last:start] + text
            last = end
        new += value[last:]
        if isinstance(owner, FrontValue):
            is_plain = _IN_QUOTES(new) if owner.quote else _PLAIN_SCALAR(new)
            return _Change((owner.start, owner.end, new.encode("utf-8", "replace"))) if is_plain else None
        if isinstance(owner, Heading):
            splice = None if self._ids_in is None else id_splice(self._ids_in, data, owner, new)
            return None if splice is None else _Change(splice)
        text_written = written(data, owner, new)
        return None if text_written is None else _Change((owner.start, owner.end, text_written), owner)

    def _kept(self, changes: Sequence[_Change]) -> Sequence[_Change]:
        """The changes that can be made together (rule 5): all, or those found by halving."""
        kept: list[_Change] = []
        waiting = [list(changes)] if changes else []
        tries = _MOST_TRIES
        while waiting:
            some = waiting.pop()
            if tries and self._is_read([*kept, *some]):
                kept += some
            elif len(some) > 1 and tries > 1:
                middle = len(some) // 2
                waiting += [some[middle:], some[:middle]]
            else:
                self.refused += len(some)
            tries = max(tries - 1, 0)
        return kept

    def _is_read(self, changes: Sequence[_Change]) -> bool:
        """Whether the document is read as before, except for the new destinations, after some changes in order."""
        data = self._source.data
        news: dict[int, str] = {}
        for (_, _, new), of in changes:
            if of is not None:
                value = new.decode() if of.form in ("bare", "autolink") else _meaning(new)
                news.update(dict.fromkeys(of.links, value))
        return differs_only(data, spliced(data, (change.splice for change in changes)), self._dialect, news)


def _meaning(new: bytes) -> str:
    """What a destination means, with its brackets or without."""
    return "" if new == b"<>" else unescaped(new.decode())


def _place(found: LinkDestination) -> Place:
    attribute = _ATTRIBUTES[found.element]
    return Place(
        element=found.element,
        namespace=HTML,
        attribute=attribute,
        value=found.value,
        start=found.start,
        end=found.end,
        tag=found.tag,
        flags=0,
    )


def _of_front_matter(found: FrontValue) -> Place:
    return Place(
        element="",
        namespace="",
        attribute=found.key,
        value=found.text,
        start=found.start,
        end=found.end,
        tag=found.start,
        flags=0,
    )


def _named(dialect: str, data: bytes, found: Markdown) -> list[tuple[Place, Heading | None]]:
    """The places of the ids of headings, and of other ids in lists of attributes, which are of nothing (rule 3)."""
    headings = sorted([*found.headings, *in_html(dialect, data, found.html)])
    of_headings = zip(headings, ids_of(dialect, data, headings), strict=True)
    places: list[tuple[Place, Heading | None]] = [
        (_of_id(f"h{each.level}", id, each.start, each.end), each) for each, ids in of_headings for id in ids
    ]
    known = {place.value for place, _ in places}
    others = [(at, id) for at, id in ids_elsewhere(dialect, data) if id not in known]
    return places + [(_of_id("span", id, at, at), None) for at, id in others]


def _of_id(element: str, id: str, start: int, end: int) -> Place:
    return Place(element=element, namespace=HTML, attribute="id", value=id, start=start, end=end, tag=start, flags=0)


def _start_of(owned: tuple[Place, object]) -> tuple[int, int]:
    return owned[0].start or 0, owned[0].tag


def _read_html(data: bytes, stretches: Sequence[tuple[int, int]], wanted: Wanted) -> SourceParsed | None:
    """The HTML in some stretches of a text (rule 2); None if there is none."""
    if not stretches:
        return None
    blank = bytearray(data.translate(_BLANK))
    for start, end in stretches:
        blank[start:end] = data[start:end]
    return CORE.parse(Source(bytes(blank), "utf-8"), wanted)
