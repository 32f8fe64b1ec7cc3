"""Findings that are equal but for their places: rows inside, and the same findings for who asks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import rehref
from rehref.site.findings import CheckResult, Summary

PAGE = b"""<p><a href="a.html">1</a> <a href="b.html">2</a> <a href="a.html">3</a></p>
<p><img src="a.html"> <a href="a.html">4</a> <a href=" a.html">5</a></p>
"""


def positions(result: CheckResult) -> list[tuple[int | None, int | None, str, str]]:
    return [(each.line, each.column, each.element, each.reference) for each in result.findings]


def site(folder: Path, page: bytes = PAGE) -> Path:
    (folder / "index.html").write_bytes(page)
    return folder


def test_a_mistake_at_many_places_is_one_row_and_a_finding_at_each_of_them(tmp_path: Path) -> None:
    result = rehref.check(site(tmp_path))
    assert positions(result) == [
        (1, 13, "a", "a.html"),
        (1, 36, "a", "b.html"),
        (1, 59, "a", "a.html"),
        (2, 14, "img", "a.html"),
        (2, 32, "a", "a.html"),
        (2, 56, "a", "a.html"),
    ]
    for each in result.findings:
        assert each.span is not None
        assert PAGE[slice(*each.span)].decode() == each.reference
    assert len(result.rows.repeated) < len(result.rows) == len(result.findings)
    assert tuple(result.rows) == result.findings
    assert [(cause.target, cause.occurrences) for cause in result.causes if cause.code == "missing-file"] == [
        ("https://site.invalid/a.html", 5),
        ("https://site.invalid/b.html", 1),
    ]


def test_what_one_line_leaves_out_is_reported_elsewhere(tmp_path: Path) -> None:
    page = PAGE.replace(b"</p>\n", b"</p> <!-- rehref-ignore -->\n", 1)
    assert [line for line, *_ in positions(rehref.check(site(tmp_path, page)))] == [2, 2, 2]


def test_a_template_note_counts_places(tmp_path: Path) -> None:
    page = b'<a href="{{ x }}">1</a> <a href="{{ x }}">2</a> {% if y %}'
    (tmp_path / "index.html").write_bytes(b"<p>nothing</p>")
    (tmp_path / "macros.html").write_bytes(page)
    (note,) = rehref.check(tmp_path, select=("template-file",)).findings
    assert "(2, such as {{ x }})" in note.message


def test_findings_that_are_given_stay_as_they_are(tmp_path: Path) -> None:
    result = rehref.check(site(tmp_path))
    backwards = result.findings[::-1]
    assert replace(result, findings=backwards).findings == backwards
    assert CheckResult("x", Summary(0, 0, 0), backwards[:1]).findings == backwards[:1]
    assert replace(result, folder="x") == replace(rehref.check(tmp_path), folder="x", summary=result.summary)
