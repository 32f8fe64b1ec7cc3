"""Of which sources a built page may be made. Nothing here is certain: `tracing.py` also wants the reference there."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import unquote

from rehref.documents.base import clean
from rehref.documents.reading import read_page
from rehref.site._grounds.generators import own_urls
from rehref.site._grounds.site_context import SiteContext
from rehref.text import lower
from rehref.text.encoding import Source
from rehref.uri.components import split

TEMPLATES: Final = ("njk", "liquid", "webc", "hbs", "handlebars", "ejs", "vto", "tmpl", "gohtml", "j2", "twig", "astro")
"""Extensions of pages and layouts in a template language, read as HTML."""
_PAGES: Final = frozenset({"md", "markdown", "mdx", "ipynb", "html", "htm", "rst", "adoc", "org", *TEMPLATES})
_FIRST: Final = frozenset(
    {"content", "src", "docs", "source", "pages", "input", "site", "static", "public", "assets", "_pages", "_posts"}
)
_INDEXES: Final = frozenset({"index", "_index", "readme"})
_MARKS: Final = {
    "a": frozenset({"href", "rel"}),
    "link": frozenset({"href", "rel"}),
    "meta": frozenset({"name", "content"}),
}
_LEADS_TO_SOURCE = re.compile(r"/_?edit/|_sources/").search
_IN_REPOSITORY = re.compile(r".*/_?edit/[^/]+/(.+)|(?:.*/)?_sources/(.+)\.txt", re.DOTALL).fullmatch


class PageSources:
    """The sources by the pages that may be made of them."""

    def __init__(self, context: SiteContext, texts: Mapping[str, bytes]) -> None:
        """`context`: that of the folder of the sources; `texts`: theirs, by their paths."""
        self._texts, self._above = texts, context.folder.resolve().parts
        self._generator = context.files.generator
        self._pages_in_front_matter, self._by_path = (
            defaultdict[str, list[str]](list),
            defaultdict[str, list[str]](list),
        )
        for path in sorted(texts):
            made = None if self._generator is None else context.files.page_of(path)
            stated = {made} if made else _pages_in_front_matter(path, texts[path])
            for key in set(map(_key_of, stated)):
                self._pages_in_front_matter[key].append(path)
            for key in () if stated else set(map(_key_of, _pages(path))):
                self._by_path[key].append(path)

    def of(self, document: str, page: Source | None = None) -> list[str]:
        """Return the sources of the document at that path. `page`: its source text.

        What the page says itself counts first, if all that are of our sources name the same one. There may be several
        for a page; of which the generator makes it is not known then.
        """
        marked = set(filter(None, map(self._marked, () if page is None else _marks(page))))
        if len(marked) == 1:
            return list(marked)
        stated, by_path = self.every(document)
        return [] if self._generator is not None and len(stated) > 1 else stated or by_path

    def every(self, document: str) -> tuple[list[str], list[str]]:
        """Return all that the generator makes the page of (`rehref.site._grounds.generators`), else what front matter
        and paths say.
        """
        key = _key_of(document)
        return self._pages_in_front_matter.get(key, []), self._by_path.get(key, [])

    def _marked(self, url: str) -> str | None:
        """The source that a URL names, by its path in the repository in which the folder is."""
        path = split(url).path
        found = _IN_REPOSITORY(path)
        path = unquote(path if found is None else found[1] or found[2])
        starts = ("", *("/".join(self._above[number:]) + "/" for number in range(1, len(self._above))))
        rests = (path[len(start) :] for start in starts if path.startswith(start))
        return next((rest for rest in rests if rest in self._texts), None)


def _marks(page: Source) -> Iterator[str]:
    """The URLs of links to an editor, to a copy of the source, or of a `meta` that names it.

    They are a link with `rel=edit`, or to an editor (`/edit/main/docs/guide.md`) or a copy (`_sources/guide.rst.txt`),
    or `<meta name="source">`.
    """
    for element in read_page(page).elements(_MARKS):
        values = element.values
        url = values.get("content" if element.name == "meta" else "href", "")
        is_said = "edit" in lower(values.get("rel", "")).split() or lower(values.get("name", "")) == "source"
        if url and (is_said or _LEADS_TO_SOURCE(url) is not None):
            yield clean(url)


def _key_of(path: str) -> str:
    """The key of a page by its path or URL path: without `index`, an extension of HTML, and case."""
    path = re.sub(r"\.html?$", "", unquote(path).strip("/"), flags=re.IGNORECASE).casefold()
    return re.sub(r"\s+", "-", "" if path == "index" else path.removesuffix("/index"))


def _pages_in_front_matter(path: str, data: bytes) -> set[str]:
    """The pages that `url`, `permalink` and `slug` in the front matter of a source name, in place of those of its path.

    None if a template decides it.
    """
    own = {key: url for key, url in own_urls(data).items() if "{" not in url}
    whole = {own[key] for key in ("url", "permalink") if key in own}
    slug = own.get("slug")
    return whole if slug is None else whole | {posixpath.join(posixpath.dirname(each), slug) for each in _pages(path)}


def _pages(path: str) -> Iterator[str]:
    """The pages that a source may become by its path, by the rules of generators.

    `posts/wind.md` for `posts/wind/` and `posts/wind.html`; `index.md`, `_index.md`, `README.md` and `wind/wind.md` for
    their folder; with or without a first folder such as `content/`; `wind.fr.md` for `fr/wind/`; a style sheet for
    itself. Case does not count, and a space is a hyphen.
    """
    stem, dot, extension = path.rpartition(".")
    while dot and extension.lower() in _PAGES:
        path = stem
        stem, dot, extension = path.rpartition(".")
        if len(extension) == 2 and dot:  # a language
            yield from _pages(f"{extension}/{stem}.md")
    folder, _, name = path.rpartition("/")
    is_index = name.casefold() in _INDEXES or name == posixpath.basename(folder)
    for way in (path, folder) if is_index else (path,):
        first, _, rest = way.partition("/")
        yield way.removeprefix("_")
        yield rest if first in _FIRST else way
