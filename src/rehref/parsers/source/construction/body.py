"""The insertion mode "in body", whose rules most other modes also use.

1. Start tags are looked up by name in a table of small functions; a name without an entry is an ordinary element.
2. End tags are in `end_tags`, misnested formatting elements in `formatting`.
"""

from __future__ import annotations

from collections.abc import Callable

from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.end_tags import BLOCKS, HEADINGS, by_name, end_tag
from rehref.parsers.source.construction.formatting import adopt
from rehref.parsers.source.construction.stack import AROUND_ITEMS
from rehref.parsers.source.construction.tokens import Tag, Text
from rehref.parsers.source.names import NAMESPACES, OF_HEAD
from rehref.text.ascii import WHITE_SPACE, lower


def in_body(builder: Builder, token: Tag | Text) -> bool:
    """Process a token "using the rules for the in body insertion mode"."""
    if isinstance(token, Text):
        _text(builder, token)
        return False
    if token.is_end:
        return end_tag(builder, token)
    _START.get(token.name, _ordinary)(builder, token)
    return False


def _text(builder: Builder, text: Text) -> None:
    raw = text.raw.replace("\0", "")
    if raw == "":
        return
    builder.formatting.reconstruct(builder.open)
    if builder.frameset_ok and (raw if text.cdata else builder.places.decoded_text(raw)).strip(WHITE_SPACE) != "":
        builder.frameset_ok = False


# ------------------------------------------------------------------------------------------- start tags


def _ordinary(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct(builder.open)
    builder.insert(tag)


def _html(builder: Builder, tag: Tag) -> None:
    if not builder.open.in_template:
        builder.merge("html", tag)


def _in_head(builder: Builder, tag: Tag) -> None:
    builder.modes["in head"](builder, tag)


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
    if builder.open.current.is_html(*HEADINGS):
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
        adopt(builder, "a")
        builder.formatting.remove(before)
        if before.is_open:
            builder.open.remove(before)
    _formatting(builder, tag)


def _formatting(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct(builder.open)
    builder.insert_formatting(tag)


def _nobr(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct(builder.open)
    if builder.open.in_scope(("nobr",)):
        adopt(builder, "nobr")
        builder.formatting.reconstruct(builder.open)
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
    builder.formatting.reconstruct(builder.open)
    builder.insert(tag, push=False)
    builder.frameset_ok = False


def _input(builder: Builder, tag: Tag) -> None:
    builder.open.close("select")
    builder.formatting.reconstruct(builder.open)
    builder.insert(tag, push=False)
    if not is_hidden(builder, tag):
        builder.frameset_ok = False


def is_hidden(builder: Builder, tag: Tag) -> bool:
    """Whether an `input` is of type `hidden`."""
    return any(
        attribute.name == "type" and lower(builder.places.value(attribute.raw)) == "hidden"
        for attribute in tag.attributes
    )


def _param(builder: Builder, tag: Tag) -> None:
    builder.insert(tag, push=False)


def _hr(builder: Builder, tag: Tag) -> None:
    builder.close_p()
    if builder.open.in_scope(("select",)):
        builder.open.imply_end_tags()
    builder.insert(tag, push=False)
    builder.frameset_ok = False


def _image(builder: Builder, tag: Tag) -> None:
    tag.name = "img"
    _void(builder, tag)


def _textarea(builder: Builder, tag: Tag) -> None:
    builder.insert_raw(tag)
    builder.frameset_ok = False


def _xmp(builder: Builder, tag: Tag) -> None:
    builder.close_p()
    builder.formatting.reconstruct(builder.open)
    builder.frameset_ok = False
    builder.insert_raw(tag)


def _raw(builder: Builder, tag: Tag) -> None:
    if tag.name == "iframe":
        builder.frameset_ok = False
    builder.insert_raw(tag)


def _noscript(builder: Builder, tag: Tag) -> None:
    (_raw if builder.scripting else _ordinary)(builder, tag)


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
    builder.formatting.reconstruct(builder.open)
    builder.insert(tag, NAMESPACES[tag.name], push=not tag.self_closing)


def _ignored(builder: Builder, tag: Tag) -> None:
    """Do nothing."""


_START = by_name(
    {
        "html": _html,
        " ".join(OF_HEAD): _in_head,
        "body": _body,
        "frameset": _frameset,
        BLOCKS: _block,
        " ".join(HEADINGS): _heading,
        "pre listing": _pre,
        "form": _form,
        "li": _item("li"),
        "dd dt": _item("dd", "dt"),
        "plaintext": _plaintext,
        "button": _button,
        "a": _a,
        "b big code em font i s small strike strong tt u": _formatting,
        "nobr": _nobr,
        "applet marquee object": _marker,
        "table": _table,
        "area br embed img keygen wbr": _void,
        "input": _input,
        "param source track": _param,
        "hr": _hr,
        "image": _image,
        "textarea": _textarea,
        "xmp": _xmp,
        "iframe noembed": _raw,
        "noscript": _noscript,
        "select": _select,
        "optgroup option": _option,
        "rb rtc rp rt": _ruby,
        "math svg": _foreign,
        "caption col colgroup frame head tbody td tfoot th thead tr": _ignored,
    }
)
