"""End tags of formatting elements that do not match: the adoption agency.

1. The adoption agency moves nodes in the tree; only its changes to the stack of open elements and to the list of active
   formatting elements are made here.
2. An element that is replaced by a new one like it in the same position stays: the two are equivalent here.
"""

from __future__ import annotations

from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.stack import SPECIAL, Node


def adopt(builder: Builder, name: str) -> None:
    """The Standard's "The adoption agency algorithm", for an end tag of that name."""
    stack, formatting = builder.open, builder.formatting
    if stack.current.is_html(name) and stack.current.row is None:
        stack.pop()
        return
    for _ in range(8):
        element = formatting.after_marker(name)
        if element is None:
            stack.close(name, scope=SPECIAL)  # "Any other end tag"
            return
        if not element.is_open:
            formatting.remove(element)
            return
        if not stack.node_in_scope(element):
            return
        block = stack.special_above(element)
        if block is None:
            stack.pop_to(element)
            formatting.remove(element)
            return
        _move(builder, element, block)


def _move(builder: Builder, element: Node, block: Node) -> None:
    """The inner part of the adoption agency: steps 12 to 20, for the stack and the list only."""
    stack, formatting = builder.open, builder.formatting
    bookmark_after: Node | None = None
    count = 0
    node = block.below
    while node is not None and node is not element:
        below = node.below
        count += 1
        if count > 3:
            formatting.remove(node)
        if node.row is None:
            stack.remove(node)
        elif bookmark_after is None:
            bookmark_after = node
        node = below
    again = Node(element.namespace, element.name, attributes=element.attributes)
    formatting.replace(element, again, bookmark_after)
    stack.remove(element)
    stack.insert_above(block, again)
