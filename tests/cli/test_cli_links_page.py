"""`rehref links --format html`: the page of documents, folders and archives; what it shows, and what it never does."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import html5lib
import pytest
from click.testing import Result

from cli_runs import Run

CORES = ("source", "lxml", "html5lib")
SCRIPT = "<script>alert(1)</script>"


def page_of(result: Result, exit_code: int = 0) -> Any:
    """The page as a tree; what is no HTML raises."""
    assert result.exit_code == exit_code, result.output
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(result.stdout)


def words_of(element: Any) -> str:
    return " ".join(text for each in _texts(element) for text in each.split())


def _texts(element: Any) -> Any:
    if element.tag in ("script", "style"):
        return
    yield element.text or ""
    for child in element:
        yield from _texts(child)
        yield child.tail or ""


def marks_of(page: Any) -> list[str]:
    return [mark.text or "" for mark in page.iter("mark")]


def documents_of(page: Any) -> list[str]:
    return [heading.text for heading in page.iter("h3")]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "site"
    (folder / "sub").mkdir(parents=True)
    (folder / "index.html").write_text("<a href=sub/a.html>1</a><a href=sub/a.html#x>2</a><a href=http://o/>3</a>")
    (folder / "sub" / "a.html").write_text("<base href='http://[/'><base href=x/><a href=../>1</a><img src='a b'>")
    (folder / "alone.css").write_text("a { background: url(dot.png) }")
    return folder


@pytest.mark.parametrize("parser", CORES)
def test_the_page_of_a_folder(run: Run, site: Path, parser: str) -> None:
    page = page_of(run("links", "--format", "html", "--url", "http://h/s/", "--parser", parser, site))
    words = words_of(page)
    for shown in (
        "3 documents, 8 references",
        "2 hosts, ",
        "1 base skipped",
        "hyperlink 4 references ",
        "where it was retrieved 3 documents ",
        "h 5 references ",
        "o 1 reference ",
        "1 document is not referred to by any other one: alone.css.",
        "referred to in 1 other document, 2 references: index.html",
        "referred to in no other document here",
        "base http://h/s/sub/a.html (retrieval URI) skipped http://[/ (<base href>",
        "a@href hyperlink sub/a.html#x http://h/s/sub/a.html#x",
        "not-a-uri",
    ):
        assert shown in words, shown
    assert documents_of(page) == [str(site / name) for name in ("alone.css", "index.html", "sub/a.html")]
    ways = [[cell.text for cell in row.iter("td")] for row in page.find(".//table[@class='ways']/tbody")]
    assert ways[0] == ["index.html", "sub/a.html", "2"]
    assert ["sub/a.html", "other files in sub/", "1"] in ways


def test_every_reference_is_marked_with_its_base_and_its_target(run: Run, site: Path) -> None:
    page = page_of(run("links", "--format", "html", "--url", "http://h/s/", site))
    assert marks_of(page) == [
        "dot.png",
        *("sub/a.html", "sub/a.html#x", "http://o/"),
        *("http://[/", "x/", "../", "a b"),
    ]
    tip = next(mark for mark in page.iter("mark") if mark.text == "a b").find("span")
    assert words_of(tip).startswith(
        "resource img@src at 1:65 leads to http://h/s/sub/a b base http://h/s/sub/a.html (retrieval URI) not-a-uri "
    )
    assert all(mark.get("tabindex") == "0" for mark in page.iter("mark"))


@pytest.mark.parametrize("parser", CORES[1:])
def test_cores_that_know_no_places_say_so(run: Run, site: Path, parser: str) -> None:
    page = page_of(run("links", "--format", "html", "--parser", parser, site / "index.html"))
    assert marks_of(page) == []
    assert "3 references not marked: the parser core does not know their places" in words_of(page)
    assert "<a href=sub/a.html>1</a>" in words_of(page)


def test_nothing_in_the_page_comes_from_documents_or_leads_anywhere(run: Run, tmp_path: Path) -> None:
    name = "x<img src=y onerror=z>.html"
    (tmp_path / name).write_text(
        f"{SCRIPT}<base href='http://h/\"><script>'><a href='javascript:alert(1)'>1</a></mark></pre>"
        f"<a href=\"{SCRIPT}'&quot;\">2</a><img srcset='{SCRIPT} 1x'><!-- --></details><a href='&lt;/script>'>"
        f"<a href='http://u:secret@h/'>&lt;b>"
    )
    result = run("links", "--format", "html", tmp_path / name)
    page = page_of(result)
    assert [each.get("type") for each in page.iter("script")] == [None, "application/json", None]
    assert [each.get("onerror") for each in page.iter() if each.get("onerror")] == []
    for attribute in ("href", "src", "srcset", "action", "style", "data", "background"):
        assert [each.tag for each in page.iter() if each.get(attribute)] == []
    assert {each.tag for each in page.iter()} & {"a", "img", "iframe", "link", "base", "object"} == set()
    assert "secret" not in result.stdout
    assert "http://u:***@h/" in marks_of(page)


def test_the_policy_allows_what_is_in_it_by_hashes_only(run: Run, site: Path) -> None:
    result = run("links", "--format", "html", site)
    policy = next(each.get("content") for each in page_of(result).iter("meta") if each.get("http-equiv") is not None)
    texts = re.findall(r"<(?:style|script)>(.*?)</(?:style|script)>", result.stdout, re.DOTALL)
    hashes = {"'sha256-" + base64.b64encode(hashlib.sha256(each.encode()).digest()).decode() + "'" for each in texts}
    assert set(re.findall(r"'sha256-[^']*'", policy)) == hashes
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy


def test_the_page_has_an_end_and_says_so(run: Run, site: Path) -> None:
    page = page_of(run("links", "--format", "html", "--max-documents", 2, "--max-references", 3, site))
    words = words_of(page)
    assert "3 documents, 8 references" in words
    assert documents_of(page) == [str(site / "alone.css")]
    assert "The page shows 1 of 3 documents, and 1 of" in words
    assert "at most 2 documents (--max-documents) with 3 references (--max-references)." in words


def test_references_of_a_document_without_end(run: Run, tmp_path: Path) -> None:
    (tmp_path / "long.html").write_text("<a href=x>" * 50)
    page = page_of(run("links", "--format", "html", "--max-references", 10, tmp_path / "long.html"))
    assert len(marks_of(page)) == 10
    assert "40 references more: --max-references shows more of them." in words_of(page)
    page = page_of(run("links", "--format", "html", "--max-documents", 0, tmp_path / "long.html"))
    assert documents_of(page) == []
    assert "1 document, 50 references" in words_of(page)


def test_so_much_of_a_source(run: Run, tmp_path: Path) -> None:
    (tmp_path / "long.html").write_text("<a href=x>" + "word " * 1000)
    page = page_of(run("links", "--format", "html", "--max-source", "1K", tmp_path / "long.html"))
    assert "bytes more of the source: --max-source shows more of it." in words_of(page)
    page = page_of(run("links", "--format", "html", "--max-source", 0, tmp_path / "long.html"))
    assert "Sources are not shown." in words_of(page)
    assert list(page.iter("pre")) == []


@pytest.mark.parametrize("name", ["pages.warc.gz", "pages.wacz", "book.epub", "response.http"])
def test_the_page_of_an_archive(run: Run, fixtures: Path, name: str) -> None:
    path = fixtures / "containers" / name
    page = page_of(run("links", "--format", "html", path))
    lines = [line for line in run("links", "--format", "jsonl", path).stdout.splitlines() if line]
    assert f", {len(lines)} reference" in words_of(page)
    assert len(documents_of(page)) > 0
    assert all(heading.startswith(f"{path}, ") for heading in documents_of(page))
    assert marks_of(page)


def test_the_first_documents_of_an_archive(run: Run, fixtures: Path) -> None:
    path = fixtures / "containers" / "pages.warc.gz"
    every = documents_of(page_of(run("links", "--format", "html", path)))
    assert len(every) > 2
    assert documents_of(page_of(run("links", "--format", "html", "--max-documents", 2, path))) == every[:2]


def test_standard_input(run: Run) -> None:
    page = page_of(run("links", "--format", "html", "-", input=b"<a href=x>"))
    assert "no base 1" in words_of(page)
    assert "--url URI gives one" in words_of(page)
    assert "no-base" in words_of(page)


def test_what_cannot_be_read_is_in_the_page(run: Run, site: Path) -> None:
    (site / "broken.warc").write_bytes(b"WARC/1.0\r\nbroken")
    result = run("links", "--format", "html", site / "index.html", site / "none.html")
    assert "Not read: 1" in words_of(page_of(result, exit_code=2))
    assert f"{site}/none.html" in words_of(page_of(result, exit_code=2)).split("Not read")[1]


def test_many_documents_in_several_processes(run: Run, tmp_path: Path) -> None:
    for number in range(40):
        (tmp_path / f"{number:02}.html").write_text(f"<a href={(number + 1) % 40:02}.html>")
    alone, together = (
        run("links", "--format", "html", "--jobs", jobs, "--max-documents", 30, tmp_path) for jobs in (1, 2)
    )
    assert alone.stdout == together.stdout
    page = page_of(alone)
    assert "40 documents, 40 references" in words_of(page)
    assert len(documents_of(page)) == 30


def test_what_cores_disagree_about(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.html").write_bytes(b"<table><form action=q><form action=r><select><a href=z>")
    result = run("links", "--format", "html", "--parser", "all", tmp_path / "odd.html")
    assert words_of(page_of(result)).count("among source, ") == 1
    assert "not source, html5lib" in words_of(page_of(result))
    agreed = page_of(run("links", "--format", "html", "--parser", "all", "-", input=b"<a href=x>"))
    assert documents_of(agreed) == []


def test_listeners_hear_what_the_numbers_of_bars_are_of(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<a href=http://a/1>1</a><a href=http://a/2>2</a><a href=http://b/>3</a><img src=x.png>")
    root = page_of(run("links", page, "--format", "html"))
    numbers = [words_of(each) for each in root.iter("span") if each.get("class") == "number"]
    assert {"3 references", "2 references", "1 reference", "1 document"} <= set(numbers)
    assert {number.split()[1] for number in numbers} == {"reference", "references", "document"}
    assert all(number.endswith("s") == (number.split()[0] != "1") for number in numbers)


def test_what_is_not_among_the_bars_is_counted_with_its_unit(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("".join(f"<a href=http://h{number:02}/>x</a>" for number in range(40)))
    said = words_of(page_of(run("links", page, "--format", "html")))
    assert re.search(r"[0-9]+ others: [0-9]+ references\.", said)
