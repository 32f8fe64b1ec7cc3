"""The changes of a rewriting, as a unified diff.

Lines end in LF; every other character, including CR, is part of the line. A last line without LF is marked as in diff
and patch. The diff is right, though not always the shortest.
"""

from __future__ import annotations

import difflib
import io
import re
from collections.abc import Callable, Iterator
from itertools import groupby
from typing import NamedTuple

from rehref.reports.terminal import Style, visible
from rehref.uri.components import mask_text

CONTEXT = 3
_LONGEST_SEARCH = 2000


class ChangedLines(NamedTuple):
    """Lines `old_start` to `old_end` of the old become lines `new_start` to `new_end` of the new."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


class Hunk(NamedTuple):
    """Changes that are shown together, and its heading `@@ -1,5 +1,5 @@`."""

    heading: bytes
    lines: tuple[tuple[bytes, bytes], ...]
    """The mark of a line, ` `, `-` or `+`, and the line with its LF, if it has one."""


def split_lines(data: bytes) -> list[bytes]:
    """The lines with their LF."""
    return io.BytesIO(data).readlines()


def changes(old: list[bytes], new: list[bytes]) -> list[ChangedLines]:
    """The changes, from top to bottom.

    Rewriting hardly ever changes the number of lines: then the n-th line is compared with the n-th, in linear time. If
    it does, a search compares only the lines between the first and the last difference; if these are too many, they are
    one big change.
    """
    if len(old) == len(new):
        return _runs(old, new)
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old_end, new_end = len(old) - end, len(new) - end
    if max(old_end, new_end) - start > _LONGEST_SEARCH:
        return [ChangedLines(start, old_end, start, new_end)]
    search = difflib.SequenceMatcher(None, old[start:old_end], new[start:new_end], autojunk=False)
    found = [places for tag, *places in search.get_opcodes() if tag != "equal"]
    return [ChangedLines(*(place + start for place in places)) for places in found]


def _runs(old: list[bytes], new: list[bytes]) -> list[ChangedLines]:
    """The runs of lines that differ, comparing the n-th line with the n-th."""
    found = []
    for differs, run in groupby(range(len(old)), key=lambda number: old[number] != new[number]):
        numbers = list(run)
        if differs:
            start, end = numbers[0], numbers[-1] + 1
            found.append(ChangedLines(start, end, start, end))
    return found


def hunks(old: bytes, new: bytes) -> Iterator[Hunk]:
    """The hunks of a unified diff, with three lines of context; changes that are closer than that share a hunk."""
    old_lines, new_lines = split_lines(old), split_lines(new)
    together: list[ChangedLines] = []
    for change in changes(old_lines, new_lines):
        if together and change.old_start - together[-1].old_end > 2 * CONTEXT:
            yield _hunk(old_lines, new_lines, together)
            together = []
        together.append(change)
    if together:
        yield _hunk(old_lines, new_lines, together)


def _hunk(old: list[bytes], new: list[bytes], together: list[ChangedLines]) -> Hunk:
    before = min(CONTEXT, together[0].old_start)
    after = min(CONTEXT, len(old) - together[-1].old_end)
    at = old_from = together[0].old_start - before
    new_from = together[0].new_start - before
    old_to, new_to = together[-1].old_end + after, together[-1].new_end + after
    lines: list[tuple[bytes, bytes]] = []
    for change in together:
        lines.extend((b" ", line) for line in old[at : change.old_start])
        lines.extend((b"-", line) for line in old[change.old_start : change.old_end])
        lines.extend((b"+", line) for line in new[change.new_start : change.new_end])
        at = change.old_end
    lines.extend((b" ", line) for line in old[at:old_to])
    return Hunk(f"@@ -{_range(old_from, old_to)} +{_range(new_from, new_to)} @@".encode(), tuple(lines))


def _range(start: int, end: int) -> str:
    """A range of lines as in a unified diff: counted from 1, or from the line before if it is empty."""
    length = end - start
    first = start + 1 if length else start
    return str(first) if length == 1 else f"{first},{length}"


_NO_LF = b"\\ No newline at end of file\n"


def naming(old: str, new: str) -> bytes:
    """The heading of a file that may get a new name, as git reads it; the diff of the file may follow.

    Two names with spaces in one line are in quotes, which patch needs.
    """
    before, after, gone, there = (_heading(name) for name in ("a/" + old, "b/" + new, old, new))
    in_line = (b'"%b"' % name[:-1] if name.endswith(b"\t") else name for name in (before, after))
    heading = b"diff --git %b %b\n" % tuple(in_line)
    return (
        heading
        if new == old
        else heading + b"rename from %b\nrename to %b\n" % (gone.rstrip(b"\t"), there.rstrip(b"\t"))
    )


def patch(name: str, old: bytes | None, new: bytes, new_name: str | None = None) -> bytes:
    """The diff of a document in its own bytes, whatever their encoding, so that `patch -p1` can apply it; b"" if none
    changed.

    `new_name`: if it gets another. `old`: None if there is no such file yet; the diff then has a heading of its own.
    """
    pieces = []
    for hunk in hunks(old or b"", new):
        pieces.append(hunk.heading + b"\n")
        for mark, line in hunk.lines:
            pieces.append(mark + line)
            if not line.endswith(b"\n"):
                pieces.append(b"\n" + _NO_LF)
    if not pieces:
        return b""
    new_name = name if new_name is None else new_name
    before, after = _heading("a/" + name.lstrip("/")), _heading("b/" + new_name.lstrip("/"))
    if old is None:
        return b"%bnew file mode 100644\n--- /dev/null\n+++ %b\n" % (naming(name, name), after) + b"".join(pieces)
    return b"--- %b\n+++ %b\n" % (before, after) + b"".join(pieces)


def _heading(name: str) -> bytes:
    """A name in a patch: in quotes, with escapes, if characters would end it; with a tab if it has a space."""
    raw = name.encode("utf-8", "surrogateescape")
    if _UNSAFE.search(raw):
        return b'"%b"' % _UNSAFE.sub(lambda found: _ESCAPES.get(found[0]) or b"\\%03o" % found[0][0], raw)
    return raw + b"\t" if b" " in raw else raw


_UNSAFE = re.compile(rb'[\x00-\x1f"\\\x7f]')
_ESCAPES = {b"\n": b"\\n", b"\t": b"\\t", b'"': b'\\"', b"\\": b"\\\\", b"\x7f": b"\x7f"}


def pretty(name: str, old: str, new: str, style: Style) -> str:
    """The diff of a decoded document for a terminal, with masked passwords, and control characters visible.

    "" if none changed.
    """
    colors: dict[bytes, Callable[[str], str]] = {b" ": str, b"-": style.removed, b"+": style.good}
    pieces = []
    for hunk in hunks(old.encode("utf-8", "surrogatepass"), new.encode("utf-8", "surrogatepass")):
        pieces.append(style.place(hunk.heading.decode()))
        for mark, line in hunk.lines:
            text = line.decode("utf-8", "surrogatepass")
            text = mask_text(text.removesuffix("\n").removesuffix("\r"))
            pieces.append(colors[mark](mark.decode() + "\t".join(map(visible, text.split("\t")))))
            if not line.endswith(b"\n"):
                pieces.append(style.faint(_NO_LF.decode().rstrip()))
    if not pieces:
        return ""
    path = visible(name.lstrip("/"))
    return "\n".join([style.strong(f"--- a/{path}"), style.strong(f"+++ b/{path}"), *pieces]) + "\n"
