"""Elements of SVG files (symbols, icons) that a page uses, put into the page.

1. Each element is put into a hidden `svg` at the end of the body, once, with those that it refers to. Ids get a prefix
   that the page does not have. A page whose last bytes may be in a comment, or in raw text, has no such place.
2. The styles of the file would apply to the whole page: short ones for a class become `style` attributes, others are
   left out. So are scripts and comments.
3. An element is not taken if it has anything but SVG in it (`foreignObject`), or refers to another file: that would be
   another one from the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

_SVG = "{http://www.w3.org/2000/svg}"
_HREFS = ("href", "{http://www.w3.org/1999/xlink}href")
_OPENS = b'<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" style="position:absolute;width:0;height:0">'
_END = 200
_NOT_BODY = b"script style textarea title select template iframe noscript plaintext xmp".split()
_LOCAL_URL = re.compile(r"(url\(\s*[\"']?#)").sub
_OURS = re.compile(r"#(rehref\d+-[^\"')\s]+)").findall
_RULE = re.compile(r"\.([\w-]+)\s*\{([^{}]{1,200})\}").findall
_MOST_CLASSES = 3
_END_OF_BODY = re.compile(rb"</body\s*>\s*(?:</html\s*>\s*)?\Z", re.IGNORECASE).search
_ELSEWHERE = re.compile(r"url\(\s*[\"']?(?!#|data:|[\"']?#)", re.IGNORECASE).search

Element: TypeAlias = Any
"""An element of lxml."""


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
        """Return the page with the elements that were taken (rule 1)."""
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
    """Return where something can be put at the end of the body; None if that is not known (rule 1)."""
    lower = page.lower()
    if b"srcdoc" in lower or lower.rfind(b"<!--") > lower.rfind(b"-->"):
        return None
    if any(lower.rfind(b"<" + name) > lower.rfind(b"</" + name) for name in _NOT_BODY):
        return None
    found = _END_OF_BODY(page[-_END:])
    if found is None:
        return None if is_xml else len(page)
    return max(len(page) - _END, 0) + found.start()


def _elements(data: bytes | None, prefix: str) -> Iterator[tuple[str, Element]]:
    """Yield the elements of an SVG file that have ids, under their new ids, ready for a page."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
    try:
        root = etree.fromstring(data or b"<svg/>", parser)
    except etree.XMLSyntaxError:
        return
    nodes = [] if root is None else list(root.iter("*"))
    styles = dict(_RULE("".join(node.text or "" for node in nodes if node.tag == f"{_SVG}style")))
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


def _stands_alone(element: Element) -> bool:
    """Return whether an element can be in another document (rule 3)."""
    for node in element.iter():
        if not isinstance(node.tag, str) or not node.tag.startswith(_SVG) or node.tag == f"{_SVG}foreignObject":
            return False
        if not node.get("href", "#").startswith(("#", "data:image/")) or any(map(_ELSEWHERE, node.values())):
            return False
    return True
