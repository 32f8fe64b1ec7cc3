"""What keeps the old URLs of what moves: redirects, merged, and aliases in front matter (`old_urls`)."""

from __future__ import annotations

from pathlib import Path

import pytest

import rehref
from checked.contexts import written
from plugins.mv.test_carrying_out import content
from rehref.exceptions import OptionError
from rehref.plugins.mv._old_urls import _with_alias

HUGO = {
    "hugo.toml": "",
    "content/guide/wind.md": "---\ntitle: W\n---\n# G\n",
    "content/_index.md": "[w](guide/wind.md)",
}


def moved(folder: Path, files: dict[str, str], old: str, new: str, **options: object) -> dict[str, str]:
    """The files after a move and a second run, which changes nothing."""
    written(folder, files)
    options["redirects"] = folder / str(options["redirects"]) if "redirects" in options else None
    for _ in range(2):
        result = rehref.move(folder / old, folder / new, folder=folder, **options)  # type: ignore[arg-type]
        after = content(folder)
    assert (result.is_done, result.documents, result.redirects) == (True, (), 0)
    return {path: text for path, text in after.items() if text}


def test_redirects_of_a_site_are_merged(tmp_path: Path) -> None:
    files = {"a.html": "x", "b/index.html": "y", "_redirects": "# mine\n/old /a.html 301\n/c/* /d 301\n"}
    after = moved(tmp_path, files, "a.html", "e/f.html", redirects="_redirects", host="netlify")
    lines = after["_redirects"].splitlines()
    assert lines[:2] == ["# mine", "/old /e/f.html 301"]
    assert "/a.html /e/f.html 301" in lines
    assert lines[-1] == "/c/* /d 301"


@pytest.mark.parametrize(
    ("configuration", "text", "old", "new", "source", "to"),
    [
        ("mkdocs.yml", "", "docs/a/wind.md", "docs/b/index.md", "/a/wind/", "/b/"),
        ("mkdocs.yml", "docs_dir: src\nuse_directory_urls: false\n", "src/a.md", "src/b.md", "/a.html", "/b.html"),
        ("hugo.toml", "", "content/A B.md", "content/c/D.md", "/a-b/", "/c/d/"),
        ("_config.yml", "", "a.md", "b/c.md", "/a.html", "/b/c.html"),
        ("_config.yml", "permalink: pretty\n", "a.md", "b/c.md", "/a/", "/b/c/"),
        ("docusaurus.config.js", "", "docs/a.md", "docs/b.md", "/docs/a/", "/docs/b/"),
    ],
)
def test_redirects_lead_where_the_generator_publishes(
    tmp_path: Path, configuration: str, text: str, old: str, new: str, source: str, to: str
) -> None:
    files = {configuration: text or "#", old: "# x\n", "index.md": "[a](a.md)"}
    after = moved(tmp_path, files, old, new, redirects="_redirects")
    assert f"{source} {to} 301" in after["_redirects"].splitlines()
    assert after[new] == "# x\n"


def test_a_page_that_names_its_url_gets_none(tmp_path: Path) -> None:
    files = {**HUGO, "content/guide/wind.md": "---\nurl: /w/\n---\n# G\n"}
    after = moved(tmp_path, files, "content/guide/wind.md", "content/storm.md", redirects="r.map", aliases=True)
    assert after["content/storm.md"] == files["content/guide/wind.md"]


def test_aliases_for_hugo_and_jekyll(tmp_path: Path) -> None:
    after = moved(tmp_path / "h", HUGO, "content/guide", "content/book", aliases=True)
    assert after["content/book/wind.md"] == "---\ntitle: W\naliases:\n  - /guide/wind/\n---\n# G\n"
    files = {"_config.yml": "plugins:\n  - jekyll-redirect-from\n", "a.md": "# x\r\n"}
    after = moved(tmp_path / "j", files, "a.md", "b.md", aliases=True)
    assert after["b.md"].encode().replace(b"\r", b"") == b"---\nredirect_from:\n  - /a.html\n---\n# x\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("---\naliases:\n- /b/\nx: 1\n---\n", "---\naliases:\n- /b/\n- /a/\nx: 1\n---\n"),
        ("---\naliases: ['/b/'] # x\n---\n", "---\naliases: ['/b/'] # x\n---\n"),
        ("---\naliases: ['/b/']\n---\n", "---\naliases: ['/b/', \"/a/\"]\n---\n"),
        ("---\naliases: []\n---\n", '---\naliases: ["/a/"]\n---\n'),
        ("+++\nt = 1\n[x]\n+++\n", '+++\naliases = ["/a/"]\nt = 1\n[x]\n+++\n'),
        ("---\r\nt: 1\r\n---\r\nx", "---\r\nt: 1\r\naliases:\r\n  - /a/\r\n---\r\nx"),
        ("---\naliases:\n  - /a/\n---\n", "---\naliases:\n  - /a/\n---\n"),
        ("---\naliases: /b/\n---\n", None),
        ("---\n'aliases': [/q/]\n---\n", None),
        ('---\n"aliases": &x\n- /q/\n---\n', None),
        ("---\naliases: [/own/]\n---\n", '---\naliases: ["/a/"]\n---\n'),
        ("---\naliases: [/c/,  /own/ , '/b/']\n---\n", "---\naliases: [/c/, '/b/', \"/a/\"]\n---\n"),
        ("---\naliases:\n- /own/\n---\n", "---\naliases:\n- /a/\n---\n"),
        ("---\naliases:\n- /a/\n- '/own/' # o\n---\n", "---\naliases:\n- /a/\n---\n"),
    ],
)
def test_an_alias_is_added_and_all_else_stays(before: str, after: str | None) -> None:
    made = _with_alias(before.encode(), b"aliases", "/a/", "/own/")
    expected = None if after is None or "# x" in after else after.encode()
    assert made == expected


def test_what_has_no_urls_is_refused(tmp_path: Path) -> None:
    folder = written(tmp_path, {"a.md": "# x", "b.html.txt": ""})
    for options in ({"aliases": True}, {"redirects": folder / "_redirects"}):
        with pytest.raises(OptionError, match="name their dialect"):
            rehref.move(folder / "a.md", folder / "c.md", folder=folder, **options)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="not known to have any"):
        rehref.move(folder / "a.md", folder / "c.md", folder=folder, aliases=True, dialect="mkdocs")
    assert (folder / "a.md").exists()


def test_nothing_is_written_if_redirects_cannot_be(tmp_path: Path) -> None:
    folder = written(tmp_path, {"a.html": "<a href=b.html>", "b.html": "", "_redirects": "/b.html /c.html 301!\n"})
    before = content(folder)
    with pytest.raises(ValueError, match="redirects"):
        rehref.move(folder / "b.html", folder / "d.html", folder=folder, redirects=folder / "x.unknown", host="netlify")
    assert content(folder) == before


def test_a_name_with_a_colon_is_a_path(tmp_path: Path) -> None:
    folder = written(tmp_path, {"a.html": "", "index.html": "<a href=a.html>"})
    result = rehref.move(folder / "a.html", folder / "g:x.html", folder=folder, redirects=folder / "_redirects")
    assert result.unwritten == ()
    assert rehref.check(folder, host="netlify", select=["errors"]).findings == ()
    assert {line.split()[0] for line in (folder / "_redirects").read_text().splitlines()} == {"/a", "/a.html"}


def test_dry_run_and_values(tmp_path: Path) -> None:
    folder = written(tmp_path, {"a.html": "<a href=b.html>", "b.html": ""})
    before = content(folder)
    result = rehref.move(folder / "b.html", folder / "c.html", folder=folder, dry_run=True)
    assert (result.old, result.new, result.files, result.documents) == ("b.html", "c.html", ("b.html",), ("a.html",))
    assert content(folder) == before
    with pytest.raises(FileNotFoundError):
        rehref.move(folder / "n.html", folder / "c.html", folder=folder)
    with pytest.raises(TypeError, match="unknown argument"):
        rehref.move("a", "b", hots="netlify")


def test_front_matter_in_json_gets_no_alias() -> None:
    assert _with_alias(b'\xef\xbb\xbf{"title": "Jay"}\n\nhi\n', b"aliases", "/a/", "/b/") is None
