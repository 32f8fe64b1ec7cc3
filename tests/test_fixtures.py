"""The fixtures: those that are made are what `make.py` makes, and the README lists every one."""

import re
from pathlib import Path

import pytest

from modules import module_at

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures"
DOCUMENTS = sorted(path.name for path in FIXTURES.glob("*.html"))
BASES = sorted(path.name for path in FIXTURES.glob("bases/*.html"))


make = module_at(FIXTURES / "make.py", "fixtures_make")


@pytest.mark.parametrize("name", sorted(make.MADE))
def test_what_is_made_is_what_is_kept(name: str) -> None:
    assert (FIXTURES / name).read_bytes() == make.make(make.MADE[name]), "run python fixtures/make.py"


def test_every_text_is_used() -> None:
    assert {path.stem for path in (FIXTURES / "sources").iterdir()} == {recipe.source for recipe in make.MADE.values()}


def test_the_readme_lists_every_document_once_and_says_which_are_made() -> None:
    rows = re.findall(r"^\| `([^`]+)` \| (.+) \|$", (FIXTURES / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(name for name, _ in rows) == DOCUMENTS
    assert {name for name, what in rows if what.startswith("*made*")} == set(make.MADE) & set(DOCUMENTS)


def test_the_readme_lists_every_page_of_bases_once_and_says_which_are_made() -> None:
    section = (FIXTURES / "README.md").read_text(encoding="utf-8").partition("\n## Bases\n")[2]
    listed = re.findall(r"`([a-z0-9-]+)`( \(\*made\*\))?(?=, | \|)", section)
    assert sorted(f"{name}.html" for name, _ in listed) == BASES
    made = {f"bases/{name}.html" for name, is_made in listed if is_made}
    assert made == {name for name in make.MADE if name.startswith("bases/")}


@pytest.mark.parametrize("name", BASES)
def test_every_page_of_bases_says_first_what_its_base_is(name: str) -> None:
    text = (FIXTURES / "bases" / name).read_text(encoding="latin-1")
    assert re.match(r"<!DOCTYPE [^>]*>\n<!-- The base: [^\n]* -->\n", text, re.IGNORECASE)


@pytest.mark.parametrize("name", sorted({*DOCUMENTS, *(f"bases/{name}" for name in BASES)} - set(make.MADE)))
def test_what_is_not_made_can_be_kept_by_an_editor(name: str) -> None:
    data = (FIXTURES / name).read_bytes()
    assert b"\r" not in data
    assert b"\0" not in data
    data.decode("utf-8")


@pytest.mark.parametrize(
    ("name", "hazard"),
    [
        ("shift-jis.html", b'\x95\\"'),  # 表 before a quote
        ("shift-jis.html", b"=\x94\\>"),  # 能 unquoted
        ("gbk.html", b"\x81\\."),  # 乗
        ("gbk.html", b"\x81@>"),  # 丂
        ("big5.html", b"\xa5\\"),  # 功
        ("big5.html", b"\xa5|"),  # 四
        ("euc-kr.html", b"\x8cc"),  # 똠
        ("windows-1252.html", b"\x93T\xe4glich Brot\x94"),
        ("utf-16le.html", b"\xff\xfe<\x00"),
        ("utf-16be.html", b"\xfe\xff\x00<"),
        ("utf-16be.html", b"\x22\x00"),  # ∀, whose bytes are a quote and NUL
        ("utf-8-bom.html", b"\xef\xbb\xbf<?xml"),
        ("invalid-utf-8.html", b"fin-\xc3'"),
        ("nul-bytes.html", b"record\x001.html"),
        ("crlf.html", b"broken-\r\nover"),
        ("cr.html", b"broken-\rover"),
        ("white-space.html", b"in\tside.html"),
        ("bases/non-ascii-query.html", b"ort=K\xf6ln&amp;preis=\x80"),
        ("bases/white-space-inside.html", b"exa\n\tmple"),
        ("bases/white-space-around.html", b'05/\t "'),
    ],
)
def test_the_hazard_is_there(name: str, hazard: bytes) -> None:
    assert hazard in (FIXTURES / name).read_bytes()


def test_one_line_is_one_line() -> None:
    data = (FIXTURES / "one-line.html").read_bytes()
    assert b"\n" not in data
    assert len(data) > 3000
