"""The options for asking servers, declared once: name, help, default, and what they become (`WebOptions`).

1. From the rows come the options of `rehref check` and the keyword arguments of `rehref.check`. Names are those of
   lychee where that has one.
2. A value comes from the command line as text or number, from Python also as what it is: what cannot be is refused in
   one line (`OptionError`).
3. Times are seconds, or a number with `ms`, `s` or `m` behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from rehref.checking.options import ACCEPTED, WEB_OPTIONS
from rehref.option_errors import OptionError, with_value
from rehref.web.options import WebOptions

Kind: TypeAlias = Literal["flag", "count", "time", "text", "texts", "file"]
"""What an option takes: nothing, a whole number, a time, a text, several texts, the name of a file."""

_STATUS = re.compile(r"(?P<first>[0-9]{3})?(?P<dots>\.\.(?P<including>=)?(?P<last>[0-9]{3})?)?").fullmatch
_TIME = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)(ms|s|m)?").fullmatch
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0}
_FIELD = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*?)[ \t]*").fullmatch
_OURS: Final = frozenset({"host", "connection", "content-length", "transfer-encoding"})
"""Header fields that are not for anybody to say."""


class WebOption(NamedTuple):
    """A row. `field`: of `WebOptions`; "" for what is none. `least`: the least value. `default`: if not the field's."""

    name: str
    kind: Kind
    help: str
    metavar: str | None = None
    field: str = ""
    least: float = 0
    default: Any = None

    @property
    def flag(self) -> str:
        """What it is called on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def unsaid(self) -> Any:
        """What it is if nobody says it."""
        return getattr(WEB_OPTIONS, self.field) if self.field and self.default is None else self.default


ROWS: Final = (
    WebOption(
        "accept",
        "texts",
        "The statuses that are fine, such as 200..=299,403 (.. without =: the last one is not meant). Default: "
        "100..=103,200..=299.",
        "STATUSES",
        default=(),
    ),
    WebOption("timeout", "time", "How long one response may take, such as 20s.", "TIME", "timeout", 0.001),
    WebOption("max_redirects", "count", "How many redirections are followed.", "N", "max_redirects"),
    WebOption("max_retries", "count", "How often it is asked again after 429, 503 and the like.", "N", "max_retries"),
    WebOption("max_concurrency", "count", "How many servers are asked at once.", "N", "max_concurrency", 1),
    WebOption("host_concurrency", "count", "How often one host is asked at once.", "N", "host_concurrency", 1),
    WebOption(
        "host_request_interval", "time", "The least time between questions to one host.", "TIME", "host_interval"
    ),
    WebOption(
        "header",
        "texts",
        "A header field to send to the hosts that links lead to. (--headers, of other commands, is a file of those "
        "that a document came with.)",
        "NAME: VALUE",
        default=(),
    ),
    WebOption("user_agent", "text", "How to introduce ourselves.", "TEXT", "user_agent"),
    WebOption("cookie_jar", "file", "Cookies to send, a file in Netscape's format.", "FILE", "cookies"),
    WebOption(
        "netrc",
        "file",
        "Names and passwords of hosts, a file. The variable REHREF_NETRC may hold such lines, too.",
        "FILE",
        "netrc",
    ),
    WebOption("insecure", "flag", "Do not verify certificates.", field="insecure"),
    WebOption("ca_file", "file", "Certificates (PEM) to trust besides the system's.", "FILE", "ca_file"),
    WebOption("robots", "flag", "Ask for nothing that robots.txt asks not to.", field="robots"),
    WebOption(
        "allow_private",
        "flag",
        "Ask hosts with addresses that are not public, too: localhost, private networks.",
        field="allows_private",
    ),
    WebOption(
        "cache",
        "file",
        "Where answers are kept from run to run. Default: rehref/web.sqlite in the folder for caches.",
        "FILE",
    ),
    WebOption("no_cache", "flag", "Keep no answers, and take none from before.", default=False),
    WebOption(
        "cache_age",
        "texts",
        "For how long answers count, such as 2d or 404=6h. Default: success a week, redirections a day, errors an hour "
        "or not at all.",
        "[STATUSES=]AGE",
        default=(),
    ),
)


def web_options(given: Mapping[str, Any]) -> WebOptions:
    """How servers are asked, from the options by name; those that are not there have their defaults.

    Raises `OptionError`.
    """
    fields = {row.field: _READ[row.kind](row, given[row.name]) for row in ROWS if row.field and row.name in given}
    headers = given.get("header", ())
    return WebOptions(**{**fields, "headers": tuple(_header(text) for text in headers)})


def accepted(given: str | int | Sequence[str | int]) -> tuple[range, ...]:
    """The statuses that `--accept` names, in lychee's syntax. Raises `OptionError`."""
    texts = [given] if isinstance(given, str | int) else given
    found = tuple(_statuses(part) for text in texts for part in str(text).split(","))
    return found or ACCEPTED


def _statuses(part: str) -> range:
    """`404`, `200..=299`, `200..300`, `200..`, `..=299`, `..`."""
    text = part.strip()
    found = _STATUS(text)
    if found is None or not text:
        raise OptionError(with_value("--accept", text), "is no status", "write such as 200..=299,403")
    first, last = int(found["first"] or 100), int(found["last"] or 999)
    if found["dots"] is None:
        return range(first, first + 1)
    end = last + (found["including"] is not None or found["last"] is None)
    if end <= first or (found["including"] and found["last"] is None):
        raise OptionError(with_value("--accept", text), "is no range of statuses", "write such as 200..=299")
    return range(first, end)


def _header(text: str) -> tuple[str, str]:
    """A header field. A message does not show its value, which may be secret."""
    found = _FIELD(text)
    if found is None:
        name = text.partition(":")[0]
        raise OptionError(with_value("--header", f"{name}: …"), "is no header field", "write NAME: VALUE")
    if found[1].lower() in _OURS:
        raise OptionError(with_value("--header", found[1]), "is not for you to say", "leave it out")
    return found[1], found[2]


def _flag(row: WebOption, value: Any) -> bool:
    return bool(value)


def _count(row: WebOption, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < row.least:
        raise OptionError(with_value(row.flag, str(value)), "is no such number", f"give {row.least:g} or more")
    return value


def _time(row: WebOption, value: Any) -> float:
    found = _TIME(str(value))
    seconds = -1.0 if found is None else float(found[1]) * _UNITS[found[2] or "s"]
    if seconds < row.least:
        raise OptionError(with_value(row.flag, str(value)), "is no time", "write such as 20, 20s or 500ms")
    return seconds


def _text(row: WebOption, value: Any) -> str:
    if not isinstance(value, str) or any(ord(char) < 32 or ord(char) == 127 for char in value):
        raise OptionError(row.flag, "is no text of one line", "write one")
    return value


def _file(row: WebOption, value: Any) -> str | None:
    if value == "":
        raise OptionError(row.flag, "is empty", "name a file")
    return None if value is None else str(value)


_READ: Final[Mapping[str, Callable[[WebOption, Any], Any]]] = {
    "flag": _flag,
    "count": _count,
    "time": _time,
    "text": _text,
    "file": _file,
}
