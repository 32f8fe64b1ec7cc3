"""What browsers refuse to load from a disk is shown by offline copies in Chromium, without a network.

- One page has all of it: SVG by fragment in elements, attributes and style sheets, masks, a track, modules.
- Without inlining Chromium refuses these files; that is why they are inlined.
- With `--no-network` nothing is asked for but files.
- All of this is so for an unpacked archive, and for the copy of a mirrored folder.
"""

from __future__ import annotations

import base64
from pathlib import Path

import devtools
import pytest
from click.testing import CliRunner

from crawl import pages, png
from rehref.cli.program import program

pytestmark = pytest.mark.browser

SITE = "https://site.example/"
SPRITE = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><style>.a{fill:#080}</style>
<defs><path id="p" class="a" d="M0 0h10v10H0z"/></defs>
<symbol id="i" viewBox="0 0 10 10"><use xlink:href="#p"/></symbol>
<symbol id="h" viewBox="0 0 10 10"><path fill="url(#g)" d="M0 0h10v10H0z"/></symbol>
<linearGradient id="g"><stop stop-color="#00f"/></linearGradient>
<clipPath id="c"><rect width="5" height="20"/></clipPath><filter id="f"><feFlood flood-color="#0ff"/></filter>
<mask id="m"><rect width="5" height="20" fill="white"/></mask></svg>"""
MASK = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="10" height="20"/></svg>'
STYLE = """.b { width: 20px; height: 20px; background: #f00 } .mask { mask-image: url(mask.svg) }
.png { -webkit-mask-image: url('/red.png') }
.clip { clip-path: url(/sprite.svg#c) } .paint { fill: url("sprite.svg#g") }
:root { --icon: url(mask.svg) } .custom { mask: var(--icon) no-repeat } .shape { shape-outside: url(red.png) }"""
PAGE = """<!DOCTYPE html><html lang=en><head><meta charset=utf-8><title>t</title><link rel=stylesheet href=/style.css>
<link rel=preconnect href=https://web.example/><script>
for (const type of ["error", "unhandledrejection"]) addEventListener(type, event => document.title += " " + type);
</script><script type=importmap>{"imports": {"named": "/app/named.js"}}</script>
<script type=module src=/app/main.js></script>
<script type=module>import {value} from "/app/a.js"; import("./app/b.js").then(b => document.title += " inline" + value)
</script></head><body>
<svg width=20 height=20><use href="/sprite.svg#i"></use></svg>
<svg width=20 height=20><use xlink:href="/sprite.svg#h" /></svg>
<svg width=20 height=20><rect width=20 height=20 fill="url(sprite.svg#g)" /></svg>
<svg width=20 height=20><rect width=20 height=20 class=paint /></svg>
<svg width=20 height=20><rect width=20 height=20 fill=red filter="url('/sprite.svg#f')" /></svg>
<svg width=20 height=20><rect width=20 height=20 fill=red clip-path="url(/sprite.svg#c)" /></svg>
<svg width=20 height=20><rect width=20 height=20 fill=red style="mask:url(&quot;/sprite.svg#m&quot;)" /></svg><br>
<p class="b mask"></p><p class="b png"></p><p class="b clip"></p><p class="b custom"></p><p class="shape">x</p>
<video controls>
<track default src=/t.vtt onload="document.title += ' track'" onerror="document.title += ' none'"></video>
<script>document.querySelector("track").track.mode = "showing"</script><img src=https://web.example/x.png></body></html>"""
MODULES = {
    "main.js": 'import { value } from "./a.js"; import n from "named"; document.title += " main" + value + n;',
    "a.js": 'import{b}from"./b.js";export const value=b();export function a(){return 1}',
    "b.js": 'import {a} from "https://site.example/app/a.js"; export function b() { return a() + 1 }',
    "named.js": "export default 'N'",
}


def source(folder: Path, kind: str) -> Path:
    """The site as an archive, or as a folder that a tool for mirrors has saved."""
    made: dict[str, tuple[bytes | str, str]] = {
        SITE: (PAGE, "text/html"),
        f"{SITE}sprite.svg": (SPRITE, "image/svg+xml"),
        f"{SITE}mask.svg": (MASK, "image/svg+xml"),
        f"{SITE}style.css": (STYLE, "text/css"),
        f"{SITE}red.png": (png(), "image/png"),
        f"{SITE}t.vtt": ("WEBVTT\n\n00:00.000 --> 00:05.000\nhello\n", "text/vtt"),
        **{f"{SITE}app/{name}": (text, "text/javascript") for name, text in MODULES.items()},
    }
    if kind == "archive":
        (folder / "crawl.warc.gz").write_bytes(pages(made))
        return folder / "crawl.warc.gz"
    for uri, (content, _) in made.items():
        file = folder / "mirror/site.example" / (uri.removeprefix(SITE) or "index.html")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / "mirror"


def opened(tab: devtools.Tab, tmp_path: Path, kind: str, *options: str) -> tuple[str, str, list[str], list[str]]:
    """What rehref says, the title, what failed, and what was requested."""
    out = tmp_path / "-".join(("out", *options))
    way = ["--unpack", str(out)] if kind == "archive" else ["--to", "offline", "--copy-others", "-o", str(out)]
    result = CliRunner().invoke(program, ["rewrite", *way, *options, str(source(tmp_path, kind))])
    failed = tab.failures((out / "site.example/index.html").as_uri())
    tab.evaluate("new Promise(done => setTimeout(() => done(true), 500))")
    return result.stderr, tab.evaluate("document.title")[0], failed, tab.requested()


@pytest.mark.parametrize("kind", ["archive", "folder"])
def test_what_browsers_refuse_is_in_the_page(tab: devtools.Tab, tmp_path: Path, kind: str) -> None:
    said, title, failed, requested = opened(tab, tmp_path, kind, "--no-network")
    assert "will not work" not in said
    assert sorted(title.split()) == ["inline2", "main2N", "t", "track"]
    assert [url for url in failed if url.startswith(("file:", "data:"))] == []
    assert [url for url in requested if not url.startswith(("file:", "data:"))] == ["https://web.example/x.png"]
    # the page looks as if all were loaded: the colours in the middle of the left and the right half of each
    boxes = tab.evaluate(
        "Array.from(document.querySelectorAll('body > svg:not([aria-hidden]), .b'), e => "
        "(({x, y}) => [x, y])(e.getBoundingClientRect()))"
    )[0]
    image = base64.b64encode(tab.picture()).decode()
    colors = tab.evaluate(f"""(async () => {{
        const image = await createImageBitmap(await (await fetch("data:image/png;base64,{image}")).blob());
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        return {boxes}.map(([x, y]) => [2, 17].map(
            d => canvas.getImageData(x + d, y + 5, 1, 1).data.slice(0, 3).join()));
    }})()""")[0]
    green, blue, red, white = "0,136,0", "0,0,255", "255,0,0", "255,255,255"
    assert [(left, right) for left, right in colors] == [
        *((green, green), (blue, blue), (blue, blue), (blue, blue), ("0,255,255", "0,255,255")),
        *((red, white), (red, white), (red, white), (red, red), (red, white), (red, white)),
    ]


@pytest.mark.parametrize("kind", ["archive", "folder"])
def test_without_inlining_it_is_refused(tab: devtools.Tab, tmp_path: Path, kind: str) -> None:
    said, title, failed, _ = opened(tab, tmp_path, kind, "--no-inline")
    assert "2 modules and 13 SVG or track references will not work from a disk: rehref serve" in said
    assert sorted(title.split()) == ["none", "t"]
    names = {url.rpartition("/")[2].partition("#")[0] for url in failed}
    assert names >= {"sprite.svg", "mask.svg", "red.png", "t.vtt", "main.js", "a.js"}
