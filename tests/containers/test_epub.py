"""The documents in an EPUB: a test or more for each rule of `rehref.containers._zip.epub`."""

from __future__ import annotations

import importlib.util
import io
import zipfile
from pathlib import Path

import pytest

import rehref
from containers.in_memory import everything, in_memory
from rehref.containers._zip.epub import recognizes, root_uri
from rehref.containers.parts import ChangedPart, ContainerOptions, Diagnostic, Part
from rehref.documents.base import Candidate, Layers, establish
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "containers"
BOOK = (FOLDER / "book.epub").read_bytes()
URL = "https://books.example/two.epub"
OPTIONS = ContainerOptions(Layers(retrieval=URL))
EPUB = in_memory("epub")
SPEC = importlib.util.spec_from_file_location("fixtures_containers_make", FOLDER / "make.py")
assert SPEC is not None
assert SPEC.loader is not None
make = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(make)


def with_files(files: dict[str, str | bytes], book: bytes = BOOK) -> bytes:
    out = io.BytesIO(book)
    with zipfile.ZipFile(out, "a") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return out.getvalue()


def found(data: bytes, url: str | None = URL, wanted=everything, **layers) -> list[Part | Diagnostic]:
    return EPUB.found(data, ContainerOptions(Layers(retrieval=url, **layers)), wanted)


def parts(data: bytes = BOOK, **options) -> dict[str, Part]:
    return {part.name: part for part in found(data, **options) if isinstance(part, Part)}


def diagnostics(data: bytes) -> list[str]:
    return EPUB.diagnostics(data, OPTIONS)


def rewritten(data: bytes, change) -> tuple[bytes, list[str]]:
    return EPUB.rewritten(data, change, OPTIONS)


def test_the_fixture_is_what_is_made():
    with zipfile.ZipFile(io.BytesIO(BOOK)) as book:
        assert {name: book.read(name).decode() for name in book.namelist()} == make.FILES


def test_recognition():
    assert recognizes(BOOK, io.BytesIO(BOOK))
    only_mimetype = with_files({"mimetype": "application/epub+zip\n"}, b"")
    only_container = with_files({"META-INF/container.xml": ""}, b"")
    other = with_files({"mimetype": "application/zip", "word/document.xml": ""}, b"")
    answers = [recognizes(data, io.BytesIO(data)) for data in (only_mimetype, only_container, other, b"", b"PK")]
    assert answers == [True, True, False, False, False]


def test_every_file_has_its_own_uri():
    root = "arcp://uuid,be02da98-5e93-593c-aee2-ef0a090a166e/"
    assert root_uri(io.BytesIO(BOOK), URL) == root
    chapter = parts()["OEBPS/text/chapter two.xhtml"]
    base = establish(chapter.layers.candidates())
    assert (base.uri, base.origin) == (root + "OEBPS/text/chapter%20two.xhtml", "entity")
    assert base.where == "file OEBPS/text/chapter two.xhtml of the container"
    assert chapter.inside[root + "OEBPS/cover.svg"] == "OEBPS/cover.svg"
    assert chapter.label == "file OEBPS/text/chapter two.xhtml"


def test_roots_are_those_of_the_draft():
    # examples of draft-soilandreyes-arcp-03, appendix A
    assert root_uri(io.BytesIO(), "http://example.com/data.zip") == "arcp://uuid,b7749d0b-0e47-5fc4-999d-f154abe68065/"
    assert (
        root_uri(io.BytesIO(b"Hello World!"), None) == "arcp://ni,sha-256;f4OxZX_x_FO5LcGBSKHWXfwtSx-j1ncoSt3SABJtkGk/"
    )


def test_the_retrieval_uri_is_no_base_for_what_is_inside():
    outer = (Candidate("https://o.example/", "entity", "entity base"),)
    for part in parts(entity=outer).values():
        assert (establish(part.layers.candidates()).uri or "").startswith("arcp://uuid,")
        assert part.layers.entity[1:] == outer


def test_references_stay_in_the_container_and_only_in_it():
    part = parts()["OEBPS/text/one.page"]
    document = read_document(part.data, "text/html", "utf-8", part.layers, ReadOptions.DEFAULT)
    root = root_uri(io.BytesIO(BOOK), URL)
    links = list(document.links())
    assert [(link.target or "").removeprefix(root) for link in links] == [
        "OEBPS/style.css",
        "OEBPS/text/chapter%20two.xhtml",
        "OEBPS/text/gone.xhtml",
        "https://books.example/two/",
        "up.xhtml",
    ]
    assert [part.inside.get(link.target or "") for link in links] == [
        "OEBPS/style.css",
        "OEBPS/text/chapter two.xhtml",
        None,
        None,
        None,
    ]
    assert {problem.code for link in links for problem in link.problems} == {"above-root"}


@pytest.mark.parametrize("profile", ["rfc3986", "rfc3986-compat", "rfc2396", "whatwg"])
@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("a b.xhtml", "a b.xhtml"),
        ("a b.xhtml", "a%20b.xhtml#x"),
        ("Müller.xhtml", "Müller.xhtml"),
        ("Müller.xhtml", "M%C3%BCller.xhtml"),
        ("Müller.xhtml", "m/../M%c3%bcller.xhtml"),
        ("a[1].xhtml", "a[1].xhtml"),
        ("it's.xhtml", "it%27s.xhtml"),
        ("it's.xhtml", "it's.xhtml"),
        ("50%.xhtml", "50%25.xhtml"),
        ("a?b.xhtml", "a%3Fb.xhtml"),
    ],
)
def test_files_are_recognized_in_every_profile(profile, name, reference):
    book = with_files({f"OEBPS/{name}": "<p>", "OEBPS/page.html": f'<a href="{reference}">'})
    page = rehref.links(book, url=URL, profile=profile)
    assert [link.inside for link in page if link.part == "OEBPS/page.html"] == [f"OEBPS/{name}"]


@pytest.mark.parametrize("reference", ["a?b.xhtml", "a.xhtml?q", "//x/a.xhtml", "gone.xhtml", "%ff.xhtml"])
def test_what_is_not_a_file_is_not_recognized(reference):
    book = with_files({"OEBPS/a.xhtml": "<p>", "OEBPS/page.html": f'<a href="{reference}">'})
    assert [link.inside for link in rehref.links(book) if link.part == "OEBPS/page.html"] == [None]


def test_media_types():
    types = {name: part.media_type for name, part in parts(with_files({"extra.html": "x", "extra.bin": "x"})).items()}
    assert types == {
        "OEBPS/book.opf": "application/oebps-package+xml",
        "OEBPS/nav.xhtml": "application/xhtml+xml",
        "OEBPS/text/one.page": "application/xhtml+xml",  # the package says so, not the name
        "OEBPS/text/chapter two.xhtml": "application/xhtml+xml",
        "OEBPS/style.css": "text/css",
        "OEBPS/cover.svg": "image/svg+xml",
        "extra.html": "text/html",
        "extra.bin": None,
    }


def test_only_what_is_wanted_is_read():
    asked = []

    def wanted(media_type: str, name: str) -> bool:
        asked.append((media_type, name.rpartition("/")[2]))
        return media_type == "text/css"

    assert list(parts(wanted=wanted)) == ["OEBPS/style.css"]
    assert ("application/xhtml+xml", "chapter%20two.xhtml") in asked


@pytest.mark.parametrize(
    "container",
    ["", "no XML", "<!-- -->", '<rootfile full-path="gone"/>', "<rootfile/>", '<rootfile full-path="mimetype"/>',
     '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c '
     '"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><r><rootfile full-path="&c;&c;&c;&c;"/>&c;</r>',
     '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>'],
)  # fmt: skip
def test_a_container_that_says_nothing(container: str):
    data = with_files({"META-INF/container.xml": container, "a.html": "<p>"}, b"")
    assert {name: part.media_type for name, part in parts(data).items()} == {"a.html": "text/html"}


def test_what_is_encrypted_is_not_read():
    data = with_files(
        {
            "META-INF/encryption.xml": '<encryption xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:CipherData>'
            '<enc:CipherReference URI="OEBPS/text/chapter%20two.xhtml"/></enc:CipherData></encryption>'
        }
    )
    assert "OEBPS/text/chapter two.xhtml" not in parts(data)
    assert diagnostics(data) == [
        "file OEBPS/text/chapter two.xhtml: is encrypted (META-INF/encryption.xml says); it is left as it is"
    ]


def test_identity():
    assert rewritten(BOOK, lambda part: None) == (BOOK, [])


def test_a_changed_file_keeps_its_place():
    def change(part: Part) -> ChangedPart | None:
        return ChangedPart(part.data.replace(b"cover", b"new-cover")) if part.media_type == "text/css" else None

    data, said = rewritten(BOOK, change)
    assert said == []
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        assert book.testzip() is None
        assert book.namelist() == list(make.FILES)
        assert data[30:58] == b"mimetypeapplication/epub+zip"
        assert book.read("OEBPS/style.css") == b"p { background: url(new-cover.svg) }\n"
        assert {name for name in book.namelist() if book.read(name).decode() != make.FILES[name]} == {"OEBPS/style.css"}
    style = parts(data)["OEBPS/style.css"]
    (link,) = read_document(style.data, "text/css", "utf-8", style.layers, ReadOptions.DEFAULT).links()
    assert (link.target or "").endswith("/OEBPS/new-cover.svg")


def test_a_signature_that_no_longer_holds_is_reported():
    data = with_files({"META-INF/signatures.xml": "<signatures/>"})
    assert rewritten(data, lambda part: None) == (data, [])
    _, said = rewritten(data, lambda part: ChangedPart(b"x") if part.name.endswith("css") else None)
    assert said == ["file META-INF/signatures.xml: the signatures in it are no longer valid; sign the book again"]


# --- bad input


def test_a_broken_book_is_reported_and_copied():
    with zipfile.ZipFile(io.BytesIO(BOOK)) as book:
        info = book.getinfo("OEBPS/style.css")
        at = info.header_offset + 30 + len(info.filename)
    broken = BOOK[:at] + b"\xff" * 5 + BOOK[at + 5 :]
    assert diagnostics(broken) == ["file OEBPS/style.css: its compressed data are damaged; it is left as it is"]
    data, said = rewritten(broken, lambda part: ChangedPart(b"<p>") if part.name.endswith(".page") else None)
    assert said == diagnostics(broken)
    assert broken[info.header_offset : at + info.compress_size] in data


def test_names_that_lead_out_are_reported():
    data = with_files({"../evil.html": "x"})
    assert diagnostics(data) == ["file '../evil.html': its name leads out of the zip file"]
    assert not any("evil" in name for name in parts(data))
    out, said = rewritten(data, lambda part: ChangedPart(b"y"))
    assert said == diagnostics(data)
    assert zipfile.ZipFile(io.BytesIO(out)).read("../evil.html") == b"x"


@pytest.mark.parametrize("cut", [0, 10, 500, len(BOOK) - 5])
def test_a_book_cut_off_is_reported_and_copied(cut: int):
    assert diagnostics(BOOK[:cut]) == [
        "a damaged EPUB: the zip file's directory is missing: the file is cut off, or is not a zip file"
    ]
    assert rewritten(BOOK[:cut], lambda part: ChangedPart(b""))[0] == BOOK[:cut]
