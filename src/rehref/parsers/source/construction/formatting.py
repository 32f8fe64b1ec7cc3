"""End tags that do not match: "any other end tag", and the adoption agency for formatting elements.

The adoption agency moves nodes about in the tree; here only what it does to the stack of open elements and to the list
of active formatting elements is done.
"""

from __future__ import annotations

from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.stack import SPECIAL, Node


def end_other(builder: Builder, name: str) -> None:
    """The Standard's "Any other end tag"."""
    if not builder.open.has(name):
        return
    for depth in range(len(builder.open.nodes) - 1, -1, -1):
        node = builder.open.nodes[depth]
        if node.is_html(name):
            builder.open.imply_end_tags((name,))
            builder.open.pop_to(depth)
            return
        if node.key in SPECIAL:
            return


def adopt(builder: Builder, name: str) -> None:
    """The Standard's "The adoption agency algorithm", for an end tag of that name."""
    stack, formatting = builder.open, builder.formatting
    if stack.current.is_html(name) and stack.current not in formatting.entries:
        stack.pop()
        return
    for _ in range(8):
        element = formatting.after_marker(name)
        if element is None:
            end_other(builder, name)
            return
        if not element.is_open:
            formatting.remove(element)
            return
        if not stack.node_in_scope(element):
            return
        depth = stack.nodes.index(element)
        furthest = next(
            (number for number in range(depth + 1, len(stack.nodes)) if stack.nodes[number].key in SPECIAL), None
        )
        if furthest is None:
            stack.pop_to(depth)
            formatting.remove(element)
            return
        _move(builder, element, depth, furthest)


def _move(builder: Builder, element: Node, depth: int, furthest: int) -> None:
    """The inner part of the adoption agency: steps 12 to 20, as far as stack and list go."""
    stack, formatting = builder.open, builder.formatting
    block = stack.nodes[furthest]
    bookmark_after: Node | None = None
    for count, node in enumerate(list(reversed(stack.nodes[depth + 1 : furthest])), 1):
        if count > 3:
            formatting.remove(node)
        if node not in formatting.entries:
            stack.remove(node)
            continue
        again = Node(node.namespace, node.name, attributes=node.attributes)
        formatting.entries[formatting.entries.index(node)] = again
        position = stack.nodes.index(node)
        stack.remove(node)
        stack.insert(position, again)
        if bookmark_after is None:
            bookmark_after = again
    again = Node(element.namespace, element.name, attributes=element.attributes)
    place = formatting.entries.index(element)
    if bookmark_after is not None:
        formatting.entries.remove(element)
        formatting.entries.insert(formatting.entries.index(bookmark_after) + 1, again)
    else:
        formatting.entries[place] = again
    stack.remove(element)
    stack.insert(stack.nodes.index(block) + 1, again)
