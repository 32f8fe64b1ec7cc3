"""Custom attributes that carry references, such as `data-src`: those that options name, and the table of lazy loading.

Only the scripts of a page give these attributes a meaning, so they are read on request only. The table has the default
names of the well-known loaders, sliders and optimizers, by their repositories on GitHub or their documentation; where
only software that reads such pages documents a name, it names that. A name that means something else on other elements
is there only for the elements that it is meant for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from rehref.documents._carriers.html_attributes import ANY
from rehref.exceptions import CustomAttributeError, OptionError
from rehref.option_rows import is_attribute_name
from rehref.text import lower
from rehref.uri.syntaxes import SYNTAXES, Kind, Syntax

_SYNTAXES: Mapping[str, Syntax] = {name: name for name, row in SYNTAXES.items() if row.is_for_custom_attributes}

LazyRow: TypeAlias = tuple[str, str, Syntax, str]
"""Elements and attributes (each separated by spaces), micro-syntax, and the source of the row."""

_IMAGES = "img source iframe video audio embed input"
_BOXES = "div section article header footer main aside figure span li a p td i"

# Without a row: values that a loader completes itself (addresses with `{width}` in them are read as they are), lists
# with other separators (`data-src="a.jpg|b.jpg"` of bLazy is one reference), JSON (`data-settings` of Elementor's
# slideshows), and modules (`data-require` of lazysizes). Elementor keeps its lazy backgrounds in style sheets
# (`--e-bg-lazyload: url(…)`), where they are found anyway; its `data-e-bg-lazyload` is a selector.
LAZY_ROWS: tuple[LazyRow, ...] = (
    (
        "*",
        "data-src",
        "url",
        "aFarkas/lazysizes, ApoorvSaxena/lozad.js, verlok/vanilla-lazyload, dkern/jquery.lazy, luis-almeida/unveil, "
        "dinbror/blazy, a3 Lazy Load, Smush, LiteSpeed Cache, Autoptimize, Swiper, Owl Carousel, UIkit; Squarespace "
        "(developers.squarespace.com/image-loader)",
    ),
    ("*", "data-srcset", "srcset", "the same; callmecavs/layzr.js"),
    ("*", "data-href", "url", "links that scripts follow"),
    ("*", "data-lazy-src", "url", "wp-media/rocket-lazyload-common (WP Rocket), Jetpack, BJ Lazy Load"),
    ("*", "data-lazy-srcset", "srcset", "the same"),
    (_IMAGES, "data-original", "url", "tuupola/lazyload, verlok/vanilla-lazyload before 9"),
    (_BOXES, "data-original", "image", "tuupola/lazyload, of backgrounds"),
    ("img source", "data-original-set data-original-srcset", "srcset", "verlok/vanilla-lazyload before 9"),
    ("*", "data-bg", "image", "verlok/vanilla-lazyload (before 13 a CSS value), lazysizes unveilhooks, WP Rocket"),
    ("*", "data-bg-hidpi", "image", "verlok/vanilla-lazyload"),
    ("*", "data-bg-multi data-bg-multi-hidpi data-bg-set", "css", "verlok/vanilla-lazyload"),
    ("*", "data-background-image", "image", "ApoorvSaxena/lozad.js"),
    ("*", "data-background-image-set", "css", "ApoorvSaxena/lozad.js"),
    ("*", "data-background", "image", "nolimits4web/swiper"),
    ("*", "data-style", "css", "Twitter cards"),
    ("*", "data-bg-image", "image", "themes for Bootstrap"),
    ("*", "data-bgset", "srcset", "aFarkas/lazysizes, plugin bgset"),
    (
        "video audio",
        "data-poster",
        "url",
        "aFarkas/lazysizes unveilhooks, ApoorvSaxena/lozad.js, verlok/vanilla-lazyload",
    ),
    ("picture", "data-iesrc", "url", "ApoorvSaxena/lozad.js"),
    ("*", "data-src-retina", "url", "luis-almeida/unveil, Owl Carousel"),
    ("img", "data-retina", "image", "dkern/jquery.lazy, callmecavs/layzr.js"),
    ("img", "data-normal", "image", "callmecavs/layzr.js"),
    ("*", "data-layzr data-layzr-retina", "image", "callmecavs/layzr.js 1"),
    ("img", "data-lazy", "image", "kenwheeler/slick"),
    ("img", "data-lazy-original data-lazysrc data-envira-src", "url", "named by wp-media/rocket-lazyload-common"),
    ("img", "data-lazyload", "image", "Slider Revolution"),
    ("img", "data-flickity-lazyload data-flickity-lazyload-src", "url", "metafizzy/flickity"),
    ("img", "data-flickity-lazyload-srcset", "srcset", "metafizzy/flickity"),
    ("*", "data-flickity-bg-lazyload", "url", "metafizzy/flickity-bg-lazyload"),
    ("img", "data-splide-lazy", "url", "Splidejs/splide"),
    ("img source", "data-splide-lazy-srcset", "srcset", "Splidejs/splide"),
    ("img", "data-echo", "url", "toddmotto/echo"),
    ("*", "data-echo-background", "url", "toddmotto/echo"),
    ("img iframe", "data-pagespeed-lazy-src", "url", "apache/incubator-pagespeed-mod, lazyload_images"),
    ("img", "data-pagespeed-high-res-src", "url", "apache/incubator-pagespeed-mod, inline_preview_images"),
    ("img", "data-pagespeed-high-res-srcset", "srcset", "the same"),
    ("img", "data-cfsrc", "url", "Cloudflare Mirage"),
    ("*", "nitro-lazy-src", "url", "NitroPack"),
    ("*", "nitro-lazy-srcset", "srcset", "NitroPack"),
    ("iframe script", "data-litespeed-src", "url", "litespeedtech/lscache_wp"),
    ("*", "data-wpfc-original-src", "url", "WP Fastest Cache"),
    ("*", "data-wpfc-original-srcset", "srcset", "WP Fastest Cache"),
    ("script", "data-rocket-src", "url", "WP Rocket, of delayed scripts"),
    ("script", "data-pmdelayedscript", "url", "Perfmatters, of delayed scripts"),
    ("img", "data-opt-src", "url", "Optimole"),
    ("img", "data-breeze", "url", "Breeze"),
    ("img", "data-brsrcset", "srcset", "Breeze"),
    ("*", "data-ezsrc", "url", "Ezoic"),
    ("*", "data-ezsrcset", "srcset", "Ezoic"),
    ("iframe", "data-phast-src", "url", "kiboit/phast"),
    ("img", "data-src-fg", "url", "fooplugins/foogallery"),
    ("img", "data-srcset-fg", "srcset", "fooplugins/foogallery"),
    ("img", "data-large_image", "url", "woocommerce/woocommerce, gallery of a product"),
    ("iframe img script", "data-cookieblock-src", "url", "Cookiebot, until there is consent"),
    ("*", "data-src-cmplz data-cmplz-src", "url", "Complianz, until there is consent"),
    ("iframe script", "data-cmp-src", "url", "consentmanager.net, until there is consent"),
    ("*", "data-bg-src", "image", "themes by Vecuro and Themeholy"),
    ("img", "data-orig-src", "image", "Avada (Fusion Builder)"),
    ("img", "data-nectar-img-src", "url", "Salient"),
    ("img", "data-nectar-img-srcset", "srcset", "Salient"),
    ("img", "data-image", "image", "Squarespace (developers.squarespace.com/image-loader)"),
    ("*", "data-img-url", "image", "tagDiv Newspaper"),
    (
        "img",
        "data-lsrc data-actualsrc data-delayed-url data-li-src",
        "url",
        "named by readers (Readability4J among them)",
    ),
    ("img", "data-hi-res-src data-full-src data-original-src", "url", "named by readers"),
)


def lazy_attributes() -> Iterator[str]:
    """The rows as `ELEMENT@ATTRIBUTE=SYNTAX`, one for each element and attribute."""
    for elements, attributes, syntax, _ in LAZY_ROWS:
        for element in elements.split():
            for attribute in attributes.split():
                yield f"{element}@{attribute}={syntax}"


LAZY = tuple(lazy_attributes())
"""Attributes in which scripts for lazy loading look for addresses, as `custom_attribute` parses them."""


class CustomAttribute(NamedTuple):
    """An attribute that carries references on an element; `element` is `*` for any element."""

    element: str
    attribute: str
    syntax: Syntax
    kind: Kind


def custom_attribute(text: str) -> CustomAttribute:
    """Parse `element@name` or `element@name=SYNTAX`; without an element, or with `*`, it applies to any element.

    Without a syntax, the name decides: a name that ends in `srcset` has that syntax. The name also decides the kind: a
    name that ends in `href` is a hyperlink, any other a resource. Raises `CustomAttributeError` for any other text.
    """
    names, has_syntax, syntax_name = text.partition("=")
    element, at, attribute = names.rpartition("@")
    attribute = lower(attribute.strip())
    element = lower(element.strip()) or ANY
    if not attribute or any(char in attribute for char in "\t\n\f\r />=\"'") or (at and " " in element):
        raise CustomAttributeError(f"{text!r} does not name an attribute", "write element@name, such as img@data-src")
    if not has_syntax:
        syntax_name = "srcset" if attribute.endswith("srcset") else "url"
    syntax = _SYNTAXES.get(syntax_name)
    if syntax is None:
        raise CustomAttributeError(f"{syntax_name!r} is not a micro-syntax", f"there are {', '.join(_SYNTAXES)}")
    kind: Kind = "hyperlink" if attribute.endswith("href") else "resource"
    return CustomAttribute(element, attribute, syntax, kind)


def attributes_of(
    attributes: Sequence[str], lazy_attributes: str | Sequence[str] | None, *, lazy: bool
) -> tuple[str, ...]:
    """All attributes that `--attribute`, `--lazy-attributes` and `--lazy` name. Raises `OptionError`.

    `--attribute` takes precedence. `lazy_attributes`: names, or a text of names separated by commas.
    """
    for text in attributes:
        try:
            custom_attribute(text)
        except CustomAttributeError as error:
            raise OptionError(f"--attribute {text}", error.what, error.remedy) from error
    if lazy_attributes is None:
        return (*LAZY, *attributes) if lazy else tuple(attributes)
    given = lazy_attributes.split(",") if isinstance(lazy_attributes, str) else lazy_attributes
    names = [name.strip() for name in given]
    for name in names:
        if not is_attribute_name(name):
            remedy = "separate names by commas, such as data-src,data-original"
            raise OptionError("--lazy-attributes", f"{name!r} is not the name of an attribute", remedy)
    return (*names, *attributes)


@lru_cache(maxsize=8)
def also_lazy(attributes: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The attributes and those of lazy loading; and the names (`*@data-src`) of the latter that nobody asked for."""
    asked = {_place(text) for text in attributes}
    return (*LAZY, *attributes), frozenset(map(_place, LAZY)) - asked


def _place(text: str) -> str:
    found = custom_attribute(text)
    return f"{found.element}@{found.attribute}"
