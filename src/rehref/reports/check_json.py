"""What checking found, for programs: `json`, one object, and `jsonl`, one finding a line.

1. The object has `summary`, with the names of `Summary`'s fields, and `problems`: the findings, each on a line of its
   own, with the names of `Finding`'s fields that are the contract (`FIELDS`), in that order.
2. `base` is an object as in the JSON of links, or null; `span` a list of two numbers or null.
3. `jsonl` has the same problems, without the summary: so lines may be joined, sorted and counted.
4. Text that is no Unicode is given with lone surrogates, as JSON escapes. Passwords are masked.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from rehref.base import Base
from rehref.checking.model import CheckResult, Finding
from rehref.reports.json_format import base_object
from rehref.uri.privacy import mask_text

FIELDS = (
    *("document", "line", "column", "span", "element", "attribute", "reference", "target", "base"),
    *("code", "severity", "message", "suggestion"),
)

_encode = json.JSONEncoder(ensure_ascii=False).encode


def mask(text: str | None) -> str | None:
    """The text with passwords masked; None stays."""
    return None if text is None else mask_text(text)


def finding_object(finding: Finding, base: dict[str, Any] | None) -> dict[str, Any]:
    """A finding as JSON has it; `base` is what `base_object` made of its base."""
    return {
        "document": finding.document,
        "line": finding.line,
        "column": finding.column,
        "span": None if finding.span is None else list(finding.span),
        "element": finding.element,
        "attribute": finding.attribute,
        "reference": mask(finding.reference),
        "target": mask(finding.target),
        "base": base,
        "code": finding.code,
        "severity": finding.severity,
        "message": mask(finding.message),
        "suggestion": mask(finding.suggestion),
    }


def _lines(findings: tuple[Finding, ...]) -> Iterator[str]:
    # the findings of a document share its base, which need be made an object once
    base: Base | None = None
    made: dict[str, Any] | None = None
    for finding in findings:
        if finding.base is not base:
            base = finding.base
            made = None if base is None else base_object(base)
        yield _text(finding_object(finding, made))


def _text(value: dict[str, Any]) -> str:
    return _encode(value).encode("utf-8", "backslashreplace").decode()


@dataclass(frozen=True, slots=True)
class Json:
    """One object: the summary and all problems."""

    def text(self, result: CheckResult) -> str:
        """The whole report."""
        problems = ",".join(f"\n{line}" for line in _lines(result.findings))
        return f'{{"summary": {_text(asdict(result.summary))},\n"problems": [{problems}\n]}}\n'


@dataclass(frozen=True, slots=True)
class JsonLines:
    """One problem a line."""

    def text(self, result: CheckResult) -> str:
        """The whole report."""
        return "".join(f"{line}\n" for line in _lines(result.findings))
