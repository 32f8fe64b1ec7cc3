"""What in a page says which bytes a browser accepts (`integrity.py` reads it), and what policies name in it.

`integrity` of a `link` or `script`, of an import map, of a `url()` (CSS Values 5, request modifiers), and of a link in
a `Link` field of HTTP are about what their references lead to; a `Content-Security-Policy` in a `meta` names scripts
and style sheets in the page, and `style` attributes. The policy of a page is also that of documents in a `srcdoc`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from rehref.documents._carriers.html_context import is_css
from rehref.documents._formats.parsed_headers import HeadersParsed
from rehref.documents._formats.plain_text import PlainParsed
from rehref.documents.integrity import Guard, GuardedPage, Inline
from rehref.markup.cores import core
from rehref.markup.parsed import XmlCore
from rehref.markup.places import HTML, SVG, Parsed, Place, Wanted, XmlWanted
from rehref.text import WHITE_SPACE, json_text, lower
from rehref.text.encoding import Source
from rehref.text.header_fields import POLICY, links_in
from rehref.uri.syntaxes import SYNTAXES

_ON: Final = {
    "link": frozenset({"href", "integrity", "rel", "as", "type"}),
    "script": frozenset({"src", "integrity", "type", "nomodule", "nonce"}),
    "style": frozenset({"type", "nonce"}),
    "meta": frozenset({"http-equiv", "content"}),
    "iframe": frozenset({"srcdoc"}),
}
_TEXTS: Final = ("script", "style")
_WANTED: Final = Wanted(frozenset({"style"}), _ON, frozenset(_TEXTS))
_NOTHING: Final = Wanted()
_WANTED_INSIDE: Final = Wanted(_WANTED.anywhere, {**_ON, "base": frozenset({"href"})}, _WANTED.texts)
_WANTED_OF_PROGRAMS: Final = Wanted(on={"script": _ON["script"] - {"type"}}, texts=frozenset({"script"}))
_XML_WANTED: Final = XmlWanted(
    frozenset({"style"}).union(*_ON.values()), frozenset((space, name) for space in (HTML, SVG) for name in _TEXTS)
)
# HTML Standard, "JavaScript MIME type"
_SCRIPTS: Final = (
    *("text/javascript", "application/javascript", "application/ecmascript", "application/x-ecmascript"),
    *("application/x-javascript", "text/ecmascript", "text/jscript", "text/livescript", "text/x-ecmascript"),
    *("text/x-javascript", *(f"text/javascript1.{number}" for number in range(6))),
)
_MODIFIER = re.compile(
    r"""["'][\s]{0,99}(?:(?:crossorigin|referrer-policy)\([^()]{0,99}\)\s{0,99})*"""
    r"""integrity\(\s{0,99}(["'])([A-Za-z0-9+/=_?\s-]{0,2000})\1\s{0,99}\)""",
    re.IGNORECASE,
).match
_PLAIN = re.compile(r"[A-Za-z0-9+/=_?\s-]*", re.ASCII).fullmatch
_DEEPEST: Final = 4
_PRELOADED: Final = frozenset({"script", "style"})


def guarded_page(source: Source, reader: str, *, untyped: bool = False) -> GuardedPage:
    """Read a page, a style sheet, or an HTTP head; of another type, nothing is guarded. Never raises on markup.

    `untyped`: read the scripts of HTML without a type alone, which else are skipped.
    """
    bare = source._replace(data=b"")  # what is kept for reading others does not keep the page

    def read(data: bytes | str) -> GuardedPage:
        return guarded_page(bare._replace(data=data), reader)

    if untyped:
        found = _guarded(core().parse(source, _WANTED_OF_PROGRAMS), read)
        typed = {place.tag for place in core().parse(source, _WANTED).places if place.attribute == "type"}
        found.contents = [each for each in found.contents if found.parsed.places[each.place].tag not in typed]
        return found
    if reader == "headers":
        return _guarded(HeadersParsed(source, safe=" "), read)
    if reader == "css":
        return _guarded(PlainParsed(source, lambda text, edits, holds: edits), read)
    if reader == "xml":
        reads_xml = core()
        assert isinstance(reads_xml, XmlCore)  # the default core does
        return _guarded(reads_xml.parse_xml(source, _XML_WANTED), read)
    return _guarded(core().parse(source, _WANTED if reader == "html" else _NOTHING), read)


def _guarded(parsed: Parsed, read: Callable[[bytes | str], GuardedPage], depth: int = 0) -> GuardedPage:
    """What a core has read. `depth`: how many documents contain it, one inside the other."""
    found = GuardedPage(parsed, read)
    for number, place, beside in _elements(parsed):
        _take(found, depth, number, place, beside)
    return found


def _take(page: GuardedPage, depth: int, number: int, place: Place, beside: dict[str, str]) -> None:
    element, attribute, value = place.element, place.attribute, place.value
    if element == "":  # a style sheet, or a header field
        page.guards += _of_css(number, value) if attribute is None else _of_field(number, attribute, value)
    elif attribute == "style":
        page.guards += _of_css(number, value)
        page.contents.append(Inline(number, "style-src-attr", _encoded(value), ""))
    elif place.is_html and (element, attribute) == ("iframe", "srcdoc") and depth < _DEEPEST:
        inner = _guarded(core().parse(Source(value), _WANTED_INSIDE), page.read, depth + 1)
        page.contents += (each._replace(place=number) for each in inner.contents)
        has_base = any(each.element == "base" for each in inner.parsed.places)
        page.guards += () if has_base else _of_srcdoc(number, inner)
    elif attribute is None and place.namespace in (HTML, SVG):
        directive = _directive_of(element, beside)
        page.contents.append(Inline(number, directive, _encoded(value), beside.get("nonce", "")))
        if directive == "style-src-elem":
            page.guards += _of_css(number, value)
        if element == "script" and _type_of(beside) == "importmap" and "src" not in beside:
            page.guards += _of_import_map(number, value)
    elif place.is_html and (element, attribute) == ("meta", "content"):
        if lower(beside.get("http-equiv", "")) == POLICY:
            page.policies.append(number)
    elif place.is_html and attribute == "integrity":
        reference = beside.get("src" if element == "script" else "href")
        if reference is not None:
            fetched = _is_fetched(element, beside)
            page.guards.append(Guard(number, 0, len(value), value, reference, None, fetched))


def _elements(parsed: Parsed) -> Iterator[tuple[int, Place, dict[str, str]]]:
    """Yield all places by their numbers, with the attributes of their elements."""
    places = list(parsed.places)
    first = 0
    while first < len(places):
        last = first + 1
        while last < len(places) and places[last].tag == places[first].tag:
            last += 1
        here = places[first:last]
        beside = {place.attribute: place.value for place in here if place.attribute is not None}
        yield from ((first + at, place, beside) for at, place in enumerate(here))
        first = last


def _of_css(number: int, value: str) -> Iterator[Guard]:
    """Yield the metadata of the references in CSS."""
    for found in SYNTAXES["css"].find(value) if "integrity" in lower(value) else ():
        modifier = _MODIFIER(value, found.end)
        if modifier is not None:
            yield Guard(number, *modifier.span(2), modifier[2], found.text, None, fetched=True)


def _of_field(number: int, name: str, value: str) -> Iterator[Guard]:
    """Yield the metadata of the links in a `Link` field."""
    for link in links_in(value) if lower(name) == "link" else ():
        metadata = next((each for each in link.parameters if each.name == "integrity"), None)
        if metadata is not None and _PLAIN(metadata.value):
            reference = value[link.start : link.end]
            yield Guard(number, metadata.start, metadata.end, metadata.value, reference, None, fetched=True)


def _of_import_map(number: int, value: str) -> Iterator[Guard]:
    """Yield the metadata in an import map (HTML Standard, "parse an import map string")."""
    top = json_text.read(value)
    integrity = top.members.get("integrity") if isinstance(top, json_text.Object) else None
    for url, metadata in integrity.items if isinstance(integrity, json_text.Object) else ():
        if isinstance(metadata, json_text.String):
            yield Guard(number, metadata.start, metadata.end, metadata.text, url.text, metadata.form, True)


def _of_srcdoc(number: int, inner: GuardedPage) -> Iterator[Guard]:
    """Yield the metadata in a `srcdoc`, at place `number`; `inner`: its document.

    Its contents and hashes count for the policy of the page, but a policy there stays as it is, and all in one that has
    a `base`.
    """
    for guard in inner.guards:
        span = inner.parsed.span(guard.place, guard.start, guard.end)
        if span is not None and _PLAIN(guard.metadata):
            yield guard._replace(place=number, start=span[0], end=span[1])


def _type_of(beside: dict[str, str]) -> str:
    return lower(beside.get("type", "")).strip(WHITE_SPACE)


def _directive_of(element: str, beside: dict[str, str]) -> str:
    """Return the directive of a policy that decides whether the text of an element is used; "" if it is not."""
    if element == "style":
        return "style-src-elem" if is_css(beside.get("type")) else ""
    is_run = _type_of(beside) in ("", "module", "importmap", *_SCRIPTS) and "src" not in beside
    return "script-src-elem" if is_run and "nomodule" not in beside else ""


def _is_fetched(element: str, beside: dict[str, str]) -> bool:
    """Whether browsers fetch what an element refers to, and compare it with its `integrity`."""
    if element == "script":
        return _type_of(beside) in ("", "module", *_SCRIPTS) and "nomodule" not in beside
    rel = set(lower(beside.get("rel", "")).split())
    if "stylesheet" in rel:
        return is_css(beside.get("type"))
    is_preloaded = "preload" in rel and lower(beside.get("as", "")) in _PRELOADED
    return is_preloaded or "modulepreload" in rel


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
