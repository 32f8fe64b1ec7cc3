"""The `html5lib` core: the tree the HTML Standard describes, as html5lib builds it. Slow, and without positions.

html5lib 1.1 is older than today's Standard: a `template` is like any other element (its content is recognized by its
ancestors), `select` drops most elements, `isindex` makes a form, `</p>` and `</br>` stay in foreign content, an HTML
end tag closes a foreign element of that name, and `search` is unknown. It takes quadratic time in the attributes of an
element, and in the special characters (`&`, `<`, NUL) of one text once there are hundreds of thousands.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple
from xml.etree import ElementTree

import html5lib

from rehref.markup._source.names_of_html import TABLE_PARTS
from rehref.markup._tree import (
    RAW,
    Node,
    TreeParsed,
    document_text,
    gather,
    put_text,
    text_in,
    tree_as_html,
)
from rehref.markup.places import HTML, IN_BODY, IN_TEMPLATE, XLINK, XML, XMLNS, Parsed, Place, Wanted
from rehref.text.encoding import Source

_DEEPEST = 512
"""Deeper elements are put beside each other, as in Chromium; else html5lib takes quadratic time."""
_MISTAKEN = TABLE_PARTS | {"html", "head", "body", "frameset", "table", "select"}
_DISGUISE = "\0"  # no name from a document has it
_DROPS_NEWLINE = frozenset({"pre", "textarea", "listing"})
_DOCTYPE = "<!DOCTYPE>"  # the tag html5lib gives the document type in an ElementTree
_FLAGS = {"template": IN_TEMPLATE, "body": IN_BODY}
"""The flags of everything in an HTML element; of `IN_BODY`, only `base` and `meta` keep it."""
_PREFIXES = {XLINK: "xlink:", XML: "xml:", XMLNS: "xmlns:"}


class Html5libCore(NamedTuple):
    """See `rehref.markup.parsed.Core`."""

    name: str = "html5lib"
    summary: str = "the HTML Standard's tree: slow, writes the whole document anew; knows no positions"

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        """Read the source into a tree.

        html5lib reads foreign elements with the names of table parts (`<svg><td>`) as those, and may fail on an
        assertion because of that: then the source is read again with these names disguised.
        """
        text = document_text(source)
        try:
            document = html5lib.HTMLParser(tree=_builder()).parse(text, scripting=wanted.scripting)
        except (AssertionError, AttributeError, LookupError):
            document = html5lib.HTMLParser(tree=_builder(disguise=True)).parse(text, scripting=wanted.scripting)
        raw = RAW | {"noscript"} if wanted.scripting else RAW

        def serialize() -> str:
            written = (
                _doctype(node) if node.tag == _DOCTYPE else ElementTree.tostring(node, encoding="unicode")
                for node in document
            )
            return tree_as_html("".join(written).replace("\r", "&#13;"), raw).replace(_DISGUISE, "")

        return TreeParsed(source, *gather(_nodes(document), wanted, text_in), _set_place, serialize)


CORE = Html5libCore()


@cache
def _builder(*, disguise: bool = False) -> type[Any]:
    """html5lib's ElementTree builder with a bound on depth and, on request, with disguised table parts."""
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


def _nodes(document: Any) -> Iterator[Node[Any]]:
    """All elements and conditional comments in tree order, with their names in HTML (`xlink:href`).

    An element that tree construction copies (`<a>` around two paragraphs) has places in each copy; of several `base`
    elements the first in the tree counts.
    """
    stack = [(iter(document), 0)]
    while stack:
        children, around = stack[-1]
        for node in children:
            if not isinstance(node.tag, str):
                if (node.text or "").startswith("[if"):
                    yield node, "#comment", HTML, around & IN_TEMPLATE, ()
                continue
            if node.tag == _DOCTYPE:
                continue
            namespace, _, node.tag = node.tag[1:].partition("}")
            attributes = [(_qualified(key), value) for key, value in node.items()]
            node.attrib = {_written(name): value for name, value in attributes}
            name = node.tag.removesuffix(_DISGUISE)
            if name in _DROPS_NEWLINE and (node.text or "").startswith("\n"):
                node.text = f"\n{node.text}"  # it will be dropped again
            html = namespace == HTML
            if not html:
                node.tag = name + _DISGUISE  # so that it is not written as the HTML element of that name
            in_body = around == IN_BODY and html and name in ("base", "meta")
            yield node, name, namespace, IN_BODY if in_body else around & IN_TEMPLATE, attributes
            stack.append((iter(node), around | _FLAGS.get(name, 0) if html else around))
            break
        else:
            stack.pop()


def _qualified(key: str) -> str:
    """Return an attribute's qualified name from its name in html5lib's tree."""
    namespace, brace, name = key.removeprefix("{").partition("}")
    prefix = _PREFIXES.get(namespace) if brace else None
    if prefix is None:
        return key  # perhaps an unusual attribute in HTML, with a "{"
    return name if (prefix, name) == ("xmlns:", "xmlns") else prefix + name


def _written(name: str) -> str:
    """Return the name of an attribute in our tree, so that ElementTree sees no namespace in it."""
    return _DISGUISE + name if name.startswith("{") else name


def _set_place(node: Any, place: Place, value: str | None) -> None:
    """Give a place a value (see `TreeParsed.put`)."""
    if place.attribute is None:
        put_text(node, value)
    elif value is None:
        del node.attrib[_written(place.attribute)]
    else:
        node.set(_written(place.attribute), value)


def _doctype(node: Any) -> str:
    """Write a document type with its identifiers, which decide whether browsers use quirks mode."""
    public, system = node.get("publicId"), node.get("systemId")
    quoted = [f"'{each}'" if '"' in each else f'"{each}"' for each in (public, system) if each]
    kind = ["PUBLIC"] if public else ["SYSTEM"] if system else []
    return " ".join(["<!DOCTYPE", node.text or "", *kind, *quoted]).rstrip() + ">\n"
