"""Pages that a browser saves as MHTML show the same when they have been rewritten, and when they are unpacked.

- Three sites are loaded in a headless Chromium and saved: a page with a relative base, a frameset, a Latin-1 page.
- Each snapshot is read, and its links lead where the browser says they lead in the snapshot.
- Each snapshot is made absolute, and opened again: every URL is the same, every image is there.
- Each snapshot is unpacked, and opened from the disk: every image is there, every style sheet is applied, and no URL
  that leads within the page leaves the folder.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import chromium
import devtools
import pytest
from click.testing import CliRunner

import rehref
from local_server import Quiet, served_by
from rehref.cli.program import program

pytestmark = pytest.mark.browser


def _png() -> bytes:
    """A red dot."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    pixels = zlib.compress(b"\0\xff\0\0" * 1)
    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


RELATIVE = b"""<!DOCTYPE html><meta charset=utf-8><base href="../assets/" target=_top><title>Relative</title>
<link rel=stylesheet href=main.css>
<p id=styled><a href="next.html?a=1&amp;b=2#s">next</a> <a href="#here">here</a> <a href="/root">root</a>
<img src=dot.png> <img src="sub/../dot.png?2" srcset="dot.png?3 2x"> <iframe src=inner.html></iframe>
<map name=m><area href=area.html></map></p>
"""
INNER = b"<!DOCTYPE html><p><a href=deeper/x>x</a> <img src=dot.png>"
FRAMESET = b"""<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN"><title>Frames</title>
<frameset cols="50%,50%"><frame src=left.html name=left><frame src=sub/right.html></frameset>
"""
LEFT = b"<!DOCTYPE html><p><a href=sub/right.html#t target=left>r</a> <img src=../assets/dot.png>"
RIGHT = b"<!DOCTYPE html><base href=http://elsewhere.example/z/><p><a href=q>q</a> <a href=#t>t</a>"
LATIN = (
    "<!DOCTYPE html><title>Größe</title><p id=text>Größe</p><a href='caf\xe9.html?q=\xe9'>caf\xe9</a>"
    "<img src='/assets/dot.png?\xe4'>"
).encode("latin-1")
CSS = b"@import 'more.css'; #styled { background: url(dot.png?4) }"
MORE = b"#styled { color: rgb(1, 2, 3) }"

FILES = {
    "/site/page/index.html": (RELATIVE, "text/html"),
    "/site/assets/inner.html": (INNER, "text/html"),
    "/site/assets/main.css": (CSS, "text/css"),
    "/site/assets/more.css": (MORE, "text/css"),
    "/site/assets/dot.png": (_png(), "image/png"),
    "/frames/index.html": (FRAMESET, "text/html"),
    "/frames/left.html": (LEFT, "text/html"),
    "/frames/sub/right.html": (RIGHT, "text/html"),
    "/assets/dot.png": (_png(), "image/png"),
    "/latin/a/index.html": (LATIN, "text/html; charset=iso-8859-1"),
}
SITES = {"relative": "/site/page/index.html", "frameset": "/frames/index.html", "latin": "/latin/a/index.html"}

URLS = """
(() => {
  const found = [];
  for (const [query, name] of [["a, area, link", "href"], ["img, iframe, frame", "src"], ["img", "currentSrc"]])
    for (const element of document.querySelectorAll(query))
      if (element.hasAttribute(name) || name === "currentSrc") found.push([element.localName, name, element[name]]);
  return found;
})()
"""
SEEN = """
(() => ({
  images: Array.from(document.images, (image) => image.complete && image.naturalWidth > 0),
  styled: document.getElementById("styled") ? getComputedStyle(document.getElementById("styled")).color : null,
  background: document.getElementById("styled") ?
    getComputedStyle(document.getElementById("styled")).backgroundImage : null,
  text: document.getElementById("text") ? document.getElementById("text").textContent : null,
}))()
"""


class Opened(NamedTuple):
    """What the browser finds in each frame."""

    urls: list[Any]
    seen: list[Any]


class Site(NamedTuple):
    """A site that was saved, and what came of the snapshot."""

    snapshot: bytes
    rewritten: bytes
    folder: Path
    before: Opened
    after: Opened
    unpacked: Opened


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    class Handler(Quiet):
        def do_GET(self) -> None:
            data, content_type = FILES.get(self.path.partition("?")[0], (b"", ""))
            self.send_response(200 if content_type else 404)
            self.send_header("Content-Type", content_type or "text/plain")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    with served_by(Handler) as port:
        yield port


@pytest.fixture(scope="module")
def sites(port: int, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Site]:
    """The three sites: saved, rewritten, unpacked, each opened again."""
    found = chromium.needed()
    folder = tmp_path_factory.mktemp("mhtml")
    sites = {}
    with devtools.browser(found, port, folder / "profile") as browser:
        tab = devtools.Tab(browser)
        for name, path in SITES.items():
            tab.open(chromium.url(path))
            snapshot = tab.snapshot()
            rewritten = rehref.rewrite(snapshot)
            (folder / f"{name}.mhtml").write_bytes(snapshot)
            (folder / f"{name}-absolute.mhtml").write_bytes(rewritten)
            unpacked = folder / name
            result = CliRunner().invoke(
                program, ["rewrite", "-q", "--unpack", str(unpacked), str(folder / f"{name}.mhtml")]
            )
            assert not result.exception, result.output
            opened = []
            for file in (folder / f"{name}.mhtml", folder / f"{name}-absolute.mhtml", unpacked / "index.html"):
                tab.open(file.as_uri())
                opened.append(Opened(tab.evaluate(URLS), tab.evaluate(SEEN)))
            sites[name] = Site(snapshot, rewritten, unpacked, *opened)
    return sites


@pytest.mark.parametrize("name", SITES)
def test_every_url_is_the_same_in_the_rewritten_snapshot(sites: dict[str, Site], name: str) -> None:
    site = sites[name]
    assert site.after.urls == site.before.urls
    assert site.after.seen == site.before.seen
    assert sum(map(len, site.before.urls)) > 2


@pytest.mark.parametrize("name", SITES)
def test_every_image_of_the_rewritten_snapshot_is_there(sites: dict[str, Site], name: str) -> None:
    images = [image for frame in sites[name].after.seen for image in frame["images"]]
    assert images
    assert all(images)


@pytest.mark.parametrize("name", SITES)
def test_links_lead_where_the_browser_says(sites: dict[str, Site], name: str) -> None:
    site = sites[name]
    targets = {link.target for link in rehref.links(site.snapshot, profile="whatwg")}
    urls = {url for frame in site.before.urls for _, attribute, url in frame if attribute != "currentSrc"}
    assert urls
    assert urls <= targets


def test_a_snapshot_with_a_relative_base_is_changed(sites: dict[str, Site]) -> None:
    references = [link.reference for link in rehref.links(sites["relative"].rewritten) if link.element == "img"]
    assert references
    assert all(reference.startswith(f"http://{chromium.HOST}/") for reference in references)


@pytest.mark.parametrize("name", SITES)
def test_unpacked_it_opens_from_the_disk(sites: dict[str, Site], name: str) -> None:
    site = sites[name]
    images = [image for frame in site.unpacked.seen for image in frame["images"]]
    assert images
    assert all(images)
    assert len(site.unpacked.seen) == len(site.before.seen)  # every frame is there
    inside = site.folder.as_uri() + "/"
    for frame in site.unpacked.urls:
        for element, attribute, url in frame:
            if element in ("img", "iframe", "frame", "link"):
                assert url.startswith(inside), (element, attribute, url)


def test_unpacked_style_sheets_apply(sites: dict[str, Site]) -> None:
    seen = sites["relative"].unpacked.seen[0]
    assert seen["styled"] == "rgb(1, 2, 3)"
    assert seen["background"].startswith(f'url("{sites["relative"].folder.as_uri()}/')


def test_unpacked_text_is_the_same(sites: dict[str, Site]) -> None:
    assert sites["latin"].unpacked.seen[0]["text"] == "Größe"
