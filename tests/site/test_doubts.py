"""What `--fix` does not write, though the names alone would be sure (site/_repair/doubts.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked.contexts import checked

SITE = "https://example.org/docs/"


def sure_in(folder: Path, /, **files: str) -> dict[tuple[str, str], bool]:
    """Whether what is suggested is sure, by document and reference; files by their names, `_` for `/` in these."""
    named = {f"{name.replace('__', '/')}.html": text for name, text in files.items()}
    result = checked(folder, named, site_url=SITE)
    return {(one.document, one.reference or ""): one.sure for one in result.findings if one.severity == "error"}


def test_a_page_for_errors_is_never_corrected(tmp_path: Path) -> None:
    link = "<a href=instal.html>x</a><a href=Install.html>x</a>"
    found = sure_in(tmp_path, install="", page=link, **{"404": link, "de__404": link, "404__index": link})
    assert [document for (document, _), sure in found.items() if sure] == ["page.html", "page.html"]
    assert len(found) == 8


@pytest.mark.parametrize(
    ("page", "sure"),
    [
        ("<p>How to Unload. <a href=unload.html>See here</a>", False),
        ("<a href=unload.html><img src=upload.html alt='Unload it'></a>", False),
        ("<a href=#>Load</a><a href=unload.html>Unload</a><a href=#>Stop</a>", False),
        ("<a href=unload.html><i></i></a>", False),
        ("<a href=unload.html><svg><path d='M0'/></svg></a> unloading", False),
        ("<p>How to reload. <a href=unload.html>See here</a>", True),
        ("<a href=unload.html><svg><path d='M0'/></svg>See here</a>", True),
        ("<a href=unload.html><img alt='See here' src=upload.html></a>", True),
        ("<!-- unload --><script>unload</script><a href=unload.html>See here</a>", True),
        ("<link rel=next href=unload.html>", True),
    ],
)
def test_a_word_that_the_page_says_is_not_misspelt(tmp_path: Path, page: str, sure: bool) -> None:
    assert sure_in(tmp_path, upload="", page=page) == {("page.html", "unload.html"): sure}


LINK = "<a href=unload.html>{}</a>"
SURE = LINK.format("See here")


@pytest.mark.parametrize(
    ("page", "sure"),
    [
        (LINK.format("<b title='>'></b>See here"), True),
        (LINK.format("<!-- See here -->"), False),
        (LINK.format("<b class='</a>'></b>See here"), True),
        (LINK.format("<img alt='' src=upload.html>"), False),
        (LINK.format("<!-- > See here -->"), False),
        (LINK.format("<script>here()</script>"), False),
        (LINK.format("<style>a {}</style>"), False),
        (LINK.format("<template>See here</template>"), False),
        (LINK.format("<svg><style>a {}</style></svg>"), False),
        (LINK.format("<img alt='' title='' src=upload.html>"), False),
        (LINK.format("<b title='a > b'></b>"), False),
        (LINK.format("&nbsp;"), False),
        (LINK.format("<!-- </a> -->See here"), True),
        ("<a href=unload.html title='> x'></a>", False),
        (f"<!-- <img alt='unload'> -->{SURE}", True),
        (f"<script>x = \"<img alt='unload'>\"</script>{SURE}", True),
        (f"<p data-x=\" alt='unload'\">{SURE}", True),
        (f"<template><img alt=unload></template>{SURE}", True),
        (f"<img alt='&#117;nload'>{SURE}", False),
        (f"<img src='upload.html'alt='unload'>{SURE}", False),
    ],
)
def test_only_what_people_see_says_a_word(tmp_path: Path, page: str, sure: bool) -> None:
    assert sure_in(tmp_path, upload="", page=page)[("page.html", "unload.html")] is sure


def test_what_one_page_says_is_true_of_the_word_in_all(tmp_path: Path) -> None:
    silent = "<a href=unload.html>See here</a> <a href=instal.html>See here</a>"
    pages = {f"page_{number}": silent for number in range(20)}
    found = sure_in(tmp_path, upload="", install="", **(pages | {"page_3": silent + " unload"}))
    assert len(found) == 40
    assert all(sure is (reference == "instal.html") for (_, reference), sure in found.items())


def test_a_word_that_other_files_have_in_their_names_is_not_misspelt(tmp_path: Path) -> None:
    link = "<a href=unload.html>x</a>"
    assert sure_in(tmp_path, page=link, upload="") == {("page.html", "unload.html"): True}
    assert sure_in(tmp_path, how_to_unload="") == {("page.html", "unload.html"): False}


def test_a_folder_that_a_generator_replaces_is_not_left_out(tmp_path: Path) -> None:
    links = [f"{name}/blog/install.html" for name in ("@", "@site", "/@", "%40", "~", "$lib", "{{ root }}", "./@")]
    page = "".join(f"<a href='{link}'>x</a>" for link in [*links, "old/blog/install.html"])
    found = sure_in(tmp_path, blog__install="", page=page)
    assert found == dict.fromkeys((("page.html", link) for link in links), False) | {
        ("page.html", "old/blog/install.html"): True
    }


def test_a_path_from_the_root_is_sure_only_where_an_option_says_where_the_site_is(tmp_path: Path) -> None:
    (tmp_path / "install.html").write_text("")
    page = "<a href=/Install.html>x</a> <a href=Install.html>x</a> <a href='//example.org/Install.html'>x</a>"
    (tmp_path / "page.html").write_text(page)
    canonical = "<link rel=canonical href=https://example.org/{}>"

    def sure(**options: str | None) -> dict[str, bool]:
        result = checked(tmp_path, {}, **options)
        return {one.reference or "": one.sure for one in result.findings if one.severity == "error"}

    assert sure() == {"/Install.html": False, "Install.html": True}
    assert sure(root_dir=".") == {"/Install.html": True, "Install.html": True}
    known = sure(site_url="https://example.org/")
    assert known == {"/Install.html": True, "Install.html": True, "//example.org/Install.html": True}
    for name in ("page", "install", "other"):  # now the place is inferred, and from what is sure
        path = tmp_path / f"{name}.html"
        path.write_text((page if name == "page" else "") + canonical.format(path.name))
    assert sure()["/Install.html"] is False
    assert sure()["Install.html"] is True


@pytest.mark.parametrize("base", ["/app/", " /app/x", "/"])
def test_what_is_relative_to_a_path_from_the_root_is_sure_only_where_an_option_says_where_the_site_is(
    tmp_path: Path, base: str
) -> None:
    (tmp_path / "install.html").write_text("")
    (tmp_path / "page.html").write_text(f"<base href='{base}'><a href=Install.html>x</a>")

    def sure(**options: str | None) -> list[bool]:
        result = checked(tmp_path, {}, **options)
        return [one.sure for one in result.findings if one.suggestion is not None and one.severity == "error"]

    assert sure() == [False]
    assert sure(site_url="https://example.org" + base.strip().rpartition("/")[0] + "/") == [True]


def test_what_is_relative_to_a_relative_base_is_as_sure_as_without(tmp_path: Path) -> None:
    files = {"install.html": "", "a/page.html": "<base href='../'><a href=Install.html>x</a>"}
    found = checked(tmp_path, files).findings
    assert [one.sure for one in found if one.code == "case-mismatch"] == [True]
