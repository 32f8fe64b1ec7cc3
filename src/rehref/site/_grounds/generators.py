"""The page that a generator makes from a source, by its path, its front matter, and the configuration.

The dialect names the generator, whose row is in `page_rules.py`. What decides paths in its configuration is read as
text; what themes and plugins decide is not known. Only what is below its folders of contents and of static files is
published. A page that depends on more is `UNKNOWN`.
"""

from __future__ import annotations

import os
import posixpath
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from rehref.documents.media_types import MediaType
from rehref.files.file_documents import relative_to
from rehref.site._grounds.page_names import NamedPage
from rehref.site._grounds.page_rules import PAGE_RULES, PageRules

_FRONT = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*\r?$", re.DOTALL | re.MULTILINE).match
_OWN = re.compile(
    rb"^(url|permalink|path|slug|id|date|categor)(?:y|ies)?[ \t]*[:=][ \t]*"
    rb"""(?:"([^"\r\n]+)|'([^'\r\n]+)|([^"'#\r\n]*))""",
    re.MULTILINE,
)
_KEYED = re.compile(
    rb"""^(\w+)[ \t]*[:=][ \t]*(\[[^\]]*\]|[^\s\[][^\r\n]*|(?:\r?\n[ \t]*-[ \t][^\r\n]*)+)""", re.MULTILINE
).finditer
_TABLE = re.compile(rb"""^[ \t]*\[{1,2}[\w."' -]+\]{1,2}[ \t]*(?:#.*)?\r?$""", re.MULTILINE)
_ITEM = re.compile(rb"""(?:"[^"\r\n]+"|'[^'\r\n]+'|[^\s"',\[\]#-][^\s"',\]]*)""").findall
_POST = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)-(?P<title>.+)").fullmatch
_PERMALINKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "/:categories/:year/:month/:day/:title:output_ext",
        "date": "/:categories/:year/:month/:day/:title:output_ext",
        "pretty": "/:categories/:year/:month/:day/:title/",
        "none": "/:categories/:title:output_ext",
    }
)
_PLAIN_NAME = re.compile(r"(?!\d+-\d+-\d+-)[a-z0-9-]+").fullmatch
_NOT_IN_TITLE = re.compile(r"[^\w.~!$&'()+,;=@]+")


UNKNOWN: Final = ""
"""In place of the path of a page: it is published, and not known where."""


def front_matter_of(data: bytes) -> bytes:
    """Return the front matter of a source, with its delimiters; nothing if it has none."""
    found = _FRONT(data)
    return b"" if found is None else found[0]


def _own_keys(data: bytes) -> bytes:
    """Return the front matter of a source without the tables below it, in which keys mean something else."""
    text = front_matter_of(data)
    return _TABLE.split(text, maxsplit=1)[0] if text.lstrip(b"\xef\xbb\xbf")[:1] == b"+" else text


def own_urls(data: bytes) -> Mapping[str, str]:
    """Return what the front matter of a source says of its URL, by the keys."""
    found = _OWN.findall(_own_keys(data))
    values = ((key.decode(), (a or b or c).decode("utf-8", "replace").strip()) for key, a, b, c in found)
    return {key: value for key, value in values if value}


def aliases_of(data: bytes, key: str) -> tuple[str, ...]:
    """Return the paths that lead on to a page according to its front matter, as they are written there."""
    lists = (each[2] for each in _KEYED(_own_keys(data)) if each[1] == key.encode())
    return tuple(item.decode("utf-8", "replace").strip("\"'") for found in lists for item in _ITEM(found))


class Generator(NamedTuple):
    """The generator of a folder. `folders`: of contents, and of static files, on the disk; `configuration`: its file,
    or the folder, if it has none; `text`: of that file; `said`: what is in it; `languages`: those in it; `collections`:
    the permalinks of Jekyll's; `unsure`: what a path may lead to though no file is there; `base`: the path of the site
    on its host, "" or ending in a slash. `listed`: the only sources of which pages are made, below the first of
    the folders; None if all are. `endings`: of the files that are there, if others may be made.
    """

    dialect: str
    folder: str
    folders: tuple[str, ...]
    configuration: Path
    text: str
    said: Mapping[str, str]
    languages: frozenset[str]
    collections: Mapping[str, str] = {}
    unsure: re.Pattern[str] | None = None
    base: str = ""
    listed: frozenset[str] | None = None
    endings: frozenset[str] | None = None

    @property
    def rules(self) -> PageRules:
        """The rules of the generator."""
        return PAGE_RULES[self.dialect]

    @property
    def below(self) -> str | None:
        """The path of the checked folder on the site, "" or ending in a slash; None if it is not one of contents."""
        own = next((at for each in self.folders if (at := relative_to(self.folder, each)) is not None), None)
        is_above = any(relative_to(each, self.folder) is not None for each in self.folders)
        return self.base + (f"{own}/" if own else "") if own is not None else self.base if is_above else None

    def source(self, path: str) -> str | None:
        """Return the path of a file below the folder of contents, or of static files; None if it is not there."""
        full = os.path.normpath(os.path.join(self.folder, path))  # noqa: PTH118 -- a Path for each file costs more
        return next(filter(None, (relative_to(full, folder) for folder in self.folders)), None)

    def page(self, path: str, own: Mapping[str, str] = {}, paths: Container[str] = ()) -> str | None:
        """Return the path on the site of what is made of a file; `UNKNOWN`; or None if it is not published.

        `own`: what its front matter says (`own_urls`); `paths`: those of all files.
        """
        source, rules = self.source(path), PAGE_RULES[self.dialect]
        if source is None:
            return None
        *folders, name = source.split("/")
        ending = self.ending(name)
        stem, is_page = name.removesuffix(ending) if ending else name.rpartition(".")[0], ending is not None
        if own.get(rules.url) == "false":
            return None
        if rules.has_assets and not is_page and (index := self.index_above(path, paths)) is not None:
            above = posixpath.dirname(self.page(index, own, paths) or "")
            return posixpath.join(above, path[len(posixpath.dirname(index)) :].lstrip("/"))
        if rules.url in own:
            return self._page_in_front_matter(own[rules.url])
        if is_page and rules.has_posts and "_posts" in folders:
            return self._post(folders[: folders.index("_posts")], stem, own)
        if folders and folders[0][:1] == "_" and folders[0][1:] in self.collections:
            inside = [folders[0][1:], *folders[1:]]
            return self._in_collection(inside, stem) if is_page else "/".join((*inside, name))
        is_readme = stem.lower() == "readme" and rules.indexes.issuperset(("index", "readme"))
        if is_readme and f"{path[: -len(name)]}index.md" in paths:
            return None
        if any(each.startswith(rules.unpublished) for each in (*folders, name)):
            return None
        depth, is_leaf = self._indexed(path, paths) if rules.has_bundles else (0, False)
        if is_page:
            return None if is_leaf and stem.partition(".")[0] != "index" else self._page(folders, stem, own)
        renamed = max(0, depth + len(folders) - path.count("/")) if depth else 0
        return "/".join((*map(self._named, folders[:renamed]), *folders[renamed:], name))

    @staticmethod
    def index_above(path: str, paths: Container[str]) -> str | None:
        """Return the index below whose page a file is published; None if there is none, or it is a page itself."""
        above = posixpath.dirname(path)
        while above and not path.endswith(".md"):
            if f"{above}/index.md" in paths:
                return f"{above}/index.md"
            above = posixpath.dirname(above)
        return None

    def lost(self, path: str) -> str:
        """Return why nothing on the site is where a link to a source by its name leads; "" if that is not so.

        mdBook makes the index of a folder of its `README.md`, to which links lead as to `index.md`, and only so. What
        else changes the links of a book, is not known.
        """
        source, name = self.source(path), path.rpartition("/")[2]
        if source is None or self.listed is None or self.ending(name) is None or self.said.get("other"):
            return ""
        if source not in self.listed:
            return "" if source == self.rules.listing else f"{self.rules.listing} does not list it"
        is_readme = name.lower() == "readme.md"
        return f"its page is index.html, to which links lead as to {self.rules.also_index}" if is_readme else ""

    def ending(self, name: str) -> str | None:
        """Return the ending of the name of a source of which a page is made, with its dot; None: it is not one."""
        is_markdown = MediaType.by_extension(name) == MediaType.MARKDOWN
        found = (each for each in self.rules.templates if name.endswith(each))
        return f".{name.rpartition('.')[2]}" if is_markdown else next(found, None)

    def addresses(self, path: str, own: Mapping[str, str], paths: Container[str]) -> Iterator[str]:
        """Yield the paths below the folder to which a reference in a source may lead that is written for the page, its
        own first.

        Folders above the page that is linked to have their names on the disk, as far as the base of the source has.
        """
        source, made = self.source(path), self.page(path, own, paths)
        if source is None or not made:
            return
        names, folders = made.split("/"), source.split("/")[:-1]
        outside = source.count("/") - path.count("/")  # folders of contents above the checked folder
        before = path[: max(0, len(path) - len(source))]
        for number in range(len(names)):
            is_other = number > max(0, outside) and folders[number - 1] != names[number - 1]
            if number == max(0, outside) or is_other:
                yield before + "/".join((*folders[max(0, outside) : number], *names[number:]))
            if number >= len(folders) or self._named(folders[number]) != names[number]:
                break
        if before:
            yield made  # from the root of the site
        if self.rules.also_index and names[-1] == "index.html" and path.endswith(".md"):
            yield posixpath.join(posixpath.dirname(path), self.rules.also_index)
        if before and self.rules.has_root:
            yield from (source, made.removesuffix(".html"))
        if self.rules.at_contents:
            yield self.rules.at_contents + source

    def fallbacks(self, path: str, addresses: Sequence[str]) -> Iterator[str]:
        """Yield the paths at which other languages have the page of a file, if they lack it, as in Starlight.

        `addresses`: its own.
        """
        before, default = path.removesuffix(self.source(path) or ""), self.said["language"]
        for address in addresses if self.rules.has_fallbacks else ():
            place = before if address.startswith(before) else ""
            name = address.removeprefix(place)
            if default == "root" or name.startswith(f"{default}/"):
                yield from (f"{place}{each}/{name.removeprefix(f'{default}/')}" for each in self.languages)

    def former(self, path: str, own: Mapping[str, str], paths: Container[str], aliases: Sequence[str]) -> Iterator[str]:
        """Yield the paths below the folder that lead on to the page for a file: from the root, or from beside it."""
        made = self.page(path, own, paths) if aliases else None
        below = "" if self.below is None else self.below.removeprefix(self.base)
        for alias in aliases if made is not None else ():
            beside = posixpath.dirname(posixpath.dirname(made or ""))
            for whole in (alias,) if alias.startswith("/") else (alias, f"{beside}/{alias}"):
                address = self._page_in_front_matter(posixpath.normpath(whole) + "/" * whole.endswith("/"))
                if address.startswith(below):
                    yield address.removeprefix(below)

    @staticmethod
    def _indexed(path: str, paths: Container[str]) -> tuple[int, bool]:
        """Return how many folders of a path end in the nearest one with an index, and whether it is `index.md`."""
        above = path.split("/")[:-1]
        for depth in range(len(above), 0, -1):
            folder = "/".join(above[:depth])
            for name in ("index", "_index"):
                if f"{folder}/{name}.md" in paths:
                    return depth, name == "index"
        return 0, False

    def _page(self, folders: Sequence[str], stem: str, own: Mapping[str, str]) -> str | None:
        """Return the path of a page whose front matter does not say the whole of it."""
        rules = self.rules
        if self.said.get("defaults") or rules.unknown.search("/".join((*folders, stem))):
            return UNKNOWN
        above = [*map(self._named, folders)]
        name, dot, language = stem.rpartition(".")
        if dot and language in self.languages:
            above, stem = above if language == self.said["language"] else [language, *above], name
        key, folder = (each if rules.has_case else each.lower() for each in (stem, "".join(folders[-1:])))
        is_index = key in rules.indexes or (rules.by_folder and key == folder)
        if stem != "_index" and folders and self.said.get("permalinks"):
            return UNKNOWN  # permalinks among the defaults
        names = rules.slugged(NamedPage(above, "" if is_index else self._named(stem), stem, self._named), own)
        return _file("/".join(names), self.said["flat"] != "" and (rules.flat_index or not is_index))

    def _post(self, folders: Sequence[str], stem: str, own: Mapping[str, str]) -> str | None:
        """Return the path of a post (`_posts/2026-11-28-wind.md`), which is where the configuration says.

        By default it is at its date, unless its front matter has another, or categories.
        """
        dated, permalink = _POST(stem), self.collections.get("posts", self.said.get("permalink", ""))
        if dated is None:
            return None
        url = _PERMALINKS.get(permalink, permalink)
        if "date" in own or ("categor" in own and ":categories" in url):
            return UNKNOWN
        title = _NOT_IN_TITLE.sub("-", own.get("slug", dated["title"])).strip("-")
        return self._filled(url, {"categories": "/".join(folders), **dated.groupdict(), "title": title})

    def _in_collection(self, folders: Sequence[str], stem: str) -> str:
        """Return the path of a page in a collection, whose name is the first of the folders: `_guides/wind.md`."""
        values = {"collection": folders[0], "path": "/".join((*folders[1:], stem))}
        if _PLAIN_NAME(stem):
            values.update(title=stem, name=stem)
        return self._filled(self.collections[folders[0]], values)

    def _filled(self, permalink: str, values: Mapping[str, str]) -> str:
        """Return the path of a page by a permalink with variables."""
        for name, value in {**values, "output_ext": ".html"}.items():
            permalink = permalink.replace(f":{name}", value)
        return self._page_in_front_matter(permalink)

    def _page_in_front_matter(self, url: str) -> str:
        """Return the path of a page whose front matter says it; `UNKNOWN` if it has variables."""
        if ":" in url or "{" in url:
            return UNKNOWN
        path = re.sub("//+", "/", url).strip("/")
        if self.rules.names_file.search(path) and not url.endswith("/"):
            return path
        return _file(path, self.rules.flat_url and not url.endswith("/"))

    def _named(self, name: str) -> str:
        """Return the name that a folder or page has on the site."""
        return self.rules.named(name, self.said)


def url_of_page(page: str) -> str:
    """Return the path by which a page is linked to, from its own: that of its folder for an index."""
    return page.removesuffix("index.html") if f"/{page}".endswith("/index.html") else page


def _file(path: str, is_flat: bool) -> str:
    """Return the path of the file of a page."""
    return f"{path}.html" if is_flat and path else f"{path}/index.html".lstrip("/")
