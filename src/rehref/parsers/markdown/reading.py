r"""Finding the destinations of a Markdown text (CommonMark 0.31.2, GFM), by the events of pyromark (pulldown-cmark).

1. pyromark reports where a whole link is. Its destination follows the last thing in its text: `](`, white space, in
   which a line break may be followed by the markers of quotes around, and the destination. It is taken only if what is
   written there means what pyromark read; else the link is not reported, and counts as `unclear`.
2. The first definition of a label counts. It is the place of the reference, not the links that use it.
3. Bare URLs are found in texts outside of links and code (`bare_urls`).
4. What the language of a generator decides counts as `skipped`, and is not a reference: `{{< ref >}}`, `{% link %}`,
   `[[wiki links]]`, destinations with `{{` or `{%`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from rehref.parsers.markdown.bare_urls import bare_urls, target_of
from rehref.parsers.markdown.destinations import destination_at, unescaped
from rehref.parsers.markdown.events import defined, located, prepared
from rehref.parsers.markdown_dialects import Dialect

Form: TypeAlias = Literal["inline", "definition", "autolink", "bare"]

_DEEPEST_QUOTE: Final = 16
_LABEL = re.compile(rb"(?:[^\\\]]|\\.)*\]:", re.DOTALL).match
_TEMPLATE = re.compile(rb"\{\{[<%]-?\s*(?:rel)?ref\b|\{%-?\s*(?:link|post_url)\b|\[\[[^\[\]\n]{1,200}\]\]")
_HINT = re.compile(rb"://|@|w[wW][wW]\.|W[wW][wW]\.|\{[{%]|\[\[")  # each begins with one byte: those are found fast


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
    """What was found: destinations in order, the stretches of HTML, headings, front matter, and what was not taken."""

    destinations: list[LinkDestination]
    html: list[tuple[int, int]]
    headings: list[Heading]
    front_matter: tuple[int, int] | None
    skipped: int
    unclear: int


def read(data: bytes, dialect: Dialect) -> Markdown:
    """Find the destinations in a text, UTF-8 without a byte order mark. Raises nothing because of its content."""
    return _Reader(prepared(data, dialect), dialect).read()


class _Open:
    """A link or image whose end has not been read: what pyromark says, its number, the end of the last thing in it."""

    def __init__(self, link: Any, element: str, number: int, start: int, end: int) -> None:
        self.link, self.element, self.number, self.start, self.end = link, element, number, start, end
        self.last = start + (1 if element == "a" else 2)


class _HeadingText:
    """A heading whose end has not been read."""

    def __init__(self, start: int, level: int) -> None:
        self._start, self._level = start, level
        self._text: list[str] = []
        self._with_markup: list[str] = []

    def add(self, text: str, *, in_image: bool) -> None:
        """Take a text in it."""
        self._with_markup.append(text)
        if not in_image:
            self._text.append(text)

    def ended(self, end: int) -> Heading:
        """The heading, which ends there."""
        return Heading(self._start, end, self._level, "".join(self._text), "".join(self._with_markup))


class _Reader:
    """Reads the events of one text."""

    def __init__(self, data: bytes, dialect: Dialect) -> None:
        self._data = data
        self._dialect = dialect
        self._text = data.decode()
        self._found: list[LinkDestination] = []
        self._html: list[tuple[int, int]] = []
        self._headings: list[Heading] = []
        self._front_matter: tuple[int, int] | None = None
        self._open: list[_Open] = []
        self._text_starts: list[int] = []  # of texts outside of links and code, joined
        self._text_ends: list[int] = []
        self._uses: dict[str, list[tuple[int, str]]] = {}  # by label, what uses a definition
        self._heading: _HeadingText | None = None
        self._links = self._images = self._quotes = self._tables = self._code = 0
        self._unclear = self._skipped = 0

    def read(self) -> Markdown:
        """Read the events in order, then what is not among them."""
        links, ends = self._open, self._text_ends
        for event, where in located(self._text, self._dialect):
            end = where["end"]
            if "Text" in event:
                if self._heading is not None:
                    self._heading.add(event["Text"], in_image=self._in_image())
                if links or self._code:
                    pass
                elif ends and ends[-1] == where["start"]:
                    ends[-1] = end
                else:
                    self._text_starts.append(where["start"])
                    ends.append(end)
            elif "End" in event:
                self._end(event["End"], end)
            elif "Start" in event:
                self._begin(event["Start"], where["start"], end)
            else:
                self._take_other(event, where["start"], end)
            if links and links[-1].end != end:  # what ends with a link is the link itself
                links[-1].last = end
        if b"]:" in self._data:
            self._define()
        self._find_bare()
        self._found.sort(key=_start)
        return Markdown(self._found, self._html, self._headings, self._front_matter, self._skipped, self._unclear)

    def _in_image(self) -> bool:
        return self._images > 0

    def _take_other(self, event: Any, start: int, end: int) -> None:
        if "Html" in event or "InlineHtml" in event:
            self._html.append((start, end))
            if self._heading is not None:
                self._heading.add(self._data[start:end].decode(), in_image=True)
        elif self._heading is not None:
            text = ""
            if "Code" in event:
                text = event["Code"]
            elif event in ("SoftBreak", "HardBreak"):
                text = " "
            self._heading.add(text, in_image=self._in_image())

    def _begin(self, value: Any, start: int, end: int) -> None:
        if isinstance(value, str):
            self._tables += value == "TableCell"
        elif "Link" in value:
            self._open_link(value["Link"], "a", start, end)
        elif "Image" in value:
            self._open_link(value["Image"], "img", start, end)
            self._images += 1
        elif "BlockQuote" in value:
            self._quotes += 1
        elif "CodeBlock" in value:
            self._code += 1
        elif "MetadataBlock" in value:
            self._code += 1
            self._front_matter = (start, end)
        elif "Heading" in value:
            self._heading = _HeadingText(start, int(value["Heading"]["level"][1]))

    def _open_link(self, link: Any, element: str, start: int, end: int) -> None:
        self._open.append(_Open(link, element, self._links, start, end))
        self._links += 1

    def _end(self, value: Any, end: int) -> None:
        if value == "Link":
            self._close(self._open.pop(), end)
        elif value == "Image":
            self._images -= 1
            self._close(self._open.pop(), end)
        elif value == "TableCell":
            self._tables -= 1
        elif value == "CodeBlock" or "MetadataBlock" in value:
            self._code -= 1
        elif "BlockQuote" in value:
            self._quotes -= 1
        elif "Heading" in value and self._heading is not None:
            self._headings.append(self._heading.ended(end))
            self._heading = None

    def _close(self, link: _Open, end: int) -> None:
        """Find the destination of a link or image that ends there (rule 1)."""
        data, value, kind, number = self._data, link.link["dest_url"], link.link["link_type"], (link.number,)
        in_table = self._tables > 0
        if kind in ("Autolink", "Email"):
            first, behind = link.start + 1, end - 1
            if data[first:behind].decode() == value:
                value = f"mailto:{value}" if kind == "Email" else value
                self._found.append(
                    LinkDestination("autolink", "a", number, tag=link.start, start=first, end=behind, value=value)
                )
            else:
                self._unclear += 1
        elif kind == "Inline":
            at = data.find(b"](", link.last, end)
            if at == -1:
                self._unclear += 1
                return
            first, behind = destination_at(data, _behind_space(data, at + 2, end, self._quotes), end - 1)
            raw = data[first:behind].decode("utf-8", "replace")
            if unescaped(raw.replace("\\|", "|") if in_table else raw) == value:
                self._take(LinkDestination("inline", link.element, number, link.start, first, behind, value, in_table))
            else:
                self._unclear += 1
        elif kind != "WikiLink":
            self._uses.setdefault(_label(link.link["id"]), []).append((link.number, link.element))

    def _take(self, found: LinkDestination) -> None:
        if "{{" in found.value or "{%" in found.value:
            self._skipped += 1
        else:
            self._found.append(found)

    def _define(self) -> None:
        """Find the destinations of definitions (rule 2)."""
        data = self._data
        for name, definition in defined(self._text, self._dialect).items():
            start, end = definition["span"]["start"], definition["span"]["end"]
            label = _LABEL(data, start + 1, end)
            value = definition["dest"]
            for depth in range(_DEEPEST_QUOTE if label else 0):  # how many quotes are around is not reported
                assert label is not None
                first, behind = destination_at(data, _behind_space(data, label.end(), end, depth), end)
                if unescaped(data[first:behind].decode("utf-8", "replace")) == value:
                    uses = self._uses.get(_label(name), [])
                    element = "img" if {element for _, element in uses} == {"img"} else "a"
                    numbers = tuple(number for number, _ in uses)
                    self._take(
                        LinkDestination("definition", element, numbers, tag=start, start=first, end=behind, value=value)
                    )
                    break
            else:
                self._unclear += 1

    def _find_bare(self) -> None:
        """Find bare URLs (rule 3), and count templates (rule 4), in the texts that may have some."""
        data, starts, ends = self._data, self._text_starts, self._text_ends
        last = -1
        for hint in _HINT.finditer(data):
            at = hint.start()
            number = bisect_right(starts, at) - 1
            if number <= last or at >= ends[number]:
                continue
            last = number
            start, end = starts[number], ends[number]
            self._skipped += sum(1 for _ in _TEMPLATE.finditer(data, start, end))
            for first, behind in bare_urls(data, start, end) if self._dialect.links_urls else ():
                value = target_of(data[first:behind].decode())
                self._found.append(LinkDestination("bare", "a", (), tag=first, start=first, end=behind, value=value))


def _label(name: str) -> str:
    """A label in the form in which labels are compared (CommonMark, "matches")."""
    return " ".join(name.split()).casefold()


def _start(found: LinkDestination) -> tuple[int, int]:
    return found.start, found.tag


def _behind_space(data: bytes, at: int, end: int, quotes: int) -> int:
    """The first byte from `at` on that is not white space, or behind a line break a marker of a quote."""
    while at < end:
        if data[at] in b" \t":
            at += 1
        elif data[at] in b"\r\n":
            at += 2 if data[at : at + 2] == b"\r\n" else 1
            left = quotes
            while True:
                after = at
                while after < end and data[after] in b" \t":
                    after += 1
                if left and data[after : after + 1] == b">":
                    at, left = after + 1, left - 1
                else:
                    at = after
                    break
        else:
            break
    return at
