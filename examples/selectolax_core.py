"""Your own parser core in under 60 lines: selectolax, which reads HTML with lexbor.

A core is whatever has `name`, `summary` and `parse` (`rehref.markup.parsed.Core`); here this module is one. An
entry point, in the pyproject.toml of the package that brings it, makes it known: `--parser selectolax` works then.

    [project.entry-points."rehref.parsers"]
    selectolax = "selectolax_core"
"""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from rehref.markup._source.names_of_html import HTML_INTEGRATION_POINTS, MATHML_TEXT_INTEGRATION_POINTS
from rehref.markup._tree import Node, TreeParsed, document_text, gather
from rehref.markup.parsed import HTML, IN_TEMPLATE, MATHML, SVG, Parsed, Place, Source, Wanted

name = "selectolax"
summary = "lexbor's tree: fast and conformant, writes the whole document anew; knows no positions"

BEGINS = {"svg": SVG, "math": MATHML, "mglyph": MATHML, "malignmark": MATHML}
HOLDS = HTML_INTEGRATION_POINTS | MATHML_TEXT_INTEGRATION_POINTS


def parse(source: Source, wanted: Wanted) -> Parsed:
    """Parse the source into a tree, and find the places in it."""
    text = document_text(source).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    tree = LexborHTMLParser(text)
    found = gather(nodes(tree), wanted, lambda node: node.text(deep=False))
    return TreeParsed(source, *found, put, lambda: tree.html or "")


def nodes(tree: LexborHTMLParser) -> Iterator[Node[LexborNode]]:
    """Every node in tree order, also in templates, with its name, namespace, flags and attributes."""
    stack = [(tree.root, HTML, 0)] if tree.root is not None else []
    while stack:
        node, content, flags = stack.pop()
        namespace = BEGINS.get(tag := node.tag or "", content)
        yield node, tag, namespace, flags, node.attributes.items()
        html = (namespace, tag) in HOLDS or (tag == "annotation-xml" and "html" in node.attrs.sget("encoding").lower())
        if tag == "template" and node.first_child is None and (fragments := node.template_fragments()):
            node, flags = fragments[0], flags | IN_TEMPLATE
        stack.extend((child, HTML if html else namespace, flags) for child in reversed(list(node.iter())))


def put(node: LexborNode, place: Place, value: str | None) -> None:
    """Give a place a value; None: remove the attribute."""
    if place.attribute is None:
        node.inner_html = value or ""
    elif value is None:
        del node.attrs[place.attribute]
    else:
        node.attrs[place.attribute] = value
