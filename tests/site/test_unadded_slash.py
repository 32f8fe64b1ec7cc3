"""Hosts that answer the path of a folder without a slash: relative references of its page lead elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rehref
from checked.contexts import written

LINKS = "<a href=guide>1</a>\n<a href=guide/>2</a>\n<a href='guide?q#a'>3</a>\n<a href=guide/index.html>4</a>"
RELATIVE = "<p id=a><img src=../a.png>"
VERCEL = {"host": "vercel"}


def found(folder: Path, page: str, settings: str = "{}", **options: Any) -> list[tuple[str, int | None, str]]:
    files = {"index.html": LINKS, "guide/index.html": page, "vercel.json": settings, "a.png": ""}
    written(folder, files)
    findings = rehref.check(folder, jobs=1, **options).findings
    return [(one.document, one.line, one.code) for one in findings]


WITHOUT = [("index.html", line, "unadded-slash") for line in (1, 3)]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ("{}", WITHOUT),
        ('{"cleanUrls": true}', WITHOUT),
        ('{"trailingSlash": true}', []),
        ('{"trailingSlash": false}', [("index.html", line, "unadded-slash") for line in (1, 2, 3)]),
        ('{"trailingSlash": "no"}', WITHOUT),
        ("[]", [*WITHOUT, ("vercel.json", 1, "redirect-not-read")]),
        ('{"redirects": [{"source": "/guide", "destination": "/guide/"}]}', []),
    ],
)
def test_the_settings_decide(settings: str, expected: list[Any], tmp_path: Path) -> None:
    assert found(tmp_path, RELATIVE, settings, **VERCEL) == expected


@pytest.mark.parametrize("host", ["none", "netlify", "github-pages", "nginx", "apache"])
def test_other_hosts_add_the_slash(host: str, tmp_path: Path) -> None:
    assert [each for each in found(tmp_path, RELATIVE, host=host) if each[2] == "unadded-slash"] == []


@pytest.mark.parametrize(
    ("page", "is_reported"),
    [
        (RELATIVE, True),
        ("<p id=a><a href=./>", True),
        ("<p id=a><a href='?q'>", False),
        (
            "<p id=a><a href='#a'><a href=''><img src=/a.png><a href=https://a.example/><a href=mailto:a@b.example>",
            False,
        ),
        ("<base href=/guide/><p id=a><img src=../a.png>", False),
        ("<p id=a><style>p { background: url(../a.png) }</style>", True),
        ("<p id=a><img srcset='../a.png 1x'>", True),
        ("<p id=a><template><img src=../a.png></template>", False),
    ],
)
def test_only_relative_references_lead_elsewhere(page: str, is_reported: bool, tmp_path: Path) -> None:
    assert (found(tmp_path, page, **VERCEL) != []) == is_reported


def test_the_message_says_what_happens(tmp_path: Path) -> None:
    found(tmp_path, RELATIVE, **VERCEL)
    messages = [one.message for one in rehref.check(tmp_path, jobs=1, **VERCEL).findings]
    does = "vercel answers guide without a slash"
    assert messages[0] == f"{does}, so that relative references of guide/index.html lead elsewhere (../a.png)"


def test_it_can_be_ignored(tmp_path: Path) -> None:
    assert found(tmp_path, RELATIVE, ignore=["unadded-slash"], **VERCEL) == []


def test_without_a_redirection_no_slash_is_missing(tmp_path: Path) -> None:
    assert found(tmp_path, "<p id=a>", select=["missing-slash"], **VERCEL) == []
    assert found(tmp_path, "<p id=a>", select=["missing-slash"], host="netlify") != []


def test_names_of_folders_are_decoded_and_the_site_may_be_below_its_host(tmp_path: Path) -> None:
    url = "https://a.example/docs/"
    written(
        tmp_path, {"a b/index.html": RELATIVE, "index.html": f"<a href=a%20b>1</a>\n<a href={url}a%20b>2</a><a href=.>"}
    )
    findings = rehref.check(tmp_path, jobs=1, site_url=url, select=["unadded-slash"], **VERCEL).findings
    assert [one.line for one in findings] == [1, 2]


def test_only_links_of_chosen_pages_are_reported(tmp_path: Path) -> None:
    assert found(tmp_path, RELATIVE, files=["index.html"], **VERCEL) == WITHOUT
    assert found(tmp_path, RELATIVE, files=["guide/index.html"], **VERCEL) == []
    assert found(tmp_path, RELATIVE, exclude=["guide"], **VERCEL) == []
