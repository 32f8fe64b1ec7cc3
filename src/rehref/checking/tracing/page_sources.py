"""Of which sources a built page may be made. Nothing here is certain: `tracing.py` also wants the reference there.

1. What the page says itself: a link with `rel=edit`, or to an editor (`/edit/main/docs/guide.md`) or a copy
   (`_sources/guide.rst.txt`), or `<meta name="source">`; if all that are of our sources name the same one.
2. What sources say: `url`, `permalink`, `slug` and `aliases` of their front matter, unless a template decides it.
3. Their paths, by the rules of generators: `posts/wind.md` for `posts/wind/` and `posts/wind.html`; `index.md`,
   `_index.md`, `README.md` and `wind/wind.md` for their folder; with or without a first folder such as `content/`;
   without dates (`2026-11-28-wind.md`) and numbers (`01-wind.md`); `wind.fr.md` for `fr/wind/`; a style sheet for
   itself. Case does not count, and a space is a hyphen.
4. The first of these that names sources counts. There may be several for a page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from rehref.documents.formats.markdown import front_values
from rehref.uri.components import split

TEMPLATES: Final = ("njk", "liquid", "webc", "hbs", "handlebars", "ejs", "vto", "tmpl", "gohtml", "j2", "twig", "astro")
"""Extensions of pages and layouts in a template language, read as HTML."""
_PAGES: Final = frozenset({"md", "markdown", "mdx", "ipynb", "html", "htm", "rst", "adoc", "org", *TEMPLATES})
_FIRST: Final = frozenset(
    {"content", "src", "docs", "source", "pages", "input", "site", "static", "public", "assets", "_pages", "_posts"}
)
_INDEXES: Final = frozenset({"index", "_index", "readme"})
_FRONT_MATTER = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*\r?$", re.DOTALL | re.MULTILINE).match
_SLUG = re.compile(rb"""^slug[ \t]*[:=][ \t]*["']?([^\s"'#{}]+)""", re.MULTILINE).search
_DATED = re.compile(r"(\d{4})-(\d\d)-(\d\d)-(.+)").fullmatch
_NUMBER = re.compile(r"^\d+\s*[-_.]+\s*(?=\D)")
_MARK = re.compile(
    r"""<(?:a|link|meta)\b(?=[^>]{0,900}(?:\brel=["']?edit\b|\bname=["']?source\b|/_?edit/|_sources/))"""
    r"""[^>]{0,900}?\b(?:href|content)=["']?([^\s"'>]+)""",
    re.IGNORECASE,
)
_IN_REPOSITORY = re.compile(r".*/_?edit/[^/]+/(.+)|(?:.*/)?_sources/(.+)\.txt", re.DOTALL).fullmatch


def front_matter_of(data: bytes) -> bytes:
    """Return the front matter of a source, with its delimiters; nothing if it has none."""
    found = _FRONT_MATTER(data)
    return b"" if found is None else found[0]


class PageSources:
    """The sources by the pages that may be made of them."""

    def __init__(self, texts: Mapping[str, bytes], folder: Path) -> None:
        """`texts`: the sources by their paths; `folder`: that of the sources."""
        self._texts, self._above = texts, folder.resolve().parts
        self._stated: dict[str, list[str]] = {}
        self._by_path: dict[str, list[str]] = {}
        for path in sorted(texts):
            moved, also = _stated_keys(path, texts[path])
            for key in moved | also:
                self._stated.setdefault(key, []).append(path)
            for key in set() if moved else set(_keys(path)):
                self._by_path.setdefault(key, []).append(path)

    def of(self, document: str, page: str = "") -> list[str]:
        """Return the sources of the document at that path (rule 4). `page`: its text, for rule 1."""
        marked = set(filter(None, map(self._marked, _MARK.findall(page))))
        key = _key_of(document)
        return list(marked) if len(marked) == 1 else self._stated.get(key) or self._by_path.get(key) or []

    def every(self, document: str) -> list[str]:
        """Return all that rules 2 and 3 name."""
        key = _key_of(document)
        return [*self._stated.get(key, ()), *self._by_path.get(key, ())]

    def _marked(self, url: str) -> str | None:
        """The source that a URL names (rule 1), by its path in the repository in which the folder is."""
        path = split(url).path
        found = _IN_REPOSITORY(path)
        path = unquote(path if found is None else found[1] or found[2])
        starts = ("", *("/".join(self._above[number:]) + "/" for number in range(1, len(self._above))))
        rests = (path[len(start) :] for start in starts if path.startswith(start))
        return next((rest for rest in rests if rest in self._texts), None)


def _key_of(path: str) -> str:
    """The key of a page by its path or URL path: without `index`, an extension of HTML, and case."""
    path = re.sub(r"\.html?$", "", unquote(path).strip("/"), flags=re.IGNORECASE).casefold()
    return re.sub(r"\s+", "-", "" if path == "index" else path.removesuffix("/index"))


def _stated_keys(path: str, data: bytes) -> tuple[set[str], set[str]]:
    """The keys of the pages that a source says it becomes (rule 2): in place of those of its path, and besides."""
    front = front_matter_of(data)
    named = [value for value in front_values(front) if "{" not in value.text]
    moved = {_key_of(value.text) for value in named if value.key in ("url", "permalink")}
    slug = _SLUG(front)
    if slug is not None:
        moved |= {f"{key.rpartition('/')[0]}/{_key_of(slug[1].decode())}".lstrip("/") for key in _keys(path)}
    return moved, {_key_of(value.text) for value in named if value.key == "aliases"}


def _keys(path: str) -> Iterator[str]:
    """The keys of the pages that a source may become by its path (rule 3)."""
    stem, dot, extension = path.rpartition(".")
    while dot and extension.lower() in _PAGES:
        path = stem
        stem, dot, extension = path.rpartition(".")
        if len(extension) == 2 and dot:  # a language
            yield from _keys(f"{extension}/{stem}.md")
    *folders, name = names = path.split("/")
    ways = [names, [_NUMBER.sub("", each) for each in names]]
    if name.casefold() in _INDEXES or (folders and name == folders[-1]):
        ways.append(folders)
    dated = _DATED(name)
    if dated is not None:
        ways += [[*folders, *dated.groups()], [*folders, dated[4]]]
    for way in ways:
        yield _key_of("/".join(way).removeprefix("_"))
        if way and way[0] in _FIRST:
            yield _key_of("/".join(way[1:]))
