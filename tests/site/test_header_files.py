"""Header fields in the files of hosts: `_headers` and `.htaccess`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checked.contexts import host_named, written
from rehref.site._hosts.header_files import HostField, fields_of_headers, fields_of_htaccess
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import Finding
from rehref.site.site import Site

URL = "https://example.org/"


PAGES = {"index.html": "<p id=here>", "blog/index.html": "<p id=b>", "style.css": "", "blog/style.css": ""}


def found(folder: Path, files: Mapping[str, str | bytes], host: str = "netlify", **options: Any) -> list[Finding]:
    written(folder, {**PAGES, **files})
    context = Site.of(folder, CheckOptions(**{"jobs": 1, "site_url": URL, "host": host_named(host), **options}))
    known = (*PAGES, *context.scope.documents, "_redirects")
    return [each for each in CheckRun().check(context).result.findings if each.document not in known]


def sent(text: str | bytes) -> list[tuple[str, str, bytes]]:
    data = text.encode() if isinstance(text, str) else text
    fields = list(fields_of_headers(data))
    for field in fields:
        assert data[field.offsets[0] : field.offsets[-1]] == field.value
    return [(field.path, field.name, field.value) for field in fields]


def apache(text: str, folder: str = "/") -> list[HostField]:
    return list(fields_of_htaccess(text.encode(), folder))


def test_a_rule_is_a_path_and_the_fields_below_it() -> None:
    text = (
        "\n# all\n/*\n  # of them\n  Link: </a>\n  X-Frame-Options: DENY\n\n  ! Link\n/b\n\trefresh : 5 \r\nLocation:/c"
    )
    assert sent(text) == [("/*", "Link", b"</a>"), ("/b", "refresh", b"5"), ("/b", "Location", b"/c")]


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("/a/:b/*", "/a/:b/*"),
        ("https://example.org/a/b", "/a/b"),
        ("https://:project.pages.dev/*", "/*"),
        ("https://example.org", "/"),
        ("http://example.org?x", "/?x"),
        ("//a", "//a"),
    ],
)
def test_of_a_whole_url_the_path_counts(line: str, path: str) -> None:
    assert sent(f"{line}\n Link: <x>") == [(path, "Link", b"<x>")]


@pytest.mark.parametrize(
    "text", ["", "Link: <a>", "nothing\n Link: <a>", "/a\n Link <a>", "/a\n X-Link: <a>", "/a\n #Link: <a>"]
)
def test_what_is_no_field_of_a_rule(text: str) -> None:
    assert sent(text) == []


def test_a_field_that_names_a_url_at_once_is_no_rule() -> None:
    assert sent("/a\n Link:<https://example.org/x>\n Location:https://example.org/") == [
        ("/a", "Link", b"<https://example.org/x>"),
        ("/a", "Location", b"https://example.org/"),
    ]


def test_a_path_longer_than_those_of_files_matches_nothing() -> None:
    assert sent("/a" + "/b" * 2048 + "\n Link: <a>\n/b\n Link: <b>") == [("/b", "Link", b"<b>")]


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('Header set Link "</a b>; rel=x"', b"</a b>; rel=x"),
        ("header always add link: </a>", b"</a>"),
        ("  HEADER onsuccess append 'Refresh' '5; url=\"/x\"'", b'5; url="/x"'),
        (r'Header merge Location "/a\"b\\c\'d"', rb"/a\"b\c\'d".replace(rb"\"", b'"')),
        ("Header setifempty Link </a>;rel=x env=y", b"</a>;rel=x"),
        ('Header set Link "</a%%20b>"', b"</a%20b>"),
        ('Header set \\\r\n  Link \\\n"</a\\\nb>"', b"</ab>"),
        ('<IfModule mod_headers.c>\nHeader set Link "</a>"\n</IfModule>', b"</a>"),
    ],
)
def test_a_field_of_htaccess(line: str, value: bytes) -> None:
    (field,) = apache("# x\n" + line + "\n")
    assert (field.value, field.path) == (value, "/*")
    assert len(field.offsets) == len(value) + 1
    data = ("# x\n" + line + "\n").encode()
    assert all(
        data[at] == byte or data[at : at + 1] == b"\\" for at, byte in zip(field.offsets, field.value, strict=False)
    )


@pytest.mark.parametrize(
    "line",
    [
        *("# Header set Link </a>", "# so \\\nHeader set Link </a>", "Header unset Link", "Header set Link"),
        *('Header set Link "</a>', "Header set X-Link </a>", "Header edit Link a b", "RequestHeader set Link </a>"),
        *('Header set Link "</%{A}e>"', "Header set Link </a%20b>", "Header set Link %"),
    ],
)
def test_what_is_no_field_of_htaccess(line: str) -> None:
    assert apache(line) == []


@given(st.text(alphabet="/*:a#! \t\r\n<>;\"'\\%Linkheadrs=", max_size=80))
def test_nothing_is_raised_and_offsets_are_in_the_file(text: str) -> None:
    data = text.encode()
    for field in (*fields_of_headers(data), *fields_of_htaccess(b"Header set Link " + data, "/")):
        assert len(field.offsets) == len(field.value) + 1
        assert list(field.offsets) == sorted(field.offsets)
        assert field.offsets[-1] <= len(data) + 16


@pytest.mark.parametrize(
    ("host", "read"),
    [
        ("netlify", ["_headers"]),
        ("cloudflare-pages", ["_headers"]),
        ("none", ["_headers"]),
        ("apache", [".htaccess", "blog/.htaccess"]),
        ("github-pages", []),
        ("nginx", []),
    ],
)
def test_read_is_what_the_host_reads(tmp_path: Path, host: str, read: list[str]) -> None:
    text = "/*\n Link: </gone>\n"
    apache_text = "Header set Link </gone>"
    files = {"_headers": text, "blog/_headers": text, ".htaccess": apache_text, "blog/.htaccess": apache_text}
    assert [finding.document for finding in found(tmp_path, files, host)] == read


def test_without_a_file_there_is_nothing(tmp_path: Path) -> None:
    assert found(tmp_path, {}, "netlify") == found(tmp_path, {}, "apache") == []


def test_in_htaccess_a_path_from_the_root_begins_at_that_of_the_host(tmp_path: Path) -> None:
    text = "Header set Link '</docs/style.css>, </docs/no.css>, </style.css>, <style.css>, <https://example.org/x>'"
    on_host = found(tmp_path, {"blog/.htaccess": text}, "apache", site_url="https://example.org/docs/")
    assert [(finding.reference, finding.code) for finding in on_host] == [
        ("/docs/no.css", "missing-file"),
        ("/style.css", "escapes-site"),
    ]
    assert on_host[0].base is not None
    assert on_host[0].base.uri == "https://example.org/docs/blog/"
    local = found(tmp_path, {"blog/.htaccess": "Header set Link '</style.css>, </no.css>'"}, "apache", site_url=None)
    assert [(finding.reference, finding.code) for finding in local] == [("/no.css", "missing-file")]
