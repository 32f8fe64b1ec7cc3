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
6. The first start tag in a template, unless it is of an element of the head, decides what the template is for the parts
   of tables directly in it: a table, a part of one, or no such thing ("in template"). This is like an open element that
   no end tag closes. A part that cannot be in it, and a table directly in it, are not ordinary.
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
        """Open a template. `first`: the name of the first start tag in it, if that decides (rule 6); else ""."""
        self._names.append("template")
        if first:
            self._names.append(_TEMPLATES_AS.get(first, "as body"))

    def enter_table(self) -> None:
        """Open a table (rule 2). Raises `NotOrdinaryError` (rule 6)."""
        if self.current in _ROW and not self.leave("table"):
            raise NotOrdinaryError
        self._names.append("table")

    def enter_part(self, name: str) -> bool:
        """Process the start tag of a part of a table (rule 1); return whether a table, or a template as one, is open.

        Raises `NotOrdinaryError` (rule 6).
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
        """Process the end tag of a table or a part (rule 3); return whether there was one in scope."""
        names = self._names
        for at in reversed(range(len(names))):
            if names[at] == name:
                del names[at:]
                return True
            if names[at] in ("table", "template"):
                return False
        return False

    def leave_select(self) -> None:
        """Process the end tag of a select (rule 4)."""
        if self.in_select:
            self._names.pop()

    def leave_template(self) -> None:
        """Process the end tag of a template that is open (rule 5)."""
        while self._names.pop() != "template":
            pass
