"""Sure means sure: a name in another folder, or an id in another case, needs a second sign (`second_signs.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import rehref

Wanted = tuple[str, bool] | None


def suggested(folder: Path, files: Mapping[str, str]) -> dict[str, Wanted]:
    """What is suggested for each wrong reference, and whether that is sure."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, encoding="utf-8")
    found = rehref.check(folder, site_url="https://site.example/").findings
    return {one.reference: None if one.suggestion is None else (one.suggestion, one.sure) for one in found}


def linked(*references: str) -> str:
    return "".join(f'<a href="{each}">{each}</a>' for each in references)


def test_a_name_that_generators_give_is_not_proof(tmp_path: Path) -> None:
    pages = {f"compiler/{name}.html": linked("theindex.html") for name in "abc"}
    found = suggested(tmp_path, {**pages, "theindex.html": "x"})
    assert found == {"theindex.html": ("../theindex.html", False)}


def test_the_picture_of_one_library_is_not_that_of_another(tmp_path: Path) -> None:
    files = {"libs/regex/doc/boost.png": "", "libs/any/a.html": '<img src="../../boost.png">'}
    assert suggested(tmp_path, files) == {"../../boost.png": ("../regex/doc/boost.png", False)}


NAMES = ("install.html", "configure.html", "glossary.html")


def test_a_folder_that_has_several_of_the_missing_files_has_moved(tmp_path: Path) -> None:
    files = {f"archive/old/{name}": "x" for name in NAMES} | {"a/x.html": linked(*(f"../old/{name}" for name in NAMES))}
    found = suggested(tmp_path, files)
    assert found == {f"../old/{name}": (f"../archive/old/{name}", True) for name in NAMES}


def test_a_folder_that_has_few_of_the_missing_files_has_not(tmp_path: Path) -> None:
    others = [f"../old/{name}.html" for name in ("security", "template", "calendar", "database")]
    page = linked(*(f"../old/{name}" for name in NAMES), *others)
    found = suggested(tmp_path, {f"archive/{name}": "x" for name in NAMES} | {"a/x.html": page})
    assert {one[1] for one in found.values() if one is not None} == {False}


def test_the_id_that_is_asked_for_is_a_sign(tmp_path: Path) -> None:
    files = {"new/install.html": "<p id=requirements>x", "a.html": linked("old/b/install.html#requirements")}
    assert suggested(tmp_path, files) == {
        "old/b/install.html#requirements": ("new/install.html#requirements", True),
    }


@pytest.mark.parametrize("name", ["", "#index-1", "#other"])
def test_an_id_that_any_page_has_or_none_is_no_sign(tmp_path: Path, name: str) -> None:
    files = {"new/install.html": "<p id=index-1>x", "a.html": linked(f"old/b/install.html{name}")}
    found = suggested(tmp_path, files)[f"old/b/install.html{name}"]
    assert found is None or not found[1]


def test_a_page_that_leads_there_already_means_something_else(tmp_path: Path) -> None:
    files = {f"archive/old/{name}": "x" for name in NAMES} | {
        "a/x.html": linked(*(f"../old/{name}" for name in NAMES)) + linked(f"../archive/old/{NAMES[0]}")
    }
    found = suggested(tmp_path, files)
    assert found[f"../old/{NAMES[0]}"] == (f"../archive/old/{NAMES[0]}", False)
    assert found[f"../old/{NAMES[1]}"] == (f"../archive/old/{NAMES[1]}", True)


def test_the_way_from_a_folder_above_names_folder_and_file(tmp_path: Path) -> None:
    files = {"guide/setup.html": "x", "a/b/c.html": linked("guide/setup.html")}
    assert suggested(tmp_path, files) == {"guide/setup.html": ("../../guide/setup.html", True)}


IDS = ("Installation", "Usage", "Licence")


def test_ids_in_another_case_are_sure_if_several_are_and_all_one_way(tmp_path: Path) -> None:
    page = "".join(f"<p id={name}>" for name in IDS)
    references = [f"a.html#{name.lower()}" for name in IDS]
    found = suggested(tmp_path, {"a.html": page, "b.html": linked(*references)})
    assert found == {f"a.html#{name.lower()}": (f"a.html#{name}", True) for name in IDS}
    found = suggested(tmp_path, {"b.html": linked(*references[:2])})
    assert {one[1] for one in found.values() if one is not None} == {False}
    found = suggested(tmp_path, {"a.html": page + "<p id=end>", "b.html": linked(*references, "a.html#End")})
    assert {one[1] for one in found.values() if one is not None} == {False}


def test_an_id_with_the_very_spelling_before_it_is_a_doubt(tmp_path: Path) -> None:
    files = {
        "a.html": "<p id=iterator-typedefx>",
        "b.html": linked("a.html#iterator-typedef", "a.html#Iterator-typedef"),
    }
    found = suggested(tmp_path, files)
    assert {one[1] for one in found.values() if one is not None} == {False}


def test_what_an_element_cannot_show_is_not_suggested(tmp_path: Path) -> None:
    files = {"lily/a-page.ly": "x", "a.html": '<img src="lily/a-page.png">' + linked("lily/a-page.txt")}
    assert suggested(tmp_path, files) == {"lily/a-page.png": None, "lily/a-page.txt": ("lily/a-page.ly", False)}


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("ch1s02.html", ("ch01s02.html", False)),
        ("http:ch01s02.html", ("ch01s02.html", False)),
        ("\\\\ch01s02.html", ("ch01s02.html", False)),
        ("##here", ("#here", True)),
        ("http:?x", None),
        ("http:#here", None),
        ("#here?x=1", ("?x=1#here", False)),
        ("ch01s02.html?y#part?x=1", ("ch01s02.html?y&x=1#part", False)),
    ],
)
def test_other_mistakes(tmp_path: Path, reference: str, expected: Wanted) -> None:
    files = {"ch01s02.html": "<p id=part>", "a.html": f"<p id=here>{linked(reference)}"}
    assert suggested(tmp_path, files) == {reference: expected}
