"""The `html5lib` core: the tree the HTML Standard describes, as html5lib builds it. Slow, and without positions.

1. The content of a `noscript` is markup, unless scripts run: then it is text, and written as it is.
2. Elements nested deeper than 512 are put beside each other, as Chromium does; without that bound the time html5lib
   takes would grow with the square of the depth.
3. A document that is written anew keeps its document type and its encoding.
4. An element that tree construction copies (`<a>` around two paragraphs) has places in each copy. Of several `base`
   elements the first in the tree counts from the beginning, for a `srcdoc` too.
5. html5lib reads foreign elements with the names of table parts (`<svg><td>`) as those, and may fail on an assertion
   because of that. Then the source is read again with these names disguised.

html5lib 1.1 is older than today's Standard. It treats a `template` like any other element (its content is recognized by
its ancestors), drops in `select` most elements that are now kept, makes a form of `isindex`, leaves `</p>` and `</br>`
in foreign content, lets an HTML end tag close a foreign element of that name, and does not know elements as late as
`search`. Its own work is not linear everywhere: it grows with the square of the number of attributes on one element,
and of the number of special characters (`&`, `<`, NUL) in one piece of text once there are hundreds of thousands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from xml.etree import ElementTree

import html5lib

from rehref.parsers.contract import HTML, IN_BODY, IN_TEMPLATE, Parsed, Wanted
from rehref.parsers.html_serializer import RAW_TEXT, Dialect, doctype, serialize
from rehref.parsers.tree import NewValues, TreeParsed, document_text, gather, restore
from rehref.text.source import Source

_DEEPEST = 512
_MISTAKEN = frozenset(
    {"html", "table", "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr",
    "td", "th", "select", "frameset", "head", "body"}
)  # fmt: skip
_DISGUISE = "\0"  # no name from a document ends so
_DOCTYPE = "<!DOCTYPE>"  # the tag html5lib gives the document type in an ElementTree
_FLAGS = {"template": IN_TEMPLATE, "body": IN_BODY}
"""The flags of everything in an HTML element; of `IN_BODY`, only a `base` keeps it."""
_PREFIXES = {
    "http://www.w3.org/1999/xlink": "xlink:",
    "http://www.w3.org/XML/1998/namespace": "xml:",
    "http://www.w3.org/2000/xmlns/": "xmlns:",
}


@dataclass(frozen=True, slots=True)
class Html5libCore:
    """See `rehref.parsers.contract.Core`."""

    name: str = "html5lib"
    summary: str = "the HTML Standard's tree: slow, writes the whole document anew; knows no positions"

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        """Read the source into a tree."""
        text = document_text(source)
        scripting = wanted.scripting
        try:
            document = html5lib.HTMLParser(tree=_builder()).parse(text, scripting=scripting)
        except (AssertionError, AttributeError, LookupError):
            document = html5lib.HTMLParser(tree=_builder(disguise=True)).parse(text, scripting=scripting)
        found = gather(_nodes(document), wanted, _attributes, _text)
        dialect = Dialect(_element, _qualified, RAW_TEXT | {"noscript"} if scripting else RAW_TEXT)

        def write(values: NewValues) -> bytes | str:
            changes: dict[Any, dict[str | None, str | None]] = {}
            for number, value in values.items():
                _, _, attribute, _, _, _, tag, _ = found.places[number]
                changes.setdefault(found.elements[tag], {})[attribute] = value
            return restore(source, serialize(_top(document), dialect, changes))

        return TreeParsed(source, found.places, found.lines, write)


CORE = Html5libCore()


@cache
def _builder(*, disguise: bool = False) -> type[Any]:
    """Return html5lib's ElementTree builder with a bound on depth and, on request, the disguise of rule 5."""
    full: Any = html5lib.getTreeBuilder("etree", implementation=ElementTree, fullTree=True)

    class Builder(full):  # type: ignore[misc]  # it has no type
        """Extended as html5lib intends: by overriding."""

        def insertElementNormal(self, token: Any) -> Any:  # noqa: N802
            if len(self.openElements) >= _DEEPEST:
                self.openElements.pop()
            if disguise and token["name"] in _MISTAKEN and token.get("namespace", HTML) != HTML:
                token = {**token, "name": token["name"] + _DISGUISE}
            return super().insertElementNormal(token)

    return Builder


def _nodes(document: Any) -> Iterator[tuple[Any, str, str, int]]:
    """Yield all elements and conditional comments in tree order, each with its name, namespace and flags."""
    stack = [(iter(document), 0)]
    while stack:
        children, around = stack[-1]
        for node in children:
            if not isinstance(node.tag, str):
                if (node.text or "").startswith("[if"):
                    yield node, "#comment", HTML, around & IN_TEMPLATE
                continue
            if node.tag == _DOCTYPE:
                continue
            namespace, name = _split(node.tag)
            html = namespace == HTML
            in_body = around == IN_BODY and html and name == "base"
            yield node, name, namespace, IN_BODY if in_body else around & IN_TEMPLATE
            stack.append((iter(node), around | _FLAGS.get(name, 0) if html else around))
            break
        else:
            stack.pop()


def _split(tag: str) -> tuple[str, str]:
    """Split `{namespace}name`."""
    namespace, _, name = tag[1:].partition("}")
    return namespace, name.removesuffix(_DISGUISE)


def _qualified(key: str) -> str:
    """Return an attribute's qualified name from its name in the tree."""
    if not key.startswith("{"):
        return key
    namespace, name = _split(key)
    prefix = _PREFIXES.get(namespace)
    if prefix is None:
        return key  # an unusual attribute in HTML
    return name if (prefix, name) == ("xmlns:", "xmlns") else prefix + name


def _attributes(element: Any) -> list[tuple[str, str]]:
    return [(_qualified(key), value) for key, value in element.items()]


def _text(element: Any) -> str:
    return "".join((element.text or "", *(child.tail or "" for child in element)))


def _top(document: Any) -> Iterator[Any]:
    """Yield the parts of a document."""
    for node in document:
        if node.tag == _DOCTYPE:
            yield doctype(node.text or "", node.get("publicId"), node.get("systemId"))
        else:
            yield node


def _element(tag: str) -> tuple[str, bool]:
    namespace, name = _split(tag)
    return name, namespace == HTML
