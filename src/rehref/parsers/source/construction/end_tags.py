"""End tags in the insertion mode "in body": looked up by name in a table; what has no entry is "any other end tag"."""

from __future__ import annotations

from collections.abc import Callable

from rehref.parsers.source.construction.builder import Builder
from rehref.parsers.source.construction.formatting import adopt, end_other
from rehref.parsers.source.construction.stack import LIST_ITEM_SCOPE
from rehref.parsers.source.construction.tokens import Tag

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def end_tag(builder: Builder, tag: Tag) -> bool:
    """Process an end tag by the rules of "in body"."""
    return _END.get(tag.name, _any_other)(builder, tag)


def _end_template(builder: Builder, tag: Tag) -> bool:
    return builder.modes["in head"](builder, tag)


def _end_body(builder: Builder, tag: Tag) -> bool:
    if builder.open.in_scope(("body",)):
        builder.mode = "after body"
        return tag.name == "html"
    return False


def _end_block(builder: Builder, tag: Tag) -> bool:
    if builder.open.in_scope((tag.name,)):
        builder.open.imply_end_tags()
        builder.open.pop_until((tag.name,))
    return False


def _end_form(builder: Builder, tag: Tag) -> bool:
    if builder.in_template:
        return _end_block(builder, tag)
    node, builder.form = builder.form, None
    if node is not None and builder.open.node_in_scope(node):
        builder.open.imply_end_tags()
        builder.open.remove(node)
    return False


def _end_p(builder: Builder, tag: Tag) -> bool:
    # without a p to close, one is made and closed
    builder.close_p_in_button_scope()
    return False


def _end_li(builder: Builder, tag: Tag) -> bool:
    if builder.open.in_scope(("li",), LIST_ITEM_SCOPE):
        builder.open.imply_end_tags(("li",))
        builder.open.pop_until(("li",))
    return False


def _end_item(builder: Builder, tag: Tag) -> bool:
    if builder.open.in_scope((tag.name,)):
        builder.open.imply_end_tags((tag.name,))
        builder.open.pop_until((tag.name,))
    return False


def _end_heading(builder: Builder, tag: Tag) -> bool:
    if builder.open.in_scope(HEADINGS):
        builder.open.imply_end_tags()
        builder.open.pop_until(HEADINGS)
    return False


def _end_formatting(builder: Builder, tag: Tag) -> bool:
    adopt(builder, tag.name)
    return False


def _end_marker(builder: Builder, tag: Tag) -> bool:
    if builder.open.in_scope((tag.name,)):
        _end_block(builder, tag)
        builder.formatting.clear_to_marker()
    return False


def _end_br(builder: Builder, tag: Tag) -> bool:
    builder.formatting.reconstruct(builder.open)
    builder.frameset_ok = False
    return False


def _any_other(builder: Builder, tag: Tag) -> bool:
    end_other(builder, tag.name)
    return False


def by_name(entries: dict[str, Callable[[Builder, Tag], bool]]) -> dict[str, Callable[[Builder, Tag], bool]]:
    """A table with an entry for each of the names in a key."""
    return {name: function for names, function in entries.items() for name in names.split()}


BLOCKS = (
    "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup "
    "main menu nav ol p search section summary ul"
)
_END = by_name(
    {
        "template": _end_template,
        "body html": _end_body,
        BLOCKS.replace(" p ", " ") + " button listing pre select": _end_block,
        "form": _end_form,
        "p": _end_p,
        "li": _end_li,
        "dd dt": _end_item,
        " ".join(HEADINGS): _end_heading,
        "a b big code em font i nobr s small strike strong tt u": _end_formatting,
        "applet marquee object": _end_marker,
        "br": _end_br,
    }
)
