"""What findings have in common (site/_results/causes.py)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from checked.contexts import checked
from growth import assert_proportional
from rehref.documents.base import Base
from rehref.reports.words_of_findings import FindingAtPlace, suggested
from rehref.site._results.causes import with_causes
from rehref.site.findings import Cause, CheckResult, Finding, Summary

SITE = "https://example.org/docs/"


def finding(reference: str = "x.html", **changes: Any) -> Finding:
    values: dict[str, Any] = {
        "document": "a.html",
        "code": "missing-file",
        "message": "it is not there",
        "line": 3,
        "column": 10,
        "element": "a",
        "attribute": "href",
        "reference": reference,
        "target": SITE + reference,
    }
    return Finding(**{**values, **changes})


def causes(*findings: Finding, site_uri: str = SITE, lines: Any = None) -> tuple[Cause, ...]:
    return CheckResult("", Summary(0, 0, 0), ()).with_findings(with_causes(findings, site_uri, lines)).causes


def test_what_is_changed_is_what_is_named() -> None:
    whole = Finding(*range(len(Finding._fields)))  # type: ignore[arg-type]
    assert whole.with_cause("x") == whole._replace(cause="x")
    changed = whole.with_suggestion("m", "y", sure=True)
    assert changed == whole._replace(message="m", suggestion="y", sure=True)
    assert type(changed) is type(whole.with_cause("x")) is Finding


# --- what makes one cause


@pytest.mark.parametrize(
    ("one", "other", "are_one"),
    [
        (finding(), finding(document="b.html", line=7), True),
        (finding(), finding("./x.html", target=f"{SITE}x.html"), True),
        (finding(), finding(element="img", attribute="src"), True),
        (finding(), finding("y.html"), False),
        (finding(), finding(code="case-mismatch"), False),
        (finding("x.html#a"), finding("x.html#b"), True),  # the file is not there
        (finding("x.html#a", code="missing-fragment"), finding("x.html#b", code="missing-fragment"), False),
        (finding(target=None, code="no-base"), finding(target=None, code="no-base", document="b.html"), True),
        (finding(target=None, code="no-base"), finding("y", target=None, code="no-base"), False),
        (
            finding("", element="", target=None, code="orphan"),
            finding("", element="", target=None, code="orphan", document="b.html"),
            False,
        ),
    ],
)
def test_the_same_code_and_target_are_one_cause(one: Finding, other: Finding, are_one: bool) -> None:
    found = causes(one, other)
    assert len(found) == (1 if are_one else 2)
    assert sum(cause.occurrences for cause in found) == 2


def test_a_cause_says_what_its_findings_have_in_common() -> None:
    (cause,) = causes(finding("x.html#a"), finding("x.html#b"), finding("x.html", document="b.html"))
    assert (cause.code, cause.target, cause.severity) == ("missing-file", f"{SITE}x.html", "error")
    assert (cause.occurrences, cause.documents) == (3, 2)
    assert cause.first.reference == "x.html#a"


def test_errors_come_first_and_then_what_is_found_most() -> None:
    warning = finding("w.html", code="base-late")
    found = causes(warning, warning, warning, finding("one.html"), finding("two.html"), finding("two.html"))
    assert [cause.target for cause in found] == [f"{SITE}{name}.html" for name in ("two", "one", "w")]


# --- ids


def test_ids_are_the_same_from_run_to_run_and_wherever_the_folder_is() -> None:
    (cause,) = causes(finding())
    (elsewhere,) = causes(finding(target="file:///home/me/site/x.html"), site_uri="file:///home/me/site/")
    (later,) = causes(finding(line=99, message="said otherwise", document="z.html"))
    assert cause.id == elsewhere.id == later.id
    assert cause.id == hashlib.sha256(b"target\0missing-file\0x.html").hexdigest()[:12] == "dbe646663276"


def test_an_id_tells_nothing_of_a_password() -> None:
    one, other = (causes(finding(target=f"http://u:{word}@h/"))[0].id for word in ("secret", "other"))
    assert one == other


# --- templates

NAV = '<nav><a href="gone.html">Gone</a></nav>'


def pages(*documents: str, reference: str = "gone.html") -> list[Finding]:
    """A reference in documents, which leads elsewhere from each folder."""
    return [finding(reference, document=one, target=f"{SITE}{one.rpartition('/')[0]}/{reference}") for one in documents]


def test_a_line_of_a_template_is_one_cause_wherever_it_leads() -> None:
    found = pages("a/1.html", "a/2.html", "b/1.html", "c/1.html")
    assert len(causes(*found)) == 3
    (cause,) = causes(*found, lines=lambda document, line: NAV)
    assert (cause.target, cause.occurrences, cause.documents) == (None, 4, 4)
    indented = {"a/1.html": NAV, "b/1.html": f"  {NAV}", "c/1.html": f"{NAV}\t"}
    (same,) = causes(*found, lines=lambda document, line: indented.get(document, NAV))
    assert same.id == cause.id


def test_what_pages_say_is_their_own_address_is_one_cause() -> None:
    own = [
        finding(f"file:///b/{name}", document=name, code="file-uri", element="link", target=f"file:///b/{name}")
        for name in ("a.html", "b/c.html", "d.html")
    ]
    (cause,) = causes(*own)
    assert (cause.target, cause.occurrences) == (None, 3)
    assert len(causes(*own, own[0]._replace(element="a"), own[0]._replace(document="other.html"))) == 3
    assert len(causes(*(one._replace(code="missing-file") for one in own))) == 3  # three files are missing


def test_other_lines_are_no_template() -> None:
    found = pages("a/1.html", "b/1.html", "c/1.html")
    assert len(causes(*found, lines=lambda document, line: f"{document}: {NAV}")) == 3
    assert len(causes(*found, lines=lambda document, line: None)) == 3
    assert len(causes(*found[:2], lines=lambda document, line: NAV)) == 2  # two pages may have it by chance


def test_of_a_long_line_what_is_near_counts() -> None:
    def line(document: str, number: int) -> str:
        return f"<p>{document}{'x' * 400}{NAV}{'y' * 400}{document}"

    def at(one: Finding) -> Finding:
        return one._replace(column=1 + line(one.document, 3).index("gone.html"))

    (cause,) = causes(*map(at, pages("a/1.html", "bbb/1.html", "c/1.html")), lines=line)
    assert cause.occurrences == 3


def test_lines_are_asked_for_only_where_there_may_be_a_template() -> None:
    asked: list[tuple[str, int]] = []

    def line(document: str, number: int) -> str:
        asked.append((document, number))
        return NAV

    same_target = [finding(document=f"{number}.html") for number in range(50)]
    with_causes(same_target, SITE, line)
    assert asked == []
    with_causes(pages(*(f"{number:02}/x.html" for number in range(50))), SITE, line)
    assert asked == [("00/x.html", 3), ("25/x.html", 3), ("49/x.html", 3)]


def test_time_grows_by_the_number_of_findings() -> None:
    def prepared(number: int) -> Callable[[], object]:
        found = pages(*(f"{at % 90}/{at}.html" for at in range(number)))
        return lambda: causes(*found, lines=lambda document, line: NAV)

    assert_proportional(prepared, 500)


def test_what_a_template_gets_wrong_is_one_cause_in_a_folder(tmp_path: Path) -> None:
    names = ("index.html", "a/one.html", "a/two.html", "b/c/three.html")
    page = "<title>{0}</title>{1}\n" + NAV + "\n<a href=own{0}.html>"
    result = checked(tmp_path, {name: page.format(number, number * "\n") for number, name in enumerate(names)})
    assert [(cause.occurrences, cause.first.reference) for cause in result.causes] == [
        (4, "gone.html"),
        *((1, f"own{number}.html") for number in (1, 2, 3, 0)),
    ]
    assert result.summary.broken == 8
    assert {finding.cause for finding in result.findings} == {cause.id for cause in result.causes}


def test_a_cause_has_all_suggestions_of_its_places() -> None:
    def at(document: str, suggestion: str | None) -> Finding:
        base = Base(f"{SITE}{document}", "retrieval", "")
        return finding(document=document, suggestion=suggestion, base=base)

    (cause,) = causes(
        at("a.html", None), at("b/c.html", "../d/x.html"), at("c.html", "d/x.html"), at("e.html", "f/x.html")
    )
    assert cause.suggestions == ("../d/x.html", "f/x.html")
    entry = FindingAtPlace(cause.first, cause)
    assert suggested(entry, str) == "perhaps: ../d/x.html or f/x.html"
    (cause,) = causes(*(at(f"{number}.html", f"{number}/x.html") for number in range(8)))
    assert suggested(FindingAtPlace(cause.first, cause), str) == (
        "perhaps: 0/x.html, 1/x.html, 2/x.html, 3/x.html or 4/x.html (3 more: --all-places)"
    )
