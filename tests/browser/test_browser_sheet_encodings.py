"""Style sheets that declare no encoding: Chromium asks for the URLs that rehref finds in an archive of them."""

from __future__ import annotations

from pathlib import Path

import chromium
import devtools
import pytest

import rehref
from crawl import redirect, response
from local_server import Quiet, served_by

CYRILLIC, JAPANESE = "windows-1251", "shift_jis"
PAGE = f"""<!doctype html><meta charset={CYRILLIC}><title>t</title>
<link rel=stylesheet href=plain.css><link rel=stylesheet href=old.css>
<link rel=stylesheet href=charset.css charset={JAPANESE}><link rel=stylesheet href=chain.css>
<p class=plain></p><p class=new></p><p class=charset></p><p class=b></p><p class=d></p>"""


def sheet(name: str, word: str, encoding: str) -> bytes:
    return f".{name} {{ background: url({word}.png?{word}&{name}) }}".encode(encoding)


FILES = {
    "": (PAGE.encode(CYRILLIC), "text/html"),
    "plain.css": (sheet("plain", "фон", CYRILLIC), "text/css"),
    "new.css": (sheet("new", "новый", CYRILLIC), "text/css"),
    "charset.css": (sheet("charset", "画像", JAPANESE), "text/css"),
    "chain.css": (b"@import 'b.css'; @import 'c.css';", "text/css"),
    "b.css": (sheet("b", "фон", CYRILLIC), "text/css"),
    "c.css": (f'@charset "{JAPANESE}"; @import "d.css";'.encode(), "text/css"),
    "d.css": (sheet("d", "画像", JAPANESE), "text/css"),
}


class _Site(Quiet):
    def do_GET(self) -> None:
        name = self.path.removeprefix("/").partition("?")[0]
        data, media_type = FILES.get(name, (b"", ""))
        self.send_response(302 if name == "old.css" else 200 if media_type else 404)
        if name == "old.css":
            self.send_header("Location", "new.css")
        self.send_header("Content-Type", media_type or "text/plain")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.mark.browser
def test_sheets_have_the_encoding_that_chromium_gives_them(tmp_path: Path) -> None:
    with served_by(_Site) as port, devtools.browser(chromium.needed(), port, tmp_path / "profile") as browser:
        tab = devtools.Tab(browser)
        tab.failures(chromium.url("/"))
        theirs = {url for url in tab.requested() if ".png" in url}
    site = chromium.url("/")
    records = [response(site + name, *what, number=number) for number, (name, what) in enumerate(FILES.items())]
    archive = b"".join([*records, redirect(f"{site}old.css", "new.css")])
    ours = {link.target for link in rehref.links(archive, profile="whatwg") if ".png" in link.reference}
    assert len(theirs) == 5
    assert ours == theirs
