"""How servers are asked, from the options given by name.

The rows of the options are in `rehref.site.check_options`. A value comes from the command line as text or number, from
Python also as an object: an impossible one is refused in one line (`OptionError`). A header field that grants access is
sent only to the host that is named with it. Messages do not show its value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from rehref.exceptions import OptionError, with_value
from rehref.option_rows import Kind, Option
from rehref.site.check_options import ACCEPTED, DEFAULTS, ROWS
from rehref.uri.resolver import parse_or_none
from rehref.web.asking_options import HeaderField, WebOptions
from rehref.web.servers import host_of
from rehref.web.written_numbers import seconds_of, statuses_of

_STATUSES: Final = "write for example 200..=299,403"
_FIELD = re.compile(
    r"(?:(https?://[^\s/?#@]+)/?[ \t]+)?([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*?)[ \t]*"
).fullmatch
_IS_SECRET = re.compile("auth|cookie|token|key|secret|passw|credential|session|jwt|signature", re.IGNORECASE).search
"""The names of header fields that grant access."""
_OURS: Final = frozenset({"host", "connection", "content-length", "transfer-encoding"})
"""Header fields that rehref sets itself."""


def read_option(name: str, given: Mapping[str, Any]) -> Any:
    """The value that one of the options given by name is read as. Raises `OptionError`."""
    row = ROWS[name]
    return _READ[row.kind](row, given[name])


def web_options(given: Mapping[str, Any]) -> WebOptions:
    """How servers are asked, from the options by name; missing ones have their defaults.

    Raises `OptionError`.
    """
    whole = {**DEFAULTS, **given}

    def read(name: str) -> Any:
        return read_option(name, whole)

    return WebOptions(
        max_concurrency=read("max_concurrency"),
        host_concurrency=read("host_concurrency"),
        host_interval=read("host_request_interval"),
        timeout=read("timeout"),
        max_redirects=read("max_redirects"),
        max_retries=read("max_retries"),
        allows_private=read("allow_private"),
        user_agent=read("user_agent"),
        headers=tuple(map(_header, whole["header"])),
        cookies=read("cookie_jar"),
        netrc=read("netrc"),
        robots=read("robots"),
        ca_file=read("ca_file"),
        insecure=read("insecure"),
    )


def accepted(given: str | int | Sequence[str | int]) -> tuple[range, ...]:
    """The statuses that `--accept` names. Raises `OptionError`."""
    texts = [given] if isinstance(given, str | int) else given
    found: list[range] = []
    for text in map(str, texts):
        try:
            found += statuses_of(text)
        except ValueError as error:
            raise OptionError(with_value("--accept", text), str(error), _STATUSES) from error
    return tuple(found) or ACCEPTED


def _header(text: str) -> HeaderField:
    """A header field, with its host, if one is named. A message does not show its value."""
    found = _FIELD(text)
    if found is None or (found[1] is None and found[3].startswith("//")):  # a URL, but not of a host
        name = text.partition(":")[0]
        raise OptionError(
            with_value("--header", f"{name}: …" if ":" in text else "…"),
            "is not a header field",
            "write NAME: VALUE or https://HOST NAME: VALUE",
        )
    url, name, value = found.groups()
    shown = with_value("--header", name)
    if name.lower() in _OURS:
        raise OptionError(shown, "is set by rehref", "leave it out")
    if url is None:
        if _IS_SECRET(name):
            remedy = f"name its host: 'https://HOST {name}: …'"
            raise OptionError(shown, "would be sent to every host that a link leads to", remedy)
        return HeaderField(name, value)
    if parse_or_none(url) is None:
        raise OptionError(
            shown, "names something other than the URL of a host", "write for example https://example.org"
        )
    return HeaderField(name, value, host_of(parse_or_none(url) or url).removesuffix("/"))


def _flag(row: Option, value: Any) -> bool:
    return bool(value)


def _count(row: Option, value: Any) -> int | None:
    if value is None and row.default is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < row.least:
        raise OptionError(with_value(row.flag, str(value)), "is not a possible number", f"give {row.least:g} or more")
    return value


def _time(row: Option, value: Any) -> float:
    seconds = seconds_of(str(value))
    if seconds is None or seconds < row.least:
        remedy = f"write {row.least:g} seconds or more, such as 20 or 20s (seconds), 500ms, or 2m (minutes)"
        raise OptionError(with_value(row.flag, str(value)), "is not a possible time", remedy)
    return seconds


def _texts(row: Option, value: Any) -> tuple[str, ...]:
    return tuple(value)


def _statuses(row: Option, value: Any) -> tuple[range, ...]:
    return accepted(value)


def _text(row: Option, value: Any) -> str:
    if not isinstance(value, str) or any(ord(char) < 32 or ord(char) == 127 for char in value):
        raise OptionError(row.flag, "is not one line of text", "write it on one line")
    return value


def _file(row: Option, value: Any) -> str | None:
    if value == "":
        raise OptionError(row.flag, "is empty", "name a file")
    return None if value is None else str(value)


_READ: Final[Mapping[Kind | None, Callable[[Option, Any], Any]]] = {
    "flag": _flag,
    "count": _count,
    "time": _time,
    "text": _text,
    "texts": _texts,
    "statuses": _statuses,
    "file": _file,
}
