"""A browser finds the same URLs before and after rewriting in pages whose charset is late, missing, wrong or old.

- Every page has references in its own script, and is made absolute in the profile `whatwg`. What Chromium finds in it
  before and after is the same, and what rehref reads in it.
- Pages that were sent are loaded over HTTP, in a frame (`chromium.py`); for rehref they are HTTP responses. Files are
  opened from the disk, where Chromium looks at the bytes of those that say nothing.
- Left out is what browsers do otherwise than the Standard: a `meta` behind the first 1024 bytes and behind a tag that
  cannot stand in a head.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

import chromium
import devtools
import pytest

import rehref
from rehref.documents.reading import encoding_of
from rehref.text.encoders import encode

pytestmark = pytest.mark.browser

FAR = "<!--" + "x" * 1100 + "-->"

# an encoding, and a word that it has
WORDS: Mapping[str, str] = {
    "utf-8": "grün-日本-дом",
    "windows-1252": "grün",
    "iso-8859-2": "łąka",
    "iso-8859-5": "дом",
    "iso-8859-7": "σπίτι",
    "iso-8859-8-i": "שלום",
    "iso-8859-15": "cœur",
    "windows-1250": "dům",
    "windows-1251": "дом",
    "windows-1253": "σπίτι",
    "windows-1254": "ığdır",
    "windows-1255": "שלום",
    "windows-1256": "سلام",
    "windows-1257": "ąžuol",
    "windows-1258": "đươ",
    "windows-874": "บ้าน",
    "koi8-r": "дом",
    "koi8-u": "їжак",
    "macintosh": "grün",
    "x-mac-cyrillic": "дом",
    "shift_jis": "日本",
    "euc-jp": "日本",
    "iso-2022-jp": "日本",
    "euc-kr": "한국",
    "gbk": "中国",
    "gb18030": "中国",
    "big5": "中國",
}


class Page(NamedTuple):
    """A page: what it holds, and the charset of its HTTP header, if it has one."""

    data: bytes
    charset: str = ""

    @property
    def content_type(self) -> str:
        """Its media type."""
        return "text/html" + (f"; charset={self.charset}" if self.charset else "")


def written(text: str, name: str) -> bytes:
    data = encode(text, name)
    assert data is not None, (name, text)
    return data


def body(word: str) -> str:
    """References with a word in every part of them, and in several micro-syntaxes."""
    return (
        f'<a href="{word}.html">{word}</a><a href="../{word}/?q={word}#{word}">x</a>'
        f'<a href="?q={word}&amp;r=&eacute;">x</a><a href="http://other.example/{word}?q={word}">x</a>'
        f'<img src="{word}.png" srcset="{word}.png 1x, a.png?{word} 2x"><form action="/{word}?{word}"></form>'
        f"<a href=%C3%A9/{word}>x</a><a href='#{word}'>x</a><a href='a&#228;'>x</a>"
    )


def page(name: str, before: str = "", meta: str = "<meta charset={}>", told: str = "", charset: str = "") -> Page:
    """A page in an encoding: what stands before the `meta`, that, and the encoding that it tells, if it lies."""
    text = f"<!DOCTYPE html><html><head>{before}{meta.format(told or name)}<title>x</title></head><body>"
    return Page(written(text + body(WORDS[name]), name), charset)


PRAGMA = '<meta http-equiv="Content-Type" content="text/html; charset={}">'
LINKS = "".join(f'<link rel=next href="p{number}.html">' for number in range(27))
BEFORE = {
    "comment": FAR,
    "script": f"<script>/*{FAR}<meta charset=big5>*/</script>",
    "style": f"<style>/*{FAR}*/</style>",
    "title": f"<title>{'x' * 1100}<meta charset=big5></title>",
    "metas": '<meta name=description content="It\'s &amp; > 3">' * 40,
    "links": LINKS,  # behind byte 1024 only once they are absolute
    "noscript": f"<noscript>{FAR}</noscript>",
    "unknown": FAR + "<meta charset=nonsense>",
}


def _sent() -> Iterator[tuple[str, Page]]:
    """The pages that are loaded over HTTP."""
    for name in WORDS:
        yield f"old-{name}", page(name)
        yield f"late-{name}", page(name, FAR)
    for where, before in BEFORE.items():
        for name in ("utf-8", "koi8-r", "shift_jis"):
            yield f"late-{where}-{name}", page(name, before, PRAGMA)
    yield "late-twice", page("koi8-r", FAR, "<meta charset=koi8-r><meta charset=utf-8>")
    yield "late-reference", page("utf-8", FAR, "<meta charset='&#117;tf-8'>")
    yield "wrong-utf-8-as-windows-1252", page("utf-8", told="iso-8859-1")
    yield "wrong-windows-1252-as-utf-8", page("windows-1252", told="utf-8")
    yield "wrong-koi8-r-as-windows-1251", page("koi8-r", FAR, told="windows-1251")
    yield "wrong-big5-as-gbk", page("big5", FAR, told="gbk")
    yield "wrong-utf-16", page("utf-8", told="utf-16")
    yield "wrong-utf-16-late", page("utf-8", FAR, told="utf-16be")
    yield "wrong-x-user-defined", page("windows-1252", FAR, told="x-user-defined")
    yield "wrong-nonsense", page("windows-1252", told="nonsense")
    yield "wrong-by-header", page("utf-8", told="koi8-r", charset="utf-8")
    yield "late-wrong-by-header", page("utf-8", FAR, told="koi8-r", charset="utf-8")
    yield "wrong-header", page("utf-8", FAR, charset="nonsense")
    yield "wrong-by-mark", Page(b"\xef\xbb\xbf" + page("utf-8", FAR, told="koi8-r").data, "koi8-r")
    yield "utf-16-mark", Page(("\ufeff" + page("utf-8", told="koi8-r").data.decode()).encode("utf-16-le"))
    yield "xml-declaration", Page(b'<?xml version="1.0" encoding="koi8-r"?>' + page("koi8-r", FAR, "").data)
    yield "late-xml-declaration", Page(b'<?xml version="1.0" encoding="koi8-r"?>' + page("utf-8", FAR).data)
    yield "missing-utf-8", page("utf-8", meta="")
    yield "missing-windows-1252", page("windows-1252", meta="")
    yield "missing-ascii", Page(b"<title>x</title>" + body("grun").encode())


def files() -> Iterator[tuple[str, Page]]:
    """The pages that are opened from the disk."""
    german = "<p>" + "Schöne Grüße aus Österreich, wo die Bäume größer werden und süße Äpfel blühen. " * 8
    for name, text in (("utf-8", body("grün")), ("windows-1252", body("grün"))):
        yield f"file-missing-{name}", Page(written(german + text, name))
    yield "file-missing-japanese", Page(("<p>日本語の文章です。" * 20 + body("日本")).encode())
    yield "file-missing-russian", Page(("<p>Это русский текст. " * 20 + body("дом")).encode())
    yield "file-missing-ascii", Page(b"<title>x</title>" + body("grun").encode())
    yield "file-late", page("koi8-r", FAR)
    yield "file-late-utf-8", page("utf-8", BEFORE["script"], PRAGMA)
    yield "file-wrong", page("utf-8", told="windows-1251")


@cache
def sent() -> dict[str, Page]:
    return dict(_sent())


FILES = dict(files())
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %b\r\n\r\n"
_COLLECT = Path(__file__).with_name("collect.js").read_text(encoding="utf-8")
ASKED = f"(() => {{ {_COLLECT}; return [document.characterSet, Array.from(urlsOf(document))]; }})()"


def path_of(name: str) -> str:
    return f"/encodings/{name}/page.html"


def response(one: Page) -> bytes:
    return HEAD % one.content_type.encode() + one.data


@pytest.fixture(scope="module")
def program() -> str:
    return chromium.needed()


def test_there_are_enough_pages() -> None:
    assert len(sent()) + len(FILES) >= 60
    assert all(len(sent()[f"late-{name}"].data.partition(b"<meta")[0]) > 1024 for name in WORDS)


def test_pages_that_were_sent(program: str, tmp_path: Path) -> None:
    documents = []
    for name, one in sent().items():
        new = rehref.rewrite(response(one), url=chromium.url(path_of(name)), profile="whatwg")
        after = new.partition(b"\r\n\r\n")[2]
        assert after != one.data
        documents += [
            chromium.Document(path_of(name), version, data, one.content_type)
            for version, data in (("before", one.data), ("after", after))
        ]
    answers = chromium.ask(program, documents, tmp_path)
    wrong = []
    for name, one in sent().items():
        before, after_ = (answers[path_of(name), version] for version in ("before", "after"))
        links = rehref.links(response(one), url=chromium.url(path_of(name)), profile="whatwg")
        read = [link.target for link in links if link.element in ("a", "form")]
        asked = [found.url for found in before.found if found.element in ("a", "form")]
        if asked != read:
            wrong.append(f"{name} ({before.encoding}): {asked} is read as {read}")
        if [found._replace(value="") for found in before.found] != [found._replace(value="") for found in after_.found]:
            wrong.append(f"{name}: {before} became {after_}")
        assert len(asked) >= 8
    assert not wrong, "\n".join(wrong)


def test_files(program: str, tmp_path: Path) -> None:
    wrong = []
    with devtools.browser(program, 9, tmp_path / "profile") as browser:
        tab = devtools.Tab(browser)
        for name, one in FILES.items():
            path = tmp_path / f"{name}.html"
            path.write_bytes(one.data)
            links = [link for link in rehref.links(path, profile="whatwg") if link.element in ("a", "form")]
            [before] = asked(tab, path)
            path.write_bytes(rehref.rewrite(one.data, url=path.as_uri(), profile="whatwg"))
            [after] = asked(tab, path)
            urls = [[(element, attribute, url) for element, attribute, _, url in found] for _, found in (before, after)]
            if urls[0] != urls[1]:
                wrong.append(f"{name}: {before} became {after}")
            if [url for element, _, url in urls[0] if element in ("a", "form")] != [link.target for link in links]:
                wrong.append(f"{name}: {before} is read as {links}, in {encoding_of(one.data).name}")
            assert len(links) >= 8
    assert not wrong, "\n".join(wrong)


def asked(tab: devtools.Tab, path: Path) -> list[tuple[str, list[tuple[str, str, str, str]]]]:
    """Chromium's encoding of a file, and all URLs in it."""
    tab.open(path.as_uri())
    return tab.evaluate(ASKED)


def test_a_late_meta_in_the_body_counts_here_but_not_in_browsers(program: str, tmp_path: Path) -> None:
    data = f"<body><p>{FAR}<meta charset=utf-8><a href='grün'>x</a>".encode()
    documents = [chromium.Document("/late-in-body.html", "it", data)]
    answer = chromium.ask(program, documents, tmp_path)["/late-in-body.html", "it"]
    assert re.fullmatch("windows-1252", answer.encoding, re.IGNORECASE)
    assert encoding_of(data, is_response=True).name == "utf-8"
