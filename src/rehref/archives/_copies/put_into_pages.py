"""What is put into a page that browsers load nothing of from a disk: modules, and elements of SVG files.

Each module is in an import map of the page once, as `data:` under its path in the copy, with all that it imports. In
it, specifiers of saved modules become those paths, and others absolute; they are found by a plain search, not by
reading the language. Each element of an SVG file (symbols, icons) is put into a hidden `svg` at the end of the body,
once, with those that it refers to; ids get a prefix that the page does not have.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias
from urllib.parse import quote, quote_from_bytes

from rehref.archives._copies.remaining import CopiedFile, scripts
from rehref.documents.media_types import MediaType
from rehref.documents.reading import read_page
from rehref.rewriting.offline_rule import comparable
from rehref.text import lower
from rehref.text.encoding import Source
from rehref.uri.resolver import Resolver

_COMMENT = rb"\s{0,99}(?:/\*[^*]{0,200}\*/\s{0,99})?"
_SPECIFIERS = re.compile(
    rb"""((?:\bfrom%b|\bimport\b%b(?:\(%b)?)(["'`]))((?:\.{0,2}/|https?:)[^"'`\\$\s]{0,2000})(?=\2)"""
    % ((_COMMENT,) * 3)
)
_SPECIFIER, _REPLACE = _SPECIFIERS.finditer, _SPECIFIERS.sub
_LEFT = re.compile(rb"""\bimport\.meta\b|\bimport\s{0,99}\(%b(?![\s"'/]|`[^`$]*`)""" % _COMMENT).search

_MOST = 2000  # how many specifiers a module may have
_MOST_STEPS = 20_000  # how many modules are looked at for a page, again for each script of it
_LARGEST = 16 << 20
_DYNAMIC = re.compile(rb"\bimport\s{0,99}\(").search
_SVG = "{http://www.w3.org/2000/svg}"
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_OPENS = b'<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" style="position:absolute;width:0;height:0">'
_LOCAL_URL = re.compile(r"(url\(\s*[\"']?#)").sub
_OURS = re.compile(r"#(rehref\d+-[^\"')\s]+)").findall
_RULE = re.compile(r"\.([\w-]+)\s*\{([^{}]{1,200})\}").findall
_MOST_CLASSES = 3
_ELSEWHERE = re.compile(r"url\(\s*[\"']?(?!#|data:|[\"']?#)", re.IGNORECASE).search

Element: TypeAlias = Any
"""An element of lxml."""


class Modules:
    """The modules of a page. `files`: all of the copy, by path; `read`: returns a file, or None.

    `working`: how many of its module scripts work from a disk.
    """

    def __init__(self, page: CopiedFile, files: Mapping[str, CopiedFile], read: Callable[[str], bytes | None]) -> None:
        self._page, self._files, self._read = page, files, read
        self._known: dict[str, tuple[bytes, dict[str, str]] | None] = {}
        self._imports: dict[str, str | None] = {}
        self._left, self._steps = _LARGEST, _MOST_STEPS
        self.working = 0

    def reference(self, attribute: str | None, path: str, attributes: Mapping[str, str]) -> str | None:
        """Return the reference to a module, in `src` or in an import map of the page; None if it stays."""
        if attribute is None:
            return self._as_data(path) if self._take(path) else None
        if attributes.get("type", "").strip().lower() != "module" or not self._take(path):
            return None
        self.working += 1
        return f"data:text/javascript,import{quote(json.dumps(_specifier(path)))}"

    def with_map(self, page: bytes) -> bytes:
        """The page with the import map at its beginning."""
        for type_, content in scripts(page):
            imported = self._imported(self._page, content) if type_ == "module" else {}
            if imported and all(map(self._take, imported.values())):
                self._imports.update({each: self._as_data(path) for each, path in imported.items()})
                self.working += 1
        if not self._imports:
            self.working = 0
            return page
        if any(module is not None and _DYNAMIC(module[0]) is not None for module in self._known.values()):
            self.working = 0
        text = json.dumps({"imports": self._imports}).replace("<", "\\u003c").replace("&", "\\u0026")
        new = read_page(Source.marked(page)).with_in_head(f'<script type="importmap">{text}</script>')
        assert isinstance(new, bytes)
        return new

    def _imported(self, file: CopiedFile, text: bytes) -> dict[str, str]:
        """Return the specifiers in the text of a file, each with the path that it leads to; "" if it is not saved."""
        found = {each[3].decode("utf-8", "replace") for each in _SPECIFIER(text)}
        resolve = Resolver(file.base, relative_base=True)
        return {each: file.find(comparable(resolve(each))) or "" for each in found}

    def _take(self, path: str) -> bool:
        """Put a module and all that it imports into the map; return whether that is possible."""
        seen, wanted = {path}, [path]
        while wanted:
            here = wanted.pop()
            self._steps -= 1
            if self._steps < 0:
                return False
            if _specifier(here) in self._imports:
                continue
            if here not in self._known:
                self._known[here] = self._module(here)
            module = self._known[here]
            if module is None:
                return False
            wanted += set(filter(None, module[1].values())) - seen
            seen.update(wanted)
        self._imports |= {
            _specifier(each): self._as_data(each) for each in seen if _specifier(each) not in self._imports
        }
        return True

    def _module(self, path: str) -> tuple[bytes, dict[str, str]] | None:
        """The text of a module, and what it imports; None for one that stays on the disk, and is counted.

        It asks for its URL (`import.meta`), imports what only running it would show, is not JavaScript, or is too
        large. The modules of a page that imports dynamically are in the map and counted too: such scripts load more
        than modules.
        """
        entry = self._files.get(path)
        text = self._read(path) if entry is not None and entry.media_type.endswith("javascript") else None
        if entry is None or text is None or _LEFT(text) is not None or len(_SPECIFIERS.findall(text)) > _MOST:
            return None
        return text, self._imported(entry, text)

    def _as_data(self, path: str) -> str | None:
        """Return a module as `data:`; None, which loads nothing in an import map, if the map would be too large."""
        text, imported = self._known[path] or (b"", {})
        if self._left < 0:
            return None

        resolve = Resolver(self._files[path].base, relative_base=True)

        def written(found: re.Match[bytes]) -> bytes:
            specifier = found[3].decode("utf-8", "replace")
            return found[1] + (_specifier(imported[specifier]) or resolve(specifier)).encode()

        data = f"data:text/javascript;base64,{b64encode(_REPLACE(written, text)).decode()}"
        self._left -= len(data)
        return data


def _specifier(path: str) -> str:
    """Return the specifier of a module: its path, which may be any text, without quotes or backslashes."""
    return quote_from_bytes(os.fsencode(path))


class Sprites:
    """The elements of SVG files that a page uses. `read`: returns a file, or None."""

    def __init__(self, page: bytes, read: Callable[[str], bytes | None], *, is_xml: bool) -> None:
        self._page, self._read = page, read
        self._end = _end_of_body(page, is_xml=is_xml)
        self._prefixes: dict[str, str] = {}
        self._known: dict[str, Element] = {}
        self._taken: dict[str, Element] = {}

    def take(self, path: str, name: str) -> str | None:
        """Return the reference to an element of a file, which is put into the page; None if it cannot be."""
        if self._end is None:
            return None
        if path not in self._prefixes:
            number = len(self._prefixes) + 1
            while b"rehref%d-" % number in self._page:
                number += 1000
            self._prefixes[path] = f"rehref{number}-"
            self._known.update(_elements(self._read(path), self._prefixes[path]))
        name = self._prefixes[path] + name
        wanted = [name]
        while wanted:
            found = wanted.pop()
            if found in self._known and found not in self._taken:
                self._taken[found] = self._known[found]
                values = (value for inner in self._known[found].iter("*") for value in inner.values())
                wanted += (each for value in values for each in _OURS(value))
        return f"#{name}" if name in self._taken else None

    def into(self, page: bytes) -> bytes:
        """The page with the elements that were taken."""
        from lxml import etree

        nodes = set(self._taken.values())
        outermost = [node for node in self._taken.values() if nodes.isdisjoint(node.iterancestors())]
        if not outermost:
            return page
        assert self._end is not None
        end = len(page) - (len(self._page) - self._end)  # what is behind it has not changed
        return b"".join(
            (page[:end], _OPENS, *(etree.tostring(node, with_tail=False) for node in outermost), b"</svg>", page[end:])
        )


def _end_of_body(page: bytes, *, is_xml: bool) -> int | None:
    """Where something can be put at the end of the body; None if that is not known.

    Its last bytes may be in a comment, or in raw text.
    """
    source = Source.marked(page)
    if source.encoding != "utf-8":
        return None
    return read_page(source, is_xml=is_xml).end_of_body(_OPENS.decode(), "aria-hidden")


def _elements(data: bytes | None, prefix: str) -> Iterator[tuple[str, Element]]:
    """Yield the elements of an SVG file that have ids, under their new ids, ready for a page.

    The styles of the file would apply to the whole page: short ones for a class become `style` attributes, others are
    left out. So are scripts and comments.
    """
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(data or b"<svg/>", parser)
    except etree.XMLSyntaxError:
        return
    nodes = [] if root is None else list(root.iter("*"))
    styles = dict(_RULE("".join(node.text or "" for node in nodes if _is_style_sheet(node))))
    for node in nodes:
        own = [styles[name] for name in node.get("class", "").split()[:_MOST_CLASSES] if name in styles]
        if own:
            node.set("style", ";".join([*own, node.get("style", "")]))
        for name, value in node.items():
            del node.attrib[name]
            if name in _HREFS:
                node.set("href", f"#{prefix}{value[1:]}" if value.startswith("#") else value)
            elif not name.startswith("on"):
                node.set(name, prefix + value if name == "id" else _LOCAL_URL(rf"\1{prefix}", value))
    if root is not None:
        etree.strip_elements(root, f"{_SVG}script", f"{_SVG}style", with_tail=False)
        etree.strip_tags(root, etree.Comment, etree.PI)
        yield from ((node.get("id", ""), node) for node in root.iter("*") if node.get("id") and _stands_alone(node))


def _is_style_sheet(element: Element) -> bool:
    """Return whether an element is a style sheet in CSS (SVG 2, "the style element")."""
    return element.tag == f"{_SVG}style" and MediaType(lower(element.get("type") or MediaType.CSS)).reader == "css"


def _stands_alone(element: Element) -> bool:
    """Whether an element can be in another document.

    It cannot with anything but SVG in it (`foreignObject`), or with references to another file, which would be another
    one from the page.
    """
    for node in element.iter():
        if not isinstance(node.tag, str) or not node.tag.startswith(_SVG) or node.tag == f"{_SVG}foreignObject":
            return False
        if not node.get("href", "#").startswith(("#", "data:image/")) or any(map(_ELSEWHERE, node.values())):
            return False
    return True
