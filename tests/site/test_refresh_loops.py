"""Pages that refresh in circles (site/_checks/refresh_loops.py), and what meta elements tell (site/_pages/metas.py)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checked.contexts import checked, host_named
from rehref.documents.options import ReadOptions
from rehref.site._checks.refresh_loops import loops
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import UNKNOWN_HOST, Finding
from rehref.site.site import Site


def found(folder: Path, files: Mapping[str, str | bytes], **options: Any) -> list[Finding]:
    return [finding for finding in checked(folder, files, **options).findings if finding.code == "refresh-loop"]


def documents(folder: Path, files: Mapping[str, str | bytes], **options: Any) -> list[str]:
    return sorted(finding.document for finding in found(folder, files, **options))


def refresh(content: str) -> str:
    return f'<meta http-equiv="refresh" content="{content}">'


def test_a_circle_is_reported_at_the_meta_of_each_page_in_it(tmp_path: Path) -> None:
    files = {
        "a.html": "<!DOCTYPE html>\n" + refresh("0; url=b/"),
        "b/index.html": refresh("30;url='../c.html?x#y'"),
        "c.html": refresh("1,a.html"),
        "in.html": refresh("0;a.html"),
    }
    first, second, third = sorted(found(tmp_path, files), key=lambda finding: finding.document)
    assert (first.document, first.line, first.column, first.span) == ("a.html", 2, 44, (59, 61))
    assert (first.element, first.attribute, first.reference) == ("meta", "content", "b/")
    assert first.target == f"{UNKNOWN_HOST}/b/"
    assert (first.code, first.severity) == ("refresh-loop", "error")
    assert first.message == "the refreshes lead in a circle: a.html → b/index.html → c.html → a.html"
    assert (second.document, second.reference) == ("b/index.html", "../c.html?x#y")
    assert third.message.endswith("c.html → a.html → b/index.html → c.html")


def test_slides_that_take_their_time_are_no_circle(tmp_path: Path) -> None:
    slides = {"a.html": refresh("10; url=b.html"), "b.html": refresh("10; url=a.html")}
    assert documents(tmp_path, slides) == []
    assert documents(tmp_path, {**slides, "b.html": refresh("0; url=a.html")}) == ["a.html", "b.html"]


def test_a_long_circle_is_not_spelled_out(tmp_path: Path) -> None:
    files = {f"{number}.html": refresh(f"0;{(number + 1) % 9}.html") for number in range(9)}
    assert {finding.message for finding in found(tmp_path, files) if finding.document == "8.html"} == {
        "the refreshes lead in a circle: 8.html → 0.html → 1.html → 2.html → … (9 pages)"
    }


@pytest.mark.parametrize(
    "content", ["0", "0;", ".9", "0.7;url=", "0;a.html", "000;url=?x", " 0 ; URL = 'a.html' ", "0;url=./"]
)
def test_a_page_that_refreshes_to_itself_at_once_is_a_circle(tmp_path: Path, content: str) -> None:
    (finding,) = found(tmp_path, {"a.html": refresh(content)}, index_files=("a.html",))
    assert finding.message == "the page refreshes itself at once, without end"
    assert finding.line == 1
    assert finding.span is not None


def test_without_a_url_it_is_reported_at_the_time(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, {"a.html": "<base href=https://else.example/>" + refresh("0")})
    assert (finding.column, finding.span, finding.reference) == (70, (69, 70), "")
    assert finding.target == f"{UNKNOWN_HOST}/a.html"


@pytest.mark.parametrize(
    "content", ["5", "5;url=a.html", "0;url=#x", "0;url=a.html#x", "0;b.html", "0;A.html", "x;a.html", "", "0x;a.html"]
)
def test_what_ends_or_takes_its_time_is_none(tmp_path: Path, content: str) -> None:
    assert found(tmp_path, {"a.html": refresh(content), "b.html": refresh("0;https://else.example/")}) == []


def test_the_first_refresh_with_a_time_counts(tmp_path: Path) -> None:
    files = {
        "a.html": refresh("soon;b.html") + refresh("0;a.html"),
        "b.html": refresh("0;c.html") + refresh("0;b.html"),
        "c.html": "<template>" + refresh("0;c.html") + "</template><p title='<meta http-equiv=refresh content=0>'>",
        "d.html": '<meta content="0;d.html" http-equiv=Refresh http-equiv=x>',
    }
    assert documents(tmp_path, files) == ["a.html", "d.html"]


def test_the_base_counts_unless_it_is_ignored(tmp_path: Path) -> None:
    files = {
        "a/a.html": '<base href="../">' + refresh("0;a/a.html"),
        "b/b.html": "<base href=../>" + refresh("0;b.html"),
    }
    assert documents(tmp_path, files) == ["a/a.html"]
    assert documents(tmp_path, files, how=ReadOptions(ignore_embedded_base=True)) == ["b/b.html"]


def test_redirections_and_the_urls_of_the_site_are_followed(tmp_path: Path) -> None:
    files = {"a.html": refresh("0;/old"), "b.html": refresh("0;https://example.org/a"), "_redirects": "/old /b 301\n"}
    assert documents(tmp_path, files, site_url="https://example.org/", host=host_named("netlify")) == [
        "a.html",
        "b.html",
    ]


def test_xhtml_utf_16_and_any_case_are_read(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "a.xhtml": '<html xmlns="http://www.w3.org/1999/xhtml"><meta http-equiv="refresh" content="0;a.xhtml"/></html>',
        "b.html": ("\ufeff" + refresh("0")).encode("utf-16-le"),
        "c.html": "<META HTTP-EQUIV=ReFrEsH CONTENT=0>",
        "c&.html": "<meta http-equiv=&#114;efresh content=0>",
        "d.html": "<p>refresh",
        "e.css": refresh("0"),
    }
    assert documents(tmp_path, files) == ["a.xhtml", "b.html", "c&.html", "c.html"]


def test_a_page_that_is_gone_is_skipped(tmp_path: Path) -> None:
    page = tmp_path / "gone.html"

    def progress(*_: object) -> None:
        page.unlink(missing_ok=True)

    page.write_text(refresh("0"))
    result = CheckRun().check(Site.of(tmp_path, CheckOptions(jobs=1)), progress).result
    assert (result.summary.documents, result.findings, page.exists()) == (1, (), False)


@given(st.dictionaries(st.integers(0, 30), st.integers(0, 30)))
def test_circles_are_what_one_comes_back_to(leads: dict[int, int]) -> None:
    graph = {str(page): str(to) for page, to in leads.items()}

    def comes_back(page: str) -> bool:
        at = page
        for _ in graph:
            if at not in graph:
                return False
            at = graph[at]
            if at == page:
                return True
        return False

    told = list(loops(graph))
    pages = [page for loop in told for page in loop]
    assert sorted(pages) == sorted(filter(comes_back, graph))
    assert all(graph[page] == to for loop in told for page, to in zip(loop, loop[1:] + loop[:1], strict=True))


def test_ten_times_the_pages_are_a_long_chain_without_recursion() -> None:
    chain = {str(number): str(number + 1) for number in range(200_000)}
    assert list(loops(chain)) == []
    assert [len(loop) for loop in loops({**chain, "200000": "0"})] == [200_001]
