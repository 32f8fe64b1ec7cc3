"""Documents without end, for the fuzzer: small ones, in which the twins have much to do.

- What carries references is taken from the tables of `rehref.documents._carriers`, so that a new row is tried, too.
- A document is elements with references, markup that makes reading hard, or both; then some of it is damaged. Most are
  very small: what differs shows in them, and more of them are tried.
- The same `chance` gives the same documents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from rehref.documents._carriers.html_attributes import (
    ANY,
    HTML_CARRIERS,
    MATHML_CARRIERS,
    SVG_CARRIERS,
    Table,
)
from rehref.uri.syntaxes import Syntax

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


def _words(text: str) -> list[str]:
    return text.split("|")


REFERENCES = _words(
    "|#|#x|?|?q|?a=1&b=2|?a=1&amp;b=2|?a&copy;|?a&copy=1|?&lt;|x|x.html|x.html#f|x.html?q|./x|./?p|./|.|..|../|../x|../../x|"
    "../../../x|../../../../x|./../x|.././x|a/../b|a/./b|a//b|a/b/c.d|a/..|a/.|.../x|..a|a..b|a.b.c|a.|.a|//other.example/x|/|"
    "/x|/x/../y|/./x|/..|//|///x|/x//y|x:y|a:b/c|./a:b|a/b:c|:x|http:g|http:/g|http://other.example/x|https://a.example|"
    "http://a.example/./x|http://a.example/x?y#z|http://a-b.example/|http://a--b.example/|http://-a.example/|"
    "http://1.2.3.4/|http://0x7f.1/|http://a.example:80/|http://a.example:81/x|http://A.example/|HTTP://a.example/|"
    "http://u:p@a.example/|http://a_b.example/|http://xn--a.example/|http://a.example./|http://[::1]/|http://a.example:/|"
    "http://h.example/a/b/c.html|http://h.example/a/b/c.html#f|http://h.example/a/b/x|http://h.example|http://|http:///x|"
    "file:///srv/page.html|file:///srv/x|file://h/x|FILE:x|file:x|ftp://a.example/x|ws://a.example/|urn:a:b|"
    "mailto:a@b|MAILTO:a@b|mailto:|data:,x|data:image/gif;base64,R0lGODlh|data:text/css,a{b:url(c)}|javascript:x|javascript:void(0)|"
    "JavaScript:x?y#z|java\tscript:x|about:blank|blob:x|cid:x|tel:+1|x%20y|x%2Fy|x%2e%2E/y|%2e%2e/x|%2e/x|%zz|%|%4|x%41|%e9|%C3%A9|"
    "%00|x?%41|x?%4|x#%41|http://a.example/%41|http://a.example/%2F|http://%61.example/|c.html|c.html#f|c.html?q|c.htmlx|c.html/|"
    " x|x |x y|\nx\n|x\ny|\tx|x\r\ny|\fx|\\x|a\\b|/\\x|\\\\h\\x|?\\|#\\|é|x#é|?é|é/x|http://é.example/|xé|\u212a|?\u20ac|a\U0001f600|"
    "&amp;|&lt;x|&#x78;|&#120|&colon;x|http&colon;//a.example/|a&sol;b|&num;x|&period;&period;/x|x&NewLine;y|&nbsp;x|&#0;|&#128;|"
    "caf&eacute;|../&eacute;/x|&#233;|&#xe9;x?&copy=1|#&eacute;|&hellip;/../x|&nGg;x|x/&nGg;/y|&nGt;|&fjlig;x|&bne;x|"
    "&AMP;x|x&copy y|x&copy|&copyx|&eacute|&#x110000;|&#xd800;|&#x1f600;|&#xfffe;|&Aacute;&aacute;|&#147;|&#x9d;|"
    "&notit;|&not|&|&x;|a&amp;b|a&b|a&quot;b|&Tab;x|x?y=/../z|x?y#z/./|x?y=//z|x#/../y|a'b|a(b)|*|~x|a\"b|x?a[]=&b|c&d&1,|<x|x>|x`y|x|y^z|{x}|[x]|@|a@b|;x|"
    "x;y=1/z|,x|x,|a,b|$x|!x|x=y|+x|x+y|-x|_|%E2%82%AC?%E2#%82|\x00|x\x00y|\x01|x\x7f|x\x80|\ufeffx|\u2028"
)
_ORDINARY = _words(
    "x.html|x.html#f|a/b.png|../x.css|../../i/x.js|/x/y.html|?q=1|#top|http://other.example/x/y.png|https://a.example/|"
    "x?a=1&b=2|é.html"
)
_BITS = (
    *"abcz./?#&:%-_'()0=@\\~+*,;!$ \t\n\"<>[]^{|}é",
    "../",
    "./",
    "//",
    "http:",
    "%2",
    "%41",
    "&amp;",
    "&#46;",
    "\u212a",
    "\x00",
)

URLS = (
    *(
        "http://h.example/a/b/c.html",
        "file:///srv/site/page.html",
        "https://h.example/x/",
        "http://h.example/a/b/c/d.html",
    )
    * 8,
    *("http://h.example/a/b/c.html", "http://h.example/a/b/c.html?q#f", "http://h.example/a/b/", "https://h.example"),
    *("https://h.example?q", "https://h.example/x", "file:///srv/page.html", "file:///srv/site/a/b%20c.html"),
    *(
        "http://h.example/a/../b/",
        "mailto:x@example.org",
        "http://h.example/a'b/",
        "http://h.example/é/",
        "urn:x:y",
        None,
    ),
    *(
        "http://h.example:8080/a/b/c/d/e/f/g/h/i.html",
        'http://H.example/a&b/"c/',
        "http://h.example/a?b=/c/../d",
        "urn:a:b",
    ),
)

_MARKUP = (
    *_words(
        "<a|href=x>|<A|HREF=Q>|<base href=y>|<form action=z>|</form>|<td background=q>|</td>|<tr>|<table>|"
        "</table>|<select>|</select>|<option>|<caption>|<template>|</template>|<svg>|</svg>|</svg|<math>|</math>|"
        "<mi>|<path d=x>|</path>|<style>|</style>|<th>|<script type=importmap>|<script>|</script>|"
        "<script><!--<script>|</script></script>|<!--|-->|--!>|<!-->|<!-- x -->|<![CDATA[|]]>|<title>|</title>|"
        "<textarea>|<noscript>|</noscript>|<body background=b>|<body style=x>|<html itemtype=t>|<head>|"
        "<frameset>|</iframe>|'|<|>|=|/|(|&|#|?|<!doctype html>|<?x>|</|</>|src='| href|<foreignObject>|<desc>|"
        "<font face=q>|<!--[if IE]>|<![endif]-->|<plaintext>|<image src=y>|<svg:a xlink:href=h>|<x/y=z/>|"
        "<link rel=stylesheet href=u>|<object data=d codebase=c>|</object>|<annotation-xml>|<STYLE>a</sTyle >|"
        "<x-y style='url(i)'>|../|./|c.html|#f|?q|&amp;|%20|http://h.example/|mailto:x|</a>|<p>|</p>|<br>|</body>|<body>|"
        '<a href=x/>|<a href="x"/>|<a href>|<a href=>|<a href=\'\'>|<a/href=x>|<a =x>|<a "href=x>|<a href=x href=y>|'
        "<a\nhref=x\n>|"
        "<a href =x>|<a href= x>|<a href=\"x\"src=y>|<img src=x alt='>'>|<img srcset='a 1x, b 2x' src=c>|"
        "<g fill=url(#g)>|"
        "<p style='background:url(x)'>|<p style='a:b'>|<input type=image src=i>|<input src=i>|<img usemap=#m>|"
        "<base target=t>|<head itemtype=h>|</head>|</html>|<noscript style='url(n)'>|<tbody itemtype=t>|</tbody>|"
        "<thead>|</thead>|</tr>|</th>|<col itemtype=t>|<colgroup>|</caption>|<table><tr>|</template></table>|<g>|</g>|"
        "<applet codebase=c>"
    ),
    *('<p style="url(i)">', '<img src="a&amp;b" srcset="x 1x">', '<meta http-equiv=refresh content="0;url=x">'),
    *('<use href="#i"/>', '<iframe srcdoc="&lt;a href=1>">', '"', "\r", "\x00", "\x80", "\xe9", "\u212a", 'href="'),
    *(
        "<caf\xe9 style='url(i)'>",
        " ",
        "\n",
        "\r\n",
        "é\n\r\n",
        "<p>text</p>\n",
        "\t",
        "<a \u212aey=x href=y>",
        "<\xe9>",
    ),
)

_DECIDING: Mapping[tuple[str, str], Sequence[str]] = {
    ("link", "href"): (
        *("rel=stylesheet", 'rel="icon alternate"', "rel=canonical", "rel=expect", "rel=schema.dc", "rel=PREFETCH", ""),
        *("rel='a\nicon'", "rel=&#105;con", 'rel="\u212a stylesheet"', "rel", "rel=next as=x", "rel='next'"),
        *("rel=preload as=font", "as=script rel=preload", "rel=preload as=&#105;mage", "rel=preload as=\u00e9"),
    ),
    **dict.fromkeys(
        (("a", "href"), ("area", "href"), ("form", "action")),
        (*("", "", "", "rel=next", "rel='no\"t\\'", "rel=&#105;con", "rel", "rel=\u00e9", "rel=//u:p@h ping=x"),),
    ),
    ("meta", "content"): (
        *("http-equiv=refresh", "http-equiv=Refresh", "http-equiv=content-base", "name=og:image", "property='og:url'"),
        *('property="x og:image"', "itemprop=url", "itemprop='a image'", "name=description", "name=twitter:image", ""),
        *("property=x name=y itemprop=z", "name=' thumbnail '", "name=&#111;g:image", "http-equiv=x name=image"),
    ),
    ("param", "value"): (
        "name=movie",
        "name=src",
        "valuetype=ref",
        "valuetype=REF name=x",
        "name=x",
        "",
        "name=FileName",
    ),
    **dict.fromkeys(
        (("set", "to"), ("animate", "from"), ("animate", "to"), ("animate", "values")),
        (
            "attributeName=href",
            "attributename='xlink:href '",
            "attributeName=fill",
            "attributeName=mask",
            "attributeName=x",
        ),
    ),
    ("input", "src"): ("type=image", "type=IMAGE", "type=' image'", "type=text", "", "type=&#105;mage", "type"),
}
_SCRIPTS = (
    ('<script type=importmap>{"imports":{"a":"', '"},"scopes":{"s/":{"b":"c"}}}</script>'),
    ('<script type="application/ld+json">{"@context":{"@base":"b/"},"@id":"', '","url":"x"}</script>'),
    ('<script type="application/ld+json">{"@context":"http://schema.org","@id":"', '","url":["x","y\\/é"]}</script>'),
    ('<script type=speculationrules>{"prefetch":[{"urls":["', '"]}]}</script>'),
    ("<script src=x type=module>", "</script>"),
)
_CSS = (
    *(
        "url({})",
        "url( {} )",
        'url("{}")',
        "url('{}')",
        "URL({})",
        "u\\72l({})",
        'src("{}")',
        "src({})",
        "/* url({}) */",
        '"{}"',
    ),
    *(
        'image-set("{}" 1x, url({}) 2x)',
        "-webkit-image-set('{}' 1x)",
        '@import "{}";',
        "@import url({}) screen;",
        "@import '{}'",
    ),
    *(
        "@namespace x url({});",
        '@namespace "{}";',
        "a{b:url({})}",
        "myurl({})",
        "url({}",
        'url("{}',
        "url(#g)",
        "url()",
        "url('')",
    ),
    *(
        "color:red;",
        "background:",
        ";",
        "}",
        "{",
        "\\",
        "\\\n",
        "/*",
        "*/",
        "<!--",
        "-->",
        "url(a\\20 b)",
        "url(\\{})",
        "url({}\n)",
    ),
    *(
        "fill:url({})",
        "url(a)url(b)",
        "@font-face{src:url({}) format('x')}",
        "é",
        "url(é)",
        "\x00",
        "var(--x)",
        "{}",
        "(",
        ")",
        "'",
        '"',
    ),
)
_COMMON = (("a", "href"),) * 24 + (("img", "src"),) * 12 + (("img", "srcset"),) * 8 + (("link", "href"),) * 10
_COMMON += (("script", "src"),) * 5 + (("meta", "content"),) * 8 + (("p", "style"),) * 10 + (("form", "action"),) * 3
_COMMON += (("base", "href"),) * 2 + (("input", "src"),) * 3 + (("param", "value"),) * 3 + (("td", "background"),) * 2
_COMMON += (("source", "srcset"),) * 4 + (("img", "usemap"),) * 2 + (("a", "ping"),) + (("img", "data-src"),) * 3
_SOME = ("p", "div", "x-y", "a", "span", "li", "img")

Value = Callable[[Random], str]


def reference(chance: Random) -> str:
    """A reference: one of ours, two of them, or bits put together."""
    how = chance.random()
    if how < 0.6:
        return chance.choice(_ORDINARY)
    if how < 0.85:
        return chance.choice(REFERENCES)
    if how < 0.88:
        return chance.choice(REFERENCES) + chance.choice(REFERENCES)
    if how < 0.91:
        return "../" * int(chance.random() * 12) + chance.choice(REFERENCES)
    if how < 0.912:
        return chance.choice(REFERENCES) * int(chance.random() * 90)
    return "".join(chance.choices(_BITS, k=int(chance.random() * 8)))


def srcset(chance: Random) -> str:
    found = [
        reference(chance) + chance.choice(("", " 2x", " 100w", " 1.5x", "  3x ", " (a,b) 2x", " 1x 2x", "\n4x"))
        for _ in range(3)
    ]
    return chance.choice((", ", ",", " ,", " , ", "\n,\n", ",,")).join(found[: 1 + int(chance.random() * 3)])


def css(chance: Random) -> str:
    made = (chance.choice(_CSS).replace("{}", reference(chance)) for _ in range(1 + int(chance.random() * 3)))
    return chance.choice(("", ";", " ", "\n")).join(made)


def sheet(chance: Random) -> str:
    """A style sheet: some rules, most of them plain."""
    rules = (
        chance.choice(("a{{b:url({})}}\n", '@import "{}";', ".c{{background:url('{}') }}", "{}")).format(
            css(chance) if chance.random() < 0.2 else reference(chance)
        )
        for _ in range(1 + int(chance.random() * 6))
    )
    return "".join(rules)


def _refresh(chance: Random) -> str:
    head = chance.choice(
        ("0;url=", "5; URL = ", "0,url='", '0;url="', "0 url=", ";url=", "0;", "1.5;uRl=", "0;url", "x;url=")
    )
    return head + reference(chance) + chance.choice(("", "", "'", '"', " "))


def _joined(between: Sequence[str]) -> Value:
    return lambda chance: chance.choice(between).join(reference(chance) for _ in range(int(chance.random() * 4)))


def _image(chance: Random) -> str:
    return css(chance) if chance.random() < 0.3 else reference(chance)


def _curie(chance: Random) -> str:
    return chance.choice(("{}", "[{}]", "_:{}", "x:{}")).replace("{}", reference(chance))


def _fragment(chance: Random) -> str:
    return chance.choice(("#m", "#", "m", "#é", " #m", "x#m", "")) if chance.random() < 0.8 else reference(chance)


_VALUES: Mapping[Syntax, Value] = {
    "url": reference,
    "spaces": _joined((" ", "  ", "\n", "\t ")),
    "commas": _joined((",", ", ", " ,")),
    "srcset": srcset,
    "css": css,
    "image": _image,
    "curie": _curie,
    "refresh": _refresh,
    "fragment": _fragment,
}


class Slot(NamedTuple):
    """An attribute that may carry references: its element, its name, what makes a value of it."""

    element: str
    attribute: str
    value: Value
    around: tuple[str, str]


def _slots(table: Table, some: Sequence[str], around: tuple[str, str]) -> dict[tuple[str, str], Slot]:
    """All carriers of a table; those of any element on some."""
    return {
        (named, attribute): Slot(named, attribute, _VALUES[carrier.syntax], around)
        for (element, attribute), carrier in table.items()
        for named in (some if element == ANY else (element,))
    }


_NO = ("", "")
_HTML = _slots(HTML_CARRIERS, _SOME, _NO) | {("img", "data-src"): Slot("img", "data-src", reference, _NO)}
_FOREIGN = [
    *_slots(SVG_CARRIERS, ("g", "path", "use", "desc", "title", "style"), ("<svg>", "</svg>")).values(),
    *_slots(SVG_CARRIERS, ("svg",), _NO).values(),
    *_slots(MATHML_CARRIERS, ("mi", "mrow", "semantics"), ("<math>", "</math>")).values(),
]
_ALL = list(_HTML.values())
_OFTEN = [_HTML[names] for names in _COMMON]


def _disguised(chance: Random, value: str) -> str:
    """A value that means the same or nearly so, written otherwise: with character references, white space, more."""
    how = chance.random()
    if how < 0.75:
        return value
    if how < 0.88:
        return value.replace("&", "&amp;")
    if how < 0.93:
        return (
            chance.choice((" ", "\n", "\t", "\r\n", "&#32;", "\u00a0", ""))
            + value
            + chance.choice((" ", "\n", "\f", ""))
        )
    if value:
        at = int(chance.random() * len(value))
        code = ord(value[at])
        return (
            value[:at]
            + chance.choice((f"&#{code};", f"&#x{code:X};", f"&#{code}", "é", "\r", "&amp;", "\x00"))
            + value[at + 1 :]
        )
    return value


def _attribute(chance: Random, name: str, value: str) -> str:
    """An attribute as it may be written."""
    value = _disguised(chance, value)
    how = chance.random()
    if how < 0.08:
        name = chance.choice((name.upper(), name.title(), f"\n{name} ", f"x={name} {name}"))
    if how < 0.7:
        return f'{name}="{value if how < 0.03 else value.replace(chr(34), "&quot;")}"'
    if how < 0.8:
        return f"{name}='{value}'"
    if how < 0.83:
        return f'{name} = "{value}'
    return f"{name}={value}"


_STYLES = (
    "<style>",
    "<style type=text/css>",
    "<STYLE media=x>",
    "<style type=text/less>",
    "<style type='TEXT&#47;css'>",
)


def markup(chance: Random) -> str:
    """An element with references."""
    how = chance.random()
    if how < 0.06:
        return chance.choice(_STYLES) + css(chance) + "</style>"
    if how < 0.09:
        head, tail = chance.choice(_SCRIPTS)
        return head + reference(chance) + tail
    if how < 0.11:
        inner = "".join(markup(chance) for _ in range(2))
        if chance.random() < 0.4:
            return _srcdoc(chance, inner)
        return chance.choice(
            ('<iframe srcdoc="{}">', "<!--[if IE]>{}<![endif]-->", "<template>{}</template>", "<noscript>{}")
        ).replace("{}", inner.replace('"', "&quot;"))
    slot = chance.choice(_OFTEN if how < 0.75 else _ALL if how < 0.87 else _FOREIGN)
    element, attribute, value, (before, behind) = slot
    text = _attribute(
        chance, attribute, (_refresh if attribute == "content" and chance.random() < 0.3 else value)(chance)
    )
    deciding = _DECIDING.get((element, attribute))
    if deciding is not None:
        parts = [text, chance.choice(deciding)]
        text = " ".join(parts if chance.random() < 0.5 else parts[::-1])
    elif chance.random() < 0.15:
        other = chance.choice(_ALL if before == "" else _FOREIGN)
        text += " " + _attribute(chance, other.attribute, other.value(chance))
    if element in ("tr", "td", "th", "thead", "tbody", "tfoot") and chance.random() < 0.9:
        before, behind = "<table>", "</table>"
    elif before:
        behind = f"</{element}>{behind}"
    return f"{before}<{element} {text}{'/' if how > 0.98 else ''}>{behind if chance.random() < 0.97 else ''}"


def _srcdoc(chance: Random, inner: str) -> str:
    """A document in an attribute, as little escaped as possible or more."""
    how = chance.random()
    if how < 0.3:
        return f"<iframe srcdoc='{inner.replace(chr(39), '&#39;' if how < 0.2 else '')}'>"
    inner = inner.replace("&", "&amp;") if how < 0.8 else inner
    inner = inner.replace("<", "&lt;").replace(">", "&gt;") if how < 0.7 else inner
    return f'<iframe src=x srcdoc="{inner.replace(chr(34), "&quot;")}" title=t></iframe>'


def _page(chance: Random) -> str:
    """Elements with references, and some hard markup between."""
    parts = []
    for _ in range(1 + int(chance.random() ** 3 * 7)):
        if chance.random() < 0.2:
            parts.append(chance.choice(_MARKUP))
        parts.append(markup(chance))
    return "".join(parts)


def _damaged(chance: Random, text: str, times: int) -> str:
    """A text with pieces put in, taken out, doubled."""
    for _ in range(times):
        at = int(chance.random() * (len(text) + 1))
        behind = min(len(text), at + int(chance.random() * 20))
        put = chance.choice(_MARKUP) if chance.random() < 0.6 else chance.choice(("", text[at:behind] * 2))
        text = text[:at] + put + text[behind:]
    return text


def texts(chance: Random) -> Iterator[str]:
    """Documents without end."""
    fixtures = [path.read_bytes().decode("utf-8", "replace") for path in sorted(FIXTURES.rglob("*.html"))]
    while True:
        how = chance.random()
        if how < 0.005:
            yield _damaged(chance, chance.choice(fixtures), 1 + int(chance.random() * 6))
        elif how < 0.17:
            yield "".join(chance.choices(_MARKUP, k=1 + int(chance.random() ** 3 * 14)))
        elif how < 0.27:
            yield _damaged(chance, _page(chance), 1 + int(chance.random() * 3))
        else:
            yield _page(chance)
