"""One document of a site as the checker reads it: the values and names in its places.

1. HTML is scanned once, for the places of references and for what fragments name: `id` everywhere, `name` on `a` and
   `map`. Other formats are read as `rehref.documents` reads them, and once more for their names if browsers show them.
2. A `Document` is made from HTML only if it is needed: there is a base element, or an unusual reference. For most
   pages, most of that work would be useless.
3. References can be glued (`rehref.uri.ordinary_references`) if the base is below the URI of the site, and browsers
   read it as the RFC does. They are then glued to the path of a folder instead of a longer URI.
"""

from __future__ import annotations

from collections.abc import KeysView, Sequence
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from rehref.base import Base, Layers, establish
from rehref.checking.pages.fragments import NO_SCRIPTS, UNSEEN, scripts_of
from rehref.checking.site.site_context import SiteContext
from rehref.documents.document import Document
from rehref.documents.formats import html, html_carriers
from rehref.documents.link import Link
from rehref.documents.marks.reading_places import has_base_element, read_html, read_xml
from rehref.documents.marks.unseen_places import inert_places, reverse_links, superseded_places
from rehref.documents.media_types import HTML_TYPE, MARKDOWN_TYPE, XHTML_TYPE
from rehref.documents.table.names import ID_NAMES, NameTable, names_of
from rehref.documents.table.reference import Reference
from rehref.documents.table.values import Values
from rehref.exceptions import TimeLimit
from rehref.options import ReadOptions
from rehref.places import CompleteParsed, Wanted, XmlWanted
from rehref.text.encoding import Source
from rehref.uri.whatwg import parse_or_none

_WANTED_NAMES = XmlWanted(ID_NAMES | {"name"})
_GLUING = frozenset({"rfc3986", "rfc3986-compat"})
_GLUED_SCHEMES = ("http://", "https://", "file:///")


def glues(context: SiteContext) -> bool:
    """Whether references can be glued to the paths of folders of this site (rule 3)."""
    uri = context.uri
    return context.options.how.profile in _GLUING and uri.startswith(_GLUED_SCHEMES) and _is_written_as_browsers_do(uri)


@lru_cache(maxsize=16)
def _is_written_as_browsers_do(uri: str) -> bool:
    return parse_or_none(uri) == uri


class _Html(NamedTuple):
    """How HTML is read with some options: what carries references, and what to scan for (rule 1)."""

    carriers: html_carriers.HtmlCarriers
    wanted: Wanted


@cache
def _html(how: ReadOptions) -> _Html:
    carriers = html_carriers.html_carriers(how)
    wanted = carriers.wanted
    besides = (("a", "name"), ("map", "name"), ("link", "rev"))
    on = {element: wanted.on.get(element, frozenset()) | {name} for element, name in besides}
    wanted = replace(wanted, anywhere=wanted.anywhere | {"id"}, on={**wanted.on, **on})
    return _Html(carriers, wanted)


@lru_cache(maxsize=1024)
def _folders(path: str) -> tuple[str, ...]:
    """Return the paths of a folder, of its parent, and so on; each ends in a slash."""
    found = []
    while path != "":
        found.append(path)
        path = path[: path.rfind("/", 0, -1) + 1]
    return tuple(found)


class SitePage:
    """One document of a site.

    `uri`: its URI; `own`: the path of that below the site's, with a slash before it. `parsed`: its places with
    references; `named`: those with names; in HTML they are the same. `source`: the source text that was read, for HTML.
    `is_shown`: whether fragments name something in it. `is_utf8`: whether queries are encoded in UTF-8. `has_base`:
    whether an element may set a base. `is_at_own_base`: whether references are relative to its own URI. `folders`: the
    paths of the base's folder, of its parent, and so on; empty if nothing can be glued (rule 3). `inert`: the numbers
    of the places with references that nobody sees. `reverse`: those of the places on links that browsers ignore, since
    they lead back. `may_refresh`: whether a `meta` may send browsers elsewhere.
    `scripts`: those that make fragments right although they name nothing in the page.
    """

    parsed: CompleteParsed
    named: CompleteParsed
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
        self._carriers, self._wanted = _html(context.options.how)
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
        self.reverse = reverse_links(self.parsed.places) if self.is_html else frozenset[int]()
        if self.is_shown and (b"xlink" in data or b"XLINK" in data):
            self.inert |= superseded_places(self.parsed.places)
        self.name_table = names_of(self.named.places) if self.is_html or self.is_shown else NameTable()
        self.may_refresh = self.name_table.may_refresh if self.is_html else self.media_type == XHTML_TYPE
        is_page = self.is_html or self.media_type == XHTML_TYPE
        source = self.source if self.is_html else self.document.source
        places, is_xml = self.parsed.places if self.is_html else (), not self.is_html
        self.scripts = scripts_of(source, self.names, places, is_xml=is_xml) if is_page else NO_SCRIPTS
        if not self.parsed.is_whole:
            self.scripts = UNSEEN

    def _read_html(self, data: bytes) -> None:
        sniffed = self.context.encoding_of(self.path, data, self.media_type)
        self.source = Source(data, sniffed.name, sniffed.bom, sniffed.undeclared)
        self.is_utf8 = sniffed.name == "utf-8"
        self.parsed = self.named = read_html(self.source, self._wanted)

    def _read_other(self, data: bytes) -> None:
        self.document = self.context.document_of(self.path, data, self.media_type)
        self.document.limit = self._limit
        self.is_utf8 = self.document.resolvers.encode is None
        self.parsed = self.named = self.document.parsed
        if self.is_shown and self.media_type != MARKDOWN_TYPE:  # whose ids are among its places
            self.named = read_xml(self.document.source, _WANTED_NAMES)

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

    @cached_property
    def values(self) -> Values:
        """The references: texts that are whole values, and the places of all others."""
        names = self.name_table.named if self.is_at_own_base else None
        found = self.document.table(metadata=False).values(self.folders, names)
        found.leave_out(self.inert | self.reverse)
        return found

    def is_for_nobody(self, number: int) -> bool:
        """Whether browsers ignore the references in a place."""
        return number in self.inert or number in self.reverse

    @property
    def names(self) -> KeysView[str]:
        """What fragments can name."""
        return self.name_table.named.keys()

    def _has_base(self) -> bool:
        return has_base_element(self.parsed)

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
