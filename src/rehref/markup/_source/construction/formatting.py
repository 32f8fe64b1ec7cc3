"""The list of active formatting elements (HTML Standard, "parsing"), and the adoption agency.

They are kept because they are reconstructed: a `b` that is opened again decides what an end tag closes. The elements
between two markers are a row. The adoption agency moves nodes in the tree; only its changes to the stack of open
elements and to this list are made here. An element that is replaced by a new one like it in the same position stays.
"""

from __future__ import annotations

from rehref.markup._source.construction.stack import SPECIAL, Open, OpenElement, Started

# Two bounds that the Standard does not have: without them every paragraph may reopen as many elements as there are.
# Browsers bound the depth of their trees as well.
MOST = 512
"""The elements of a row, more than any page has: the oldest are dropped."""
AGAIN = 100_000
"""With the source's characters, how many elements are reopened in it: from then on, they are dropped instead."""


class Formatting:
    """The list of active formatting elements, row by row."""

    __slots__ = ("_again", "_open", "_rows")

    def __init__(self, stack: Open, size: int) -> None:
        """Start with an empty list, for a source of so many characters. `stack`: its open elements."""
        self._open = stack
        self._rows: list[list[OpenElement]] = [[]]
        self._again = size + AGAIN

    def push(self, node: OpenElement) -> None:
        """The Standard's "Push onto the list of active formatting elements", with the Noah's Ark clause."""
        row = self._rows[-1]
        name, attributes = node.name, node.attributes
        alike = [entry for entry in row if entry.name == name and entry.attributes == attributes]
        if len(alike) >= 3:
            self.remove(alike[0])
        node.row = row
        row.append(node)
        if len(row) > MOST:
            row.pop(0).row = None

    def mark(self) -> None:
        """Insert a marker."""
        self._rows.append([])

    def clear_to_marker(self) -> None:
        """The Standard's "Clear the list of active formatting elements up to the last marker"."""
        _forget(self._rows.pop(), 0)
        if not self._rows:
            self._rows.append([])

    def clear(self) -> None:
        """Remove all from the list."""
        for row in self._rows:
            _forget(row, 0)

    def after_marker(self, name: str) -> OpenElement | None:
        """The last element of that name after the last marker."""
        return next((entry for entry in reversed(self._rows[-1]) if entry.name == name), None)

    def remove(self, node: OpenElement) -> None:
        """Remove an element from the list, if it is on it."""
        if node.row is not None:
            del node.row[_number(node.row, node)]
            node.row = None

    def reconstruct(self) -> None:
        """The Standard's "Reconstruct the active formatting elements": those that are not open are opened again."""
        row = self._rows[-1]
        first = len(row)
        while first > 0 and row[first - 1].place == 0:
            first -= 1
        if first == len(row):
            return
        self._again -= len(row) - first
        if self._again < 0:
            _forget(row, first)
            return
        for number in range(first, len(row)):
            entry = row[number]
            again = row[number] = _copy_of(entry)
            again.row, entry.row = row, None
            self._open.push(again)
            if self._open.events is not None:
                self._open.events.append(Started(again, None))

    def adopt(self, name: str) -> None:
        """The Standard's "The adoption agency algorithm", for an end tag of that name."""
        stack = self._open
        if stack.current.is_html(name) and stack.current.row is None:
            stack.pop()
            return
        for _ in range(8):
            element = self.after_marker(name)
            if element is None:
                stack.close(name, scope=SPECIAL)  # "Any other end tag"
                return
            if not element.is_open:
                self.remove(element)
                return
            if not stack.node_in_scope(element):
                return
            block = stack.special_above(element)
            if block is None:
                stack.pop_to(element)
                self.remove(element)
                return
            self._move(element, block)

    def _move(self, element: OpenElement, block: OpenElement) -> None:
        """The inner part of the adoption agency: steps 12 to 20, for the stack and the list only."""
        bookmark_after: OpenElement | None = None
        count = 0
        node = block.below
        while node is not None and node is not element:
            below = node.below
            count += 1
            if count > 3:
                self.remove(node)
            if node.row is None:
                self._open.remove(node)
            elif bookmark_after is None:
                bookmark_after = node
            node = below
        again = _copy_of(element)
        self._replace(element, again, bookmark_after)
        self._open.remove(element)
        self._open.insert_above(block, again)
        if self._open.events is not None:
            self._open.events.append(Started(again, None))

    def _replace(self, node: OpenElement, again: OpenElement, after: OpenElement | None) -> None:
        """Replace an element that is on the list by another; or insert that after `after`, which is on it."""
        row = node.row
        assert row is not None
        if after is None or after.row is None:
            row[_number(row, node)] = again
            node.row = None
        else:
            self.remove(node)
            row = after.row
            row.insert(_number(row, after) + 1, again)
        again.row = row


def _copy_of(element: OpenElement) -> OpenElement:
    return OpenElement(element.namespace, element.name, tag=element.tag, attributes=element.attributes)


def _forget(row: list[OpenElement], first: int) -> None:
    for node in row[first:]:
        node.row = None
    del row[first:]


def _number(row: list[OpenElement], node: OpenElement) -> int:
    """The index of an element in a row. The search begins at the end: most often it is one of the last."""
    number = len(row) - 1
    while row[number] is not node:
        number -= 1
    return number
