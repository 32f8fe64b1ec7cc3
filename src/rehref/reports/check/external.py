"""The URLs on other sites that a site refers to, as a list for other programs: `rehref check --dump-external`.

1. A line has a URL and, after a tab, the first place that refers to it: `path:line:column`. Lines are sorted by URL.
2. Characters that would end a line or a column, and other control characters and spaces, are percent-encoded in URLs,
   and escaped in paths. Passwords are masked, unless they are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rehref.checking.model import CheckResult
from rehref.reports.check.places import file_path
from rehref.uri.privacy import mask_text

_CONTROL = re.compile(r"[\x00-\x20\x7f]")


def external_lines(result: CheckResult, *, show_secrets: bool = False) -> Iterator[str]:
    """The lines of the list."""
    for url, document, line, column in result.external:
        place = [file_path(result.folder, document), *(str(number) for number in (line, column) if number is not None)]
        shown = _encoded(url if show_secrets else mask_text(url))
        yield f"{shown}\t{_CONTROL.sub(_escape_but_space, ':'.join(place))}\n"


def _encoded(url: str) -> str:
    return _CONTROL.sub(lambda found: f"%{ord(found[0]):02X}", url)


def _escape_but_space(found: re.Match[str]) -> str:
    return found[0] if found[0] == " " else f"\\x{ord(found[0]):02x}"
