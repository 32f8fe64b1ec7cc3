"""A base that breaks the links of its page."""

from __future__ import annotations

from pathlib import Path

import rehref


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
