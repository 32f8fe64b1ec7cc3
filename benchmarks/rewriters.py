"""The candidates of `rewrite.py`: ways to make a page's references absolute, or to list them.

- A candidate that rewrites turns UTF-8 bytes into UTF-8 bytes, with code as short as in its library's documentation.
- Each library does what lxml's `make_links_absolute` does: it rewrites attributes with one reference. They leave out
  `srcset`, and CSS (except lxml); only "lolhtml, srcset too" rewrites everything that is compared. If a library can be
  used in several ways, this is the fastest one found.
- Libraries that are not installed are left out.
"""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Literal, TypeAlias
from urllib.parse import urljoin

import html5lib
import lxml.html

import rehref

Work: TypeAlias = Literal["rewrite", "links", "parse"]

ATTRIBUTES = {
    "href": ("a", "area", "link"),
    "src": ("img", "script", "iframe", "source", "video", "audio", "track", "embed", "input", "frame"),
    "action": ("form",),
    "formaction": ("button", "input"),
    "cite": ("blockquote", "q", "ins", "del"),
    "background": ("body", "table", "td", "th"),
    "longdesc": ("img", "iframe", "frame"),
    "data": ("object",),
}
"""The attributes to rewrite, for the libraries that need a list."""
SRCSETS = {"srcset": ("img", "source"), "imagesrcset": ("link",)}
IMAGE = re.compile(r"([\t\n\f\r ,]*)([^\t\n\f\r ]+?)(,+(?=[\t\n\f\r ]|$)|[\t\n\f\r ][^,]*|$)")
"""An image of a `srcset` (HTML Standard, "parse a srcset attribute"; without parentheses). Group 2 is its URL."""
PAIRS = frozenset((element, attribute) for attribute, elements in ATTRIBUTES.items() for element in elements)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A way to do the work. `run` takes a page and its URL; if it rewrites, it returns the new page."""

    name: str
    version: str
    work: Work
    run: Callable[[bytes, str], object]
    slow: bool = False
    """Whether it is so slow that it only gets a few pages."""


def ours() -> list[Candidate]:
    """rehref, with its cores."""

    def rewrite(data: bytes, url: str) -> bytes:
        return rehref.rewrite(data, url=url)

    def rewrite_by_lxml(data: bytes, url: str) -> bytes:
        return rehref.rewrite(data, url=url, parser="lxml")

    def links(data: bytes, url: str) -> list[rehref.Link]:
        return rehref.links(data, url=url)

    version = rehref.__version__
    return [
        Candidate("rehref.rewrite", version, "rewrite", rewrite),
        Candidate("rehref.rewrite, lxml core", version, "rewrite", rewrite_by_lxml),
        Candidate("rehref.links", version, "links", links),
    ]


def with_lxml() -> list[Candidate]:
    """lxml, with its own functions."""

    def rewrite(data: bytes, url: str) -> bytes:
        document: Any = lxml.html.document_fromstring(data)
        document.make_links_absolute(url)
        out: bytes = lxml.html.tostring(document, encoding="utf-8")
        return out

    def links(data: bytes, _url: str) -> list[object]:
        document: Any = lxml.html.document_fromstring(data)
        return list(document.iterlinks())

    version = metadata.version("lxml")
    return [
        Candidate("lxml make_links_absolute", version, "rewrite", rewrite),
        Candidate("lxml iterlinks", version, "links", links),
    ]


def with_lolhtml() -> list[Candidate]:
    """lol-html, a streaming rewriter, with a handler in Python for each attribute."""
    import lolhtml

    class Handler:
        """Makes one attribute absolute."""

        __slots__ = ("attribute", "url")

        def __init__(self, attribute: str, url: str) -> None:
            self.attribute = attribute
            self.url = url

        def new(self, value: str) -> str:
            return urljoin(self.url, value)

        def element(self, element: lolhtml.Element) -> None:
            value = element.get_attribute(self.attribute) or ""
            new = self.new(value)
            if new != value:
                element.set_attribute(self.attribute, new)

    class SrcsetHandler(Handler):
        """Makes all images of a srcset absolute."""

        __slots__ = ()

        def new(self, value: str) -> str:
            return IMAGE.sub(lambda image: f"{image[1]}{urljoin(self.url, image[2])}{image[3]}", value)

    def selectors(table: Mapping[str, tuple[str, ...]], handler: type[Handler]) -> list[tuple[str, str, type[Handler]]]:
        return [
            (", ".join(f"{element}[{attribute}]" for element in elements), attribute, handler)
            for attribute, elements in table.items()
        ]

    def rewriter(handlers: Sequence[tuple[str, str, type[Handler]]]) -> Callable[[bytes, str], bytes]:
        def rewrite(data: bytes, url: str) -> bytes:
            out = bytearray()
            streaming = lolhtml.HTMLRewriter(out.extend)
            for selector, attribute, handler in handlers:
                streaming.on(selector, handler(attribute, url))
            streaming.write(data)
            streaming.end()
            return bytes(out)

        return rewrite

    version, single = metadata.version("python-lolhtml"), selectors(ATTRIBUTES, Handler)
    return [
        Candidate("lolhtml + urljoin", version, "rewrite", rewriter(single)),
        Candidate("lolhtml, srcset too", version, "rewrite", rewriter(single + selectors(SRCSETS, SrcsetHandler))),
    ]


def with_beautifulsoup() -> list[Candidate]:
    """Beautiful Soup with lxml's parser, its fastest one."""
    from bs4 import BeautifulSoup

    def rewrite(data: bytes, url: str) -> bytes:
        soup = BeautifulSoup(data, "lxml")
        for attribute, elements in ATTRIBUTES.items():
            for element in soup.find_all(elements, attrs={attribute: True}):
                element[attribute] = urljoin(url, str(element[attribute]))
        return soup.encode("utf-8")

    return [Candidate("Beautiful Soup + urljoin", metadata.version("beautifulsoup4"), "rewrite", rewrite, slow=True)]


def with_html5lib() -> list[Candidate]:
    """html5lib, which parses as the HTML Standard says."""

    def rewrite(data: bytes, url: str) -> bytes:
        document = html5lib.parse(data, namespaceHTMLElements=False)
        for element in document.iter():
            for name in element.keys() & ATTRIBUTES.keys():
                if (element.tag, name) in PAIRS:
                    element.set(name, urljoin(url, element.get(name, "")))
        out: bytes = html5lib.serialize(document, encoding="utf-8", omit_optional_tags=False)
        return out

    return [Candidate("html5lib + urljoin", metadata.version("html5lib"), "rewrite", rewrite, slow=True)]


def with_selectolax() -> list[Candidate]:
    """The lexbor parser makes a tree, and nothing is done with it: the least time for any program that makes a tree."""
    from selectolax.lexbor import LexborHTMLParser

    def parse(data: bytes, _url: str) -> object:
        return LexborHTMLParser(data)

    return [Candidate("lexbor, parsing only", metadata.version("selectolax"), "parse", parse)]


def candidates() -> tuple[list[Candidate], list[str]]:
    """All candidates, rehref first; and the modules of libraries that are not installed."""
    found: list[Candidate] = []
    missing: list[str] = []
    for make in (ours, with_lxml, with_lolhtml, with_beautifulsoup, with_html5lib, with_selectolax):
        try:
            found += make()
        except ModuleNotFoundError as error:
            missing.append(error.name or make.__name__)
    return found, missing


def about() -> str:
    """The versions of Python and rehref."""
    return f"Python {platform.python_version()}"
