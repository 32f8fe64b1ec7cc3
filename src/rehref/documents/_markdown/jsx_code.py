"""Where an expression, a tag or a module of JavaScript with JSX ends, as far as its brackets and quotes say.

It is read line by line, since in Markdown the marks of quotes and lists may be between two lines. A tag that is in the
text itself keeps its name and attributes; what is inside of expressions is only passed through. Nothing is kept but
what is open, and each byte is read once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

MORE: Final = -1
"""The end has not been read yet."""
NEVER: Final = -2
"""What has been read cannot be the beginning of a tag."""

_MODULE, _BRACES, _TEMPLATE, _COMMENT, _TAG, _CLOSING_TAG, _CHILDREN, _DOUBLE, _SINGLE = range(9)
_CODE: Final = frozenset({_MODULE, _BRACES})
_TOKEN = re.compile(
    rb"[ \t\r\n]+|//[^\r\n]*"
    rb"|(?P<word>[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)"
    rb"|(?P<operand>[0-9][\w.]*|[)\]]"
    rb"|\"[^\"\\\r\n]*+(?:\\[\s\S]?[^\"\\\r\n]*+)*\"?|'[^'\\\r\n]*+(?:\\[\s\S]?[^'\\\r\n]*+)*'?)"
    rb"|(?P<special>/\*|[`{}/<])"
    rb"|[\s\S]"
)
_REGULAR = re.compile(rb"/(?:[^\\/\[\r\n]+|\\[^\r\n]?|\[(?:[^\]\\\r\n]+|\\[^\r\n]?)*\]?)*/?[a-z]*").match
_BEFORE_OPERAND: Final = frozenset(
    b"await case default delete do else extends in instanceof new of return throw typeof void yield".split()
)
_BEGINS_TAG = re.compile(rb"<[A-Za-z_$>\x80-\xff]").match
_IN_TEMPLATE = re.compile(rb"\\[\s\S]|`|\$\{").search
_IN_CHILDREN = re.compile(rb"</?|\{").search
_IN_TAG = re.compile(
    rb"[ \t\r\n]+|(?P<name>[A-Za-z_$\x80-\xff][\w$.:\x80-\xff-]*)|(?P<mark>/\*|[=\"'{/>])|(?P<other>[\s\S])"
).match


class JsxAttribute(NamedTuple):
    """An attribute: its name, what is around its value (a quote, `{`, or "" without one), and where that is."""

    name: str
    form: str
    start: int
    end: int


class JsxTag(NamedTuple):
    """A tag in a text: where it is, its name, whether it closes an element, or is a whole one, and its attributes.

    `within`: the number of the container, or of the paragraph, in which its element begins and ends.
    """

    start: int
    end: int
    name: str
    is_closing: bool
    is_whole: bool
    attributes: tuple[JsxAttribute, ...]
    within: int


def unbalanced(tags: Iterable[JsxTag]) -> tuple[int, str] | None:
    """Where a tag is whose element does not begin or end in the same container or paragraph, and which; or None."""
    opened: list[JsxTag] = []
    for tag in tags:
        if not tag.is_closing:
            opened += [] if tag.is_whole else [tag]
        elif opened and opened[-1].name == tag.name and opened[-1].within == tag.within:
            opened.pop()
        else:
            return (tag.start, f"</{tag.name}> closes nothing that is open there")
    return (opened[-1].start, f"<{opened[-1].name}> is not closed") if opened else None


def is_component(name: str) -> bool:
    """Whether a program decides what an element is (JSX: its name has a dot, or does not begin with a small letter)."""
    return not name[:1].islower() or "." in name


class OpenCode:
    """What is open in a piece of code that is being read."""

    def __init__(self, mode: int) -> None:
        self._open = [mode]
        self._after_operand = False
        self._has_slash = False
        self._needs_value = False
        self._name: str | None = None
        self._value: tuple[str, str, int] | None = None  # of an attribute that is open: its name, its form, its start
        self._attributes: list[JsxAttribute] = []
        self._is_closing = mode == _CLOSING_TAG

    @classmethod
    def expression(cls) -> OpenCode:
        """What is behind a `{`."""
        return cls(_BRACES)

    @classmethod
    def module(cls) -> OpenCode:
        """Lines that begin with `import` or `export`."""
        return cls(_MODULE)

    @classmethod
    def tag(cls, *, is_closing: bool) -> OpenCode:
        """What is behind a `<` or `</`."""
        return cls(_CLOSING_TAG if is_closing else _TAG)

    @property
    def is_complete(self) -> bool:
        """Whether nothing is open in a module."""
        return self._open == [_MODULE]

    def made(self, start: int, end: int, within: int) -> JsxTag:
        """The tag that has been read."""
        return JsxTag(start, end, self._name or "", self._is_closing, self._has_slash, tuple(self._attributes), within)

    def read(self, data: bytes, at: int, end: int) -> int:
        """Read on, from a byte to another. Return where the code ends, `MORE`, or `NEVER`."""
        while at < end:
            mode = self._open[-1]
            if mode in _CODE:
                at = self._in_code(data, at, end)
            elif mode in (_TAG, _CLOSING_TAG):
                at = self._in_tag(data, at, end)
            elif mode == _TEMPLATE:
                at = self._in_template(data, at, end)
            elif mode == _CHILDREN:
                at = self._in_children(data, at, end)
            elif mode == _COMMENT:
                at = self._end_of_value(data, b"*/", at, end)
            else:
                at = self._end_of_value(data, b'"' if mode == _DOUBLE else b"'", at, end)
            if not self._open or at == NEVER:
                return at
        return MORE

    def _in_code(self, data: bytes, at: int, end: int) -> int:
        opened = self._open
        while (found := _TOKEN.match(data, at, end)) is not None:
            at, kind = found.end(), found.lastgroup
            if kind == "word":
                self._after_operand = found[0] not in _BEFORE_OPERAND
            elif kind == "operand":
                self._after_operand = True
            elif kind is None:
                if found[0][:1] not in b" \t\r\n" and found[0][:2] != b"//":
                    self._after_operand = False
            elif found[0] == b"{":
                opened.append(_BRACES)
                self._after_operand = False
            elif found[0] == b"}":
                if opened[-1] == _BRACES:
                    opened.pop()
                self._after_operand = True
                if not opened or opened[-1] not in _CODE:
                    self._end_value(at - 1)
                    return at
            elif found[0] == b"/":
                if not self._after_operand and (regular := _REGULAR(data, found.start(), end)) is not None:
                    at = regular.end()
                self._after_operand = not self._after_operand
            elif found[0] != b"<":
                opened.append(_TEMPLATE if found[0] == b"`" else _COMMENT)
                return at
            elif not self._after_operand and _BEGINS_TAG(data, found.start(), end) is not None:
                opened.append(_TAG)
                self._has_slash = False
                return at
            else:
                self._after_operand = False
        return end

    def _in_template(self, data: bytes, at: int, end: int) -> int:
        while (found := _IN_TEMPLATE(data, at, end)) is not None:
            at = found.end()
            if found[0] == b"`":
                self._open.pop()
                self._after_operand = True
                return at
            if found[0] == b"${":
                self._open.append(_BRACES)
                self._after_operand = False
                return at
        return end

    def _in_children(self, data: bytes, at: int, end: int) -> int:
        found = _IN_CHILDREN(data, at, end)
        if found is None:
            return end
        self._open.append({b"{": _BRACES, b"<": _TAG, b"</": _CLOSING_TAG}[found[0]])
        self._after_operand = self._has_slash = False
        return found.end()

    def _end_of_value(self, data: bytes, closing: bytes, at: int, end: int) -> int:
        """The end of a comment, or of a string that is the value of an attribute."""
        found = data.find(closing, at, end)
        if found == -1:
            return end
        self._open.pop()
        self._end_value(found)
        return found + len(closing)

    def _end_value(self, end: int) -> None:
        if self._value is not None and len(self._open) == 1:
            self._attributes.append(JsxAttribute(*self._value, end))
            self._value = None

    def _in_tag(self, data: bytes, at: int, end: int) -> int:
        is_own = len(self._open) == 1
        while (found := _IN_TAG(data, at, end)) is not None:
            at, kind, what = found.end(), found.lastgroup, found[0]
            if kind is None:
                continue
            if is_own and (
                kind == "other"
                or what == b"/*"
                or (self._needs_value and what[:1] not in b"\"'{")
                or (self._has_slash and what != b">")
            ):
                return NEVER
            if kind == "name":
                self._take_name(what.decode("utf-8", "replace"), at, is_own=is_own)
            elif what == b"=":
                if is_own and (not self._attributes or self._attributes[-1].form):
                    return NEVER
                self._needs_value = is_own
            elif what == b"/":
                self._has_slash = True
            elif what == b">":
                return self._end_tag(at)
            elif kind == "mark":
                return self._begin_value(what, at, is_own=is_own)
        return end

    def _take_name(self, name: str, at: int, *, is_own: bool) -> None:
        if is_own and self._name is None:
            self._name = name
        elif is_own:
            self._attributes.append(JsxAttribute(name, "", at, at))
        else:
            self._has_slash = False

    def _begin_value(self, mark: bytes, at: int, *, is_own: bool) -> int:
        if is_own:
            name = self._attributes.pop().name if self._needs_value else ""
            self._name = self._name or ""
            self._value, self._needs_value = (name, mark.decode(), at), False
        self._after_operand = self._has_slash = False
        self._open.append({b"{": _BRACES, b'"': _DOUBLE, b"'": _SINGLE, b"/*": _COMMENT}[mark])
        return at

    def _end_tag(self, at: int) -> int:
        mode = self._open.pop()
        if not self._open:
            return at
        if mode == _CLOSING_TAG:
            if self._open[-1] == _CHILDREN:
                self._open.pop()
        elif not self._has_slash:
            self._open.append(_CHILDREN)
        self._after_operand, self._has_slash = True, False
        return at
