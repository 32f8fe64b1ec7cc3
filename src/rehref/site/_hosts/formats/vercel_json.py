"""The redirections and rewrites in `vercel.json` (vercel.com/docs/project-configuration).

`redirects` take precedence over files and over `rewrites`, which show the content of another path, and count only if
there is no file. The slash at the end counts. Not supported: sources with other expressions than path-to-regexp's
simple ones, other rules for some requests only (`has`, `missing`), `routes` and `bulkRedirectsPath`. Functions are at
`/api/` (vercel.com/docs/functions): whether a rule leads to an existing one is not known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final, TypeAlias

from rehref.site._hosts.formats.placeholders import (
    Caught,
    compiled_path,
    compiled_target,
    literal_path,
    literal_target,
)
from rehref.site._hosts.formats.redirect_format import Format, Refused, expressed
from rehref.site._hosts.formats.redirects_file import check_target, source_path
from rehref.site._hosts.hosts import Host
from rehref.site._hosts.redirect_rules import (
    FoundRules,
    Pointer,
    RefusedError,
    Rule,
    Unread,
    status_at,
    text_at,
)
from rehref.site._hosts.written_redirects import Redirect
from rehref.site._paths import decode_path

VERCEL_JSON: Final = "vercel.json"

_FUNCTIONS = "/api/"
_UNREAD = ("routes", "bulkRedirectsPath")
_LITERAL = re.compile(r"(?:[^\\.^$*+?()\[\]{}|]|\\[^A-Za-z0-9])*").fullmatch
_NAME = r"[A-Za-z_]\w*+"
_SEGMENT = re.compile(rf"(?::({_NAME}))?(\*|\+|\(\.\*\))?", re.ASCII).fullmatch
# # ":name*" also matches no segment, and then the slash before it is missing, too
_CAUGHT = {
    None: ("([^/]+)", False),
    "*": ("(?:/([^/]+(?:/[^/]+)*))?", True),
    "+": ("([^/]+(?:/[^/]+)*)", False),
    "(.*)": ("(.*)", False),
}
_SPECIAL = re.compile(r"[:*+?(){}\\]").search
_REFERENCE = re.compile(rf"(:{_NAME})[*+]?|(\$[1-9][0-9]?)", re.ASCII)
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
                is_for_all = rule.parameters is None
                only = rule.begins if is_for_all and _SPECIAL(entry["source"]) is None else ""
                at = list(_DESTINATION(text, start, end))
                place = (start, end) if rule.always and is_for_all else None
                span = at[0].span(1) if len(at) == 1 and at[0][1] == rule.to[0] else None
                found.pointers.append(Pointer(VERCEL_JSON, line, rule.to[0], span, only, rule.always, place))
    found.unread += (Unread(VERCEL_JSON, _line_of(text, key), f"{key} is not read") for key in _UNREAD if said.get(key))


def _read(found: FoundRules, path: str, data: bytes, host: Host, site_uri: str) -> None:
    parse_vercel_json(found, data)


def _add(data: bytes, redirects: Sequence[Redirect], host: Host) -> tuple[bytes, Refused]:
    entries, refused = expressed(redirects, _entry_for)
    return _changed(data, entries) if entries else data, refused


def _entry_for(redirect: Redirect) -> dict[str, Any]:
    """Return the entry for a redirect. Raises `RefusedError`."""
    has = [{"type": "query", "key": key, "value": re.escape(value)} for key, value in redirect.parameters()]
    entry = {"source": literal_path(redirect.encoded_path), "destination": literal_target(redirect.to)}
    return {**entry, **({"has": has} if has else {}), "permanent": True}


def _changed(data: bytes, more: Sequence[dict[str, Any]], gone: Collection[str] = ()) -> bytes:
    """Return a file, written anew, with more redirects, and without those for some decoded paths."""
    import json

    found: dict[str, Any] = json.loads(data.decode("utf-8-sig")) if data else {}
    listed = [each for each in found.get("redirects", []) if decode_path(_source_in(each)) not in gone]
    special = (number for number, each in enumerate(listed) if re.search("[:(*]", _source_in(each)))
    at = next(special, len(listed))
    listed[at:at] = more
    indent = re.search(rb"\n([ \t]+)", data)
    found["redirects"] = listed
    return json.dumps(found, indent=indent[1].decode() if indent else 2, ensure_ascii=False).encode() + b"\n"


def _source_in(entry: object) -> str:
    return str(entry.get("source", "")) if isinstance(entry, dict) else ""


FORMAT: Final = Format("vercel", _read, _add, without=lambda data, gone: _changed(data, (), gone))


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
    """Return the places of rules: each begins on its line, if its list can be found in the text.

    Else on the first one.
    """
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
    """Return the rule of an entry: with `statusCode`, or 307 if `permanent` is false, else 308.

    Raises `RefusedError`.
    """
    if not isinstance(entry, dict):
        raise RefusedError("it is not an object")
    parameters = _parameters(entry.get("has") or [])
    if entry.get("missing"):
        raise RefusedError("it is for some requests only")
    source, target = source_path(text_at(entry, "source")), text_at(entry, "destination")
    check_target(target)
    default = 307 if entry.get("permanent") is False else 308
    status = status_at(entry, "statusCode", default) if is_redirect else 200
    rule = _matching(where, source, target)._replace(status=status, always=is_redirect)
    return rule._replace(parameters=parameters, has_others=True) if parameters else rule


def _parameters(conditions: object) -> tuple[tuple[str, str | None], ...]:
    """Return the parameters of the query that `has` asks for, with any value or a literal one.

    Raises `RefusedError`.
    """
    found = []
    for each in conditions if isinstance(conditions, list) else [conditions]:
        if not isinstance(each, dict) or each.get("type") != "query":
            raise RefusedError("it is for some requests only")
        value = each.get("value", "")
        if not isinstance(value, str) or _LITERAL(value) is None:
            raise RefusedError("it is for some requests only")
        found.append((text_at(each, "key"), re.sub(r"\\(.)", r"\1", value) if "value" in each else None))
    return tuple(found)


def _matching(where: str, source: str, target: str) -> Rule:
    """Return a rule for a source. Raises `RefusedError`.

    A whole segment may be `:name`; the last one may also be `:name*`, which matches all remaining segments, if any,
    `:name+`, which matches at least one, and `(.*)` or `:name(.*)`, which match the whole rest. In `destination`,
    `:name`, also with `*` or `+` after it, and `$1` are replaced by what these matched.
    """

    def segment(text: str, is_last: bool) -> Sequence[str | Caught]:
        if _SPECIAL(text) is None:
            return [text]
        found = _SEGMENT(text)
        if found is None or (found[2] is not None and not is_last) or (found[1] is None and found[2] != "(.*)"):
            raise RefusedError(f"the expression in {source} is not read")
        pattern, with_slash = _CAUGHT[found[2]]
        return [Caught(found[1] or "", pattern, with_slash)]

    path = compiled_path(source, segment)
    number_of = {f"${number}": number for number in range(1, len(path.names) + 1)}
    number_of |= {f":{name}": number for number, name in enumerate(path.names, start=1)}
    to = compiled_target(target, _REFERENCE, lambda found: number_of.get(found[1] or found[2], found[0]))
    return Rule(where, path.begins, re.compile(rf"\A{path.pattern}\Z", re.DOTALL), to, 200)
