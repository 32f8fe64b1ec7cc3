"""One document of a site as the checker reads it: its references, and what fragments can name in it.

A document is read once, for the places of references and for those of names. In HTML, names are `id` everywhere, and
`name` on `a` and `map`; in XML they are looked for if browsers show the document.
"""

from __future__ import annotations

from collections.abc import KeysView, Sequence
from functools import cached_property, lru_cache

from rehref.documents.link import Link, Reference, Values
from rehref.documents.media_types import MediaType
from rehref.exceptions import TimeLimit
from rehref.site._grounds.forge_pages import forges_of
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.fragments import NO_SCRIPTS, UNSEEN, scripts_of
from rehref.uri.resolver import parse_or_none

_GLUING = frozenset({"rfc3986", "rfc3986-compat"})
_GLUED_SCHEMES = ("http://", "https://", "file:///")


def glues(context: SiteContext) -> bool:
    """Whether references can be glued (`rehref.uri.ordinary_references`) to the paths of folders of this site.

    They can if the base is below the URI of the site, and browsers read it as the RFC does. They are then glued to the
    path of a folder instead of a longer URI.
    """
    uri = context.uri
    return context.options.how.profile in _GLUING and uri.startswith(_GLUED_SCHEMES) and _is_written_as_browsers_do(uri)


@lru_cache(maxsize=16)
def _is_written_as_browsers_do(uri: str) -> bool:
    return parse_or_none(uri) == uri


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

    `document`: all that `rehref.documents` knows of it; `source`, `parsed`: its source text and its places. `own`: its
    URI, as targets are written. `is_shown`: whether fragments name something in it. `is_utf8`: whether queries are
    encoded in UTF-8. `is_at_own_base`: whether references are relative to its own URI. `folders`: the paths of the
    base's folder, of its parent, and so on; empty if nothing can be glued. `inert`: the numbers of the places with
    references that nobody sees. `reverse`: those of the places on links that browsers ignore, since they lead back.
    `may_refresh`: whether a `meta` may send browsers elsewhere. `scripts`: those that make fragments right although
    they name nothing in the page.
    """

    def __init__(self, context: SiteContext, path: str, data: bytes, limit: TimeLimit | None = None) -> None:
        """Read the document at `path`, below the folder. Its content never raises. `limit`: of its document."""
        self.context = context
        self.path = path
        self.data = data
        types = context.files.types
        self.media_type = types.of(path)
        self.is_html = self.media_type == MediaType.HTML
        self.is_shown = types.has_names(path)
        self.document = document = context.document_of(path, data, self.media_type, names=self.is_html or self.is_shown)
        document.limit, document.remembered = limit, {}
        self.source, self.parsed = source, parsed = document.source, document.parsed
        self.own = context.own_target(path)
        self.is_utf8 = source.encoding == "utf-8" if self.is_html else document.resolvers.encode is None
        self.is_at_own_base = document.base.uri == document.own.uri
        self.folders = self._folders()
        page = document.page
        self.inert = page.in_templates() if self.is_html else frozenset[int]()
        self.reverse = page.reverse_links() if self.is_html else frozenset[int]()
        if self.is_shown:
            self.inert |= page.superseded()
        self.name_table = page.names(any_of_them=self.is_html or self.is_shown)
        self.may_refresh = self.name_table.may_refresh if self.is_html else self.media_type == MediaType.XHTML
        self.scripts = NO_SCRIPTS if parsed.is_whole else UNSEEN
        if parsed.possible_ids:
            possible = tuple(id for id in parsed.possible_ids if id not in self.name_table.named)
            self.scripts = self.scripts._replace(possible=possible)
        elif parsed.is_whole and (self.is_html or self.media_type == MediaType.XHTML):
            self.scripts = scripts_of(document, self.names)
        if self.media_type == MediaType.SVG:
            self.scripts = self.scripts._replace(views=True)
        if self.media_type == MediaType.MARKDOWN and types.has_sources:
            forges = forges_of(context.options.how.dialect)
            is_readme = path.rpartition("/")[2].rpartition(".")[0].lower() == "readme"
            own_ids = tuple({forge.readme for forge in forges if forge.readme}) if is_readme else ()
            if (generator := context.files.generator) is not None:
                own_ids += generator.rules.own_ids
                self.scripts = self.scripts._replace(any=generator.rules.has_routes)
            self.scripts = self.scripts._replace(prefixes=tuple({forge.prefix for forge in forges}), own_ids=own_ids)
        self._resolved: dict[int, Sequence[tuple[Reference, Link]]] = {}

    def resolved(self, number: int) -> Sequence[tuple[Reference, Link]]:
        """The references in a place, each with its result; found and resolved once."""
        known = self._resolved.get(number)
        if known is None:
            document = self.document
            known = self._resolved[number] = [
                (each, document.resolved(each)) for each in document.references_at(number)
            ]
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

    def _folders(self) -> tuple[str, ...]:
        path = self.own
        if not glues(self.context) or path[:1] != "/":
            return ()
        if self.document.bases.around is not None:  # the document embeds a base
            uri, site = self.document.base.uri, self.context.uri
            if uri is None or not uri.startswith(site) or self.document.resolver.in_browsers("") != uri:
                return ()
            path = "/" + uri[len(site) :].partition("?")[0]
        return _folders(path[: path.rfind("/") + 1])
