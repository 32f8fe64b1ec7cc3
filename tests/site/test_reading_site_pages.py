"""Documents of a site are read once, whatever is asked of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from checked.contexts import checked
from rehref.site._pages import reading_site_pages as reading


def test_each_document_is_read_once_whatever_checks_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refresh = "<meta http-equiv=refresh content='0;url=c.html'>"
    files = {
        "index.html": "<p id=x><p id=x><a href=#x><a href=a.html#y><a href=gone.html><meta name=robots content=index>",
        "a.html": "<p id=y><a href=b.svg#z><a href=index.html>",
        "b.svg": "<svg xmlns='http://www.w3.org/2000/svg' id='z'>",
        "c.html": "<p>not listed",
        "d.html": refresh,
        "e.html": "<p>no page leads here",
        "_headers": "/*\n  Link: </a.html#y>, </a.html#no>; rel=next\n",
        "sitemap.xml": "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url>"
        "<loc>https://example.org/a.html</loc></url></urlset>",
    }
    reads: list[str] = []
    real = reading.read_file

    def read_file(name: str) -> bytes:
        reads.append(Path(name).name)
        return real(name)

    monkeypatch.setattr(reading, "read_file", read_file)
    result = checked(tmp_path, files, site_url="https://example.org/", select=("all",))
    assert {finding.code for finding in result.findings} == {
        *(
            "duplicate-id",
            "missing-file",
            "missing-fragment",
            "not-in-sitemap",
            "not-well-formed",
            "orphan",
            "no-favicon",
        )
    }
    documents = [name for name in reads if name != "_headers"]  # which is no document
    once = ["a.html", "b.svg", "c.html", "d.html", "e.html", "index.html", "sitemap.xml"]
    assert sorted(documents) == sorted([*once, "index.html"])  # for the place of the double id, which is reported
