"""The events of pyromark (pulldown-cmark), and whether those of two texts are the same except for destinations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any, Final

import pyromark

from rehref.parsers.markdown_dialects import Dialect

_OPTIONS = pyromark.Options
_TABLES: Final = _OPTIONS.ENABLE_TABLES | _OPTIONS.ENABLE_STRIKETHROUGH | _OPTIONS.ENABLE_FOOTNOTES
_LINE = r"(?:[^\r\n]*+(?:\r\n?|\n))"
_FRONT_MATTER = re.compile(
    rf"(?=(---|\+\+\+)[ \t]*+[\r\n]){_LINE}(?![ \t]*+[\r\n]){_LINE}*?(?:\1|(?=\.)\.\.\.)[ \t]*+(?:[\r\n]|\Z)".encode()
).match
_COMMENT = re.compile(rb"\{/\*[^*{]*+(?:(?:\*(?!/\})|\{(?!/\*))[^*{]*+)*\*/\}").sub  # ends at another beginning: linear
BLANK: Final = bytes(byte if byte in b"\r\n" else 0x20 for byte in range(256))
"""White space in place of all bytes but line ends."""
_ADMONITION = re.compile(rb"(?m)^([ ]*)(!!!|===|\?\?\?)( |\+ )(?=[\w\"'])")


def options_of(dialect: Dialect) -> Any:
    """The options of pyromark for a dialect."""
    return _TABLES if dialect.has_tables else _OPTIONS(0)


def front_matter_end(data: bytes, dialect: Dialect) -> int:
    """Where the front matter of a text ends, which only its beginning can be (dialects, rule 3); 0 if it has none."""
    found = _FRONT_MATTER(data) if dialect.has_front_matter else None
    return 0 if found is None else found.end()


def _as_list(found: re.Match[bytes]) -> bytes:
    """The beginning of a list item with as many bytes, whose content is indented by four (dialects, rule 4)."""
    return found[1] + (b"-   " if found[3] == b" " else b"-   .")


def prepared(data: bytes, dialect: Dialect) -> bytes:
    """A text as pyromark has to read it, with as many bytes: without front matter, and comments in MDX."""
    if end := front_matter_end(data, dialect):
        data = data[:end].translate(BLANK) + data[end:]
    if dialect.is_jsx:
        data = _COMMENT(lambda found: found[0].translate(BLANK), data)
    return _ADMONITION.sub(_as_list, data) if dialect.has_admonitions else data


def differs_only(before: bytes, after: bytes, dialect: Dialect, news: Mapping[int, str]) -> bool:
    """Whether two texts have the same events except for some destinations, the texts of URLs, and HTML.

    `news`: the destinations in `after` of links and images, by their numbers in the text.
    """
    text, new_text = prepared(before, dialect).decode(), prepared(after, dialect).decode()
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
