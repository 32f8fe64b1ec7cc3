"""Which URLs are pages to read: the first ones, and those that they lead to, within bounds.

Without `recursive` only the first URLs are read. With it, rehref also reads the pages in scope that they lead to, and
the pages that these lead to, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from rehref.documents.media_types import FileName
from rehref.exceptions import OptionError, with_value
from rehref.site._external.web_options import read_option
from rehref.site._paths import origin
from rehref.site._server_options import MOST_PAGES
from rehref.uri.components import split
from rehref.uri.resolver import parse_or_none

MOST_BYTES: Final = 1 << 30
"""The largest number of bytes of pages that are kept."""

_ON_WEB: Final = ("http://", "https://")


class CrawlOptions(NamedTuple):
    """What to fetch. `scope`: URLs, () for the default. `depth`: how deep pages are read, None: any depth.

    The depth of a page is the smallest number of links that lead to it from a first URL. `follows_robots`: whether
    robots.txt is followed if it is `recursive`.
    """

    recursive: bool = False
    scope: tuple[str, ...] = ()
    depth: int | None = None
    max_pages: int = MOST_PAGES
    follows_robots: bool = True

    @property
    def robots(self) -> bool:
        """Whether robots.txt is followed."""
        return self.recursive and self.follows_robots

    @property
    def deepest(self) -> int | None:
        """How deep pages are read."""
        return self.depth if self.recursive else 0


def crawl_options(given: Mapping[str, Any], first: str) -> CrawlOptions:
    """What to fetch, from options by name. `first`: the first page. Raises `OptionError`."""
    for scope in given["scope"]:
        if page_url(parse_or_none(scope, first) or "") is None:
            raise OptionError(with_value("--scope", scope), "is not an http or https URL", "write for example /docs/")
    if given["scope"] and first not in CrawlScope([first], given["scope"]) and not first.endswith(".xml"):
        scope = " ".join(given["scope"])  # a sitemap may be elsewhere
        raise OptionError(with_value("--scope", scope), f"{first} is not in it", "name a page that is")
    found = {name: read_option(name, given) for name in ("recursive", "scope", "depth", "max_pages")}
    return CrawlOptions(**found, follows_robots=not read_option("no_robots", given))


def first_page(name: str) -> str:
    """The URL of a first page, from the name that the user gave. Raises `OptionError`."""
    whole = name if "://" in name else f"http://{name}"
    url = page_url(whole)
    if url is None and split(whole).has_userinfo:
        raise OptionError(name, "has a user name in it, which reports would show", "name it in a file, for --netrc")
    if url is None:
        raise OptionError(name, "is not an http or https URL", "write for example https://example.org/docs/")
    return url


def page_url(uri: str) -> str | None:
    """The URL by which a page is requested and named: as browsers write it, without a fragment.

    None: it is not such a URL, or has a user name, which must not be shown. Other options give user names and
    passwords.
    """
    url = parse_or_none(uri.partition("#")[0])
    is_page = url is not None and url.startswith(_ON_WEB) and not split(url).has_userinfo
    return url if is_page else None


class CrawlScope:
    """Which URLs are in scope: a scope is a URL, itself and all URLs below it.

    Below means as a path of folders (`/docs` contains `/docs/a`, but not `/docs-old`); `http` and `https` count as one.
    By default the scopes are the folder of each first URL, and of the one that it redirects to. A relative scope is
    relative to the first of these URLs.
    """

    def __init__(self, starts: Iterable[str], scope: Iterable[str]) -> None:
        """`starts`: the first URLs, as `page_url` returns them."""
        starts = list(starts)
        given = [parse_or_none(each, starts[0]) for each in scope] if starts else []
        self._is_given = bool(given)
        self._roots = {_root(url) for url in given if url is not None}
        if not given:
            for start in starts:
                self.begin(start)

    def begin(self, url: str) -> None:
        """Take in the folder of a first URL, or of the one that it redirects to, unless a scope is given."""
        if not self._is_given:
            host, path = _root(url)
            self._roots.add((host, path[: path.rfind("/") + 1]))

    def __contains__(self, url: str) -> bool:
        """Whether a URL is in scope, and may be a page.

        One whose name says that it is not a document (`a.png`) is not a page, unless it is a sitemap (`a.xml.gz`).
        """
        host, path = _root(url)
        name = FileName.of(path[path.rfind("/") + 1 :])
        if name.media_type is None and not name.is_open and not FileName.is_of_sitemap(path):
            return False
        return any(
            host == root and (path == folder or path.startswith(folder if folder.endswith("/") else f"{folder}/"))
            for root, folder in self._roots
        )


def _root(url: str) -> tuple[tuple[str, str], str]:
    """The host of a URL, and its path."""
    parts = split(url)
    return origin(parts), parts.path or "/"
