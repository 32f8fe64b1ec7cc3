"""Documents for the comparison with Chromium: those of `scripts/fuzz native`, and more that only a browser can judge.

- More: `base` elements everywhere, documents in `srcdoc` in each other, encodings and what declares them, URLs that
  parsers disagree about, markup that moves elements.
- Documents come in batches; those of a batch that are not loaded have one path. The same `chance` gives the same ones.
"""

from __future__ import annotations

import re
from html import escape
from itertools import islice
from random import Random
from typing import Final

from differential import RULES, Sample

from native.generating import REFERENCES, texts

PATHS: Final = (
    "/a/b/c.html",
    "/a/b/c.html",
    "/a/b/c.html?q#f",
    "/a/b/",
    "/",
    "/é/a'b/%41.html?a=/../b",
    "/a/b/c/d/e.html?",
)
_MARKUP: Final = (
    *(
        "<template shadowrootmode=open>",
        "<div><template shadowrootmode=open>",
        "<template>",
        "</template>",
        "<frameset>",
        "<frame src=x>",
        "<noframes>",
        "</frameset>",
    ),
    *(
        "<svg>",
        "</svg>",
        "<math>",
        "</math>",
        "<foreignObject>",
        "<annotation-xml encoding=text/html>",
        "<mtext>",
        "<mglyph>",
    ),
    *(
        "<font color=x>",
        "<p>",
        "</p>",
        "</br>",
        "<b>",
        "</b>",
        "<nobr>",
        "<button>",
        "<a href=x>",
        "</a>",
        "<li>",
        "<dd>",
    ),
    *(
        "<isindex action=x>",
        "<image src=x>",
        "<xmp>",
        "<noembed>",
        "<iframe src=x>",
        "<embed src=x>",
        "<marquee>",
        "</marquee>",
    ),
    *(
        "<table>",
        "</table>",
        "<tr>",
        "<td background=x>",
        "<caption>",
        "<colgroup>",
        "<col>",
        "<form action=x>",
        "</form>",
    ),
    *(
        "<input type=hidden src=x>",
        "<input type=image src=x>",
        "<select>",
        "</select>",
        "<option>",
        "<optgroup>",
        "<hr>",
    ),
    *(
        "<object data=x>",
        "</object>",
        "<applet codebase=x>",
        "<ruby>",
        "<rt>",
        "<pre>\n",
        "<plaintext>",
        "<title>",
        "</title>",
    ),
    *(
        "<body background=x>",
        "</body>",
        "<html manifest=x>",
        "</html>",
        "<head>",
        "</head>",
        "<!doctype html>",
        "<dialog>",
    ),
    *(
        "<meta charset=koi8-r>",
        "<meta http-equiv=refresh content='0;url=x'>",
        "<link href=x>",
        "<noscript>",
        "</noscript>",
    ),
)
_BASES: Final = (
    *(
        "x/",
        "/y/",
        "../",
        "",
        "?q",
        "#f",
        "//o.example/",
        "http://o.example/p/q?r#s",
        "https://o.example",
        "file:///C:/x/y",
    ),
    *(
        "file:///srv/a",
        "mailto:x@y",
        "data:,x",
        "javascript:x",
        "about:blank",
        "urn:a:b",
        "foo:/a/b",
        "foo://h/p",
        "http:x/",
    ),
    *(
        "http://o.example:99999/",
        "http://[x/",
        "\\\\o.example\\p\\",
        " z/ ",
        "é/?é",
        "ws://o.example/a?é",
        "http:///x",
        "//",
    ),
)
_ODD: Final = (
    *(
        "/a|b",
        "a|b?c|d#e|f",
        "http://a*b/",
        "http://a b/",
        "http://a|b/",
        "http://a\tb/",
        "//a%20b/",
        "http://a%2Ab/",
        "http://a'b/",
    ),
    *(
        "data:x'?a'b",
        "javascript:x?'y'",
        "foo:x?'",
        "foo://h/p?'",
        "foo://A B/",
        "foo://a*b/|",
        "foo:a b",
        "foo:/a/../b|c",
    ),
    *(
        "http://a\u200db.example/",
        "http://\u0646\u0627\u0645\u0647\u200c\u0627\u06cc.example/",
        "http://fa\xdf.example/",
        "http://a\u3002b/",
    ),
    *(
        "http://xn--/",
        "http://xn--zca.example/",
        "http://\xad/",
        "http://a\u2260b/",
        "http://\U0001f4a9.example/",
        "http://1.2.3.4.5/",
    ),
    *(
        "ws://a.example/?é",
        "wss:?é",
        "ws:x?'é",
        "ftp://a.example/?é'",
        "http://a.example?é#é",
        "?'\"<>`{}|^",
        "#'\"<>`{}|^",
        "/'\"<>`{}|^",
    ),
    *(
        "http://0x7f000001/",
        "http://256.1/",
        "http://1..2/",
        "http://a.1/",
        "http://a:0/",
        "http://a:00080/",
        "http://a:65536/",
    ),
    *(
        "http://u@@h/",
        "http://u:p:q@h/",
        "http://:@h/",
        "http://@/",
        "//@h/",
        "http://h\\@x/",
        "file:c:/x",
        "file:///c|/x/../..",
        "/c|/x",
    ),
    *(
        "file://localhost/x",
        "file:///a//b",
        "file:\\\\h\\x",
        "http://[::1%25x]/",
        "http://[::ffff:1.2.3.4]/",
        "http://[1:2:0:0:5:0:0:8]/",
    ),
    *(
        "java\nscript:x",
        "data:text/plain,a\nb",
        "data:,a b#c d",
        "data: x ",
        "mailto:a b",
        "tel: 1",
        "blob:http://h/x",
        "about:x?'",
        "x:",
    ),
    *(
        "%2e%2E/x",
        "x/%2e",
        "/.//x",
        "///x",
        "http:///a/..//b",
        "foo:/..//x",
        "x\u0000y",
        "\x01x",
        "x\u2028",
        "\ufdd0",
        "\ufffe?\uffff",
    ),
    *(
        "?日本",
        "?я",
        "?€\u212a",
        "?\U0001f600",
        "?é",
        "x?a=é&b=я#日",
        "?\x80\x9f",
        "?~\\",
        "?\xa5\u203e",
        "http:?é",
        "view-source:http://a/",
    ),
)
_REFRESHES: Final = (
    *(
        "0;\x0burl=x",
        "0\xa0;url=x",
        "0;url\x0b=x",
        "0 ; url = 'x' y",
        "0;x",
        ";x",
        ".;x",
        "0..1 x",
        "0url=x",
        "+0;x",
        "0;url='x",
        "0,,x",
    ),
    *(
        "0;;x",
        "0; ;x",
        "0;url",
        "0;url=",
        "0;url x",
        "0;'x'y",
        "\u30000;x",
        "0;url=\u3000x",
        "-1;x",
        "0\n\t;\fURL=\rx",
        "0;\x00url=x",
        "1e1;x",
    ),
)
_ENCODINGS: Final = (
    *(
        "windows-1252",
        "windows-1252",
        "utf-8",
        "shift_jis",
        "euc-jp",
        "iso-2022-jp",
        "gb18030",
        "gbk",
        "big5",
        "euc-kr",
    ),
    *("koi8-r", "windows-1251", "utf-16le", "utf-16be", "x-user-defined", "macintosh", "iso-8859-8-i"),
)
_CODECS: Final = {"macintosh": "mac-roman", "iso-8859-8-i": "iso-8859-8", "x-user-defined": "latin-1"}
_TAG: Final = re.compile("<")


def batch(chance: Random, size: int) -> list[Sample]:
    """Documents that are asked about at once."""
    path = chance.choice(PATHS)
    return [_sample(chance, text, path) for text in islice(texts(chance), size)]


def _sample(chance: Random, text: str, path: str) -> Sample:
    rule = chance.choice(list(RULES))
    for _ in range(int(chance.random() ** 2 * 3)):
        text = _with(chance, text, "".join(chance.choices(_MARKUP, k=1 + int(chance.random() * 4))))
    for _ in range(int(chance.random() ** 3 * 4)):
        text = _with(chance, text, _link(chance))
    if chance.random() < 0.15:
        text = _based(chance, text)
    how = chance.random()
    if how < 0.03:
        text = _with(chance, text, _framed(chance, text))
        text = _based(chance, text) if chance.random() < 0.7 else text
    elif how < 0.07:
        return _encoded(chance, text, path, rule)
    return Sample(text, path, rule)


def _with(chance: Random, text: str, put: str) -> str:
    """A text with something put into it, at a tag as a rule."""
    places = [found.start() for found in _TAG.finditer(text)] + [0, len(text)]
    at = chance.choice(places) if chance.random() < 0.9 else int(chance.random() * len(text))
    return text[:at] + put + text[at:]


def _link(chance: Random) -> str:
    """An element with a reference that parsers disagree about."""
    if chance.random() < 0.1:
        return f'<meta http-equiv=refresh content="{chance.choice(_REFRESHES)}">'
    element = chance.choice(
        ("a href", "a href", "img src", "img srcset", "form action", "td background", "a ping", "use href")
    )
    return f'<{element}="{escape(chance.choice(_ODD))}">'


def _based(chance: Random, text: str) -> str:
    """A text with some `base` elements."""
    for _ in range(1 + int(chance.random() ** 2 * 3)):
        href = chance.choice(_BASES if chance.random() < 0.8 else REFERENCES)
        text = _with(chance, text, f'<base href="{escape(href)}">' if chance.random() < 0.95 else "<base target=t>")
    return text


def _framed(chance: Random, text: str) -> str:
    """A document in a frame, with one in it, perhaps."""
    inner = _based(chance, text) if chance.random() < 0.4 else text
    inner = _with(chance, inner, f'<a href="{escape(chance.choice(_ODD))}">')
    if chance.random() < 0.3 and len(inner) < 1000:
        inner = _with(
            chance, inner, _framed(chance, chance.choice(('<img src="x?é">', '<base href="i/"><a href=y>', "<p>")))
        )
    return f'<iframe srcdoc="{escape(inner)}"></iframe>'


def _encoded(chance: Random, text: str, path: str, rule: str) -> Sample:
    """A document in an encoding that is declared somehow, or not at all."""
    name = chance.choice(_ENCODINGS)
    codec = _CODECS.get(name, name)
    declared = chance.random()
    if name.startswith("utf-16") and declared < 0.6:
        return Sample(("\ufeff" + text).encode(codec, "xmlcharrefreplace"), path, rule, "text/html")
    meta = chance.choice(
        (f"<meta charset={name}>", f'<meta http-equiv=content-type content="text/html;charset={name}">')
    )
    text = _with(chance, text, f'<a href="?{chance.choice(("é", "日本", "я", "&yen;&euro;", "&#x1f600;"))}">')
    data = (meta * (declared < 0.5) + text).encode(codec, "xmlcharrefreplace")
    by_header = f"; charset={name}" if declared > 0.4 else ""
    return Sample(data, path, rule, f"text/html{by_header}")
