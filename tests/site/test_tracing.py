"""Findings at their sources (checking/tracing): which place is found, and that no place is better than a wrong one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import rehref
from checked.contexts import written

pytest.importorskip("pyromark")

PAGE = "<!doctype html><title>x</title>\n{}"


def traced(tmp_path: Path, built: Mapping[str, str], sources: Mapping[str, str], **options: object) -> list[str]:
    """The places of the findings: `path:line:column reference`."""
    for folder, files in (("public", built), ("in", sources)):
        for path, text in files.items():
            file = tmp_path / folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(PAGE.format(text) if folder == "public" and path.endswith(".html") else text)
    given = {"site_url": "https://harbour.example/", **options}
    result = rehref.check(tmp_path / "public", sources=tmp_path / "in", **given)  # type: ignore[arg-type]
    assert result.folder == str(tmp_path)
    return [f"{one.document}:{one.line}:{one.column} {one.reference}" for one in result.findings]


GONE = '<p><a href="/gone/">The pier</a></p>'
NO_LAYOUTS = {"a.md": "---\nsee: /gone/\n---\nx"}
HIDDEN = {"a.md": "{{< hide >}}\n[The pier](/gone/)\n{{< /hide >}}", "layouts/hide.html": "<p>x"}


@pytest.mark.parametrize(
    ("built", "sources", "places"),
    [
        pytest.param(
            {"a/index.html": GONE}, {"a.md": "# A\n\n[The pier](/gone/)\n"}, ["in/a.md:3:12 /gone/"], id="path"
        ),
        pytest.param(
            {"posts/b.html": GONE},
            {"_config.yml": "permalink: /posts/:title.html", "_posts/2026-01-02-b.md": "[The *pier*](</gone/>)"},
            ["in/_posts/2026-01-02-b.md:1:15 /gone/"],
            id="date",
        ),
        pytest.param(
            {"x/y/index.html": GONE},
            {"a.md": "---\nurl: /x/y/\n---\n[The pier](/gone/)", "x/y.md": "[The pier](/gone/)"},
            ["in/a.md:4:12 /gone/"],
            id="front matter before path",
        ),
        pytest.param(
            {"x/index.html": GONE + '<a href="https://git.example/o/r/edit/main/in/b/c.md">Edit</a>'},
            {"b/c.md": "[The pier](/gone/)", "x.md": "[The pier](/gone/)"},
            ["in/b/c.md:1:12 /gone/"],
            id="marker before front matter",
        ),
        pytest.param(
            {"c++-friends/index.html": GONE, "fr/moved/index.html": GONE},
            {
                "hugo.toml": "[languages.fr]",
                "content/C++ & Friends.md": "[The pier](/gone/)",
                "content/x.fr.md": "---\nslug: Moved\n---\n[The pier](/gone/)",
            },
            ["in/content/C++ & Friends.md:1:12 /gone/", "in/content/x.fr.md:4:12 /gone/"],
            id="as the generator names it",
        ),
        pytest.param(
            {"a/index.html": GONE, "b/index.html": GONE},
            {"a.md": "[The pier](/gone/)", "b.md": "\n[The pier](/gone/)"},
            ["in/a.md:1:12 /gone/", "in/b.md:2:12 /gone/"],
            id="in two pages",
        ),
        pytest.param(
            {"a/index.html": GONE + GONE},
            {"a.md": "[The pier](/gone/)\n\nThe pier: [The pier][p]\n\n[p]: /gone/"},
            ["in/a.md:1:12 /gone/", "in/a.md:5:6 /gone/"],
            id="twice in a page",
        ),
        pytest.param(
            {"a/index.html": GONE + GONE},
            {"a.md": "[The pier][p], [the pier][p]\n\n[p]: /gone/"},
            ["in/a.md:3:6 /gone/"],
            id="a definition",
        ),
        pytest.param(
            {"a/index.html": '<a href="../b/#gone">b</a>', "b/index.html": "<p id=x>"},
            {"a.md": "[b](b.md#gone)", "b.md": "x", "mkdocs.yml": "site_name: x"},
            ["in/a.md:1:5 b.md#gone"],
            id="changed by the generator",
        ),
        pytest.param(
            {"a/index.html": GONE, "b/index.html": GONE},
            {"layouts/foot.html": "<footer>\n<a class=x href=/gone/>The pier</a>", "a.md": "x", "b.md": "x"},
            ["in/layouts/foot.html:2:17 /gone/"],
            id="a layout, once",
        ),
        pytest.param(
            {"a/index.html": GONE},
            {"data/l.toml": '[[one]]\nname = "The pier"\nurl="/gone/"\n', "a.md": "{{< links >}}"},
            ["in/data/l.toml:3:6 /gone/"],
            id="a data file",
        ),
        pytest.param(
            {"a/index.html": GONE},
            {"a.md": "---\ntitle: a\nsee: /gone/\n---\nx", "layouts/l.html": "<a href={{ .see }}>x</a>"},
            ["in/a.md:3:6 /gone/"],
            id="front matter",
        ),
        pytest.param({"a/index.html": GONE}, HIDDEN, ["in/a.md:2:12 /gone/"], id="between tags, and nowhere else"),
        pytest.param(
            {"a/index.html": GONE},
            {"a.md": 'See {{< button\n  to="/gone/" >}}', "layouts/l.html": "<a href={{ .to }}>x</a>"},
            ["in/a.md:2:7 /gone/"],
            id="an argument of a shortcode",
        ),
        pytest.param(
            {"a/index.html": GONE},
            {"a.md": "# A\r\r[The pier](/gone/)\r"},
            ["in/a.md:3:12 /gone/"],
            id="lines end in CR",
        ),
    ],
)
def test_places(tmp_path: Path, built: Mapping[str, str], sources: Mapping[str, str], places: list[str]) -> None:
    assert traced(tmp_path, built, sources) == places


MINE = {"a.md": "[The pier](/gone/)\n"}


@pytest.mark.parametrize(
    ("built", "sources"),
    [
        pytest.param({"a/index.html": GONE + GONE}, MINE, id="a layout that is not among the sources has it, too"),
        pytest.param({"a/index.html": GONE}, {**MINE, "layouts/x.html": GONE}, id="a layout may have it instead"),
        pytest.param({"a/index.html": GONE}, {**MINE, "data/x.json": '["/gone/"]'}, id="a data file may"),
        pytest.param(
            {"a/index.html": GONE}, {**MINE, "layouts/x.html": '{{ "gone/" | relURL }}'}, id="or a part of it"
        ),
        pytest.param({"b/index.html": GONE}, MINE, id="in the source of another page that is not built"),
        pytest.param({"a/index.html": "x", "b/index.html": GONE}, MINE, id="in the source of another page"),
        pytest.param({"a/index.html": GONE}, {"a.md": "[A buoy](/gone/)"}, id="another text of the link"),
        pytest.param({"a/index.html": GONE}, {"a.md": "The pier is `/gone/`."}, id="in code"),
        pytest.param(
            {"a/index.html": GONE}, {"a.md": 'The pier\n{{</* x "/gone/" */>}}'}, id="a shortcode that is shown"
        ),
        pytest.param(
            {"a/index.html": GONE}, {"a.md": "{% comment %}[The pier](/gone/){% endcomment %}"}, id="a comment"
        ),
        pytest.param({"a/index.html": GONE}, {"l.html": "{{/* The pier /gone/ */}}"}, id="a comment in a layout"),
        pytest.param(
            {"a/index.html": GONE}, {"a.md": "[The pier](/gone/)", "a/index.md": "[The pier](/gone/)"}, id="two sources"
        ),
        pytest.param({"a/index.html": GONE}, {"x.html": GONE, "y.html": GONE}, id="two layouts"),
        pytest.param({"a/index.html": GONE}, NO_LAYOUTS, id="front matter, and what layouts have is not known"),
        pytest.param(
            {"a/index.html": GONE, "b/index.html": "x"}, {**HIDDEN, "b.md": "[The pier](/gone/)"}, id="may be left out"
        ),
        pytest.param(
            {"a/index.html": GONE},
            {"a.md": '[The pier](/gone/) {{< x "/gone/" >}}', "layouts/x.html": "x"},
            id="a shortcode may have made it",
        ),
        pytest.param(
            {"a/index.html": GONE + '<p><a href="/sub/gone/">The pier</a>'},
            MINE,
            id="a layout may have made it, as the generator has changed that of the source",
        ),
        pytest.param(
            {"a/index.html": GONE},
            {"hugo.toml": "", "content/a.md": "x", "content/b.md": "---\nurl: /a/\n---\n[The pier](/gone/)"},
            id="two sources have the same URL",
        ),
        pytest.param(
            {"index.html": GONE},
            {"index.md": "{% raw %}[The pier](/gone/){% endraw %}", "README.md": "[The pier](../gone/)"},
            id="another source of the page has it, less surely",
        ),
        pytest.param(
            {"a/index.html": '<meta http-equiv=refresh content="0; url=https://harbour.example/">'},
            {"hugo.toml": 'baseURL = "https://harbour.example/"'},
            id="the URL of the site",
        ),
        pytest.param({"a/index.html": GONE}, {"draft.md": "---\ntitle: x\n---\n[The pier](/gone/)"}, id="a draft"),
        pytest.param(
            {"a/index.html": "<p rehref-ignore data-proofer-ignore>" + GONE[3:] + "</p>" + GONE},
            {"a.md": "[The pier](/gone/)"},
            id="one that is ignored",
        ),
        pytest.param({"a/index.html": GONE}, {"node_modules/x.html": GONE, ".git/x.html": GONE}, id="installed"),
    ],
)
def test_without_a_sure_place_it_stays(tmp_path: Path, built: Mapping[str, str], sources: Mapping[str, str]) -> None:
    found = traced(tmp_path, built, sources, ignore_attributes=["data-proofer-ignore"])
    assert found
    assert all(place.startswith("public/") for place in found), found


SOURCE = {"a.md": "[The pier](/gone/)\n\n![The pier](/gone.png)"}


@pytest.mark.parametrize(
    ("built", "is_there"),
    [
        ("<a href=/gone/>The <b>pier</b></a>", True),
        ("<a href=/gone/>The quay</a>", False),
        ("<img src=/gone.png alt='The pier'>", True),
        ("<img src=/gone.png alt='The quay'>", False),
        ("<a href=/gone/>The <!-- > big --> pier</a>", True),
        ("<a href=/gone/>The pier <b title='a > b'></b></a>", True),
        ("<a href=/gone/>The pier <script>x()</script></a>", True),
        ("<a href=/gone/>The pier <svg><title>an anchor</title></svg></a>", True),
        ("<a href=/gone/>The <!-- </a> --> quay</a>", False),
        ("<a href=/gone/ title='at > all'>The pier</a>", True),
        ("<img src=/gone.png title='>' alt='The quay'>", False),
        ("<img src=/gone.png alt=quay>", False),
        ("<img src=/gone.png data-x=' alt=\"quay\"' alt='The pier'>", True),
        ("<img data-alt='The quay' src=/gone.png alt='The pier'>", True),
    ],
)
def test_the_text_of_a_link_decides(tmp_path: Path, built: str, is_there: bool) -> None:
    found = traced(tmp_path, {"a/index.html": built}, SOURCE)
    assert [place.startswith("in/a.md:") for place in found if "/gone" in place] == [is_there]


EDIT = '<a href="https://git.example/o/r/edit/main/in/b/c.md">Edit</a>'


@pytest.mark.parametrize(
    ("mark", "source"),
    [
        (EDIT, "b/c.md"),
        (EDIT.replace("<a ", "<A CLASS=x "), "b/c.md"),
        ("", "x.md"),
        (f"<!-- {EDIT} -->", "x.md"),
        (f"<textarea>{EDIT}</textarea>", "x.md"),
        (f"<script>x = '{EDIT}'</script>", "x.md"),
        (f"<template>{EDIT}</template>", "x.md"),
        (EDIT.replace("<a ", "<a title='>' "), "b/c.md"),
        (EDIT.replace("href=", "data-x=/edit/ title='a href=no' href="), "b/c.md"),
        (EDIT.replace("/edit/", "/&#101;dit/"), "b/c.md"),
    ],
)
def test_the_source_that_a_page_names_is_that_of_a_link(tmp_path: Path, mark: str, source: str) -> None:
    sources = {"b/c.md": "[The pier](/gone/)", "x.md": "[The pier](/gone/)"}
    found = traced(tmp_path, {"x/index.html": GONE + mark}, sources)
    assert [place for place in found if "/gone/" in place] == [f"in/{source}:1:12 /gone/"]


def test_a_layout_gets_only_a_suggestion_that_is_right_in_all_folders(tmp_path: Path) -> None:
    layout = '<a href="wnid.html">The wind</a>\n<a href="/rian.html">The rain</a>'
    built = {"a/b.html": layout, "wind.html": "x", "rain.html": "x"}
    found = traced(tmp_path, built, {"foot.html": layout})
    assert found == ["in/foot.html:1:10 wnid.html", "in/foot.html:2:10 /rian.html"]
    result = rehref.check(tmp_path / "public", sources=tmp_path / "in")
    assert [one.suggestion for one in result.findings] == [None, "/rain.html"]


@pytest.mark.parametrize(
    ("written", "suggested"),
    [("/wnid/", "/wind/"), ("wnid/", "wind/"), ("../wnid/", None), ("wnid.md", None), ("wind.md#Gale", "wind.md#gale")],
)
def test_a_suggestion_is_written_as_its_author_writes(tmp_path: Path, written: str, suggested: str | None) -> None:
    """The generator has made whole URLs of all references; one to a page is not one to a source."""
    url = "wind/#Gale" if "#" in written else "wnid/"
    built = {"a/index.html": f'<a href="https://harbour.example/{url}">The wind</a>', "wind/index.html": "<p id=gale>"}
    found = traced(tmp_path, built, {"a.md": f"[The wind]({written})", "wind.md": "x"})
    result = rehref.check(tmp_path / "public", sources=tmp_path / "in", site_url="https://harbour.example/")
    at_source = [one.suggestion for one in result.findings if one.document == "in/a.md"]
    assert at_source == ([] if written == "wnid.md" else [suggested]), found


def test_causes_are_those_of_the_pages(tmp_path: Path) -> None:
    """A list repeats a page: one cause, shown at the source."""
    built = {"a/index.html": GONE, "index.html": GONE}
    assert traced(tmp_path, built, MINE) == ["in/a.md:1:12 /gone/", "public/index.html:2:13 /gone/"]
    result = rehref.check(tmp_path / "public", sources=tmp_path / "in")
    (cause,) = result.causes
    assert (cause.occurrences, cause.first.document) == (2, "in/a.md")


def test_sources_that_cannot_be_read_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_scandir, real_open = os.scandir, os.open

    def refused(path: object) -> None:
        if str(path).endswith(("in/locked", "in/a.md", "in/.git", "vendor/x.md")):
            raise PermissionError(13, "Permission denied", path)

    def scandir(path: str) -> Any:
        refused(path)
        return real_scandir(path)

    def opened(path: str, *flags: int) -> int:
        refused(path)
        return real_open(path, *flags)

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(os, "open", opened)
    sources = {"a.md": "[The pier](/gone/)", "b.md": "x", "locked/c.md": "x", ".git/x": "x", "vendor/x.md": "x"}
    found = traced(tmp_path, {"a/index.html": GONE}, sources)
    assert found == ["in/a.md:None:None ", "in/locked:None:None ", "public/a/index.html:2:13 /gone/"]
    result = rehref.check(tmp_path / "public", sources=tmp_path / "in", site_url="https://harbour.example/")
    assert [one.message for one in result.findings if one.code == "unreadable"] == [
        "cannot be read: permission denied",
        "the folder cannot be read: permission denied",
    ]
    ignored = traced(tmp_path, {"a/index.html": GONE}, {}, ignore=["unreadable"])
    assert ignored == ["public/a/index.html:2:13 /gone/"]


def test_a_folder_of_sources_that_cannot_be_read_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real_scandir, real_exists = os.scandir, Path.exists

    def refused(path: object) -> None:
        if str(path).startswith(str(tmp_path / "in")):
            raise PermissionError(13, "Permission denied")

    def scandir(path: str) -> Any:
        refused(path)
        return real_scandir(path)

    def exists(path: Path) -> bool:
        refused(path)
        return real_exists(path)

    written(tmp_path, {"public/a.html": "x", "in/a.md": "x"})
    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(Path, "exists", exists)
    with pytest.raises(OSError, match="in: the folder cannot be read"):
        rehref.check(tmp_path / "public", sources=tmp_path / "in")


def test_one_line_says_that_restructuredtext_is_not_read(tmp_path: Path) -> None:
    found = traced(tmp_path, {"a.html": GONE}, {"a.rst": "`The pier </gone/>`_", "b.rst": "B"})
    assert found == ["in/a.rst:1:12 /gone/"]
    (hint,) = rehref.check(tmp_path / "public", sources=tmp_path / "in", site_url="https://harbour.example/").hints
    assert hint.startswith(f"2 reStructuredText files in {tmp_path / 'in'} are not read, such as a.rst: ")
    (tmp_path / "in/a.rst").unlink()
    (tmp_path / "in/b.rst").rename(tmp_path / "in/b.md")
    assert rehref.check(tmp_path / "public", sources=tmp_path / "in", site_url="https://harbour.example/").hints == ()
