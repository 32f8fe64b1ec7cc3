"""The files that hosts read redirections from: rules in their syntax, new targets in their places, and lines taken out.

1. A new target is written in its place, and a rule that goes is taken out with its line. All other bytes stay, but in
   `vercel.json`, which is written anew if there are more rules, or fewer.
2. What a syntax cannot say is refused, for each rule by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rehref.checking.hosting.htaccess import match_target, quoted
from rehref.checking.hosting.netlify_toml import TABLE
from rehref.checking.hosting.redirects import Pointer, RefusedError
from rehref.checking.hosting.written_redirects import Redirect
from rehref.checking.paths import decode_path
from rehref.comparing.nginx_map import line_of_map
from rehref.files.file_errors import FileError
from rehref.text.encoding import spliced

OPTION: Final = "redirects"
_TO_QUOTE = re.compile(r"[\s\"';{}]").search
_ESCAPED = str.maketrans({":": "%3A", "*": "%2A", "(": "%28", ")": "%29", "+": "%2B"})


class Format(NamedTuple):
    """A syntax of lines. `host`: one that reads it; `rule`: writes a rule; raises `RefusedError`.

    `variable`: finds a rule with a variable in its source; None: new rules come at the end. `apart`: what is between
    two rules.
    """

    host: str
    rule: Callable[[Redirect], str]
    variable: re.Pattern[bytes] | None = None
    apart: str = "\n"


def _match(rule: Redirect) -> str:
    """Return a line for Apache.

    `RedirectMatch` cannot lead to a path with `?` or `#`. `Redirect` leads on from what is below a path, too, but a
    file has nothing there. Raises `RefusedError`.
    """
    source, to = rule.path, match_target(rule.to)
    if to is None and "${" in source:
        raise RefusedError(f"in this file nothing leads from a path with ${{ to {rule.to}")
    if to is None:
        return f'Redirect 301 "{quoted(source)}" "{rule.to}"'
    pattern = re.sub(r"\\([ #&~-])", r"\1", re.escape(source))
    return f'RedirectMatch 301 "^{quoted(pattern)}$" "{to}"'


def _table(rule: Redirect) -> str:
    return f"[[redirects]]\nfrom = {json.dumps(_escaped(rule.source))}\nto = {json.dumps(rule.to)}\nstatus = 301"


def _escaped(source: str) -> str:
    return source.translate(_ESCAPED)


FORMATS: Final[Mapping[str, Format]] = {
    "_redirects": Format(
        "netlify",
        lambda rule: f"{_escaped(rule.source)} {rule.to} 301",
        variable=re.compile(rb"^[ \t]*(?:/\S*)?[*:]", re.MULTILINE),
    ),
    ".htaccess": Format("apache", _match),
    "netlify.toml": Format(
        "netlify",
        _table,
        variable=re.compile(
            TABLE.pattern + rb"(?s:(?!\[\[).)*?from[ \t]*=[ \t]*[\"'][^\"'\n]*[*:](?!//)", re.MULTILINE
        ),
        apart="\n\n",
    ),
    "vercel.json": Format("vercel", _table),  # written as a whole
    "*.map": Format("nginx", lambda rule: line_of_map(*rule)),
}


def with_targets(name: str, data: bytes, news: Iterable[tuple[Pointer, str | None]]) -> bytes:
    """Return a file with new targets of rules, and without those with None (rule 3). Raises `FileError`."""
    splices, gone = [], set[str]()
    for pointer, to in news:
        if to is None and name.endswith(".json"):
            gone.add(pointer.source)
        elif to is None and pointer.rule is not None:
            start, end = pointer.rule
            end = end if data[end - 1 : end] == b"\n" else data.find(b"\n", end) + 1 or len(data)
            splices.append((data.rfind(b"\n", 0, start) + 1, end, b""))
        elif to is not None:
            text = pointer.written(to)
            if pointer.span is None or text is None:
                raise FileError(name, f"line {pointer.line} leads to what moves", f"let it lead to {to} first")
            start, end = pointer.span
            is_quoted = data[start - 1 : start] == data[end : end + 1] and data[end : end + 1] in (b'"', b"'")
            new = (f'"{text}"' if not is_quoted and _TO_QUOTE(text) else text).encode("utf-8", "surrogateescape")
            splices.append((start, end, new.replace(b"'", b"%27") if data[end : end + 1] == b"'" else new))
    data = spliced(data, sorted(splices))
    return in_json(data, (), gone) if gone else data


def in_text(form: Format, data: bytes, rules: Iterable[Redirect]) -> bytes:
    """Return a file with more rules (rule 3). Raises `RefusedError` for one that cannot be written."""
    lines = [form.rule(rule) for rule in rules]
    special = None if form.variable is None else form.variable.search(data)
    at = len(data) if special is None else special.start()
    before, after, apart = data[:at], data[at:], form.apart.encode()
    between = b"" if not before or before.endswith(apart) else apart[before.endswith(b"\n") :]
    more = form.apart.join(lines).encode("utf-8", "surrogateescape")
    more = between + more + (apart if after else b"\n")
    return before + (more.replace(b"\n", b"\r\n") if b"\r\n" in data else more) + after


def in_json(data: bytes, rules: Sequence[Redirect], gone: Collection[str] = ()) -> bytes:
    """Return `vercel.json` with more rules, and without those for some paths (rule 3)."""
    found: dict[str, Any] = json.loads(data.decode("utf-8-sig")) if data else {}
    listed = [each for each in found.get("redirects", []) if decode_path(str(_source_in(each))) not in gone]
    special = (number for number, each in enumerate(listed) if re.search("[:(*]", _source_in(each)))
    at = next(special, len(listed))
    listed[at:at] = ({"source": _escaped(source), "destination": to, "permanent": True} for source, to in rules)
    if not rules and not gone:
        return data
    indent = re.search(rb"\n([ \t]+)", data)
    found["redirects"] = listed
    return json.dumps(found, indent=indent[1].decode() if indent else 2, ensure_ascii=False).encode() + b"\n"


def _source_in(table: object) -> str:
    return str(table.get("source", "")) if isinstance(table, dict) else ""
