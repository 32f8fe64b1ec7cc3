"""URLs that no browser can parse are errors (site/_pages/written.py), and one mistake is one finding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from checked.contexts import codes, found
from rehref.documents.options import ReadOptions

SITES = [None, "http://example.org/", "https://example.org/docs/"]


@pytest.mark.parametrize("site_url", SITES)
@pytest.mark.parametrize(
    "reference",
    [
        "http://",
        "https://",
        "HTTP:///",
        "ftp://",
        "wss://",
        "ftp:",
        "https://example]org/",
        "https://x.org:99999/",
        "https://x.org:port/",
        "https://exa mple.org/",
        "http://1.2.3.999/",
        "http://[::1/",
        "http://user:@/",
        "//",
        "//////",
        "\\\\\\",
        "/\\",
        "//x.org:99999/",
        " //example]org/ ",
        "foo://exa mple/",
    ],
)
def test_a_url_that_no_browser_can_parse_is_an_error(tmp_path: Path, reference: str, site_url: str | None) -> None:
    findings = found(tmp_path, f'<a href="{reference}">x</a><img src="{reference}">', site_url=site_url)
    assert codes(findings) == [(reference.strip(), "unresolvable", "error")] * 2


@pytest.mark.parametrize("site_url", SITES)
def test_wherever_it_stands(tmp_path: Path, site_url: str | None) -> None:
    page = (
        '<base href="http://[">'
        "<style>p { background: url(http://exa]mple/) }</style>"
        '<img srcset="http://[ 1x">'
        '<a ping="https://x.org:99999/">x</a>'
        '<meta property="og:image" content="http://">'
        '<meta http-equiv="refresh" content="5; url=http://">'
        '<link rel="preconnect" href="//">'
        '<iframe srcdoc="<a href=//></a>"></iframe>'
    )
    findings = found(tmp_path, page, site_url=site_url)
    assert [finding.code for finding in findings] == ["unresolvable"] * 8
    assert findings[0].element == "base"


def test_in_every_profile(tmp_path: Path) -> None:
    for profile in ("rfc3986", "rfc3986-compat", "rfc2396", "whatwg"):
        findings = found(tmp_path, '<a href="https://x.org:99999/">x</a>', how=ReadOptions(profile=profile))
        assert codes(findings) == [("https://x.org:99999/", "unresolvable", "error")], profile


def test_in_feeds_and_style_sheets(tmp_path: Path) -> None:
    assert codes(found(tmp_path, "p { background: url(http://) }", "s.css")) == [("http://", "unresolvable", "error")]
    feed = '<rss version="2.0"><channel><item><link>http://</link></item></channel></rss>'
    (tmp_path / "s.css").unlink()
    assert codes(found(tmp_path, feed, "feed.xml")) == [("http://", "unresolvable", "error")]


@pytest.mark.parametrize("site_url", SITES)
def test_what_browsers_can_parse_is_none(tmp_path: Path, site_url: str | None) -> None:
    page = (
        '<a href="https://example.com:8443/">1</a> <a href="//example.com/">2</a> <a href="http://[::2]/">3</a>'
        '<a href="https://bücher.example/">4</a> <a href="mailto:a@example.org">5</a> <a href="urn:isbn:1">6</a>'
        '<a href="javascript:void(0)">7</a> <a href="data:,">8</a> <a href="about:blank">9</a>'
    )
    assert codes(found(tmp_path, page, site_url=site_url)) == []


def test_a_name_is_no_link(tmp_path: Path) -> None:
    page = '<p itemscope itemtype="http://"><svg xmlns:x="http://"></svg>'
    assert "unresolvable" not in {finding.code for finding in found(tmp_path, page)}


def test_one_mistake_is_one_finding(tmp_path: Path) -> None:
    (tmp_path / "a b.html").write_text("<p>")
    page = (
        '<a href="no such.html">1</a> <a href="a b.html">2</a> <a href="img\\a.png">3</a>'
        '<a href="\\\\example.org\\x">4</a> <a href="#no such">5</a> <a href="go\nne.html">6</a>'
    )
    assert codes(found(tmp_path, page)) == [
        ("no such.html", "missing-file", "error"),
        ("a b.html", "not-a-uri", "warning"),
        ("img\\a.png", "missing-file", "error"),
        ("\\\\example.org\\x", "browser-differs", "warning"),
        ("#no such", "missing-fragment", "error"),
        ("go\nne.html", "missing-file", "error"),
    ]


@pytest.mark.parametrize(
    ("reference", "code"),
    [
        ("tel:+49 30 123", "invalid-tel"),
        ("mailto:a b", "invalid-mailto"),
        ("no such.html", "missing-file"),
        ("img\\a.png", "missing-file"),
        ("https://x.org:99999/", "unresolvable"),
        ("file:///a b", "file-uri"),
        ("htps://x.org/a b", "unknown-scheme"),
        ("//images/a b", "suspicious-host"),
        ("A B.html", "case-mismatch"),
        ("empty dir/", "missing-index"),
        ("https:\\\\x.org\\y", "browser-differs"),
        ("http://localhost/a b", "local-address"),
    ],
)
def test_who_ignores_a_mistake_does_not_read_of_it_by_another_name(tmp_path: Path, reference: str, code: str) -> None:
    (tmp_path / "a b.html").write_text("<p>")
    (tmp_path / "empty dir").mkdir()
    site: dict[str, Any] = {"site_url": "https://example.org/"}
    page = f'<a href="{reference}">1</a>'
    assert [finding.code for finding in found(tmp_path, page, **site)] == [code]
    assert found(tmp_path, page, ignore=(code,), **site) == []
    assert found(tmp_path, page, per_path_ignores=(("*.html", (code,)),), **site) == []
    assert found(tmp_path, f"{page}<!-- rehref-ignore {code} -->", **site) == []
    assert found(tmp_path, page.replace("href", f"data-rehref-ignore={code} href"), **site) == []
    # but a code that is not selected says nothing
    spelling = ("not-a-uri", "browser-differs") if code != "browser-differs" else ("not-a-uri",)
    assert {finding.code for finding in found(tmp_path, page, select=spelling, **site)} <= set(spelling) != set()
    assert found(tmp_path, page, select=spelling, **site) != []


def test_two_mistakes_are_two(tmp_path: Path) -> None:
    page = '<a href="http://me:secret@x.org:99999/">1</a> <a href="a b?c d">2</a>'
    assert codes(found(tmp_path, page.replace("a b", "index.html").replace("c d", "a|b c"))) == [
        ("http://me:secret@x.org:99999/", "password-in-uri", "warning"),
        ("http://me:secret@x.org:99999/", "unresolvable", "error"),
        ("index.html?a|b c", "not-a-uri", "warning"),
    ]


def test_a_suggestion_is_not_sure_where_browsers_go_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "picture.png").write_bytes(b"")
    (finding,) = found(tmp_path, '<img src="https:img/Picture.png">', site_url="https://example.org/")
    assert (finding.code, finding.sure) == ("case-mismatch", False)
