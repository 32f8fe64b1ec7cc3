"""Lines of a `map` of nginx, for `return 301 $moved` (nginx.org, ngx_http_map_module): written, and read back.

A line is a source, a target and `;`. Words with white space, `;`, braces or quotes are in quotes, in which a backslash
escapes a quote and a backslash. The source is a decoded path, for a map of `$uri`; the target is a URI, in which `$`
would be a variable. A URL with a query is an expression for a map of `=$request_uri`, which has the same lines: `=`,
then the path and the query as they are sent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from rehref.site._hosts.formats.changed_rules import with_rules
from rehref.site._hosts.formats.redirect_format import Format, Refused
from rehref.site._hosts.hosts import Host
from rehref.site._hosts.redirect_rules import FoundRules, Pointer, RefusedError
from rehref.site._hosts.written_redirects import Redirect
from rehref.site._paths import folded

_WORD = rb"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s;"'{}#][^\s;{}]*+)"""
_LINE = re.compile(rb"^[ \t]*+(" + _WORD + rb")[ \t]++(" + _WORD + rb")[ \t]*+;", re.MULTILINE).finditer
_LONGEST_KEY: Final = 480
"""Bytes of a source: nginx does not start with one that is larger than a bucket, which has 512 in the guide."""
_ESCAPED = re.compile(r"\\([\"'\\])")


def _add(data: bytes, redirects: Sequence[Redirect], host: Host) -> tuple[bytes, Refused]:
    taken = {folded(source): source for _, source, _ in _lines_of(data)}
    return with_rules(data, redirects, partial(_line, taken=taken))


def _line(redirect: Redirect, taken: Mapping[str, str]) -> str:
    """Return the line for a redirect. Raises `RefusedError`."""
    path = redirect.path
    key = path if redirect.query is None else redirect.source
    if len(key.encode("utf-8", "surrogateescape")) > _LONGEST_KEY:
        raise RefusedError("it is too long for a map of nginx")
    if redirect.query is not None:
        source = f"~^{re.escape(f'={redirect.source}')}$"
        return f"{json.dumps(source, ensure_ascii=False)} {json.dumps(_target(redirect.to))};"
    if taken.get(folded(path), path) != path:
        raise RefusedError(f"the line for {taken[folded(path)]} holds for this one, too: nginx ignores case")
    if redirect.case_matters:
        # nginx ignores the case of a source; where another URL that differs in case alone leads elsewhere, that matters
        path = f"~^{re.escape(path)}$"
    return f"{json.dumps(path, ensure_ascii=False)} {json.dumps(_target(redirect.to))};"


def _target(to: str) -> str:
    return to.replace("$", "%24")


def _read(found: FoundRules, path: str, data: bytes, host: Host, site_uri: str) -> None:
    found.pointers += pointers_of_map(path, data)


FORMAT: Final = Format("nginx", _read, _add)


def pointers_of_map(name: str, data: bytes) -> Iterator[Pointer]:
    """Yield the targets of the lines of a file called `name`. Raises nothing."""
    for found, source, to in _lines_of(data):
        source = re.sub(r"\\(.)", r"\1", source[2:-1]) if source.startswith("~^") else source
        source, sent = ("", source[1:]) if source.startswith("=") else (source, "")
        quotes = int(found[2][:1] in b"\"'")
        span = found.start(2) + quotes, found.end(2) - quotes
        yield Pointer(name, 1, to, span, source, True, found.span(), _target, sent)


def _lines_of(data: bytes) -> Iterator[tuple[re.Match[bytes], str, str]]:
    """Yield the lines, each with its two words, without their quotes."""
    for found in _LINE(data):
        words = [each.decode("utf-8", "surrogateescape") for each in found.groups()]
        source, to = (_ESCAPED.sub(r"\1", word[1:-1]) if word[0] in "\"'" else word for word in words)
        yield found, source, to
