"""The options for asking servers, declared once: name, help, default, who may set them, and how values are read.

1. The rows give the options of `rehref check`, the keyword arguments of `rehref.check`, and lists of names: which
   options are about pages of a server, which hold secrets, which count only if the user gives them.
2. Names are those of lychee if it has the option. A value comes from the command line as text or number, from Python
   also as an object: an impossible one is refused in one line (`OptionError`). Statuses and times:
   `rehref.text.written`.
3. An option in a discovered configuration counts only if its row says so. An option does not count if it makes rehref
   ask more servers, ask them more or sooner, trust more, or send something of the user's.
4. No report has the value of an option that is a secret, or names a file of secrets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from os import PathLike
from types import UnionType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from rehref.checking.options import ACCEPTED, WEB_OPTIONS
from rehref.exceptions import OptionError, with_value
from rehref.text.written import seconds_of, statuses_of
from rehref.uri.whatwg import parse_or_none
from rehref.web.hosts import host_of
from rehref.web.options import HeaderField, WebOptions

Kind: TypeAlias = Literal["flag", "count", "time", "text", "texts", "statuses", "file"]
"""What an option takes: nothing, a whole number, a time, a text, several texts, statuses, or the name of a file."""

MOST_PAGES: Final = 10_000
"""How many pages are fetched by default."""

_STATUSES: Final = "write for example 200..=299,403"
_FIELD = re.compile(
    r"(?:(https?://[^\s/?#@]+)/?[ \t]+)?([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\x00-\x08\x0a-\x1f\x7f]*?)[ \t]*"
).fullmatch
_IS_SECRET = re.compile("auth|cookie|token|key|secret|passw|credential|session|jwt|signature", re.IGNORECASE).search
"""The names of header fields that grant access."""
_OURS: Final = frozenset({"host", "connection", "content-length", "transfer-encoding"})
"""Header fields that rehref sets itself."""


class WebOption(NamedTuple):
    """A row. `field`: of `WebOptions`, or "". `least`: the least value. `default`: if it is not the field's.

    `is_trusted_only`: whether it is ignored in a discovered configuration (rule 3). `is_secret`: whether its value
    stays out of reports (rule 4). `is_of_pages`: whether it is about which pages of a server are checked.
    """

    name: str
    kind: Kind
    help: str
    metavar: str | None = None
    field: str = ""
    least: float = 0
    default: Any = None
    is_trusted_only: bool = True
    is_secret: bool = False
    is_of_pages: bool = False

    @property
    def flag(self) -> str:
        """Its name on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def group(self) -> str:
        """The heading above it in `--help`."""
        return "Pages of a server, with --external URL" if self.is_of_pages else "Links to other sites, with --external"

    @property
    def unsaid(self) -> Any:
        """Its value if it is not given."""
        return getattr(WEB_OPTIONS, self.field) if self.field and self.default is None else self.default

    def read(self, value: Any) -> Any:
        """The value that a given one is read as. Raises `OptionError`."""
        return _READ[self.kind](self, value)


ROWS: Final = (
    WebOption(
        "accept",
        "statuses",
        "The statuses that are fine, such as 200..=299,403 (.. without = excludes the last one). Default: "
        "100..=103,200..=299.",
        "STATUSES",
        default=(),
        is_trusted_only=False,
    ),
    WebOption(
        "timeout",
        "time",
        "How long one response may take, such as 20s.",
        "TIME",
        "timeout",
        0.001,
        is_trusted_only=False,
    ),
    WebOption(
        "max_redirects", "count", "How many redirections to follow.", "N", "max_redirects", is_trusted_only=False
    ),
    WebOption("max_retries", "count", "How often to retry a request after 429, 503 and the like.", "N", "max_retries"),
    WebOption("max_concurrency", "count", "How many requests to send at once.", "N", "max_concurrency", 1),
    WebOption(
        "host_concurrency", "count", "How many requests to send to one host at once.", "N", "host_concurrency", 1
    ),
    WebOption("host_request_interval", "time", "The least time between requests to one host.", "TIME", "host_interval"),
    WebOption(
        "header",
        "texts",
        "A header field to send, to one host (https://HOST NAME: VALUE) or, if it is not secret, to all hosts that "
        "links lead to. (--headers of other commands is a file of the header fields of a document.)",
        "[URL ]NAME: VALUE",
        default=(),
        is_secret=True,
    ),
    WebOption("user_agent", "text", "The User-Agent to send.", "TEXT", "user_agent"),
    WebOption(
        "cookie_jar", "file", "A file of cookies to send, in Netscape's format.", "FILE", "cookies", is_secret=True
    ),
    WebOption(
        "netrc",
        "file",
        "A file of user names and passwords for hosts. The variable REHREF_NETRC may hold such lines, too.",
        "FILE",
        "netrc",
        is_secret=True,
    ),
    WebOption("insecure", "flag", "Do not verify certificates.", field="insecure"),
    WebOption("ca_file", "file", "A file of certificates (PEM) to trust besides the system's.", "FILE", "ca_file"),
    WebOption("robots", "flag", "Do not request what robots.txt disallows.", field="robots", is_trusted_only=False),
    WebOption(
        "allow_private",
        "flag",
        "Also ask hosts with addresses that are not public: localhost, private networks.",
        field="allows_private",
    ),
    WebOption(
        "cache",
        "file",
        "The file that keeps answers from run to run. Default: rehref/web.sqlite in the folder for caches.",
        "FILE",
    ),
    WebOption("no_cache", "flag", "Do not use or keep answers of other runs.", default=False, is_trusted_only=False),
    WebOption(
        "cache_age",
        "texts",
        "How long answers count, such as 2d or 404=6h; a plain number is seconds. Default: success a week, "
        "redirections a day, errors an hour or not at all.",
        "[STATUSES=]AGE",
        default=(),
        is_trusted_only=False,
    ),
    WebOption(
        "recursive",
        "flag",
        "With --external URL: also check the pages that its pages link to. Follows robots.txt.",
        default=False,
        is_of_pages=True,
    ),
    WebOption(
        "scope",
        "texts",
        "With --recursive: read pages at or below this URL, which may be relative: / is the whole host. Default: the "
        "folder of each URL.",
        "URL",
        default=(),
        is_of_pages=True,
    ),
    WebOption(
        "depth",
        "count",
        "With --recursive: read pages that are at most this many links away.",
        "N",
        is_trusted_only=False,
        is_of_pages=True,
    ),
    WebOption(
        "max_pages",
        "count",
        "With --recursive: fetch at most this many pages.",
        "N",
        least=1,
        default=MOST_PAGES,
        is_of_pages=True,
    ),
    WebOption("no_robots", "flag", "With --recursive: do not follow robots.txt.", default=False, is_of_pages=True),
)
OF_PAGES: Final = tuple(row for row in ROWS if row.is_of_pages)
"""The options about which pages of a server are checked."""
TRUSTED_ONLY: Final = frozenset(row.name for row in ROWS if row.is_trusted_only)
"""The names of the options that are ignored in a discovered configuration (rule 3)."""
SECRET: Final = frozenset(row.name for row in ROWS if row.is_secret)
"""The names of the options whose values stay out of reports (rule 4)."""
OF_TEXTS: Final = tuple(row.name for row in ROWS if row.kind == "texts")
"""The names of the options that take a sequence of texts, never a single text."""
OF_STATUSES: Final = frozenset(row.name for row in ROWS if row.kind == "statuses")
"""The names of the options that take statuses, also as numbers."""
_CONTRARY: Final = (
    ("no_cache", "cache_age", "no answers are kept"),
    ("no_robots", "robots", "they contradict each other"),
)
_BY_NAME: Final = {row.name: row for row in ROWS}


def read_option(name: str, given: Mapping[str, Any]) -> Any:
    """The value that one of the options given by name is read as. Raises `OptionError`."""
    return _BY_NAME[name].read(given[name])


def refuse_unasked(
    given: Mapping[str, Any], is_given: Callable[[WebOption], bool], shown: Callable[[str], str]
) -> None:
    """Raise `OptionError` for an option about servers if none may be asked (`external`).

    `is_given`: whether an option was given; `shown`: the name as the user writes it.
    """
    row = None if given["external"] else next(filter(is_given, ROWS), None)
    if row is not None:
        external = shown("external")
        raise OptionError(shown(row.name), f"goes with {external} only", f"say {external}, or leave it out")


def refuse_contrary(is_given: Callable[[str], bool], shown: Callable[[str], str]) -> None:
    """Raise `OptionError` for two options that contradict each other.

    `is_given`: whether the option of a name was given; `shown`: the name as the user writes it.
    """
    for name, other, what in _CONTRARY:
        if is_given(name) and is_given(other):
            raise OptionError(shown(name), f"and {shown(other)}: {what}", "leave one of them out")


def web_options(given: Mapping[str, Any]) -> WebOptions:
    """How servers are asked, from the options by name; missing ones have their defaults.

    Raises `OptionError`.
    """
    fields = {row.field: row.read(given[row.name]) for row in ROWS if row.field and row.name in given}
    headers = given.get("header", ())
    return WebOptions(**{**fields, "headers": tuple(_header(text) for text in headers)})


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


def refuse_other_types(given: Mapping[str, Any]) -> None:
    """Raise `TypeError` for a value of a wrong type, which only a program can give."""
    for row in ROWS:
        value = given[row.name]
        if row.kind == "file" and not isinstance(value, str | PathLike | None):
            raise TypeError(f"{row.name} must be the path of a file, not {type(value).__name__}")
        if row.kind == "statuses" and not _are(value, str | int) and not isinstance(value, str | int):
            raise TypeError(f"{row.name} must be statuses, such as 404 or ['200..=299', 403], not {value!r}")


def _are(values: Any, types: type | UnionType) -> bool:
    return isinstance(values, Collection) and all(isinstance(value, types) for value in values)


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


def _flag(row: WebOption, value: Any) -> bool:
    return bool(value)


def _count(row: WebOption, value: Any) -> int | None:
    if value is None and row.unsaid is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < row.least:
        raise OptionError(with_value(row.flag, str(value)), "is not a possible number", f"give {row.least:g} or more")
    return value


def _time(row: WebOption, value: Any) -> float:
    seconds = seconds_of(str(value))
    if seconds is None or seconds < row.least:
        remedy = f"write {row.least:g} seconds or more, such as 20 or 20s (seconds), 500ms, or 2m (minutes)"
        raise OptionError(with_value(row.flag, str(value)), "is not a possible time", remedy)
    return seconds


def _texts(row: WebOption, value: Any) -> tuple[str, ...]:
    return tuple(value)


def _statuses(row: WebOption, value: Any) -> tuple[range, ...]:
    return accepted(value)


def _text(row: WebOption, value: Any) -> str:
    if not isinstance(value, str) or any(ord(char) < 32 or ord(char) == 127 for char in value):
        raise OptionError(row.flag, "is not one line of text", "write it on one line")
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
    "texts": _texts,
    "statuses": _statuses,
    "file": _file,
}
