"""What is not checked: by path, by target, and by comments in the documents.

A reference is checked if one of the expressions of `include` is found in it or in its target, or there are no such
expressions; and none of `exclude` is found (`rehref.site._grounds.site_context`). Time grows linearly with the length
of the text, and with the lengths of path and pattern. Regular expressions are guarded (`rehref.site._expressions`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase, translate
from itertools import accumulate
from pathlib import Path
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from rehref.files.file_documents import read_within
from rehref.files.file_errors import FileError
from rehref.site._expressions import Expression, ExpressionError, Searched
from rehref.site.codes import GROUPS, members
from rehref.text.large_bytes import mentions

IGNORE_FILE: Final = ".rehrefignore"
IGNORE_ATTRIBUTE: Final = "data-rehref-ignore"
_URI = "uri:"
_WORD = "rehref-ignore"

NamePattern: TypeAlias = "re.Pattern[str] | None"
"""Matches one name of a path; None represents `**`, any number of folders."""

# an escaped character; a set; any other character
_IN_GLOB = re.compile(r"\\(.)|\[[!^]?\]?[^\]]*\]|.", re.DOTALL)
_ANY_NAME = re.compile("")
_COMMENT = re.compile(
    rf"""
    (?P<open> <!-- | /\* ) [ \t\r\n\f]*+
    {_WORD} (?P<what> -next-line | -start | -end )? (?!-?[a-z0-9])
    (?P<codes> [ \t\r\n\f,a-z0-9-]*+ )
    (?P<close> : | \*/ | (?<=--)!?> )
    """,
    re.VERBOSE,
)
_CODE = re.compile(r"[a-z0-9]++(?:-[a-z0-9]++)*")
_BLANKS = re.compile(r"[ \t\f]*+")
_LINE_END = re.compile(r"\r\n?|\n")


def is_excluded(path: str, globs: Iterable[str]) -> bool:
    """Whether a path below the folder, with slashes, matches one of the globs (`exclude_paths`).

    They are like those in a shell's `case`: for a whole path, or for the path of a folder that contains it; `*` also
    matches slashes.
    """
    names = path.split("/")
    paths = ["/".join(names[:count]) for count in range(1, len(names) + 1)]
    return any(fnmatchcase(one, glob.rstrip("/")) for glob in globs for one in paths)


# .rehrefignore


class PathPattern(NamedTuple):
    r"""A line of an ignore file.

    A pattern with a slash before its end is for a path that starts at the folder, any other pattern for a name
    anywhere. A pattern that ends in a slash is for folders only. `*` and `?` match no slash; `[a-z]`, `[!a]` match one
    character; `**` matches any number of folders; `\` removes the special meaning of the next character, also of a `#`
    or `!` at the start of a line.
    """

    names: tuple[NamePattern, ...]
    takes_back: bool
    folders_only: bool

    def matches(self, names: Sequence[str]) -> bool:
        """Whether it matches a path, given as its names; the time is at most their number times that of its own."""
        patterns = self.names
        at = here = 0
        again: tuple[int, int] | None = None  # the position after the last `**`, and the name to try there next
        while here < len(names):
            pattern = patterns[at] if at < len(patterns) else None
            if at < len(patterns) and pattern is None:
                at += 1
                again = (at, here + 1)
            elif pattern is not None and pattern.match(names[here]) is not None:
                at += 1
                here += 1
            elif again is None:
                return False
            else:
                at, here = again
                again = (at, here + 1)
        return all(pattern is None for pattern in patterns[at:])


class IgnoreRules:
    """The rules of an ignore file. `uris`: expressions for targets that are not checked (`uri:REGEX`).

    A reference is not checked if one is found in it as it is written, or in its target.
    """

    def __init__(self, paths: Sequence[PathPattern] = (), uris: Sequence[Searched] = ()) -> None:
        self.uris = tuple(uris)
        self._paths = tuple(paths)
        self._folders: dict[str, bool] = {"": False}

    def ignores(self, path: str) -> bool:
        """Whether the file at a path below the folder, with slashes, is not checked. It may be linked to.

        The last pattern that matches counts. `!` before a pattern includes paths again, but not those in an excluded
        folder.
        """
        if not self._paths:
            return False
        names = path.split("/")
        folders = ("/".join(names[:count]) for count in range(1, len(names)))
        return any(map(self._ignores_folder, folders)) or self._last(names, is_folder=False)

    def _ignores_folder(self, folder: str) -> bool:
        if folder not in self._folders:
            self._folders[folder] = self._last(folder.split("/"), is_folder=True)
        return self._folders[folder]

    def _last(self, names: Sequence[str], *, is_folder: bool) -> bool:
        """Whether the last pattern that matches excludes the path; False if none matches."""
        for pattern in reversed(self._paths):
            if (is_folder or not pattern.folders_only) and pattern.matches(names):
                return not pattern.takes_back
        return False


def path_rules(glob: str) -> IgnoreRules:
    """Return the rules of a single pattern for paths, which may match nothing."""
    pattern = _path_pattern(glob.strip())
    return IgnoreRules(() if pattern is None else (pattern,))


def read_ignore_file(folder: Path) -> IgnoreRules:
    """Return the rules of the ignore file.

    An ordinary file in the folder, of at most 1 MiB (`rehref.files.file_documents`).
    """
    file = folder / IGNORE_FILE
    data = read_within(folder, file)
    if data is None:
        return IgnoreRules()
    return parse_ignore_file(data.decode("utf-8-sig", "surrogateescape"), str(file))


def parse_ignore_file(text: str, name: str = IGNORE_FILE) -> IgnoreRules:
    """Return the rules in the text of an ignore file. Raises `FileError`, which names `name`, for a bad expression."""
    paths: list[PathPattern] = []
    uris: list[Expression] = []
    for number, line in enumerate(map(str.strip, _LINE_END.split(text)), 1):
        if line.startswith(_URI):
            where = f"{name}:{number}"
            try:
                uris.append(Expression(line[len(_URI) :].strip(), where))
            except ExpressionError as error:
                raise FileError(where, str(error), "see rehref check") from error
        elif line != "" and not line.startswith("#"):
            pattern = _path_pattern(line)
            if pattern is not None:
                paths.append(pattern)
    return IgnoreRules(paths, uris)


def _path_pattern(line: str) -> PathPattern | None:
    """Return the pattern of a line; None if it can match nothing."""
    takes_back = line.startswith("!")
    glob = line[1:] if takes_back else line
    folders_only = glob.endswith("/")
    glob = glob.rstrip("/") if folders_only else glob
    if glob == "":
        return None
    is_whole = "/" in glob
    names: list[NamePattern] = [] if is_whole else [None]
    for one in glob.lstrip("/").split("/"):
        if one != "**":
            names.append(_name_pattern(one))
        elif names[-1:] != [None]:
            names.append(None)
    if names[-1] is None:  # the content of a folder, not the folder itself
        names.append(_ANY_NAME)
    return PathPattern(tuple(names), takes_back, folders_only)


def _name_pattern(glob: str) -> re.Pattern[str]:
    def as_fnmatch(found: re.Match[str]) -> str:
        literal = found[1]
        if literal is not None:
            return f"[{literal}]" if literal in "*?[" else str(literal)
        return "[!" + found[0][2:] if found[0].startswith("[^") else found[0]

    return re.compile(translate(_IN_GLOB.sub(as_fnmatch, glob)))


# comments in documents


Position = TypeVar("Position", int, tuple[int, int])
"""The position of a line, or of a character: its line and its column."""


class IgnoredRanges(Generic[Position]):
    """The ranges of a document in which findings are ignored."""

    def __init__(self, ranges: Iterable[tuple[Position, Position, str]] = ()) -> None:
        """`ranges`: first and last position, and a code; "" for all codes."""
        by_code: dict[str, list[tuple[Position, Position]]] = {}
        for first, last, code in ranges:
            by_code.setdefault(code, []).append((first, last))
        self._by_code: dict[str, tuple[list[Position], list[Position]]] = {}
        for code, found in by_code.items():
            found.sort()
            # the greatest end of all ranges that begin up to here
            self._by_code[code] = [first for first, _ in found], list(accumulate((last for _, last in found), max))

    @property
    def codes(self) -> Iterable[str]:
        """The codes that are ignored somewhere, as they are written; "" for all."""
        return self._by_code

    def cover(self, position: Position | None, code: str) -> bool:
        """Whether a finding with that code, at that position, is ignored."""
        return position is not None and (self._has(position, code) or self._has(position, ""))

    def _has(self, position: Position, code: str) -> bool:
        starts, ends = self._by_code.get(code, ((), ()))
        number = bisect_right(starts, position) - 1
        return number >= 0 and position <= ends[number]


def may_ignore(data: bytes, attributes: Iterable[str] = ()) -> bool:
    """Whether a comment in a document, or one of these attributes, may ignore something."""
    # without the word, no name that contains it can occur
    others = (name.lower().encode() for name in attributes if _WORD not in name)
    return mentions(data, _WORD.encode(), *others)


def ignored_lines(text: str) -> IgnoredRanges[int]:
    """Return the ranges of lines that comments leave out, anywhere in a document.

    `<!-- rehref-ignore -->` is for its own line, or, if it is alone on its lines, for the next line;
    `rehref-ignore-next-line` is always for the next line; `rehref-ignore-start` to `rehref-ignore-end`, or to the end
    of the document, is for all lines between, including these two. Codes after the word (`rehref-ignore missing-file,
    missing-fragment: why`), or groups of codes, restrict it to these; the text after a colon is for people. `/* … */`
    works in the same way, as in CSS. A comment is for the line of the reference itself, which may not be the first line
    of its tag. Findings without a line are not ignored.
    """
    if _WORD not in text:
        return IgnoredRanges()
    starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
    ranges: list[tuple[int, int, str]] = []
    begun: dict[str, int] = {}
    before = 0
    comment = _COMMENT.search(text)
    while comment is not None:
        end = _end_of(comment, text)
        first, last = bisect_right(starts, comment.start()), bisect_right(starts, end - 1)
        what = comment["what"]
        codes = codes_named(comment["codes"]) or [""]
        if what == "-start":
            for code in codes:
                begun.setdefault(code, first)
        elif what == "-end":
            ranges += ((line, last, code) for code, line in begun.items())
            begun = {}
        else:
            if what == "-next-line":
                first = last = last + 1
            elif _is_alone(text, comment.start(), end, starts[first - 1], before):
                first, last = first, last + 1
            ranges += ((first, last, code) for code in codes)
        before = end
        comment = _COMMENT.search(text, end)
    ranges += ((line, len(starts), code) for code, line in begun.items())
    return IgnoredRanges(ranges)


def codes_named(text: str) -> list[str]:
    """Return the codes that a text names, groups as all their codes; names that are neither are kept as they are."""
    return [code for name in _CODE.findall(text) for code in (members(name) if name in GROUPS else (name,))]


def _end_of(comment: re.Match[str], text: str) -> int:
    """Return where a comment ends."""
    if comment["close"] != ":":
        return comment.end()
    close = "*/" if comment["open"] == "/*" else "-->"
    end = text.find(close, comment.end())
    return len(text) if end == -1 else end + len(close)


def _is_alone(text: str, start: int, end: int, line_start: int, before: int) -> bool:
    """Whether the lines of a comment have no other text; `before`: the end of the comment before it."""
    if before > line_start or _BLANKS.match(text, line_start, start).end() < start:  # type: ignore[union-attr]
        return False
    behind = _BLANKS.match(text, end).end()  # type: ignore[union-attr]
    return text[behind : behind + 1] in ("", "\r", "\n")
