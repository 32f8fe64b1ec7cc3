"""What checking found, for programs: each format is read back by a tool made for it."""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

import made_findings
import rehref
from growth import assert_proportional
from rehref.documents.base import NO_BASE, Base, Rejected
from rehref.reports.formats import OF_FINDINGS, Presentation, findings_format, names
from rehref.reports.spreadsheets import FINDING_COLUMNS
from rehref.reports.terminal import visible
from rehref.site.codes import CODES
from rehref.site.findings import CheckResult, Finding
from suites import suites_folder

FIELDS = [
    *("document", "line", "column", "span", "element", "attribute", "reference", "target", "base"),
    *("code", "severity", "message", "suggestion", "cause"),
]
"""Of each problem in JSON, in this order: programs rely on them."""
REJECTED = Rejected("http://u:secret@[", "embedded", "<base href> at 1:1", "the URL Standard's parser rejects it")
BASE = Base("http://u:secret@h/d/", "retrieval", "retrieval URI", (REJECTED,))


def finding(reference: str = "x.html", **changes: Any) -> Finding:
    return made_findings.finding(reference, **{"base": BASE, **changes})


def result(*findings: Finding, folder: str = "public") -> CheckResult:
    sums = {"documents": 2, "links": 13, "checked": 12, "skipped": 1, "seconds": 0.25}
    return made_findings.result(*findings, folder=folder, **sums)


WHOLE = Finding(
    document="orphan, page.html",
    line=None,
    column=None,
    span=None,
    element="",
    attribute=None,
    reference="",
    target=None,
    base=None,
    code="orphan",
    message="no page leads to this one",
)
REPORT = result(
    finding(suggestion="y.html", sure=True),
    finding('é"|\n', base=NO_BASE, target=None, code="no-base"),
    finding("http://u:secret@h/", target="http://u:secret@h/", message="not http://u:secret@h/", suggestion="//u:s@h"),
    WHOLE,
)


def text(name: str, report: CheckResult = REPORT, **options: Any) -> str:
    return "".join(findings_format(name)(report, Presentation(**options)))


# --- all formats


@pytest.mark.parametrize("name", names(OF_FINDINGS))
def test_no_format_shows_a_password(name: str) -> None:
    lines = '<a href="http://u:secret@h/">'
    report = text(name, line_of=lambda document, line: lines)
    assert "secret" not in report
    assert "***" in report or "&#42;&#42;&#42;" in report


@pytest.mark.parametrize("name", names(OF_FINDINGS))
def test_a_report_ends_with_a_line_end(name: str) -> None:
    assert text(name).endswith("\n")
    empty = text(name, result())
    assert empty.endswith("\n") or (name == "jsonl" and empty == "")


def test_there_is_no_format_of_another_name() -> None:
    with pytest.raises(ValueError, match="'xml' is not a format; there are text, json"):
        findings_format("xml")


ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=12)  # lone surrogates too
ANY_FINDING = st.builds(
    finding,
    ANY_TEXT,
    document=ANY_TEXT,
    line=st.none() | st.integers(1, 3),
    column=st.none() | st.integers(1, 20),
    span=st.none() | st.tuples(st.integers(0, 20), st.integers(20, 40)),
    element=ANY_TEXT,
    attribute=st.none() | ANY_TEXT,
    target=st.none() | ANY_TEXT,
    code=st.sampled_from(sorted(CODES)),
    message=ANY_TEXT,
    suggestion=st.none() | ANY_TEXT,
    sure=st.booleans(),
)


@given(st.lists(ANY_FINDING, max_size=3), ANY_TEXT)
@pytest.mark.slow
def test_no_format_fails_on_anything(findings: list[Finding], line: str) -> None:
    report = result(*findings)
    for name in names(OF_FINDINGS):
        written = text(name, report, line_of=lambda document, number: line)
        assert written == text(name, report, line_of=lambda document, number: line)
        written.encode("utf-8", "backslashreplace")


@pytest.mark.parametrize("name", names(OF_FINDINGS))
def test_time_grows_by_the_number_of_findings(name: str) -> None:
    def reporting(number: int) -> Callable[[], str]:
        report = result(*(finding(f"{at % 7}.html", document=f"{at // 50:06}.html") for at in range(number)))
        return partial(text, name, report)

    assert_proportional(reporting, 400)


@pytest.mark.parametrize("name", ["json", "jsonl", "csv", "sarif", "junit"])
def test_formats_for_programs_show_passwords_if_they_are_asked_for(name: str) -> None:
    report = text(name, show_secrets=True)
    assert report.count("http://u:secret@h/") >= 4
    assert "***" not in report


@pytest.mark.parametrize("name", ["text", "github", "markdown", "html"])
def test_formats_for_people_never_show_a_password(name: str) -> None:
    assert "secret" not in text(name, show_secrets=True)


# --- causes


def test_problems_have_causes() -> None:
    report = result(finding(), finding(document="c.html"), finding("y.html", document="c.html"), WHOLE)
    written = json.loads(text("json", report))
    assert [list(cause) for cause in written["causes"]] == [["id", "code", "target", "occurrences"]] * 3
    assert [tuple(cause.values())[1:] for cause in written["causes"]] == [
        ("missing-file", "http://h/d/x.html", 2),
        ("missing-file", "http://h/d/y.html", 1),
        ("orphan", None, 1),
    ]
    ids = {cause["id"]: cause["occurrences"] for cause in written["causes"]}
    assert len(ids) == 3
    found = [problem["cause"] for problem in written["problems"]]
    assert Counter(found) == ids
    assert [json.loads(line)["cause"] for line in text("jsonl", report).splitlines()] == found
    assert [row["cause"] for row in csv.DictReader(io.StringIO(text("csv", report)))] == found
    log = run(report)
    assert [each["properties"]["cause"] for each in log["results"]] == found
    assert log["properties"]["causes"] == written["causes"]
    for case, cause in zip(xml(report).iter("testcase"), found, strict=True):
        noun = "finding" if ids[cause] == 1 else "findings"
        assert (case[0].text or "").splitlines()[-1] == f"cause: {cause} ({ids[cause]} {noun})"


# --- json, jsonl


def test_json_is_the_contract() -> None:
    report = json.loads(text("json"))
    assert list(report) == ["summary", "problems", "causes"]
    assert report["summary"] == {**asdict(REPORT.summary), "sites": []}
    assert list(report["summary"]) == [
        *("documents", "links", "checked", "broken", "warnings", "skipped", "seconds", "others", "asked"),
        *("from_cache", "sites"),
    ]
    assert all(list(problem) == FIELDS for problem in report["problems"])
    first = report["problems"][0]
    assert first == {
        "document": "a/b.html",
        "line": 3,
        "column": 10,
        "span": [40, 46],
        "element": "a",
        "attribute": "href",
        "reference": "x.html",
        "target": "http://h/d/x.html",
        "base": {
            "uri": "http://u:***@h/d/",
            "origin": "retrieval",
            "where": "retrieval URI",
            "rejected": [
                {
                    "reference": "http://u:***@[",
                    "origin": "embedded",
                    "where": "<base href> at 1:1",
                    "reason": "the URL Standard's parser rejects it",
                }
            ],
        },
        "code": "missing-file",
        "severity": "error",
        "message": 'there is no file "x.html"',
        "suggestion": "y.html",
        "cause": REPORT.findings[0].cause,
    }
    assert report["problems"][1]["base"]["uri"] is None
    assert report["problems"][3]["base"] is None
    assert report["problems"][3]["span"] is None


def test_jsonl_has_the_same_problems() -> None:
    assert [json.loads(line) for line in text("jsonl").splitlines()] == json.loads(text("json"))["problems"]
    assert json.loads(text("json", result()))["problems"] == []
    assert text("jsonl", result()) == ""


def test_each_problem_of_the_array_is_on_its_own_line() -> None:
    assert len(text("json").splitlines()) == 1 + 1 + len(REPORT.findings) + 2 + len(REPORT.causes) + 1
    assert json.loads(text("json", result()))["causes"] == []
    assert set(Finding._fields) - set(FIELDS) == {"sure", "asked_severity"}
    assert set(FIELDS) - set(Finding._fields) == {"severity"}


def test_what_is_no_unicode_is_a_json_escape() -> None:
    written = text("json", result(finding(document="\udcff.html")))
    assert r"\udcff.html" in written
    assert json.loads(written)["problems"][0]["document"] == "\udcff.html"


# --- csv


UNFIT = "\x9b\xad\u061c\u200b\u2028\u202e\u2066\ufeff"


@pytest.mark.parametrize("name", names(OF_FINDINGS))
@pytest.mark.parametrize("folder", ["public", "https://h/"])
def test_nothing_that_a_terminal_acts_on_is_in_a_report(name: str, folder: str) -> None:
    odd = finding(f"x{UNFIT}", document=f"é{UNFIT}.html", target=f"http://h/{UNFIT}", message=f"m{UNFIT}")
    report = text(name, result(odd, folder=folder), all_places=True)
    assert set(UNFIT).isdisjoint(report)
    if name == "jsonl":
        assert json.loads(report)["document"] == odd.document


def test_csv_is_read_back() -> None:
    rows = list(csv.DictReader(io.StringIO(text("csv"), newline="")))
    assert tuple(rows[0]) == FINDING_COLUMNS
    assert rows[0] == {
        "document": "a/b.html",
        "line": "3",
        "column": "10",
        "span_start": "40",
        "span_end": "46",
        "element": "a",
        "attribute": "href",
        "reference": "x.html",
        "target": "http://h/d/x.html",
        "base": "http://u:***@h/d/",
        "base_origin": "retrieval",
        "base_where": "retrieval URI",
        "code": "missing-file",
        "severity": "error",
        "message": 'there is no file "x.html"',
        "suggestion": "y.html",
        "cause": REPORT.findings[0].cause,
    }
    assert rows[1]["reference"] == 'é"|\\n'
    assert rows[3] == dict.fromkeys(FINDING_COLUMNS, "") | {
        "document": "orphan, page.html",
        "code": "orphan",
        "severity": "warning",
        "message": "no page leads to this one",
        "cause": REPORT.findings[3].cause,
    }
    assert text("csv", result()) == ",".join(FINDING_COLUMNS) + "\n"


# --- sarif


def run(report: CheckResult = REPORT, **options: Any) -> dict[str, Any]:
    log: dict[str, Any] = json.loads(text("sarif", report, **options))
    (only,) = log["runs"]
    assert isinstance(only, dict)
    return only


def schema() -> Any:
    """The official schema, which is no part of the project: `$REHREF_SARIF_SCHEMA`, or with the conformance data."""
    path = Path(os.environ.get("REHREF_SARIF_SCHEMA") or suites_folder() / "sarif" / "sarif-2.1.0.json")
    if not path.is_file():
        pytest.skip("no SARIF schema: REHREF_SARIF_SCHEMA names one")
    return json.loads(path.read_text(encoding="utf-8"))


def test_sarif_follows_its_schema() -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="needs the package jsonschema")
    validator = jsonschema.Draft4Validator(schema())
    hostile = result(finding("\udcff\0|", document="a:b/\udcff é.html", line=None), folder="/abs/ö")
    for report in (REPORT, result(), hostile):
        for line_of in (None, lambda document, line: '  <a href="x.html">'):
            assert list(validator.iter_errors(json.loads(text("sarif", report, line_of=line_of)))) == []
    wrong = json.loads(text("sarif"))
    wrong["runs"][0]["results"][0]["level"] = "fatal"
    assert list(validator.iter_errors(wrong)) != []


def test_sarif_has_what_its_readers_ask_for() -> None:
    # by hand, since the schema is not everywhere: SARIF 2.1.0 §3.13, §3.14, §3.19, §3.27, §3.28, §3.29
    log = json.loads(text("sarif"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("/sarif-schema-2.1.0.json")
    only = run()
    assert only["columnKind"] == "unicodeCodePoints"
    assert list(only["originalUriBaseIds"]) == ["SRCROOT"]
    driver = only["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("rehref", rehref.__version__)
    assert [each["id"] for each in driver["rules"]] == ["missing-file", "no-base", "orphan"]
    assert all(each["help"]["text"] and each["shortDescription"]["text"].endswith(".") for each in driver["rules"])
    assert [each["defaultConfiguration"]["level"] for each in driver["rules"]] == ["error", "warning", "warning"]
    assert [each["level"] for each in only["results"]] == ["error", "warning", "error", "warning"]
    for each in only["results"]:
        assert driver["rules"][each["ruleIndex"]]["id"] == each["ruleId"]
        assert each["message"]["text"]
        (location,) = each["locations"]
        assert location["physicalLocation"]["region"]["startLine"] >= 1
        assert location["physicalLocation"]["artifactLocation"]["uriBaseId"] == "SRCROOT"
    assert run(result())["results"] == []
    assert only["properties"]["summary"] == asdict(REPORT.summary)


def test_a_sarif_result_says_what_else_is_known() -> None:
    first, *_, last = run()["results"]
    assert first["message"]["text"] == 'there is no file "x.html"\nwrite instead: y.html'
    assert first["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "a@href", "kind": "attribute"}]
    assert first["properties"] == {
        "reference": "x.html",
        "target": "http://h/d/x.html",
        "base": "http://u:***@h/d/",
        "suggestion": "y.html",
        "cause": REPORT.findings[0].cause,
    }
    assert "logicalLocations" not in last["locations"][0]
    assert last["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}


@pytest.mark.parametrize(
    ("folder", "document", "uri"),
    [
        ("public", "a b/é.html", "public/a%20b/%C3%A9.html"),
        (".", "a:b.html", "a%3Ab.html"),
        ("public/", "50%#?.html", "public/50%25%23%3F.html"),
        (".", "\udcff.html", "%FF.html"),
    ],
)
def test_files_are_named_by_relative_uris(folder: str, document: str, uri: str) -> None:
    (only,) = run(result(finding(document=document), folder=folder))["results"]
    location = only["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": uri, "uriBaseId": "SRCROOT"}
    assert rehref.split(uri).scheme is None


def test_files_of_an_absolute_folder_are_named_by_file_uris(tmp_path: Path) -> None:
    (only,) = run(result(finding(document="a b.html"), folder=str(tmp_path)))["results"]
    location = only["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": (tmp_path / "a b.html").as_uri()}


PAGE = """<!DOCTYPE html>\r
<p>漢字 𝒳</p>\t<a class=é href="x.html">\r
<img srcset="é.png 1x, ?a&amp;b 2x, same.png 3x"><a href=plain>
<a href="two
lines.html"><a href="a&amp;b&#46;html">"""


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_regions_are_exact(encoding: str) -> None:
    data = PAGE.encode(encoding)
    lines = re.split("\r\n|\n", PAGE)
    links = rehref.links(data, url="http://h/", encoding="utf-8")
    found = [finding(each.reference, line=each.line, column=each.column, span=each.span) for each in links]
    results = run(result(*found), line_of=lambda document, line: lines[line - 1])["results"]
    assert len(results) == len(links) == 7
    exact = 0
    for each, link in zip(results, links, strict=True):
        region = each["locations"][0]["physicalLocation"]["region"]
        line = lines[region["startLine"] - 1]
        if "endColumn" not in region:
            assert set(region) == {"startLine", "startColumn"}
            start = each["properties"]["byteOffset"]
            assert data[start : start + each["properties"]["byteLength"]] == b"two\nlines.html"
            continue
        written = line[region["startColumn"] - 1 : region["endColumn"] - 1]
        start = region["byteOffset"]
        assert data[start : start + region["byteLength"]].decode() == written
        assert written.replace("&amp;", "&").replace("&#46;", ".") == link.reference
        exact += 1
    assert exact == 6


def test_without_source_lines_no_column_is_guessed() -> None:
    plain, escaped = run(result(finding(), finding("a&b", span=(4, 11))))["results"]
    region = plain["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 10, "endColumn": 16, "byteOffset": 40, "byteLength": 6}
    assert escaped["locations"][0]["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 10}
    assert (escaped["properties"]["byteOffset"], escaped["properties"]["byteLength"]) == (4, 7)


def test_a_fix_gives_the_suggestion() -> None:
    (only,) = run(result(finding(suggestion="d/y.html#%C3%A9", sure=True)))["results"]
    (fix,) = only["fixes"]
    (change,) = fix["artifactChanges"]
    assert change["artifactLocation"] == only["locations"][0]["physicalLocation"]["artifactLocation"]
    (replacement,) = change["replacements"]
    line = '<a href="x.html">'
    region = replacement["deletedRegion"]
    assert region == {"startLine": 3, "startColumn": 10, "endColumn": 16}
    fixed = line[: region["startColumn"] - 1] + replacement["insertedContent"]["text"] + line[region["endColumn"] - 1 :]
    assert fixed == '<a href="d/y.html#%C3%A9">'


@pytest.mark.parametrize(
    "changes",
    [
        {"suggestion": "y.html"},  # not sure
        {"sure": True},  # nothing to write
        {"suggestion": "a&b", "sure": True},  # would be escaped in HTML
        {"suggestion": "a,b", "sure": True},  # and here in a srcset
        {"suggestion": "", "sure": True},
        {"suggestion": "y.html", "sure": True, "span": None},  # where it ends is not known
        {"suggestion": "http://u:secret@h/", "sure": True},  # would be masked
    ],
)
def test_there_is_no_fix_that_may_be_wrong(changes: dict[str, Any]) -> None:
    (only,) = run(result(finding(**changes)))["results"]
    assert "fixes" not in only


def test_fingerprints_do_not_depend_on_lines() -> None:
    def fingerprints(*findings: Finding) -> list[str]:
        found = [each["partialFingerprints"] for each in run(result(*findings))["results"]]
        assert all(list(each) == ["documentReferenceCode/v1"] for each in found)
        return [each["documentReferenceCode/v1"] for each in found]

    before = fingerprints(finding(), finding(line=5), finding("y"), finding(code="orphan"), finding(document="c.html"))
    assert len(set(before)) == 5
    after = fingerprints(finding(line=7), finding(line=9, column=1, span=(1, 2), message="other"))
    assert after == before[:2]


# --- junit


def xml(report: CheckResult = REPORT) -> Any:
    return etree.fromstring(text("junit", report).encode())


def test_junit_is_read_back() -> None:
    junitparser = pytest.importorskip("junitparser", reason="needs the package junitparser")
    suites = list(junitparser.JUnitXml.fromstring(text("junit").encode()))
    assert [(suite.name, suite.tests, suite.failures, suite.errors, suite.skipped) for suite in suites] == [
        ("public/a/b.html", 3, 2, 0, 0),
        ("public/orphan, page.html", 1, 0, 0, 0),
    ]
    cases = list(suites[0])
    assert [case.is_passed for case in cases] == [False, True, False]
    assert [case.name for case in cases] == [
        "missing-file: x.html",
        r'no-base: é"|\n',
        "missing-file: http://u:***@h/",
    ]
    (failure,) = cases[0].result
    assert isinstance(failure, junitparser.Failure)
    assert (failure.type, failure.message) == ("missing-file", 'there is no file "x.html"')
    assert failure.text.splitlines() == [
        "public/a/b.html:3:10: error missing-file",
        'there is no file "x.html"',
        "a@href: x.html",
        "target: http://h/d/x.html",
        "base: http://u:***@h/d/ (retrieval URI)",
        "write instead: y.html",
        f"cause: {REPORT.findings[0].cause} (1 finding)",
    ]
    assert cases[1].system_out.startswith("public/a/b.html:3:10: warning no-base\n")


def test_junit_counts_are_those_of_its_cases() -> None:
    root = xml()
    assert (root.tag, root.get("tests"), root.get("failures"), root.get("time")) == ("testsuites", "4", "2", "0.250")
    for each in (root, *root.iter("testsuite")):
        assert int(each.get("tests")) == len(list(each.iter("testcase")))
        assert int(each.get("failures")) == len(list(each.iter("failure")))
    first, *_, last = root.iter("testcase")
    assert (first.get("classname"), first.get("file"), first.get("line")) == ("public/a/b.html", "public/a/b.html", "3")
    assert last.get("line") is None


def test_junit_has_one_case_where_nothing_was_found() -> None:
    (case,) = xml(result()).iter("testcase")
    assert case.get("name").startswith("no errors in 2 documents")
    assert len(case) == 0
    assert (xml(result()).get("tests"), xml(result()).get("failures")) == ("1", "0")


def test_names_of_cases_are_unique_and_stay() -> None:
    report = result(finding(), finding(line=9), finding(document="c.html"))
    assert [case.get("name") for case in xml(report).iter("testcase")] == [
        "missing-file: x.html",
        "missing-file: x.html (2)",
        "missing-file: x.html",
    ]


@given(ANY_FINDING)
def test_junit_is_well_formed_whatever_it_says(any_finding: Finding) -> None:
    root = xml(result(any_finding, folder="."))
    (case,) = root.iter("testcase")
    assert case.get("classname") == (visible(any_finding.document) or ".").replace("\ufffe", r"\ufffe").replace(
        "\uffff", r"\uffff"
    )


# --- github


def commands(report: CheckResult = REPORT, **options: Any) -> Iterator[tuple[str, dict[str, str], str]]:
    """Workflow commands as the runner reads them: the command, its properties, the message."""
    for line in text("github", report, **options).split("\n")[:-1]:
        if line.startswith("rehref: "):
            continue
        found = re.fullmatch(r"::([a-z]+) ([^:]*)::([^\r\n]*)", line)
        assert found is not None, line
        properties = dict(each.split("=", 1) for each in found[2].split(","))
        # "%25" comes last: what it gives is not read again
        yield found[1], {name: _plain(value) for name, value in properties.items()}, _plain(found[3])


def _plain(value: str) -> str:
    return unquote(value, encoding="utf-8", errors="strict")


def test_annotations_have_place_title_and_message() -> None:
    found = list(commands())
    assert (
        "error",
        {"file": "public/a/b.html", "line": "3", "col": "10", "endColumn": "16", "title": "missing-file"},
        'there is no file "x.html"\nwrite instead: y.html',
    ) in found[:2]
    assert found[2] == (
        "warning",
        {"file": "public/a/b.html", "line": "3", "col": "10", "title": "no-base"},
        r'there is no file "é"|\n"',
    )
    assert list(commands())[-1] == (
        "warning",
        {"file": "public/orphan, page.html", "title": "orphan"},
        "no page leads to this one",
    )
    assert text("github").splitlines()[-1].startswith("rehref: 2 errors and 2 warnings in 2 documents")


def test_annotations_are_escaped_as_github_does() -> None:
    report = result(finding("x", document="a:b,c%\r\n.html", message="50%: a, b\nc", span=None), folder=".")
    assert text("github", report).split("\n")[0] == (
        r"::error file=a%3Ab%2Cc%25%0D%0A.html,line=3,col=10,title=missing-file::50%25: a, b\nc"
    )


def test_there_are_no_more_annotations_than_are_shown() -> None:
    found = [finding(f"{number}.html", document=f"{number:02}.html") for number in range(14)]
    found += [finding(code="orphan", document=f"{number:02}.html", target=f"{number}") for number in range(12)]
    found.append(finding("gone.html", document="x.html"))
    found.append(finding("gone.html", document="z.html"))
    report = result(*sorted(found, key=lambda one: one.document))
    annotations = Counter(name for name, *_ in commands(report))
    assert annotations == {"error": 10, "warning": 10}
    assert next(commands(report))[2].endswith('"gone.html"\nin 2 pages')
    lines = text("github", report).splitlines()
    others = [line for line in lines if re.match("rehref: (error|warning) ", line)]
    assert len(others) == 15 + 12 - 20
    assert 'rehref: error missing-file public/13.html:3:10: there is no file "13.html"' in others
    assert lines[-1].startswith("rehref: 16 errors and 12 warnings from 27 causes in 2 documents")


def test_lines_that_are_no_annotations_give_no_commands() -> None:
    hostile = "::error::x\n::stop-commands::y ##[error]z"
    found = [finding(f"{number:02}.html") for number in range(10)]
    found += [finding(hostile, document=document, message=hostile) for document in ("~1", "~2::a##[b")]
    report = result(*found, *(finding(f"{number:02}.html", document="c") for number in range(10)))
    lines = re.split("[\r\n]", text("github", report, all_places=True))[:-1]
    assert sum("stop-commands" in line for line in lines) == 2
    assert sum("## [" in line for line in lines) == 2
    for line in lines[10:]:
        assert line.startswith("rehref: ")
        assert "##[" not in line


@pytest.mark.parametrize(("folder", "place"), [("public", "file"), ("https://h/", "title")])
@given(ANY_FINDING)
@example(finding(document="HTTP://"))
@example(finding(document="http://h/\r\n::error::x,title=y"))
def test_a_document_gives_no_commands(folder: str, place: str, any_finding: Finding) -> None:
    lines = re.split("[\r\n]", text("github", result(any_finding, folder=folder)))
    assert len(lines) == 3
    severity = "notice" if any_finding.severity == "info" else any_finding.severity
    assert lines[0].startswith(f"::{severity} {place}=")
    assert lines[1].startswith("rehref: ")


@pytest.mark.parametrize("document", ["www.html", "www.example/a.html", "http:/a.html"])
def test_a_file_may_have_a_name_like_a_url(document: str) -> None:
    ((_, properties, _),) = commands(result(finding(document=document)))
    assert properties["file"] == f"public/{document}"


def test_annotations_know_more_columns_by_the_source() -> None:
    report = result(finding("é.html"))
    assert "endColumn" not in next(commands(report))[1]
    ((_, properties, _),) = commands(report, line_of=lambda document, line: '<a href="é.html">')
    assert properties["endColumn"] == "16"
