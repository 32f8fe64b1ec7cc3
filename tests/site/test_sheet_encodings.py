"""Style sheets that declare no encoding have that of the page which refers to them."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref

CSS = "p { background: url(ü.png) }"
LATIN = "windows-1252"
PAGE = "<!doctype html><meta charset={}><title>t</title><link rel=stylesheet href={}>"


def missing(folder: Path, files: dict[str, bytes], **options: object) -> list[tuple[str, str]]:
    """The references that lead nowhere, in a folder with an image called `ü.png`."""
    for name, data in {"ü.png": b"", **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    result = rehref.check(folder, **options)
    return [(finding.document, finding.reference) for finding in result.findings if finding.code == "missing-file"]


def test_it_is_that_of_the_page(tmp_path: Path) -> None:
    assert missing(tmp_path, {"i.html": PAGE.format(LATIN, "s.css").encode(), "s.css": CSS.encode(LATIN)}) == []


def test_the_same_in_other_processes(tmp_path: Path) -> None:
    files = {"i.html": PAGE.format(LATIN, "s.css").encode(), "s.css": CSS.encode(LATIN)}
    files |= {f"{number}.html": b"<title>t</title>" for number in range(300)}
    assert missing(tmp_path, files, jobs=2) == []


def test_what_a_page_in_utf_8_refers_to_is_utf_8(tmp_path: Path) -> None:
    found = missing(tmp_path, {"i.html": PAGE.format("utf-8", "s.css").encode(), "s.css": CSS.encode(LATIN)})
    assert found == [("s.css", "\ufffd.png")]


def test_a_sheet_in_utf_8_that_browsers_read_otherwise(tmp_path: Path) -> None:
    found = missing(tmp_path, {"i.html": PAGE.format(LATIN, "s.css").encode(), "s.css": CSS.encode()})
    assert found == [("s.css", "Ã¼.png")]


@pytest.mark.parametrize("head", ["<style>@import 'a.css';</style>", "<link rel=stylesheet href=a.css>"])
def test_imported_sheets_have_that_of_the_sheet(tmp_path: Path, head: str) -> None:
    page = f"<!doctype html><meta charset={LATIN}><title>t</title>{head}"
    files = {"i.html": page.encode(), "a.css": b"@import 'd/b.css';", "d/b.css": CSS.replace("ü", "../ü").encode(LATIN)}
    assert missing(tmp_path, files) == []


def test_a_declaration_takes_precedence(tmp_path: Path) -> None:
    declared = b'@charset "utf-8"; ' + CSS.encode()
    files = {"i.html": PAGE.format(LATIN, "s.css").encode(), "s.css": declared, "t.css": b"\xef\xbb\xbf" + CSS.encode()}
    assert missing(tmp_path, files) == []


NOTE = "s.css is read as windows-1252, which the first page that refers to it has; others have utf-8"


@pytest.mark.parametrize("others", [0, 300])
def test_of_two_pages_the_first_counts_and_that_is_reported(tmp_path: Path, others: int) -> None:
    files = {"a.html": PAGE.format(LATIN, "s.css").encode(), "b.html": PAGE.format("utf-8", "s.css").encode()}
    files |= {f"p{number}.html": b"<title>t</title>" for number in range(others)}
    assert missing(tmp_path, {**files, "s.css": CSS.encode(LATIN)}, jobs=2) == []
    assert rehref.check(tmp_path, jobs=2).hints == (NOTE,)
    (tmp_path / "t.css").write_bytes(CSS.encode(LATIN))
    (tmp_path / "c.html").write_bytes(PAGE.format(LATIN, "t.css").encode())
    assert rehref.check(tmp_path).hints == (NOTE,)
    (tmp_path / "d.html").write_bytes(PAGE.format("shift_jis", "t.css").encode())
    assert rehref.check(tmp_path).hints == (f"{NOTE} (and 1 more such)",)


def test_the_option_takes_precedence(tmp_path: Path) -> None:
    files = {"a.html": PAGE.format("utf-8", "s.css").encode(), "s.css": CSS.encode(LATIN)}
    assert missing(tmp_path, files, encoding=LATIN) == []


def test_only_what_makes_it_a_style_sheet_counts(tmp_path: Path) -> None:
    files = {"a.html": PAGE.format("utf-8", "s.css").replace("stylesheet", "preload").encode()}
    files["b.html"] = PAGE.format(LATIN, "s.css").replace("stylesheet", '"alternate StyleSheet"').encode()
    assert missing(tmp_path, {**files, "s.css": CSS.encode(LATIN)}) == []


def test_the_charset_of_a_link_counts(tmp_path: Path) -> None:
    page = PAGE.format("utf-8", f"s.css charset={LATIN}")
    assert missing(tmp_path, {"i.html": page.encode(), "s.css": CSS.encode(LATIN)}) == []
