"""Findings that tests of reports are about."""

from __future__ import annotations

from typing import Any

import html5lib
from markdown_it import MarkdownIt

from rehref.documents.base import Base
from rehref.reports.formats import Presentation, findings_format
from rehref.site.check import result_of_findings
from rehref.site.findings import CheckResult, Finding, Summary

BASE = Base("http://h/d/", "retrieval", "retrieval URI")


def finding(reference: str = "x.html", **changes: Any) -> Finding:
    values: dict[str, Any] = {
        "document": "a/b.html",
        "line": 3,
        "column": 10,
        "span": (40, 40 + len(reference.encode("utf-8", "surrogatepass"))),
        "element": "a",
        "attribute": "href",
        "reference": reference,
        "target": f"http://h/d/{reference}",
        "base": BASE,
        "code": "missing-file",
        "message": f'there is no file "{reference}"',
    }
    return Finding(**{**values, **changes})


def result(*findings: Finding, folder: str = "public", **changes: Any) -> CheckResult:
    values = {"documents": 2, "links": 1300, "checked": 1200, "skipped": 100, "seconds": 0.25, **changes}
    with_causes = result_of_findings(folder, findings, 0, "").findings
    return CheckResult(folder, Summary(**values), ()).with_findings(with_causes)


def shown_as(name: str, report: CheckResult, **options: Any) -> str:
    return "".join(findings_format(name)(report, Presentation(**options)))


def many(pages: int = 530, **changes: Any) -> CheckResult:
    """One cause in many pages, twice in each, and another in one of them."""
    found = []
    for number in range(pages):
        document = f"p{number:03}.html"
        found += [finding("gone.html", document=document, line=line, **changes) for line in (5, 6)]
    found.append(finding("z.html#a", document="p000.html", line=9, code="missing-fragment"))
    return result(*found, folder=".")


HOSTILE = [
    "a|b",
    r"a\|b",
    "`a`|`",
    "``",
    "\\",
    "<script>alert(1)</script>",
    "![x](http://evil/)",
    "[x](y)",
    "*a* _b_ ~~c~~",
    "&amp;&#124;|",
    "a\n\n# b",
    "$x$",
    "-->",
    " x ",
]


def at(line: str, reference: str = "x.html", written: str | None = None, encoding: str = "utf-8") -> Finding:
    """A finding whose reference is in that line, as `written`."""
    written = reference if written is None else written
    start = line.index(written)
    return finding(reference, column=start + 1, span=(7, 7 + len(written.encode(encoding))))


def cells(markdown: str) -> list[list[str]]:
    """The cells of all tables as a reader of Markdown sees them, those of the head too."""
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    document = html5lib.parse(parser.render(markdown), namespaceHTMLElements=False)
    return [["".join(cell.itertext()) for cell in row] for row in document.iter("tr")]
