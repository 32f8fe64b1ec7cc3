"""A result with its findings in order, their sum and their causes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from rehref.checking.model import CheckResult, Finding
from rehref.checking.results.causes import causes_of


def summed(result: CheckResult, findings: Iterable[Finding]) -> CheckResult:
    """The result with other findings, which get causes, and their sum."""
    found = tuple(findings)
    counted = Counter(finding.severity for finding in found)
    summary = replace(result.summary, broken=counted["error"], warnings=counted["warning"])
    return replace(result, findings=found, summary=summary, causes=causes_of(found))


def place_of(finding: Finding) -> tuple[str, int, int, str, str]:
    """The place of a finding in the order of all."""
    return finding.document, finding.line or 0, finding.column or 0, finding.code, finding.message
