"""The lines of a Markdown text in which references are written.

References are those that Markdown turns into links and images: `[x](here)`, `![x](<here> "title")`, `[x]: here`,
`<https://…>`; and those of raw HTML in it, as `rehref.links` finds them. Lines are those of the text, 1-based. Time is
linear in the text: the length of a reference is bounded.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from html import unescape

import rehref

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})")
_SPAN = re.compile(r"(?<![`\\])(`{1,8})(?!`)[^\n]{1,1000}?(?<!`)\1(?!`)")
_INLINE = re.compile(r"\]\(((?:[^()\\\n]|\\.|\([^()\n]{0,500}\)){0,2000})\)")
_DEFINITION = re.compile(r"^[ \t>]{0,12}\[[^\]\n]{1,500}\]:[ \t]{0,9}\n?[ \t]{0,9}(\S[^\n]*)", re.MULTILINE)
_AUTOLINK = re.compile(r"<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{1,2000})>")
_TITLE = re.compile(r"""\s(?:"[^"]*"|'[^']*'|\([^()]*\))\s*\Z""")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def references_by_line(text: str) -> Mapping[str, tuple[int, ...]]:
    """The references in a Markdown text, each with the lines in which it is written, ascending."""
    text = _without_code(text)
    ends = [found.start() for found in re.finditer("\n", text)]
    lines: dict[str, set[int]] = {}
    for reference, offset in _in_markdown(text):
        lines.setdefault(reference, set()).add(bisect_right(ends, offset - 1) + 1)
    for link in rehref.links(text, media_type="text/html"):
        if link.line is not None:
            lines.setdefault(link.reference, set()).add(link.line)
    return {reference: tuple(sorted(found)) for reference, found in lines.items()}


def _in_markdown(text: str) -> Iterator[tuple[str, int]]:
    """The references that Markdown turns into links and images, and the place of each."""
    for pattern in (_INLINE, _DEFINITION):
        for found in pattern.finditer(text):
            yield _destination(found[1]), found.start(1)
    for found in _AUTOLINK.finditer(text):
        yield unescape(found[1]), found.start(1)


def _destination(written: str) -> str:
    """A reference, decoded.

    Without backslashes before punctuation or a title that may follow, character references decoded.
    """
    text = _TITLE.sub("", f" {written}").strip()
    if text.startswith("<") and text.endswith(">"):
        text = text[1:-1]
    return unescape(_ESCAPED.sub(r"\1", text))


def _without_code(text: str) -> str:
    """The text with spaces in place of code: fenced blocks, and spans between backticks; each line keeps its length.

    Code that is only marked by its indentation is not recognized, since in lists it may be text.
    """
    lines, fence = [], ""
    for line in text.splitlines(keepends=True):
        found = _FENCE.match(line)
        if fence:
            if found is not None and found[1].startswith(fence) and line[found.end() :].strip() == "":
                fence = ""
            lines.append(_blank(line))
        elif found is not None and "`" not in line[found.end() :]:
            fence = found[1]
            lines.append(_blank(line))
        else:
            lines.append(_SPAN.sub(lambda span: " " * len(span[0]), line))
    return "".join(lines)


def _blank(line: str) -> str:
    return "\n" if line.endswith(("\n", "\r")) else ""
