"""How much of the findings the text report shows."""

from __future__ import annotations

from made_findings import finding, result, shown_as

CAUSES = 40


def report(causes: int = CAUSES) -> list[str]:
    """Findings with that many causes: the nth has n findings."""
    found = (finding(f"{n}.html", document=f"{page}.html") for n in range(1, causes + 1) for page in range(n))
    return shown_as("text", result(*found)).splitlines()


def test_the_causes_with_the_most_findings_are_shown_with_their_share() -> None:
    lines = report()
    shown = [line for line in lines if line.startswith("in ")]
    assert len(shown) == 25
    assert shown[0].startswith("in 40 pages, 4 % of all: 40.html  error missing-file")
    assert shown[-1].startswith("in 16 pages, 1 % of all: 16.html")
    assert "15 causes more with 120 findings (14 %) not shown (--all shows all)" in lines


def test_all_that_is_asked_for_is_shown() -> None:
    found = [finding(f"{n}.html", document=f"{page}.html") for n in range(CAUSES) for page in range(2)]
    for asked in ({"all": True}, {"most": CAUSES}, {"all_places": True}):
        text = shown_as("text", result(*found), **asked)
        assert "not shown" not in text
        assert text.count(" error missing-file") >= CAUSES


def test_few_findings_need_no_share() -> None:
    assert "%" not in "".join(report(10))
    assert not any("not shown" in line for line in report(25))


def test_a_long_report_has_no_source_lines_after_the_first_causes() -> None:
    found = [finding(f"{n}.html", document=f"{page}.html") for n in range(1, 31) for page in range(n)]
    text = shown_as("text", result(*found), line_of=lambda document, number: "<a href=x.html>")
    assert text.count("http://h/d/") - text[text.index("by code") :].count("http://h/d/") == 4
    lines = text.splitlines()
    first = lines.index(next(line for line in lines if line.startswith("in 23 pages")))
    assert lines[first + 1 : first + 3] == ['    there is no file "23.html"', lines[first + 2]]
    assert lines[first + 2].startswith("in 22 pages")
    assert len(lines) < 120


def test_a_report_is_short_however_many_causes_there_are() -> None:
    found = [
        finding(f"{n}.html", document=f"{page}.html", suggestion="y.html") for n in range(1, 41) for page in range(n)
    ]
    assert shown_as("text", result(*found), line_of=lambda document, number: "<a href=x.html>").count("\n") < 120
