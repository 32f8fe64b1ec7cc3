"""Links that work, but should be reviewed: the codes of the group `lint` that are about one reference.

Each is a row of `_LINTS`: a code, and a function that returns why a reference has it, or None. All are applied to every
reference that a browser follows, loads or sends to; not to names, statements, and references that nobody sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, TypeAlias
from urllib.parse import urlsplit

from rehref.documents.base import clean, without_fragment
from rehref.documents.link import Link, Reference
from rehref.documents.reading import read_page
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.made_findings import collected, finding_of
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.site_tables import SiteTable
from rehref.site._pages.targets import leads_somewhere
from rehref.site._paths import decode_path
from rehref.site.findings import Finding
from rehref.text import lower

_KINDS: Final = frozenset({"hyperlink", "resource", "form"})
_ASKED: Final = {
    "a": ("href", "target"),
    "area": ("href", "target"),
    "form": ("action", "target"),
    "link": ("href", "rel", "as", "integrity"),
    "script": ("src", "integrity"),
}
_STYLES: Final = frozenset({"stylesheet", "modulepreload"})
_PRELOADED: Final = frozenset({"script", "style"})
_NOTHING: Final[Mapping[str, str]] = {}


_Lint: TypeAlias = "tuple[str, Callable[[Seen], str | None]]"


class Seen:
    """A reference, and the facts that the lints need."""

    def __init__(self, context: SiteContext, link: Link, attributes: Mapping[str, str]) -> None:
        """`attributes`: the others of its element, as far as they are needed."""
        self.context = context
        self.link = link
        self.attributes = attributes
        self.reference = clean(link.reference)
        self.target = link.target or ""

    @property
    def is_http(self) -> bool:
        """Whether it leads to `http:`."""
        return self.target.startswith("http:")

    @property
    def is_on_https(self) -> bool:
        """Whether the site is on `https:`; if that is not known, it is assumed, as of most sites."""
        return not (self.context.place.has_host and self.context.uri.startswith("http:"))

    @cached_property
    def is_own(self) -> bool:
        """Whether it leads to a host of the site."""
        own = {_host(self.context.uri)} if self.context.place.has_host else set[str]()
        return _host(self.target) in own.union(map(lower, self.context.options.own_hosts))


def collect(read: ReadPage) -> list[tuple[Any, ...]] | None:
    """Return the findings of a page, as plain tuples."""
    context, page = read.context, read.page
    beside = _attributes(read)
    found: list[tuple[Any, ...]] = []
    for reference in _references(read):
        link = page.document.resolved(reference)
        lints = _asked_about(link)
        if not lints or not leads_somewhere(reference, link):
            continue
        if context.scope.is_narrowed and not context.scope.chooses(link.target or ""):
            continue
        seen = Seen(context, link, _NOTHING if reference.inner else beside.get(_tag(read, reference), _NOTHING))
        reasons = [(code, why) for code, lint in lints if (why := lint(seen)) is not None]
        if reasons:
            placed = page.document.link(reference)
            found += (tuple(finding_of(read.path, placed, code, why)) for code, why in reasons)
    return found or None


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[Any, ...]]]
) -> Iterator[Finding]:
    """Yield the findings of all pages."""
    return collected(facts)


def _asked_about(link: Link) -> Sequence[_Lint]:
    """Return the lints for a reference of this kind.

    References in a `meta` have one (`_OF_METAS`): programs that read them have no page whose scheme they could take.
    """
    if link.kind in _KINDS:
        return _LINTS
    return _OF_METAS if link.kind == "metadata" and link.element == "meta" else ()


def _references(read: ReadPage) -> Iterator[Reference]:
    """Yield the references of a page, except those that clearly have no finding.

    Of those in ordinary places, only those may have one that are `#`, name a host or a scheme, or end in the name of a
    folder; if the base is on `http:`, all.
    """
    page, held = read.page, read.page.values
    names = _last_names(read.context.files.folders)
    is_http = (page.document.base.uri or "").startswith("http:")
    ordinary = held.at([is_http or _may_matter(clean(value), names) for value in held.texts])
    for number in sorted((*ordinary, *held.others)):
        if not page.is_for_nobody(number):
            yield from page.document.references_at(number)


def _may_matter(reference: str, names: frozenset[str]) -> bool:
    if reference == "#" or "//" in reference or lower(reference[:5]) == "http:":
        return True
    path = reference.partition("#")[0].partition("?")[0]
    return decode_path(path[path.rfind("/") + 1 :]) in names


@lru_cache(maxsize=1)
def _last_names(folders: frozenset[str]) -> frozenset[str]:
    """Return the names of folders, each within its parent."""
    return frozenset(folder[folder.rfind("/") + 1 :] for folder in folders) - {""}


def _attributes(read: ReadPage) -> dict[int, Mapping[str, str]]:
    """Return the attributes of HTML elements, by the offsets of their tags; not those of a `srcdoc`."""
    if not read.page.is_html:
        return {}
    elements = read_page(read.page.source).elements(_ASKED, scripting=False, everywhere=True)
    return {each.tag: each.values for each in elements}


def _tag(read: ReadPage, reference: Reference) -> int:
    return read.page.document.parsed.places[reference.place].tag


def _host(uri: str) -> str:
    """Return the host of a URI, without user and port; "" if it has none."""
    try:
        return urlsplit(uri).hostname or ""
    except ValueError:
        return ""


# the lints


def _hash_link(seen: Seen) -> str | None:
    if seen.reference == "#" and seen.link.element in ("a", "area"):
        return "the link is # alone, which leads to the top of the page"
    return None


def _missing_slash(seen: Seen) -> str | None:
    context, uri = seen.context, seen.target
    path = without_fragment(uri).partition("?")[0]
    if seen.link.kind != "hyperlink" or path.endswith("/") or not path.startswith(context.uri):
        return None
    if context.host.folder_slash != "added":  # there is no redirection; `unadded_slash.py`
        return None
    folder = decode_path(path[len(context.uri) :])
    located = context.locator.locate(without_fragment(uri)).path
    if folder not in context.files.folders or located is None or not located.startswith(f"{folder}/"):
        return None
    return f"{folder} is a folder, and servers redirect to its path with a slash; write the slash"


def _protocol_relative(seen: Seen) -> str | None:
    return "the reference takes the scheme of its page" if seen.reference.startswith("//") else None


def _own_http(seen: Seen) -> str | None:
    if seen.is_http and seen.is_own and seen.is_on_https and seen.link.kind != "resource":
        return "it leads to http:, but the site itself is on https:"
    return None


def _http_link(seen: Seen) -> str | None:
    if seen.is_http and _own_http(seen) is None and _mixed_content(seen) is None:
        return f"it leads to {_host(seen.target)} over http:"
    return None


def _mixed_content(seen: Seen) -> str | None:
    if seen.is_http and seen.is_on_https and seen.link.kind == "resource":
        return f"a page on https: loads this from {_host(seen.target)} over http:"
    return None


def _no_integrity(seen: Seen) -> str | None:
    beside = seen.attributes
    rel = frozenset(lower(beside.get("rel", "")).split())
    is_style = not rel.isdisjoint(_STYLES) or ("preload" in rel and lower(beside.get("as", "")) in _PRELOADED)
    if not ("src" in beside if seen.link.element == "script" else seen.link.element == "link" and is_style):
        return None
    is_of_another = seen.target.startswith(("http:", "https:")) and not seen.target.startswith(seen.context.uri)
    if not is_of_another or seen.is_own or beside.get("integrity", "").strip():
        return None
    return f"no integrity attribute says what {_host(seen.target)} may send"


def _blank_to_http(seen: Seen) -> str | None:
    if seen.is_http and lower(seen.attributes.get("target", "").strip()) == "_blank":
        return f"the link opens a new window at {_host(seen.target)} over http:"
    return None


_OF_METAS: Final[Sequence[_Lint]] = (("protocol-relative", _protocol_relative),)
_LINTS: Final[Sequence[_Lint]] = (
    ("hash-link", _hash_link),
    ("missing-slash", _missing_slash),
    ("protocol-relative", _protocol_relative),
    ("own-http", _own_http),
    ("http-link", _http_link),
    ("mixed-content", _mixed_content),
    ("no-integrity", _no_integrity),
    ("blank-to-http", _blank_to_http),
)
