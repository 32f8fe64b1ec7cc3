"""Of the stack of open elements, what the scan needs: tables, their parts, templates and selects.

1. The start tag of a part of a table closes all that the part cannot be in ("clear the stack back to a table context",
   "… table body context", "… table row context"), and opens what must be around it ("in table", "in table body"). A
   column group is not kept: whatever is not its own closes it ("in column group"), and it has no effect on that.
2. A table that begins in a cell or caption is inside it ("in body"); elsewhere in a table, it ends that one ("in
   table").
3. The end tag of a table or a part closes the element if it is in table scope, with all inside it; else it is ignored.
   No other end tag closes one of them: they limit the scopes of all others, and "in cell" and "in caption" ignore
   those of `body` and `html`.
4. The end tag of a select closes it if it is the innermost of all these; else it is not in scope, or closed already.
   Other tags may have closed it: that it is here does not say that it is open.
5. The end tag of a template closes all inside it.
"""

from __future__ import annotations

from rehref.parsers.source.names import TABLE_PARTS, TABLE_SECTIONS

_TABLE = frozenset({"table"})
_SECTION = _TABLE | TABLE_SECTIONS
_ROW = _SECTION | {"tr"}
_CONTEXTS = {**dict.fromkeys(TABLE_PARTS, _TABLE), "tr": _SECTION, "td": _ROW, "th": _ROW}
"""What may be right around each part."""


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

    def enter(self, name: str) -> None:
        """Open a template or a select."""
        self._names.append(name)

    def enter_table(self) -> None:
        """Open a table (rule 2)."""
        if self.current in _ROW:
            self.leave("table")
        self._names.append("table")

    def enter_part(self, name: str) -> None:
        """Process the start tag of a part of the table that is open (rule 1)."""
        names = self._names
        while names[-1] not in _CONTEXTS[name]:
            names.pop()
        if name in ("tr", "td", "th") and names[-1] == "table":
            names.append("tbody")
        if name in ("td", "th") and names[-1] != "tr":
            names.append("tr")
        if name not in ("col", "colgroup"):
            names.append(name)

    def leave(self, name: str) -> None:
        """Process the end tag of a table or a part (rule 3)."""
        names = self._names
        for at in reversed(range(len(names))):
            if names[at] == name:
                del names[at:]
                return
            if names[at] in ("table", "template"):
                return

    def leave_select(self) -> None:
        """Process the end tag of a select (rule 4)."""
        if self.in_select:
            self._names.pop()

    def leave_template(self) -> None:
        """Process the end tag of a template that is open (rule 5)."""
        while self._names.pop() != "template":
            pass
