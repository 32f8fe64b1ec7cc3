"""The findings of a check for code scanning: SARIF 2.1.0 (OASIS, with errata 01), one run.

Each finding is a result of its own. The id of its cause is in its properties (`cause`), the causes in those of the run:
it is not a fingerprint, since results with equal fingerprints are taken for one. Passwords are masked, unless asked
for.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import PurePath
from typing import Any
from urllib.parse import quote_from_bytes

from rehref._version import __version__
from rehref.reports._findings.findings_json import cause_object
from rehref.reports._findings.places_shown import end_column, source_line
from rehref.reports.formats import Presentation
from rehref.reports.terminal import Mask, json_text
from rehref.reports.words_of_findings import advice, file_path, is_of_server, place
from rehref.site.codes import CODES, Code, Severity
from rehref.site.findings import HEADER_FIELDS, CheckResult, Finding
from rehref.uri.components import mask_text

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "SRCROOT"

# characters that no carrier needs to escape: no quotes, no "&", no comma or semicolon, no parentheses, no white space
_PLAIN = re.compile(r"[A-Za-z0-9._~/#?:@%=+-]+").fullmatch

_encode = json.JSONEncoder(ensure_ascii=False).encode


def sarif(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """The report, from a result."""
    codes = {code: number for number, code in enumerate(sorted({row.finding.code for row in result.rows.repeated}))}
    driver = {"name": "rehref", "version": __version__, "rules": [_rule(CODES[code]) for code in codes]}
    run = {
        "tool": {"driver": driver},
        "originalUriBaseIds": {ROOT: {"description": {"text": "The folder that rehref was run in."}}},
        "columnKind": "unicodeCodePoints",
        "invocations": [{"executionSuccessful": True}],
        "properties": {
            "summary": asdict(result.summary),
            "causes": [cause_object(cause, presentation.mask) for cause in result.causes],
        },
    }
    yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [\n{json_text(_encode(run))[:-1]},\n"results": ['
    # each result on a line of its own, for people who read the log, and for diff
    between = "\n"
    for each in _results(result, codes, presentation):
        yield json_text(f"{between}{_encode(each)}")
        between = ",\n"
    yield "\n]}]}\n"


def _results(result: CheckResult, codes: dict[str, int], presentation: Presentation) -> Iterator[dict[str, Any]]:
    mask = presentation.mask
    seen: Counter[str] = Counter()
    for finding in result.rows:
        location = _artifact_location(result.folder, finding.document)
        region = _region(finding, end_column(finding, source_line(finding, presentation.line_of)))
        key = "\0".join((finding.document, mask_text(finding.reference), finding.code))
        fixes = _fixes(finding, location, region, mask)
        yield {
            "ruleId": finding.code,
            "ruleIndex": codes[finding.code],
            "level": _level(finding.severity),
            "message": {"text": _message(finding, mask)},
            "locations": [{"physicalLocation": {"artifactLocation": location, "region": region}, **_logical(finding)}],
            "partialFingerprints": {"documentReferenceCode/v1": _fingerprint(key, seen[key])},
            **({"fixes": fixes} if fixes else {}),
            "properties": {**_properties(finding, mask), **({} if "endColumn" in region else _bytes(finding))},
        }
        seen[key] += 1


def _level(severity: Severity) -> str:
    return "note" if severity == "info" else severity


def _rule(code: Code) -> dict[str, Any]:
    """A code that occurs, with help (§3.49)."""
    return {
        "id": code.name,
        "shortDescription": {"text": code.sentence},
        "fullDescription": {"text": f"{code.sentence} {code.help}"},
        "help": {"text": code.help},
        "defaultConfiguration": {"level": _level(code.severity)},
    }


def _message(finding: Finding, mask: Mask) -> str:
    suggestion = "" if finding.suggestion is None else f"\n{advice(finding)} {finding.suggestion}"
    return mask(finding.message + suggestion) or ""


def _artifact_location(folder: str, document: str) -> dict[str, str]:
    """The location of a file: a URI relative to `SRCROOT`, the directory of the command, or of an absolute path its
    `file:` URI.

    `SRCROOT` has no URI of its own here: the reader of the log knows it (§3.14.14). A page of a server is named by its
    URL.
    """
    path = file_path(folder, document)
    if is_of_server(folder):
        return {"uri": path.removesuffix(HEADER_FIELDS)}
    if PurePath(folder).is_absolute():
        return {"uri": f"file://{'' if path.startswith('/') else '/'}{_quoted(path)}"}
    return {"uri": _quoted(path), "uriBaseId": ROOT}


def _quoted(path: str) -> str:
    """A path percent-encoded, including ":": the first segment of a relative reference has none (RFC 3986 §4.2)."""
    try:
        return quote_from_bytes(os.fsencode(path))
    except UnicodeEncodeError:  # a lone surrogate that no file name has
        return quote_from_bytes(path.encode("utf-8", "replace"))


def _region(finding: Finding, end: int | None) -> dict[str, int]:
    """The region of a finding, in Unicode code points (§3.14.27), with offset and length in bytes.

    If the column after it is not known, or in another line, the region extends to the end of the line; then it has no
    bytes, since both must mean the same (§3.30.4), and these are in the result's properties. A finding about a document
    as a whole is in its line 1: some readers reject results without a line.
    """
    region = {"startLine": finding.line or 1}
    if finding.line is not None and finding.column is not None:
        region["startColumn"] = finding.column
        if end is not None:
            region |= {"endColumn": end, **_bytes(finding)}
    return region


def _bytes(finding: Finding) -> dict[str, int]:
    if finding.span is None:
        return {}
    start, end = finding.span
    return {"byteOffset": start, "byteLength": end - start}


def _logical(finding: Finding) -> dict[str, Any]:
    """The element and attribute, as a logical location (§3.33)."""
    if finding.element == "":
        return {}
    kind = "element" if finding.attribute is None else "attribute"
    return {"logicalLocations": [{"fullyQualifiedName": place(finding), "kind": kind}]}


def _fingerprint(key: str, before: int) -> str:
    """The partial fingerprint `documentReferenceCode/v1` (§3.27.17), which stays the same when lines are added.

    It is made of document, reference and code, masked, and the number of earlier findings with the same three.
    """
    digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{digest[:32]}:{before + 1}"


def _fixes(finding: Finding, location: dict[str, str], region: dict[str, int], mask: Mask) -> list[dict[str, Any]]:
    """The fix (§3.55) for a suggestion that is sure, if there is one.

    The reference's place must be known exactly, and the suggestion be written the same in every syntax: its characters
    need no escape in HTML, in CSS or in a list. One with a masked password is not a fix.
    """
    new = finding.suggestion
    if new is None or not finding.sure or "endColumn" not in region:
        return []
    if _PLAIN(new) is None or mask(new) != new:
        return []
    deleted = {name: region[name] for name in ("startLine", "startColumn", "endColumn")}
    replacement = {"deletedRegion": deleted, "insertedContent": {"text": new}}
    return [
        {
            "description": {"text": f"Write {new}"},
            "artifactChanges": [{"artifactLocation": location, "replacements": [replacement]}],
        }
    ]


def _properties(finding: Finding, mask: Mask) -> dict[str, Any]:
    """Properties for values that SARIF has no place for."""
    base = finding.base
    values = {
        "reference": mask(finding.reference),
        "target": mask(finding.target),
        "base": None if base is None else mask(base.uri),
        "suggestion": mask(finding.suggestion),
        "cause": finding.cause or None,
    }
    return {name: value for name, value in values.items() if value is not None}
