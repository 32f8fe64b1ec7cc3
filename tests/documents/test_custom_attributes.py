"""Custom attributes: the table of lazy loading (`--lazy`)."""

from __future__ import annotations

import pytest

import rehref
from rehref.documents._custom_attributes import LAZY, LAZY_ROWS, custom_attribute

CORES = ("source", "lxml", "html5lib")


def found(html: str, **options) -> list[str]:
    return [link.reference for link in rehref.links(html, attributes=LAZY, **options)]


def test_every_row_says_where_it_is_from_and_names_each_attribute_once() -> None:
    names = [
        (element, attribute)
        for elements, attributes, _, _ in LAZY_ROWS
        for element in elements.split()
        for attribute in attributes.split()
    ]
    assert len(names) == len(set(names)) == len(LAZY)
    for elements, attributes, syntax, source in LAZY_ROWS:
        assert source
        assert (elements + attributes).lower() == elements + attributes
        for attribute in attributes.split():
            assert attribute.startswith(("data-", "nitro-"))
            assert (syntax == "srcset") == attribute.endswith(("srcset", "bgset", "original-set", "srcset-fg"))
    assert all(f"{one.element}@{one.attribute}={one.syntax}" in LAZY for one in map(custom_attribute, LAZY))


@pytest.mark.parametrize("core", CORES)
def test_what_the_loaders_write_is_found(core: str) -> None:
    html = (
        "<!DOCTYPE html><body>"
        '<img class="lazyload" data-src="s1.jpg" data-srcset="s2.jpg 1x, s3.jpg 2x">'  # lazysizes
        '<div class="lazyload" data-bg="b1.jpg"></div><video data-poster="p1.jpg"></video>'  # its unveilhooks
        '<picture data-iesrc="i1.jpg"></picture><div data-background-image="b2.jpg"></div>'  # lozad
        '<div data-bg="url(\'b3.jpg\')" data-bg-multi="url(b4.jpg), url(b5.jpg)"></div>'  # vanilla-lazyload
        '<img src="data:," data-lazy-src="l1.jpg" data-lazy-srcset="l2.jpg 300w, l3.jpg 600w">'  # WP Rocket
        '<img data-src="u1.jpg" data-src-retina="u2.jpg"><img data-retina="true">'  # unveil
        '<img data-original="o1.jpg" width=1><div data-original="o2.jpg"></div><p data-original="3"></p>'  # Lazy Load
        '<img data-normal="n1.jpg" data-retina="n2.jpg">'  # Layzr
        '<img data-src="q1" data-image="q2.jpg" data-image-dimensions="1500x1000" data-load="false">'  # Squarespace
        '<span data-img-url="t1.jpg"></span><img data-lsrc="t2.jpg"><img data-lazy="t3.jpg">'  # tagDiv; slick
        '<div data-background="dark" data-bg="#fff" data-e-bg-lazyload=".x"></div><a data-href="h1">a</a>'
        '<script type=rocketlazyloadscript data-rocket-src="w1"></script><script data-pmdelayedscript="w2"></script>'
        '<img data-opt-src="w3"><img data-breeze="w4" data-brsrcset="w5 1x"><img data-ezsrc="w6" data-ezsrcset="w7 1x">'
        '<iframe data-phast-src="w8"></iframe><img data-src-fg="w9" data-srcset-fg="v1 1x"><img data-large_image="v2">'
        '<iframe data-cookieblock-src="v3"></iframe><iframe data-src-cmplz="v4" data-cmp-src="v5"></iframe>'
        '<p data-cmplz-src="v6"></p><p data-bg-src="v7.jpg"></p><p data-cmp-src="no"></p>'
        "</body>"
    )
    assert [each for each in found(html, parser=core) if each != "data:,"] == [
        *("s1.jpg", "s2.jpg", "s3.jpg", "b1.jpg", "p1.jpg", "i1.jpg", "b2.jpg", "b3.jpg", "b4.jpg", "b5.jpg"),
        *("l1.jpg", "l2.jpg", "l3.jpg", "u1.jpg", "u2.jpg", "o1.jpg", "o2.jpg", "n1.jpg", "n2.jpg", "q1", "q2.jpg"),
        *("t1.jpg", "t2.jpg", "t3.jpg", "h1", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9"),
        *("v1", "v2", "v3", "v4", "v5", "v6", "v7.jpg"),
    ]


@pytest.mark.parametrize("core", CORES)
def test_it_is_rewritten_in_its_micro_syntax(core: str) -> None:
    html = (
        "<p data-bg='a b.jpg'></p><p data-bg='url(c.jpg), none'></p>"
        "<p data-bg-multi=\"url('d')\"></p><p data-bg=dark></p>"
    )
    after = rehref.rewrite(html, url="http://h/", attributes=LAZY, parser=core)
    assert found(after, parser=core) == ["http://h/a b.jpg", "http://h/c.jpg", "http://h/d"]
    if core == "source":
        assert after == (
            "<p data-bg='http://h/a b.jpg'></p><p data-bg='url(http://h/c.jpg), none'></p>"
            "<p data-bg-multi=\"url('http://h/d')\"></p><p data-bg=dark></p>"
        )


def test_a_replay_server_is_reported_what_will_be_loaded() -> None:
    html = (
        "<img data-src=a data-lazy-srcset='b 1x'><iframe data-src=c></iframe><script data-src=d></script>"
        "<p data-bg=e.f>"
    )
    after = rehref.rewrite(html, rehref.Template("r:{modifier}/{uri}"), url="http://h/", attributes=LAZY)
    assert found(after) == [
        f"r:{each}"
        for each in ("im_/http://h/a", "im_/http://h/b", "if_/http://h/c", "js_/http://h/d", "oe_/http://h/e.f")
    ]
