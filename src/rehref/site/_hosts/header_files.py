"""The header fields that files of a folder configure its host to send.

Only fields with references that lead somewhere (`Head.CARRIERS`; one of them is `Content-Security-Policy`, which may
forbid a base) and `Content-Type`, which may name an encoding, are read. All functions take linear time, and raise
nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from rehref.site._hosts.host_files import HTACCESS, MARK, logical_lines
from rehref.site._paths import LONGEST_PATH
from rehref.text.header_fields import Head

_WHITE = b" \t\r"
_RULE = re.compile(rb"(?=/)|[A-Za-z][A-Za-z0-9+.\-]*+://[^/?#\s]*+").match
_READ = sorted({*Head.CARRIERS - {"content-location"}, "content-type"}, key=len, reverse=True)
_NAMES = "|".join(_READ).encode()
_DIRECTIVE = re.compile(
    rb"""
    [ \t]*+ header [ \t]++ (?: (?:always|onsuccess) [ \t]++ )?
    (?:add|append|merge|setifempty|set) [ \t]++
    (["']?) (%b) :? \1 [ \t]++ (?=[^ \t\r])
    """
    % _NAMES,
    re.IGNORECASE | re.VERBOSE,
).match
_VALUE = re.compile(
    rb"\"([^\"\\]*+(?:\\[\s\S][^\"\\]*+)*)\"|'([^'\\]*+(?:\\[\s\S][^'\\]*+)*)'|([^ \t\r\"'][^ \t\r]*+)"
).match
_ESCAPE = re.compile(rb"\\([\"'\\])|%(%?)").finditer

ANY: Final = "*"
"""In the path of a rule: any text."""

VARIABLE = re.compile(r"(\*)|:[A-Za-z]\w*+", re.ASCII)
"""Matches what can be any text in such a path."""


class HostField(NamedTuple):
    """A header field that a host should send.

    `name`: as written. `value`: its bytes, without escapes; `offsets`: for each byte and for the end, its place in the
    file, in bytes. `path`: the paths that it is sent for, from the root of the host, as written: `*` and `:name` match
    any text.
    """

    name: str
    value: bytes
    offsets: Sequence[int]
    path: str


def fields_of(path: str, data: bytes, folder: str) -> Iterator[HostField]:
    """Yield the fields of the file at a path. `folder`: as for `fields_of_htaccess`.

    `_headers` is read in the folder itself (Netlify, Cloudflare Pages; also without a known host), `.htaccess` in every
    folder (Apache).
    """
    return fields_of_htaccess(data, folder) if path.endswith(HTACCESS) else fields_of_headers(data)


def fields_of_headers(data: bytes) -> Iterator[HostField]:
    """Yield the fields of a `_headers` file, in order.

    A line that begins with "/" or is a whole URL begins a rule for the paths that it matches; each line below it is a
    field, `Name: value`. White space around a line is ignored; a line that begins with `#` is a comment. `! Name`,
    which removes a field (Cloudflare Pages), is not a field. Of a whole URL only the path counts: a host serves this
    folder under all its names.
    """
    path: str | None = None
    start = len(MARK) if data.startswith(MARK) else 0
    for line in data[start:].split(b"\n"):
        content = line.strip(_WHITE)
        rule = _RULE(content)
        if rule is not None:
            written = content[rule.end() :].decode("utf-8", "replace")
            path = written if written.startswith("/") else "/" + written
            if len(path) > LONGEST_PATH:
                path = None
        elif path is not None:
            before = start + len(line) - len(line.lstrip(_WHITE))
            for field in Head(content).all(*_READ):  # one at most
                value = content[field.start :]
                at = before + field.start
                yield HostField(field.name, value, range(at, at + len(value) + 1), path)
        start += len(line) + 1


def fields_of_htaccess(data: bytes, folder: str) -> Iterator[HostField]:
    """Yield the fields of an `.htaccess`, in order (mod_headers).

    A field is `Header [always|onsuccess] add|append|merge|set|setifempty name value`. It is sent with everything in its
    folder and below; the section around it is ignored. `folder`: the URL path of its folder, with slashes at both ends.
    """
    for _, line, offsets in logical_lines(data):
        directive = _DIRECTIVE(line)
        found = None if directive is None else _VALUE(line, directive.end())
        if directive is None or found is None:
            continue
        group = found.lastindex or 0
        undone = _undone(found[group], found.start(group), "" if group == 3 else "\"'"[group - 1])
        if undone is not None:
            value, inside = undone
            yield HostField(directive[2].decode("ascii"), value, [offsets[at] for at in inside], folder + ANY)


def _undone(raw: bytes, start: int, quote: str) -> tuple[bytes, list[int]] | None:
    r"""Return a value without its escapes, and the offsets of its bytes and of its end; None: it depends on the
    request.

    A quoted value may have `\` before a quote of its kind, or before `\`; a `\` at the end of a line continues it. `%%`
    means `%`; any other `%` depends on the request. `start`: its offset. `quote`: its quotation mark; "" if it has
    none.
    """
    value = bytearray()
    offsets: list[int] = []
    last = 0
    for found in _ESCAPE(raw):
        escaped = found[1]
        if escaped is None and found[2] == b"":
            return None
        if escaped is not None and (quote == "" or escaped not in (b"\\", quote.encode())):
            continue
        value += raw[last : found.start()] + (b"%" if escaped is None else escaped)
        offsets += range(start + last, start + found.start() + 1)
        last = found.end()
    value += raw[last:]
    offsets += range(start + last, start + len(raw) + 1)
    return bytes(value), offsets
