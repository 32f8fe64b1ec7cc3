"""Messages name what is there (site/locating.py, repair/names.py), and show fragments decoded."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from checked.contexts import found


@pytest.mark.parametrize("link", ["#{}", "b.html#{}", "b.html#{0}:~:text=x"])
def test_a_fragment_in_another_normalization_form(tmp_path: Path, link: str) -> None:
    name = "café"
    composed, decomposed = (unicodedata.normalize(form, name) for form in ("NFC", "NFD"))
    page = f'<meta charset="utf-8"><p id="{decomposed}">1</p><a href="{link.format(composed)}">2</a>'
    (tmp_path / "b.html").write_text(f'<meta charset="utf-8"><p id="{decomposed}">1</p>', encoding="utf-8")
    (finding,) = found(tmp_path, page)
    assert finding.code == "missing-fragment"
    assert "Unicode normalization form: NFD, and the reference in NFC" in finding.message
    assert finding.suggestion == link.format(decomposed)


def test_the_other_form_goes_before_another_case(tmp_path: Path) -> None:
    page = '<meta charset="utf-8"><p id="E\u0301A">1</p><p id="e\u0301a">2</p><a href="#\u00e9a">3</a>'
    (finding,) = found(tmp_path, page)
    assert (finding.suggestion, finding.sure) == ("#e\u0301a", True)


def test_another_case_is_no_other_form(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, '<meta charset="utf-8"><p id="É">1</p><a href="#é">2</a>')
    assert "normalization" not in finding.message


@pytest.mark.parametrize("name", ["index.htm", "INDEX.HTML", "index.xhtml", "Default.htm", "index.php"])
def test_an_index_of_another_name_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / name).write_text("<html/>")
    (finding,) = found(tmp_path, '<a href="docs/">1</a>')
    assert finding.code == "missing-index"
    assert finding.message.startswith(f"there is no index.html in the folder docs, but there is {name}")
    assert (finding.suggestion, finding.sure) == (f"docs/{name}", False)


@pytest.mark.parametrize("name", ["index.css", "index.js", "home.html", "index.html.bak", "sub/index.htm"])
def test_what_is_no_index_is_not_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "docs" / name).parent.mkdir(parents=True)
    (tmp_path / "docs" / name).write_text("x")
    (finding,) = found(tmp_path, '<a href="docs/">1</a>')
    assert finding.message == "there is no index.html in the folder docs"


@pytest.mark.parametrize(
    ("name", "reference", "new"),
    [
        ("a?b.html", "a?b.html", "a%3Fb.html"),
        ("sub/a?b.html", "./sub/a?b.html", "./sub/a%3Fb.html"),
        ("a?b=c d.html", "a?b=c%20d.html", "a%3Fb%3Dc%20d.html"),
        ("c#.html", "c#.html", "c%23.html"),
        ("c#.html", "c#.html#top", "c%23.html#top"),
        ("a?b.html", "a?b.html#x", "a%3Fb.html#x"),
        ("a%20b.html", "a%20b.html", "a%2520b.html"),
        ("100%.html", "100%.html", "100%25.html"),
    ],
)
def test_a_file_is_named_as_the_reference_stands(tmp_path: Path, name: str, reference: str, new: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("<p id=x>")
    for site_url in (None, "https://example.org/docs/"):
        errors = found(tmp_path, f'<a href="{reference}">1</a>', site_url=site_url)
        if name == "100%.html":  # which is found as it stands
            assert [one.code for one in errors] == ["not-a-uri"]
            continue
        (finding,) = errors
        assert finding.code == "missing-file"
        written = new.partition("#")[0].rpartition("/")[2].replace("%3D", "=")
        assert finding.message.endswith(f"; {name} is there, and is written {written}")
        assert finding.suggestion is not None
        assert (finding.suggestion.replace("=", "%3D"), finding.sure) == (new, True)


@pytest.mark.parametrize(
    ("reference", "new"),
    [
        ("tags/c#/", "tags/c%23/"),
        ("tags/c#", "tags/c%23/"),
        ("tags/c#/#x", "tags/c%23/#x"),
        ("./tags/c#/index.html", "./tags/c%23/index.html"),
        ("/tags/c#/", "/tags/c%23/"),
        ("tags/why?/", "tags/why%3F/"),
        ("tags/why?/index.html#x", "tags/why%3F/index.html#x"),
    ],
)
@pytest.mark.parametrize("has_c", [False, True])
def test_a_folder_is_named_as_the_reference_stands(tmp_path: Path, reference: str, new: str, *, has_c: bool) -> None:
    for name in ("c#", "why?", *(("c", "why") if has_c else ())):
        (tmp_path / "tags" / name).mkdir(parents=True)
        (tmp_path / "tags" / name / "index.html").write_text("<p id=x>")
    findings = found(tmp_path, f'<a href="{reference}">1</a>', site_url="https://example.org/")
    if has_c and (reference.endswith("#") or "?" in reference):  # which leads to the other folder
        assert findings == []
        return
    (finding,) = findings
    assert finding.code == ("missing-fragment" if has_c else "missing-file")
    assert (finding.suggestion, finding.sure) == (new, True)
    assert finding.message.endswith(("is there, and c# is written c%23", "is there, and why? is written why%3F"))


def test_a_misspelt_fragment_of_a_file_named_rightly_gets_the_fragment(tmp_path: Path) -> None:
    (tmp_path / "a#b.html").write_text("<p id=introduction>")
    (finding,) = found(tmp_path, '<a href="a%23b.html#introductin">1</a>', site_url="https://example.org/")
    assert (finding.suggestion, finding.sure) == ("a%23b.html#introduction", True)
