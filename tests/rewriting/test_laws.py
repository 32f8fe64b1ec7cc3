"""The laws of rewriting, over generated documents and all fixtures, in every core each applies to.

Identity, locality, agreement, idempotence, the browser, and that nothing aborts. Locality is a law of the `source` core
alone: the tree cores write the whole document anew.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

import rehref
from examples import examples
from rehref.documents.base import clean
from rehref.rewriting.offline_rule import reached
from rehref.rewriting.rule import BaseElement
from rehref.uri.resolver import Profile

CORES = ("source", "lxml", "html5lib")
URL = "https://h.example/a/b.html"
NOT_WRITTEN_BY_LXML = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
ENCODINGS = ("utf-8", "windows-1252", "shift_jis", "gbk", "euc-kr", "big5", "utf-16le", "iso-2022-jp")

references = st.one_of(
    st.sampled_from(
        ["x", "../x", "/x", "#x", "", "?q", "//o/p", "http://o/p?q#f", "mailto:a@b", "javascript:x('/../y')", "http:g"]
    ),
    st.text(alphabet="ab/.?#:;&= \\éソ\t\n%@[]|", max_size=12),
)
encoded = references.map(lambda text: text.replace("&", "&amp;").replace('"', "&quot;").replace("'", "&#39;"))
attributes = st.one_of(
    encoded.map(lambda value: f'href="{value}"'),
    encoded.map(lambda value: f"src='{value}'"),
    encoded.map(lambda value: f"style=\"background:url('{value}')\""),
    st.lists(encoded, max_size=3).map(lambda values: f'srcset="{", ".join(values)}"'),
    st.lists(encoded, max_size=3).map(lambda values: f'ping="{" ".join(values)}"'),
    encoded.map(lambda value: f'content="0;url={value}" http-equiv=refresh'),
    st.sampled_from(
        ["href", "href=x&amp;y&copy=1", "href=x/", "HREF = 'X'", 'id="<a href=no>"', "action=''", "/", "="]
    ),
)
tags = st.builds(
    lambda name, given_attributes: f"<{name} {' '.join(given_attributes)}>",
    st.sampled_from(["a", "img", "base", "form", "meta", "link", "div", "p", "object", "td", "q"]),
    st.lists(attributes, max_size=3),
)
pieces = st.one_of(
    tags,
    st.sampled_from(
        [
            *("text ", "é ソ", "</a>", "</p>", "<", "&", "<!-- <a href=no> -->", "<!doctype html>", "<![CDATA[x]]>"),
            *("<svg><use xlink:href='x#i'/></svg>", "<math><mi href=x></mi></math>", "<template><a href=t></template>"),
            *(
                "<script>'<a href=no>'</script>",
                "<style>a{background:url(i.png)}</style>",
                "<title><a href=no></title>",
                "<iframe srcdoc=\"<a href='x?a&amp;amp;b'>é</a><base href=y/><img srcset=&quot;a 1x, b&quot;>\"></iframe>",  # noqa: E501
                "<iframe srcdoc='&lt;iframe srcdoc=&quot;&amp;lt;a href=z>&quot;>&lt;p style=\"a:url(&#39;q&#39;)\">'>",
                '<script type=application/ld+json>{"@context": {"@base": "c/"}, "@id": "d", "url": "e\\u00e9"}</script>',  # noqa: E501
                '<script type=importmap>{"imports": {"./a": "./b.js", "c": "/d"}, "scopes": {"e/": {}}}</script>',
                '<script type=speculationrules>{"prefetch": [{"urls": ["f", "../g"]}]}</script>',
                "<!--[if IE]><link href=ie.css><a href='x'><![endif]-->",
                "<noscript><img src=n></noscript>",
                '<svg class="i"><path d="M0 0z" fill="none"/></svg>',
                '<svg><use href="s.svg#i"></use></svg>',
                '<img data-src="l&amp;m" data-srcset="a 1x, b 2x"><a class="c" href="/p" rel="x" ping="q r">',
            ),
        ]
    ),
)
documents = st.lists(pieces, max_size=8).map("".join)
whole = settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.too_slow])
brief = settings(max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow])


QUOTES_AT_ENDS = re.compile(r"\A(?:[\"'=]|&(?:amp;)*quot;?|\x1b\(B)+|(?:[\"'=]|&(?:amp;)*quot;?)+\Z")


def nothing(link: rehref.Link) -> None:
    """A rule that changes nothing."""
    return


def targets(source: bytes | str, **options) -> list[tuple[str, str | None, str | None]]:
    return [(link.element, link.attribute, link.target) for link in rehref.links(source, url=URL, **options)]


def spelt(target: str | None) -> str | None:
    """A target as it is written where its characters cannot be: a space in a list, U+FFFD in windows-1252.

    A base with a space in it gives targets with one. NUL and broken bytes are read as U+FFFD, and without character
    references (in a script, in a sheet) what the encoding lacks is percent-encoded.
    """
    return None if target is None else target.replace(" ", "%20").replace("\ufffd", "%EF%BF%BD")


def stretches_between(source: bytes | str, links: list[rehref.Link]) -> list[bytes | str]:
    """What lies outside of the links' spans."""
    result = []
    last = 0
    for link in links:
        assert link.span is not None
        result.append(source[last : link.span[0]])
        last = link.span[1]
    return [*result, source[last:]]


def without_quotes(stretch: bytes | str) -> bytes | str:
    """An unquoted value may be given quotes, and one that is missing an equals sign: they are the value's, not its.

    In a `srcdoc` quotes are written as references, which get a semicolon if they need one now. In ISO-2022-JP an
    escape sequence ends what is not ASCII.
    """
    if isinstance(stretch, bytes):
        return without_quotes(stretch.decode("latin-1")).encode("latin-1")  # type: ignore[union-attr]
    return QUOTES_AT_ENDS.sub("", stretch)


def check_laws(source: bytes | str, *, local: bool = True, **options) -> None:
    """All laws that need no more than one document, in the source core."""
    assert rehref.rewrite(source, nothing, url=URL, **options) == source  # identity
    links = rehref.links(source, url=URL, **options)
    once = rehref.rewrite(source, url=URL, **options)
    again = rehref.links(once, url=URL, **options)
    assert [spelt(link.target) for link in again] == [spelt(link.target) for link in links]  # agreement
    assert rehref.rewrite(once, url=URL, **options) == once  # idempotence
    if local:
        before, after = stretches_between(source, links), stretches_between(once, again)
        assert list(map(without_quotes, before)) == list(map(without_quotes, after))  # locality


def bytes_in(text: str, encoding: str) -> bytes:
    python = {"shift_jis": "cp932", "euc-kr": "cp949", "gbk": "gb18030", "windows-1252": "cp1252"}.get(
        encoding, encoding
    )
    mark = b"\xff\xfe" if encoding == "utf-16le" else b""
    return mark + text.encode(python, "replace" if encoding != "utf-16le" else "surrogatepass")


@whole
@given(documents)
@example('<a ping="#x"><base href=": :">')
def test_the_laws_hold_on_text(html):
    check_laws(html)


@whole
@given(documents, st.sampled_from(ENCODINGS))
@example("<a style=\"background:url('ソ ')\">", "iso-2022-jp")
def test_the_laws_hold_on_bytes(html, encoding):
    check_laws(bytes_in(html, encoding), encoding=encoding)


def check_whatever_it_is(data, **options):
    """Check the laws; a container of which nothing can be read says so, and stays."""
    try:
        rehref.links(data)
    except rehref.ContainerError:
        assert rehref.rewrite(data, nothing) == rehref.rewrite(data) == data
    else:
        check_laws(data, **options)


@whole
@example('<script type=importmap>{"imports": {"./a": "./b.js"}}</script>', b"\0<", 39, "windows-1252")
@example('<iframe srcdoc="<img srcset=&quot;a>"></iframe>', b"\0", 33, "windows-1252")
@given(documents, st.binary(max_size=6), st.integers(0, 200), st.sampled_from(ENCODINGS))
@example("<iframe srcdoc='&lt;iframe srcdoc=&quot;&amp;lt;a href=z>&quot;>'>", b"", 0, "utf-8")
def test_the_laws_hold_on_broken_bytes(html, noise, place, encoding):
    data = bytes_in(html, encoding)
    # in these, what bytes mean depends on those beside them: a value with broken ones is written anew as a whole
    local = encoding not in ("utf-16le", "iso-2022-jp")
    check_whatever_it_is(data[:place] + noise + data[place:], encoding=encoding, local=local)


@whole
@given(st.binary(max_size=120))
@example(b"(\xb5/\xfd")
@example(b"\x1f\x8b")
def test_nothing_aborts_whatever_the_bytes(data):
    check_whatever_it_is(data)


@whole
@given(documents)
def test_the_laws_hold_with_all_that_can_be_asked_for(html):
    everything = {
        "conditional_comments": True,
        "attributes": ("*@data-src", "*@data-srcset"),
    }
    check_laws(html, **everything)
    check_laws(html, **everything, scripting=True)
    links = rehref.links(html, url=URL, **everything)
    once = rehref.rewrite(html, rehref.Absolute(metadata=True), url=URL, **everything)
    again = rehref.links(once, url=URL, **everything)
    assert [spelt(link.target) for link in again] == [spelt(link.target) for link in links]


def percent_encoded(target: str) -> str:
    """A target as lxml can write it."""
    return NOT_WRITTEN_BY_LXML.sub(lambda found: quote(found[0], errors="replace"), target)


@brief
@given(documents)
@pytest.mark.parametrize("core", CORES)
def test_identity_and_agreement_in_every_core(core, html):
    assert rehref.rewrite(html, nothing, url=URL, parser=core) == html
    links = targets(html, parser=core)
    once = rehref.rewrite(html, url=URL, parser=core)
    # a tree, written out and read again, may be another tree (HTML Standard, "serializing HTML fragments"), but what
    # is in it refers to the same
    intended = {spelt(target) for *_, target in links}
    if core == "lxml":  # which cannot write control characters (`rehref.markup._lxml.nodes`)
        intended |= {target and percent_encoded(target) for target in intended}
    assert {spelt(target) for *_, target in targets(once, parser=core)} <= intended


# ------------------------------------------------------------ every profile, and every choice of what becomes of a base

PROFILES = get_args(Profile)
BASE_ELEMENTS = get_args(BaseElement)
LOCAL = ("base", "fragment", "namespace", "metadata")
bases = st.sampled_from(
    [
        *("", "<base href='/c/d?e#f'>", "<base href='//o/p/'>", "<base href='http://o/p'>", "<base href='ftp://o/p/'>"),
        *("<base href='mailto:x'>", "<base href='urn:x:y'>", "<base href='data:,x'>", "<base href='javascript:x'>"),
        *("<base href='http://h:99999/d/'>", "<base href='http://a%2Fb/'>", "<base href='http:// h/'>"),
        *("<base href='\\\\o\\p\\'>", "<base href='\\p\\'>", "<base href='http:g/'>", "<base href='https:g/'>"),
        *("<base href='http://o\\p/q/'>", "<base href='http:g\\'>", "<base href='http://u\\@o/'>"),
        *("<base href='?q'>", "<base href='#f'>", "<base href=''>", "<base href='../../../x/'>", "<base href='//[x/'>"),
        *("<base href='//o/'><base href='mailto:x'>", "<base href='mailto:x'><base href='//o/'>"),
    ]
)
odd = st.sampled_from(
    [
        *(
            "x",
            "../x",
            "../../../x",
            "/x",
            "/./x",
            "/../x",
            "#y",
            "",
            "?page=2",
            "?",
            "#",
            "//o/p",
            "//",
            "///p",
            "//[x",
        ),
        *(
            "http:g",
            "https:g",
            "http:/g",
            "http:",
            "http:?q",
            "http://h:99999/",
            "//a%2Fb/x",
            "http://[v1.x]/",
            "ws:?q",
        ),
        *("\\img\\a.png", "\\\\o\\p", "/\\o", "x\\..\\y", "http:\\o", "x|y", "a b", "é?ü#ö", "x\ty", "mailto:a@b"),
        *("%2e%2e/x", "x/%2E/y", "a:b", "./a:b", "b.html", "b.html?q#y", "https://h.example/a/b.html#z", "x?y/../z"),
        *("./,x", "./ x", "./\\x", "./\\\\o/x", "./\x01x", "/a/ /x"),
    ]
)
OBJECT = "<object codebase='/p/' data='c' archive='d e'></object><form action='?x'>"
readings = st.builds(
    lambda base, texts, document: (
        base + "".join(f'<a href="{text}"></a><img src="{text}">' for text in texts) + document
    ),
    bases,
    st.lists(odd, max_size=5),
    st.one_of(st.sampled_from(["", OBJECT]), documents),
)


def meant(links: list[rehref.Link]) -> list[tuple[str, str | None, set[str | None]]]:
    """Where a rewritten reference may lead: where it led; or, if it leads browsers elsewhere, there.

    Left out is what no rule touches: identifiers and the like, and an empty `src`, which is none.
    """
    return [
        (link.element, link.attribute, {spelt(link.target), *(spelt(problem.target) for problem in differing(link))})
        for link in links
        if link.kind not in LOCAL and (link.reference != "" or link.element in ("a", "area"))
    ]


def differing(link: rehref.Link) -> list[rehref.Problem]:
    return [problem for problem in link.problems if problem.code == "browser-differs"]


def check_readings(html: str, rule, profile: Profile) -> None:
    """Agreement, the browser, idempotence: of what is read and written in one of the profiles."""
    once = rehref.rewrite(html, rule, url=URL, profile=profile)
    before, after = (meant(rehref.links(text, url=URL, profile=profile)) for text in (html, once))
    for old, new in zip(before, after, strict=True):
        assert new[:2] == old[:2]
        assert new[2] & old[2], (old, new, once)  # agreement
    before, after = (meant(rehref.links(text, url=URL, profile="whatwg")) for text in (html, once))
    assert after == before, once  # the browser
    assert rehref.rewrite(once, rule, url=URL, profile=profile) == once  # idempotence


@pytest.mark.sampled(5)
@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("base_element", BASE_ELEMENTS)
@brief
@given(readings)
@example('<a href="x"><base href="\\">')
@example(f"<base href='http://h:99999/d/'>{OBJECT}")
@example("<base href='http:// h/'><a href='///p'></a>")
@example("<base href='mailto:x'><a href='y'></a><a href='#z'></a>")
@example("<base href='//o/p/'><a href='\\img\\a.png'></a>")
@example("<a style=\"background:url(' #:')\" href=x>")
@example("<base href='/c/d?e#f'><a href='/\\'>")
@example("<base href='http://o/'><a href='/\\'>")
@example('<base href="x" style="background:url(\'x\')" href="x">')
def test_the_laws_hold_in_every_profile_whatever_becomes_of_the_base(profile, base_element, html):
    check_readings(html, rehref.Absolute(base_element=base_element), profile)


@pytest.mark.parametrize("profile", PROFILES)
@brief
@given(documents)
def test_identity_and_locality_in_every_profile(profile, html):
    check_laws(html, profile=profile)


@pytest.mark.parametrize("profile", PROFILES)
@brief
@given(readings)
@example("<a href='./ x'></a><a href='./\\x'></a><a href='./\\\\o/x'></a><a href='./\x01x'></a>")
@example("<img srcset='./,x'>")
def test_the_laws_hold_for_relative_references_in_every_profile(profile, html):
    check_readings(html, rehref.Relative(), profile)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("core", CORES)
def test_the_laws_hold_on_every_fixture(fixtures: Path, core):
    pages = sorted(fixtures.glob("*.html"))
    assert len(pages) > 20
    for page in pages:
        data = page.read_bytes()
        assert rehref.rewrite(data, nothing, url=URL, parser=core) == data, page.name
        if core == "source":
            check_laws(data)
        else:
            # the whole is written anew, and means the same
            links = [link for link in rehref.links(data, url=URL, parser=core) if link.kind != "base"]
            once = rehref.rewrite(data, url=URL, parser=core)
            again = [link for link in rehref.links(once, url=URL, parser=core) if link.kind != "base"]
            assert [link.target for link in again] == [link.target for link in links], page.name


SAVED = {
    URL: "a/b.html",
    "https://h.example/a/x": "a/x",
    "https://h.example/x": "x y",
    "https://h.example/a/b.html?q": "a/b.html?q",
    "https://o/p": "o/p",
    "https://h.example/": "index.html",
}
DISK = "file:///root/"


def on_disk(link: rehref.Link) -> str | None:
    """Where a browser is to go offline that went to the link's target."""
    assert link.target is not None
    document, mark, fragment = link.target.partition("#")
    if document in SAVED:
        document = rehref.resolve(DISK, SAVED[document].replace("?", "%3F"), "whatwg")
    return document + mark + fragment


@whole
@given(documents, st.sampled_from(("rfc3986", "whatwg")), st.sampled_from(("empty", "drop")))
@example('<a href="\\\\o\\p">', "rfc3986", "empty")
@example('<a href=""><base href="x">', "rfc3986", "empty")
@example("<base href=//o/><a href=p></a><img src='\t/x'>", "rfc3986", "drop")
@example('<a href="/\\">', "rfc3986", "empty")
def test_offline_a_browser_finds_what_is_saved_and_else_goes_where_it_went(html, profile, base_element):
    rule = rehref.Offline(SAVED, base_element=base_element)
    before = rehref.links(html, url=URL, profile="whatwg")
    # what browsers take for a base (`http:g`, `mailto:x`), the RFC may not
    assume(
        {link.base.uri for link in before} == {link.base.uri for link in rehref.links(html, url=URL, profile=profile)}
    )
    written = rehref.rewrite(html, rule, url=URL, profile=profile)
    after = rehref.links(written, url=DISK + "a/b.html", profile="whatwg")
    local = ("base", "fragment", "namespace", "metadata")
    before, after = ([link for link in links if link.kind not in local] for links in (before, after))
    for old, new in zip(before, after, strict=True):
        if old.target is None:
            assert new.target is None or new.reference == old.reference, (old, new)
        elif old.reference == "":
            means_nothing = new.reference in (old.reference, "../index.html", "index.html", "b.html")
            assert means_nothing or new.target == on_disk(old), (old, new)
        else:
            led = reached(clean(old.reference), "a/b.html") if old.base.uri == URL else None
            stays = new.reference == old.reference and led in SAVED.values()
            assert stays or new.target == on_disk(old), (old, new)
    at = DISK + "a/b.html"
    moved = rehref.Offline({rehref.resolve(DISK, path.replace("?", "%3F")): path for path in SAVED.values()})
    assert rehref.rewrite(written, moved, url=at) == written  # idempotence
