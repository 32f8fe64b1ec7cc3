"""Bases that break the links of a page, or of a folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

import rehref
from checked.contexts import written
from rehref.cli.program import program


def site(folder: Path, base: str, links: str, pages: int = 12) -> rehref.CheckResult:
    for number in range(pages):
        (folder / f"p{number}.html").write_text("<!doctype html><title>x</title>")
    (folder / "assets").mkdir(exist_ok=True)
    (folder / "assets/a.png").write_bytes(b"")
    (folder / "index.html").write_text(f"<!doctype html><title>x</title><base href='{base}'>{links}")
    return rehref.check(folder)


def links(number: int) -> str:
    return "".join(f"<a href=p{each}.html>x</a>" for each in range(number))


def test_a_base_that_breaks_nearly_all_links_is_one_cause(tmp_path: Path) -> None:
    result = site(
        tmp_path, "assets/", f"{links(11)}<a href=gone.html>x</a><img src=a.png alt=x><a href=../p1.html>y</a>"
    )
    found = [each for each in result.findings if each.code == "missing-file"]
    assert len(found) == 12
    assert len({each.cause for each in found}) == 1
    assert {each.message.partition("; ")[2] for each in found} == {
        "without this base (<base href> at 1:32), 11 of 12 broken links of the page would be right"
    }
    assert {each.suggestion for each in found} == {None}
    before = (tmp_path / "index.html").read_bytes()
    assert rehref.check(tmp_path, jobs=1).findings == result.findings
    assert (tmp_path / "index.html").read_bytes() == before


def test_a_base_that_is_right_for_some_is_not(tmp_path: Path) -> None:
    for base, some in (
        ("assets/", f"{links(2)}"),
        ("assets/", f"{links(3)}<a href=g>x</a>"),
        ("./", "<a href=g>x</a>" * 4),
    ):
        found = site(tmp_path, base, some).findings
        assert not any("without this base" in each.message for each in found)
        assert any(each.code == "missing-file" for each in found)


def test_what_does_not_depend_on_the_base_is_told_apart(tmp_path: Path) -> None:
    found = site(tmp_path, "assets/", f"{links(5)}<a href=/gone.html>x</a>").findings
    (other,) = [each for each in found if each.reference == "/gone.html"]
    assert "without this base" not in other.message


# --- a page that was written for another folder


PAGES = {"css/a.css": "", "img/b.png": "", "guide/c.html": "<!doctype html><title>x</title>"}
OF_ROOT = "<link rel=stylesheet href={0}css/a.css><img src={0}img/b.png alt=x><a href={0}guide/c.html>x</a>"


@pytest.mark.parametrize(
    ("path", "before", "place"),
    [("errors/404.html", "", "/"), ("en/x/404.html", "../", "/en/"), ("en/x/404.html", "../../../en/-/", "")],
)
def test_a_page_for_another_folder_is_one_cause(tmp_path: Path, path: str, before: str, place: str) -> None:
    below = "en/" if place == "/en/" else ""
    files = {f"{below and 'en/../'}{name}": text for name, text in PAGES.items()}
    page = "<!doctype html><title>x</title>" + OF_ROOT.format(before)
    result = rehref.check(written(tmp_path, {**files, path: page}))
    said = {each.message.rpartition("; ")[2] for each in result.findings}
    if place:
        assert said == {f"from {place}, 3 of 3 broken links of the page would be right"}
        assert len(result.causes) == 1
        assert {(each.suggestion, each.sure) for each in result.findings} == {(None, False)}
    else:
        assert not any(" of the page would be right" in each for each in said)


def test_a_page_with_links_that_are_right_is_where_it_belongs(tmp_path: Path) -> None:
    page = "<!doctype html><title>x</title>" + OF_ROOT.format("") + OF_ROOT.format("../")
    result = rehref.check(written(tmp_path, {**PAGES, "guide/d.html": page}))
    assert len(result.findings) == len(result.causes) == 3
    assert not any("of the page would be right" in each.message for each in result.findings)


# --- a site that was built for the root of a host


SITE = {
    f"{name}.html": "<!doctype html><title>x</title>"
    + OF_ROOT.format("/")
    + f"<a href=/gone{name}.html>x</a>" * (name == "b")
    for name in "abcd"
}


def test_a_site_for_the_root_that_lies_in_a_folder_is_one_cause(tmp_path: Path) -> None:
    inside = {f"reference/{path}": text for path, text in {**PAGES, **SITE}.items()}
    written(tmp_path, {**inside, "index.html": "<!doctype html><title>x</title><a href=/gone.html>x</a>"})
    before = {path: path.read_bytes() for path in tmp_path.rglob("*.html")}
    result = rehref.check(tmp_path)
    (cause, other) = sorted(result.causes, key=lambda each: -each.occurrences)
    assert (cause.occurrences, other.first.reference) == (13, "/gone.html")
    assert cause.first.message.endswith("; below /reference/, 12 of 13 broken paths from the root would be right")
    assert {each.suggestion for each in result.findings if each.cause == cause.id} == {None}
    assert [each for each in result.hints if "root of a host" in each] == [
        f"{tmp_path}/reference/ was built for the root of a host: check it alone (rehref check {tmp_path}/reference/)"
    ]
    corrected = CliRunner().invoke(program, ["check", str(tmp_path), "--fix", "--fix-unsure", "--config", os.devnull])
    assert "rehref: 0 references corrected" in corrected.output
    assert {path: path.read_bytes() for path in tmp_path.rglob("*.html")} == before
    assert [each.reference for each in rehref.check(tmp_path / "reference").findings] == ["/goneb.html"]


def test_a_site_for_the_root_whose_url_has_a_path_is_one_cause(tmp_path: Path) -> None:
    result = rehref.check(written(tmp_path, {**PAGES, **SITE}), site_url="https://e.example/reference/")
    assert [(each.code, each.occurrences) for each in result.causes] == [("escapes-site", 13)]
    assert "the site was built for the root of its host; if it is there, say --root-dir ." in result.hints
    assert [each.reference for each in rehref.check(tmp_path, root_dir=".").findings] == ["/goneb.html"]
