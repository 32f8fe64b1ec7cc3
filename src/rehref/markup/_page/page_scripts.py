"""The scripts of a page, as the core reads them: those of the tree, not in templates.

Scripts in a shadow root are in the tree (`unseen_places.py`); browsers run them.

For those who seldom ask: each question is a scan of the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from operator import attrgetter
from typing import Final, NamedTuple

from rehref.markup._page.unseen_places import inert_places
from rehref.markup._source.core import CORE
from rehref.markup.places import HTML, IN_TEMPLATE, MATHML, SVG, Place, Wanted, XmlWanted
from rehref.markup.twin import may_be_on
from rehref.text import WHITE_SPACE, lower
from rehref.text.encoding import Source
from rehref.text.large_bytes import contains_in_any_case
from rehref.text.source_text import SourceText

_ADDRESSES: Final = ("src", "href", "xlink:href")
_DEEPEST: Final = 8
_LANGUAGES: Final = ("javascript", "ecmascript", "jscript", "livescript", "javascript1.5")
_LIKE_HANDLERS = re.compile(r"(?<![\w.:-])on[a-z]{3,40}(?![\w.:-])").findall
_URLS: Final = frozenset({*_ADDRESSES, "action", "formaction", "data", "from", "to", "values"})
"""Attributes with URLs that browsers go to; the last three change one (SVG, "animation elements")."""
_LEFT_OUT = re.compile(r"[\0- ]").sub
_SCRIPT: Final = re.compile(rb"<[sSiI](?i:cript|frame)").search  # fast: it looks for the "<" first
_TEXTS: Final = frozenset({(HTML, "script"), (SVG, "script")})


class PageScript(NamedTuple):
    """A script. `type`: None if it has none; `src`: the value of its address, None if it has none."""

    type: str | None
    src: str | None
    text: str

    @property
    def kind(self) -> str:
        """Its type, in lower case and without white space around it; "" if it has none."""
        return lower((self.type or "").strip(WHITE_SPACE))

    @property
    def is_javascript(self) -> bool:
        """Whether browsers run it, as a classic script or a module (HTML Standard, "the script element")."""
        kind = self.kind
        return kind in ("", "module") or (kind.startswith(("text/", "application/")) and kind.endswith(_LANGUAGES))


def scripts_of(source: Source, *, is_xml: bool = False, depth: int = 0) -> list[PageScript]:
    """Return the scripts of a page and of the documents in its `srcdoc`, without those in templates.

    `is_xml`: it is XHTML. `depth`: how many documents are around it.
    """
    scripts, documents = _read(source, is_xml=is_xml)
    inner = documents if depth < _DEEPEST else ()
    return [*scripts, *chain.from_iterable(scripts_of(Source(each), depth=depth + 1) for each in inner)]


def _read(source: Source, *, is_xml: bool) -> tuple[list[PageScript], list[str]]:
    """The scripts of a page itself, and the documents in its `srcdoc`."""
    found: dict[int, dict[str | None, str]] = {}
    documents: list[str] = []
    if not _has_none(source.data, is_xml=is_xml):
        for names in (("type",), (*_ADDRESSES, "srcdoc")):  # asked for types, a core may leave out texts without one
            for place in _places(source, names, is_xml=is_xml):
                if place.element == "script" and place.namespace in (HTML, SVG):
                    found.setdefault(place.tag, {})[place.attribute] = place.value
                elif place.attribute == "srcdoc" and place.element == "iframe":
                    documents.append(place.value)
    return [_script(of_script) for _, of_script in sorted(found.items())], documents


def _has_none(data: bytes | str, *, is_xml: bool) -> bool:
    """Whether that there is no script is seen without reading the page. In XML, a name may have a prefix."""
    if isinstance(data, str) or b"\0" in data:
        return False
    return not contains_in_any_case(data, b"script") if is_xml else _SCRIPT(data) is None


def runs_scripts(source: Source, known: Sequence[Place] = (), *, is_xml: bool = False) -> bool:
    """Return whether a page itself has a script that browsers run, not data.

    `known`: places of the page, with the types of scripts among them; most often these are enough to know.
    """
    places = (known[number] for number in may_be_on(known, "script"))
    in_html = (each for each in places if (each.element, each.namespace) == ("script", HTML))
    for _, of_script in groupby((each for each in in_html if not each.flags & IN_TEMPLATE), attrgetter("tag")):
        type_ = next((each.value for each in of_script if each.attribute == "type"), None)
        if PageScript(type_, None, "").is_javascript:
            return True
    return any(script.is_javascript for script in _read(source, is_xml=is_xml)[0])


def _places(source: Source, names: tuple[str, ...], *, is_xml: bool) -> list[Place]:
    """The places of scripts and frames that are not in templates."""
    if is_xml:
        wanted = XmlWanted(attributes=frozenset(names), texts=_TEXTS)
        return [place for place in CORE.parse_xml(source, wanted).places if not place.flags & IN_TEMPLATE]
    on = {"script": frozenset(names), "iframe": frozenset(names)}
    places = CORE.parse(source, Wanted(on=on, texts=frozenset({"script"}), scripting=True)).places
    inert = inert_places(places, source)
    return [place for number, place in enumerate(places) if number not in inert]


def _script(values: Mapping[str | None, str]) -> PageScript:
    src = next((values[name] for name in _ADDRESSES if name in values), None)
    return PageScript(values.get("type"), src, values.get(None, ""))


def runs_in_xml(source: Source) -> bool:
    """Return whether browsers run something of an XML document: a script, an event handler or a `javascript:` URL."""
    if any(script.is_javascript for script in scripts_of(source, is_xml=True)):
        return True
    handlers = frozenset(_LIKE_HANDLERS(SourceText(source).text))
    places = CORE.parse_xml(source, XmlWanted(attributes=handlers | _URLS)).places
    return any(
        place.attribute in handlers or _goes_to_script(place)
        for place in places
        if place.namespace in (HTML, SVG, MATHML)
    )


def _goes_to_script(place: Place) -> bool:
    """Return whether a URL is a script; browsers leave control characters out of its scheme, and spaces before it."""
    urls = place.value.split(";") if place.attribute == "values" else [place.value]
    return any(lower(_LEFT_OUT("", url)).startswith("javascript:") for url in urls)
