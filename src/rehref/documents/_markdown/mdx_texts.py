"""MDX read for pyromark: its blocks (`mdx_blocks`), and in their texts tags and expressions (micromark's `mdxjs`).

A tag or an expression in a text becomes a tag of HTML of the same length, without names: pyromark skips it, and beside
it emphasis begins and ends as beside `<` and `>`. None begins in code, behind a backslash, in a destination, a title, a
definition or a bare URL. What MDX refuses is text: a brace or a tag that does not end in its paragraph, and all behind
it there; but autolinks are links. As in Docusaurus, `{#id}` is text, and comments as in HTML are skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from typing import Final

from rehref.documents._markdown.dialects import Dialect
from rehref.documents._markdown.jsx_code import MORE, NEVER, OpenCode, unbalanced
from rehref.documents._markdown.link_destinations import destination_at
from rehref.documents._markdown.mdx_blocks import read_blocks
from rehref.documents._markdown.written_blocks import Blocks, Range

_TOKEN = (
    rb"\\[!-/:-@\[-`{-~]|(?P<code>`+)|(?P<comment><!--)|(?P<tag></?(?=[A-Za-z_$>\x80-\xff]))|<(?P<other>[!-~])"
    rb"|(?P<brace>\{)|(?P<open>!?\[)|(?P<close>\])"
)
_URL = rb"|(?<![A-Za-z0-9])(?P<url>(?:https?://|www\.)[\w\x80-\xff-][^\s<]*)"
_TOKENS: Final = re.compile(_TOKEN).search, re.compile(_TOKEN + _URL, re.IGNORECASE).search
_TICKS = re.compile(rb"`+").finditer
_SPACE = re.compile(rb"[ \t]*\n?[ \t]*").match
_TITLE = re.compile(
    rb"\"[^\"\\]*(?:\\[\s\S][^\"\\]*)*\"|'[^'\\]*(?:\\[\s\S][^'\\]*)*'|\([^()\\]*(?:\\[\s\S][^()\\]*)*\)"
).match
_DEFINES = re.compile(rb"\[(?!\^)(?:[^\[\]\\]|\\[\s\S])+\]:").match
_AUTOLINK = re.compile(rb"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.!#$%&'*+/=?^`{|}~-]+@[\w.-]+)>", re.ASCII).match
_BEGINS_HTML = re.compile(rb"(?<!\()<(?=[A-Za-z/!?])").finditer
_INERT = bytes(byte if byte == 0x0A else 0x71 for byte in range(256))
_IS_ALONE = re.compile(rb"<q+>[ \t]*\n").match
_NOT_A_TAG: Final = 0x7D


def read_mdx(data: bytes, begin: int, dialect: Dialect) -> Blocks:
    """The blocks of a text from a byte on, as pyromark reads them. Raises nothing because of its content."""
    blocks = read_blocks(data, begin, has_tables=dialect.has_tables)
    texts = _Texts(blocks, len(data), links_urls=dialect.links_urls)
    for each in blocks.ranges:
        texts.read(each)
    blocks.tags.sort()
    if (wrong := unbalanced(blocks.tags)) is not None:
        blocks.refuse(*wrong)
    return blocks


class _Texts:
    """Reads the texts of one document."""

    def __init__(self, blocks: Blocks, size: int, *, links_urls: bool) -> None:
        self._blocks, self._data = blocks, bytes(blocks.written)
        self._token = _TOKENS[links_urls]
        self._most = 2 * (size + 100)  # how many bytes are read in vain, at most, as those of destinations

    def read(self, text: Range) -> None:
        """Find the tags and expressions in a text, in order and make them inert."""
        data, end = self._data, text.end
        at = self._behind_definitions(text.start, end) if text.is_paragraph else text.start
        ticks: dict[int, list[int]] | None = None
        opened: list[bool] = []  # of each bracket, whether it begins an image
        inactive = 0  # so many of them are around a link, and cannot be one
        while (found := self._token(data, at, end)) is not None:
            at, kind = found.end(), found.lastgroup
            if kind == "code":
                ticks = _runs(data, text.start, end) if ticks is None else ticks
                same = ticks[len(found[0])]
                number = bisect_left(same, at)
                at = same[number] + len(found[0]) if number < len(same) else at
            elif kind == "open":
                opened.append(len(found[0]) == 2)
            elif kind == "close" and opened:
                is_image = opened.pop()
                if is_image or len(opened) >= inactive:
                    behind = self._behind_resource(at, end)
                    inactive = len(opened) if behind > at and not is_image else inactive
                    at = behind
                inactive = min(inactive, len(opened))
            elif kind == "url" and opened:
                at = found.start("url") + 3
            elif kind in ("tag", "brace"):
                at = self._read_code(found, text)
            elif kind == "comment":
                at = self._read_comment(found.start(), end)
            elif kind == "other":
                self._refuse(found.start(), found.end())
        if text.is_paragraph and _IS_ALONE(self._blocks.written, text.start) is not None:
            self._blocks.written[text.start] = _NOT_A_TAG  # it would begin a block of HTML

    def _read_code(self, found: re.Match[bytes], text: Range) -> int:
        """Read the tag or the expression that begins there in a text; return where to read on."""
        start, at, end, blocks = found.start(), found.end(), text.end, self._blocks
        if found[0] == b"{" and self._data[at : at + 1] == b"#":
            return at
        code = OpenCode.expression() if found[0] == b"{" else OpenCode.tag(is_closing=found[0] == b"</")
        behind = code.read(self._data, at, end)
        if behind in (MORE, NEVER):
            return self._refuse(start, end)
        first, last = blocks.place(start), blocks.place_of_end(behind)
        if found[0] == b"{":
            blocks.code.append((first, last))
        else:
            tag = code.made(first, last, -2 - text.start)
            attributes = (
                each._replace(start=blocks.place(each.start), end=blocks.place(each.end)) for each in tag.attributes
            )
            blocks.tags.append(tag._replace(attributes=tuple(attributes)))
        self._make_inert(start, behind)
        return behind

    def _make_inert(self, start: int, end: int) -> None:
        written = self._blocks.written
        written[start + 1 : end - 1] = written[start + 1 : end - 1].translate(_INERT)
        written[start], written[end - 1] = b"<>"

    def _read_comment(self, start: int, end: int) -> int:
        behind = self._data.find(b"-->", start + 4, end) + 3
        if behind == 2:
            return self._refuse(start, end)
        self._make_inert(start, behind)
        return behind

    def _refuse(self, start: int, end: int) -> int:
        """Read what begins with a brace or a `<` as text, to the end; return where to read on."""
        data, blocks = self._data, self._blocks
        autolink = _AUTOLINK(data, start, end)
        what = "{ is not closed" if data[start] == 0x7B else "< does not begin a tag"
        what = what if autolink is None else "there are no autolinks in it; write [text](URL)"
        blocks.refuse(blocks.place(start), what)
        if autolink is not None:
            return autolink.end()
        for found in _BEGINS_HTML(data, start, end):
            if _AUTOLINK(data, found.start(), end) is None:
                blocks.written[found.start()] = _NOT_A_TAG
        return end

    def _behind_resource(self, at: int, end: int) -> int:
        """The end of the destination and the title behind the text of a link, or the same byte if there are none."""
        data = self._data
        if data[at : at + 1] != b"(" or self._most < 0:
            return at
        behind = self._behind_target(at + 1, end)
        if data[behind : behind + 1] == b")" and behind < end:
            return behind + 1
        self._most -= max(behind - at, 0)
        return at

    def _behind_target(self, at: int, end: int) -> int:
        """The end of a destination, white space, a title, and white space, as far as they are there."""
        data = self._data
        at = _end_of_match(_SPACE, data, at, end)
        in_brackets = data[at : at + 1] == b"<"
        at = destination_at(data, at, end)[1] + in_brackets
        behind = _end_of_match(_SPACE, data, at, end)
        title = _TITLE(data, behind, end) if behind > at else None
        return behind if title is None else _end_of_match(_SPACE, data, title.end(), end)

    def _behind_definitions(self, at: int, end: int) -> int:
        """Where the definitions at the beginning of a paragraph end (CommonMark, "link reference definition")."""
        while (label := _DEFINES(self._data, at, end)) is not None:
            behind = self._behind_target(label.end(), end)
            if behind < end and not self._data[label.end() : behind].rstrip(b" \t").endswith(b"\n"):
                break
            at = behind
        return at


def _end_of_match(pattern: Callable[[bytes, int, int], re.Match[bytes] | None], data: bytes, at: int, end: int) -> int:
    """Where a pattern that may match nothing ends."""
    found = pattern(data, at, end)
    return at if found is None else found.end()


def _runs(data: bytes, start: int, end: int) -> dict[int, list[int]]:
    """Where the runs of backticks in a text begin, by their length."""
    runs: dict[int, list[int]] = defaultdict(list)
    for found in _TICKS(data, start, end):
        runs[len(found[0])].append(found.start())
    return runs
