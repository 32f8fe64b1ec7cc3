"""Schemes and hosts that are hardly meant (site/_pages/written.py)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checked.contexts import codes, found
from rehref.site._pages.written import scheme_meant

MISSPELT = {
    "htps://gohugo.io/": "https://gohugo.io/",
    "ttps://x": "https://x",
    "HTTSP://x.org": "https://x.org",
    "htp://x.org": "http://x.org",
    "hhtp:\\\\x.org": "http:\\\\x.org",
    "hhttps://x.org#a:b": "https://x.org#a:b",
    "mailt:me@x.org": "mailto:me@x.org",
    "malito:me@x.org?subject=a": "mailto:me@x.org?subject=a",
    "javscript:void(0)": "javascript:void(0)",
    "tell:+49-30-1234": "tel:+49-30-1234",
    "dta:image/png;base64,AA": "data:image/png;base64,AA",
    "fiel:///home/x": "file:///home/x",
    "fpt://ftp.gnu.org/": "ftp://ftp.gnu.org/",
}
PLAUSIBLE = [
    *("web+x:y", "spotify:track:1", "steam://run/1", "vscode://file/x", "obsidian://open", "x-y:a", "com.x.app://y"),
    *("foaf:name", "schema:Person", "rel:123456", "htp:name", "mailt:me", "date:2020-01-01", "files:x", "dat:a/b;c,"),
    *("rtp://239.0.0.1", "ftps://ftp.x.org", "shttp://x.org", "hxxps://x.org", "httpu://x.org", "dhttp://x.org"),
    *("http://x.org/", "HTTPS://x.org", "mailto:a@x.org", "javascript:x", "tel:+49-30-1234", "data:text/html,x"),
]


def test_misspelt_schemes_are_errors_and_never_sure(tmp_path: Path) -> None:
    findings = found(tmp_path, "".join(f'<a href="{reference}">x</a>' for reference in MISSPELT))
    assert codes(findings) == [(reference, "unknown-scheme", "error") for reference in MISSPELT]
    assert [finding.suggestion for finding in findings] == list(MISSPELT.values())
    assert not any(finding.sure for finding in findings)
    assert findings[0].message == "htps is not a known scheme; https is one letter away"


def test_other_schemes_are_skipped(tmp_path: Path) -> None:
    assert found(tmp_path, "".join(f'<a href="{reference}">x</a>' for reference in PLAUSIBLE)) == []


def test_an_own_host_of_one_label_is_right_however_it_is_spelt(tmp_path: Path) -> None:
    findings = found(tmp_path, '<img src="//MyHost/x.html">', own_hosts=("myhost",))
    assert [finding.code for finding in findings] == ["missing-file"]


def test_no_registered_scheme_is_misspelt() -> None:
    rests = [reference.partition(":")[2] for reference in MISSPELT]
    registered = (
        *("dat", "dhttp", "pttp", "sftp", "shttp", "tftp", "xftp", "ftp", "news", "sip", "sips", "ws", "wss", "geo"),
    )
    assert [scheme for scheme in registered for rest in rests if scheme_meant(f"{scheme}:{rest}")] == []


TWICE = {"http://http://x/": "http://x/", "HTTP:///https//x/y": "https://x/y", "https:http://x.org": "http://x.org"}


def test_a_scheme_that_is_there_twice_makes_the_host(tmp_path: Path) -> None:
    right = ["http://http.org//", "https://http:8080/", "https://x.org/http://y.org", "https://x.org//http://"]
    findings = found(tmp_path, "".join(f'<a href="{reference}">x</a>' for reference in (*TWICE, *right)))
    assert codes(findings) == [(reference, "suspicious-host", "warning") for reference in TWICE]
    assert [(finding.suggestion, finding.sure) for finding in findings] == [(new, False) for new in TWICE.values()]


@pytest.mark.parametrize("site_url", [None, "https://example.org/docs/"])
def test_a_single_label_after_two_slashes_is_hardly_a_host(tmp_path: Path, site_url: str | None) -> None:
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.png").write_bytes(b"")
    page = "<img src=//images/a.png><img src='\\\\images\\a.png'><a href='///Blog?x'>1</a><a href=//other>2</a>"
    page += "<a href=//localhost/>3</a><a href=//intranet:8080/>4</a><a href=//x.org/>5</a><a href=//me@mine/>6</a>"
    findings = [one for one in found(tmp_path, page, site_url=site_url) if one.code != "local-address"]
    references = ["//images/a.png", "\\\\images\\a.png", "///Blog?x", "//other"]
    assert codes(findings) == [(reference, "suspicious-host", "warning") for reference in references]
    rooted = "/images/a.png" if site_url is None else "/docs/images/a.png"
    assert [finding.suggestion for finding in findings] == [rooted, rooted, None, None]
    assert findings[0].target == "https://images/a.png"


@pytest.mark.parametrize("options", [{"site_url": "http://intranet/"}, {"own_hosts": ("wiki",)}])
def test_where_hosts_are_single_labels_they_are_right(tmp_path: Path, options: dict[str, Any]) -> None:
    assert found(tmp_path, '<a href="//wiki/">1</a>', **options) == []
