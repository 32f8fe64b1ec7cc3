"""Of the stack of open elements, what the scan needs: tables, their parts, templates and selects.

A column group is not kept: whatever is not its own closes it ("in column group"), and it has no effect on that. No end
tags except those of tables and their parts close one of them: "in cell" and "in caption" ignore those of `body` and
`html`.
"""

from __future__ import annotations

from rehref.markup._source.foreign_content import NotOrdinaryError
from rehref.markup._source.names_of_html import TABLE_PARTS, TABLE_SECTIONS

_TABLE = frozenset({"table", "as table"})
_SECTION = _TABLE | TABLE_SECTIONS | {"as section"}
_ROW = _SECTION | {"tr", "as row"}
_CONTEXTS = {**dict.fromkeys(TABLE_PARTS, _TABLE), "tr": _SECTION, "td": _ROW, "th": _ROW}
"""What may be right around each part."""
_TEMPLATES_AS = {
    **dict.fromkeys((*TABLE_SECTIONS, "caption"), "as table"),
    "tr": "as section",
    **dict.fromkeys(("td", "th"), "as row"),
}
"""What a template is, by the name of the first start tag in it."""


class OpenTables:
    """The names of the open elements, the innermost last."""

    __slots__ = ("_names",)

    def __init__(self) -> None:
        """Begin with none."""
        self._names: list[str] = []

    @property
    def current(self) -> str:
        """The innermost one that is not a select; "" if there is none."""
        return next((name for name in reversed(self._names) if name != "select"), "")

    @property
    def in_select(self) -> bool:
        """Whether a select is the innermost one."""
        return self._names[-1:] == ["select"]

    def enter_select(self) -> None:
        """Open a select."""
        self._names.append("select")

    def enter_template(self, first: str) -> None:
        """Open a template. `first`: the name of the first start tag in it, if that decides what it is; else "".

        Unless it is of an element of the head, it says what the template is for the parts of tables directly in it: a
        table, a part of one, or no such thing ("in template"). This is like an open element that no end tag closes.
        """
        self._names.append("template")
        if first:
            self._names.append(_TEMPLATES_AS.get(first, "as body"))

    def enter_table(self) -> None:
        """Open a table: inside the one around it if that has a cell or caption open, else it ends that one ("in
        table").

        Raises `NotOrdinaryError` for one directly in a template.
        """
        if self.current in _ROW and not self.leave("table"):
            raise NotOrdinaryError
        self._names.append("table")

    def enter_part(self, name: str) -> bool:
        """Process the start tag of a part of a table; return whether a table, or a template as one, is open.

        It closes all that the part cannot be in ("clear the stack back to a table context" and the like), and opens
        what must be around it. Raises `NotOrdinaryError` for a part that cannot be in its template.
        """
        names = self._names
        if self.current in ("", "as body"):
            return False
        while names[-1] not in _CONTEXTS[name]:
            if names[-1] == "template":
                raise NotOrdinaryError
            names.pop()
        if name in ("tr", "td", "th") and names[-1] in _TABLE:
            names.append("tbody")
        if name in ("td", "th") and names[-1] not in ("tr", "as row"):
            names.append("tr")
        if name not in ("col", "colgroup"):
            names.append(name)
        return True

    def leave(self, name: str) -> bool:
        """Process the end tag of a table or a part; return whether there was one in table scope. It closes all inside,
        too.
        """
        names = self._names
        for at in reversed(range(len(names))):
            if names[at] == name:
                del names[at:]
                return True
            if names[at] in ("table", "template"):
                return False
        return False

    def leave_select(self) -> None:
        """Process the end tag of a select, which closes it if it is the innermost of all these.

        Else it is not in scope, or closed already: other tags may have closed it.
        """
        if self.in_select:
            self._names.pop()

    def leave_template(self) -> None:
        """Process the end tag of a template that is open, which closes all inside it."""
        while self._names.pop() != "template":
            pass
