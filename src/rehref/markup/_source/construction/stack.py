"""The stack of open elements (HTML Standard, "parsing"). An element is a name in a namespace; there is no tree.

Questions like "has an element in the specific scope" search no stack: each element has a place, a number higher than
that of any below it, and the topmost element of each name, and of each set of blocking elements, is known. The stack is
a linked list, so that an element in the middle is opened and closed as quickly as on top. Foster parenting puts what
does not belong in a table right before it: each element knows that table (`before`), so it is known which of two `base`
elements comes first in the tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

from rehref.markup._source.construction.tokens import Tag
from rehref.markup._source.names_of_html import INTEGRATION_POINTS, SPECIAL_HTML, TABLE_SECTIONS
from rehref.markup.places import HTML
from rehref.text import lower

IMPLIED_END = frozenset({"dd", "dt", "li", "optgroup", "option", "p", "rb", "rp", "rt", "rtc"})

# the insertion mode that each of these elements selects
MODE_OF = {
    **{name: f"in {name}" for name in ("body", "caption", "frameset", "head", "table")},
    **dict.fromkeys(("td", "th"), "in cell"),
    **dict.fromkeys(TABLE_SECTIONS, "in table body"),
    "tr": "in row",
    "colgroup": "in column group",
}

_IN_SCOPE = INTEGRATION_POINTS | frozenset(
    (HTML, name) for name in ("applet", "caption", "table", "td", "th", "marquee", "object", "select", "template")
)
_SPECIAL = INTEGRATION_POINTS | frozenset((HTML, name) for name in SPECIAL_HTML - {"html"})

# What may block a search: for the scopes; for an end tag ("special"); for a list item that looks for the one before it;
# and what decides on the insertion mode. Nothing is below `html`, so it never blocks.
SCOPE, LIST_ITEM_SCOPE, BUTTON_SCOPE, TABLE_SCOPE, SPECIAL, AROUND_ITEMS, _WITH_MODE = range(7)
_BOUNDS = (
    _IN_SCOPE,
    _IN_SCOPE | {(HTML, "ol"), (HTML, "ul")},
    _IN_SCOPE | {(HTML, "button")},
    frozenset((HTML, name) for name in ("table", "template")),
    _SPECIAL,
    _SPECIAL - {(HTML, "address"), (HTML, "div"), (HTML, "p")},
    frozenset((HTML, name) for name in (*MODE_OF, "template")),
)
# Foster parenting moves what is inserted in these, except for their own parts
_TABLES = TABLE_SECTIONS | {"table", "tr"}
_TABLE_PARTS = frozenset(
    (HTML, name) for name in ("tbody", "tfoot", "thead", "tr", "caption", "colgroup", "td", "th", "form", "template")
)
_BOUNDS_OF = {
    key: tuple(number for number, bounds in enumerate(_BOUNDS) if key in bounds) for key in frozenset().union(*_BOUNDS)
}

Key: TypeAlias = tuple[str, str]
"""Namespace and name."""


@dataclass(slots=True, eq=False)
class OpenElement:
    """An element that is, or was, open."""

    namespace: str
    name: str
    tag: int = -1
    """Where its start tag is; an element that is opened again has that of the first; -1: it has none."""
    html_point: bool = False
    """It is an HTML integration point."""
    text_point: bool = False
    """It is a MathML text integration point."""
    attributes: tuple[tuple[str, str], ...] = ()
    """Names and raw values; only to compare formatting elements."""
    row: list[OpenElement] | None = None
    """The active formatting elements that contain it."""
    place: int = 0
    """Where on the stack it is: higher than what is below it; 0: it is not open."""
    below: OpenElement | None = field(default=None, repr=False)
    above: OpenElement | None = field(default=None, repr=False)
    before: OpenElement | None = field(default=None, repr=False)
    """The innermost open table that foster parenting put it before, or an element around it."""
    is_shadow_root: bool = False
    """It is a `template` that becomes the shadow root of the element around it."""
    has_shadow_root: bool = False
    """Such a `template` was in it."""
    around: tuple[OpenElement, ...] = ()
    """Elements around it that are not on the stack any more, but end when it ends; only if events are wanted."""
    ahead: bool = False
    """It is a table that begins before the base that counts, or there is no such base yet."""

    @property
    def is_open(self) -> bool:
        """Whether it is on the stack of open elements."""
        return self.place > 0

    @property
    def key(self) -> Key:
        """Namespace and name."""
        return self.namespace, self.name

    def is_html(self, *names: str) -> bool:
        """Whether it is an HTML element of one of these names."""
        return self.namespace == HTML and self.name in names


class Started(NamedTuple):
    """An element is inserted. `tag`: the token; None: the parser opens it by itself, or again."""

    element: OpenElement
    tag: Tag | None


class Ended(NamedTuple):
    """An element is closed; one that cannot contain anything, right after it is inserted."""

    element: OpenElement


class TextRun(NamedTuple):
    """A run of text in an element, as written. `is_literal`: it has no character references."""

    element: OpenElement
    raw: str
    is_literal: bool


TreeEvent: TypeAlias = Started | Ended | TextRun

_Line: TypeAlias = list[OpenElement]
"""Elements with a common property, in the order of their places. The last is open; others may be closed."""

# Distance of places. A moved element comes right above a special element, and below those moved there before.
_STEP = 1 << 32


class Open:
    """The stack of open elements. `current` is the current node: the document, as long as none is open."""

    __slots__ = (
        *("_bounds", "_document", "_foreign", "_has_base", "_moved", "_moves", "_named", "_roots", "current", "events"),
    )

    def __init__(self) -> None:
        self.current = self._document = OpenElement(HTML, "#document")
        # the HTML elements of each name, and those of SVG or MathML of each name in lower case, opened on top
        self._named: defaultdict[str, _Line] = defaultdict(list)
        self._foreign: defaultdict[str, _Line] = defaultdict(list)
        # but elements opened in the middle are in a heap for each name, the topmost first
        self._moved: dict[str, list[tuple[int, OpenElement]]] = {}
        self._moves = 0
        # the elements that block each kind of search
        self._bounds: list[_Line] = [[] for _ in _BOUNDS]
        # elements of SVG or MathML that were opened right above an HTML element
        self._roots: _Line = []
        self._has_base = False
        # what happens to the tree, if the caller wants to know
        self.events: list[TreeEvent] | None = None

    # ------------------------------------------------------------------------------------- opening, closing

    def push(self, node: OpenElement) -> None:
        """Open an element."""
        below = self.current
        node.below, below.above = below, node
        node.before = before = self._next_of_inserted(node)
        node.ahead = not self._has_base or (before is not None and before.ahead)
        node.place = (below.place | (_STEP - 1)) + 1
        self.current = node
        namespace, name = key = node.namespace, node.name
        if namespace == HTML:
            self._named[name].append(node)
        else:
            self._foreign[lower(name)].append(node)
            if below.namespace == HTML:
                _clean(self._roots)
                self._roots.append(node)
        if key in _BOUNDS_OF:
            for number in _BOUNDS_OF[key]:
                self._bounds[number].append(node)

    def insert_above(self, block: OpenElement, node: OpenElement) -> None:
        """Open a formatting element right above a special HTML element that is open."""
        above = block.above
        if above is None:
            self.push(node)
            return
        node.below, node.above, block.above, above.below = block, above, node, node
        node.before = block.before
        self._moves += 1
        node.place = block.place + _STEP - self._moves
        heap = self._moved.setdefault(node.name, [])
        _clean_heap(heap)
        heappush(heap, (-node.place, node))

    def pop(self) -> OpenElement:
        """Close the current node."""
        node = self.current
        self.remove(node)
        return node

    def remove(self, node: OpenElement, *, keeps_content: bool = False) -> None:
        """Close an element anywhere on the stack. `keeps_content`: what is open above it remains in it, in the tree."""
        below, above = node.below, node.above
        assert below is not None  # it is not the document
        below.above = above
        if above is None:
            self.current = below
        else:
            above.below = below
        node.below = node.above = None
        node.place = 0
        if self.events is not None:
            if above is None or not keeps_content:
                self._end(node)
            else:
                above.around = (*above.around, node)
        namespace, name = key = node.namespace, node.name
        _clean(self._named[name] if namespace == HTML else self._foreign[lower(name)])
        if key in _BOUNDS_OF:
            for number in _BOUNDS_OF[key]:
                _clean(self._bounds[number])

    def _end(self, node: OpenElement) -> None:
        """Note that nothing more comes into an element, nor into those that were only open as long as it was."""
        assert self.events is not None
        ending = [node]
        while ending:
            node = ending.pop()
            self.events.append(Ended(node))
            ending += node.around
            node.around = ()

    def pop_to(self, node: OpenElement) -> None:
        """Close an element, and all above it."""
        while node.place > 0:
            self.remove(self.current)

    def pop_until(self, names: Collection[str]) -> None:
        """Pop until an HTML element of one of these names has been popped."""
        while self.current is not self._document:
            node = self.pop()
            if node.namespace == HTML and node.name in names:
                return

    def clear_back_to(self, names: Collection[str]) -> None:
        """The Standard's "Clear the stack back to" a table, table body or table row context."""
        while not (self.current.namespace == HTML and self.current.name in names):
            self.pop()

    def close(self, *names: str, scope: int = SCOPE) -> bool:
        """Close the topmost HTML element of one of these names, and all above it, if one is in scope; return whether.

        Where the Standard generates implied end tags before that, the result is the same.
        """
        found = self.in_scope(names, scope)
        if found:
            self.pop_until(names)
        return found

    def imply_end_tags(self, but: Collection[str] = ()) -> None:
        """The Standard's "Generate implied end tags", except for those."""
        while self.current.namespace == HTML and self.current.name in IMPLIED_END and self.current.name not in but:
            self.pop()

    def clear(self) -> None:
        """Close all elements at once; afterwards nothing may be opened or queried."""
        # otherwise they would keep each other in memory
        node: OpenElement | None = self.current
        while node is not None:
            below = node.below
            node.below = node.above = None
            node = below

    # ------------------------------------------------------------------------------------ foster parenting

    def _next_of_inserted(self, node: OpenElement) -> OpenElement | None:
        """What `before` is for an element that is inserted now."""
        parent = self.current
        if parent.namespace == HTML and parent.name in _TABLES and node.key not in _TABLE_PARTS:
            tables = self._named["table"]
            return tables[-1] if tables else parent.before
        return parent.before

    def takes_over(self, base: OpenElement) -> bool:
        """Whether a `base` that is inserted now comes before the one that counted so far, and counts from now on."""
        before = self._next_of_inserted(base)
        takes_over = self._has_base and before is not None and before.ahead
        if takes_over or not self._has_base:
            self._has_base = True
            while before is not None and before.ahead:
                before.ahead = False
                before = before.before
        return takes_over

    # -------------------------------------------------------------------------------------------- questions

    @property
    def second(self) -> OpenElement | None:
        """The element right above the `html` element."""
        html = self._document.above
        return None if html is None else html.above

    @property
    def in_template(self) -> bool:
        """Whether a `template` is open."""
        return bool(self._named["template"])

    def in_scope(self, names: Collection[str], scope: int = SCOPE) -> bool:
        """The Standard's "Has an element in the specific scope" of one of these names.

        `scope`: what blocks the search, one of the numbers above. An element never blocks itself.
        """
        place = 0
        for name in names:
            line = self._named.get(name)
            if line and line[-1].place > place:
                place = line[-1].place
            if name in self._moved:
                heap = self._moved[name]
                _clean_heap(heap)
                place = max(place, -heap[0][0] if heap else 0)
        return place > 0 and place >= _top(self._bounds[scope])

    def node_in_scope(self, node: OpenElement) -> bool:
        """Whether this very element is in scope."""
        return node.is_open and node.place >= _top(self._bounds[SCOPE])

    def special_above(self, node: OpenElement) -> OpenElement | None:
        """The first special element above this one."""
        if _top(self._bounds[SPECIAL]) <= node.place:
            return None
        above = node.above
        while above is not None and above.key not in _SPECIAL:
            above = above.above
        return above

    def foreign(self, name: str) -> OpenElement | None:
        """The topmost element of SVG or MathML of that name, in lower case, if no HTML element is above it."""
        line, roots = self._foreign.get(name), self._roots
        if not line:
            return None
        # an element opened above an HTML element may be above another one now, or above none
        while roots and (roots[-1].below is None or roots[-1].below.namespace != HTML):
            roots.pop()
        return line[-1] if line[-1].place >= _top(roots) else None

    def with_mode(self) -> OpenElement | None:
        """The topmost element that decides on the insertion mode; None: only `html` could."""
        line = self._bounds[_WITH_MODE]
        return line[-1] if line else None


def _top(line: _Line) -> int:
    """The place of the last element in a line; 0 if there is none."""
    return line[-1].place if line else 0


def _clean(line: _Line) -> None:
    while line and line[-1].place == 0:
        line.pop()


def _clean_heap(heap: list[tuple[int, OpenElement]]) -> None:
    while heap and heap[0][1].place == 0:
        heappop(heap)
