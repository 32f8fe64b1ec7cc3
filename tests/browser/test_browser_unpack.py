"""Pages of unpacked web archives show in Chromium, without a network, what they showed when they were crawled.

- A made crawl has what makes it hard: charsets in HTTP heads only, a relative base, policies and integrity, redirected
  and revisited images, frames on other hosts, names that files cannot have.
- Of the crawl and of the archives of the suites, every file that a page asks for is there.
- With `--no-network`, scripts do not lead to the web by themselves, and readers still do.
"""

from __future__ import annotations

import base64
import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import devtools
import pytest
from click.testing import CliRunner

from crawl import crawl, pages, png, redirect, response, revisit
from rehref.cli.program import program

pytestmark = pytest.mark.browser

CSS = "@import url('more?x=1'); #styled { background: url(\"/img/back ground.png\") }"
MORE = b"#styled { color: rgb(1, 2, 3); content: '\xe4' }"
SCRIPT = "document.title = 'ran';"


def integrity(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


HOME = f"""<!DOCTYPE html><base href="deep/er/" target=_self><title>Größe</title>
<meta http-equiv="Content-Security-Policy" content="default-src https://cdn.example 'unsafe-inline'">
<link rel=stylesheet crossorigin integrity="{integrity(CSS)}" href="https://cdn.example/style.php">
<script src="https://cdn.example/s" integrity="{integrity(SCRIPT)}" crossorigin=anonymous defer></script>
<p id=styled>styled</p><p id=text>Größe</p>
<img src="dot.png"><img src="../moved.png"><img src="/img/CON.png" srcset="/img/con.png 2x"><img src="/i?a=1&amp;b=2">
<img src="/img/%E4%BD%A0.png"><img src="//cdn.example/again.png" crossorigin><img src="/{"long" * 200}.png">
<iframe src="//frames.example/"></iframe><a href="../../other">other</a>
"""
FRAME = b"<p id=text>Gr\xf6\xdfe</p><img src=/dot.png><iframe src=inner.xhtml></iframe>"
INNER = """<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title>
<link rel="stylesheet" href="//cdn.example/more.css"/></head>
<body><p id="text">Größe</p><p id="styled">s</p><img src="/dot.png" alt=""/></body></html>"""
ID = "<urn:uuid:00000000-0000-0000-0000-000000000063>"


def made() -> bytes:
    site = "http://site.example/"
    images = ["deep/er/dot.png", "moved/to.png", "img/CON.png", "img/con.png", "i?a=1&b=2", "img/%E4%BD%A0.png"]
    images += ["img/back%20ground.png", f"{'long' * 200}.png"]
    return crawl(
        [
            response(site, HOME.encode("latin-1"), "text/html; charset=iso-8859-1"),
            *(response(site + image, png(), "image/png") for image in images),
            redirect(f"{site}deep/moved.png", "/moved/to.png"),
            response(f"{site}other", "<meta charset=utf-8><p id=text>Größe</p><img src=deep/er/dot.png>"),
            response("https://cdn.example/style.php", CSS, "text/css"),
            response("https://cdn.example/more?x=1", MORE, "text/css; charset=latin1"),
            response("https://cdn.example/img/back%20ground.png", png(), "image/png"),
            response("https://cdn.example/s", SCRIPT, "application/javascript"),
            response("https://cdn.example/more.css", "#styled { color: rgb(1, 2, 3) }", "text/css"),
            response("http://frames.example/", FRAME, "text/html; charset=windows-1252"),
            response("http://frames.example/inner.xhtml", INNER.encode("utf-8"), "application/xhtml+xml"),
            response("http://frames.example/dot.png", png(), "image/png", number=99),
            revisit("http://cdn.example/again.png", WARC_Refers_To=ID),
        ]
    )


SEEN = """
(() => ({
  url: location.href,
  images: Array.from(document.images, (image) => [image.currentSrc, image.complete && image.naturalWidth > 0]),
  styled: document.getElementById("styled") && getComputedStyle(document.getElementById("styled")).color,
  background: document.getElementById("styled") &&
    getComputedStyle(document.getElementById("styled")).backgroundImage,
  text: document.getElementById("text") && document.getElementById("text").textContent,
  title: document.title,
  asked: Array.from(document.querySelectorAll("img, script, iframe, frame, link[rel~=stylesheet], a, area"),
    (element) => element.src || element.href).filter((url) => url),
}))()
"""


def unpacked(archive: Path, folder: Path, *options: str) -> Path:
    result = CliRunner().invoke(program, ["rewrite", "-q", "--unpack", str(folder), *options, str(archive)])
    assert isinstance(result.exception, SystemExit | None), result.output
    return folder


def seen(tab: devtools.Tab, file: Path) -> list[Any]:
    """What each frame of a page shows."""
    tab.open(file.as_uri())
    return tab.evaluate(SEEN)


def missing(frames: list[Any]) -> list[str]:
    """The files that pages ask for and that are not there."""
    urls = [url for frame in frames for url in frame["asked"] if url.startswith("file:")]
    return [url for url in urls if not Path(unquote(urlsplit(url).path)).is_file()]


@pytest.fixture(scope="module", params=[(), ("--all-captures",)], ids=["last", "all"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The made crawl, unpacked; the folder of its hosts."""
    folder = tmp_path_factory.mktemp("crawl")
    (folder / "crawl.warc.gz").write_bytes(made())
    out = unpacked(folder / "crawl.warc.gz", folder / "out", *request.param)
    return out / "20240506070809" if request.param else out


def test_pages_show_images_styles_and_frames(tab: devtools.Tab, folder: Path) -> None:
    frames = seen(tab, folder / "site.example/index.html")
    home = frames[0]
    assert [loaded for _, loaded in home["images"]] == [True] * 7
    assert home["styled"] == "rgb(1, 2, 3)"
    assert home["background"].startswith('url("file:')
    assert home["text"] == "Größe"
    assert home["title"] == "ran"
    assert len(frames) == 3
    for frame in frames:
        assert frame["url"].startswith(folder.as_uri()), frame["url"]
        assert frame["text"] == "Größe"
        assert frame["images"]
        assert all(loaded for _, loaded in frame["images"])
    assert frames[2]["styled"] == "rgb(1, 2, 3)"
    assert missing(frames) == []


def test_pages_lead_to_pages(tab: devtools.Tab, folder: Path) -> None:
    home = seen(tab, folder / "site.example/index.html")[0]
    (link,) = [url for url in home["asked"] if "other" in url]
    assert link == (folder / "site.example/other.html").as_uri()
    other = seen(tab, folder / "site.example/other.html")[0]
    assert (other["text"], [loaded for _, loaded in other["images"]]) == ("Größe", [True])


def test_the_index_leads_to_all_files(tab: devtools.Tab, folder: Path) -> None:
    index = next(path for path in (folder / "index.html", folder.parent / "index.html") if path.is_file())
    frames = seen(tab, index)
    assert missing(frames) == []
    reached = {unquote(urlsplit(url).path) for url in frames[0]["asked"]}
    others = (index, index.with_name("_captures.jsonl"))
    assert reached == {str(path) for path in index.parent.rglob("*") if path.is_file() and path not in others}
    assert "Größe" in tab.evaluate("document.body.innerText")[0]


def test_the_archives_of_the_suites_open(tab: devtools.Tab, suites: Path, tmp_path: Path) -> None:
    opened = 0
    for archive in sorted((suites / "warc").glob("*.*arc*")):
        out = unpacked(archive, tmp_path / archive.name)
        for page in sorted(out.rglob("*.html")):
            frames = seen(tab, page)
            assert missing(frames) == [], page
            opened += 1
    assert opened > 10


INHERITS = (
    """<link rel=stylesheet href=s.css><script src=s.js></script><style>@import "t.css"</style><p id=styled>é</p>"""
)


@pytest.mark.parametrize("charset", ["windows-1252", "shift_jis"])
def test_style_sheets_and_scripts_have_the_encoding_of_the_page(
    tab: devtools.Tab, tmp_path: Path, charset: str
) -> None:
    letter = {"windows-1252": "é", "shift_jis": "表"}[charset]
    made = {
        "http://site.example/": (INHERITS.replace("é", letter).encode(charset), f"text/html; charset={charset}"),
        "http://site.example/s.css": (f"#styled::after {{ content: '{letter}' }}".encode(charset), "text/css"),
        "http://site.example/t.css": (f"#styled::before {{ content: '{letter}' }}".encode(charset), "text/css"),
        "http://site.example/s.js": (f"document.title = '{letter}'".encode(charset), "text/javascript"),
    }
    (tmp_path / "crawl.warc.gz").write_bytes(pages(made))
    tab.open((unpacked(tmp_path / "crawl.warc.gz", tmp_path / "out") / "site.example/index.html").as_uri())
    of = "getComputedStyle(document.getElementById('styled'), '::{}').content"
    assert tab.evaluate("document.title") == [letter]
    assert tab.evaluate("document.getElementById('styled').textContent") == [letter]
    assert [tab.evaluate(of.format(each)) for each in ("before", "after")] == [[f'"{letter}"']] * 2


GOES = """<html xmlns="http://www.w3.org/1999/xhtml"><head></head><body>
<a id="link" href="https://web.example/a">a</a> <form id="form" action="https://web.example/f"></form>
<script>{}</script></body></html>"""


@pytest.mark.parametrize("media_type", ["text/html", "application/xhtml+xml"])
@pytest.mark.parametrize(
    "script", ["location.replace('https://web.example/')", "document.forms[0].submit()", "document.links[0].click()"]
)
def test_scripts_do_not_go_to_the_web(tab: devtools.Tab, tmp_path: Path, script: str, media_type: str) -> None:
    page = GOES.format(f"setTimeout(() => {script})")
    (tmp_path / "crawl.warc.gz").write_bytes(pages({"http://site.example/": (page, media_type)}))
    out = unpacked(tmp_path / "crawl.warc.gz", tmp_path / "out", "--no-network")
    (file,) = (out / "site.example").iterdir()
    tab.failures(file.as_uri())
    assert tab.requested() == [file.as_uri()]
    assert tab.run("document.scripts.length") == 1
    with suppress(AssertionError):  # the page is gone
        tab.run("document.getElementById('link').click()")  # as a reader does: it counts as a gesture
    tab.evaluate("new Promise(done => setTimeout(() => done(true), 200))")
    assert tab.requested()[1:2] == ["https://web.example/a"]


@pytest.mark.parametrize(
    "before", ["", "<!DOCTYPE html>", "<base href=/d/>", "<script type=module src=/m.js></script>"]
)
def test_nothing_comes_about_that_the_end_of_a_page_cuts_off(tab: devtools.Tab, tmp_path: Path, before: str) -> None:
    cut_off = "<img src=https://web.example/cut-off onerror=\"document.title = 'run' "
    made = {
        "http://site.example/": (before + cut_off, "text/html"),
        "http://site.example/m.js": ("1", "text/javascript"),
    }
    (tmp_path / "crawl.warc.gz").write_bytes(pages(made))
    for number, options in enumerate(([], ["--no-network"])):
        out = unpacked(tmp_path / "crawl.warc.gz", tmp_path / str(number), *options)
        file = out / "site.example/index.html"
        assert file.read_text(encoding="utf-8").endswith(cut_off)
        tab.failures(file.as_uri())
        assert [uri for uri in tab.requested() if uri.startswith("http")] == []
        assert tab.run("document.images.length") == 0
