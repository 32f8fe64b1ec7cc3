"""Finding the destinations of a Markdown text (CommonMark 0.31.2, GFM), by the events of pyromark (pulldown-cmark).

pyromark reports where a whole link is. Its destination follows the last thing in its text: `](`, white space, and the
destination. It is taken only if what is written there means what pyromark read; else the link counts as `skipped`. MDX
is read by its blocks written as CommonMark (`mdx_blocks`); what is found there is where it is in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from rehref.documents._markdown.bare_urls import bare_urls, target_of
from rehref.documents._markdown.dialects import Dialect
from rehref.documents._markdown.events import defined, located, mdx_blocks, prepared
from rehref.documents._markdown.jsx_code import is_component
from rehref.documents._markdown.jsx_values import skipped_in
from rehref.documents._markdown.link_destinations import destination_at, unescaped
from rehref.documents._markdown.written_blocks import Blocks

Form: TypeAlias = Literal["inline", "definition", "autolink", "bare"]

_SPACE = re.compile(rb"(?:[ \t]++|(?:\r\n?|\n)(?:[ \t]*+>)*)*").match
_LABEL = re.compile(rb"(?:[^\\\]]|\\.)*\]:", re.DOTALL).match
_TEMPLATES = re.compile(rb"\{\{[<%]-?\s*(?:rel)?ref\b|\{%-?\s*(?:link|post_url)\b|\[\[[^\[\]\n]{1,200}\]\]")
_HINTS = re.compile(rb"://|@|w[wW][wW]\.|W[wW][wW]\.|\{[{%]|\[\[")  # each begins with one byte: those are found fast


class LinkDestination(NamedTuple):
    """A destination, as it is written: bytes `start` to `end`, angle brackets excluded.

    `links`: the numbers of the links and images in the text that have it. `tag`: where the link, image or definition
    begins. `value`: what it means. `in_table`: whether `|` ends a cell.
    """

    form: Form
    element: str
    links: tuple[int, ...]
    tag: int
    start: int
    end: int
    value: str
    in_table: bool = False


class Heading(NamedTuple):
    """A heading: where it is, its level, its text, and that with the texts of images and with tags."""

    start: int
    end: int
    level: int
    text: str
    with_markup: str


class Markdown(NamedTuple):
    """What was found: destinations in order, the stretches of HTML, headings, and how many links were not taken.

    `blocks`: those of MDX, which has tags instead of HTML.
    """

    destinations: list[LinkDestination]
    html: list[tuple[int, int]]
    headings: list[Heading]
    skipped: int
    blocks: Blocks | None = None

    @property
    def is_whole(self) -> bool:
        """Whether no component of MDX puts other content into the page: each is only around content in the text."""
        tags = [] if self.blocks is None else [tag for tag in self.blocks.tags if is_component(tag.name)]
        closed = {tag.name for tag in tags if tag.is_closing}
        return all(tag.is_closing or (tag.name in closed and not tag.is_whole) for tag in tags)


def read(data: bytes, dialect: Dialect) -> Markdown:
    """Find the destinations in a text, UTF-8 without a byte order mark. Raises nothing because of its content."""
    if not dialect.is_jsx:
        return _Reader(prepared(data, dialect), dialect).read()
    blocks = mdx_blocks(data, dialect)

    def shown(start: int, end: int) -> bytes:
        return data[blocks.place(start) : blocks.place_of_end(end)]

    return _placed(_Reader(bytes(blocks.written), dialect, shown).read(), data, blocks)


def _placed(found: Markdown, data: bytes, blocks: Blocks) -> Markdown:
    """What was found in the blocks of a text of MDX, where it is in the text."""
    place, end = blocks.place, blocks.place_of_end
    destinations = [
        each._replace(tag=place(each.tag), start=place(each.start), end=end(each.end)) for each in found.destinations
    ]
    headings = [each._replace(start=place(each.start), end=end(each.end)) for each in found.headings]
    return Markdown(destinations, [], headings, found.skipped + skipped_in(data, blocks.code), blocks)


@dataclass(slots=True)
class _Open:
    """A link or image whose end has not been read: what pyromark says, its number, the end of the last thing in it."""

    link: Any
    element: str
    number: int
    start: int
    end: int
    last: int


class _Reader:
    """Reads the events of one text. `shown`: what is written from one byte to another, if not the text itself."""

    def __init__(self, data: bytes, dialect: Dialect, shown: Callable[[int, int], bytes] | None = None) -> None:
        self._data, self._shown = data, shown
        self._dialect = dialect
        self._text = data.decode()
        self._found: list[LinkDestination] = []
        self._html: list[tuple[int, int]] = []
        self._headings: list[Heading] = []
        self._open: list[_Open] = []
        self._text_starts: list[int] = []  # of texts outside of links and code, joined
        self._text_ends: list[int] = []
        self._uses: dict[str, list[tuple[int, str]]] = defaultdict(list)  # by label, what uses a definition
        self._heading: list[tuple[str, bool]] | None = None  # the texts in the one that is open; not in images, no tags
        self._images = self._cells = self._code = 0  # how many are open
        self._links = self._skipped = 0

    def read(self) -> Markdown:
        """Read the events in order, then what is not among them."""
        links, starts, ends = self._open, self._text_starts, self._text_ends
        for event, where in located(self._text, self._dialect):
            start, end = where["start"], where["end"]
            if "Text" in event:
                if self._heading is not None:
                    self._heading.append((event["Text"], not self._images))
                if links or self._code:
                    pass
                elif ends and ends[-1] == start:
                    ends[-1] = end
                else:
                    starts.append(start)
                    ends.append(end)
            elif "End" in event:
                self._close(event["End"], start, end)
            elif "Start" in event:
                self._begin(event["Start"], start, end)
            elif "Html" in event or "InlineHtml" in event:
                self._html.append((start, end))
                if self._heading is not None:
                    tag = self._data[start:end] if self._shown is None else self._shown(start, end)
                    self._heading.append((tag.decode("utf-8", "replace"), False))
            elif self._heading is not None:
                text = event["Code"] if "Code" in event else " " * (event in ("SoftBreak", "HardBreak"))
                self._heading.append((text, not self._images))
            if links and links[-1].end != end:  # what ends with a link is the link itself
                links[-1].last = end
        if b"]:" in self._data:
            self._define()
        self._find_bare()
        self._found.sort(key=lambda found: (found.start, found.tag))
        return Markdown(self._found, self._html, self._headings, self._skipped)

    def _begin(self, value: Any, start: int, end: int) -> None:
        if isinstance(value, str):
            self._cells += value == "TableCell"
            return
        ((kind, what),) = value.items()
        if kind == "Link" or kind == "Image":
            element, text = ("a", start + 1) if kind == "Link" else ("img", start + 2)
            self._open.append(_Open(what, element, self._links, start, end, text))
            self._links += 1
            self._images += kind == "Image"
        elif kind == "CodeBlock":
            self._code += 1
        elif kind == "Heading":
            self._heading = []

    def _close(self, value: Any, start: int, end: int) -> None:
        if value == "Link" or value == "Image":
            self._images -= value == "Image"
            link = self._open.pop()
            if not self._images:
                self._close_link(link, end)
        elif value == "TableCell":
            self._cells -= 1
        elif value == "CodeBlock":
            self._code -= 1
        elif "Heading" in value and self._heading is not None:
            text = "".join(text for text, is_text in self._heading if is_text)
            with_markup = "".join(text for text, _ in self._heading)
            self._headings.append(Heading(start, end, int(value["Heading"][1]), text, with_markup))
            self._heading = None

    def _close_link(self, link: _Open, end: int) -> None:
        """Find the destination of a link or image that ends there. Of a link in the text of an image, only the text is
        in the page.
        """
        data, value, kind = self._data, link.link["dest_url"], link.link["link_type"]
        place, in_table = (link.element, (link.number,), link.start), self._cells > 0
        if kind in ("Autolink", "Email"):
            first, behind = link.start + 1, end - 1
            is_meant = data[first:behind].decode() == value
            found = LinkDestination("autolink", *place, first, behind, f"mailto:{value}" if kind == "Email" else value)
        elif kind == "Inline":
            at = data.find(b"](", link.last, end)
            first, behind = destination_at(data, _behind_space(data, at + 2, end), end - 1)
            raw = data[first:behind].decode("utf-8", "replace")
            is_meant = at != -1 and unescaped(raw.replace("\\|", "|") if in_table else raw) == value
            found = LinkDestination("inline", *place, first, behind, value, in_table)
        else:
            self._uses[_label(link.link["id"])].append((link.number, link.element))
            return
        if is_meant:
            self._take(found)
        else:
            self._skipped += 1

    def _take(self, found: LinkDestination) -> None:
        if "{{" in found.value or "{%" in found.value:
            self._skipped += 1
        else:
            self._found.append(found)

    def _define(self) -> None:
        """Find the destinations of definitions: the first one of a label counts. It is the place of the reference, not
        the links.
        """
        data = self._data
        for name, definition in defined(self._text, self._dialect).items():
            start, end = definition["span"]["start"], definition["span"]["end"]
            label = _LABEL(data, start + 1, end)
            value = definition["dest"]
            first, behind = destination_at(data, _behind_space(data, end if label is None else label.end(), end), end)
            if label is None or unescaped(data[first:behind].decode("utf-8", "replace")) != value:
                self._skipped += 1
                continue
            uses = self._uses.get(_label(name), [])
            element = "img" if {element for _, element in uses} == {"img"} else "a"
            links = tuple(number for number, _ in uses)
            self._take(LinkDestination("definition", element, links, start, first, behind, value))

    def _find_bare(self) -> None:
        """Find bare URLs outside of links and code, and count templates, in the texts that may have some.

        What the language of a generator decides is not a reference: `{{< ref >}}`, `{% link %}`, `[[wiki links]]`.
        """
        data, starts, ends = self._data, self._text_starts, self._text_ends
        last = -1
        for hint in _HINTS.finditer(data):
            at = hint.start()
            number = bisect_right(starts, at) - 1
            if number <= last or at >= ends[number]:
                continue
            last = number
            start, end = starts[number], ends[number]
            self._skipped += sum(1 for _ in _TEMPLATES.finditer(data, start, end))
            for first, behind in bare_urls(data, start, end) if self._dialect.links_urls else ():
                if self._dialect.has_attributes and data[first - 2 : first] in (b'="', b"='"):
                    continue
                value = target_of(data[first:behind].decode())
                self._take(LinkDestination("bare", "a", (), first, first, behind, value))


def _label(name: str) -> str:
    """A label in the form in which labels are compared (CommonMark, "matches")."""
    return " ".join(name.split()).casefold()


def _behind_space(data: bytes, at: int, end: int) -> int:
    """The first byte from `at` on that is not white space, or behind a line break a marker of a quote."""
    found = _SPACE(data, at, end) if data[at : at + 1].isspace() else None
    return at if found is None else found.end()
