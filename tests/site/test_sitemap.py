"""Sitemaps and the pages there are (site/_checks/sitemap.py)."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from site_parts import found_by

from checked.contexts import host_named, written
from rehref.site._checks.sitemap import sitemap_element
from rehref.site.check_options import CheckOptions
from rehref.site.findings import Finding
from rehref.site.site import Site

NAMESPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"
URL = "https://example.org/docs/"


def urlset(*paths: str) -> str:
    urls = "".join(f"<url><loc>{URL}{path}</loc></url>\n" for path in paths)
    return f'<?xml version="1.0"?>\n<urlset xmlns="{NAMESPACE}">\n{urls}</urlset>'


def index(*paths: str) -> str:
    maps = "".join(f"<sitemap><loc>{URL}{path}</loc></sitemap>" for path in paths)
    return f'<sitemapindex xmlns="{NAMESPACE}">{maps}</sitemapindex>'


def found(folder: Path, files: Mapping[str, str | bytes], **options: Any) -> list[Finding]:
    written(folder, files)
    context = Site.of(folder, CheckOptions(**{"jobs": 1, "site_url": URL, **options}))
    return found_by("sitemap", context)


def told(folder: Path, files: Mapping[str, str | bytes], **options: Any) -> list[tuple[str, str, str]]:
    return [(finding.document, finding.reference, finding.code) for finding in found(folder, files, **options)]


def test_a_sitemap_that_lists_all_pages_and_no_more_is_fine(tmp_path: Path) -> None:
    files = {"index.html": "", "a/index.html": "", "b.html": "", "s.css": "", "t.svg": "<svg/>"}
    assert found(tmp_path, {**files, "sitemap.xml": urlset("", "a/", "b.html?x")}) == []


def test_a_loc_without_a_file_is_reported_where_it_stands(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, {"index.html": "", "sitemap.xml": urlset("", "gone.html")})
    assert (finding.document, finding.line, finding.column) == ("sitemap.xml", 4, 11)
    assert finding.span is not None
    assert (tmp_path / "sitemap.xml").read_bytes()[slice(*finding.span)] == (URL + "gone.html").encode()
    assert (finding.element, finding.attribute, finding.target) == ("loc", None, URL + "gone.html")
    assert (finding.code, finding.severity) == ("missing-from-site", "error")
    assert finding.message == "there is no file gone.html"


def test_a_page_that_no_sitemap_lists_is_a_warning(tmp_path: Path) -> None:
    (finding,) = found(
        tmp_path, {"index.html": "", "a.html": "<meta name=robots content=nofollow>", "sitemap.xml": urlset("")}
    )
    assert (finding.document, finding.line, finding.span) == ("a.html", None, None)
    assert (finding.code, finding.severity) == ("not-in-sitemap", "warning")


def test_pages_that_nobody_should_find_need_not_be_listed(tmp_path: Path) -> None:
    files = {
        "404.html": "",
        "de/404.html": "",
        "noindex.html": "<meta name=Robots content='NOINDEX, follow'>",
        "stub.html": "<meta http-equiv=refresh content='0; url=a.html'>",
        "sitemap.xml": urlset(),
    }
    assert told(tmp_path, files) == []


@pytest.mark.parametrize("refresh", ["5; url=404.html", "0", "60"])
def test_other_refreshes_are_no_redirections(tmp_path: Path, refresh: str) -> None:
    files = {"a.html": f"<meta http-equiv=refresh content='{refresh}'>", "sitemap.xml": urlset()}
    assert told(tmp_path, files) == [("a.html", "", "not-in-sitemap")]


def test_a_sitemap_that_is_excluded_is_none(tmp_path: Path) -> None:
    files = {"index.html": "", "sitemap.xml": urlset("", "gone")}
    assert told(tmp_path, files, exclude_paths=("sitemap.xml",)) == [("sitemap.xml", "", "no-sitemap")]


def test_a_loc_in_other_case_is_wrong_but_lists_the_page(tmp_path: Path) -> None:
    assert told(tmp_path, {"a.html": "", "sitemap.xml": urlset("A.html")}) == [
        ("sitemap.xml", URL + "A.html", "missing-from-site")
    ]


def test_what_leads_elsewhere_is_not_judged(tmp_path: Path) -> None:
    sitemap = f'<urlset xmlns="{NAMESPACE}"><url><loc>https://else.example/</loc></url><url><loc>https://example.org/</loc></url></urlset>'
    assert told(tmp_path, {"sitemap.xml": sitemap}) == []


def test_images_are_no_pages(tmp_path: Path) -> None:
    sitemap = (
        f'<urlset xmlns="{NAMESPACE}" xmlns:i="http://www.google.com/schemas/sitemap-image/1.1"><url><loc>{URL}</loc>'
        f"<i:image><i:loc>{URL}a.html</i:loc></i:image></url></urlset>"
    )
    assert told(tmp_path, {"index.html": "", "a.html": "", "sitemap.xml": sitemap}) == [
        ("a.html", "", "not-in-sitemap")
    ]


def test_sitemaps_are_known_by_name_element_robots_and_index(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "sub/Sitemap-1.xml": urlset("1.html"),
        "pages.xml": "<!-- x --><?x?>" + urlset("2.html").removeprefix('<?xml version="1.0"?>'),
        "sub/pages.xml": urlset("3.html"),
        "all.xml": index("maps/4.xml", "maps/5.xml.gz", "all.xml"),
        "maps/4.xml": urlset("4.html"),
        "maps/5.xml.gz": gzip.compress(urlset("5.html").encode()),
        "robots.txt": f"User-agent: *\nSITEMAP : {URL}maps/6.txt # x\n",
        "maps/6.txt": f"{URL}6.html\n{URL}7.html\n",
        **{f"{number}.html": "" for number in range(1, 9)},
    }
    assert told(tmp_path, files) == [("3.html", "", "not-in-sitemap"), ("8.html", "", "not-in-sitemap")]


def test_a_sitemap_that_is_named_and_not_there_is_reported(tmp_path: Path) -> None:
    robots = f"\ufeffsitemap:{URL}sitemap.xml\nDisallow: /\n\n Sitemap: {URL}no.xml  \n"
    files = {"robots.txt": robots, "sitemap.xml": index("sitemap_2.xml")}
    first, second = found(tmp_path, files)
    assert (first.document, first.line, first.column, first.reference) == ("robots.txt", 4, 11, URL + "no.xml")
    assert first.span is not None
    assert (tmp_path / "robots.txt").read_bytes()[slice(*first.span)] == (URL + "no.xml").encode()
    assert (second.document, second.reference, second.code) == (
        "sitemap.xml",
        URL + "sitemap_2.xml",
        "missing-from-site",
    )


def test_what_is_packed_has_no_lines_and_may_be_broken(tmp_path: Path) -> None:
    files = {"sitemap.xml.gz": gzip.compress(urlset("no.html").encode())}
    (finding,) = found(tmp_path, files)
    assert (finding.line, finding.column, finding.span, finding.reference) == (None, None, None, URL + "no.html")
    (finding,) = found(tmp_path, {"sitemap.xml.gz": b"no gzip"})
    assert (finding.document, finding.code) == ("sitemap.xml.gz", "unreadable")


def test_without_a_sitemap_there_is_one_warning(tmp_path: Path) -> None:
    assert told(tmp_path, {"a.html": "", "b.html": "", "c.xml": "<x/>"}) == [("sitemap.xml", "", "no-sitemap")]


def test_without_the_url_of_the_site_there_is_one_warning(tmp_path: Path) -> None:
    files = {"a.html": "", "sitemap.xml": urlset(), "sub/sitemap.xml": urlset()}
    (finding,) = found(tmp_path, files, site_url=None)
    assert (finding.document, finding.code, finding.severity) == ("sitemap.xml", "no-site-url", "warning")
    assert "--site-url" in finding.message


def test_clean_urls_and_redirections_list_pages(tmp_path: Path) -> None:
    files = {"a.html": "", "b.html": "", "_redirects": "/old /b 301\n", "sitemap.xml": urlset("a", "old")}
    root = {**files, "sitemap.xml": files["sitemap.xml"].replace("/docs", "")}
    assert told(tmp_path, root, site_url="https://example.org/", host=host_named("netlify")) == []


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"<urlset>", "urlset"),
        (b"\xef\xbb\xbf \n<?xml version='1.0'?><!-- <x> --><!DOCTYPE x><s:sitemapindex\nxmlns:s='x'>", "sitemapindex"),
        ("\ufeff<urlset/>".encode("utf-16-le"), "urlset"),
        (b"<urlsets>", None),
        (b"<x><urlset>", None),
        (b"<!-- <urlset>", None),
        (b"", None),
        (b"<!--" * 50_000, None),
        (b"<!x>" * 50_000, None),
        (b"<?x <urlset> ?><!-- <urlset> --><sitemapindex/>", "sitemapindex"),
        (b"<!DOCTYPE urlset [<!ENTITY x 'y'>]><urlset/>", "urlset"),
        (b"<!DOCTYPE urlset SYSTEM 'a>b'><urlset/>", "urlset"),
    ],
)
def test_the_document_element_tells_a_sitemap(data: bytes, name: str | None) -> None:
    assert sitemap_element(data) == name
