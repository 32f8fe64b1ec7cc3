"""Changes in files with rules: more lines, new targets in their places, and rules taken out. All other bytes stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from rehref.files.file_errors import FileError
from rehref.site._hosts.formats.redirect_format import Refused, expressed
from rehref.site._hosts.redirect_rules import Pointer
from rehref.site._hosts.written_redirects import Redirect
from rehref.text.encoding import spliced

_TO_QUOTE = re.compile(r"[\s\"';{}]").search


def with_rules(
    data: bytes,
    redirects: Sequence[Redirect],
    express: Callable[[Redirect], str],
    variable: re.Pattern[bytes] | None = None,
    apart: str = "\n",
) -> tuple[bytes, Refused]:
    """Return a file with more rules, and the redirects that `express` refuses.

    Rules come before the first one with a variable, since the first match counts, else at the end. `variable`: finds a
    rule with a variable in its source. `apart`: what is between two rules.
    """
    rules, refused = expressed(redirects, express)
    return _with_lines(data, rules, variable, apart) if rules else data, refused


def _with_lines(data: bytes, rules: Sequence[str], variable: re.Pattern[bytes] | None, apart: str) -> bytes:
    special = None if variable is None else variable.search(data)
    at = len(data) if special is None else special.start()
    before, after, between = data[:at], data[at:], apart.encode()
    beginning = b"" if not before or before.endswith(between) else between[before.endswith(b"\n") :]
    more = beginning + apart.join(rules).encode("utf-8", "surrogateescape") + (between if after else b"\n")
    return before + (more.replace(b"\n", b"\r\n") if b"\r\n" in data else more) + after


def with_targets(
    name: str,
    data: bytes,
    news: Iterable[tuple[Pointer, str | None]],
    without: Callable[[bytes, Collection[str]], bytes] | None,
) -> bytes:
    """Return a file with new targets of rules, and without those with None. Raises `FileError` with the name.

    `without`: as in `Format`.
    """
    splices, gone = [], set[str]()
    for pointer, to in news:
        if to is None and without is not None:
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
    return without(data, gone) if without is not None and gone else data
