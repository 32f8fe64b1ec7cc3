"""`Template`: what is put into it, with which fields."""

from __future__ import annotations

import pytest

import rehref
from crawl import response
from rehref.containers.parts import timestamp

CORES = ("source", "lxml", "html5lib")
URL = "https://h/a/b.html"


def references(html: str, rule: rehref.Template, core: str = "source", **options) -> list[str]:
    options.setdefault("url", URL)
    written = rehref.rewrite(f"<!DOCTYPE html><html><head>{html}", rule, parser=core, **options)
    return [link.reference for link in rehref.links(written, **options)]


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    "reference",
    [
        *("whatsapp://send?text=x", "android-app://org.example/x", "file:///etc/passwd", "ftp://h/x", "intent://x/#y"),
        *("mailto:a@b", "javascript:x", "data:,x", "tel:1", "#x", "", "WhatsApp://x", "https://r/http://h/x"),
    ],
)
def test_what_stays(core, reference):
    assert references(f"<a href='{reference}'>x</a>", rehref.Template("https://r/{uri}"), core) == [reference]


@pytest.mark.parametrize("core", CORES)
def test_only_the_schemes_of_the_web_unless_others_are_asked_for(core):
    html = "<a href='ftp://h/x'>x</a><a href=HTTP://h/y>y</a><a href=z>z</a>"
    assert references(html, rehref.Template("https://r/{uri}"), core) == [
        *("ftp://h/x", "https://r/HTTP://h/y", "https://r/https://h/a/z"),
    ]
    assert references(html, rehref.Template("https://r/{uri}", schemes=("FTP",)), core) == [
        *("https://r/ftp://h/x", "HTTP://h/y", "z"),
    ]


def test_in_a_document_of_another_scheme_nothing_changes():
    html = "<!DOCTYPE html><html><head><base href=d/><a href=x>x</a><img src=/y>"
    assert rehref.rewrite(html, rehref.Template("https://r/{uri}"), url="file:///home/me/p.html") == html


def test_encoded_as_a_value_of_a_query():
    rule = rehref.Template("https://r/?url={uri:encoded}&x=1")
    once = references("<a href='x y?a=1&b=%20+/é#f'>", rule)
    assert once == ["https://r/?url=https%3A%2F%2Fh%2Fa%2Fx%20y%3Fa%3D1%26b%3D%2520%2B%2F%C3%A9&x=1#f"]
    assert references(f"<a href='{once[0]}'>", rule) == once


MODIFIED = [
    ("<a href=x>", "hyperlink", "mp_"),
    ("<area href=x>", "hyperlink", "mp_"),
    ("<form action=x>", "form", "mp_"),
    ("<q cite=x>", "citation", "mp_"),
    ("<base href=x>", "base", "mp_"),
    ("<meta http-equiv=refresh content='0;url=x'>", "hyperlink", "mp_"),
    ("<img src=x>", "resource", "im_"),
    ("<img srcset='x 1x'>", "resource", "im_"),
    ("<input type=image src=x>", "resource", "im_"),
    ("<body background=x>", "resource", "im_"),
    ("<table><td background=x>", "resource", "im_"),
    ("<video poster=x>", "resource", "im_"),
    ("<video src=x>", "resource", "oe_"),
    ("<audio src=x>", "resource", "oe_"),
    ("<video><source src=x>", "resource", "oe_"),
    ("<embed src=x>", "resource", "oe_"),
    ("<object data=x></object>", "resource", "oe_"),
    ("<iframe src=x></iframe>", "resource", "if_"),
    ("<frameset><frame src=x></frameset>", "resource", "fr_"),
    ("<script src=x></script>", "resource", "js_"),
    ("<svg><image href=x /></svg>", "resource", "im_"),
    ("<svg><script href=x></script></svg>", "resource", "js_"),
    ("<svg><a href=x /></svg>", "hyperlink", "mp_"),
    ("<link rel='alternate stylesheet' href=x>", "resource", "cs_"),
    ("<link href=x rel=STYLESHEET>", "resource", "cs_"),
    ("<link rel=icon href=x>", "resource", "oe_"),
    ("<link rel=canonical href=x>", "hyperlink", "oe_"),
    ("<link rel=alternate href=x>", "hyperlink", "mp_"),
    ("<link rel=modulepreload href=x>", "resource", "js_"),
    ("<link rel=preload href=x.css?v>", "resource", "cs_"),
    ("<link rel=preload href=x.js>", "resource", "js_"),
    ("<link rel=preload href=x.PNG>", "resource", "im_"),
    ("<link rel=preload as=script href=x>", "resource", "js_"),
    ("<link rel=preload href=x.js as=STYLE>", "resource", "cs_"),
    ("<link as=image rel=preload href=x>", "resource", "im_"),
    ("<link rel=preload as=font href=x>", "resource", "oe_"),
    ("<link rel=preload as=Video href=x.css>", "resource", "oe_"),
    ("<link rel=preload as=other href=x.css>", "resource", "cs_"),
    ("<link rel=preload as='&#115;tyle' href=x>", "resource", "cs_"),
    ("<link rel='&#112;reload' as=style href=x>", "resource", "cs_"),
    ("<link rel=preload as='' href=x.css>", "resource", "cs_"),
    ("<link rel=preload href=x.woff2>", "resource", "oe_"),
    ("<style>a{b:url(x)}</style>", "resource", "oe_"),
    ("<style>@import 'x.css'</style>", "resource", "cs_"),
    ("<p style='background:url(x)'>", "resource", "oe_"),
]


@pytest.mark.parametrize(("html", "kind", "modifier"), MODIFIED)
def test_kinds_and_modifiers(html, kind, modifier):
    head = "" if "<frame" in html else "<title>t</title>"
    rule = rehref.Template("https://r/{timestamp}{modifier}/{kind}/{uri}", timestamp="2024")
    (once,) = references(head + html, rule)
    target = rehref.links(head + html, url=URL)[0].target
    assert once == f"https://r/2024{modifier}/{kind}/{target}"
    # what is in it already stays, whatever it is for
    assert references(f"<a href='{once}'>", rule) == [once]


def test_a_literal_part_that_has_the_name_of_a_field_is_only_a_text():
    rule = rehref.Template("{server}kind{uri}", server="http://r/")
    written = references("<a href='http://r/kindhttp://x/'><a href='http://r/abchttp://x/'>", rule)
    assert written == ["http://r/kindhttp://x/", "http://r/kindhttp://r/abchttp://x/"]


def test_each_preloaded_resource_has_the_modifier_of_its_own_as():
    html = "".join(f"<link rel=preload{as_} href=x.js>" for as_ in ("", " as=font", " as=style", " as=''", " as=font"))
    new = references(html, rehref.Template("https://r/{modifier}/{uri}"))
    assert new == [f"https://r/{modifier}/https://h/a/x.js" for modifier in ("js_", "oe_", "cs_", "js_", "oe_")]


def test_what_is_preloaded_in_xhtml():
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><link rel="preload" as="script" href="http://h/j"/></html>'
    new = rehref.rewrite(page, rehref.Template("https://r/{modifier}/{uri}"), media_type="application/xhtml+xml")
    assert new == page.replace("http://h/j", "https://r/js_/http://h/j")


@pytest.mark.parametrize("core", CORES)
def test_a_modifier_is_the_same_from_every_core(core):
    html = (
        "<link rel=stylesheet href=s><link rel=preload as=script href=j><title>t</title></head><body><img src=i>"
        "<a href=p>p</a></body></html>"
    )
    assert references(html, rehref.Template("https://r/{modifier}/{uri}"), core) == [
        *(
            "https://r/cs_/https://h/a/s",
            "https://r/js_/https://h/a/j",
            "https://r/im_/https://h/a/i",
            "https://r/mp_/https://h/a/p",
        ),
    ]


def test_a_template_may_be_relative():
    rule = rehref.Template("/web/2024/{uri}")
    once = references("<a href=x>", rule)
    assert once == ["/web/2024/https://h/a/x"]
    assert references(f"<a href='{once[0]}'>", rule) == once


@pytest.mark.parametrize(
    ("date", "digits"),
    [
        ("2024-01-02T03:04:05Z", "20240102030405"),
        ("2024-01-02T03:04:05.678901Z", "20240102030405"),
        ("2024-01-02", "20240102000000"),
        ("2024-05", "20240501000000"),
        ("2024", "20240101000000"),
        ("20140216050221", "20140216050221"),
        ("202", ""),
        ("", ""),
        ("yesterday", ""),
    ],
)
def test_timestamps(date, digits):
    assert timestamp(date) == digits


def warc(*dates: str) -> bytes:
    return b"".join(response("https://h/a/", "<a href=x>", number=n, date=date) for n, date in enumerate(dates))


def test_the_timestamp_of_a_record():
    data = warc("2024-01-02T03:04:05Z", "2025-06-07T08:09:10Z")
    rule = rehref.Template("https://r/{timestamp}{modifier}/{uri}")
    targets = [link.target for link in rehref.links(rehref.rewrite(data, rule))]
    assert targets == ["https://r/20240102030405mp_/https://h/a/x", "https://r/20250607080910mp_/https://h/a/x"]
    given = rehref.Template("https://r/{timestamp}/{uri}", timestamp="2000")
    assert {link.target for link in rehref.links(rehref.rewrite(data, given))} == {"https://r/2000/https://h/a/x"}


def test_any_rule_may_depend_on_the_date_of_the_record():
    class Dated:
        def __init__(self, date: str = "never") -> None:
            self.date = date

        def dated(self, date: str) -> Dated:
            return Dated(date)

        def __call__(self, link: rehref.Link) -> str:
            return self.date

    written = rehref.rewrite(warc("2024-01-02T03:04:05Z", "2025-06-07T08:09:10Z"), Dated())
    assert [link.reference for link in rehref.links(written)] == ["2024-01-02T03:04:05Z", "2025-06-07T08:09:10Z"]
    assert [link.reference for link in rehref.links(rehref.rewrite(b"<a href=x>", Dated(), url=URL))] == ["never"]


@pytest.mark.parametrize("source", [b"<a href=x>", warc("")])
def test_without_a_date_a_timestamp_has_no_value(source):
    with pytest.raises(ValueError, match="timestamp"):
        rehref.rewrite(source, rehref.Template("https://r/{timestamp}/{uri}"), url=URL)


@pytest.mark.parametrize(
    ("template", "values", "says"),
    [
        ("https://r/", {}, "must name"),
        ("{uri}{uri:encoded}", {}, "once"),
        ("{uri}/{when}", {}, "{when}"),
        ("{uri}/{uri:decoded}", {}, "{uri:decoded}"),
        ("{kind}/{uri}", {"kind": "x"}, "of its own"),
    ],
)
def test_a_template_that_cannot_be_filled_is_refused(template, values, says):
    with pytest.raises(ValueError, match=says):
        rehref.Template(template, **values)
