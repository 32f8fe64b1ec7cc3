"""End tags in the insertion mode "in body", looked up by name in a table; those not in it are "any other end tag"."""

from __future__ import annotations

from collections.abc import Callable

from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.formatting import adopt
from rehref.parsers.source.construction.stack import LIST_ITEM_SCOPE, SPECIAL
from rehref.parsers.source.construction.tokens import Tag

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def end_tag(builder: Builder, tag: Tag) -> bool:
    """Process an end tag by the rules of "in body"; True: it must be processed again."""
    if tag.name in ("body", "html"):
        return _end_body(builder, tag)
    _END.get(tag.name, _any_other)(builder, tag)
    return False


def _end_body(builder: Builder, tag: Tag) -> bool:
    if builder.open.in_scope(("body",)):
        builder.mode = "after body"
        return tag.name == "html"
    return False


def _end_template(builder: Builder, tag: Tag) -> None:
    builder.modes["in head"](builder, tag)


def _end_block(builder: Builder, tag: Tag) -> None:
    builder.open.close(tag.name)


def _end_form(builder: Builder, tag: Tag) -> None:
    if builder.open.in_template:
        _end_block(builder, tag)
        return
    node, builder.form = builder.form, None
    if node is not None and builder.open.node_in_scope(node):
        builder.open.imply_end_tags()
        builder.open.remove(node)


def _end_p(builder: Builder, tag: Tag) -> None:
    # without a p to close, one is made and closed
    builder.close_p()


def _end_li(builder: Builder, tag: Tag) -> None:
    builder.open.close("li", scope=LIST_ITEM_SCOPE)


def _end_heading(builder: Builder, tag: Tag) -> None:
    builder.open.close(*HEADINGS)


def _end_formatting(builder: Builder, tag: Tag) -> None:
    adopt(builder, tag.name)


def _end_marker(builder: Builder, tag: Tag) -> None:
    if builder.open.close(tag.name):
        builder.formatting.clear_to_marker()


def _end_br(builder: Builder, tag: Tag) -> None:
    builder.formatting.reconstruct(builder.open)
    builder.frameset_ok = False


def _any_other(builder: Builder, tag: Tag) -> None:
    builder.open.close(tag.name, scope=SPECIAL)


def by_name(entries: dict[str, Callable[[Builder, Tag], None]]) -> dict[str, Callable[[Builder, Tag], None]]:
    """A table with an entry for each of the names in a key."""
    return {name: function for names, function in entries.items() for name in names.split()}


BLOCKS = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup "
    "main menu nav ol p search section summary ul"
)
_END = by_name(
    {
        "template": _end_template,
        BLOCKS.replace(" p ", " ") + " button dd dt listing pre select": _end_block,
        "form": _end_form,
        "p": _end_p,
        "li": _end_li,
        " ".join(HEADINGS): _end_heading,
        "a b big code em font i nobr s small strike strong tt u": _end_formatting,
        "applet marquee object": _end_marker,
        "br": _end_br,
    }
)
