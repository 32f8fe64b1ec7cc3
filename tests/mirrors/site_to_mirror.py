"""A site to mirror, served from this machine: pages with queries, bases, frames, lists, style sheets, odd names.

It is `http://127.0.0.1:PORT/`; what is on its second host is at `http://localhost:PORT/`, the same server.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from urllib.parse import quote

from crawl import png
from local_server import Quiet, served_by

HOST = "127.0.0.1"
SECOND = "localhost"


DOT = png()
_HEAD = "<!DOCTYPE html><meta charset=utf-8><title>t</title>"

PAGES = {
    "/": f"""{_HEAD}<link rel=stylesheet href="/style.css?v=1"><link rel=canonical href="http://HOST:PORT/">
<link rel="alternate" type="application/rss+xml" href="/feed?kind=rss"><link rel=next href="about">
<meta property="og:image" content="/img/dot.png">
<style>#styled {{ background: url("img/dot.png?in=style") }} @import "css/none.css";</style>
<p id=styled style="border-image: url(img/dot.png?in=attribute)">
<a href="page.php?id=1">1</a> <a href="/page.php?id=2#s">2</a> <a href="./page.php?q=a%26b&amp;r=/x">3</a>
<a href="//HOST:PORT/d/">d</a> <a href="d/index.html#i">di</a> <a href="d/?page=2">d2</a> <a href="d">no slash</a>
<a href="d/deep/x.html">x</a> <a href="./d/../d/deep/./x.html">x again</a> <a href="about">about</a>
<a href="/based.html">based</a> <a href="frames.html">frames</a> <a href="latin.html">latin</a>
<a href="/old">old</a> <a href="/missing.html">missing</a> <a href="https://other.example/x?y#z">other</a>
<a href="mailto:a@b.example">mail</a> <a href="javascript:void(0)">script</a> <a href="#top">top</a> <a href="">self</a>
<a href="http://HOST:PORT/about#there">about</a> <a href="HTTP://HOST:PORT/%61bout">about again</a>
<a href="grü.html">g</a> <a href="/gr%C3%BC.html">g again</a> <a href="%C3%89.html">e</a>
<a href="50%25.html">50</a> <a href="n%231.html">n</a> <a href="a%20b.html">ab</a> <a href="./a:b.html">colon</a>
<a href="x%3Fy.html">x?y</a> <a href="list">list</a> <a href="a%2Fb/c:d">escaped</a> <a href="semi;colon.html">semi</a>
<img src="img/dot.png" srcset="img/dot.png?2x 2x, /img/dot.png?3x 3x" alt>
<img src="img/a b.png"> <img src=img/none.png>
<picture><source srcset="img/dot.png?s=1, img/dot.png?s=2 2x"><img src=img/dot.png></picture>
<form action="/search"><input type=image src="img/dot.png?input"><button formaction="page.php?id=1">b</button></form>
<map name=m><area href="d/deep/x.html#area"></map><q cite=about>q</q> <object data="img/drawing.svg"></object>
<video poster="img/dot.png?poster"></video> <script src="script.js?v=2"></script> <img data-src="img/lazy.png">
""",
    "/page.php?id=1": f"""{_HEAD}<a href="?id=2">2</a> <a href="page.php?id=3">3</a> <a href="/">top</a>
<a href="page.php?id=1">self</a> <a href="#here">here</a> <img src="img/dot.png">""",
    "/page.php?id=2": f"""{_HEAD}<a href="?id=1#x">1</a> <a href=".">top</a> <a href="?">nothing</a>""",
    "/page.php?q=a%26b&r=/x": f"{_HEAD}<a href=page.php?id=1>1</a>",
    "/d/": f"""{_HEAD}<a href="../">up</a> <a href="deep/x.html">x</a> <a href="?page=2">2</a> <a href=".">here</a>
<a href="../page.php?id=1">1</a> <img src="../img/dot.png">""",
    "/d/?page=2": f"""{_HEAD}<a href="?page=1">1</a> <a href="./">first</a> <a href="index.html">i</a>""",
    "/d/deep/x.html": f"""{_HEAD}<link rel=stylesheet href="../../css/more.css" integrity="DIGEST" crossorigin>
<p id=styled><a href="../..">top</a>
<a href="../../../../about">about</a> <a href="x.html#self">self</a> <img src="/img/dot.png">""",
    "/about": f"{_HEAD}<a href='/'>top</a><a href='d/'>d</a>",
    "/list": f"{_HEAD}<a href='?p=2'>2</a><a href='?p=3'>none</a><a href='#here'>here</a>",
    "/list?p=2": f"{_HEAD}<a href='?p=3'>none</a><a href=list>1</a>",
    "/a%2Fb/c:d": f"{_HEAD}<a href=e>e</a><a href='?p=2'>2</a><a href=none>none</a><a href='./c:d?p=3'>none</a>",
    "/a%2Fb/c:d?p=2": f"{_HEAD}<a href='./c:d'>1</a><a href='?p=3'>none</a><a href=../list>list</a>",
    "/a%2Fb/e": f"{_HEAD}<a href='?p=3'>none</a><a href='./c:d?p=2'>2</a>",
    "/based.html": """<!DOCTYPE html><html><head><meta charset=utf-8><base href="/d/" target=_top>
<title>based</title></head><body><a href="deep/x.html">x</a> <a href="../page.php?id=1">1</a> <a href="#top">leaves</a>
<a href="?page=2">2</a>
<img src="../img/dot.png"> <a href="none.html">none</a> <a href="/based.html#s">self</a></body></html>""",
    "/frames.html": f"""{_HEAD}<iframe src="frame.html?f=1"></iframe>
<meta http-equiv=refresh content="3600; url=about">""",
    "/frame.html?f=1": f"""{_HEAD}<img src="img/dot.png?framed"><a href=about target=_parent>about</a>""",
    "/new.html": f"{_HEAD}<a href=about>about</a>",
    "/feed?kind=rss": f"{_HEAD}<a href=about>about</a>",
    **{
        f"/{quote(name)}": f"{_HEAD}<a href='/about'>about</a>"
        for name in ("grü.html", "É.html", "50%.html", "n#1.html", "a b.html", "x?y.html")
    },
    "/a:b.html": f"{_HEAD}<a href='a:b.html'>b</a><a href='./a:b.html'>self</a>",
    "/semi;colon.html": f"{_HEAD}<a href='about'>about</a>",
    "/assets.html": f"""{_HEAD}<link rel=stylesheet href="//SECOND:PORT/cdn/sheet.css?v=3">
<img src="http://SECOND:PORT/cdn/dot.png?a=1"><img src="img/dot.png"><script src="//SECOND:PORT/cdn/lib.js"></script>
<a href="/about">about</a>""",
}
SHEETS = {
    "/style.css?v=1": "@import 'css/more.css'; #styled { color: rgb(1, 2, 3); background: url( img/dot.png?x=1 ) }"
    " .n { background: url(img/missing.png) }",
    "/css/more.css": "@font-face { font-family: f; src: url('../img/font.woff') }"
    " p { background: url(../img/dot.png) } #styled { color: rgb(7, 8, 9) }",
    "/cdn/sheet.css?v=3": "#styled { color: rgb(4, 5, 6) } p { background: url(dot.png?b=2) }",
}
SCRIPTS = {"/script.js?v=2": "void 0;", "/cdn/lib.js": "void 0;"}
DRAWINGS = {
    "/img/drawing.svg": '<svg xmlns="http://www.w3.org/2000/svg"><image href="dot.png" width="1" height="1"/></svg>'
}
DIGEST = "sha256-" + b64encode(sha256(SHEETS["/css/more.css"].encode()).digest()).decode()
LATIN = "/latin.html"


def _answer(path: str, port: int) -> tuple[int, str, bytes]:
    """The status, the media type or the location, and the body."""
    if path in ("/old", "/d"):
        return 301, {"/old": "/new.html", "/d": "/d/"}[path], b""
    for texts, media_type in (
        (PAGES, "text/html; charset=utf-8"),
        (SHEETS, "text/css"),
        (SCRIPTS, "text/javascript"),
        (DRAWINGS, "image/svg+xml"),
    ):
        # what follows the RFC need not escape what is sent
        for asked in (path, path.replace("%26", "&"), path.replace("%3B", ";").replace("%3A", ":")):
            if asked in texts:
                text = texts[asked].replace("HOST", HOST).replace("SECOND", SECOND).replace("DIGEST", DIGEST)
                return 200, media_type, text.replace("PORT", str(port)).encode()
    if path == LATIN:
        return (
            200,
            "text/html",
            '<meta charset=latin1><a href="gr\xfc.html">g</a><img src=img/dot.png>'.encode("latin-1"),
        )
    if path == "/d/index.html":
        return _answer("/d/", port)
    name = path.partition("?")[0]
    if name in ("/img/dot.png", "/cdn/dot.png", "/img/a%20b.png", "/img/font.woff"):
        return 200, "font/woff" if name.endswith("woff") else "image/png", DOT
    return 404, "text/plain", b"none"


@contextmanager
def serve() -> Iterator[int]:
    """Serve the site: its port."""

    class Handler(Quiet):
        def do_GET(self) -> None:
            status, told, body = _answer(self.path, self.server.server_port)  # type: ignore[attr-defined]
            self.send_response(status)
            self.send_header("Location" if status == 301 else "Content-Type", told)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)

        do_HEAD = do_GET  # noqa: N815

    with served_by(Handler) as port:
        yield port
