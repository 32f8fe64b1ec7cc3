"""The insertion mode "in body", whose rules most other modes also use.

Tags are looked up by name in two tables of small functions. A start tag without an entry is an ordinary element; an end
tag without one is "any other end tag". Misnested formatting elements are in `formatting`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from rehref.markup._source.construction.builder import Builder
from rehref.markup._source.construction.stack import AROUND_ITEMS, BUTTON_SCOPE, LIST_ITEM_SCOPE, SPECIAL
from rehref.markup._source.construction.tokens import Tag, Text
from rehref.markup._source.names_of_html import NAMESPACES, OF_HEAD
from rehref.text import WHITE_SPACE

Action: TypeAlias = Callable[[Builder, Tag], object]
"""Processes a tag."""

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup "
    "main menu nav ol p search section summary ul"
)
_FORMATTING = "b big code em font i s small strike strong tt u"


def in_body(builder: Builder, token: Tag | Text) -> bool:
    """Process a token "using the rules for the in body insertion mode"."""
    if isinstance(token, Text):
        _text(builder, token)
        return False
    if token.is_end and token.name in ("body", "html"):
        return _end_body(builder, token)
    action = _END.get(token.name, _any_other_end) if token.is_end else _START.get(token.name, _ordinary)
    action(builder, token)
    return False


def _text(builder: Builder, text: Text) -> None:
    raw = text.raw.replace("\0", "")
    if raw == "":
        return
    builder.formatting.reconstruct()
    if builder.frameset_ok and (raw if text.cdata else builder.places.decoded_text(raw)).strip(WHITE_SPACE) != "":
        builder.frameset_ok = False


# ------------------------------------------------------------------------------------------- start tags


def _ordinary(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct()
    builder.insert(tag)


def _html(builder: Builder, tag: Tag) -> None:
    if not builder.open.in_template:
        builder.merge("html", tag)


def _body(builder: Builder, tag: Tag) -> None:
    second = builder.open.second
    if second is not None and second.is_html("body") and not builder.open.in_template:
        builder.frameset_ok = False
        builder.merge("body", tag)


def _frameset(builder: Builder, tag: Tag) -> None:
    second = builder.open.second
    if second is not None and second.is_html("body") and builder.frameset_ok:
        builder.places.take_back_body()
        builder.open.pop_to(second)
        builder.insert(tag)
        builder.mode = "in frameset"


def _block(builder: Builder, tag: Tag) -> None:
    builder.close_p()
    builder.insert(tag)


def _heading(builder: Builder, tag: Tag) -> None:
    builder.close_p()
    if builder.open.current.is_html(*_HEADINGS):
        builder.open.pop()
    builder.insert(tag)


def _pre(builder: Builder, tag: Tag) -> None:
    builder.frameset_ok = False
    _block(builder, tag)


def _form(builder: Builder, tag: Tag) -> None:
    if builder.form is not None and not builder.open.in_template:
        return
    builder.close_p()
    node = builder.insert(tag)
    if not builder.open.in_template:
        builder.form = node


def _item(*names: str) -> Callable[[Builder, Tag], None]:
    """`li`; `dd` and `dt`."""

    def start(builder: Builder, tag: Tag) -> None:
        builder.frameset_ok = False
        for name in names:
            if builder.open.close(name, scope=AROUND_ITEMS):
                break
        _block(builder, tag)

    return start


def _plaintext(builder: Builder, tag: Tag) -> None:
    _block(builder, tag)
    builder.raw_text = tag


def _button(builder: Builder, tag: Tag) -> None:
    builder.open.close("button")
    builder.frameset_ok = False
    _ordinary(builder, tag)


def _a(builder: Builder, tag: Tag) -> None:
    before = builder.formatting.after_marker("a")
    if before is not None:
        builder.formatting.adopt("a")
        builder.formatting.remove(before)
        if before.is_open:
            builder.open.remove(before, keeps_content=True)
    _formatting(builder, tag)


def _formatting(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct()
    builder.insert_formatting(tag)


def _nobr(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct()
    if builder.open.in_scope(("nobr",)):
        builder.formatting.adopt("nobr")
        builder.formatting.reconstruct()
    builder.insert_formatting(tag)


def _marker(builder: Builder, tag: Tag) -> None:
    _ordinary(builder, tag)
    builder.formatting.mark()
    builder.frameset_ok = False


def _table(builder: Builder, tag: Tag) -> None:
    builder.close_p()
    builder.insert(tag)
    builder.frameset_ok = False
    builder.mode = "in table"


def _void(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct()
    builder.insert(tag, push=False)
    builder.frameset_ok = False


def _input(builder: Builder, tag: Tag) -> None:
    builder.open.close("select")
    builder.formatting.reconstruct()
    builder.insert(tag, push=False)
    if builder.value_of(tag, "type") != "hidden":
        builder.frameset_ok = False


def _hr(builder: Builder, tag: Tag) -> None:
    builder.close_p()
    if builder.open.in_scope(("select",)):
        builder.open.imply_end_tags()
    builder.insert(tag, push=False)
    builder.frameset_ok = False


def _xmp(builder: Builder, tag: Tag) -> None:
    builder.close_p()
    builder.formatting.reconstruct()
    builder.frameset_ok = False
    builder.insert_raw(tag)


def _raw(builder: Builder, tag: Tag) -> None:
    if tag.name in ("iframe", "textarea"):
        builder.frameset_ok = False
    builder.insert_raw(tag)


def _select(builder: Builder, tag: Tag) -> None:
    if not builder.open.close("select"):
        builder.frameset_ok = False
        _ordinary(builder, tag)


def _option(builder: Builder, tag: Tag) -> None:
    if builder.open.in_scope(("select",)):
        builder.open.imply_end_tags(("optgroup",) if tag.name == "option" else ())
    elif builder.open.current.is_html("option"):
        builder.open.pop()
    _ordinary(builder, tag)


def _ruby(builder: Builder, tag: Tag) -> None:
    if builder.open.in_scope(("ruby",)):
        builder.open.imply_end_tags(("rtc",) if tag.name in ("rp", "rt") else ())
    builder.insert(tag)


def _foreign(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct()
    builder.insert(tag, NAMESPACES[tag.name], push=not tag.self_closing)


# --------------------------------------------------------------------------------------------- end tags


def _end_body(builder: Builder, tag: Tag) -> bool:
    if builder.open.in_scope(("body",)):
        builder.mode = "after body"
        return tag.name == "html"
    return False


def _end_block(builder: Builder, tag: Tag) -> None:
    builder.open.close(tag.name)


def _end_form(builder: Builder, tag: Tag) -> None:
    if builder.open.in_template:
        _end_block(builder, tag)
        return
    node, builder.form = builder.form, None
    if node is not None and builder.open.node_in_scope(node):
        builder.open.imply_end_tags()
        builder.open.remove(node, keeps_content=True)


def _end_marker(builder: Builder, tag: Tag) -> None:
    if builder.open.close(tag.name):
        builder.formatting.clear_to_marker()


def _end_p(builder: Builder, tag: Tag) -> None:
    if not builder.open.close("p", scope=BUTTON_SCOPE):
        builder.imply("p")
        builder.open.pop()


def _end_br(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct()
    builder.imply("br")
    builder.open.pop()
    builder.frameset_ok = False


def _any_other_end(builder: Builder, tag: Tag) -> None:
    builder.open.close(tag.name, scope=SPECIAL)


def _by_name(entries: dict[str, Action]) -> dict[str, Action]:
    """A table with an entry for each of the names in a key."""
    return {name: action for names, action in entries.items() for name in names.split()}


_START = _by_name(
    {
        "html": _html,
        " ".join(OF_HEAD): lambda builder, tag: builder.modes["in head"](builder, tag),
        "body": _body,
        "frameset": _frameset,
        _BLOCKS: _block,
        " ".join(_HEADINGS): _heading,
        "pre listing": _pre,
        "form": _form,
        "li": _item("li"),
        "dd dt": _item("dd", "dt"),
        "plaintext": _plaintext,
        "button": _button,
        "a": _a,
        _FORMATTING: _formatting,
        "nobr": _nobr,
        "applet marquee object": _marker,
        "table": _table,
        "area br embed image img keygen wbr": _void,
        "input": _input,
        "param source track": lambda builder, tag: builder.insert(tag, push=False),
        "hr": _hr,
        "xmp": _xmp,
        "iframe noembed textarea": _raw,
        "noscript": lambda builder, tag: (_raw if builder.scripting else _ordinary)(builder, tag),
        "select": _select,
        "optgroup option": _option,
        "rb rtc rp rt": _ruby,
        "math svg": _foreign,
        "caption col colgroup frame head tbody td tfoot th thead tr": lambda builder, tag: None,
    }
)
_END = _by_name(
    {
        "template": lambda builder, tag: builder.modes["in head"](builder, tag),
        _BLOCKS.replace(" p ", " ") + " button dd dt listing pre select": _end_block,
        "form": _end_form,
        "p": _end_p,
        "li": lambda builder, tag: builder.open.close("li", scope=LIST_ITEM_SCOPE),
        " ".join(_HEADINGS): lambda builder, tag: builder.open.close(*_HEADINGS),
        f"a {_FORMATTING} nobr": lambda builder, tag: builder.formatting.adopt(tag.name),
        "applet marquee object": _end_marker,
        "br": _end_br,
    }
)
