"""What is wrong with references as they are written: files on a disk, mailto:, tel: (site/_pages/written.py)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from checked.contexts import checked, codes, found
from rehref.site._target_map import remap_of

SITES = [None, "https://example.org/docs/"]


@pytest.mark.parametrize("site_url", SITES)
def test_a_file_uri_is_an_error(tmp_path: Path, site_url: str | None) -> None:
    (tmp_path / "a.html").write_text("<p>")
    own = (tmp_path / "a.html").as_uri()
    references = [own, "file:///etc/hosts", "FILE:a.html", " file://host/x ", "C:\\docs\\a.html", "c:/docs/a.html"]
    page = "".join(f'<a href="{reference}">x</a>' for reference in references)
    findings = found(tmp_path, page, site_url=site_url)
    assert codes(findings) == [(reference.strip(), "file-uri", "error") for reference in references]


@pytest.mark.parametrize("site_url", SITES)
def test_of_a_file_in_the_folder_it_is_said_how_to_write_it(tmp_path: Path, site_url: str | None) -> None:
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b" / "c.html").write_text("<p id=x>")
    own = tmp_path.as_uri()
    references = [f"{own}/a%20b/c.html?q#x", f"{own}/index.html", f"{own}/", f"{own}/no.html", "file:///a%20b/c.html"]
    findings = found(tmp_path, "".join(f'<a href="{each}">1</a>' for each in references), site_url=site_url)
    assert {finding.code for finding in findings} == {"file-uri"}
    assert [finding.suggestion for finding in findings] == ["a%20b/c.html?q#x", "index.html", "./", None, None]
    assert not any(finding.sure for finding in findings)


@pytest.mark.parametrize("site_url", SITES)
def test_wherever_it_stands(tmp_path: Path, site_url: str | None) -> None:
    page = (
        '<base href="file:///home/me/site/"><img srcset="file:///a.png 2x"><style>@import "file:///s.css";</style>'
        '<link rel="preconnect" href="file:///"><meta property="og:image" content="file:///a.png">'
    )
    assert [finding.code for finding in found(tmp_path, page, site_url=site_url)] == ["file-uri"] * 5


def test_a_site_of_file_uris_may_have_them(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>")
    page = '<a href="file:///srv/docs/a.html">1</a><a href="file:///srv/docs/no.html">2</a><a href="file:///x">3</a>'
    findings = found(tmp_path, page, site_url="file:///srv/docs/")
    assert codes(findings)[0] == ("file:///srv/docs/no.html", "missing-file", "error")
    assert "file-uri" not in {finding.code for finding in findings}


def test_what_is_moved_is_not_reported(tmp_path: Path) -> None:
    page = '<a href="file:///build/index.html">1</a>'
    remap = (remap_of(re.compile("^file:///build/"), "https://example.org/"),)
    assert found(tmp_path, page, site_url="https://example.org/", remap=remap) == []


def test_names_and_other_schemes_are_no_files(tmp_path: Path) -> None:
    page = '<p itemscope itemtype="file:///x"></p><a href="files.html">1</a><a href="filesystem:z">2</a>'
    (tmp_path / "files.html").write_text("<p>")
    assert "file-uri" not in {finding.code for finding in found(tmp_path, page)}


@pytest.mark.parametrize("site_url", SITES)
def test_of_preconnect_only_the_origin_counts(tmp_path: Path, site_url: str | None) -> None:
    page = (
        '<link rel="preconnect" href="/gone/"><link rel="dns-prefetch" href="gone"><link rel="preconnect" href="">'
        '<link rel="dns-prefetch preconnect" href="https://example.org/docs/no"><link rel="preconnect" href="#x">'
        '<link rel="preconnect" href="//cdn.example">'
    )
    findings = found(tmp_path, page, site_url=site_url)
    assert codes(findings) == [("", "empty-reference", "warning")]
    both = found(tmp_path, '<link rel="preconnect stylesheet" href="gone.css">', site_url=site_url)
    assert codes(both) == [("gone.css", "missing-file", "error")]


@pytest.mark.parametrize("site_url", SITES)
def test_addresses_and_numbers(tmp_path: Path, site_url: str | None) -> None:
    references = ["mailto:", "mailto:octocat", "mailto:a@", "mailto: a@example.org", "tel:", "tel:octocat", "tel:+1 2"]
    right = ["mailto:a@example.org", "mailto:?subject=x", "tel:+1-201-555-0123", "MAILTO:a@example.org"]
    page = "".join(f'<a href="{reference}">x</a>' for reference in (*references, *right))
    findings = found(tmp_path, page, site_url=site_url)
    assert codes(findings) == [
        (reference, "invalid-mailto" if reference.startswith("mailto") else "invalid-tel", "warning")
        for reference in references
    ]
    assert "octocat" in findings[1].message


def test_they_are_counted_as_checked(tmp_path: Path) -> None:
    page = '<a href="mailto:x">1</a><a href="mailto:a@b.example">2</a><a href="file:x">3</a>'
    summary = checked(tmp_path, {"index.html": page}).summary
    assert (summary.links, summary.checked, summary.skipped) == (3, 2, 1)
    assert (summary.broken, summary.warnings) == (1, 1)


def test_in_header_fields(tmp_path: Path) -> None:
    fields = "</gone/>; rel=preconnect, <http://>; rel=preload, <file:///x>; rel=preload, </gone.css>; rel=preload"
    (tmp_path / "_headers").write_text(f"/*\n  Link: {fields}\n")
    assert codes(found(tmp_path, "<p>")) == [
        ("http://", "unresolvable", "error"),
        ("file:///x", "file-uri", "error"),
        ("/gone.css", "missing-file", "error"),
    ]
