"""What is known of the stack of open elements is what is found along it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from rehref.markup._source.construction.stack import (
    AROUND_ITEMS,
    BUTTON_SCOPE,
    LIST_ITEM_SCOPE,
    SCOPE,
    SPECIAL,
    TABLE_SCOPE,
    Open,
    OpenElement,
)
from rehref.markup.parsed import HTML, MATHML, SVG

_MARKERS = {"applet", "caption", "html", "table", "td", "th", "marquee", "object", "template"}


_FOREIGN_MARKERS = {(SVG, "desc"), (SVG, "title"), (SVG, "foreignObject"), (MATHML, "mi"), (MATHML, "annotation-xml")}


_KINDS = [
    *((HTML, name) for name in ("div", "p", "li", "ul", "y", "b", "nobr", "button", "table", "object", "form", "td")),
    *((SVG, name) for name in ("svg", "g", "desc", "foreignObject")),
    *((MATHML, name) for name in ("math", "mi", "g")),
]


_SPECIAL = {"address", "button", "div", "form", "html", "li", "object", "p", "table", "td", "ul"}
"""Of the elements here, those that the Standard calls special."""
_NAMES = ("div", "p", "li", "y", "b", "nobr", "table", "object")


def stops(node: OpenElement, scope: int) -> bool:
    """Whether an element is in the way, as the Standard lists them."""
    namespace, name = node.key
    if node.key in _FOREIGN_MARKERS:
        return scope != TABLE_SCOPE
    if namespace != HTML:
        return False
    return {
        SCOPE: name in _MARKERS,
        LIST_ITEM_SCOPE: name in _MARKERS | {"ol", "ul"},
        BUTTON_SCOPE: name in _MARKERS | {"button"},
        TABLE_SCOPE: name in {"html", "table", "template"},
        SPECIAL: name in _SPECIAL,
        AROUND_ITEMS: name in _SPECIAL - {"address", "div", "p"},
    }[scope]


def looked_for(nodes: list[OpenElement], name: str, scope: int) -> bool:
    """The Standard's way to ask what is in scope: along the stack."""
    for node in reversed(nodes):
        if node.is_html(name):
            return True
        if stops(node, scope):
            return False
    return False


def in_foreign(nodes: list[OpenElement], name: str) -> OpenElement | None:
    """What an end tag in foreign content closes there: looked for along the stack."""
    for node in reversed(nodes):
        if node.namespace == HTML:
            return None
        if node.name.lower() == name:
            return node
    return None


def chain(stack: Open) -> Iterator[OpenElement]:
    """The open elements, from the top."""
    node: OpenElement | None = stack.current
    while node is not None and node.is_open:
        yield node
        node = node.below


@given(
    st.lists(st.sampled_from(_KINDS), min_size=1, max_size=5),
    st.lists(st.tuples(st.integers(0, 7), st.integers(0, 1_000)), min_size=5, max_size=60),
)
def test_what_is_known_of_the_stack_is_what_is_found_along_it(
    kinds: list[tuple[str, str]], acts: list[tuple[int, int]]
) -> None:
    stack = Open()
    nodes = [OpenElement(HTML, "html")]
    stack.push(nodes[0])
    for act, draw in acts:
        blocks = [node for node in nodes[1:] if node.namespace == HTML and node.name in _SPECIAL]
        loose = [node for node in nodes[1:] if node.key in ((HTML, "form"), (HTML, "b"), (HTML, "nobr"))]
        if act < 4:
            nodes.append(OpenElement(*kinds[draw % len(kinds)]))
            stack.push(nodes[-1])
        elif act == 4 and len(nodes) > 1:
            assert stack.pop() is nodes.pop()
        elif act == 5 and loose:
            node = loose[draw % len(loose)]
            nodes.remove(node)
            stack.remove(node)
        elif act > 5 and blocks:
            block = blocks[draw % len(blocks)]
            node = OpenElement(HTML, "nobr" if draw % 2 else "b")
            nodes.insert(nodes.index(block) + 1, node)
            stack.insert_above(block, node)

        assert list(chain(stack)) == nodes[::-1]
        assert all(below.place < above.place for below, above in pairwise(nodes))
        assert stack.second is (nodes[1] if len(nodes) > 1 else None)
        for scope in (SCOPE, LIST_ITEM_SCOPE, BUTTON_SCOPE, TABLE_SCOPE, SPECIAL, AROUND_ITEMS):
            for name in _NAMES:
                assert stack.in_scope((name,), scope) == looked_for(nodes, name, scope)
        for number, node in enumerate(nodes[1:], 1):
            assert stack.node_in_scope(node) == (not any(stops(above, SCOPE) for above in nodes[number + 1 :]))
            special = next((above for above in nodes[number + 1 :] if stops(above, SPECIAL)), None)
            assert stack.special_above(node) is special
        if nodes[-1].namespace != HTML:
            for name in ("svg", "g", "desc", "foreignobject", "math", "mi"):
                assert stack.foreign(name) is in_foreign(nodes, name)


def test_what_is_between_foreign_elements_is_in_the_way_only_while_it_is_open() -> None:
    stack = Open()
    svg, desc, form, inner = (
        OpenElement(SVG, "svg"),
        OpenElement(SVG, "desc"),
        OpenElement(HTML, "form"),
        OpenElement(SVG, "svg"),
    )
    for node in (OpenElement(HTML, "html"), svg, desc, form, inner):
        stack.push(node)
    assert (stack.foreign("desc"), stack.foreign("svg")) == (None, inner)
    stack.remove(form)
    assert (stack.foreign("desc"), stack.foreign("svg")) == (desc, inner)
    stack.pop_to(desc)
    assert stack.current is svg
