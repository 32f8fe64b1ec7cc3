"""The exit code of `rehref check`: 1 if a link is broken, or with `--strict` if there are warnings, else 0.

With `--exit-zero` it is 0. It depends on what `--baseline` leaves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from rehref.site.findings import CheckResult

BROKEN: Final = 1
"""The exit code if something is wrong."""


def exit_code(result: CheckResult, given: dict[str, Any]) -> int:
    """Return the exit code of the run, if nothing else went wrong."""
    fails = result.summary.broken or (given["strict"] and result.summary.warnings)
    return BROKEN if fails and not given["exit_zero"] else 0
