"""Lines of a `map` of nginx, for `return 301 $moved` (nginx.org, ngx_http_map_module): written, and read back.

1. A line is a source, a target and `;`. Words with white space, `;`, braces or quotes are in quotes, in which a
   backslash escapes a quote and a backslash.
2. The source is a decoded path. nginx ignores its case: where the target differs in case alone, the source is an
   expression, which does not.
3. The target is a URI, in which `$` would be a variable.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from rehref.checking.hosting.redirects import Pointer
from rehref.checking.paths import decode_path, folded

_WORD = rb"""(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[^\s;"'{}#][^\s;{}]*+)"""
_LINE = re.compile(rb"^[ \t]*+(" + _WORD + rb")[ \t]++(" + _WORD + rb")[ \t]*+;", re.MULTILINE).finditer
_ESCAPED = re.compile(r"\\([\"'\\])")


def line_of_map(source: str, to: str) -> str:
    """Return the line that leads from a path to a target, both as URIs have them."""
    path = decode_path(source)
    if folded(path) == folded(decode_path(to)):
        path = f"~^{re.escape(path)}$"  # rule 2
    return f"{json.dumps(path, ensure_ascii=False)} {json.dumps(_target(to))};"


def _target(to: str) -> str:
    return to.replace("$", "%24")


def pointers_of_map(name: str, data: bytes) -> Iterator[Pointer]:
    """Yield the targets of the lines of a file called `name`. Raises nothing."""
    for found in _LINE(data):
        words = [each.decode("utf-8", "surrogateescape") for each in found.groups()]
        source, to = (_ESCAPED.sub(r"\1", word[1:-1]) if word[0] in "\"'" else word for word in words)
        source = re.sub(r"\\(.)", r"\1", source[2:-1]) if source.startswith("~^") else source
        quotes = int(words[1][0] in "\"'")
        span = found.start(2) + quotes, found.end(2) - quotes
        yield Pointer(name, 1, to, span, source, True, found.span(), _target)
