"""Groups findings by their common cause.

Findings with the same code and target have one cause; a template comes before a folder that its links have in common.
If a file is not there, its fragments are not there either: the fragment of the target does not count then. Missing
fragments of `link` elements that are less severe have causes of their own. Findings without a target have one cause if
code, reference, element and attribute are the same. A finding about a document as a whole has a cause of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from rehref.site._pages.classifier import MISSING_FRAGMENT
from rehref.site._results.crowds import FOLDER, Crowd
from rehref.site.findings import OF_FILES, Finding, LineOf, hashed
from rehref.uri.components import mask_text

_LOOKED_AT = 3
_MOST_TEMPLATES = 300
_LONG, _NEAR = 240, 80


_Written: TypeAlias = "tuple[str, str, str | None, str]"
"""A reference as written, and its place: code, element, attribute, reference."""


def with_causes(
    findings: Sequence[Finding],
    site_uri: str,
    line_of: LineOf | None = None,
    crowd_of: Callable[[Finding], Crowd | None] = lambda _: None,
) -> list[Finding]:
    """The findings, each with the id of its cause; they come in the order of documents.

    `site_uri`: that of the folder. `line_of`: for templates; None: templates are not looked for. `crowd_of`: returns
    the crowd of a finding (`crowds.py`), which is one cause.
    """
    templates = {} if line_of is None else _templates(findings, line_of)
    ids: dict[tuple[str | None, ...], str] = {}
    found = []
    for finding in findings:
        common = _common(finding, templates, crowd_of(finding))
        identity = ids.get(common)
        if identity is None:
            identity = ids[common] = _id(common, site_uri)
        found.append(finding.with_cause(identity))
    return found


def _common(finding: Finding, templates: Mapping[_Written, str], crowd: Crowd | None) -> tuple[str | None, ...]:
    """What a finding shares with all findings of its cause."""
    if templates and (crowd is None or crowd[1] == FOLDER):
        written = _written(finding)
        line = templates.get(written)
        if line is not None:
            return ("template", *written, line)
    if crowd is not None:
        return ("crowd", *crowd)
    target = finding.common_target
    own = finding.document.partition("://")[2].partition("/")[2] or finding.document
    if target is not None and finding.code not in OF_FILES and target.endswith(f"/{own}"):
        return "own", finding.code, finding.element, finding.attribute
    if target is not None:
        is_unseen = finding.code == MISSING_FRAGMENT and finding.element == "link" and finding.asked_severity
        return "link" if is_unseen else "target", finding.code, target
    if finding.element:
        return "reference", *_written(finding)
    return "document", finding.code, finding.document, finding.reference, finding.message


def _written(finding: Finding) -> _Written:
    return finding.code, finding.element, finding.attribute, finding.reference


def _id(common: tuple[str | None, ...], site_uri: str) -> str:
    """An id made of what findings have in common, with a target on the site given by its path there, and masked
    passwords.

    So it is the same from run to run, and on every machine, as long as a crowd is one.
    """
    kind, *values = common
    if kind in ("target", "link") and site_uri:
        code, target = values
        values = [code, (target or "").removeprefix(site_uri)]
    return hashed("\0".join("" if value is None else mask_text(value) for value in (kind, *values)))


# templates


def _templates(findings: Sequence[Finding], line_of: LineOf) -> dict[_Written, str]:
    """The references in templates, each with its line.

    Findings with the same code, element, attribute and reference, whose targets differ since their documents are in
    several folders, have one cause if they are in the same source line. Three of the documents are compared (the first,
    the middle one and the last), so there must be at least three. In a long line, only the text near the reference
    counts. The same holds for the addresses that pages give as their own, such as canonical links, unless the file is
    missing: these share code, element and attribute.
    """
    targets: dict[_Written, str | None] = {}
    several: dict[_Written, dict[str, Finding]] = {}
    for finding in findings:
        if finding.target is not None and finding.line is not None and finding.element:
            written = _written(finding)
            if targets.setdefault(written, finding.target) != finding.target:
                several[written] = {}
    if not several:
        return {}
    for finding in findings:
        by_document = several.get(_written(finding))
        if by_document is not None:
            by_document.setdefault(finding.document, finding)
    many = sorted((own for own in several.items() if len(own[1]) >= _LOOKED_AT), key=lambda own: -len(own[1]))
    samples = {written: _sample(list(own.values())) for written, own in many[:_MOST_TEMPLATES]}
    asked = sorted({(one.document, one.line or 0) for sample in samples.values() for one in sample})
    lines = {place: line_of(*place) for place in asked}
    found = {}
    for written, sample in samples.items():
        near = {_near(lines[one.document, one.line or 0], one) for one in sample}
        line = near.pop()
        if line is not None and not near:
            found[written] = line
    return found


def _sample(findings: Sequence[Finding]) -> list[Finding]:
    return [findings[0], findings[len(findings) // 2], findings[-1]]


def _near(line: str | None, finding: Finding) -> str | None:
    """The part of a line that has to be the same."""
    if line is None or finding.column is None or len(line) <= _LONG:
        return None if line is None else line.strip()
    start = finding.column - 1
    return line[max(0, start - _NEAR) : start + len(finding.reference) + _NEAR]
