"""The stack of open elements and the list of active formatting elements (HTML Standard, "parsing").

1. An element is a name in a namespace, and what makes it an integration point; nothing is a tree.
2. Scopes are asked as the Standard defines them ("has an element in the specific scope").
3. The formatting elements are kept because they come back: a `b` that is reconstructed is open again, and decides
   what an end tag closes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from rehref.parsers.contract import HTML, MATHML, SVG
from rehref.parsers.source.names import SPECIAL_HTML, lower

_FOREIGN_MARKERS = frozenset(
    [(MATHML, name) for name in ("mi", "mo", "mn", "ms", "mtext", "annotation-xml")]
    + [(SVG, name) for name in ("foreignObject", "desc", "title")]
)
# "has an element in scope"
SCOPE = _FOREIGN_MARKERS | frozenset(
    (HTML, name) for name in ("applet", "caption", "html", "table", "td", "th", "marquee", "object", "template")
)
LIST_ITEM_SCOPE = SCOPE | {(HTML, "ol"), (HTML, "ul")}
BUTTON_SCOPE = SCOPE | {(HTML, "button")}
TABLE_SCOPE = frozenset((HTML, name) for name in ("html", "table", "template"))

# "special"
SPECIAL = _FOREIGN_MARKERS | frozenset((HTML, name) for name in SPECIAL_HTML)
IMPLIED_END = frozenset({"dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc"})
THOROUGHLY_IMPLIED_END = IMPLIED_END | {"caption", "colgroup", "tbody", "td", "tfoot", "th", "thead", "tr"}


@dataclass(slots=True, eq=False)
class Node:
    """An element that is, or was, open."""

    namespace: str
    name: str
    tag: int = -1
    """Where its start tag stands; -1 if none does."""
    html_point: bool = False
    """It is an HTML integration point."""
    text_point: bool = False
    """It is a MathML text integration point."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Names and raw values; only to compare formatting elements."""
    is_open: bool = False

    @property
    def key(self) -> tuple[str, str]:
        """Namespace and name."""
        return self.namespace, self.name

    def is_html(self, *names: str) -> bool:
        """Whether it is an HTML element of one of these names."""
        return self.namespace == HTML and self.name in names


class Open:
    """The stack of open elements; its last is the current node."""

    __slots__ = ("_counts", "_foreign", "nodes")

    def __init__(self) -> None:
        """Start with nothing open."""
        self.nodes: list[Node] = []
        # how many HTML elements of each name are open: most questions are answered by none being
        self._counts: dict[str, int] = {}
        self._foreign: dict[str, int] = {}

    @property
    def current(self) -> Node:
        """The current node. There always is one once `html` is open."""
        return self.nodes[-1]

    def push(self, node: Node) -> None:
        """Open an element."""
        self.nodes.append(node)
        self._opened(node)

    def insert(self, position: int, node: Node) -> None:
        """Open an element in the midst of the stack."""
        self.nodes.insert(position, node)
        self._opened(node)

    def _opened(self, node: Node) -> None:
        node.is_open = True
        counts, name = (self._counts, node.name) if node.namespace == HTML else (self._foreign, lower(node.name))
        counts[name] = counts.get(name, 0) + 1

    def _closed(self, node: Node) -> None:
        node.is_open = False
        if node.namespace == HTML:
            self._counts[node.name] -= 1
        else:
            self._foreign[lower(node.name)] -= 1

    def pop(self) -> Node:
        """Close the current node."""
        node = self.nodes.pop()
        self._closed(node)
        return node

    def remove(self, node: Node) -> None:
        """Close an element wherever it is on the stack."""
        self.nodes.remove(node)
        self._closed(node)

    def pop_to(self, depth: int) -> None:
        """Close elements until `depth` are left."""
        while len(self.nodes) > depth:
            self.pop()

    def has(self, name: str) -> bool:
        """Whether an HTML element of that name is open at all."""
        return self._counts.get(name, 0) > 0

    def has_foreign(self, name: str) -> bool:
        """Whether an element of SVG or MathML of that name, in lower case, is open at all."""
        return self._foreign.get(name, 0) > 0

    def in_scope(self, names: Collection[str], scope: Collection[tuple[str, str]] = SCOPE) -> bool:
        """The Standard's "Has an element in the specific scope" of one of these names."""
        if not any(self._counts.get(name) for name in names):
            return False
        for node in reversed(self.nodes):
            if node.namespace == HTML and node.name in names:
                return True
            if (node.namespace, node.name) in scope:
                return False
        return False

    def node_in_scope(self, wanted: Node) -> bool:
        """Whether this very element is in scope."""
        if not wanted.is_open:
            return False
        for node in reversed(self.nodes):
            if node is wanted:
                return True
            if (node.namespace, node.name) in SCOPE:
                return False
        return False

    def pop_until(self, names: Collection[str]) -> None:
        """Pop until an HTML element of one of these names has been popped."""
        while self.nodes:
            node = self.pop()
            if node.namespace == HTML and node.name in names:
                return

    def clear_back_to(self, names: Collection[str]) -> None:
        """The Standard's "Clear the stack back to" a table, table body or table row context."""
        while not (self.current.namespace == HTML and self.current.name in names):
            self.pop()

    def imply_end_tags(self, but: Collection[str] = (), *, thoroughly: bool = False) -> None:
        """The Standard's "Generate implied end tags", except for those."""
        implied = THOROUGHLY_IMPLIED_END if thoroughly else IMPLIED_END
        while self.current.namespace == HTML and self.current.name in implied and self.current.name not in but:
            self.pop()


# More than any page has; browsers bound the depth of their trees as well. Without a bound every paragraph could open
# again as many formatting elements as there are.
_MOST_FORMATTING = 512


class Formatting:
    """The list of active formatting elements; None is a marker."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        """Start with an empty list."""
        self.entries: list[Node | None] = []

    def push(self, node: Node) -> None:
        """The Standard's "Push onto the list of active formatting elements", with the Noah's Ark clause."""
        alike = []
        for number in range(len(self.entries) - 1, -1, -1):
            entry = self.entries[number]
            if entry is None:
                break
            if entry.name == node.name and entry.attributes == node.attributes:
                alike.append(number)
        if len(alike) >= 3:
            del self.entries[alike[-1]]
        self.entries.append(node)
        if len(self.entries) > _MOST_FORMATTING:
            del self.entries[0]

    def clear_to_marker(self) -> None:
        """The Standard's "Clear the list of active formatting elements up to the last marker"."""
        while self.entries and self.entries.pop() is not None:
            pass

    def after_marker(self, name: str) -> Node | None:
        """The last element of that name after the last marker."""
        for entry in reversed(self.entries):
            if entry is None:
                return None
            if entry.name == name:
                return entry
        return None

    def remove(self, node: Node) -> None:
        """Take an element off the list, if it is on it."""
        if node in self.entries:
            self.entries.remove(node)

    def reconstruct(self, stack: Open) -> None:
        """The Standard's "Reconstruct the active formatting elements": what is not open is opened again."""
        entries = self.entries
        first = len(entries)
        while first > 0:
            entry = entries[first - 1]
            if entry is None or entry.is_open:
                break
            first -= 1
        for number in range(first, len(entries)):
            entry = entries[number]
            assert entry is not None
            again = Node(entry.namespace, entry.name, attributes=entry.attributes)
            stack.push(again)
            entries[number] = again
