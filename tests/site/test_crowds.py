"""Findings with different targets that have one reason (site/_results/crowds.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked.contexts import checked, host_named
from rehref.reports.words_of_findings import extent_of
from rehref.site.findings import CheckResult

ASIDE = '<a href="../glib/a.html#x"><a href="../glib/b/c.html"><a href="../gio/a.html"><a href="../one.html">'


def causes(result: CheckResult) -> list[tuple[str, str, int, int]]:
    return [(cause.code, cause.first.reference, cause.occurrences, cause.targets) for cause in result.causes]


def links(*references: str) -> str:
    return "".join(f'<a href="{reference}">x</a>' for reference in references)


@pytest.mark.parametrize(
    ("reference", "codes"),
    [
        ("../x.html", ["missing-file: it leads above the folder, to ../x.html; there is no file x.html"]),
        ("..\\x.html", ["missing-file: it leads above the folder, to ../x.html; there is no file x.html"]),
        ("/../x.html", ["above-root", "missing-file: there is no file x.html"]),
        ("https://example.org/../x.html", ["above-root", "missing-file: there is no file x.html"]),
        ("../https://e.example/x", ["missing-file: the URI https:/e.example/x was made relative, and is not a file"]),
    ],
)
def test_what_climbs_is_named_once(tmp_path: Path, reference: str, codes: list[str]) -> None:
    found = checked(tmp_path, {"index.html": links(reference)}, site_url="https://example.org/").findings
    said = sorted(f"{one.code}: {one.message}" if one.code == "missing-file" else one.code for one in found)
    assert [each for each in said if each.startswith(("above", "missing"))] == codes


# --- files that are there only in gzipped form


def test_files_that_are_gzipped_are_one_cause_for_each_extension(tmp_path: Path) -> None:
    page = links("a.json", "b/c%20d.json?x#y", "e.txt", "f.json")
    names = ("a.json.gz", "b/c d.json.gz", "e.txt.gz", "f.json.bz2")
    found = causes(checked(tmp_path, {"index.html": page, **dict.fromkeys(names, "")}))
    assert found == [
        ("missing-file", "a.json", 2, 2),
        ("missing-file", "e.txt", 1, 1),
        ("missing-file", "f.json", 1, 1),
    ]


# --- absent folders


def test_a_folder_that_is_not_there_is_one_cause(tmp_path: Path) -> None:
    page = links("old/a.html", "old/b/c.html", "old/", "/old/d.html#e", "here/a.html", "here/b.html", "here/in/a.html")
    result = checked(tmp_path, {"index.html": page, "here/index.html": "x"})
    assert causes(result) == [
        ("missing-file", "old/a.html", 4, 4),
        ("missing-file", "here/a.html", 1, 1),
        ("missing-file", "here/b.html", 1, 1),
        ("missing-file", "here/in/a.html", 1, 1),
    ]
    assert [cause.target is None for cause in result.causes] == [True, False, False, False]
    assert extent_of(result.causes[0]) == "in 1 page (4 places, 4 targets)"
    again = checked(tmp_path, {"index.html": "<p>" + links("old/z.html")}, site_url="https://example.org/")
    assert again.causes[0].id == result.causes[0].id


def test_files_with_numbered_names_are_one_cause_for_each_folder_and_kind(tmp_path: Path) -> None:
    pictures = [f"{number:02x}/lily-{number * 77_777_777:x}.png" for number in range(30)]
    more = [f"{number:02x}/lily-{number * 77_777_777:x}.ly" for number in range(9)]  # in folders that are there
    some = [f"here/fig{number}.gif" for number in range(12)]
    one = [f"old/fig{number}.gif" for number in range(12)]
    languages = [f"{name}.ja.html" for name in "abcdefghij"]
    files = {
        "languages.html": links(*languages, *languages[:2]),
        "index.html": links(*pictures, *some, *one),
        "more.html": links(*more),
        "here/x.html": "",
    }
    result = checked(tmp_path, {**files, **{f"{number:02x}/a.html": "" for number in range(9)}})
    assert sorted(each[2:] for each in causes(result) if each[2] > 1) == [(12, 10), (12, 12), (12, 12), (30, 30)]
    assert len(result.causes) == 4 + 9


def test_where_a_template_leads_into_absent_folders_it_is_the_cause(tmp_path: Path) -> None:
    pages = {f"{folder}/index.html": '<nav><a href="gone/a.html">x</a></nav>' for folder in "abc"}
    assert causes(checked(tmp_path, pages)) == [("missing-file", "gone/a.html", 3, 1)]


def test_a_folder_is_not_the_cause_where_redirections_may_lead_on(tmp_path: Path) -> None:
    files = {
        "index.html": links("old/a.html", "old/b.html"),
        "_redirects": "/old/a.html /c.html\n/old/b.html /d.html\n",
    }
    assert len(checked(tmp_path, files, host=host_named("netlify")).causes) == 4  # two links, two rules


def test_a_link_to_a_folder_is_not_an_absent_folder(tmp_path: Path) -> None:
    (tmp_path / "v2").mkdir()
    (tmp_path / "latest").symlink_to("v2")
    result = checked(tmp_path, {"index.html": links("latest/a.html", "latest/b.html"), "v2/x.html": ""})
    assert len(result.causes) == 2


# --- above the folder


def test_what_leads_above_the_folder_is_one_finding_at_a_place(tmp_path: Path) -> None:
    result = checked(tmp_path, {"src/a.html": ASIDE.replace("../", "../../"), "b.html": ASIDE})
    assert {finding.code for finding in result.findings} == {"missing-file"}
    assert causes(result) == [
        ("missing-file", "../glib/a.html#x", 4, 2),
        ("missing-file", "../gio/a.html", 2, 1),
        ("missing-file", "../one.html", 2, 1),
    ]
    messages = {finding.reference: finding.message for finding in result.findings}
    for reference in ("../glib/b/c.html", "../../glib/b/c.html"):
        said = "it leads above the folder, to ../glib/b/c.html; there is no file glib/b/c.html"
        assert messages[reference] == said


def test_a_reference_above_the_root_that_leads_to_a_file_is_a_warning(tmp_path: Path) -> None:
    result = checked(tmp_path, {"a.html": links("../b.html", "../b.html#gone"), "b.html": ""})
    assert sorted(one.code for one in result.findings) == ["above-root", "above-root", "missing-fragment"]
    assert result.hints == ()


def test_the_hint_names_the_folder_above_and_how_to_leave_out_its_links(tmp_path: Path) -> None:
    folder = tmp_path / "gtk3"
    assert checked(folder, {"a.html": ASIDE}).hints == ()  # a few may be slips
    above = [f"../{name}/{number}.html" for name in ("atk", "gio", "glib", "pango", "x") for number in range(2)]
    (hint,) = checked(folder, {"a.html": links(*above)}).hints
    assert hint == (
        f"links lead above {folder}, to ../atk, ../gio, ../glib and 2 more: check the folder that has all of them "
        f"(rehref check {tmp_path}), or leave these links out "
        "(--site-url https://HOST/PATH/gtk3/ --ignore escapes-site)"
    )
    (hint,) = checked(folder, {}, site_url="https://example.org/doc/gtk3/").hints
    assert hint.endswith("(--ignore escapes-site)")
    assert checked(folder, {"b.html": links(*"abcdefghijk")}).hints == ()  # most missing files are in the folder


def test_what_leads_out_of_the_site_has_the_folder_beside_it_as_its_cause(tmp_path: Path) -> None:
    result = checked(
        tmp_path, {"a.html": ASIDE, "b.html": links("/doc/x/a", "/doc/x/b")}, site_url="https://h/doc/gtk3/"
    )
    assert causes(result) == [
        ("escapes-site", "../glib/a.html#x", 2, 2),
        ("escapes-site", "../gio/a.html", 1, 1),
        ("escapes-site", "../one.html", 1, 1),
        ("escapes-site", "/doc/x/a", 1, 1),
        ("escapes-site", "/doc/x/b", 1, 1),
    ]


# --- file: URIs


def test_a_uri_that_was_made_relative_is_named(tmp_path: Path) -> None:
    page = links("../file:///usr/share/a.html", "../file:///usr/b.html", "./https://example.org/", "files/c.html")
    result = checked(tmp_path, {"src/a.html": page})
    assert [(cause.occurrences, cause.first.message) for cause in result.causes] == [
        (2, "the URI file:/usr/share/a.html was made relative, and is not a file"),
        (1, "the URI https:/example.org/ was made relative, and is not a file"),
        (1, "there is no file src/files/c.html"),
    ]


def test_file_uris_of_one_folder_are_one_cause(tmp_path: Path) -> None:
    page = links("file:///usr/a.html", "file:///usr/b/c.html", "file:///home/a.html", r"C:\a.html", "file:///a")
    result = checked(tmp_path, {"a.html": page + '<script src="file:///usr/a.js"></script>'})
    assert [(cause.first.reference, cause.occurrences) for cause in result.causes] == [
        ("file:///usr/a.html", 2),
        *((other, 1) for other in ("file:///home/a.html", r"C:\a.html", "file:///a", "file:///usr/a.js")),
    ]


# --- fragments


@pytest.mark.parametrize(
    ("fragments", "number"),
    [
        ([f"v:{name}" for name in "abcdefghij"], 1),
        ([f"v:{name}" for name in "abcdefghi"], 9),
        ([f"line-{number}" for number in range(10)], 1),
        ([f"{number}" for number in range(10)], 1),
        ([*(f"v:{name}" for name in "abcde"), *(f"t:{name}" for name in "abcd")], 9),
    ],
)
def test_ten_fragments_of_a_kind_are_one_cause(tmp_path: Path, fragments: list[str], number: int) -> None:
    half = len(fragments) // 2
    pages = {"a.html": links(*(f"#{one}" for one in fragments[:half])), "b.html": ""}
    result = checked(tmp_path, {**pages, "c.html": links(*(f"b.html#{one}" for one in fragments[half:]))})
    assert (len(result.findings), len(result.causes)) == (len(fragments), number)


def test_ten_fragments_of_one_document_are_one_cause(tmp_path: Path) -> None:
    result = checked(
        tmp_path, {"a.html": links(*(f"b.html#{one * 3}" for one in "abcdefghij"), "c.html#d"), "b.html": ""}
    )
    crowd = result.causes[0]
    assert (crowd.code, crowd.occurrences) == ("missing-fragment", 10)
    assert crowd.id in {cause.id for cause in checked(tmp_path, {}, site_url="https://h/x/").causes}


@pytest.mark.parametrize("number", [9, 10])
def test_ten_documents_of_a_folder_with_repeated_ids_are_one_cause(tmp_path: Path, number: int) -> None:
    pages = {f"{one}.html": f'<p id="{one}a"><p id="{one}a"><a href="#{one}a">' for one in "abcdefghij"[:number]}
    assert len(checked(tmp_path, pages).causes) == (1 if number == 10 else number)
