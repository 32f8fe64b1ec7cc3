"""`integrity-mismatch`: what browsers refuse because of its hash (site/_checks/integrity.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked.contexts import checked
from hashed_site import hashed

CODE = "integrity-mismatch"


def found_in(folder: Path, page: str, **files: str) -> list[str]:
    """The messages about a page beside `a.css` and `a.js`."""
    result = checked(folder, {"page.html": page, "a.css": "a", "a.js": "b", **files})
    return [each.message for each in result.findings if each.code == CODE]


@pytest.mark.parametrize(
    ("page", "number"),
    [
        (f"<link rel=stylesheet href=a.css integrity={hashed('a')}>", 0),
        (f"<link rel=stylesheet href=a.css integrity={hashed('b')}>", 1),
        (f"<link rel=stylesheet href=a.css integrity='{hashed('b')} {hashed('a', 'sha384')}'>", 0),
        (f"<link rel=stylesheet href=a.css integrity='{hashed('a')} {hashed('b', 'sha384')}'>", 1),
        ("<link rel=stylesheet href=a.css integrity=nonsense>", 0),
        (f"<link rel=stylesheet href='a.css?v=1#x' integrity={hashed('b')}>", 1),
        (f"<link rel=stylesheet href=https://elsewhere.example/a.css integrity={hashed('b')}>", 0),
        (f"<link rel=stylesheet href=none.css integrity={hashed('b')}>", 0),
        (f"<link rel=license href=a.css integrity={hashed('b')}>", 0),
        (f"<template><link rel=stylesheet href=a.css integrity={hashed('b')}></template>", 0),
        (f"<script src=a.js integrity={hashed('b')}></script><script src=a.js integrity={hashed('a')}></script>", 1),
        (f'<script type=importmap>{{"integrity": {{"./a.js": "{hashed("a")}"}}}}</script>', 1),
        (f"<style>@import url('a.css' integrity('{hashed('b')}'));</style>", 1),
        (f"<style>@import url('a.css' integrity('{hashed('a')}'));</style>", 0),
        (f"<base href=/x/><link rel=stylesheet href=../a.css integrity={hashed('b')}>", 1),
    ],
)
def test_files_of_the_site(tmp_path: Path, page: str, number: int) -> None:
    assert len(found_in(tmp_path, page)) == number


def policy(text: str) -> str:
    return f'<meta http-equiv=Content-Security-Policy content="{text}">'


A = f"'{hashed('a')}'"


@pytest.mark.parametrize(
    ("page", "number"),
    [
        (policy(f"style-src {A}") + "<style>a</style>", 0),
        (policy(f"style-src {A}") + "<style>b</style>", 1),
        (policy(f"default-src {A}") + "<style>b</style><script>b</script><script>a</script>", 2),
        (policy(f"script-src {A}") + "<style>b</style>", 0),
        (policy(f"style-src {A}; style-src-elem 'unsafe-inline'") + "<style>b</style>", 0),
        (policy(f"style-src 'none'; style-src {A}") + "<style>b</style>", 0),
        (policy(f"style-src 'unsafe-inline' {A}") + "<style>b</style>", 1),
        (policy(f"STYLE-SRC 'nonce-x' {A}") + "<style nonce=x>b</style><style nonce=y>b</style>", 1),
        ("<style>b</style>" + policy(f"style-src {A}"), 0),
        (policy("style-src 'self'") + "<style>b</style>", 0),
        (policy(f"style-src {A}") + "<p style=b>", 0),
        (policy(f"style-src 'unsafe-hashes' {A}") + "<p style=b><p style=a>", 1),
        (policy(f"default-src {A}") + "<script type=text/x>b</script><style type=x>b</style><style></style>", 0),
        (policy(f"default-src {A}") + "<script src=a.js>b</script><template><style>b</style></template>", 0),
    ],
)
def test_policies_of_pages(tmp_path: Path, page: str, number: int) -> None:
    assert len(found_in(tmp_path, page)) == number


def test_the_finding_names_the_file_and_the_place(tmp_path: Path) -> None:
    page = f"<p>\n<link rel=stylesheet href=a.css integrity={hashed('b')}>"
    (one,) = checked(tmp_path, {"page.html": page, "a.css": "a"}).findings
    assert (one.line, one.element, one.attribute, one.reference) == (2, "link", "integrity", "a.css")
    assert one.message == "the hash is not that of a.css, so browsers refuse it"


def test_style_sheets(tmp_path: Path) -> None:
    sheet = f"@import url('a.css' integrity('{hashed('b')}'));"
    found = checked(tmp_path, {"b.css": sheet, "a.css": "a", "i.html": "<link rel=stylesheet href=b.css>"}).findings
    assert [(each.document, each.code, each.column) for each in found] == [("b.css", CODE, 1)]
