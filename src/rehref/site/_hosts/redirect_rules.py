"""Redirections of a site: rules that lead from one path to another, and finding the rule for a path.

The first rule that matches counts, in the order of the file. Rules are found by the beginnings of their paths, so that
thousands of rules cost no more than a few. A line with a fault is recorded as unread, with its place and the reason; it
never stops the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter, itemgetter
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import parse_qsl

from rehref.exceptions import RehrefError, SlowExpressionError
from rehref.site._expressions import Searched
from rehref.site._hosts.directories import Directories, Directory
from rehref.site._paths import decode_path, encode, encode_any
from rehref.uri.components import split

LONGEST_PATH = 512

_MOST_PARAMETERS = 100

Template: TypeAlias = tuple[str | int, ...]
"""A target: text, and numbers of captured texts, which are percent-encoded again.

0 is the whole match, then come the groups, then the values of query parameters.
"""


def is_absolute(text: str) -> bool:
    """Whether a text is a path from the root or a whole URI."""
    return text.startswith("/") or split(text).scheme is not None


class RefusedError(RehrefError):
    """Why a line is not used, for people."""


class Unread(NamedTuple):
    """A line of a file that is not used, or a whole file (`line` None), and why."""

    file: str
    line: int | None
    reason: str


class Pointer(NamedTuple):
    """The plain target of a line of a file, one that depends on no request: a path from the root, or a whole URI.

    `span`: its place in the file, in bytes; None if that is not known. `source`: the decoded path, if only this path
    leads there; else "". `always`: whether the rule takes precedence over files. `rule`: its place, if it redirects all
    requests for the path. `written`: returns how a target is written in its place, None if it cannot be. `sent`: the
    path and the query as browsers send them, if only these lead there; else "".
    """

    file: str
    line: int
    to: str
    span: tuple[int, int] | None
    source: str = ""
    always: bool = False
    rule: tuple[int, int] | None = None
    written: Callable[[str], str | None] = str
    sent: str = ""

    @property
    def where(self) -> str:
        """Return the place of the line, for people, as in rules."""
        return f"{self.file}:{self.line}"


def span_of(words: Sequence[str], number: int, content: bytes, offsets: Sequence[int]) -> tuple[int, int] | None:
    """Return the place in the file of the word of a line with that number; None if it is written differently there.

    `words`: those of the line, in order. `content`: its bytes; `offsets`: their places in the file, and that of its
    end.
    """
    start = end = 0
    for word in words[: number + 1]:
        raw = word.encode("utf-8", "surrogateescape")
        start = content.find(raw, end)
        end = start + len(raw)
        if start == -1:
            return None
    return offsets[start], offsets[end]


class Rule(NamedTuple):
    """One rule: a pattern for the decoded path, and a template for its target.

    The status decides: 200 is a rewrite (the content of another path, under this one), 3xx a redirection, and a higher
    status means no content. `begins`: the beginning of every path that it matches: the whole path, or up to a slash, or
    "" if unknown. `within`: the folder, ending in a slash, that the path must be in; "" for any. `parameters`: the
    names in the query, which must be these, each with its value or None for any; None if the query does not matter.
    `has_others`: whether there may be more. `query`: what the query must be, letter by letter; None if it does not
    matter. `last`: whether it is tried after all rules that are not `last`, wherever it is in the file.
    """

    where: str
    begins: str
    pattern: Searched
    to: Template
    status: int
    always: bool = False
    within: str = ""
    parameters: tuple[tuple[str, str | None], ...] | None = None
    has_others: bool = False
    query: str | None = None
    last: bool = False

    def caught(self, path: str) -> Sequence[str] | None:
        """Return the texts that the pattern captures in a path: the whole match, then the groups; None: no match."""
        if not path.startswith(self.within):
            return None
        match = self.pattern.search(path)
        return None if match is None else [match[0], *match.groups("")]

    def parameters_of(self, query: str | None) -> Sequence[str] | None:
        """Return the values of the parameters in a query; None if it does not fit."""
        if self.query is not None and query != self.query:
            return None
        if self.parameters is None:
            return ()
        try:
            given = dict(parse_qsl(query or "", keep_blank_values=True, max_num_fields=_MOST_PARAMETERS))
        except ValueError:  # more fields than any rule has
            return None
        if len(given) != len(self.parameters) and not self.has_others:
            return None
        values = []
        for name, value in self.parameters:
            if name not in given or (value is not None and given[name] != value):
                return None
            if value is None:
                values.append(given[name])
        return values


class Redirection(NamedTuple):
    """The target of a path: a path from the root or a whole URI; "" if there is none.

    `where`: the rule's place, for people.
    """

    to: str
    status: int
    where: str


@dataclass(slots=True)
class FoundRules:
    """What the files of a host say. `unread`: lines that are not used; `pointers`: the plain targets of lines.

    `directories`: settings of folders, which are the keys.
    """

    rules: list[Rule] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    pointers: list[Pointer] = field(default_factory=list)
    directories: dict[str, Directory] = field(default_factory=dict)

    def loaded(self, file: str, data: bytes, language: str, load: Callable[[str], Any]) -> tuple[str, Any]:
        """Return a file as text, and the value that `load` returns; an empty object if it is not in that language."""
        text = ""
        try:
            text = data.decode("utf-8-sig")
            return text, load(text)
        except RecursionError:
            self.unread.append(Unread(file, None, "it is nested too deeply"))
        except ValueError as error:  # not UTF-8, or not in the language
            self.unread.append(Unread(file, None, f"it is not {language}: {error}"))
        return text, {}


class Redirects:
    """The rules of a site.

    `root`: the path of the folder in the rules, with slashes at both ends. `slow`: the places of lines that were used
    until a search took too long, and why. `directories`, `pointers`: as in `FoundRules`.
    """

    def __init__(self, found: FoundRules, root: str = "/") -> None:
        self.root = root
        self._refused = found.unread
        self.slow: dict[str, str] = {}
        self.pointers = tuple(found.pointers)
        self.directories = Directories(found.directories, root)
        self._by_beginning: dict[str, list[tuple[int, Rule]]] = {}
        self.has_always = False
        for number, rule in enumerate(sorted(found.rules, key=attrgetter("last"))):
            self._by_beginning.setdefault(rule.begins, []).append((number, rule))
            self.has_always |= rule.always

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Lines that are not used, as far as that is known yet."""
        places = ((where.rpartition(":"), reason) for where, reason in sorted(self.slow.items()))
        return (*self._refused, *(Unread(file, int(line), reason) for (file, _, line), reason in places))

    @property
    def beginnings(self) -> Collection[str]:
        """The beginnings of the paths of rules; for a rule without variables, the whole path."""
        return self._by_beginning.keys()

    def _caught(self, rule: Rule, path: str) -> Sequence[str] | None:
        """Return what `rule.caught` returns.

        None if its expression takes too long: from then on it is not used, and unread.
        """
        if rule.where in self.slow:
            return None
        try:
            return rule.caught(path)
        except SlowExpressionError as error:
            self.slow[rule.where] = error.args[1]
            return None

    def find(self, path: str, query: str | None, *, exists: bool) -> Redirection | None:
        """Return the redirection of a decoded, absolute path; `exists`: whether there is a file for it.

        For one with a file, only rules that take precedence over files (`always`) count.
        """
        for rule in self._candidates(path):
            if exists and not rule.always:
                continue
            caught = self._caught(rule, path)
            values = None if caught is None else rule.parameters_of(query)
            if caught is not None and values is not None:
                groups = [*map(encode, caught), *map(encode_any, values)]
                to = "".join(part if isinstance(part, str) else groups[part] for part in rule.to)
                return Redirection(to, rule.status, rule.where)
        return None

    def overrides(self, path: str) -> bool:
        """Whether a rule may take precedence over the file of a decoded, absolute path, for some query."""
        if not self.has_always:
            return False
        return any(rule.always and self._caught(rule, path) is not None for rule in self._candidates(path))

    def rules_for(self, path: str) -> int:
        """Return how many rules are tried for a decoded, absolute path at most."""
        return sum(len(self._by_beginning.get(beginning, ())) for beginning in _beginnings(path))

    def _candidates(self, path: str) -> list[Rule]:
        """Return the rules that may match a path, in order."""
        found = [numbered for beginning in _beginnings(path) for numbered in self._by_beginning.get(beginning, ())]
        found.sort(key=itemgetter(0))
        return [rule for _, rule in found]


def _beginnings(path: str) -> set[str]:
    """Return the beginnings of rules that may match a path; none for one of more than `LONGEST_PATH` characters."""
    if len(path) > LONGEST_PATH:
        return set()
    beginnings = {"", path}
    slash = path.find("/")
    while slash != -1:
        beginnings.add(path[:slash])
        beginnings.add(path[: slash + 1])
        slash = path.find("/", slash + 1)
    return beginnings


def root_of(site_uri: str) -> str:
    """Return the path of the site on its host, decoded, with slashes at both ends."""
    parts = split(site_uri)
    if parts.scheme is None or parts.scheme.lower() == "file":
        return "/"
    return "/" + (decode_path(parts.path).strip("/") + "/").removeprefix("/")


def text_at(table: Mapping[str, Any], key: str) -> str:
    """Return the text at a key: values in TOML and JSON may be of any type. Raises `RefusedError`.

    A text that is part of an address has no control characters and no lone surrogates.
    """
    value = table.get(key)
    if value is None:
        raise RefusedError(f"it has no {key!a}")
    if not isinstance(value, str):
        raise RefusedError(f"{key!a} is not a text")
    if not value.isprintable():
        raise RefusedError(f"{key!a} has characters that no URI has")
    return value


def status_at(table: Mapping[str, Any], key: str, default: int) -> int:
    """Return the status at a key: a whole number from 100 to 599. Raises `RefusedError`."""
    value = table.get(key, default)
    if type(value) is not int or not 100 <= value < 600:
        raise RefusedError(f"{key!a} is not a status")
    return value
