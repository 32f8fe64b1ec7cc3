"""References that lead nowhere because their scheme was left out (RFC 3986 §4.5): what is suggested, and never sure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from rehref.cli.program import program
from rehref.site._repair.lost_schemes import lost_scheme


@pytest.mark.parametrize(
    ("reference", "uri", "evident"),
    [
        ("www.example.org/x", "https://www.example.org/x", True),
        ("WWW.example.org", "https://WWW.example.org", True),
        ("www.stadt.museum?q#s", "https://www.stadt.museum?q#s", True),
        ("www.example.shop/x", "https://www.example.shop/x", True),
        ("ftp.example.org/x", "ftp://ftp.example.org/x", True),
        ("example.org/x.html", "https://example.org/x.html", False),
        ("example.com", "https://example.com", False),
        ("example.de", "https://example.de", False),
        ("example.rs/x", "https://example.rs/x", False),
        ("a.xn--p1ai", "https://a.xn--p1ai", False),
        ("me@example.org", "mailto:me@example.org", True),
        ("anna.b+c@mail.example.de?subject=x", "mailto:anna.b+c@mail.example.de?subject=x", True),
        ("https;//example.org/x", "https://example.org/x", True),
        ("http//example.org/x", "http://example.org/x", True),
        ("HTTP.//localhost/x", "http://localhost/x", True),
        ("https,//example.org", "https://example.org", True),
        ("ftp//example.org", "ftp://example.org", True),
        ("../https://example.org/x", "https://example.org/x", True),
        ("https:/example.org/x", "https://example.org/x", True),
        ("HTTP:/host/x", "http://host/x", False),
        ("www.example.org/Köln a", "https://www.example.org/K%C3%B6ln%20a", True),
        ("https;//example.org/Köln", "https://example.org/K%C3%B6ln", True),
    ],
)
def test_what_was_meant(reference: str, uri: str, evident: bool) -> None:
    meant = lost_scheme(reference)
    assert meant is not None
    assert (meant.uri, meant.evident) == (uri, evident)


@pytest.mark.parametrize(
    "reference",
    [
        *(
            *("", "x", "https://example.org/x", "index.html", "a/www.example.org", "../www.example.org"),
            *("setup.cfg", "main.rs", "README.md", "v1.2"),
        ),
        *(
            *("x.y.html", "logo@2x.png", "lodash@4.17.21", "index.html@p=1", "@example.org", "me@localhost"),
            "a b@example.org",
        ),
        *(
            *("example.org.txt", "jquery.min", "photo.jpg", "http", "https;", "http//", "http///x", "file//x"),
            "httpx//a.org",
        ),
        "www." * 200_000 + "org",
        "a@" + "b." * 200_000,
    ],
)
def test_nothing_is_known(reference: str) -> None:
    assert lost_scheme(reference) is None


def checked(folder: Path, *options: str) -> dict[str, tuple[str | None, str]]:
    """The suggestion and the code for each reference that is wrong."""
    result = CliRunner().invoke(program, ["check", str(folder), "--format", "json", *options], catch_exceptions=False)
    return {each["reference"]: (each["suggestion"], each["code"]) for each in json.loads(result.stdout)["problems"]}


@pytest.mark.parametrize("profile", ["rfc3986", "rfc2396", "whatwg"])
def test_the_command_suggests_it(tmp_path: Path, profile: str) -> None:
    page = tmp_path / "d" / "p.html"
    page.parent.mkdir()
    references = ["www.example.org/x", "me@example.org", "https;//h.example/x", "http//h.example/x", "example.org"]
    page.write_text("".join(f'<a href="{reference}">x</a>' for reference in references))
    assert checked(tmp_path, "--profile", profile) == {
        "www.example.org/x": ("https://www.example.org/x", "missing-file"),
        "me@example.org": ("mailto:me@example.org", "missing-file"),
        "https;//h.example/x": ("https://h.example/x", "missing-file"),
        "http//h.example/x": ("http://h.example/x", "missing-file"),
        "example.org": ("https://example.org", "missing-file"),
    }
    text = CliRunner().invoke(program, ["check", str(tmp_path)]).stdout
    assert "perhaps: https://www.example.org/x" in text.replace('"', "")
    assert "write instead" not in text


def test_what_leads_somewhere_is_fine(tmp_path: Path) -> None:
    (tmp_path / "example.com").write_text("x")
    (tmp_path / "www.example.org").mkdir()
    (tmp_path / "www.example.org" / "index.html").write_text("x")
    (tmp_path / "p.html").write_text('<a href="example.com"></a><a href="www.example.org/"></a>')
    assert checked(tmp_path) == {}


def test_a_file_goes_first_where_nothing_is_evident_and_in_mirrors(tmp_path: Path) -> None:
    (tmp_path / "example.html").write_text("x")
    (tmp_path / "about.html").write_text("x")
    mirrored = tmp_path / "www.mirrored.example"
    mirrored.mkdir()
    (mirrored / "page.html").write_text("x")
    (tmp_path / "p.html").write_text(
        '<a href="exampl.html"><a href="www.other.example/about.html"><a href="www.mirrored.example/page.htm">'
    )
    assert {reference: found[0] for reference, found in checked(tmp_path).items()} == {
        "exampl.html": "example.html",
        "www.other.example/about.html": "https://www.other.example/about.html",
        "www.mirrored.example/page.htm": "www.mirrored.example/page.html",
    }


def test_only_fix_unsure_writes_it(tmp_path: Path) -> None:
    page = tmp_path / "p.html"
    before = b'<a href="www.example.org/x">x</a><img src=me@example.org>'
    page.write_bytes(before)
    CliRunner().invoke(program, ["check", str(tmp_path), "--fix"])
    assert page.read_bytes() == before
    CliRunner().invoke(program, ["check", str(tmp_path), "--fix", "--fix-unsure"])
    assert page.read_bytes() == b'<a href="https://www.example.org/x">x</a><img src=mailto:me@example.org>'
