"""A Markdown document: the places of its references, and the source again with some of them changed.

A place is what the destination becomes in HTML: the `href` of an `a`, the `src` of an `img`. A definition is the place
of all links that use it. The HTML inside is read by the `source` core, in a copy in which all else is white space, so
that offsets are those of the text. A changed document must be read as before, except for the new destinations
(`differs_only`): only so many of the changes are made as keep that.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import count, groupby
from operator import attrgetter
from typing import Final, NamedTuple, TypeAlias

from rehref.documents._markdown.dialects import DIALECTS, Dialect, dialect_named
from rehref.documents._markdown.events import BLANK, differs_only, front_matter_end, is_whole
from rehref.documents._markdown.heading_ids import GIVING, id_splice, ids_elsewhere, ids_of, in_html
from rehref.documents._markdown.jsx_code import is_component
from rehref.documents._markdown.jsx_values import TagValue, read_tags, value_offsets, with_edits
from rehref.documents._markdown.link_destinations import unescaped
from rehref.documents._markdown.read_markdown import Heading, LinkDestination, Markdown, read
from rehref.documents._markdown.utf8 import InUtf8
from rehref.documents._markdown.write_markdown import meaning_offsets, written
from rehref.markup.cores import core
from rehref.markup.places import HTML, CompleteParsed, Edit, Place, Wanted, complete
from rehref.text.encoding import Source, Splice, spliced

ANY: Final = "any"
"""Instead of the dialect of ids: any may be meant. Ids that all give are places, and those that some give are
possible."""
_ATTRIBUTES = {"a": "href", "img": "src"}
_IN_QUOTES = re.compile(r"""[^"'\\\x00-\x1f\x7f-\x9f]*+""").fullmatch
_PLAIN_SCALAR = re.compile(r"""[A-Za-z0-9/._](?:[^"'\\#:,\]}\s\x00-\x1f\x7f-\x9f]|:(?=/))*""").fullmatch
_OWN_ID = re.compile(r"\[#([^\s\[\]]+)\]\s*\Z").search
"""The id of a heading behind it in Nextra and Fumadocs, which are not dialects here."""
_MOST_TRIES = 40
"""How often a changed document is read, at most, to find the changes that can be made."""


class FrontValue(NamedTuple):
    """The value of a key of the front matter: the key, where it is, what it means, the quote around it or ""."""

    key: str
    start: int
    end: int
    text: str
    quote: str


_Change: TypeAlias = tuple[Splice[bytes], int]  # what to replace in the text, and the number of the place
_Owner: TypeAlias = LinkDestination | FrontValue | Heading | TagValue | int | None
"""What a place is of: a destination, a value of front matter, a heading, a tag of MDX, a place in HTML (by its number),
nothing.
"""


class MarkdownParsed(CompleteParsed):
    """A Markdown document. See `rehref.markup.parsed.Parsed`.

    `refused` has the places of changes that would be read otherwise, and of those that cannot be written.
    """

    def __init__(
        self,
        source: Source,
        wanted: Wanted,
        dialect: Dialect,
        front_matter: Callable[[bytes], Iterable[FrontValue]],
        ids_in: str | None = None,
        asked: Collection[tuple[str, str]] = (),
    ) -> None:
        """Read it. Raises nothing, whatever the bytes.

        `front_matter`: reads that: known keys are places of no element. `ids_in`: the dialect of ids, if they are
        wanted and it is known. `asked`: elements and attributes that options name.
        """
        self._source = InUtf8(source)
        self._dialect, self._ids_in = dialect, ids_in
        data = self._source.data
        found = read(data, dialect)
        self.skipped = found.skipped
        meant = DIALECTS.values() if ids_in == ANY else (dialect,)
        self.is_whole = found.is_whole and all(is_whole(data, each) for each in meant if not dialect.is_jsx)
        if found.blocks is not None and (fault := found.blocks.fault) is not None:
            self.fault = fault.message, *self._source.position(fault.at)
        self.refused: list[tuple[int, int]] = []
        self._made: tuple[Sequence[Edit], list[Splice[str]]] = ((), [])
        owned: list[tuple[Place, _Owner]] = [
            (_place(one.element, _ATTRIBUTES[one.element], one.value, one.start, one.end, one.tag), one)
            for one in found.destinations
        ]
        self._html = _read_html(data, found.html, wanted)
        owned += () if self._html is None else zip(self._html.places, count())
        if found.blocks is not None:
            of_tags, skipped = read_tags(data, found.blocks.tags, wanted, asked)
            owned += of_tags
            self.skipped += skipped
        if ids_in == ANY:
            ids, self.possible_ids = _of_any_ids(data, dialect, found)
            owned += ids
        elif ids_in is not None and "id" in wanted.anywhere:
            owned += _of_ids(ids_in, data, found)
        if ids_in == ANY or dialect.is_jsx:
            own_ids = (each[1] for heading in found.headings if (each := _OWN_ID(heading.text)) is not None)
            self.possible_ids = (*self.possible_ids, *own_ids)
        if end := front_matter_end(data, dialect):
            for value in front_matter(data[:end]):
                owned.append((_place("", value.key, value.text, value.start, value.end, value.start, ""), value))
        if len(owned) > len(found.destinations):
            owned.sort(key=lambda each: (each[0].start or 0, each[0].tag))
        self._read = [place for place, _ in owned]
        self._owners = [owner for _, owner in owned]
        self.direct = data is source.data or (isinstance(source.data, str) and source.data.isascii())
        self.places: Sequence[Place] = self._read if self.direct else list(map(self._as_given, self._read))

    def is_destination(self, place: int) -> bool:
        """Whether a place is a destination in Markdown, not of HTML inside."""
        return isinstance(self._owners[place], LinkDestination)

    def is_of_component(self, place: int) -> bool:
        """Whether a place is of a component in MDX, which only options give a meaning."""
        return isinstance(self._owners[place], TagValue) and is_component(self._read[place].element)

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

    def locate(self, place: int, offset: int | None) -> tuple[int, int]:
        """Line and column (1-based, characters) of character `offset` of a place's value; None: of its tag."""
        return self._source.position(self._read[place].tag if offset is None else self._span(place, offset, offset)[0])

    def _span(self, number: int, start: int, end: int) -> tuple[int, int]:
        """Where characters `start` to `end` of a place's value are in `data`."""
        place, owner = self._read[number], self._owners[number]
        if isinstance(owner, int):
            assert self._html is not None
            span = self._html.span(owner, start, end)
            assert span is not None
            return span
        first, behind = place.start or 0, place.end or 0
        if start == 0 and end in (0, len(place.value)):
            return first, behind if end else first
        raw = self._source.data[first:behind].decode()
        offsets: Sequence[int] | None = None
        if isinstance(owner, LinkDestination):
            offsets = meaning_offsets(raw, place.value)
        elif isinstance(owner, TagValue):
            offsets = value_offsets(raw, owner)
        if offsets is None:
            return first, behind
        return first + len(raw[: offsets[start]].encode()), first + len(raw[: offsets[end]].encode())

    def apply(self, edits: Sequence[Edit]) -> bytes | str:
        """The source with the edits made, as far as the document is read as before."""
        return self._source.units.splice(self.splices(edits))

    def byte_splices(self, edits: Sequence[Edit]) -> list[Splice[bytes]] | None:
        """What to replace in the bytes of the source, as they are read; None where that is not known."""
        return self._source.units.in_bytes(self.splices(edits))

    def splices(self, edits: Sequence[Edit]) -> list[Splice[str]]:
        """What to replace for the edits to be made, in units of the source (of a str, its characters)."""
        if self._made[0] is not edits:  # bytes and splices are asked for together: what was made last is kept
            self._made = edits, self._source.splices([splice for splice, _ in self._changes(edits)])
        return self._made[1]

    def _changes(self, edits: Sequence[Edit]) -> Sequence[_Change]:
        """The changes that make the edits, as far as the document is read as before, in order."""
        self.refused = []
        changes: list[_Change] = []
        in_html: list[Edit] = []
        for number, group in groupby(edits, key=attrgetter("place")):
            owner, mine = self._owners[number], list(group)
            if isinstance(owner, int):
                in_html += [edit._replace(place=owner) for edit in mine]
            elif (splice := self._splice(number, owner, mine)) is not None:
                changes.append((splice, number))
            else:
                self.refused += [(number, edit.start) for edit in mine]
        if in_html and self._html is not None:
            starts = [place.start or 0 for place in self._read]
            made = self._html.byte_splices(sorted(in_html, key=attrgetter("place", "start"))) or ()
            changes += [(splice, bisect_right(starts, splice[1]) - 1) for splice in made]
        self._tries = _MOST_TRIES
        return self._kept(sorted(changes, key=lambda change: change[0][0]), [])

    def _splice(self, number: int, owner: _Owner, edits: Sequence[Edit]) -> Splice[bytes] | None:
        """What to replace for the edits of one place, not in HTML; None if they cannot be written."""
        pieces = [(start, end, text) for _, start, end, text in edits if text is not None]
        if len(pieces) < len(edits):
            return None
        if isinstance(owner, TagValue):
            return owner.start, owner.end, with_edits(self._source.data, owner, pieces)
        data, new = self._source.data, spliced(self._read[number].value, pieces)
        if isinstance(owner, LinkDestination):
            made = written(data, owner, new)
            return None if made is None else (owner.start, owner.end, made)
        if isinstance(owner, FrontValue):
            is_plain = _IN_QUOTES(new) if owner.quote else _PLAIN_SCALAR(new)
            return (owner.start, owner.end, new.encode("utf-8", "replace")) if is_plain else None
        return id_splice(self._ids_in, data, owner, new) if isinstance(owner, Heading) and self._ids_in else None

    def _kept(self, changes: Sequence[_Change], before: Sequence[_Change]) -> Sequence[_Change]:
        """The changes that can be made together, after some before them: all, or those found by halving."""
        tries, self._tries = self._tries, max(self._tries - 1, 0)
        if not changes or (tries and self._is_read([*before, *changes])):
            return changes
        if len(changes) == 1 or tries <= 1:
            self.refused += [(place, 0) for _, place in changes]
            return []
        middle = len(changes) // 2
        first = self._kept(changes[:middle], before)
        return [*first, *self._kept(changes[middle:], [*before, *first])]

    def _is_read(self, changes: Sequence[_Change]) -> bool:
        """Whether the document is read as before, except for the new destinations, after some changes in order."""
        data = self._source.data
        news: dict[int, str] = {}
        for (_, _, new), place in changes:
            owner = self._owners[place]
            if isinstance(owner, LinkDestination):
                value = "" if new == b"<>" else new.decode()
                news.update(dict.fromkeys(owner.links, value if owner.form == "autolink" else unescaped(value)))
        return differs_only(data, spliced(data, [splice for splice, _ in changes]), self._dialect, news)


def _place(element: str, attribute: str, value: str, start: int, end: int, tag: int, namespace: str = HTML) -> Place:
    return Place(element, namespace, attribute, value, start, end, tag, 0)


def _of_ids(dialect: str, data: bytes, found: Markdown) -> list[tuple[Place, Heading | None]]:
    """The places of the ids of headings, and of other ids in lists of attributes, which are of nothing.

    A heading's id is changed by writing it behind the heading, in dialects that read it there; that of a list of
    attributes elsewhere, as that of a `span`, cannot be changed.
    """
    headings = sorted([*found.headings, *in_html(dialect, data, found.html)])
    of_headings = zip(headings, ids_of(dialect, data, headings), strict=True)
    places: list[tuple[Place, Heading | None]] = [
        (_place(f"h{each.level}", "id", id, each.start, each.end, each.start), each)
        for each, ids in of_headings
        for id in ids
    ]
    known = {place.value for place, _ in places}
    others = [(at, id) for at, id in ids_elsewhere(dialect, data) if id not in known]
    return places + [(_place("span", "id", id, at, at, at), None) for at, id in others]


def _of_any_ids(
    data: bytes, dialect: Dialect, found: Markdown
) -> tuple[list[tuple[Place, Heading | None]], tuple[str, ...]]:
    """The places of the ids that all dialects give, and the other ids that some give. `found`: read in one dialect.

    Possible are also those of Nextra (`## Wind [#id]`), there and in all MDX: none of it is for a forge.
    """
    read_so = {_as_read(dialect): found}
    given: list[dict[str, tuple[Place, Heading | None]]] = []
    for name in GIVING:
        how = _as_read(dialect_named(name)._replace(is_jsx=dialect.is_jsx))
        if how not in read_so:
            read_so[how] = read(data, how)
        given.append({each[0].value: each for each in _of_ids(name, data, read_so[how])})
    names = dict.fromkeys(name for ids in given for name in ids)
    sure = {name for name in names if all(name in ids for ids in given)}
    return [given[0][name] for name in names if name in sure], tuple(name for name in names if name not in sure)


def _as_read(dialect: Dialect) -> Dialect:
    """The dialect without what does not matter to headings."""
    return dialect._replace(links_urls=True, inserts=None, in_folders=False)


def _read_html(data: bytes, stretches: Sequence[tuple[int, int]], wanted: Wanted) -> CompleteParsed | None:
    """The HTML in some stretches of a text; None if there is none."""
    if not stretches:
        return None
    blank = bytearray(data.translate(BLANK))
    for start, end in stretches:
        blank[start:end] = data[start:end]
    return complete(core().parse(Source(bytes(blank), "utf-8"), wanted))
