"""The encoding that a host sends documents in (site/_grounds/sent_fields.py), and what checking makes of a guess."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from checked.contexts import host_named, written
from rehref.files.file_errors import FileError
from rehref.site.check import CheckRun
from rehref.site.check_options import ROWS, CheckOptions
from rehref.site.findings import Finding
from rehref.site.site import Site

UNDECLARED = "encoding-undeclared"


def site(folder: Path, files: Mapping[str, str | bytes], host: str = "none", **options: Any) -> Site:
    written(folder, files)
    return Site.of(folder, CheckOptions(jobs=1, host=host_named(host), **options))


def found(context: Site) -> list[Finding]:
    return list(CheckRun().check(context).result.findings)


def codes(context: Site) -> list[str]:
    """The codes of findings, but for what a strict reader has against characters beyond ASCII."""
    return [finding.code for finding in found(context) if finding.code != "not-a-uri"]


# --- what the host sends


@pytest.mark.parametrize(
    ("host", "charset"),
    [
        *(("none", None), ("nginx", None), ("apache", None)),
        *(("github-pages", "utf-8"), ("netlify", "utf-8"), ("cloudflare-pages", "utf-8")),
    ],
)
def test_hosts_send_utf_8_with_text_or_say_nothing(tmp_path: Path, host: str, charset: str | None) -> None:
    charsets = site(tmp_path, {"a.html": ""}, host).sent_fields
    assert charsets.charset("a.html") == charsets.charset("x/a.css") == charset
    assert charsets.charset("a.svg") is None
    assert charsets.charset("a.png") is None


HTACCESS = {
    "AddDefaultCharset utf-8": "utf-8",
    "AddDefaultCharset On": "windows-1252",
    "AddDefaultCharset Off": None,
    "AddDefaultCharset nonsense": None,
    "adddefaultcharset 'Big5'": "big5",
    "AddCharset utf-8 .css .html": "utf-8",
    "AddCharset utf-8 HTML": "utf-8",
    "AddCharset utf-8 .css": None,
    "AddType text/html .html": None,
    'AddType "text/html; charset=koi8-r" .html': "koi8-r",
    "AddType 'text/html;charset=koi8-r' html\nAddDefaultCharset utf-8": "koi8-r",
    "AddCharset big5 .html\nAddType 'text/html;charset=koi8-r' .html": "big5",
    "ForceType 'text/html; charset=koi8-r'": "koi8-r",
    "<IfModule mod_mime.c>\nAddCharset utf-8 .html\n</IfModule>": "utf-8",
    "<If true>\nAddDefaultCharset utf-8\n</If>": None,
    "Header set Content-Type 'text/html; charset=big5'\nAddCharset utf-8 .html": "big5",
    "<Files x.css>\nHeader set Content-Type 'text/css; charset=big5'\n</Files>": None,
    "AddDefaultCharset": None,
    "AddCharset": None,
}


@pytest.mark.parametrize("text", HTACCESS)
def test_htaccess_says_it(tmp_path: Path, text: str) -> None:
    context = site(tmp_path, {"a.html": "<p>", ".htaccess": text}, "apache")
    assert context.sent_fields.charset("a.html") == HTACCESS[text]
    assert context.redirects is not None
    assert context.redirects.unread == ()


def test_a_deeper_htaccess_goes_first_in_what_it_says(tmp_path: Path) -> None:
    files = {
        ".htaccess": "AddDefaultCharset big5\nAddCharset koi8-r .k",
        "off/.htaccess": "AddDefaultCharset Off",
        "other/.htaccess": "AddDefaultCharset utf-8\nAddCharset koi8-u .k",
    }
    charsets = site(tmp_path, files, "apache").sent_fields
    paths = ("a.html", "off/a.html", "other/x/a.html", "off/a.k.html", "other/a.k.html", "a.css")
    assert [charsets.charset(path) for path in paths] == ["big5", None, "utf-8", "koi8-r", "koi8-u", None]


HEADERS = """
/*
  Content-Type: text/html; charset=utf-8
  Content-Type: text/css; charset=koi8-r
/old/:name
  Content-Type: text/html;charset="iso-8859-2"
https://example.org/en/
  content-type: text/html; charset=big5
/none.html
  Content-Type: text/html
/bad.html
  Content-Type: text/html; charset=nonsense
/*a*b*c*d
  Content-Type: text/html; charset=big5
"""


@pytest.mark.parametrize("host", ["none", "netlify", "cloudflare-pages"])
def test_headers_say_it(tmp_path: Path, host: str) -> None:
    charsets = site(tmp_path, {"_headers": HEADERS}, host).sent_fields
    expected = {
        "a.html": "utf-8",
        "x/a.css": "koi8-r",
        "old/a.html": "iso-8859-2",
        "old/x/a.html": "utf-8",
        "en/index.html": "big5",
        "en/a.html": "utf-8",
        "none.html": "utf-8",
        "bad.html": "utf-8",
        "xaxbxcxd": None,
    }
    assert {path: charsets.charset(path) for path in expected} == expected


@pytest.mark.parametrize("host", ["github-pages", "nginx", "apache"])
def test_headers_say_nothing_to_others(tmp_path: Path, host: str) -> None:
    charset = host_named(host).charset
    assert site(tmp_path, {"_headers": HEADERS}, host).sent_fields.charset("old/a.html") == charset


def test_what_was_asked_for_goes_first(tmp_path: Path) -> None:
    files = {"_headers": HEADERS, ".htaccess": "AddDefaultCharset big5"}
    for host in ROWS["host"].choices:
        assert site(tmp_path, files, host, encoding="koi8-r").sent_fields.charset("old/a.html") == "koi8-r"
    assert site(tmp_path, files, encoding="cp932").source("a.html", b"", "text/html").encoding == "shift_jis"


# --- what checking makes of it

PAGE = '<a href="grün.html">x</a>'


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_file_in_utf_8_needs_to_say_nothing(tmp_path: Path, jobs: int) -> None:
    site(tmp_path, {"index.html": PAGE, "grün.html": "<p>"})
    context = Site.of(tmp_path, CheckOptions(jobs=jobs))
    assert [finding.code for finding in CheckRun().check(context).result.findings if finding.code != "not-a-uri"] == []


@pytest.mark.parametrize(
    ("data", "host", "options"),
    [
        (PAGE.encode("windows-1252"), "none", {}),
        (PAGE.encode("windows-1250"), "none", {"encoding": "windows-1250"}),
        (("<!--" + "x" * 1024 + "--><meta charset=windows-1250>" + PAGE).encode("windows-1250"), "none", {}),
        (("<meta charset=koi8-r>" + PAGE).encode(), "github-pages", {}),
        (("<meta charset=koi8-r>" + PAGE).encode(), "netlify", {}),
        (("<meta charset=koi8-r>" + PAGE).encode(), "cloudflare-pages", {}),
        (("<meta charset=koi8-r>" + PAGE).encode(), "apache", {}),
        (("<meta charset=koi8-r>" + PAGE).encode(), "none", {"encoding": "utf-8"}),
        (PAGE.encode("utf-16"), "github-pages", {"encoding": "utf-8"}),
    ],
)
def test_targets_are_found_in_the_encoding_that_the_host_sends(
    tmp_path: Path, data: bytes, host: str, options: dict[str, Any]
) -> None:
    files = {"index.html": data, "grün.html": "<p>", ".htaccess": "AddDefaultCharset utf-8"}
    assert codes(site(tmp_path, files, host, **options)) == []


def test_without_that_they_are_not(tmp_path: Path) -> None:
    files = {"index.html": "<meta charset=koi8-r>" + PAGE, "grün.html": "<p>"}
    assert codes(site(tmp_path, files)) == ["missing-file"]
    files["index.html"] = PAGE
    assert codes(site(tmp_path, files, encoding="koi8-r")) == ["missing-file"]


@pytest.mark.parametrize("markup", [PAGE, '<a href=" grün.html ">x</a>', '<img srcset="grün.html 1x">'])
def test_a_guess_is_reported_of_what_leads_to_no_file_only(tmp_path: Path, markup: str) -> None:
    context = site(tmp_path, {"index.html": markup + '<a href="a.html">y</a>'})
    assert sorted(codes(context)) == [UNDECLARED, "missing-file", "missing-file"]
    assert {one.severity for one in found(context) if one.code == UNDECLARED} == {"warning"}
    (tmp_path / "index.html").write_text("<meta charset=utf-8>" + markup)
    assert codes(site(tmp_path, {})) == ["missing-file"]


def test_a_guess_is_no_reason_for_a_missing_fragment(tmp_path: Path) -> None:
    context = site(tmp_path, {"index.html": '<a href="#ü">x</a><a href="grün.html#ä">x</a>', "grün.html": "<p>"})
    assert codes(context) == ["missing-fragment", "missing-fragment"]


def test_what_is_mended_is_read_in_the_same_encoding(tmp_path: Path) -> None:
    data = ("<meta charset=koi8-r>" + PAGE.replace("grün", "gründ") + "ü").encode()
    context = site(tmp_path, {"index.html": data, "gründe.html": "<p>", "a.html": "<p>"}, "github-pages")
    [fixed] = context.fixes(found(context), unsure=True)
    assert not isinstance(fixed, FileError)
    assert fixed.new == data.replace("gründ".encode(), "gründe".encode())
