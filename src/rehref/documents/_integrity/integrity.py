"""What in a page says which bytes a browser accepts (`integrity_metadata` reads it), and what policies name in it.

1. `integrity` of a `link` or `script`, of an import map, of a `url()` (CSS Values 5, request modifiers: Chromium has
   them), in style sheets too, and of a link in a `Link` field of HTTP are about what their references lead to; a
   `Content-Security-Policy` in a `meta` names scripts and style sheets in the page, and `style` attributes.
2. A change of a page keeps the hashes of its own contents right (`with_policies_kept`): contents are matched in
   document order. If there are others than before, the policy stays. The policy of a page is also that of documents in
   a `srcdoc`, so their contents count. So do the hashes in them, but a policy there stays as it is, and all in one that
   has a `base`.
3. A hash of several equal contents that became different ones becomes the hashes of all of them, unless these are more
   than `_MOST`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from rehref.documents._carriers.html_context import is_css
from rehref.documents._formats.headers import HeadersParsed
from rehref.documents._formats.plain_text import PlainParsed
from rehref.documents._integrity.integrity_metadata import (
    Digests,
    Hash,
    digests,
    hashes_in_policy,
    renewed_policy,
)
from rehref.markup.cores import core
from rehref.markup.parsed import XmlCore
from rehref.markup.places import HTML, SVG, Edit, Parsed, Place, Wanted, XmlWanted
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
READERS: Final = ("html", "xml", "css", "headers")
"""The readers (`rehref.documents.media_types`) of documents that may have integrity metadata."""
_DEEPEST: Final = 4
_MOST: Final = 32
_PRELOADED: Final = frozenset({"script", "style"})


class Guard(NamedTuple):
    """Integrity metadata for what a reference leads to.

    `place`, `start`, `end`: where it is written; `form`: how, in JSON; None in an attribute. `fetched`: whether
    browsers fetch something with it.
    """

    place: int
    start: int
    end: int
    metadata: str
    reference: str
    form: str | None
    fetched: bool

    def edit(self, metadata: str) -> Edit:
        """Return the edit that writes other metadata in its place."""
        text = metadata if self.form is None else json_text.write(metadata, self.form)
        return Edit(self.place, self.start, self.end, text)


class Inline(NamedTuple):
    """A script or style sheet in a page, or a `style` attribute (`directive`: `style-src-attr`), by its place.

    `directive`: of CSP3, that decides whether it is used; "" if browsers do not use it. `nonce`: "" if it has none.
    """

    place: int
    directive: str
    data: bytes
    nonce: str


class Guarded:
    """A page, as far as integrity matters."""

    def __init__(self, parsed: Parsed, depth: int = 0) -> None:
        """`depth`: how many documents contain this one, one inside the other."""
        self.parsed, self._depth = parsed, depth
        self.guards: list[Guard] = []
        self.contents: list[Inline] = []
        self.policies: list[int] = []
        """The places of policies."""
        for number, place, beside in _elements(parsed):
            self._take(number, place, beside)

    def _take(self, number: int, place: Place, beside: dict[str, str]) -> None:
        element, attribute, value = place.element, place.attribute, place.value
        if element == "":  # a style sheet, or a header field
            self.guards += _of_css(number, value) if attribute is None else _of_field(number, attribute, value)
        elif attribute == "style":
            self.guards += _of_css(number, value)
            self.contents.append(Inline(number, "style-src-attr", _encoded(value), ""))
        elif place.namespace == HTML and (element, attribute) == ("iframe", "srcdoc") and self._depth < _DEEPEST:
            inner = Guarded(core().parse(Source(value), _WANTED_INSIDE), self._depth + 1)
            self.contents += (each._replace(place=number) for each in inner.contents)
            has_base = any(each.element == "base" for each in inner.parsed.places)
            self.guards += () if has_base else _of_srcdoc(number, inner)
        elif attribute is None and place.namespace in (HTML, SVG):
            directive = _directive_of(element, beside)
            self.contents.append(Inline(number, directive, _encoded(value), beside.get("nonce", "")))
            if directive == "style-src-elem":
                self.guards += _of_css(number, value)
            if element == "script" and _type_of(beside) == "importmap" and "src" not in beside:
                self.guards += _of_import_map(number, value)
        elif place.namespace == HTML and (element, attribute) == ("meta", "content"):
            if lower(beside.get("http-equiv", "")) == POLICY:
                self.policies.append(number)
        elif place.namespace == HTML and attribute == "integrity":
            reference = beside.get("src" if element == "script" else "href")
            if reference is not None:
                fetched = _is_fetched(element, beside)
                self.guards.append(Guard(number, 0, len(value), value, reference, None, fetched))

    @cached_property
    def hashes(self) -> list[Hash]:
        """The hashes in the policies."""
        return [each for number in self.policies for each in hashes_in_policy(self.parsed.places[number].value)]

    def digests(self) -> list[Digests]:
        """Return the digests of the contents, in order."""
        return [digests(content.data) for content in self.contents]

    def policies_kept(
        self, before: Guarded, others: Callable[[Hash], Iterable[Digests]] = lambda _: ()
    ) -> Iterator[Edit]:
        """Yield the edits that keep the policies right (rules 2, 3). `before`: the page as it was.

        `others`: what a hash that is not of a content must accept instead.
        """
        become = becoming(before.digests(), self.digests())
        for number in self.policies:
            old = self.parsed.places[number].value
            new = renewed_policy(old, lambda each: become(each) or others(each))
            if new != old:
                yield Edit(number, 0, len(old), new)


def becoming(old: Sequence[Digests], new: Sequence[Digests]) -> Callable[[Hash], Collection[Digests]]:
    """Return what gives, for a hash, the digests that contents with it have now; none if their number has changed."""
    found: defaultdict[str, dict[str, Digests]] = defaultdict(dict)
    for before, after in zip(old, new, strict=True) if len(old) == len(new) else ():
        for value in before.values():
            found[value][after["sha256"]] = after

    def become(hash_: Hash) -> Collection[Digests]:
        now = found.get(hash_.value, {})
        return now.values() if len(now) <= _MOST else ()

    return become


def programs_in(source: Source) -> Guarded:
    """Return an HTML page with its scripts without a type, which `guarded_page` skips (`markup/parsed.py`, 11)."""
    found = Guarded(core().parse(source, _WANTED_OF_PROGRAMS))
    typed = {place.tag for place in core().parse(source, _WANTED).places if place.attribute == "type"}
    found.contents = [each for each in found.contents if found.parsed.places[each.place].tag not in typed]
    return found


def guarded_page(source: Source, reader: str = "html") -> Guarded:
    """Read a page, a style sheet, or an HTTP head. Never raises on markup. `reader`: one of `READERS`."""
    if reader == "headers":
        return Guarded(HeadersParsed(source, safe=" "))
    if reader == "css":
        return Guarded(PlainParsed(source, lambda text, edits, holds: edits))
    return Guarded(_parsed_xml(source) if reader == "xml" else core().parse(source, _WANTED))


def _parsed_xml(source: Source) -> Parsed:
    reads_xml = core()
    assert isinstance(reads_xml, XmlCore)  # the default core does
    return reads_xml.parse_xml(source, _XML_WANTED)


def with_edits(
    here: Guarded, edits: Sequence[Edit], read: Callable[[bytes], Guarded], others: Callable[[Hash], Iterable[Digests]]
) -> bytes:
    """Return a page with its metadata edited, and then the hashes in its policies right (rule 2).

    `read`: reads the page with other bytes; `others`: as for `policies_kept`.
    """
    data = here.parsed.apply(edits)
    assert isinstance(data, bytes)
    after = read(data)
    policies = list(after.policies_kept(here, others))
    data = after.parsed.apply(policies) if policies else data
    assert isinstance(data, bytes)
    return data


def with_policies_kept(old: Source, new: Source, reader: str = "html") -> bytes | str:
    """Return a changed page with the hashes in its policies right for its contents (rule 2)."""
    after = guarded_page(new, reader)
    if not after.hashes:
        return new.data
    edits = list(after.policies_kept(guarded_page(old, reader)))
    return after.parsed.apply(edits) if edits else new.data


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


def _of_srcdoc(number: int, inner: Guarded) -> Iterator[Guard]:
    """Yield the metadata in a `srcdoc`, at place `number`; `inner`: its document."""
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
