"""Which encoding an HTML document is read in (HTML Standard §13.2.3.2 and §13.2.3.4, "changing the encoding").

1. A byte order mark takes precedence over everything; then what the caller declares (an option, or the charset of the
   HTTP header fields); then what the document says; then a guess.
2. The document says it in the first `meta` that names an encoding and that tree construction processes, wherever it is:
   a parser that reaches one begins anew in its encoding. One that is text (in a script, a comment, a title) does not
   count. An encoding that the first 1024 bytes name elsewhere (`html_prescan`), in an XML declaration say, counts only
   if there is no such `meta`.
3. The scan is on bytes, each read as one character: in all encodings that a `meta` can name, markup is ASCII. The
   content of a `noscript` is markup here, whether scripts run or not: all readers use one encoding.
4. Where nothing is declared, a file that is UTF-8 throughout is UTF-8, as the Standard allows for files; other files,
   and all responses, are windows-1252, the Standard's default for most locales. Both are marked as undeclared.
5. Chromium differs from rule 2: after the first 1024 bytes it looks for a `meta` only while the tags are ones allowed
   in a head. So a `meta` in the body no longer counts there when a rewrite moves it beyond these bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from operator import attrgetter

from rehref.parsers.contract import HTML, Place, Wanted
from rehref.parsers.html_prescan import LIMIT, XML_IN_UTF_16, meant, named_by, prescan
from rehref.parsers.source.core import places_of
from rehref.text.encoding import Sniffed, given, lookup
from rehref.text.large_bytes import contains_in_any_case, is_utf_8
from rehref.text.source import Source
from rehref.text.source_text import SourceText

_WANTED = Wanted(on={"meta": frozenset({"charset", "http-equiv", "content"})})
_DEFAULT = Sniffed("windows-1252", 0, "default", undeclared=True)
_ALL_UTF_8 = Sniffed("utf-8", 0, "all of it is UTF-8", undeclared=True)
# how most pages begin, up to a `meta` (after group 1) that is the prescan's and the parser's; groups 2 to 4: its label
_LABEL = rb"([a-z0-9_\-]++)"
_BEGINS = re.compile(
    rb"(?:[\t\n\r ]*+<(?:![a-z][^>]*+>|\?xml[^>]*+>|!--[^\->]*+-->|title>[^<]*+</title>"
    rb"|(?:html|head|base|link)(?: [a-z\-:]++=\"[^\"]*+\")* ?/?>"
    rb"|meta (?:(?:name|property)=\"[^\"]*+\"|http-equiv=\"x-ua-compatible\") content=\"[^\"]*+\" ?/?>"
    rb"))*[\t\n\r ]*+()<meta "
    rb"(?:charset=(?:\"" + _LABEL + rb"\" ?/?|" + _LABEL + rb"(?: /)?)"
    rb"|http-equiv=\"content-type\" content=\"text/html; ?charset=" + _LABEL + rb"\" ?/?)>",
    re.IGNORECASE,
).match
_IN_CONTENT = 4
# a tag, whole (group 1 is set), or the beginning of an odd one
_METAS = re.compile(
    rb"<meta(?=[\t\n\x0c\r /])(?:(?:[^<>\"']++|\"[^<>\"]*+\"|'[^<>']*+')*+(>))?", re.IGNORECASE
).finditer


def sniff_html(data: bytes, declared: str | None = None, is_response: bool = False) -> Sniffed:
    """Determine the encoding of an HTML document's bytes.

    `declared`: a label that overrides what the document says, but not its byte order mark. `is_response`: the document
    was sent, and is not a file (rule 4). Raises `UnknownEncodingError` if there is no such encoding.
    """
    sniffed = given(data[:LIMIT], declared)
    if sniffed is not None:
        return sniffed
    in_utf_16 = data.startswith(XML_IN_UTF_16)
    found = by_beginning(data) or (None if in_utf_16 else first_meta(data)) or prescan(data[:LIMIT])
    return found or (_DEFAULT if is_response else guessed(data))


def by_beginning(data: bytes) -> Sniffed | None:
    """The encoding that a page declares, if it begins as most pages do; None for any other."""
    begins = _BEGINS(data, 0, LIMIT)
    if begins is None:
        return None
    group = begins.lastindex or _IN_CONTENT
    name = lookup(begins[group].decode("ascii"))
    return None if name is None else meant(name, "http-equiv" if group == _IN_CONTENT else "charset", begins.end(1))


def guessed(data: bytes) -> Sniffed:
    """The encoding of a file that does not declare it (rule 4)."""
    return _ALL_UTF_8 if is_utf_8(data) else _DEFAULT


def first_meta(data: bytes) -> Sniffed | None:
    """The first `meta` of a document that names an encoding and is processed (rule 2). Takes linear time."""
    # nearly always it is at the beginning, the first tag that looks like one is one, and nothing after it matters
    for part in (data[:LIMIT], data) if len(data) > LIMIT else (data,):
        end = _end_of_candidate(part)
        found = None if end is None else _processed(part[:end]) or _processed(part)
        if found is not None:
            return found
    return None


def _end_of_candidate(data: bytes) -> int | None:
    """The end of the first tag that may be such a `meta`; the end of the document if the tag is odd; None if there is
    none.

    It may be one if it contains "charset", or could: it goes on after a "<" or ">", or has a character reference there.
    """
    for tag in _METAS(data):
        if tag[1] is None:
            return len(data) if _may_name(data) else None
        if _may_name(tag[0]):
            return tag.end()
    return None


def _may_name(markup: bytes) -> bool:
    """Whether some markup has the word "charset", or character references that may be letters of it."""
    return contains_in_any_case(markup, b"charset") or (b"&" in markup and contains_in_any_case(markup, b"http-equiv"))


def _processed(data: bytes) -> Sniffed | None:
    """The same, found by reading all of these bytes."""
    places = places_of(SourceText(Source(data, "windows-1252")), _WANTED)
    found = (named_by(attributes, at) for at, attributes in _metas(places))
    return next((one for one in found if one is not None), None)


def _metas(places: Iterable[Place]) -> Iterable[tuple[int, dict[str, str]]]:
    """The position of each `meta`, and its attributes."""
    of_html = (place for place in places if place.element == "meta" and place.namespace == HTML)
    for at, group in groupby(of_html, key=attrgetter("tag")):
        yield at, {place.attribute: place.value for place in group if place.attribute is not None}
