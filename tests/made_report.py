"""A made result of checking a site of any size, for reports: many causes, some of them on every page."""

from __future__ import annotations

from rehref.documents.base import Base
from rehref.site.check import result_of_findings
from rehref.site.findings import CheckResult, Finding, LineOf, SitePlace, Summary

SITE = "https://docs.example/"
_CODES = ("missing-file", "missing-file", "missing-file", "missing-fragment", "case-mismatch", "base-late", "orphan")


def made_report(findings: int, pages: int = 0) -> CheckResult:
    """A result with so many findings, on as many pages, or a tenth as many."""
    pages = pages or max(1, findings // 10)
    found = [_finding(number, number % pages) for number in range(findings)]
    found.sort(key=lambda one: (one.document, one.line or 0))
    sums = Summary(documents=pages, links=findings * 40, checked=findings * 37, skipped=findings * 3, seconds=12.5)
    site = SitePlace("public", SITE, "stated", ("canonical links",))
    with_causes = result_of_findings("public", found, pages, "").findings
    return CheckResult("public", sums, (), (site,)).with_findings(with_causes)


def _finding(number: int, page: int) -> Finding:
    document = f"{('guide', 'api', 'blog', 'reference', 'news')[page % 5]}/section{page % 37}/page{page}.html"
    is_common = number % 3 == 0  # in a template: on very many pages
    name = f"assets/theme_{number % 12}.css" if is_common else f"old_names/file_{number % 4001}.html"
    code = _CODES[0] if is_common else _CODES[number % len(_CODES)]
    reference = f"/{name}#part_{number % 7}" if code == "missing-fragment" else f"/{name}"
    host = "https://cdn.example/" if number % 11 == 0 else SITE
    embedded = number % 5 == 0
    base = (
        Base(SITE, "embedded", "<base href> at 3:7")
        if embedded
        else Base(SITE + document, "retrieval", "retrieval URI")
    )
    element = "link" if is_common else "a"
    return Finding(
        document=document,
        code=code,
        message=f"there is no file {name}",
        line=number * 7 % 900 + 1,
        column=len(f'  <p><{element} href="') + 1,
        span=(40, 40 + len(reference)),
        element=element,
        attribute="href",
        reference=reference,
        target=host + reference[1:],
        base=base,
        suggestion=f"/new_names/file_{number % 4001}.html" if number % 4 == 1 else None,
        sure=number % 8 == 1,
    )


def made_lines(result: CheckResult) -> LineOf:
    """The source lines of its findings: of some, for the others have none."""
    lines = {(one.document, one.line): one for one in result.findings if (one.line or 0) % 50}

    def line_of(document: str, line: int) -> str | None:
        one = lines.get((document, line))
        return None if one is None else f'  <p><{one.element} href="{one.reference}">Page {line}</a> of {document}'

    return line_of
