"""The insertion modes before and after the body, those of `head`, `template` and framesets.

Each processes one token and returns whether it must be processed again.
"""

from __future__ import annotations

from typing import TypeGuard

from rehref.markup._source.construction.body import in_body
from rehref.markup._source.construction.builder import Builder
from rehref.markup._source.construction.tokens import Tag, Text
from rehref.markup._source.names_of_html import BEGIN_HEAD, OF_HEAD, TABLE_PARTS, may_have_shadow_root
from rehref.text import WHITE_SPACE


def _is_space(builder: Builder, token: Tag | Text) -> bool:
    """Whether a token is white space and nothing else."""
    return isinstance(token, Text) and builder.places.decoded_text(token.raw).strip(WHITE_SPACE) == ""


def is_start(token: Tag | Text, *names: str) -> TypeGuard[Tag]:
    """Whether a token is a start tag of one of these names."""
    return isinstance(token, Tag) and not token.is_end and token.name in names


def is_end(token: Tag | Text, *names: str) -> TypeGuard[Tag]:
    """Whether a token is an end tag of one of these names."""
    return isinstance(token, Tag) and token.is_end and token.name in names


def _is_skipped(builder: Builder, token: Tag | Text) -> bool:
    """Whether a token before the head has no effect: white space, and most end tags."""
    return _is_space(builder, token) or (isinstance(token, Tag) and token.is_end and token.name not in BEGIN_HEAD)


def initial(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "initial" and "before html"."""
    if _is_skipped(builder, token):
        return False
    builder.imply("html")
    builder.mode = "before head"
    if is_start(token, "html"):
        builder.merge("html", token)
        return False
    return True


def before_head(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "before head"."""
    if _is_skipped(builder, token):
        return False
    if is_start(token, "html"):
        return in_body(builder, token)
    builder.head = True
    builder.mode = "in head"
    if is_start(token, "head"):
        builder.insert(token)
        return False
    builder.imply("head")
    return True


def in_head(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in head"."""
    if _is_space(builder, token) or is_start(token, "head"):
        return False
    if is_start(token, "html"):
        return in_body(builder, token)
    if is_start(token, *OF_HEAD, "noscript"):
        _start_in_head(builder, token)
        return False
    if is_end(token, "template"):
        return end_template(builder)
    if isinstance(token, Tag) and token.is_end and token.name not in BEGIN_HEAD:
        return False
    builder.open.pop()
    builder.mode = "after head"
    return not is_end(token, "head")


def _start_in_head(builder: Builder, tag: Tag) -> None:
    if tag.name in ("base", "basefont", "bgsound", "link", "meta"):
        builder.insert(tag, push=False)
    elif tag.name == "template":
        _insert_template(builder, tag)
        builder.formatting.mark()
        builder.frameset_ok = False
        builder.mode = "in template"
        builder.template_modes.append("in template")
    elif tag.name == "noscript" and not builder.scripting:
        builder.insert(tag)
        builder.mode = "in head noscript"
    else:
        builder.insert_raw(tag)


def _insert_template(builder: Builder, tag: Tag) -> None:
    """Whether it is a shadow root is "attach a shadow root" of the DOM Standard, which fails for most elements."""
    host = builder.open.current
    template = builder.insert(tag)
    if builder.value_of(tag, "shadowrootmode") in ("open", "closed"):
        template.is_shadow_root = (
            host.is_html(host.name) and may_have_shadow_root(host.name) and not host.has_shadow_root
        )
        host.has_shadow_root = True


def end_template(builder: Builder) -> bool:
    """An end tag `template`, "in head"."""
    if builder.open.in_template:
        builder.open.pop_until(("template",))
        builder.formatting.clear_to_marker()
        builder.template_modes.pop()
        builder.reset_mode()
    return False


def in_head_noscript(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in head noscript"."""
    if is_start(token, "html"):
        return in_body(builder, token)
    if is_end(token, "noscript"):
        builder.open.pop()
        builder.mode = "in head"
        return False
    if _is_space(builder, token) or is_start(token, "basefont", "bgsound", "link", "meta", "noframes", "style"):
        return in_head(builder, token)
    if is_start(token, "head", "noscript") or (isinstance(token, Tag) and token.is_end and token.name != "br"):
        return False
    builder.open.pop()
    builder.mode = "in head"
    return True


def after_head(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "after head"."""
    if _is_space(builder, token) or is_start(token, "head"):
        return False
    if is_start(token, "html"):
        return in_body(builder, token)
    if is_start(token, *OF_HEAD):
        return in_head(builder, token)
    if is_end(token, "template"):
        return end_template(builder)
    if isinstance(token, Tag) and token.is_end and token.name not in ("body", "html", "br"):
        return False
    builder.places.begin_body()
    if is_start(token, "frameset"):
        builder.insert(token)
        builder.mode = "in frameset"
        return False
    builder.imply("body")
    builder.mode = "in body"
    if is_start(token, "body"):
        builder.merge("body", token)
        builder.frameset_ok = False
        return False
    builder.frameset_ok = True  # a template in the head may have changed it
    return True


def in_template(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in template"."""
    if isinstance(token, Text):
        return in_body(builder, token)
    if token.is_end:
        return end_template(builder) if token.name == "template" else False
    if token.name in OF_HEAD:
        return in_head(builder, token)
    mode = _INSIDE_TABLES.get(token.name, "in table" if token.name in TABLE_PARTS else "in body")
    builder.template_modes[-1] = builder.mode = mode
    return True


_INSIDE_TABLES = {"col": "in column group", "tr": "in table body", "td": "in row", "th": "in row"}


def after_body(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "after body" and "after after body"."""
    if _is_space(builder, token) or is_start(token, "html"):
        return in_body(builder, token)
    if is_end(token, "html") and builder.mode == "after body":
        builder.mode = "after after body"
        return False
    builder.mode = "in body"
    return True


def in_frameset(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "in frameset"."""
    if is_start(token, "html"):
        return in_body(builder, token)
    if is_start(token, "noframes"):
        return in_head(builder, token)
    if is_start(token, "frameset"):
        builder.insert(token)
    elif is_start(token, "frame"):
        builder.insert(token, push=False)
    elif is_end(token, "frameset") and builder.open.second is not None:
        builder.open.pop()
        if not builder.open.current.is_html("frameset"):
            builder.mode = "after frameset"
    return False


def after_frameset(builder: Builder, token: Tag | Text) -> bool:
    """The Standard's "after frameset" and "after after frameset"."""
    if is_start(token, "html"):
        return in_body(builder, token)
    if is_start(token, "noframes"):
        return in_head(builder, token)
    if is_end(token, "html"):
        builder.mode = "after after frameset"
    return False
