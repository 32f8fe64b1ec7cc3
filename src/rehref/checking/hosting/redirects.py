"""Redirections of a site: rules that say which path leads where, and finding the one for a path.

1. A rule has a pattern for the decoded path, and a template of where it leads: text, and numbers of what was caught,
   which is percent-encoded again: 0 is all that matched, then come the groups, then the values of query parameters.
   What comes of it is a path from the root or a whole URI; else the host can do nothing with it.
2. The first rule that matches counts, in the order of the file. Where a file exists, only those count that go before
   files (`always`).
3. The status tells what happens: 200 is a rewrite (the content of another path, under this one), 3xx a redirection, and
   what is higher is no content at all.
4. Rules are found by what their paths begin with, so that thousands of them cost no more than a few.
5. Paths longer than 512 characters match no rule.
6. What is not understood is kept as unread, with its place and the reason; it never stops the rest.
7. Where a line leads is plain if that depends on no request: then it is kept with its place, to be checked itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeAlias
from urllib.parse import parse_qsl

from rehref.checking.expressions import Searched
from rehref.checking.hosting.directories import Directories
from rehref.checking.paths import encode, encode_any
from rehref.exceptions import RehrefError
from rehref.uri.components import SCHEME

LONGEST_PATH = 512
IS_ABSOLUTE = re.compile(f"/|{SCHEME}:").match
"""Whether a text begins as a path from the root or a whole URI does."""

_MOST_PARAMETERS = 100

Template: TypeAlias = tuple[str | int, ...]


class RefusedError(RehrefError):
    """Why a line is not taken, for people."""


class Unread(NamedTuple):
    """A line of a file that was not taken, or a whole file (`line` None), and why."""

    file: str
    line: int | None
    reason: str


class Pointer(NamedTuple):
    """Where a line of a file leads, plainly (rule 7): a path from the root, or a whole URI, as it is written.

    `span`: where that stands in the file, in bytes; None if that is not known. `source`: the decoded path that alone
    leads there, if there is no file for it; "" of all others.
    """

    file: str
    line: int
    to: str
    span: tuple[int, int] | None
    source: str = ""

    @property
    def where(self) -> str:
        """The place of the line, for people, as rules have it."""
        return f"{self.file}:{self.line}"


def span_of(words: Sequence[str], number: int, content: bytes, offsets: Sequence[int]) -> tuple[int, int] | None:
    """Where the word of a line with that number stands in a file; None if it is not written there as it reads.

    `words`: those of the line, in order. `content`: its bytes; `offsets`: where these, and its end, stand.
    """
    start = end = 0
    for word in words[: number + 1]:
        raw = word.encode("utf-8", "surrogateescape")
        start = content.find(raw, end)
        end = start + len(raw)
        if start == -1:
            return None
    return offsets[start], offsets[end]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule (rules 1 to 3).

    `begins`: what every path that it matches begins with: the whole path, or up to a slash, or "" if nothing is known.
    `within`: the folder, ending in a slash, that the path must be in; "" for any. `parameters`: the names of the query,
    which must be these and no others, each with its value or None for any; None if the query does not matter. `last`:
    whether it is asked after all that are not, wherever it stands.
    """

    where: str
    begins: str
    pattern: Searched
    to: Template
    status: int
    always: bool = False
    within: str = ""
    parameters: tuple[tuple[str, str | None], ...] | None = None
    last: bool = False

    def caught(self, path: str) -> Sequence[str] | None:
        """What the pattern catches in a path: all that matched, then the groups. None if it does not match."""
        if not path.startswith(self.within):
            return None
        match = self.pattern.search(path)
        return None if match is None else [match[0], *match.groups("")]

    def parameters_of(self, query: str | None) -> Sequence[str] | None:
        """The values of the parameters in a query; None if it does not fit."""
        if self.parameters is None:
            return ()
        try:
            given = dict(parse_qsl(query or "", keep_blank_values=True, max_num_fields=_MOST_PARAMETERS))
        except ValueError:  # more fields than anyone writes a rule for
            return None
        if len(given) != len(self.parameters):
            return None
        values = []
        for name, value in self.parameters:
            if name not in given or (value is not None and given[name] != value):
                return None
            if value is None:
                values.append(given[name])
        return values


class Redirection(NamedTuple):
    """Where a path leads (rule 1); "" if nowhere. `where`: the place of the rule, for people."""

    to: str
    status: int
    where: str


class Redirects:
    """The rules of a site.

    `root`: the path that the folder has for the rules, with slashes at both ends. `unread`: what was not understood.
    `directories`: what the same files say of folders. `pointers`: where lines lead (rule 7).
    """

    def __init__(
        self,
        rules: Iterable[Rule],
        *,
        root: str = "/",
        unread: tuple[Unread, ...] = (),
        directories: Directories | None = None,
        pointers: tuple[Pointer, ...] = (),
    ) -> None:
        self.root = root
        self.unread = unread
        self.pointers = pointers
        self.directories = Directories() if directories is None else directories
        self._by_beginning: dict[str, list[tuple[int, Rule]]] = {}
        self.has_always = False
        for number, rule in enumerate(sorted(rules, key=attrgetter("last"))):
            self._by_beginning.setdefault(rule.begins, []).append((number, rule))
            self.has_always |= rule.always

    def find(self, path: str, query: str | None, *, exists: bool) -> Redirection | None:
        """The redirection of a decoded, absolute path; `exists`: whether there is a file for it (rule 2)."""
        for rule in self._candidates(path):
            if exists and not rule.always:
                continue
            caught = rule.caught(path)
            values = None if caught is None else rule.parameters_of(query)
            if caught is not None and values is not None:
                groups = [*map(encode, caught), *map(encode_any, values)]
                to = "".join(part if isinstance(part, str) else groups[part] for part in rule.to)
                return Redirection(to, rule.status, rule.where)
        return None

    def overrides(self, path: str) -> bool:
        """Whether a rule may go before the file of a decoded, absolute path, whatever the query."""
        if not self.has_always:
            return False
        return any(rule.always and rule.caught(path) is not None for rule in self._candidates(path))

    def rules_for(self, path: str) -> int:
        """How many rules are asked about a decoded, absolute path at most."""
        return sum(len(self._by_beginning.get(beginning, ())) for beginning in _beginnings(path))

    def _candidates(self, path: str) -> list[Rule]:
        """The rules that may match a path, in order."""
        found = [numbered for beginning in _beginnings(path) for numbered in self._by_beginning.get(beginning, ())]
        found.sort(key=itemgetter(0))
        return [rule for _, rule in found]


def _beginnings(path: str) -> set[str]:
    """What rules that may match a path begin with (rules 4, 5)."""
    if len(path) > LONGEST_PATH:
        return set()
    beginnings = {"", path}
    slash = path.find("/")
    while slash != -1:
        beginnings.add(path[:slash])
        beginnings.add(path[: slash + 1])
        slash = path.find("/", slash + 1)
    return beginnings
