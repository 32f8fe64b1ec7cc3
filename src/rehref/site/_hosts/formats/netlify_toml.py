"""The redirections that Netlify reads in `netlify.toml` ("Redirects and rewrites", docs.netlify.com).

Each table `[[redirects]]` is a rule like a line of `_redirects`; the rest of the file is ignored. A file that is not
TOML is unread as a whole.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from rehref.site._hosts.formats.changed_rules import with_rules
from rehref.site._hosts.formats.placeholders import literal_path, literal_target
from rehref.site._hosts.formats.redirect_format import Format, Refused
from rehref.site._hosts.formats.redirects_file import check_target, pointers_of, redirect_of, source_path
from rehref.site._hosts.hosts import Host
from rehref.site._hosts.redirect_rules import FoundRules, RefusedError, Rule, Unread, status_at, text_at
from rehref.site._hosts.written_redirects import Redirect

NETLIFY_TOML: Final = "netlify.toml"

_TABLE = re.compile(rb"^[ \t]*+\[\[[ \t]*+redirects[ \t]*+\]\]", re.MULTILINE)
_WITH_VARIABLE = re.compile(
    _TABLE.pattern + rb"(?s:(?!\[\[).)*?from[ \t]*=[ \t]*[\"'][^\"'\n]*[*:](?!//)", re.MULTILINE
)

_IN_TABLE = re.compile(rb"[ \t]*+(?:(\w++[ \t]*+=)|(\[)|#|\s*+\Z)").match
_TO = re.compile(rb"""^[ \t]*+to[ \t]*+=[ \t]*+(?:"([^"\\\r\n]*+)"|'([^'\r\n]*+)')""", re.MULTILINE).search


def parse_netlify_toml(found: FoundRules, data: bytes, *, site_uri: str = "") -> None:
    """Add the rules of a file to those that were found, as `parse_redirects` does."""
    import tomllib  # few folders have such a file

    _, said = found.loaded(NETLIFY_TOML, data, "TOML", tomllib.loads)
    tables = said.get("redirects", [])
    if not isinstance(tables, list):
        found.unread.append(Unread(NETLIFY_TOML, 1, "redirects is not a list of tables"))
        return
    for table, (line, place) in zip(tables, _places_of_tables(data, len(tables)), strict=True):
        try:
            source, rule = _rule_of_table(table, f"{NETLIFY_TOML}:{line}", site_uri)
        except RefusedError as refused:
            found.unread.append(Unread(NETLIFY_TOML, line, str(refused)))
        else:
            found.rules.append(rule)
            whole = None if place is None or any(isinstance(value, dict) for value in table.values()) else place
            for pointer in pointers_of(rule, source, NETLIFY_TOML, line, whole):
                at = None if place is None else _TO(data, *place)
                span = None if at is None else at.span(at.lastindex or 0)
                found.pointers.append(pointer._replace(span=span))


def _read(found: FoundRules, path: str, data: bytes, host: Host, site_uri: str) -> None:
    parse_netlify_toml(found, data, site_uri=site_uri)


def _add(data: bytes, redirects: Sequence[Redirect], host: Host) -> tuple[bytes, Refused]:
    return with_rules(data, redirects, _table_for, _WITH_VARIABLE, apart="\n\n")


def _table_for(redirect: Redirect) -> str:
    """Return the table for a redirect. Raises `RefusedError`."""
    pairs = (f"{json.dumps(name)} = {json.dumps(quote(value, ''))}" for name, value in redirect.parameters())
    query = ", ".join(pairs)
    lines = ["[[redirects]]", f"from = {json.dumps(literal_path(redirect.encoded_path))}"]
    lines += [f"query = {{ {query} }}"] if query else []
    return "\n".join((*lines, f"to = {json.dumps(literal_target(redirect.to))}", "status = 301"))


FORMAT: Final = Format("netlify", _read, _add)


def _places_of_tables(data: bytes, count: int) -> list[tuple[int, tuple[int, int] | None]]:
    """Return the lines of `count` tables, and their places, as far as each pair is in one line.

    The line of a table is that of its header, if the file has one for each; else the first line.
    """
    headers = [each.start() for each in _TABLE.finditer(data)]
    if len(headers) != count:
        return [(1, None)] * count
    found, line, before = [], 1, 0
    for start, behind in zip(headers, [*headers[1:], len(data)], strict=False):
        line, before = line + data.count(b"\n", before, start), start
        found.append((line, _place_of_table(data, start, behind)))
    return found


def _place_of_table(data: bytes, start: int, behind: int) -> tuple[int, int] | None:
    """Return the place of a table, with blank lines after it; None if a pair is not in one line. `behind`: at most."""
    at = end = data.find(b"\n", start, behind) + 1 or behind
    for line in data[at:behind].splitlines(keepends=True):
        kind = _IN_TABLE(line)
        if kind is None:
            return None
        if kind[2]:
            break
        at += len(line)
        end = at if kind[1] or (end == at - len(line) and not line.strip()) else end
    return start, end


def _rule_of_table(table: object, where: str, site_uri: str) -> tuple[str, Rule]:
    """Return the source of a table, as written, and its rule. Raises `RefusedError`.

    Its keys are `from`, `to`, `status` (301 by default), `force` for "!", `query` for parameters, `conditions`. Others
    do not change where it leads.
    """
    if not isinstance(table, dict):
        raise RefusedError("it is not a table")
    source, target = text_at(table, "from"), text_at(table, "to")
    path = source_path(source, site_uri)
    check_target(target)
    query = _table(table, "query")
    parameters = [(name, text_at(query, name)) for name in query]
    has_condition = bool(_table(table, "conditions"))
    rule = redirect_of(where, path, parameters, target, status_at(table, "status", 301), loose=True)
    return source, rule._replace(always=table.get("force") is True and not has_condition, last=has_condition)


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the table at a key, empty if there is none. Raises `RefusedError` for another type of value."""
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise RefusedError(f"{key} is not a table")
    return value
