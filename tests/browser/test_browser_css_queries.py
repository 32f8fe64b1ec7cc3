"""How Chromium encodes queries in CSS of pages that are not in UTF-8: rehref finds the same URLs."""

from __future__ import annotations

from pathlib import Path

import chromium
import pytest

import rehref

PAGE = """<meta charset=windows-1252><style>.a{background:url(/style?ä)}</style>
<div class=a style="background:url(/attribute?ä)"></div><img src="/image?ä">"""


@pytest.mark.browser
def test_queries_in_css_are_those_of_chromium(tmp_path: Path) -> None:
    data = PAGE.encode("windows-1252")
    answers = chromium.ask(chromium.needed(), [chromium.Document("/a/legacy.html", "", data)], tmp_path)
    theirs = {found.url for found in answers["/a/legacy.html", ""].found if "?" in found.url}
    for parser in ("source", "lxml", "html5lib"):
        links = rehref.links(data, url=chromium.url("/a/legacy.html"), profile="whatwg", parser=parser)
        ours = {link.target for link in links}
        assert ours == {
            "http://pages.example/style?%E4",
            "http://pages.example/attribute?%C3%A4",
            "http://pages.example/image?%E4",
        }
        assert all(any(url in each for each in theirs) for url in ours if url is not None), theirs
