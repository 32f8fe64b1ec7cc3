"""The findings of a check for CI systems that show tests: JUnit XML, as Jenkins, GitLab and others read it.

A document is a test suite, named by its path; each finding is a test case in it. An error is a failure; a warning
passes, since JUnit knows no warnings, and its text is the case's output. If nothing was found there is one suite with
one case that passes, since readers take a report without cases for a failure to run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from xml.sax.saxutils import escape, quoteattr

from rehref.reports._findings.places_shown import by_document
from rehref.reports.formats import Presentation
from rehref.reports.terminal import LONGEST, count, shown, visible
from rehref.reports.words_of_findings import advice, file_path, place, position, summary
from rehref.site.findings import CheckResult, Finding
from rehref.uri.components import mask_text

# U+FFFE and U+FFFF are not characters of XML (XML 1.0 §2.2), though terminals accept them
_NO_CHARACTERS = re.compile("[\ufffe\uffff]")


def junit(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The report, from a result."""
    masked = str if presentation.show_secrets else mask_text
    yield from (f"{line}\n" for line in _lines(result, _Cases(result, masked)))


def _lines(result: CheckResult, cases: _Cases) -> Iterator[str]:
    findings = result.findings
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites {_counts('rehref check', findings, result.summary.seconds)}>"
    for document, own in by_document(findings):
        path = file_path(result.folder, document)
        yield f"  <testsuite {_counts(path, own, 0)}>"
        yield from cases.of(path, own)
        yield "  </testsuite>"
    if not findings:
        path = file_path(result.folder, "")
        yield f"  <testsuite {_counts(path, (), 0)}>"
        yield f"    <testcase {_attributes(classname=path, name=summary(result.summary), time='0.000')}/>"
        yield "  </testsuite>"
    yield "</testsuites>"


def _counts(name: str, findings: Sequence[Finding], seconds: float) -> str:
    tests = len(findings) or 1
    failures = sum(finding.severity == "error" for finding in findings)
    return _attributes(
        name=name, tests=f"{tests}", failures=f"{failures}", errors="0", skipped="0", time=f"{seconds:.3f}"
    )


class _Cases:
    """The test cases of documents."""

    def __init__(self, result: CheckResult, masked: Callable[[str], str]) -> None:
        """`masked`: a function that hides passwords, or leaves a text as it is."""
        self._causes = {cause.id: cause for cause in result.causes}
        self._masked = masked

    def of(self, path: str, findings: Sequence[Finding]) -> Iterator[str]:
        """Those of one document.

        A case is named by its code and reference, not by its line, so that readers recognize it when lines are added; a
        name that occurs again in its suite is numbered. Line and column are in its text, the line also in an attribute.
        """
        names: Counter[str] = Counter()
        for finding in findings:
            name = f"{finding.code}: {finding.reference}" if finding.reference or place(finding) else finding.code
            name = self._shown(name)
            names[name] += 1
            numbered = name if names[name] == 1 else f"{name} ({names[name]})"
            line = {} if finding.line is None else {"line": f"{finding.line}"}
            yield f"    <testcase {_attributes(classname=path, name=numbered, time='0.000', file=path, **line)}>"
            text = escape("\n".join(map(_characters, self._facts(path, finding))))
            if finding.severity == "error":
                message = self._shown(finding.message, 2000)
                yield f"      <failure {_attributes(message=message, type=finding.code)}>{text}</failure>"
            else:
                yield f"      <system-out>{text}</system-out>"
            yield "    </testcase>"

    def _facts(self, path: str, finding: Finding) -> Iterator[str]:
        """The facts about a finding, one a line; the last is the id of the cause, and the number of its findings."""
        where = ":".join(filter(None, (path, position(finding))))
        yield f"{where}: {finding.severity} {finding.code}"
        yield self._shown(finding.message, 2000)
        if place(finding):
            yield f"{place(finding)}: {self._shown(finding.reference)}"
        if finding.target is not None:
            yield f"target: {self._shown(finding.target)}"
        if finding.base is not None and finding.base.uri is not None:
            yield f"base: {self._shown(finding.base.uri)} ({self._shown(finding.base.where)})"
        if finding.suggestion is not None:
            yield f"{advice(finding)} {self._shown(finding.suggestion)}"
        cause = self._causes.get(finding.cause)
        if cause is not None:
            yield f"cause: {cause.id} ({count(cause.occurrences, 'finding')})"

    def _shown(self, text: str, longest: int = LONGEST) -> str:
        return shown(text, longest, self._masked)


def _attributes(**values: str) -> str:
    return " ".join(f"{name}={quoteattr(_characters(value))}" for name, value in values.items())


def _characters(text: str) -> str:
    """The text with escapes for characters that XML 1.0 forbids (control characters, lone surrogates)."""
    return _NO_CHARACTERS.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))
