"""The insertion modes of tables.

A token that does not belong in a table is processed as in a body; where its node is put (foster parenting), the stack
of open elements knows. A row, cell or column outside of its place closes the elements that prevent it, makes missing
ones, or is ignored.
"""

from __future__ import annotations

from collections.abc import Collection

from rehref.markup._source.construction.body import in_body
from rehref.markup._source.construction.builder import Builder
from rehref.markup._source.construction.head import in_head, is_end, is_start
from rehref.markup._source.construction.stack import TABLE_SCOPE
from rehref.markup._source.construction.tokens import Tag, Text
from rehref.markup._source.names_of_html import TABLE_PARTS, TABLE_SECTIONS
from rehref.text import WHITE_SPACE

_TABLE = ("table", "template", "html")
_BODY = (*TABLE_SECTIONS, "template", "html")
_ROW = ("tr", "template", "html")


def in_table(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in table"."""
    if isinstance(token, Text):
        in_parts = builder.open.current.is_html("table", "tbody", "template", "tfoot", "thead", "tr")
        return False if in_parts and _is_white(builder, token) else in_body(builder, token)
    if token.is_end:
        if token.name == "table":
            _close_table(builder)
            return False
        if token.name in ("body", "html") or token.name in TABLE_PARTS:
            return False
        return in_head(builder, token) if token.name == "template" else in_body(builder, token)
    return _start_in_table(builder, token)


def _is_white(builder: Builder, text: Text) -> bool:
    return builder.places.decoded_text(text.raw).replace("\0", "").strip(WHITE_SPACE) == ""


def _start_in_table(builder: Builder, tag: Tag) -> bool:
    name = tag.name
    if name in ("caption", "colgroup", *TABLE_SECTIONS):
        builder.open.clear_back_to(_TABLE)
        if name == "caption":
            builder.formatting.mark()
        builder.insert(tag)
        builder.mode = {"caption": "in caption", "colgroup": "in column group"}.get(name, "in table body")
        return False
    if name in ("col", "td", "th", "tr"):
        builder.open.clear_back_to(_TABLE)
        builder.imply("colgroup" if name == "col" else "tbody")
        builder.mode = "in column group" if name == "col" else "in table body"
        return True
    if name == "table":
        return _close_table(builder)
    if name in ("style", "script", "template"):
        return in_head(builder, tag)
    if name == "input" and builder.value_of(tag, "type") == "hidden":
        builder.insert(tag, push=False)
        return False
    if name == "form":
        if builder.open.in_template:
            builder.insert(tag, push=False)
        elif builder.form is None:
            builder.form = builder.insert(tag, push=False)
        return False
    return in_body(builder, tag)


def _close_table(builder: Builder) -> bool:
    """Close the table, if there is one; return whether there was."""
    if not builder.open.close("table", scope=TABLE_SCOPE):
        return False
    builder.reset_mode()
    return True


def in_caption(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in caption"."""
    if is_end(token, "caption"):
        _close_caption(builder)
        return False
    if is_start(token, *TABLE_PARTS) or is_end(token, "table"):
        return _close_caption(builder)
    if is_end(token, "body", "col", "colgroup", "html", "tbody", "td", "tfoot", "th", "thead", "tr"):
        return False
    return in_body(builder, token)


def _close_caption(builder: Builder) -> bool:
    if not builder.open.close("caption", scope=TABLE_SCOPE):
        return False
    builder.formatting.clear_to_marker()
    builder.mode = "in table"
    return True


def in_column_group(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in column group"."""
    if isinstance(token, Text) and _is_white(builder, token):
        return False
    if is_start(token, "html"):
        return in_body(builder, token)
    if is_start(token, "col"):
        builder.insert(token, push=False)
        return False
    if is_start(token, "template") or is_end(token, "template"):
        return in_head(builder, token)
    if is_end(token, "col"):
        return False
    if not builder.open.current.is_html("colgroup"):
        return False
    builder.open.pop()
    builder.mode = "in table"
    return not is_end(token, "colgroup")


def in_table_body(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in table body"."""
    if is_start(token, "tr", "th", "td"):
        builder.open.clear_back_to(_BODY)
        if token.name == "tr":
            builder.insert(token)
        else:
            builder.imply("tr")
        builder.mode = "in row"
        return token.name != "tr"
    if is_end(token, *TABLE_SECTIONS):
        _close_part(builder, (token.name,), _BODY, "in table")
        return False
    if is_start(token, "caption", "col", "colgroup", *TABLE_SECTIONS) or is_end(token, "table"):
        return _close_part(builder, TABLE_SECTIONS, _BODY, "in table")
    if is_end(token, "body", "caption", "col", "colgroup", "html", "td", "th", "tr"):
        return False
    return in_table(builder, token)


def in_row(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in row"."""
    if is_start(token, "th", "td"):
        builder.open.clear_back_to(_ROW)
        builder.insert(token)
        builder.mode = "in cell"
        builder.formatting.mark()
        return False
    if is_end(token, "tr"):
        _close_part(builder, ("tr",), _ROW, "in table body")
        return False
    if is_start(token, "caption", "col", "colgroup", "tr", *TABLE_SECTIONS) or is_end(token, "table"):
        return _close_part(builder, ("tr",), _ROW, "in table body")
    if is_end(token, *TABLE_SECTIONS):
        is_here = builder.open.in_scope((token.name,), TABLE_SCOPE)
        return is_here and _close_part(builder, ("tr",), _ROW, "in table body")
    if is_end(token, "body", "caption", "col", "colgroup", "html", "td", "th"):
        return False
    return in_table(builder, token)


def _close_part(builder: Builder, names: Collection[str], context: Collection[str], mode: str) -> bool:
    """Close the row or section of one of these names, if there is one in scope; return whether there was."""
    if not builder.open.in_scope(names, TABLE_SCOPE):
        return False
    builder.open.clear_back_to(context)
    builder.open.pop()
    builder.mode = mode
    return True


def in_cell(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in cell"."""
    if is_end(token, "td", "th"):
        _close_cell(builder, token.name)
        return False
    if is_start(token, *TABLE_PARTS):
        return _close_cell(builder, "td", "th")
    if is_end(token, "body", "caption", "col", "colgroup", "html"):
        return False
    if is_end(token, "table", "tbody", "tfoot", "thead", "tr"):
        return builder.open.in_scope((token.name,), TABLE_SCOPE) and _close_cell(builder, "td", "th")
    return in_body(builder, token)


def _close_cell(builder: Builder, *names: str) -> bool:
    """Close the cell of one of these names, if there is one; return whether there was."""
    if not builder.open.close(*names, scope=TABLE_SCOPE):
        return False
    builder.formatting.clear_to_marker()
    builder.mode = "in row"
    return True
