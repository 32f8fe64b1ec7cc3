"""`rehref check` of single files, of a list of them, and of several folders."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from rehref.site.findings import UNKNOWN_HOST

Run = Callable[..., Result]


@pytest.fixture
def public(tmp_path: Path) -> Path:
    folder = tmp_path / "public"
    (folder / "docs").mkdir(parents=True)
    (folder / "index.html").write_text('<a href="docs/guide.html#none">1</a><a href="gone.html">2</a>')
    (folder / "docs/guide.html").write_text('<h1 id=here>x</h1><a href="../index.html">1</a><a href="lost.html">2</a>')
    (folder / "docs/more.html").write_text('<a href="guide.html#here">1</a><a href="lost.html">2</a>')
    (folder / "logo.png").write_bytes(b"\x89PNG\r\n")
    return folder


def found(result: Result) -> set[tuple[str, str, str]]:
    problems = json.loads(result.stdout)["problems"]
    return {(one["document"], one["reference"], one["code"]) for one in problems}


INDEX = {("index.html", "docs/guide.html#none", "missing-fragment"), ("index.html", "gone.html", "missing-file")}
GUIDE = {("docs/guide.html", "lost.html", "missing-file")}
MORE = {("docs/more.html", "lost.html", "missing-file")}


def test_files_are_checked_against_the_whole_site(run: Run, public: Path) -> None:
    result = run("check", "--root", public, "--format", "json", public / "index.html")
    assert (result.exit_code, found(result)) == (1, INDEX)
    summary = json.loads(result.stdout)["summary"]
    assert (summary["documents"], summary["links"], summary["others"]) == (1, 2, 0)


def test_a_folder_of_the_site_stands_for_its_documents(run: Run, public: Path) -> None:
    assert found(run("check", "--root", public, "--format", "json", public / "docs")) == GUIDE | MORE
    both = run("check", "--root", public, "--format", "json", public / "docs", public / "index.html")
    assert found(both) == INDEX | GUIDE | MORE
    assert found(run("check", "--root", public, "--format", "json", public)) == INDEX | GUIDE | MORE


def test_without_a_root_the_site_is_the_working_directory(run: Run, public: Path) -> None:
    result = run("check", "--format", "json", "public/docs/guide.html")
    assert found(result) == {("public/docs/guide.html", "lost.html", "missing-file")}


def test_the_site_of_files_elsewhere_is_the_folder_that_they_share(
    run: Run, public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    result = run("check", "--format", "json", public / "docs/guide.html")
    assert found(result) == {
        ("guide.html", "../index.html", "missing-file"),
        ("guide.html", "lost.html", "missing-file"),
    }
    both = ("check", "--format", "json", public / "docs/guide.html", public / "index.html")
    assert found(run(*both)) == INDEX | GUIDE
    assert found(run(*both, "--files-from", "-", input=b"../public/docs/more.html\n")) == INDEX | GUIDE | MORE


def test_all_of_a_folder_is_listed_only_where_it_is_a_site(
    run: Run, public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = ("check", "--verbose", "public/docs/guide.html")
    (tmp_path / "music").mkdir()
    (tmp_path / "music/a.html").touch()
    (tmp_path / "music/b.html").touch()
    assert "1 document of 4 files" in run(*files).stderr
    (tmp_path / "index.html").touch()
    assert "1 document of 7 files" in run(*files).stderr
    monkeypatch.setenv("HOME", str(public))
    monkeypatch.setenv("USERPROFILE", str(public))
    assert "1 document of 5 files" in run(*files).stderr


def test_the_folder_may_come_from_the_configuration(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "rehref.toml").write_text('[check]\nroot = "public"\n')
    assert found(run("check", "--format", "json")) == INDEX | GUIDE | MORE
    assert found(run("check", "--format", "json", "public/index.html")) == INDEX
    assert found(run("check", "--root", "public/docs", "--format", "json")) > {
        ("guide.html", "lost.html", "missing-file")
    }
    (tmp_path / "rehref.toml").write_text('[check]\nroot = "none"\n')
    result = run("check")
    assert result.exit_code == 2
    assert "rehref.toml: root" in result.stderr
    assert "none: is not a folder" in result.stderr


@pytest.mark.parametrize(
    "listed",
    ["public/index.html\npublic/docs/more.html\n", "public/index.html\r\npublic/docs/more.html", "public/index.html\0"
     "public/docs/more.html\0"],
)  # fmt: skip
def test_files_are_listed_one_a_line_or_before_a_nul(run: Run, public: Path, listed: str) -> None:
    options = ("--root", "public", "--format", "json", "--files-from")
    result = run("check", *options, "-", input=listed.encode())
    assert (result.exit_code, found(result)) == (1, INDEX | MORE)
    assert "skipped" not in result.stderr
    Path("list").write_text(listed, newline="")
    assert found(run("check", *options, "list")) == INDEX | MORE


def test_what_of_a_list_is_no_page_of_the_site_is_skipped_with_a_note(run: Run, public: Path) -> None:
    Path("README.md").touch()
    listed = b"public/index.html\npublic/deleted.html\npublic/also.html\nREADME.md\npublic/logo.png\n"
    result = run("check", "--root", "public", "--no-infer", "--format", "json", "--files-from", "-", input=listed)
    assert found(result) == INDEX
    assert result.stderr == "rehref: 4 paths skipped: 1 is not a document, 2 are not there, 1 is not in public\n"
    quiet = run("check", "-q", "--root", "public", "--format", "json", "--files-from", "-", input=listed)
    assert quiet.stderr == ""


@pytest.mark.parametrize("listed", [b"", b"public/deleted.html\n"])
def test_a_list_without_pages_is_not_an_error(run: Run, public: Path, listed: bytes) -> None:
    assert run("check", "--root", public, "--files-from", "-", input=listed).exit_code == 0


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_names_are_read_as_git_quotes_them(run: Run, public: Path) -> None:
    for name in ("\u00e9.html", 'a"b\\.html', '"as it stands"'):
        (public / name).write_text("<a href=none>")
    Path('"public').mkdir()
    Path('"public/x.html"').write_text("<a href=none>")
    listed = b'"public/\\303\\251.html"\n"public/a\\"b\\\\.html"\n"public/x.html"\n'
    result = run("check", "--format", "json", "--files-from", "-", input=listed)
    assert {one for one, _, _ in found(result)} == {"public/\u00e9.html", 'public/a"b\\.html', '"public/x.html"'}


def test_what_is_named_has_to_be_there_and_in_the_site(run: Run, public: Path) -> None:
    for arguments, message in (
        (("--root", public, "public/none.html"), "public/none.html: there is no such folder or file"),
        (("--root", "public/docs", "public/index.html"), "public/index.html: is not in public/docs"),
        (("public", "public/index.html"), "public: is a folder, but other arguments are files"),
        (("--files-from", "-", "public"), "--root public"),
        (("--root", "public/index.html", "public/index.html"), "--root public/index.html: is not a folder"),
        ((), "missing argument 'FOLDER...': name a folder, or set root in rehref.toml"),
        (("--root", "none"), "--root none: is not a folder"),
        (("--root", "public", "public/logo.png"), "none of its documents was named"),
        (("--files-from", "none"), "none: cannot be read"),
    ):
        result = run("check", *arguments, input=b"")
        assert result.exit_code == 2
        assert message in result.stderr


@pytest.mark.skipif(os.name == "nt", reason="symbolic links need a right there")
def test_files_are_found_through_links(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(public)
    (public / "again").symlink_to("docs")
    for name in ("link/docs/guide.html", "public/again/guide.html"):
        assert found(run("check", "--root", "public", "--format", "json", name)) == GUIDE
    assert found(run("check", "--root", "link", "--format", "json", public / "docs/guide.html")) == GUIDE


def test_several_folders_are_sites_of_their_own_with_one_report(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog/index.html").write_text('<a href="../public/index.html">1</a>\n<a href="/x">2</a>\n<a href=a>')
    (tmp_path / "blog/a").touch()
    result = run("check", "public", "blog", "--format", "json")
    before = {(f"public/{document}", reference, code) for document, reference, code in INDEX | GUIDE | MORE}
    here = {("blog/index.html", "../public/index.html", "missing-file"), ("blog/index.html", "/x", "missing-file")}
    assert (result.exit_code, found(result)) == (1, before | here)
    summary = json.loads(result.stdout)["summary"]
    assert (summary["documents"], summary["links"], summary["broken"]) == (4, 9, 6)
    text = run("check", "public", "blog").stdout
    assert "\nblog/index.html:2:10  error missing-file" in text
    assert '    2 | <a href="/x">2</a>' in text
    assert text.count("public/index.html:1:") == 2
    assert run("check", "public", "./public/").stdout.count("\npublic/index.html:1:") == 2


def test_what_several_folders_have_in_common_is_not_repeated(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog/index.html").write_text("<a href=none.html>")
    text = run("check", public, tmp_path / "blog", "--all-places").stdout
    assert f"{tmp_path}/blog/index.html:1:9  error" in text
    assert f"{public}/docs/more.html:1:41  error" in text
    nested = run("check", public, public / "docs", "--format", "json")
    assert ("docs/guide.html", "../index.html", "missing-file") in found(nested)


def test_one_empty_folder_of_several_is_an_error(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = run("check", "public", "empty")
    assert result.exit_code == 2
    assert "empty: there is no document in it" in result.stderr


def test_a_folder_without_html_is_said_in_one_line(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources/a.rst").write_text("A")
    (tmp_path / "sources/b.rst").write_text("B")
    result = run("check", "sources")
    assert (result.exit_code, result.stdout) == (2, "")
    said = "sources: it holds 2 files and no HTML document; check the folder that your generator writes, "
    assert result.stderr == f"rehref: {said}or add --allow-empty\n"
    assert run("check", "sources", "--allow-empty").exit_code == 0


def test_an_archive_is_not_checked_but_unpacked_first(run: Run, tmp_path: Path) -> None:
    (tmp_path / "abs.warc.gz").write_bytes(b"")
    result = run("check", "abs.warc.gz")
    assert (result.exit_code, result.stdout) == (2, "")
    said = "abs.warc.gz: it is a WARC, and check reads folders and pages; unpack it first: "
    assert result.stderr == f"rehref: {said}rehref rewrite --unpack DIR abs.warc.gz; then rehref check DIR\n"


def test_a_book_is_checked_as_its_message_says(run: Run, fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "book.epub").write_bytes((fixtures / "containers/book.epub").read_bytes())
    refused = run("check", "book.epub")
    assert refused.exit_code == 2
    assert "it is an EPUB, and check reads folders and pages" in refused.stderr
    told = refused.stderr.partition("first: ")[2]
    first, second = (each.split() for each in re.findall("rehref (.*?)(?:;|\n)", told))
    unpacked = run(*first)
    assert (unpacked.exit_code, unpacked.stderr) == (0, "rehref: 8 files in DIR\n")
    assert (tmp_path / "DIR/OEBPS/style.css").is_file()
    checked = run(*second)
    assert checked.exit_code == 0
    assert "no errors in 6 documents" in checked.stdout


@pytest.mark.parametrize("option", ["--site-url", "--why"])
def test_what_is_for_one_site_is_refused_for_several(run: Run, public: Path, tmp_path: Path, option: str) -> None:
    (tmp_path / "blog").mkdir()
    result = run("check", "public", "blog", option, "https://example.org/")
    assert result.exit_code == 2
    assert f"{option}: is for one site, but several are named" in result.stderr


def test_each_of_several_folders_is_repaired(run: Run, public: Path, tmp_path: Path) -> None:
    (tmp_path / "blog").mkdir()
    (tmp_path / "blog/entry.html").write_text("<a href=Entry.html>")
    (public / "docs/more.html").write_text('<a href="Guide.html">')
    patch = run("check", "public", "blog", "--fix", "--diff").stdout
    assert "+<a href=entry.html>" in patch
    assert '+<a href="guide.html">' in patch
    run("check", "public", "blog", "--fix")
    assert (tmp_path / "blog/entry.html").read_text() == "<a href=entry.html>"
    assert (public / "docs/more.html").read_text() == '<a href="guide.html">'


def test_only_named_files_are_repaired(run: Run, public: Path) -> None:
    for name in ("one.html", "two.html"):
        (public / name).write_text('<a href="Index.html">')
    run("check", "--root", "public", "public/one.html", "--fix")
    assert [(public / name).read_text() for name in ("one.html", "two.html")] == [
        '<a href="index.html">',
        '<a href="Index.html">',
    ]


def test_the_configuration_can_say_the_root(run: Run, public: Path) -> None:
    Path("rehref.toml").write_text('[check]\nroot = "public"\n')
    assert found(run("check", "--format", "json", "public/docs/guide.html")) == GUIDE


def test_each_site_has_causes_of_its_own(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two", "two/deep"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").write_text(f"<a href={'../' * name.count('/')}gone.html>")
    report = json.loads(run("check", "one", "two", "--format", "json").stdout)
    causes = {cause["id"]: (cause["occurrences"], cause["target"]) for cause in report["causes"]}
    assert list(causes.values()) == [
        (2, f"{UNKNOWN_HOST}/gone.html"),
        (1, f"{UNKNOWN_HOST}/gone.html"),
    ]
    assert [causes[one["cause"]][0] for one in report["problems"]] == [1, 2, 2]
