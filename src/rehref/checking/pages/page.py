"""One document of a site as the checker reads it: its places, sorted by how they are handled, and its names.

1. HTML is scanned once, for the places of references and for what fragments name: `id` everywhere, `name` on `a` and
   `map`. Other formats are read as `rehref.documents` reads them, and once more for their names if browsers show them.
2. A `Document` is made from HTML only if it is needed: there is a base element, or an unusual reference. For most
   pages, most of that work would be useless.
3. References can be glued (`rehref.uri.ordinary_references`) if the base is below the URI of the site, and browsers
   read it as the RFC does. They are then glued to the path of a folder instead of a longer URI.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import KeysView, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from operator import itemgetter
from typing import NamedTuple

from rehref.base import Base, Layers, establish
from rehref.checking.pages.fragments import NO_SCRIPTS, UNSEEN, scripts_of
from rehref.checking.pages.inventory import (
    ANCHOR,
    ID,
    MAP,
    NOTHING,
    ORDINARY,
    OTHER,
    PRAGMA,
    Inventory,
    inert_places,
    inventory_by_twin,
    superseded_places,
)
from rehref.checking.site.site_context import SiteContext
from rehref.documents.document import Document
from rehref.documents.formats import html, html_carriers
from rehref.documents.formats.html_carriers import siblings
from rehref.documents.link import Link
from rehref.documents.media_types import HTML_TYPE, MARKDOWN_TYPE, XHTML_TYPE
from rehref.documents.table.reference import Reference
from rehref.exceptions import TimeLimit
from rehref.options import READ_OPTIONS, ReadOptions
from rehref.parsers.contract import HTML, Parsed, Wanted, XmlWanted, tells_skipped
from rehref.parsers.source.core import CORE
from rehref.parsers.source.twin import may_be_bases, tabled
from rehref.parsers.source.twin_exchange import ANY_SCOPE, DocumentCarriers
from rehref.text.encoding import Source
from rehref.uri.whatwg import parse_or_none

_COMMENT = "#comment"
_ASK = 7  # other attributes of the element decide

_NAMES_OF_PLACE = itemgetter(1, 0, 2)
_OWN_SORTS: Mapping[tuple[str, str, str | None], int] = {
    (HTML, "a", "name"): ANCHOR,
    (HTML, "map", "name"): MAP,
    (HTML, "meta", "http-equiv"): PRAGMA,
}
_ID_NAMES = frozenset({"id", "xml:id"})
_WANTED_NAMES = XmlWanted(_ID_NAMES | {"name"})
_GLUING = frozenset({"rfc3986", "rfc3986-compat"})
_GLUED_SCHEMES = ("http://", "https://", "file:///")


def glues(context: SiteContext) -> bool:
    """Whether references can be glued to the paths of folders of this site (rule 3)."""
    uri = context.uri
    return context.options.how.profile in _GLUING and uri.startswith(_GLUED_SCHEMES) and _is_written_as_browsers_do(uri)


@lru_cache(maxsize=16)
def _is_written_as_browsers_do(uri: str) -> bool:
    return parse_or_none(uri) == uri


class _Sorts(dict[tuple[str, str, "str | None"], int]):
    """Sorts of places by namespace, element and attribute, in documents whose carriers `carriers` knows."""

    def __init__(self, carriers: DocumentCarriers | None) -> None:
        super().__init__(_OWN_SORTS)
        self.carriers = carriers

    def __missing__(self, names: tuple[str, str, str | None]) -> int:
        sort = ID if names[2] in _ID_NAMES else OTHER
        if sort == OTHER and self.carriers is not None and names[1] != _COMMENT:
            sort = _sort_of(self.carriers.carries(*names))
        self[names] = sort
        return sort


def _sort_of(code: int) -> int:
    """Return the sort of a place by what it carries (`rehref.documents.formats.html_carriers`, rule 3)."""
    if code in (html_carriers.ASK, html_carriers.NOTHING, html_carriers.DECIDES):
        return _ASK if code == html_carriers.ASK else NOTHING
    return ORDINARY if html_carriers.is_one_reference(code) else OTHER


class _Html(NamedTuple):
    """How HTML is read with some options: what carries references, what to scan for (rule 1), the sorts of places."""

    carriers: html_carriers.HtmlCarriers
    wanted: Wanted
    sorts: _Sorts


@cache
def _html(how: ReadOptions) -> _Html:
    carriers = html_carriers.html_carriers(how)
    wanted = carriers.wanted
    besides = (("a", "name"), ("map", "name"), ("link", "rev"))
    on = {element: wanted.on.get(element, frozenset()) | {name} for element, name in besides}
    wanted = replace(wanted, anywhere=wanted.anywhere | {"id"}, on={**wanted.on, **on})
    return _Html(carriers, wanted, _Sorts(carriers))


@lru_cache(maxsize=1024)
def _folders(path: str) -> tuple[str, ...]:
    """Return the paths of a folder, of its parent, and so on; each ends in a slash."""
    found = []
    while path != "":
        found.append(path)
        path = path[: path.rfind("/", 0, -1) + 1]
    return tuple(found)


class _Naming:
    """Which attributes hold a name, for the compiled twin (`_native/inventory.c`)."""

    def carries(self, namespace: str, element: str, attribute: str | None) -> int:
        """Return 0: no name; 1, 2: an id, the name of an anchor; 3: Python decides; 4: may be `refresh`."""
        return _HOLDS[_html(READ_OPTIONS).sorts[namespace, element, attribute]] if attribute in _NAME_ATTRIBUTES else 0


_HOLDS: Mapping[int, int] = defaultdict(int, {ID: 1, ANCHOR: 2, MAP: 3, PRAGMA: 4})
_NAME_ATTRIBUTES = frozenset(attribute for _, _, attribute in _OWN_SORTS) | _ID_NAMES
_NAMING = _Naming()


class SitePage:
    """One document of a site.

    `uri`: its URI; `own`: the path of that below the site's, with a slash before it. `parsed`: its places with
    references; `named`: those with names; in HTML they are the same. `source`: the source text that was read, for HTML.
    `is_shown`: whether fragments name something in it. `is_utf8`: whether queries are encoded in UTF-8. `has_base`:
    whether an element may set a base. `is_at_own_base`: whether references are relative to its own URI. `folders`: the
    paths of the base's folder, of its parent, and so on; empty if nothing can be glued (rule 3). `inert`: the numbers
    of the places with references that nobody sees. `may_refresh`: whether a `meta` may send browsers elsewhere.
    `scripts`: those that make fragments right although they name nothing in the page.
    """

    parsed: Parsed
    named: Parsed
    source: Source

    def __init__(self, context: SiteContext, path: str, data: bytes, limit: TimeLimit | None = None) -> None:
        """Read the document at `path`, below the folder. Its content never raises. `limit`: of its document."""
        self._limit = limit
        self.context = context
        self.path = path
        self.data = data
        self.uri = context.uri_of(path)
        self.own = context.target_of(self.uri)
        self.media_type = context.files.types.of(path)
        self.is_html = self.media_type == HTML_TYPE
        self.is_shown = context.files.types.has_names(path)
        self._carriers, self._wanted, self._sorts = _html(context.options.how)
        self._resolved: dict[int, Sequence[tuple[Reference, Link]]] = {}
        if self.is_html:
            self._read_html(data)
        else:
            self._read_other(data)
        self.has_base = not self.is_html or self._has_base()
        self._passes_over_base = not self.has_base or (self.is_html and context.options.how.ignore_embedded_base)
        self.is_at_own_base = self._passes_over_base or self.document.base.uri == self.document.own.uri
        self.folders = self._folders()
        self.inert = inert_places(self.parsed.places, self.source) if self.is_html else frozenset[int]()
        if self.is_shown and (b"xlink" in data or b"XLINK" in data):
            self.inert |= superseded_places(self.parsed.places)
        self.inventory = self._inventory()
        self.may_refresh = self.inventory.may_refresh if self.is_html else self.media_type == XHTML_TYPE
        is_page = self.is_html or self.media_type == XHTML_TYPE
        source = self.source if self.is_html else self.document.source
        places, is_xml = self.parsed.places if self.is_html else (), not self.is_html
        self.scripts = scripts_of(source, self.names, places, is_xml=is_xml) if is_page else NO_SCRIPTS
        if tells_skipped(self.parsed) and not self.parsed.is_whole:
            self.scripts = UNSEEN

    def _read_html(self, data: bytes) -> None:
        sniffed = self.context.encoding_of(self.path, data, self.media_type)
        self.source = Source(data, sniffed.name, sniffed.bom, sniffed.undeclared)
        self.is_utf8 = sniffed.name == "utf-8"
        self.parsed = self.named = CORE.parse(self.source, self._wanted)

    def _read_other(self, data: bytes) -> None:
        self.document = self.context.document_of(self.path, data, self.media_type)
        self.document.limit = self._limit
        self.is_utf8 = self.document.encode is None
        # below an `xml:base`, more than the name decides
        self._sorts = _Sorts(self.document.carriers if self.document.scope == ANY_SCOPE else None)
        self.parsed = self.named = self.document.parsed
        if self.is_shown and self.media_type != MARKDOWN_TYPE:  # whose ids are among its places
            from rehref.parsers.source.xml.reader import read_xml  # few sites have XML

            self.named = read_xml(self.document.source, _WANTED_NAMES)

    def _sort(self, number: int) -> int:
        """Return the sort of a place of `parsed`."""
        place = self.parsed.places[number]
        sort = self._sorts[_NAMES_OF_PLACE(place)]
        if sort != _ASK:
            return sort
        assert self._sorts.carriers is not None
        if place.element == "link" and self.is_reverse(number):
            return OTHER
        return _sort_of(self._sorts.carriers.carried(self.parsed, number))

    def is_reverse(self, number: int) -> bool:
        """Whether a place is on a `link` with `rev`, but without `rel`: browsers ignore it.

        HTML Standard, "the link element": without `rel` or `itemprop` it is not a link.
        """
        if not self.is_html:
            return False
        beside = siblings(self.parsed, number)
        return "rev" in beside and "rel" not in beside

    @cached_property
    def document(self) -> Document:
        """The document, with everything that `rehref.documents` knows of it."""
        layers, how = self.context.layers_of(self.path), self.context.options.how
        document = html.understood(self.source, self.parsed, self._carriers, layers, how)
        document.limit = self._limit
        self.context.set_property_bases(document)
        return document

    @property
    def base(self) -> Base:
        """The base of references."""
        if "document" not in self.__dict__ and not self.has_base:
            return establish(Layers(retrieval=self.uri).candidates(), self.context.options.how.profile)
        return self.document.base

    def resolved(self, number: int) -> Sequence[tuple[Reference, Link]]:
        """The references in a place, each with its result; found and resolved once."""
        known = self._resolved.get(number)
        if known is None:
            document = self.document
            known = self._resolved[number] = [(each, document.resolved(each)) for each in document.found(number)]
        return known

    def _inventory(self) -> Inventory:
        folders, at_own_base = self.folders, self.is_at_own_base
        found = self._by_twin(folders, at_own_base=at_own_base)
        if found is None:
            found = Inventory()
            for number, place in enumerate(self.parsed.places):
                found.take_reference(number, place, self._sort(number))
            for number, place in enumerate(self.named.places if self.is_html or self.is_shown else ()):
                found.take_name(number, place, self._sorts[_NAMES_OF_PLACE(place)])
            found.lead(folders, at_own_base=at_own_base)
        found.leave_out(self.inert)
        return found

    def is_for_nobody(self, number: int, element: str) -> bool:
        """Whether browsers ignore the references in a place on an element."""
        return number in self.inert or (element == "link" and self.is_reverse(number))

    def _carried(self, number: int) -> int:
        """Return what a place carries whose other attributes decide, for the twin."""
        is_reverse = self.parsed.places[number].element == "link" and self.is_reverse(number)
        return html_carriers.ODD if is_reverse else self._carriers.carried(self.parsed, number)

    def _by_twin(self, folders: tuple[str, ...], *, at_own_base: bool) -> Inventory | None:
        """Return the inventory, with the plain places read by the compiled twin; None if the twin cannot."""
        places = self.parsed.places
        known = tabled(places)
        if not self.is_html or known is None:
            return None
        held = known.held(self._carriers, self._carried, _NAMING, folders, at_own_base=at_own_base)
        known_to_twin = len(held.names), len(held.values)
        found = inventory_by_twin(held, places, self._sort)
        if found is not None and (len(found.names), len(found.values)) != known_to_twin:
            found.lead(folders, at_own_base=at_own_base)  # a place left to Python has a name or a value
        return found

    @property
    def names(self) -> KeysView[str]:
        """What fragments can name."""
        return self.inventory.names.keys()

    def _has_base(self) -> bool:
        places = self.parsed.places
        return any(places[number].element == "base" for number in may_be_bases(places))

    def _folders(self) -> tuple[str, ...]:
        path = self.own
        if not glues(self.context) or path[:1] != "/":
            return ()
        if not self._passes_over_base:
            base, candidates, *_ = self.document.bases
            uri, site = base.uri, self.context.uri
            if uri is None or not uri.startswith(site) or establish(candidates, "whatwg").uri != uri:
                return ()
            path = "/" + uri[len(site) :].partition("?")[0]
        return _folders(path[: path.rfind("/") + 1])
