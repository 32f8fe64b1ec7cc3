"""The events of pyromark (pulldown-cmark), and whether those of two texts are the same except for destinations."""

from __future__ import annotations

import re
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

import pyromark

from rehref.documents._markdown.dialects import Dialect
from rehref.documents._markdown.mdx_texts import read_mdx
from rehref.documents._markdown.written_blocks import Blocks

_OPTIONS = pyromark.Options
_TABLES: Final = _OPTIONS.ENABLE_TABLES | _OPTIONS.ENABLE_STRIKETHROUGH | _OPTIONS.ENABLE_FOOTNOTES
_LINE = r"(?:[^\r\n]*+(?:\r\n?|\n))"
_FRONT_MATTER = re.compile(
    rf"(?=(---|\+\+\+)[ \t]*+[\r\n]){_LINE}(?![ \t]*+[\r\n]){_LINE}*?(?:\1|(?=\.)\.\.\.)[ \t]*+(?:[\r\n]|\Z)".encode()
).match
BLANK: Final = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
"""White space in place of all bytes but line ends."""
_ADMONITION = re.compile(rb"(?m)^([ ]*)(!!!|===|\?\?\?)( |\+ )(?=[\w\"'])")
_NO_SPACE = re.compile(rb"\n\n(#{1,6})(?=[^#\s])")
_BLOCKS = rb"address|article|aside|center|d[dlt]|details|div|fieldset|fig(?:caption|ure)|footer|form|h[1-6]|header"
_BLOCKS += rb"|iframe|li|main|nav|[ou]l|p|section|summary|t(?:able|body|d|foot|head|h|r)|video"
_TOKENS = re.compile(rb"```+(?![^\n]*`)|~~~+|<(/?)(%s)\b([^<>]*+)>" % _BLOCKS, re.IGNORECASE).finditer
_IS_MARKDOWN = re.compile(rb"\smarkdown\b(?!\s*=\s*[\"']?(?:0|false|off))").search
_CLOSED = re.compile(rb"\{\{[<%][ \t]*/[ \t]*([\w./-]+)|\{%-?[ \t]*end(\w+)|</([A-Z][\w.-]*)").finditer


def options_of(dialect: Dialect) -> Any:
    """The options of pyromark for a dialect."""
    return _TABLES if dialect.has_tables else _OPTIONS(0)


def front_matter_end(data: bytes, dialect: Dialect) -> int:
    """Where the front matter of a text ends, which only its beginning can be; 0 if it has none.

    It is between lines of `---`; between lines of `+++`, it is TOML.
    """
    found = _FRONT_MATTER(data) if dialect.has_front_matter else None
    return 0 if found is None else found.end()


def _as_list(found: re.Match[bytes]) -> bytes:
    """The beginning of a list item with as many bytes, whose content is indented by four (admonitions and tabs)."""
    return found[1] + (b"-   " if found[3] == b" " else b"-   .")


def mdx_blocks(data: bytes, dialect: Dialect) -> Blocks:
    """A text of MDX as pyromark has to read it."""
    return read_mdx(data, front_matter_end(data, dialect), dialect)


def prepared(data: bytes, dialect: Dialect) -> bytes:
    """A text as pyromark has to read it, with as many bytes: without front matter, admonitions as lists, elements as
    blocks.
    """
    if end := front_matter_end(data, dialect):
        data = data[:end].translate(BLANK) + data[end:]
    if dialect.has_admonitions:
        data = _NO_SPACE.sub(rb"\n\1 ", _ADMONITION.sub(_as_list, data))
    return _with_elements(data) if dialect.has_elements and b"</" in data else data


def _with_elements(data: bytes) -> bytes:
    """A text whose elements of HTML are instructions (`<? … ?>`), which end where they end (`Dialect.has_elements`).

    CommonMark 0.31.2 §4.6, start condition 3. Of an element that is Markdown, each tag is one.
    """
    fence = b""
    opened: dict[bytes, list[tuple[bool, re.Match[bytes]]]] = defaultdict(list)
    pairs: list[tuple[re.Match[bytes], re.Match[bytes]]] = []
    for found in _TOKENS(data):
        at, (slash, name, _) = found.start(), found.groups()
        _, line_end, before = data[max(at - 4, 0) : at].rpartition(b"\n")
        begins_line = (at < 4 or line_end != b"") and not before.strip(b" ")
        if name is None:
            if begins_line and (not fence or found[0].startswith(fence)):
                fence = b"" if fence else found[0]
        elif not fence and not slash:
            opened[name.lower()].append((begins_line, found))
        elif not fence and opened[name.lower()]:
            begins_line, first = opened[name.lower()].pop()
            pairs += [(first, found)] if begins_line else []
    made, behind = bytearray(data), 0
    for first, last in sorted(pairs, key=lambda pair: pair[0].start()):
        if first.start() >= behind:
            tags = [first.span(), last.span()]
            if _IS_MARKDOWN(first[3]) is None:
                behind, tags = last.end(), [(first.start(), last.end())]
            for start, end in tags:
                made[start : start + 3] = b"<? "
                made[end - 2 : end] = b"?>"
    return bytes(made)


def differs_only(before: bytes, after: bytes, dialect: Dialect, news: Mapping[int, str]) -> bool:
    """Whether two texts have the same events except for some destinations, the texts of URLs, and HTML.

    `news`: the destinations in `after` of links and images, by their numbers in the text.
    """
    (text, shape), (new_text, new_shape) = _read_as(before, dialect), _read_as(after, dialect)
    if shape != new_shape:
        return False
    options, number = options_of(dialect), 0
    pairs: Iterator[tuple[Any, Any]] = zip_longest(
        pyromark.events(text, options=options), pyromark.events(new_text, options=options)
    )
    for one, other in pairs:
        if one is None or other is None:
            return False
        is_link = "Start" in one and ("Link" in one["Start"] or "Image" in one["Start"])
        if ((is_link and number in news) or one != other) and _shape(one, news.get(number)) != _shape(other):
            return False
        number += is_link
    return b"]:" not in before or list(defined(text, dialect)) == list(defined(new_text, dialect))


def _read_as(data: bytes, dialect: Dialect) -> tuple[str, object]:
    """A text as pyromark reads it, and what else is in it: in MDX the tags and the code."""
    if not dialect.is_jsx:
        return prepared(data, dialect).decode(), None
    blocks = mdx_blocks(data, dialect)
    tags = [(tag.name, [(each.name, each.form) for each in tag.attributes]) for tag in blocks.tags]
    return blocks.written.decode(), (tags, len(blocks.code))


def _shape(event: Any, value: str | None = None) -> Any:
    """An event without what texts, HTML and the ids of headings say. `value`: another destination of a link.

    A link to a mail address is like one to a URI.
    """
    for kind in ("Text", "Html", "InlineHtml"):
        if kind in event:
            return kind
    if "Start" not in event or isinstance(event["Start"], str):
        return event
    ((kind, what),) = event["Start"].items()
    if kind == "Heading":
        return kind
    if kind == "Link" or kind == "Image":
        type_ = "Autolink" if what["link_type"] == "Email" else what["link_type"]
        return kind, {**what, "link_type": type_, "dest_url": what["dest_url"] if value is None else value}
    return event


def located(text: str, dialect: Dialect) -> Iterator[tuple[Any, Any]]:
    """The events of a text, each with where it is: its `start` and `end`, in bytes of UTF-8."""
    return iter(pyromark.events_with_range(text, options=options_of(dialect)))


def defined(text: str, dialect: Dialect) -> Mapping[str, Any]:
    """The definitions in a text, by their labels: the `dest` and the `span` of each."""
    return pyromark.reference_definitions(text, options=options_of(dialect))


def _is_code(tag: Any) -> bool:
    return "CodeBlock" in tag or "MetadataBlock" in tag


def is_whole(data: bytes, dialect: Dialect) -> bool:
    """Whether nothing in a text, outside of code, puts other content into its page (`Dialect.inserts`); not of MDX."""
    if dialect.inserts is None or dialect.inserts.search(data) is None:
        return True
    data = prepared(data, dialect)
    code = [(-1, 0)]
    for event, where in located(data.decode(), dialect):
        if "Code" in event or ("Start" in event and _is_code(event["Start"])):
            code.append((where["start"], where["end"]))
    closed = {name for found in _CLOSED(data) for name in found.groups()} - {None}
    ends = (found.end() for found in dialect.inserts.finditer(data) if found[1] not in closed)
    return all(end <= code[bisect(code, (end, 0)) - 1][1] for end in ends)
