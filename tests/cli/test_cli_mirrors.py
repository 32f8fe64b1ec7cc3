"""Folders as mirrors write them: every file is asked what it is, in all commands alike."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rehref
from cli_runs import Run
from rehref.documents.media_types import Beginning

PAGE = b"<!doctype html><p><a href=x.html>x</a>"
FILES = {
    "LICENSE": PAGE,
    "COPYING": b"You may copy this.",
    "page.php?id=1": PAGE,
    "index.php?title=File:Foo.png": PAGE,
    "view.php?img=a.png": PAGE,
    "go?u=x.js": PAGE,
    "index.php@title=File%3AFoo.png": PAGE,
    "thumb.php?f=a.html5": b"GIF89a\0",
    "source.php": b"<?php include 'x.html';",
    "index.html@p=1": PAGE,
    "main.css?v=1.2": b"a { b: url(x.html) }",
    "a.asp": b"\n<HTML><a href=x.html>",
    "a.html.1": PAGE,
    "a.html.bak": PAGE,
    "feed": b"<?xml version='1.0'?><feed xmlns='http://www.w3.org/2005/Atom'><link href='x.html'/></feed>",
    "packed.html.gz": gzip.compress(PAGE, mtime=1),
    "image": b"\x89PNG\r\n\x1a\n\0\0",
    "image.png": PAGE,
    "notes.txt": PAGE,
    "x.html": b"nothing",
}
DOCUMENTS = {
    *("LICENSE", "page.php?id=1", "index.html@p=1", "main.css?v=1.2", "a.asp", "a.html.1", "feed", "packed.html.gz"),
    *("index.php?title=File:Foo.png", "view.php?img=a.png", "go?u=x.js", "index.php@title=File%3AFoo.png"),
    "x.html",
}


@pytest.fixture
def mirror(tmp_path: Path) -> Path:
    """A folder with such files."""
    folder = tmp_path / "mirror"
    folder.mkdir()
    for name, data in FILES.items():
        (folder / name).write_bytes(data)
    return folder


def test_links_reads_what_is_a_document(run: Run, mirror: Path) -> None:
    result = run("links", "--format", "jsonl", "--url", "http://h/", "mirror")
    assert result.stderr == "rehref: 13 documents; 7 files are not documents\n"
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert {link["document"] for link in found} == {f"mirror/{name}" for name in DOCUMENTS - {"x.html"}}
    assert {link["target"] for link in found} == {"http://h/x.html"}


def test_rewrite_reads_what_is_a_document_and_packs_what_was_packed(run: Run, mirror: Path) -> None:
    result = run("rewrite", "--url", "http://h/", "mirror", "-o", "out", "--copy-others")
    assert result.stderr == "rehref: 12 of 12 references changed in 12 of 13 documents; 7 files are not documents\n"
    out = mirror.parent / "out"
    assert {file.name for file in out.iterdir()} == set(FILES)
    for name in FILES:
        data = (out / name).read_bytes()
        if name in DOCUMENTS:
            data = gzip.decompress(data) if name.endswith(".gz") else data
            assert (b"http://h/x.html" in data) is (name != "x.html"), name
        else:
            assert data == FILES[name]
    assert (out / "packed.html.gz").read_bytes()[:10] == FILES["packed.html.gz"][:10]


def test_check_reads_what_is_a_document(run: Run, mirror: Path) -> None:
    (mirror / "x.html").unlink()
    result = run("check", "--format", "json", "mirror")
    report = json.loads(result.stdout)
    assert {problem["document"] for problem in report["problems"]} == DOCUMENTS - {"x.html"}
    assert (report["summary"]["documents"], report["summary"]["others"]) == (12, 7)
    assert "12 errors from 1 cause in 12 documents; 7 files are not documents (" in run("check", "mirror").stdout


def test_fragments_are_looked_for_in_a_page_without_an_ending(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.php?id=1").write_bytes(b"<html><p id=there>")
    (tmp_path / "a.html").write_bytes(b"<a href='page.php%3Fid=1#there'><a href='page.php%3Fid=1#not'>")
    report = json.loads(run("check", "--format", "json", tmp_path).stdout)
    assert [(problem["code"], problem["reference"]) for problem in report["problems"]] == [
        ("missing-fragment", "page.php%3Fid=1#not")
    ]


def test_nothing_is_opened_whose_name_tells(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a.html", "b.png", "c.js", "d.woff2", "e.pdf", "f.zip", "g.txt", "h.js?v=1", "i.css"):
        (tmp_path / name).write_bytes(b"")
    opened: list[str] = []
    monkeypatch.setattr(Beginning, "media_type_named", lambda _, name: opened.append(name.stem))
    assert run("links", tmp_path).exit_code == 0
    run("check", "--allow-empty", tmp_path)
    assert opened == []
    (tmp_path / "x").write_bytes(b"")
    run("links", tmp_path)
    assert opened == ["x"]


# --- gzipped pages


def test_a_gzipped_page_that_does_not_change_stays_byte_for_byte(run: Run, tmp_path: Path) -> None:
    data = gzip.compress(b"<a href=http://h/>")
    (tmp_path / "a.html.gz").write_bytes(data)
    assert run("rewrite", "--url", "http://h/", "a.html.gz").stdout_bytes == data


def test_a_gzipped_page_from_standard_input(run: Run) -> None:
    result = run("rewrite", "--url", "http://h/", "-", input=gzip.compress(PAGE))
    assert gzip.decompress(result.stdout_bytes) == PAGE.replace(b"x.html>", b"http://h/x.html>")
    (link,) = json.loads(run("links", "--format", "json", "--url", "http://h/", "-", input=gzip.compress(PAGE)).stdout)
    assert link["target"] == "http://h/x.html"


def test_no_patch_is_made_of_a_gzipped_page(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(PAGE))
    result = run("rewrite", "--url", "http://h/", "--diff", "a.html.gz")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a.html.gz: is gzipped, so that a patch cannot be made; say -o OUT" in result.stderr


def test_a_gzipped_page_that_is_broken_is_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(PAGE)[:-9])
    result = run("links", "a.html.gz")
    assert result.exit_code == 2
    assert result.stderr == "rehref: a.html.gz: is gzipped, but ends too early; get it again\n"
    result = run("check", "--format", "json", tmp_path)
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["document"], problem["code"]) == ("a.html.gz", "unreadable")


def test_a_gzipped_page_is_fixed_as_it_is(run: Run, tmp_path: Path) -> None:
    (tmp_path / "guide.html").write_bytes(b"")
    (tmp_path / "a.html.gz").write_bytes(gzip.compress(b"<p>\n<a href=giude.html>See here"))
    result = run("check", tmp_path)
    assert "a.html.gz:2:9  error missing-file" in result.stdout
    assert "2 | <a href=giude.html>See here" in result.stdout
    run("check", "--fix", tmp_path)
    assert gzip.decompress((tmp_path / "a.html.gz").read_bytes()) == b"<p>\n<a href=guide.html>See here"


def test_a_fix_is_made_in_gzipped_copies_too(run: Run, tmp_path: Path) -> None:
    page, sheet = b"<link rel=stylesheet href=a.css><a href=giude.html>See here", b"a { background: url(X.png) }"
    for name, data in (("a.html", page), ("a.css", sheet), ("b.html", page)):
        (tmp_path / name).write_bytes(data)
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(data if name != "b.html" else b"<p>older"))
    (tmp_path / "guide.html").write_bytes(b"")
    (tmp_path / "x.png").write_bytes(b"")
    result = run("check", "--fix", tmp_path)
    assert "3 references corrected in 3 documents" in result.stderr
    for name in ("a.html", "a.css"):
        new = (tmp_path / name).read_bytes()
        assert b"giude" not in new
        assert b"X.png" not in new
        assert gzip.decompress((tmp_path / f"{name}.gz").read_bytes()) == new
    assert gzip.decompress((tmp_path / "b.html.gz").read_bytes()) == b"<p>older"
    assert f"{tmp_path}/b.html.gz: differs from b.html, so that it is not corrected; make it anew\n" in result.stderr


def test_what_a_server_sends_in_place_of_a_page_is_not_checked_twice(run: Run, tmp_path: Path) -> None:
    for name, data in (("a.html", PAGE), ("a.html.gz", gzip.compress(PAGE))):
        (tmp_path / name).write_bytes(data)
    report = json.loads(run("check", "--format", "json", tmp_path).stdout)
    assert [problem["document"] for problem in report["problems"]] == ["a.html"]


def test_the_functions_read_and_write_gzipped_pages(tmp_path: Path) -> None:
    file = tmp_path / "a.html.gz"
    file.write_bytes(gzip.compress(PAGE))
    for source in (file, file.read_bytes()):
        assert [link.target for link in rehref.links(source, url="http://h/")] == ["http://h/x.html"]
        assert gzip.decompress(rehref.rewrite(source, url="http://h/")).endswith(b"<a href=http://h/x.html>x</a>")
    with pytest.raises(rehref.ContainerError, match="ends too early"):
        rehref.links(file.read_bytes()[:-9])


def test_the_functions_ask_names_as_mirrors_write_them(tmp_path: Path) -> None:
    file = tmp_path / "main.css?v=1.2"
    file.write_bytes(FILES[file.name])
    (link,) = rehref.links(file, url="http://h/")
    assert (link.target, link.attribute) == ("http://h/x.html", None)


# --- what is no document, whatever its name says

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0<a href=x>\0\0"
PDF = b"%PDF-1.4 <a href=x>"
IS_PNG = "is a PNG image, not a document; if it is one, say --media-type text/html or what it is"
IS_PDF = IS_PNG.replace("PNG image", "PDF file")


@pytest.fixture
def misnamed(tmp_path: Path) -> Path:
    """A folder with files that are named like documents, and with one document."""
    folder = tmp_path / "misnamed"
    folder.mkdir()
    for name, data in {
        "a.html": b"<a href=b.html#top-of-it>",
        "b.html": PNG,
        "c.css": PDF,
        "d.html.gz": gzip.compress(PNG, mtime=1),
    }.items():
        (folder / name).write_bytes(data)
    return folder


NOTES = f"rehref: misnamed/b.html: {IS_PNG}\nrehref: misnamed/c.css: {IS_PDF}\nrehref: misnamed/d.html.gz: {IS_PNG}\n"


@pytest.mark.parametrize("parser", ["source", "all"])
def test_links_reports_images_that_are_named_like_pages(run: Run, misnamed: Path, parser: str) -> None:
    result = run("links", "--format", "jsonl", "--parser", parser, "--url", "http://h/", "misnamed")
    assert (result.exit_code, result.stderr) == (0, NOTES + "rehref: 1 document; 3 files are not documents\n")
    assert result.stdout.count("\n") == (parser == "source")


def test_rewrite_leaves_images_alone_that_are_named_like_pages(run: Run, misnamed: Path) -> None:
    result = run("rewrite", "--url", "http://h/", "misnamed", "-o", "out")
    summary = "rehref: 1 of 1 reference changed in 1 of 1 document; 3 files are not documents\n"
    assert (result.exit_code, result.stderr) == (0, NOTES + summary)
    for name in ("b.html", "c.css", "d.html.gz"):
        assert (misnamed.parent / "out" / name).read_bytes() == (misnamed / name).read_bytes()
    before = (misnamed / "b.html").stat()
    assert run("rewrite", "--quiet", "--url", "http://h/", "--in-place", "--backup", "misnamed").stderr == ""
    after = (misnamed / "b.html").stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)
    assert not (misnamed / "b.html.bak").exists()


def test_offline_leaves_images_alone_that_are_named_like_pages(run: Run, misnamed: Path) -> None:
    assert run("rewrite", "--to", "offline", "--url", "http://h/", "misnamed", "-o", "out").exit_code == 0
    assert (misnamed.parent / "out/b.html").read_bytes() == PNG
    assert (misnamed.parent / "out/a.html").read_bytes() == b"<a href=b.html#top-of-it>"


def test_check_reports_images_that_are_named_like_pages(run: Run, misnamed: Path) -> None:
    (misnamed / "sitemap.xml").write_bytes(b"<urlset><url><loc>http://h/a.html</loc></url></urlset>")
    for options in ((), ("--fix",), ("--orphans", "--sitemap", "--site-url", "http://h/")):
        report = json.loads(run("check", "--format", "json", *options, "misnamed").stdout)
        problems = [problem for problem in report["problems"] if problem["code"] == "other-format"]
        assert [(problem["document"], problem["severity"], problem["message"]) for problem in problems] == [
            (name, "warning", f"the file is {what}, not a document, whatever its name says")
            for name, what in (("b.html", "a PNG image"), ("c.css", "a PDF file"), ("d.html.gz", "a PNG image"))
        ]
        others = {(problem["document"], problem["code"]) for problem in report["problems"]} - {
            (problem["document"], problem["code"]) for problem in problems
        }
        assert {document for document, _ in others} <= {"a.html"}
        assert (report["summary"]["documents"], report["summary"]["others"]) == (2, 3)
    assert (misnamed / "b.html").read_bytes() == PNG
    report = json.loads(run("check", "--format", "json", "--exclude-path", "b.html", "misnamed").stdout)
    assert "b.html" not in {problem["document"] for problem in report["problems"]}


def test_an_image_that_is_named_as_a_page_by_name(run: Run, misnamed: Path) -> None:
    result = run("links", "misnamed/b.html")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.splitlines()[0] == f"rehref: misnamed/b.html: {IS_PNG}"
    result = run("rewrite", "--url", "http://h/", "misnamed/b.html")
    assert (result.exit_code, result.stdout_bytes) == (0, PNG)
    assert result.stderr.splitlines()[0] == f"rehref: misnamed/b.html: {IS_PNG}"
    result = run("rewrite", "--url", "http://h/", "--media-type", "text/html", "misnamed/b.html")
    assert result.stdout_bytes == PNG.replace(b"=x", b"=http://h/x")
    assert "http://h/x" in run("links", "--url", "http://h/", "--media-type", "text/html", "misnamed/c.css").stdout
    assert run("rewrite", "--url", "http://h/", "-", input=PNG).stdout_bytes == PNG.replace(b"=x", b"=http://h/x")


@pytest.mark.parametrize("name", ["b.html", "c.css", "d.html.gz"])
def test_the_functions_leave_images_alone_that_are_named_like_pages(misnamed: Path, name: str) -> None:
    file = misnamed / name
    diagnostics: list[rehref.Diagnostic] = []
    assert rehref.rewrite(file, url="http://h/", on_diagnostic=diagnostics.append) == file.read_bytes()
    assert [diagnostic.code for diagnostic in diagnostics] == ["unsupported"]
    with pytest.raises(rehref.ContainerError, match=r"is a (PNG image|PDF file), not a document"):
        rehref.links(file, url="http://h/")
    (link,) = rehref.links(file, url="http://h/", media_type="text/html")
    assert link.target == "http://h/x"
    (link,) = rehref.links(file.read_bytes(), url="http://h/")  # bytes have no name, and are HTML
    assert link.target == "http://h/x"


def test_no_page_is_opened_once_more_to_see_what_it_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number in range(5):
        (folder / f"{number}.html").write_bytes(b"<a href=0.html>")
    opened: list[str] = []

    def counting(real: Callable[..., Any]) -> Callable[..., Any]:
        def opens(file: object, *arguments: Any, **options: Any) -> Any:
            if str(file).endswith(".html"):
                opened.append(str(file))
            return real(file, *arguments, **options)

        return opens

    monkeypatch.setattr("builtins.open", counting(open))
    monkeypatch.setattr("os.open", counting(os.open))
    assert run("check", "--jobs", "1", folder).exit_code == 0
    assert sorted(opened) == [f"{folder}/{number}.html" for number in range(5)]
