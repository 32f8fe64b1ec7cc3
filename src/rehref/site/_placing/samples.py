"""What a few files of a folder say about its place on the web: a sample, read before everything else.

A URI on the author's own computer (`localhost`, RFC 6761 §6.3) is not a place on the web. Files that cannot be read are
ignored. `robots.txt` names sitemaps (RFC 9309 §2.2.4).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from rehref.documents.base import Layers, clean
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import encoding_of, read_document, read_page
from rehref.files.file_documents import encode_path
from rehref.text import lower
from rehref.text.encoding import Source
from rehref.uri.components import split
from rehref.uri.resolver import Resolver

SITEMAP_LINES: Final = re.compile(rb"^[ \t]*+sitemap[ \t]*+:[ \t]*+([^\r\n#]*+)", re.IGNORECASE | re.MULTILINE).finditer
"""Finds each such line; group 1: the sitemap that it names."""


MOST_PAGES: Final = 32
MOST_LISTS: Final = 4
_PAGE: Final = 64 * 1024
_LIST: Final = 128 * 1024
_MOST_LISTED: Final = 400
_MOST_LOOKED_AT: Final = 16

_SAY: Final = {
    "link": ("rel", "href"),
    "meta": ("property", "http-equiv", "content"),
    "base": ("href",),
    "a": ("href",),
    "script": ("src",),
    "img": ("src",),
}
"""The elements that say something, with the attributes in which they do."""
_IS_LIST = re.compile(r"\.(?:xml|rss|atom)\Z", re.IGNORECASE).search
_OF_SITEMAP = frozenset({"loc"})
_OF_FEED = frozenset({"link", "guid"})
_SITEMAPS: Final = ("urlset", "sitemapindex")
_FEEDS: Final = ("rss", "feed", "RDF")
_ONE_UP: Final = "../"
_UP = re.compile(r"(?:\.\./)+").match
_FAR_DOWN: Final = "x:/" + 16 * "-/"
"""A folder so deep that no page climbs from it to the root."""
_ABOVE = re.compile("x:/(?:-/)*")
_LOCAL: Final = (
    r"https?://(?:[^/?#@]*@)?(?:(?:[^/?#@:]*\.)?localhost\.?|127(?:\.[0-9]{1,3}){3}|0\.0\.0\.0|\[::1?\])(?=[:/?#]|\Z)"
)
_ON_THE_WEB = ("http:", "https:")


class Claim(NamedTuple):
    """What a file says about a place: a URI, and the path of the file that has it; None: it may be any file."""

    uri: str
    path: str | None = None


@dataclass(slots=True)
class Sample:
    """What the files of a folder say. `claims`: by their sources.

    `from_root`: the paths from the root that each page refers to, as written; `whole`: whole URIs. `bases`: the paths
    from the root that `base` elements have.
    """

    claims: dict[str, list[Claim]] = field(default_factory=dict)
    from_root: list[frozenset[str]] = field(default_factory=list)
    whole: list[frozenset[str]] = field(default_factory=list)
    bases: set[str] = field(default_factory=set)

    def claim(self, source: str, claim: Claim) -> None:
        """Add a claim, once, if its URI can be the URI of a site."""
        claims = self.claims.setdefault(source, [])
        is_local = re.match(_LOCAL, claim.uri, re.IGNORECASE) is not None
        if claim.uri.startswith(_ON_THE_WEB) and not is_local and claim not in claims:
            claims.append(claim)


def sample(folder: Path, paths: Collection[str], pages: Sequence[str]) -> Sample:
    """Return a sample of a folder. `paths`: its files; `pages`: those that are HTML, in order. Raises nothing."""
    found = Sample()
    for path in _spread(pages):
        _take_page(found, path, _beginning(folder / path, _PAGE))
    taken = 0
    for path in _lists(paths):
        taken += taken < MOST_LISTS and _take_list(found, _beginning(folder / path, _LIST))
    if "robots.txt" in paths:
        for line in islice(SITEMAP_LINES(_beginning(folder / "robots.txt", _PAGE)), MOST_LISTS):
            found.claim("robots.txt", Claim(line[1].decode("utf-8", "replace").strip()))
    return found


def _spread(pages: Sequence[str]) -> Iterable[str]:
    """Return some of the pages, evenly spread over all in order."""
    if len(pages) <= MOST_PAGES:
        return pages
    return (pages[number * len(pages) // MOST_PAGES] for number in range(MOST_PAGES))


def _beginning(file: Path, most: int) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(most)
    except OSError:
        return b""


def _take_page(found: Sample, path: str, data: bytes) -> None:
    """Add what a page says, in its first 64 KiB.

    It says where it is by `link rel=canonical` and by `meta property=og:url`, if these are whole URIs. A page that
    refreshes to another page describes that one, and is ignored; so is one with two canonical links. A `base` that is a
    path from the root is also taken by itself.
    """
    page = read_page(encoding_of(data, MediaType.HTML).source(data))
    canonical: set[str] = set()
    own: list[str] = []
    references: list[str] = []
    base, refreshes = None, False
    for each in page.elements(_SAY, scripting=False):
        element, attributes = each.name, each.values
        reference = clean(attributes.get("href") or attributes.get("src") or "")
        if element == "base":
            base = reference if base is None and reference else base
        elif element == "meta":
            refreshes = refreshes or lower(attributes.get("http-equiv", "")) == "refresh"
            if lower(attributes.get("property", "")) == "og:url":
                own.append(clean(attributes.get("content", "")))
        elif element == "link" and "canonical" in lower(attributes.get("rel", "")).split():
            canonical.add(reference)
        else:
            references.append(reference)
    if not refreshes:
        for uri in canonical if len(canonical) == 1 else ():
            found.claim("canonical links", Claim(uri, path))
        for uri in own[:1]:
            found.claim("og:url", Claim(uri, path))
    targets = list(_targets(references, path, base))
    found.from_root.append(frozenset(filter(_is_from_root, targets)))
    if base is not None and _is_from_root(base):
        found.bases.add(base)
    found.whole.append(frozenset(each for each in targets if each.startswith(_ON_THE_WEB)))


def _is_from_root(reference: str) -> bool:
    return reference[:1] == "/" and reference[1:2] not in ("/", "\\")


def _targets(references: Iterable[str], path: str, base: str | None) -> Iterator[str]:
    """Yield the whole URIs and the paths from the root among references, without fragments, each once.

    A relative reference counts if a `base` element makes it one, and if it leads out of the folder with `..`:
    `../docs/a.html` in the folder itself may be the path of a file in it, if the folder is `/docs/`. `path`: of the
    page, below the folder; `base`: the reference of its base element.
    """
    own = _FAR_DOWN + encode_path(path)
    resolve = Resolver(own if base is None else Resolver(own)(base))
    depth = path.count("/")
    for reference in references:
        reference = reference.partition("#")[0]
        if reference == "" or (base is None and reference[0] != "/" and split(reference).scheme is None):
            climbs = _UP(reference)
            if climbs is None or climbs.end() <= len(_ONE_UP) * depth:
                continue  # it stays in the folder
        target = resolve(reference)
        if not target.startswith(_FAR_DOWN):
            yield _ABOVE.sub("/", target, count=1)


def _lists(paths: Collection[str]) -> list[str]:
    """Return possible sitemaps and feeds: those nearest to the folder, and sitemaps before others.

    They are files whose names end in `.xml`, `.rss` or `.atom`, and that begin with the element of one.
    """
    found = [path for path in paths if _IS_LIST(path) is not None and "/." not in f"/{path}"]
    found.sort(key=lambda path: (path.count("/"), "sitemap" not in path, path))
    return found[:_MOST_LOOKED_AT]


def _take_list(found: Sample, data: bytes) -> bool:
    """Add what a sitemap or a feed lists in its first 128 KiB; return whether it is one.

    That is the `loc` of sitemaps, without those of images, and the `link` and `guid` of feeds.
    """
    kind = read_page(Source(data), is_xml=True).document_element.rpartition(":")[2]
    if kind not in (*_SITEMAPS, *_FEEDS):
        return False
    if len(data) == _LIST:
        data = data[: data.rfind(b"</")]  # a URI after it may be cut off
    source, elements = ("sitemap", _OF_SITEMAP) if kind in _SITEMAPS else ("feed", _OF_FEED)
    listed = (each for each in _read_list(data) if each.element in elements and each.kind != "resource")
    for link in islice(listed, _MOST_LISTED):
        found.claim(source, Claim(clean(link.reference)))
    return True


def _read_list(data: bytes) -> Iterator[Link]:
    return iter(read_document(data, "application/xml", None, Layers(), ReadOptions.DEFAULT).links())
