"""Records of pages and of the style sheets that they refer to, in encodings of which a sheet says nothing."""

from __future__ import annotations

from crawl import response

SITE = "https://h.example/"
LINK = "<link rel=stylesheet href=s.css>"
WORDS = {"windows-1251": "фон", "shift_jis": "画像", "gbk": "背景", "euc-jp": "画像", "windows-1252": "été"}
BACKGROUND = "p {{ background: url({}.png?{}) }}"


def page(encoding: str, head: str = LINK, *, name: str = "", declared: bool = True) -> bytes:
    text = f"<!doctype html><meta charset={encoding}><title>t</title>{head}" if declared else f"<title>t</title>{head}"
    return response(SITE + name, text.encode(encoding), "text/html")


def sheet(encoding: str, name: str = "s.css", text: str = "", media_type: str = "text/css") -> bytes:
    word = WORDS.get(encoding, "фон")
    return response(SITE + name, (text or BACKGROUND.format(word, word)).encode(encoding), media_type)
