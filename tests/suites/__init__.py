"""The public conformance suites: their cases, and which of them fail. The tests and `scripts/conformance` share this.

- The suites are no part of the project. They are in the folder `$REHREF_SUITES`; without that, in `suites`, where
  `scripts/suites` writes them, or in `../shared/suites`.
- A `Result` says how many cases there are and which of them failed, by name. What is expected to fail is listed in a
  file beside the tests, each case with the reason: see `listed`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parents[1]


class Result(NamedTuple):
    """What came of the cases of a suite."""

    cases: int
    failed: frozenset[str]


def suites_folder() -> Path:
    """Where the suites are, if they are there."""
    if named := os.environ.get("REHREF_SUITES"):
        return Path(named)
    own = TESTS.parent / "suites"
    return own if own.is_dir() else TESTS.parents[1] / "shared" / "suites"


def listed(path: Path, suite: str = "") -> dict[str, str]:
    """A list of expected differences: the case (all fields of a line but the last, with the tabs between) and why.

    Only those whose names begin with `suite`. Lines that begin with `#` are for people. Raises ValueError where a case
    has no reason, or is listed twice.
    """
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    split = [line.rpartition("\t") for line in lines]
    reasons = {case: reason for case, _, reason in split}
    if not all(case and reason for case, _, reason in split) or len(reasons) != len(lines):
        raise ValueError(f"{path.name}: a case without a reason, or one that is listed twice")
    return {case: reason for case, reason in reasons.items() if case.startswith(suite)}
