"""The URL test data of web-platform-tests: every case that has a base, in the profile `whatwg`."""

from __future__ import annotations

import json
from pathlib import Path

from rehref.exceptions import ResolutionError
from rehref.uri.resolver import resolve
from suites import Result


def resolved(suites: Path) -> Result:
    """Hold resolution to the cases with a base: the same URL, or none where there is none."""
    read = json.loads((suites / "url" / "urltestdata.json").read_text(encoding="utf-8"))
    cases = [case for case in read if isinstance(case, dict) and case.get("base") is not None]
    failed = set()
    for case in cases:
        expected = None if case.get("failure") else case["href"]
        try:
            found = resolve(case["base"], case["input"], "whatwg")
        except ResolutionError:
            found = None
        if found != expected:
            failed.add(f"url/{case['base']} + {case['input']}: {found} instead of {expected}")
    return Result(len(cases), frozenset(failed))
