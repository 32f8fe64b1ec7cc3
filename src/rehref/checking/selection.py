"""Which codes are reported, and how severe each is.

1. A name is a code, or a group of codes (`rehref.code_groups`).
2. A code is reported if a selected name covers it, and no ignored name covers it as closely. If nothing is selected,
   `default` is.
3. A code names itself most closely, next a group about one subject (`base`), then a broad group (`warnings`).
4. A code named as an error, or as a warning, has that severity; it is also selected, unless only a broad group names
   it. If both name a code, the closer name counts; of equally close ones, the error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from rehref.code_groups import GROUPS, members
from rehref.codes import CODES, Severity
from rehref.exceptions import RehrefError
from rehref.text.nearest import did_you_mean

DEFAULT: Final = ("default",)
"""Selected if nothing else is."""
_BROADLY, _BY_GROUP, _BY_CODE = 1, 2, 3


class UnknownCodeError(RehrefError, ValueError):
    """A name that is neither a code nor a group; `name`, and `remedy`: what was probably meant."""

    def __init__(self, name: str) -> None:
        self.name = name
        near = did_you_mean(name, (*CODES, *GROUPS))
        self.remedy = near if near.startswith("did") else "rehref explain lists them"
        super().__init__(f"there is no code {name!r}; {self.remedy}")


def severities(
    select: Sequence[str] = (), ignore: Sequence[str] = (), error: Sequence[str] = (), warn: Sequence[str] = ()
) -> Mapping[str, Severity]:
    """Return the severity of each code that is reported. Raises `UnknownCodeError`."""
    selected, ignored = closeness(select or DEFAULT), closeness(ignore)
    errors, warnings = closeness(error), closeness(warn)
    found: dict[str, Severity] = {}
    for name, row in CODES.items():
        as_error, as_warning = errors.get(name, 0), warnings.get(name, 0)
        said = max(as_error, as_warning)
        closest = max(selected.get(name, 0), said if said > _BROADLY else 0)
        if closest > ignored.get(name, 0):
            found[name] = row.severity if said == 0 else "error" if as_error >= as_warning else "warning"
    return found


def closeness(names: Iterable[str]) -> dict[str, int]:
    """Return how closely the names name each code (rule 3). Raises `UnknownCodeError`."""
    found: dict[str, int] = {}
    for name in names:
        if name not in CODES and name not in GROUPS:
            raise UnknownCodeError(name)
        close = _BY_CODE if name in CODES else _BROADLY if GROUPS[name].broad else _BY_GROUP
        for code in members(name):
            found[code] = max(found.get(code, 0), close)
    return found
