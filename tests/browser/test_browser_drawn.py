"""What Chromium makes of pages drawn by chance, in which much looks like a tag that is none: `drawn_pages.py`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import chromium
import pytest
from asking import asking
from drawn_pages import drawn_pages

import rehref
from rehref.documents.reading import read_page
from rehref.site.check_options import CheckOptions
from rehref.site.site import Site
from rehref.text.encoding import Source

pytestmark = pytest.mark.browser

_ASK = Path(__file__).with_name("drawn.js")
_words = re.compile("w[0-9]+").findall


def test_drawn_pages_are_what_chromium_makes_of_them(tmp_path: Path) -> None:
    pages = list(drawn_pages(Random(2), 1000))
    assert sum("shadowrootmode" in page for page in pages) > 300
    with asking(chromium.needed(), tmp_path) as asker:
        asker.run(_ASK.read_text("utf-8"))
        theirs = asker.run(f"{json.dumps(pages)}.map(drawnAs)")
    (tmp_path / "site").mkdir()
    folder = Site.of(tmp_path / "site", CheckOptions(site_url="file:///srv/"))
    assert {page: _ours(page, folder) for page in pages} == dict(zip(pages, theirs, strict=True))


def _ours(page: str, folder: Site) -> dict[str, Any]:
    """What rehref says of a page. Words are in order of the alphabet: those of a shadow root may be elsewhere."""
    site = folder.page("page.html", page.encode())
    shown = sorted(filter(None, site.values.texts))
    content = read_page(Source(page.encode(), "utf-8"))
    texts: dict[str, list[str]] = {}
    in_templates = {site.parsed.places[number].start for number in site.inert}
    for link in rehref.links(page.encode(), url="https://a.example/", text=True, media_type="text/html"):
        if link.element == "a" and link.reference in shown and (link.span or (0,))[0] not in in_templates:
            texts[link.reference] = sorted(texts.get(link.reference, []) + _words(link.text or ""))
    return {
        "shown": shown,
        "title": content.title,
        "texts": texts,
        "words": sorted(_words("\0".join(content.blocks() or ()))),
        "runs": content.runs_scripts(),
        "ids": sorted(site.names),
    }
