"""What the checker takes for granted of browsers, asked of Chromium (checking/browsing).

- A refresh drops the fragment of the link; a script that reads `location.hash` keeps it.
- What is in a template is not fetched, but for declarative shadow roots; nor a link without `rel`, nor a font in SVG.
- An id of a shadow tree is none of the page's, and of two elements with one id the first counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler
from typing import Any

import chromium
import devtools
import pytest

from local_server import served_by

pytestmark = pytest.mark.browser

REFRESH = '<!DOCTYPE html><meta http-equiv="refresh" content="0; url=new.html">'
FILES = {
    "plain.html": REFRESH,
    "keeps.html": REFRESH + '<script>location.replace("new.html" + location.search + location.hash)</script>',
    "new.html": "<!DOCTYPE html><title>new</title><p id=x>x",
    "parts.html": """<!DOCTYPE html><style>
        @font-face { font-family: f; src: url(font.svg#name) format("svg") } b { font-family: f }
        p, div { margin: 3000px 0; scroll-margin: 0 }</style><b>b</b>
        <link rev=made href="rev.css"><link href="none.css"><img src="seen.png">
        <template><img src="template.png"></template>
        <div><template shadowrootmode=open><img src="shadow.png"><i id=inside>i</i></template></div>
        <div><template shadowrootmode=other><img src="other.png"></template></div>
        <p id=twice>first<p id=twice>second""",
}


@pytest.fixture(scope="module")
def asked() -> list[str]:
    """The paths that were asked for."""
    return []


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory, asked: list[str]) -> Iterator[devtools.Tab]:
    found = chromium.needed()
    folder = tmp_path_factory.mktemp("site")
    for name, content in FILES.items():
        (folder / name).write_text(content)

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *arguments: Any) -> None:
            asked.append(self.path)

    profile = tmp_path_factory.mktemp("profile")
    with (
        served_by(partial(Handler, directory=folder)) as port,
        devtools.browser(found, port, profile) as browser,
    ):
        yield devtools.Tab(browser)


def landed(tab: devtools.Tab, path: str) -> str:
    """Where a page sends the browser on to, from the root."""
    tab.open(chromium.url(path))
    for _ in range(200):
        (href,) = tab.evaluate("new Promise(done => setTimeout(() => done(location.href), 25))")
        if "/new.html" in href:
            break
    return str(href).removeprefix(chromium.url(""))


def test_a_refresh_drops_the_fragment_and_a_script_keeps_it(tab: devtools.Tab) -> None:
    assert landed(tab, "/plain.html#x") == "/new.html"
    assert landed(tab, "/keeps.html#x") == "/new.html#x"


def test_what_is_fetched(tab: devtools.Tab, asked: list[str]) -> None:
    asked.clear()
    tab.open(chromium.url("/parts.html"))
    tab.evaluate("document.fonts.ready.then(() => new Promise(done => setTimeout(() => done(true), 100)))")
    images = {path for path in asked if path.endswith((".png", ".css", ".svg"))}
    assert images == {"/seen.png", "/shadow.png"}


@pytest.mark.parametrize(("fragment", "scrolls"), [("inside", False), ("twice", True), ("none", False)])
def test_what_a_fragment_names(tab: devtools.Tab, fragment: str, scrolls: bool) -> None:
    tab.open(chromium.url("/new.html"))
    tab.open(chromium.url(f"/parts.html#{fragment}"))
    (told,) = tab.evaluate(
        "new Promise(done => setTimeout(() => {"
        " const first = document.getElementById('twice').getBoundingClientRect().top;"
        " done([scrollY > 0, Math.abs(first) < 5]) }, 200))"
    )
    assert told == [scrolls, scrolls]
