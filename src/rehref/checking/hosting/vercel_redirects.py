r"""The redirections and rewrites in `vercel.json` (vercel.com/docs/project-configuration).

1. `redirects` take precedence over files, with `statusCode`, or 307 if `permanent` is false, else 308; `rewrites`,
   which show the content of another path, count only if there is no file. `redirects` take precedence over `rewrites`.
2. In `source`, a whole segment may be `:name`; the last one may also be `:name*`, which matches all remaining segments,
   if any, `:name+`, which matches at least one, and `(.*)` or `:name(.*)`, which match the whole rest. In
   `destination`, `:name`, also with `*` or `+` after it, and `$1` are replaced by what these matched. The slash at the
   end counts. (That is the simple part of path-to-regexp, which Vercel uses.)
3. Not supported: sources with other expressions, rules for some requests only (`has`, `missing`), `routes` and
   `bulkRedirectsPath`.
4. Functions are at `/api/` (vercel.com/docs/functions): whether a rule leads to an existing one is not known.
5. The line of a rule is the one on which it begins, if its list can be found in the text; else the first line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from rehref.checking.hosting.redirects import (
    FoundRules,
    Pointer,
    RefusedError,
    Rule,
    Template,
    Unread,
    status_at,
    text_at,
)
from rehref.checking.hosting.redirects_file import check_target, source_path
from rehref.checking.paths import decode

VERCEL_JSON: Final = "vercel.json"

_FUNCTIONS = "/api/"
_UNREAD = ("routes", "bulkRedirectsPath")
_CONDITIONS = ("has", "missing")
_NAME = r"[A-Za-z_]\w*+"
_SEGMENT = re.compile(rf"(?::({_NAME}))?(\*|\+|\(\.\*\))?", re.ASCII).fullmatch
_TAILS = {"*": "(?:/([^/]+(?:/[^/]+)*))?", "+": "/([^/]+(?:/[^/]+)*)", "(.*)": "/(.*)"}
_SPECIAL = re.compile(r"[:*+?(){}\\]").search
_REFERENCE = re.compile(rf"(:{_NAME}[*+]?|\$[1-9][0-9]?)", re.ASCII).split
_NEXT = re.compile(r"[\s,]*+").match
_DESTINATION = re.compile(r'"destination"\s*+:\s*+"([^"\\]*+)"').finditer

_Place: TypeAlias = tuple[int, int, int]
"""The line of a rule, and where it begins and ends in the file; no place if that is not known."""
_UNKNOWN: Final[_Place] = (1, 0, 0)


def parse_vercel_json(found: FoundRules, data: bytes) -> None:
    """Add the rules of a file to those that were found, what is unread, and the plain targets. Raises nothing."""
    import json  # few folders have such a file

    _, said = found.loaded(VERCEL_JSON, data, "JSON", json.loads)
    text = data.decode("latin-1")  # # so that places are those of bytes
    if not isinstance(said, dict):
        found.unread.append(Unread(VERCEL_JSON, 1, "it is not an object"))
        return
    for key in ("redirects", "rewrites"):
        for entry, (line, start, end) in _entries(text, said, key, found.unread):
            try:
                rule = _rule(entry, f"{VERCEL_JSON}:{line}", key == "redirects")
            except RefusedError as refused:
                found.unread.append(Unread(VERCEL_JSON, line, str(refused)))
                continue
            found.rules.append(rule)
            if len(rule.to) == 1 and isinstance(rule.to[0], str) and not rule.to[0].startswith(_FUNCTIONS):
                only = rule.begins if _SPECIAL(entry["source"]) is None else ""
                at, place = list(_DESTINATION(text, start, end)), (start, end) if rule.always else None
                span = at[0].span(1) if len(at) == 1 and at[0][1] == rule.to[0] else None
                found.pointers.append(Pointer(VERCEL_JSON, line, rule.to[0], span, only, rule.always, place))
    found.unread += (Unread(VERCEL_JSON, _line_of(text, key), f"{key} is not read") for key in _UNREAD if said.get(key))


def _entries(text: str, said: dict[str, Any], key: str, unread: list[Unread]) -> Iterator[tuple[Any, _Place]]:
    """Yield the rules of a list, each with its place; a value that is not a list is added to `unread`."""
    entries = said.get(key, [])
    if isinstance(entries, list):
        yield from zip(entries, _places(text, key, entries), strict=True)
    else:
        unread.append(Unread(VERCEL_JSON, _line_of(text, key), f"{key} is not a list of rules"))


def _line_of(text: str, key: str) -> int:
    """Return the line of a key that the text has once; else the first line."""
    found = [match.start() for match in re.finditer(rf'"{key}"\s*+:', text)]
    return 1 + text.count("\n", 0, found[0]) if len(found) == 1 else 1


def _places(text: str, key: str, entries: Sequence[object]) -> list[_Place]:
    """Return the places of rules (rule 5)."""
    import json

    lists = [match.end() for match in re.finditer(rf'"{key}"\s*+:\s*+\[\s*+', text)]
    if len(lists) != 1:
        return [_UNKNOWN] * len(entries)
    places: list[_Place] = []
    decoder = json.JSONDecoder()
    at, line = lists[0], 1 + text.count("\n", 0, lists[0])
    try:
        for entry in entries:
            _, end = decoder.raw_decode(text, at)
            if json.loads(text[at:end].encode("latin-1")) != entry:  # this is another list
                return [_UNKNOWN] * len(entries)
            places.append((line, at, end))
            following = _NEXT(text, end)
            end = end if following is None else following.end()
            line += text.count("\n", at, end)
            at = end
    except (ValueError, RecursionError):
        return [_UNKNOWN] * len(entries)
    return places


def _rule(entry: object, where: str, is_redirect: bool) -> Rule:
    """Return the rule of an entry (rules 1 to 3). Raises `RefusedError`."""
    if not isinstance(entry, dict):
        raise RefusedError("it is not an object")
    if any(entry.get(key) for key in _CONDITIONS):
        raise RefusedError("it is for some requests only")
    source, target = source_path(text_at(entry, "source")), text_at(entry, "destination")
    check_target(target)
    default = 307 if entry.get("permanent") is False else 308
    status = status_at(entry, "statusCode", default) if is_redirect else 200
    return _matching(where, source, target)._replace(status=status, always=is_redirect)


def _matching(where: str, source: str, target: str) -> Rule:
    """Return a rule for a source (rule 2). Raises `RefusedError`."""
    names: list[str] = []
    pattern, begins, is_literal = "", "", True
    segments = source.split("/")[1:]
    for number, segment in enumerate(segments, start=1):
        if _SPECIAL(segment) is None:
            pattern += "/" + re.escape(decode(segment))
            begins += "/" + decode(segment) if is_literal else ""
            continue
        found = _SEGMENT(segment)
        if (
            found is None
            or (found[2] is not None and number < len(segments))
            or (found[1] is None and found[2] != "(.*)")
        ):
            raise RefusedError(f"the expression in {source} is not read")
        # # ":name*" also matches no segment, and then the slash before it is missing too
        begins += "/" if is_literal and found[2] != "*" else ""
        is_literal = False
        names.append(str(len(names) + 1) if found[1] is None else found[1])
        pattern += "/([^/]+)" if found[2] is None else _TAILS[found[2]]
    if len(set(names)) != len(names):
        raise RefusedError("it has the same placeholder twice")
    return Rule(where, begins, re.compile(rf"\A{pattern}\Z", re.DOTALL), _template(target, names), 200)


def _template(target: str, names: list[str]) -> Template:
    """Return the target of a rule, with the numbers of `names` for their placeholders."""
    pieces: list[str | int] = []
    for number, piece in enumerate(_REFERENCE(target)):
        # # split yields text and references in turn
        name = piece[1:].rstrip("*+")
        if number % 2 == 0 or (piece[0] == "$" and int(name) > len(names)) or (piece[0] == ":" and name not in names):
            pieces += [piece] if piece else []
        else:
            pieces.append(int(name) if piece[0] == "$" else 1 + names.index(name))
    return tuple(pieces)
