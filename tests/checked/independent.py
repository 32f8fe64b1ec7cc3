"""A checker of links that shares nothing with rehref: slow, and simple enough to be believed.

- Trees are made by lxml (SVG; HTML too, if there is much of it), html5lib and tinycss2 (CSS), references resolved by
  `urllib.parse.urljoin`, and files looked for with `os.path`.
- A page's base is the first `base` with an `href`, resolved against the page. What is in a `template` is no base, and
  defines nothing.
- Each element's references are in `ATTRIBUTES`; besides, there are `srcset`, `meta` refresh, and style.
- A reference is broken if its file is not there: a folder needs an `index.html`, and a symbolic link must not lead out
  of the site. So is one whose fragment names nothing in an HTML page or SVG: no `id`, and no `name` of an `a`; in a
  source page of rustdoc a fragment may also be two ids with a hyphen between them. Where a page refreshes at once, and
  has a script that says `location.hash`, a fragment may be one of the page it leads to.
- The folder is the root of a host. Links to other hosts are not followed; `file:` URLs, and those of no host, are
  broken.
- What is in a `template`, a `link` without `rel`, and what forms are sent to, is not looked at.
"""

# os.path is wanted here
# ruff: noqa: PTH112, PTH113, PTH118

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

import html5lib
import tinycss2  # type: ignore[import-untyped]
from lxml import etree

HTML_NAMES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz")
LINK_NAMES = (*HTML_NAMES, ".svg", ".css", ".hbs")  # templates, which begin as HTML does
ATTRIBUTES = {
    "href": {"a", "area", "link", "use", "image"},
    "src": {"img", "script", "iframe", "frame", "embed", "source", "track", "audio", "video", "input"},
    "cite": {"blockquote", "q", "ins", "del"},
    "background": {"body", "table", "td"},
    "longdesc": {"img"},
    "poster": {"video"},
    "data": {"object"},
}
HOST = "site.invalid"
XLINK = "{http://www.w3.org/1999/xlink}href"
SVG_LINKS = frozenset({"a", "use", "image", "feImage", "linearGradient", "radialGradient", "pattern", "textPath"})

Reference = tuple[str, str]
"""The document, as its path below the folder, and the reference without white space around it."""


class Page(NamedTuple):
    """What a document says."""

    base: str
    references: frozenset[str]
    names: frozenset[str]
    is_rustdoc: bool = False
    moved: str | None = None
    """Where a script leads browsers, with the fragment."""


class Checker:
    """Checks the links of a folder."""

    def __init__(self, folder: Path, *, fast: bool = False) -> None:
        """`fast`: whether HTML is read by lxml, which is not as conformant as html5lib, but thirty times as fast."""
        self.fast = fast
        self.folder = os.path.realpath(folder)
        self.uri = f"http://{HOST}/"
        self.read = lru_cache(maxsize=None)(self._read)

    def documents(self) -> list[str]:
        """The paths of all documents."""
        found = []
        for where, _, names in os.walk(self.folder):
            inside = os.path.relpath(where, self.folder)
            for name in names:
                path = os.path.normpath(os.path.join(inside, name))
                if name.lower().endswith(LINK_NAMES) and self.is_file(path):
                    found.append(path)
        return sorted(found)

    def broken(self, documents: Iterable[str]) -> set[Reference]:
        """The broken links of some documents."""
        found = set()
        for document in documents:
            page = self.read(document)
            for reference in page.references:
                if self.is_broken(document, page, reference):
                    found.add((document, reference))
        return found

    def is_broken(self, document: str, page: Page, reference: str) -> bool:
        """Whether a reference leads to nothing."""
        try:
            uri, fragment = urldefrag(urljoin(page.base, reference))
            parts = urlsplit(uri)
        except ValueError:
            return False
        if parts.scheme == "file" or (parts.scheme in ("http", "https") and parts.netloc == ""):
            return True
        if parts.netloc != HOST:
            return False
        path = unquote(parts.path)
        target = self.file(os.path.normpath(path.lstrip("/")), is_folder=path.endswith("/"))
        if target is None:
            return True
        return not self.is_named(target, fragment.partition(":~:")[0])

    def is_named(self, target: str, fragment: str) -> bool:
        """Whether a fragment names something in a file."""
        if fragment == "" or unquote(fragment).lower() == "top" or not target.lower().endswith((*HTML_NAMES, ".svg")):
            return True
        page = self.read(target)
        if fragment in page.names or unquote(fragment) in page.names:
            return True
        if page.is_rustdoc and re.fullmatch(r"\d+-\d+", fragment):
            return page.names.issuperset(fragment.split("-"))
        if page.moved is None:
            return False
        moved = unquote(urlsplit(urljoin(page.base, page.moved)).path).lstrip("/")
        return moved == target or not self.is_file(moved) or self.is_named(moved, fragment)

    def file(self, path: str, *, is_folder: bool) -> str | None:
        """The file for a path."""
        if os.path.isdir(os.path.join(self.folder, path)):
            path = os.path.normpath(os.path.join(path, "index.html"))
        elif is_folder:
            return None
        return path if self.is_file(path) else None

    def is_file(self, path: str) -> bool:
        """Whether there is a file, in the folder."""
        real = os.path.realpath(os.path.join(self.folder, path))
        return os.path.isfile(real) and real.startswith(self.folder + "/")

    def _read(self, document: str) -> Page:
        data = Path(self.folder, document).read_bytes()
        if document.endswith(".gz"):
            data = gzip.decompress(data)
        uri = self.uri + quote(document)
        if document.endswith(".css"):
            return Page(uri, frozenset(filter(_is_no_name, _in_css(data.decode("utf-8", "replace")))), frozenset())
        if document.endswith(".svg"):
            root = etree.fromstring(data, etree.XMLParser(recover=True, resolve_entities=False, huge_tree=True))
        elif self.fast:
            root = etree.fromstring(data, etree.HTMLParser(encoding="utf-8", huge_tree=True))
        else:
            root = html5lib.parse(data, treebuilder="lxml", namespaceHTMLElements=False).getroot()
        if root is None:
            return Page(uri, frozenset(), frozenset())
        inert = {each for template in root.iter("template") for each in template.iterdescendants()}
        bases = [
            each.get("href", "").strip() for each in root.iter("base") if "href" in each.attrib and each not in inert
        ]
        base = urljoin(uri, bases[0]) if bases else uri
        references: set[str] = set()
        names: set[str] = set()
        for element in root.iter(etree.Element):
            if element not in inert:
                references.update(each.strip() for each in _references(element))
                names.update(_names(element))
        return Page(base, frozenset(references), frozenset(names), _is_rustdoc(root), _moved(root))


def _is_rustdoc(root: Any) -> bool:
    """Whether rustdoc has made a page."""
    return any(each.get("name") == "generator" and each.get("content") == "rustdoc" for each in root.iter("meta"))


def _moved(root: Any) -> str | None:
    """Where a page leads browsers with the fragment that it was asked for with."""
    if not any("location.hash" in (each.text or "") for each in root.iter("script")):
        return None
    found = (re.match(r"0;\s*url=(.*)", each.get("content") or "", re.I) for each in root.iter("meta"))
    return next((each[1] for each in found if each is not None), None)


def _names(element: Any) -> Iterator[str]:
    """What fragments can name of an element."""
    if element.get("id"):
        yield element.get("id")
    if element.tag == "a" and element.get("name"):
        yield element.get("name")


def _references(element: Any) -> Iterator[str]:
    """The references of an element."""
    tag = etree.QName(element).localname
    if tag == "link" and "rel" not in element.attrib:
        return
    for name, value in element.items():
        is_of_html = tag in ATTRIBUTES.get(name, ()) and (value.strip() or tag == "a")
        if is_of_html or (name in (XLINK, "xlink:href", "href") and tag in SVG_LINKS):
            yield value
        elif name in ("srcset", "imagesrcset"):
            yield from _in_srcset(value)
        elif name == "style":
            yield from filter(_is_no_name, _in_css(value))
    if tag == "style" and element.text:
        yield from filter(_is_no_name, _in_css(element.text))
    if tag == "meta" and (element.get("http-equiv") or "").lower() == "refresh":
        found = re.match(
            r"\s*[\d.]+\s*[;,\s]\s*url\s*=\s*(['\"]?)(.*?)\1\s*$", element.get("content") or "", re.I | re.S
        )
        if found is not None:
            yield found[2]


def _is_no_name(reference: str) -> bool:
    return not reference.startswith("#")  # in CSS, these are elements of the document


def _in_srcset(value: str) -> Iterator[str]:
    """The URLs of a srcset."""
    for found in re.finditer(r"[\s,]*(\S*[^\s,])(?:,|\s[^,]*|$)", value):
        yield found[1]


def _in_css(text: str) -> Iterator[str]:
    """The URLs in a style sheet, or in a style attribute."""
    waiting = tinycss2.parse_component_value_list(text, skip_comments=True)
    waiting.reverse()
    is_import = False
    while waiting:
        token = waiting.pop()
        if token.type == "url":
            yield token.value
        elif token.type == "function" and token.lower_name in ("url", "src"):
            yield from (each.value for each in token.arguments if each.type == "string")
        elif token.type == "function" and token.lower_name in ("image-set", "-webkit-image-set"):
            yield from (each.value for each in token.arguments if each.type == "string")
            waiting += reversed(token.arguments)
        elif token.type == "string" and is_import:
            yield token.value
        elif token.type == "function":
            waiting += reversed(token.arguments)
        elif token.type in ("{} block", "() block", "[] block"):
            waiting += reversed(token.content)
        if token.type != "whitespace":
            is_import = token.type == "at-keyword" and token.lower_value == "import"
