"""The redirections of an Apache `.htaccess` (mod_alias, httpd.apache.org/docs/2.4/mod/mod_alias.html).

1. `Redirect [status] path to` matches the path and all that is below it, whose rest is put after `to`. The path begins
   at the root of the host, wherever the file stands. `RedirectPermanent` and `RedirectTemp` are the same with 301, 302.
2. `RedirectMatch [status] regex to` matches where the expression is found in the path; `$0` to `$9` stand for what it
   caught.
3. The status is a number, or `permanent`, `temp` (which it is if none is given), `seeother`, `gone`. Only a status from
   300 to 399 leads somewhere.
4. They go before files, and hold for what is in the folder of the `.htaccess`.
5. What stands in `<IfModule>`, `<IfDefine>` or `<IfVersion>` is taken, with a "!" it is not. What stands in any other
   section holds under conditions, and is not taken either.
6. `RewriteRule` is not read. Neither is an expression that could take long: longer than 500 characters, with a repeated
   group that itself repeats or chooses, or with too many repetitions without an end (more than three) or choices.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from math import log2
from types import MappingProxyType

from rehref.checking.redirects import Rule, Template, Unread

_ARGUMENT = re.compile(r""""((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(\S+)""", re.DOTALL)
_STATUS_NAMES = MappingProxyType({"permanent": 301, "temp": 302, "seeother": 303, "gone": 410})
_FIXED_STATUS = MappingProxyType(
    {"redirect": None, "redirectmatch": None, "redirectpermanent": 301, "redirecttemp": 302}
)
_ABSOLUTE = re.compile(r"/|[A-Za-z][A-Za-z0-9+.\-]*+:").match
_TRANSPARENT = frozenset({"<ifmodule", "<ifdefine", "<ifversion"})

_LONGEST_EXPRESSION = 500
# steps as powers of two, on paths of 512 characters; measured, so that none takes longer than a tenth of a second or so
_REPETITION = 8.0
_CHOICE = 1.25
_MOST_STEPS = 26.0
# an escape, a class, a group's begin or end, a quantifier, "|"; nothing else matters to its cost
_TOKEN = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\??|\)|\{[0-9,]*+\}|[*+?|]", re.DOTALL)
_GROUP = re.compile(r"\\([$\\&])|\$([0-9])")


class _RefusedError(Exception):
    """Why a directive is not taken."""


def parse_htaccess(lines: list[str], name: str, within: str) -> tuple[list[Rule], list[Unread]]:
    """The rules of an `.htaccess` called `name`, and its unread lines.

    `within`: the URL path of its folder, decoded, with slashes at both ends.
    """
    rules: list[Rule] = []
    unread: list[Unread] = []
    sections: list[bool] = []
    for number, line in _logical_lines(lines):
        directive, _, rest = line.partition(" ")
        directive = directive.lower()
        where = f"{name}:{number}"
        if directive.startswith("</"):
            if sections:
                sections.pop()
        elif directive.startswith("<"):
            sections.append(directive in _TRANSPARENT and not rest.lstrip().startswith("!"))
        elif directive == "rewriterule":
            unread.append(Unread(where, "RewriteRule is not read"))
        elif directive in _FIXED_STATUS:
            if not all(sections):
                unread.append(Unread(where, "it holds under conditions only"))
                continue
            try:
                rules.append(_rule(where, directive, rest, within))
            except _RefusedError as refused:
                unread.append(Unread(where, str(refused)))
    return rules, unread


def _logical_lines(lines: list[str]) -> list[tuple[int, str]]:
    """Lines with the number of their first, put together where a backslash continues them; without comments."""
    found: list[tuple[int, str]] = []
    pieces: list[str] = []
    first = 0
    for number, line in enumerate(lines, start=1):
        if not pieces:
            first = number
        line = line.rstrip("\r")
        if line.endswith("\\"):
            pieces.append(line[:-1])
            continue
        whole = "".join([*pieces, line]).strip().replace("\t", " ")
        pieces = []
        if whole != "" and not whole.startswith("#"):
            found.append((first, whole))
    return found


def _rule(where: str, directive: str, rest: str, within: str) -> Rule:
    """The rule of one directive. Raises `_RefusedError`."""
    words = [_argument(match) for match in _ARGUMENT.finditer(rest)]
    status = _FIXED_STATUS[directive]
    if status is None:
        status = 302
        named = _status(words[0]) if words else None
        if named is not None:
            status = named
            words = words[1:]
    leads = 300 <= status < 400
    if len(words) != (2 if leads else 1):
        needed = "a path and where it leads are needed" if leads else "a path is needed, and nothing else"
        raise _RefusedError(f"{needed}, with the status {status}")
    source = words[0]
    target = words[1] if leads else ""
    if leads and _ABSOLUTE(target) is None:
        raise _RefusedError(f"{target} is neither a path from the root nor a whole URI")
    if directive == "redirectmatch":
        pattern = _expression(source)
        return Rule(where, "", pattern, _template(target, pattern.groups), status, always=True, within=within)
    if not source.startswith("/"):
        raise _RefusedError(f"a path begins with a slash, and {source} does not")
    tail = "(.*)" if source.endswith("/") else "((?:/.*)?)"
    pattern = re.compile(rf"\A{re.escape(source)}{tail}\Z", re.DOTALL)
    to: Template = (target, 1) if leads else ()
    return Rule(where, source, pattern, to, status, always=True, within=within)


def _argument(match: re.Match[str]) -> str:
    quoted = match[1] if match[1] is not None else match[2]
    return match[3] if quoted is None else re.sub(r"\\([\"'\\])", r"\1", quoted)


def _status(word: str) -> int | None:
    if word.isascii() and word.isdigit() and len(word) == 3:
        return int(word)
    return _STATUS_NAMES.get(word.lower())


def _expression(text: str) -> re.Pattern[str]:
    """Compile the expression of a `RedirectMatch`. Raises `_RefusedError`."""
    if not _is_cheap(text):
        raise _RefusedError("the expression could take too long")
    try:
        with warnings.catch_warnings():
            # Python warns of what other dialects read otherwise: [[:alpha:]]
            warnings.simplefilter("error")
            return re.compile(text, re.DOTALL)
    except (re.error, RecursionError, OverflowError, Warning) as error:
        raise _RefusedError(f"the expression is not understood: {error}") from None


def _is_cheap(text: str) -> bool:
    """Whether matching takes few steps, however it fails (rule 6).

    A repetition may be tried at every character of a path, a choice in each of its ways; where several follow each
    other, the numbers multiply. So their logarithms are added.
    """
    if len(text) > _LONGEST_EXPRESSION:
        return False
    steps = 0.0 if text.startswith("^") else _REPETITION
    # of each open group: how many alternatives it has, and whether anything in it may match in several ways
    alternatives = [1]
    varies = [False]
    closed_varies = False  # whether that holds for a group that ended just before
    end = 0
    was_repetition = False
    for match in _TOKEN.finditer(text):
        token = match[0]
        follows = match.start() == end
        is_repetition = token[0] in "*+{"
        if is_repetition:
            if follows and closed_varies:
                return False
            steps += _REPETITION if token[0] != "{" or "," in token else 0
            varies[-1] = True
        elif token == "?" and not (follows and was_repetition):
            steps += _CHOICE
            varies[-1] = True
        elif token == "|":
            alternatives[-1] += 1
            varies[-1] = True
        elif token[0] == "(":
            alternatives.append(1)
            varies.append(False)
        closed_varies = False
        if token == ")" and len(varies) > 1:
            steps += _CHOICE * log2(alternatives.pop())
            closed_varies = varies.pop()
            varies[-1] |= closed_varies
        end = match.end()
        was_repetition = is_repetition
    return steps + _CHOICE * sum(map(log2, alternatives)) <= _MOST_STEPS


def _template(target: str, groups: int) -> Template:
    """Where a `RedirectMatch` leads; `$` and the number of a group that there is not stand for nothing."""
    parts: list[str | int] = []
    at = 0
    for match in _GROUP.finditer(target):
        parts.append(target[at : match.start()])
        at = match.end()
        if match[1] is not None:
            parts.append(match[1])
        elif int(match[2]) <= groups:
            parts.append(int(match[2]))
    parts.append(target[at:])
    return tuple(parts)


def first_is_deepest(rules: Sequence[Rule]) -> list[Rule]:
    """The rules of several files in the order in which Apache asks: those of the deepest folder first."""
    return sorted(rules, key=lambda rule: -rule.within.count("/"))
