"""What in a page says which bytes a browser accepts, and that a change keeps it right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import rehref
from growth import assert_proportional
from hashed_site import hashed
from rehref.documents.base import Layers
from rehref.documents.integrity import Hashes
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document

STYLE = "p{background:url(x.png)}"
TYPES = {"html": MediaType.HTML, "xml": MediaType.XHTML, "css": MediaType.CSS}
NEW_STYLE = "p{background:url(http://h/x.png)}"


def policed(sources: str, style: str = STYLE) -> str:
    """A page with a policy."""
    return f'<meta http-equiv=Content-Security-Policy content="style-src {sources}"><style>{style}</style>'


def guards(page: str, reader: str = "html") -> list[tuple[str, str, bool]]:
    """The references, metadata, and whether browsers fetch something, of a page."""
    found = read_document(page, TYPES[reader], None, Layers(), ReadOptions.DEFAULT).guarded().guards
    return [(each.reference, each.metadata, each.fetched) for each in found]


@pytest.mark.parametrize(
    ("element", "fetched"),
    [
        ("<link rel=stylesheet href=x integrity=y>", True),
        ("<link rel='alternate StyleSheet' type=Text/CSS href=x integrity=y>", True),
        ("<link rel=stylesheet type=text/less href=x integrity=y>", False),
        ("<link rel=preload as=style href=x integrity=y>", True),
        ("<link rel=preload as=image href=x integrity=y>", False),
        ("<link rel=modulepreload href=x integrity=y>", True),
        ("<link rel=icon href=x integrity=y>", False),
        ("<script src=x integrity=y></script>", True),
        ("<script type=module src=x integrity=y></script>", True),
        ("<script type=' Text/JavaScript ' src=x integrity=y></script>", True),
        ("<script type=text/babel src=x integrity=y></script>", False),
        ("<script nomodule src=x integrity=y></script>", False),
    ],
)
def test_what_browsers_fetch_with_a_hash(element: str, fetched: bool) -> None:
    assert guards(element) == [("x", "y", fetched)]


@pytest.mark.parametrize(
    "element", ["<img src=x integrity=y>", "<script integrity=y>z</script>", "<svg><link href=x integrity=y />"]
)
def test_other_elements_have_none(element: str) -> None:
    assert guards(element) == []


def test_import_maps() -> None:
    page = '<script type=importmap>{"integrity": {"/a.js": "x\\/y", "b": 1}}</script>'
    assert guards(page) == [("/a.js", "x/y", True)]
    assert guards('<script type=importmap>{"integrity": ["a"]}</script><script type=importmap>{</script>') == []


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ('@import url("a" integrity("x"));', [("a", "x", True)]),
        (
            "p{background:url( 'a'  crossorigin(anonymous) INTEGRITY( 'x y' ) referrer-policy(origin))}",
            [("a", "x y", True)],
        ),
        ("p{background:image-set(url('a' integrity('x')) 1x, url('b') 2x)}", [("a", "x", True)]),
        ("p{background:url(a);x:integrity('x')}/* url('a' integrity('x')) */", []),
    ],
)
def test_references_in_css(value: str, found: list[tuple[str, str, bool]]) -> None:
    assert guards(value, "css") == found
    assert guards(f"<style>{value}</style>") == found
    assert guards(f"<style type=text/less>{value}</style>") == []
    if not value.startswith("@"):
        declaration = value[2 : value.rindex("}")].replace('"', "&quot;")
        assert guards(f'<p style="{declaration}">') == found


def test_pages_in_xml() -> None:
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><link rel="stylesheet" href="x" integrity="y"/></html>'
    assert guards(page, "xml") == [("x", "y", True)]


@pytest.mark.parametrize("parser", ["source", "lxml", "html5lib"])
@pytest.mark.parametrize("encoding", ["utf-8", "windows-1252", "utf-16"])
def test_a_policy_keeps_the_hashes_of_the_page_right(parser: str, encoding: str) -> None:
    hashes = [f"'{hashed(STYLE, algorithm)}'" for algorithm in ("sha256", "sha384", "sha512")]
    page = policed(f"'self' {' '.join(hashes)} '{hashed('é')}'")
    new = rehref.rewrite(page.encode(encoding), url="http://h/", parser=parser, encoding=encoding).decode(encoding)
    news = [f"'{hashed(NEW_STYLE, algorithm)}'" for algorithm in ("sha256", "sha384", "sha512")]
    expected = policed(f"'self' {' '.join(news)} '{hashed('é')}'")
    assert Hashes.in_policy(new).values == Hashes.in_policy(expected).values


def test_other_hashes_stay() -> None:
    page = policed(f"'{hashed('other')}'")
    assert rehref.rewrite(page, url="http://h/") == policed(f"'{hashed('other')}'", NEW_STYLE)


def test_a_hash_stays_where_a_content_stays() -> None:
    page = policed(f"'{hashed(STYLE)}'") + f"<base href=http://h/><svg><style>{STYLE}</style></svg>"
    new = rehref.rewrite(page, rehref.Mapping(lambda link: "y" if link.span and link.span[0] < 200 else None))
    assert f"'{hashed(STYLE.replace('x.png', 'y'))}' '{hashed(STYLE)}'" in new


def test_style_attributes_and_line_ends() -> None:
    style = "a{}\n" + STYLE
    page = (
        f"<meta http-equiv=Content-Security-Policy content=\"default-src 'unsafe-hashes' '{hashed(style)}' "
        f"'{hashed('background:url(a&b)')}'\"><style>a{{}}\r\n{STYLE}</style><p style='background:url(a&amp;b)'>"
    )
    new = rehref.rewrite(page.encode(), url="http://h/").decode()
    assert f"'{hashed('a{}' + chr(10) + NEW_STYLE)}' '{hashed('background:url(http://h/a&b)')}'" in new


def test_a_page_that_does_not_change_stays() -> None:
    page = policed(f"'{hashed(STYLE)}'").encode()
    assert rehref.rewrite(page, rehref.Mapping(lambda link: None), url="http://h/") == page


def test_a_policy_is_also_that_of_documents_inside() -> None:
    old, new = 'background:url("a")', 'background:url("http://h/a")'
    inner = f"<style>{STYLE}</style><iframe srcdoc='<p style=background:url(&quot;a&quot;)>'></iframe>"
    hashes = f"'{hashed(STYLE)}' '{hashed(old)}'"
    srcdoc = inner.replace("&", "&amp;")
    page = f'<meta http-equiv=Content-Security-Policy content="{hashes}"><iframe srcdoc="{srcdoc}">'
    assert f"'{hashed(NEW_STYLE)}' '{hashed(new)}'" in rehref.rewrite(page, url="http://h/")


@pytest.mark.parametrize(("number", "stays"), [(32, False), (33, True)])
def test_a_policy_does_not_grow_without_bound(number: int, stays: bool) -> None:
    page = policed(f"'{hashed(STYLE)}'") + f"<style>{STYLE}</style>" * (number - 1)
    new = rehref.rewrite(page, rehref.Mapping(lambda link: f"y{link.span}".replace(" ", "")), url="http://h/")
    assert new.count("sha256") == (1 if stays else number)


def test_hashes_take_linear_time() -> None:
    def rewriting(n: int) -> Callable[[], None]:
        page = policed(f"'{hashed(STYLE)}' " * n) + f"<style>{STYLE}</style>" * n

        def run() -> None:
            assert hashed(NEW_STYLE) in rehref.rewrite(page, url="http://h/")

        return run

    assert_proportional(rewriting, 100)
