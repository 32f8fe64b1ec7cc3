"""Carriers that other attributes of the element decide."""

from __future__ import annotations

import pytest

import rehref
from rehref.documents._carriers import html_context as context
from rehref.documents._carriers.html_attributes import HTML_CARRIERS, SVG_CARRIERS
from rehref.markup.places import HTML, SVG

CORES = ("source", "lxml", "html5lib")


@pytest.mark.parametrize(
    ("rel", "kind"),
    [
        ("stylesheet", "resource"),
        ("Alternate StyleSheet", "resource"),
        ("shortcut icon", "resource"),
        ("\tapple-touch-icon\n", "resource"),
        ("preload", "resource"),
        ("modulepreload", "resource"),
        ("manifest", "resource"),
        ("dns-prefetch", "resource"),
        ("preconnect", "resource"),
        ("pingback", "form"),
        ("EditURI", "form"),
        ("webmention", "form"),
        ("canonical", "hyperlink"),
        ("alternate", "hyperlink"),
        ("next", "hyperlink"),
        ("author license", "hyperlink"),
        ("", "hyperlink"),
        ("stylesheets", "hyperlink"),
        ("expect", "fragment"),
        ("schema.DC", "namespace"),
        ("mas\u212a-icon", "hyperlink"),  # the Kelvin sign
    ],
)
def test_link(rel: str, kind: str) -> None:
    assert context.link_kind(rel) == kind
    carrier = context.decide("link", "href", {"rel": rel})
    assert carrier is not None
    assert (carrier.syntax, carrier.kind) == ("origin" if rel in ("dns-prefetch", "preconnect") else "url", kind)


@pytest.mark.parametrize(
    ("rel", "syntax"),
    [
        ("preconnect dns-prefetch", "origin"),
        ("PreConnect noopener", "origin"),
        ("preconnect stylesheet", "url"),
        ("prefetch dns-prefetch", "url"),
    ],
)
def test_of_what_is_only_connected_to_the_origin_counts(rel: str, syntax: str) -> None:
    carrier = context.decide("link", "href", {"rel": rel})
    assert carrier is not None
    assert (carrier.syntax, carrier.kind) == (syntax, "resource")


def test_link_without_rel() -> None:
    assert context.decide("link", "href", {}) is not None


@pytest.mark.parametrize("http_equiv", ["refresh", "REFRESH"])
def test_meta_refresh(http_equiv: str) -> None:
    carrier = context.meta_carrier(http_equiv, "og:image", None, None)
    assert carrier is not None
    assert (carrier.syntax, carrier.kind) == ("refresh", "hyperlink")


@pytest.mark.parametrize(
    "name",
    [
        "og:image",
        "OG:Image",
        " og:url ",
        "og:image:secure_url",
        "og:video",
        "og:audio",
        "twitter:image",
        "twitter:player",
        "msapplication-TileImage",
        "msapplication-config",
        "al:ios:url",
        "citation_pdf_url",
        "citation_cover_image",
        "fc:frame:image",
        "fc:frame:post_url",
        "thumbnailUrl",
    ],
)
def test_meta_names_of_urls(name: str) -> None:
    for arguments in ((None, name, None, None), (None, None, name, None), (None, None, None, name)):
        carrier = context.meta_carrier(*arguments)
        assert carrier is not None
        assert (carrier.syntax, carrier.kind) == ("url", "metadata")


def test_meta_property_is_a_list() -> None:
    assert context.meta_carrier(None, None, "dc:title og:image", None) is not None
    assert context.meta_carrier(None, "dc:title og:image", None, None) is None
    assert context.meta_carrier(None, None, None, "name image") is not None


@pytest.mark.parametrize(
    "arguments",
    [
        (None, None, None, None),
        (" refresh", None, None, None),
        ("content-type", None, None, None),
        ("X-UA-Compatible", None, None, None),
        (None, "description", None, None),
        (None, "msapplication-task", None, None),
        (None, "og:title", "og:image:alt", None),
        (None, None, "article:author", None),
        (None, "viewport", None, "name"),
        ("", "", "", ""),
    ],
)
def test_meta_without_reference(arguments: tuple[str | None, str | None, str | None, str | None]) -> None:
    assert context.meta_carrier(*arguments) is None


def test_meta_by_its_attributes() -> None:
    refresh = context.decide("meta", "content", {"http-equiv": "refresh", "content": "0;url=x"})
    image = context.decide("meta", "content", {"property": "og:image"})
    assert refresh is not None
    assert refresh.syntax == "refresh"
    assert image is HTML_CARRIERS["meta", "content"]
    assert context.decide("meta", "content", {"charset": "utf-8"}) is None


@pytest.mark.parametrize(
    ("name", "valuetype", "is_reference"),
    [
        (None, "ref", True),
        ("quality", "REF", True),
        ("movie", None, True),
        ("Src", "data", True),
        ("quality", None, False),
        ("x", "object", False),
        (None, None, False),
    ],
)
def test_param(name: str | None, valuetype: str | None, is_reference: bool) -> None:
    attributes = {key: text for key, text in (("name", name), ("valuetype", valuetype)) if text is not None}
    assert (context.decide("param", "value", attributes) is not None) == is_reference


@pytest.mark.parametrize(
    ("type_", "is_reference"), [("image", True), ("IMAGE", True), (" image", False), (None, False)]
)
def test_input(type_: str | None, is_reference: bool) -> None:
    carrier = context.decide("input", "src", {} if type_ is None else {"type": type_})
    assert carrier is (HTML_CARRIERS["input", "src"] if is_reference else None)


@pytest.mark.parametrize(
    ("type_", "data"),
    [
        ("importmap", "import-map"),
        (" ImportMap\n", "import-map"),
        ("speculationrules", "speculation-rules"),
        ("application/ld+json", "json-ld"),
        ("Application/LD+JSON; charset=utf-8", "json-ld"),
        ("importmap;x", None),
        ("module", None),
        ("text/javascript", None),
        ("", None),
        (None, None),
    ],
)
def test_script(type_: str | None, data: str | None) -> None:
    carrier = context.script_data(type_)
    assert (None if carrier is None else carrier.syntax) == data


def test_context_names_rows_of_the_table_and_what_decides() -> None:
    for table, carriers in ((HTML_CARRIERS, context.CONTEXT[HTML]), (SVG_CARRIERS, context.CONTEXT[SVG])):
        for key, attributes in carriers.items():
            assert key in table
            assert attributes


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    ("markup", "references"),
    [
        ('<image href="a"><set attributeName=href to=" b "/></image>', ["a", "b"]),
        ('<image><animate attributename="xlink:href" from=a to=b by=no values=" c; d;;e "/></image>', list("abcde")),
        ("<rect><set attributeName=mask to='url(#m)'/></rect>", ["#m"]),
        ("<rect><animate attributeName=fill values='url(a#b); red; url(#c)'/></rect>", ["a#b", "#c"]),
        ("<rect><set attributeName=width to=3 /><set to=a /><animate attributeName=d to=b /></rect>", []),
        ("<animateMotion attributeName=href to=a />", []),
    ],
)
def test_what_an_animation_sets(core: str, markup: str, references: list[str]) -> None:
    found = rehref.links(f"<svg>{markup}</svg>", parser=core)
    assert [link.reference for link in found] == references
    assert rehref.links(f"<set attributeName=href to=a>{markup}", parser=core) == [], "elsewhere it means nothing"


def test_an_animation_in_xml_is_read_and_written() -> None:
    picture = (
        b'<svg xmlns="http://www.w3.org/2000/svg"><image><set attributeName="href" to="a.png"/>'
        b'<animate attributeName="href" values="b.png;c.png?x=1"/></image></svg>'
    )
    made = rehref.rewrite(picture, url="https://h.example/d/", media_type="image/svg+xml")
    assert made == picture.replace(b'"a', b'"https://h.example/d/a').replace(
        b"b.p", b"https://h.example/d/b.p"
    ).replace(b"c.p", b"https://h.example/d/c.p")
    assert b"a%3Bb" in rehref.rewrite(picture, lambda link: "a;b", url="https://h.example/d/")


def test_names_are_in_lower_case() -> None:
    for name in context.URL_NAMES | context.FETCHED_RELS:
        assert name == name.lower()
