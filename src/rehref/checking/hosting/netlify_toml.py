"""The redirections in `netlify.toml` ("Redirects and rewrites", docs.netlify.com).

1. Each table `[[redirects]]` is a rule like a line of `_redirects`: `from`, `to`, `status` (301 by default), `force`
   for "!", `query` for parameters, `conditions`. Other keys do not change where it leads.
2. Its line is that of its header, if the file has one for each table; else the first line.
3. The rest of the file is ignored. A file that is not TOML is unread as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from rehref.checking.hosting.redirects import Pointer, RefusedError, Rule, Unread
from rehref.checking.hosting.redirects_file import check_target, pointer_of, rule_of, source_path
from rehref.checking.hosting.values import status_of, text_of

NETLIFY_TOML: Final = "netlify.toml"

_HEADER = re.compile(r"[ \t]*+\[\[[ \t]*+redirects[ \t]*+\]\]").match


def parse_netlify_toml(data: bytes, *, site_uri: str = "") -> tuple[list[Rule], list[Unread], list[Pointer]]:
    """Return the rules of a file, what is unread, and the plain targets. `site_uri`: as for `parse_redirects`."""
    import tomllib  # few folders have such a file

    rules: list[Rule] = []
    unread: list[Unread] = []
    pointers: list[Pointer] = []
    try:
        text = data.decode("utf-8-sig")
        tables = tomllib.loads(text).get("redirects", [])
    except RecursionError:
        return [], [Unread(NETLIFY_TOML, None, "it is nested too deeply")], []
    except ValueError as error:  # not UTF-8, not TOML
        return [], [Unread(NETLIFY_TOML, None, f"it is not TOML: {error}")], []
    if not isinstance(tables, list):
        return [], [Unread(NETLIFY_TOML, 1, "redirects is not a list of tables")], []
    for table, line in zip(tables, _lines(text, len(tables)), strict=True):
        try:
            source, rule = _rule(table, f"{NETLIFY_TOML}:{line}", site_uri)
        except RefusedError as refused:
            unread.append(Unread(NETLIFY_TOML, line, str(refused)))
        else:
            rules.append(rule)
            pointer = pointer_of(rule, source, NETLIFY_TOML, line)
            pointers += [] if pointer is None else [pointer]
    return rules, unread, pointers


def _lines(text: str, count: int) -> list[int]:
    """Return the lines of `count` tables (rule 2)."""
    found = [number for number, line in enumerate(text.split("\n"), start=1) if _HEADER(line) is not None]
    return found if len(found) == count else [1] * count


def _rule(table: object, where: str, site_uri: str) -> tuple[str, Rule]:
    """Return the source of a table, as written, and its rule (rule 1). Raises `RefusedError`."""
    if not isinstance(table, dict):
        raise RefusedError("it is not a table")
    source, target = text_of(table, "from"), text_of(table, "to")
    path = source_path(source, site_uri)
    check_target(target)
    query = _table(table, "query")
    parameters = [(name, text_of(query, name)) for name in query]
    has_condition = bool(_table(table, "conditions"))
    rule = rule_of(where, path, parameters, target, status_of(table, "status", 301), loose=True)
    return source, rule._replace(always=table.get("force") is True and not has_condition, last=has_condition)


def _table(table: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """Return the table at a key, empty if there is none. Raises `RefusedError` for another type of value."""
    value = table.get(key, {})
    if not isinstance(value, dict):
        raise RefusedError(f"{key} is not a table")
    return value
