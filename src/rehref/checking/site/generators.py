"""The page that a generator makes from a source, by its path, its front matter, and the configuration.

1. The dialect names the generator. What decides paths in its configuration is read as text; what themes and plugins
   decide is not known. Only what is below its folders of contents and of static files is published.
2. MkDocs makes `guide/index.html` of `guide.md`, and the index of a folder of its `index.md`, or else of its
   `README.md`. Jekyll makes `guide.html`. The configuration may say otherwise, for Hugo too.
3. Hugo: the index of a folder is its `_index.md`, or its `index.md`, with which no other page is below the folder.
   Names of folders and pages lose all but letters, digits and a few signs, a space becomes a hyphen, capitals are
   lowered (`UnicodeSanitize` in its `helpers/path.go`). Other files keep their names, and the folders below the nearest
   index theirs. `url` in front matter is the whole path, `slug` the last name, except in `_index.md`. `a.fr.md` is in
   `fr/`, if the configuration has that language.
4. Docusaurus: numbers before names go (of `01-intro.md`, not of `2026-11-28.md`); a page with the name of its folder is
   the index; `slug` or `id` in front matter is the last name, `slug: /a` the path below `docs`. Blogs are not known.
5. Jekyll: `permalink` in front matter is the whole path. `_posts/2026-11-28-wind.md` is where the configuration says,
   by default at its date, unless its front matter has another, or categories. With other variables in a permalink, the
   page is not known; nor are those in folders, where Hugo's configuration has permalinks.
"""

from __future__ import annotations

import os
import posixpath
import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

from rehref.documents.media_types import MARKDOWN_TYPE, type_of_name
from rehref.files.file_errors import FileError
from rehref.files.inside_folder import read_within, relative_to


class _Rules(NamedTuple):
    """The rules of a generator. `folders`: of contents and of static files, the first that has a file counts; `key`:
    names another folder in the configuration in place of the first; `flat`: what says there that pages are files;
    `indexes`: names of the index of a folder; `unpublished`: how names begin that are not published; `url`: the key of
    a whole path in front matter.
    """

    folders: tuple[str, ...]
    key: str
    flat: str
    indexes: frozenset[str] = frozenset({"index", "readme"})
    unpublished: tuple[str, ...] = (".",)
    url: str = ""


_RULES: Final[Mapping[str, _Rules]] = MappingProxyType(
    {
        "mkdocs": _Rules(("docs",), "docs_dir", r"^use_directory_urls:[ ]*false"),
        "hugo": _Rules(
            ("content", "static"), "contentDir", r"^uglyURLs\s*[=:]\s*true", frozenset({"index", "_index"}), url="url"
        ),
        "jekyll": _Rules(
            (".",),
            "source",
            r"\A(?!(?:.*\n)*?permalink:[ ]*[\"']?(?:pretty|/.*/[\"']?\s*$))",
            unpublished=(".", "_"),
            url="permalink",
        ),
        "docusaurus": _Rules(("src/pages", "static", "."), "(?!)", "(?!)", unpublished=(".", "_")),
    }
)
_SAYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "permalinks": r"\[?permalinks\b",
        "permalink": r"permalink:[ ]*[\"']?([^\"'#\s]+)",
        "has_plain_letters": r"removePathAccents\s*[=:]\s*true",
        "has_capitals": r"disablePathToLower\s*[=:]\s*true",
        "language": r"defaultContentLanguage\s*[=:]\s*[\"']?([\w-]+)",
    }
)
"""What configurations say, each as an expression for the beginning of a line."""
_FRONT = re.compile(rb"(?:\xef\xbb\xbf)?(---|\+\+\+)[ \t]*\r?\n.*?^\1[ \t]*\r?$", re.DOTALL | re.MULTILINE).match
_OWN = re.compile(
    rb"""^(url|permalink|slug|id|date|categor)(?:y|ies)?[ \t]*[:=][ \t]*(?:"([^"\r\n]+)|'([^'\r\n]+)|([^"'#\r\n]*))""",
    re.MULTILINE,
)
_LANGUAGE = re.compile(r"^\s*\[languages\.([\w-]+)\]|^[ \t]+([a-z]{2,3}(?:-\w+)?):[ \t]*$", re.MULTILINE)
_NUMBER = re.compile(r"^(?!\d+[-_.]\d)\d+\s*[-_.]+\s*(?=[^-_.\s])")
_POST = re.compile(r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)-(?P<title>.+)").fullmatch
_PERMALINKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "": "/:categories/:year/:month/:day/:title:output_ext",
        "date": "/:categories/:year/:month/:day/:title:output_ext",
        "pretty": "/:categories/:year/:month/:day/:title/",
        "none": "/:categories/:title:output_ext",
    }
)
_BARE_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_NOT_IN_TITLE = re.compile(r"[^\w.~!$&'()+,;=@]+")


def front_matter_of(data: bytes) -> bytes:
    """Return the front matter of a source, with its delimiters; nothing if it has none."""
    found = _FRONT(data)
    return b"" if found is None else found[0]


def own_urls(data: bytes) -> Mapping[str, str]:
    """Return what the front matter of a source says of its URL, by the keys."""
    found = _OWN.findall(front_matter_of(data))
    values = ((key.decode(), (a or b or c).decode("utf-8", "replace").strip()) for key, a, b, c in found)
    return {key: value for key, value in values if value}


class Generator(NamedTuple):
    """The generator of a folder. `folders`: of contents, and of static files, on the disk; `configuration`: its file,
    or the folder, if it has none; `text`: of that file; `said`: what is in it (`_SAYS`); `languages`: those in it.
    """

    dialect: str
    folder: str
    folders: tuple[str, ...]
    configuration: Path
    text: str
    said: Mapping[str, str]
    languages: frozenset[str]

    def source(self, path: str) -> str | None:
        """Return the path of a file below the folder of contents, or of static files; None if it is not there."""
        full = os.path.normpath(os.path.join(self.folder, path))  # noqa: PTH118 -- a Path for each file costs more
        return next(filter(None, (relative_to(full, folder) for folder in self.folders)), None)

    def page(self, path: str, own: Mapping[str, str] = {}, paths: Container[str] = ()) -> str | None:
        """Return the path on the site of what is made of a file; None if it is not published, or that is not known.

        `own`: what its front matter says (`own_urls`); `paths`: those of all files.
        """
        source, rules = self.source(path), _RULES[self.dialect]
        if source is None:
            return None
        *folders, name = source.split("/")
        stem, is_page = name.rpartition(".")[0], type_of_name(name) == MARKDOWN_TYPE
        if is_page and rules.url in own:
            return self._stated(own[rules.url])
        if is_page and self.dialect == "jekyll" and "_posts" in folders:
            return self._post(folders[: folders.index("_posts")], stem, own)
        is_readme = self.dialect != "hugo" and stem.lower() == "readme"
        if is_readme and f"{path[: -len(name)]}index.md" in paths:
            return None
        if any(each.startswith(rules.unpublished) for each in (*folders, name)):
            return None
        depth, is_leaf = self._indexed(path, paths) if self.dialect == "hugo" else (0, False)
        if is_page:
            return None if is_leaf and stem.partition(".")[0] != "index" else self._page(folders, stem, own)
        renamed = max(0, depth + len(folders) - path.count("/")) if depth else 0
        return "/".join((*map(self._named, folders[:renamed]), *folders[renamed:], name))

    def addresses(self, path: str, own: Mapping[str, str], paths: Container[str]) -> Iterator[str]:
        """Yield the paths below the folder to which a reference in a source may lead that is written for the page.

        Folders above the page that is linked to have their names on the disk, as far as the base of the source has.
        """
        source, made = self.source(path), self.page(path, own, paths)
        if source is None or made is None:
            return
        names, folders = made.split("/"), source.split("/")[:-1]
        outside = source.count("/") - path.count("/")  # folders of contents above the checked folder
        before = path[: max(0, len(path) - len(source))]
        for number in range(len(names)):
            is_other = number > max(0, outside) and folders[number - 1] != names[number - 1]
            if number == max(0, outside) or is_other:
                yield before + "/".join((*folders[max(0, outside) : number], *names[number:]))
            if number >= len(folders) or self._named(folders[number]) != names[number]:
                return

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
        if self.dialect == "docusaurus":
            return None if folders[:1] == ["blog"] else self._docusaurus(folders, stem, own)
        above = [*map(self._named, folders)]
        is_hugo = self.dialect == "hugo"
        name, dot, language = stem.rpartition(".")
        if is_hugo and dot and language in self.languages:
            above, stem = above if language == self.said["language"] else [language, *above], name
        is_index = (stem if is_hugo else stem.lower()) in _RULES[self.dialect].indexes
        names = above if is_index else [*above, self._named(stem)]
        if is_hugo and stem != "_index":
            if folders and self.said["permalinks"]:
                return None  # rule 5
            names = [*names[:-1], self._named(own["slug"])] if "slug" in own else names
        return _file("/".join(names), self.said["flat"] != "" and (is_hugo or not is_index))

    def _docusaurus(self, folders: Sequence[str], stem: str, own: Mapping[str, str]) -> str:
        above = [*map(self._named, folders)]
        is_index = stem.lower() in (*_RULES["docusaurus"].indexes, "".join(folders[-1:]).lower())
        name = own.get("slug", "" if is_index else own.get("id", self._named(stem)))
        below = above[:1] if name.startswith("/") else above
        return _file(posixpath.normpath("/".join((*below, name.strip("/")))).lstrip("."), False)

    def _post(self, folders: Sequence[str], stem: str, own: Mapping[str, str]) -> str | None:
        """Return the path of a post (rule 5)."""
        dated, permalink = _POST(stem), self.said["permalink"]
        if dated is None or {"date", "categor"} & set(own):
            return None
        title = _NOT_IN_TITLE.sub("-", own.get("slug", dated["title"])).strip("-")
        values = {"categories": "/".join(folders), **dated.groupdict(), "title": title, "output_ext": ".html"}
        url = _PERMALINKS.get(permalink, permalink)
        for name, value in values.items():
            url = url.replace(f":{name}", value)
        return self._stated(url)

    def _stated(self, url: str) -> str | None:
        """Return the path of a page whose front matter says it; None if it has variables."""
        if ":" in url or "{" in url:
            return None
        path = re.sub("//+", "/", url).strip("/")
        if posixpath.splitext(path)[1] and not url.endswith("/"):
            return path
        return _file(path, self.dialect == "jekyll" and not url.endswith("/"))

    def _named(self, name: str) -> str:
        """Return the name that a folder or page has on the site (rules 3, 4)."""
        if self.dialect == "docusaurus":
            return _NUMBER.sub("", name)
        if self.dialect != "hugo":
            return name
        if self.said["has_plain_letters"]:
            plain = unicodedata.normalize("NFD", name)
            name = unicodedata.normalize("NFC", "".join(each for each in plain if unicodedata.category(each) != "Mn"))
        kept = re.sub(r" *- *| +", "-", "".join(map(_kept, _BARE_PERCENT.sub("", name))))
        return kept if self.said["has_capitals"] else "".join(each.lower()[:1] for each in kept)  # Go: one for one


def _said(key: str, text: str) -> str:
    """Return what a configuration says, by an expression for the beginning of a line; "" if nothing."""
    found = re.search(rf"^{key}", text, re.MULTILINE)
    return "" if found is None else found[found.lastindex or 0] or "yes"


def _file(path: str, is_flat: bool) -> str:
    """Return the path of the file of a page."""
    return f"{path}.html" if is_flat and path else f"{path}/index.html".lstrip("/")


def _kept(each: str) -> str:
    """Return what Hugo keeps of a character (rule 3): a space of white space."""
    is_kept = each in "./_#+~-@%" or unicodedata.category(each)[0] in "LNM"
    return each if is_kept else " " * each.isspace()


def generator_of(folder: Path, dialect: str | None, configuration: Path | None) -> Generator | None:
    """Return the generator of a folder with sources in a dialect; None if that is not one of a generator."""
    rules = _RULES.get(dialect or "")
    if rules is None or dialect is None:
        return None
    top = folder.absolute() if configuration is None else configuration.parent
    try:
        text = (b"" if configuration is None else read_within(top, configuration) or b"").decode("utf-8", "replace")
    except FileError:
        text = ""  # what it says is not known
    contents = _said(rf"{rules.key}[ \t]*[:=][ \t]*[\"']?([^\"'#\r\n]*[^\"'#\s])", text) or rules.folders[0]
    folders = tuple(os.path.normpath(top / each) for each in (contents, *rules.folders[1:]))
    said = {name: _said(key, text) for name, key in {**_SAYS, "flat": rules.flat}.items()}
    said["language"] = said["language"] or "en"
    found = _LANGUAGE.findall(text) if "languages" in text else ()
    languages = frozenset({said["language"], *(one or other for one, other in found)})
    return Generator(dialect, os.path.normpath(folder.absolute()), folders, configuration or top, text, said, languages)
