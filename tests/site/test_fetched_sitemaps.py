"""Sitemaps of servers: packed or as text, whatever type they are sent with."""

from __future__ import annotations

import pytest

from checked.made_web import Response, Web, documents

HOST = "https://a.example/"
LISTED = f"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>{HOST}a</loc></url></urlset>"
INDEX = (
    "<sitemapindex xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
    f"<sitemap><loc>{HOST}maps/one.xml.gz</loc></sitemap></sitemapindex>"
)


def sent(body: str, content_type: str) -> Response:
    return Response(body, headers={"content-type": content_type})


@pytest.mark.parametrize(
    ("name", "content_type", "body"),
    [
        ("sitemap.xml", "application/octet-stream", LISTED),
        ("sitemap.xml", "text/html", LISTED),
        ("maps/one.xml.gz", "application/gzip", LISTED),
        ("sitemap.txt", "text/plain; charset=utf-8", f"{HOST}a\n{HOST}b\n"),
        ("sitemap_pages.txt", "application/octet-stream", f"\ufeff{HOST}a\r\n"),
    ],
)
def test_the_pages_of_a_sitemap_are_fetched(name: str, content_type: str, body: str) -> None:
    web = Web({HOST + name: sent(body, content_type), f"{HOST}a": "<a href=c>"})
    assert set(documents(web, HOST + name, scope=["/"])) == {HOST + name, f"{HOST}a"}


def test_the_sitemaps_of_an_index_are_read_too() -> None:
    pages = {
        f"{HOST}sitemap.xml": sent(INDEX, "application/octet-stream"),
        f"{HOST}maps/one.xml.gz": sent(LISTED, "application/x-gzip"),
        f"{HOST}a": "<p>",
    }
    assert set(documents(Web(pages), f"{HOST}sitemap.xml")) == set(pages)


def test_packed_data_that_a_page_links_to_are_not_fetched() -> None:
    """They were read as far as a page may be, and reported as too large."""
    page = "<a href=data/genes.xml.gz>x</a><link rel=sitemap href=sitemap-1.xml.gz>"
    listed = sent(LISTED, "application/gzip")
    web = Web({HOST: page, f"{HOST}data/genes.xml.gz": listed, f"{HOST}sitemap-1.xml.gz": listed, f"{HOST}a": "<p>"})
    assert set(documents(web, HOST)) == {HOST, f"{HOST}sitemap-1.xml.gz", f"{HOST}a"}


@pytest.mark.parametrize("name", ["sitemap.txt", "notes.txt", "list.gz"])
def test_another_text_is_not_a_page(name: str) -> None:
    text = "no list" if name == "sitemap.txt" else f"{HOST}a\n"
    assert documents(Web({HOST + name: sent(text, "text/plain"), f"{HOST}a": "<p>"}), HOST + name) == []
