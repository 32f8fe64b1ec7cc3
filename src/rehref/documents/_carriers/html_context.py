"""Carriers that depend on other attributes of the same element, such as `link` on its `rel`.

`CONTEXT` names these carriers and the attributes that decide; `decide` answers for one, given their values. The row in
`html_attributes` is the default without them. Keywords compare without regard to ASCII case; white space around one
counts in `http-equiv`, `type` and `valuetype` (enumerated attributes of the HTML Standard), but not in `name`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from rehref.documents._carriers.html_attributes import ANY, HTML_CARRIERS, SVG_CARRIERS
from rehref.markup.places import HTML, SVG
from rehref.text import WHITE_SPACE, lower
from rehref.uri.syntaxes import ORIGIN_RELS, SYNTAXES, Carrier, Kind

_META = "http-equiv", "name", "property", "itemprop"
_ANIMATED = "attributeName"

CONTEXT: Mapping[str, Mapping[tuple[str, str], tuple[str, ...]]] = MappingProxyType(
    {
        HTML: {
            ("link", "href"): ("rel", "type"),
            ("meta", "content"): _META,
            ("param", "value"): ("name", "valuetype"),
            ("input", "src"): ("type",),
        },
        SVG: {
            ("set", "to"): (_ANIMATED,),
            **{("animate", attribute): (_ANIMATED,) for attribute in ("from", "to", "values")},
        },
    }
)
"""By namespace, for each carrier that depends on its element: the attributes that decide."""

_FETCHED = {
    "HTML Standard, external resource links": (
        "dns-prefetch icon manifest modulepreload preconnect prefetch preload stylesheet"
    ),
    "other specifications, and what browsers fetch or fetched": (
        "apple-touch-icon apple-touch-icon-precomposed apple-touch-startup-image compression-dictionary "
        "fluid-icon fontdef import mask-icon prerender serviceworker subresource"
    ),
}

_SENT_RELS = frozenset({"pingback", "webmention", "edituri", "micropub"})
"""Keywords of `rel` that name where programs send something (HTML Standard, pingback; Webmention; RSD; Micropub)."""

FETCHED_RELS = frozenset(word for words in _FETCHED.values() for word in words.split())
"""Keywords of `rel` that make a link a resource of the page."""

_NAMES = {
    "Open Graph": (
        "og:image og:image:url og:url og:video og:video:url og:audio og:audio:url og:logo og:see_also "
        "article:publisher music:song music:album music:musician music:creator "
        "video:actor video:director video:writer video:series"
    ),
    "Twitter cards": (
        "twitter:image twitter:image:src twitter:image0 twitter:image1 twitter:image2 twitter:image3 "
        "twitter:url twitter:player twitter:player:stream "
        "twitter:app:url:iphone twitter:app:url:ipad twitter:app:url:googleplay"
    ),
    "Microsoft, pinned sites and tiles": (
        "msapplication-starturl msapplication-config msapplication-tileimage msapplication-square70x70logo "
        "msapplication-square150x150logo msapplication-square310x310logo msapplication-wide310x150logo"
    ),
    "scholarly indexes": (
        "citation_abstract_html_url citation_full_html_url citation_fulltext_html_url citation_pdf_url "
        "citation_public_url citation_xml_url citation_cover_image bepress_citation_pdf_url "
        "bepress_citation_abstract_html_url eprints.document_url"
    ),
    "search engines and news": (
        "thumbnail thumbnailurl original-source syndication-source identifier-url "
        "parsely-link parsely-image-url sailthru.image.full sailthru.image.thumb"
    ),
    "Farcaster frames": "fc:frame:image fc:frame:post_url",
    "schema.org, written with meta": (
        "image url logo photo sameas screenshot contenturl embedurl downloadurl installurl mainentityofpage "
        "primaryimageofpage"
    ),
}

URL_NAMES = frozenset(word for words in _NAMES.values() for word in words.split())
"""Names of metadata whose value is by definition a URL and nothing else, in lower case. Not those that hold one among
other things (`msapplication-task`), or as often a person's name (`article:author`)."""

_URL_PRAGMAS = frozenset({"x-xrds-location", "content-location", "content-base"})
_IS_DATA = re.compile(r"[\t\n\f\r ]*+data:", re.IGNORECASE).match
_PLAYED = frozenset({"movie", "src", "url", "filename"})

_REFRESH = Carrier("refresh", "hyperlink", "HTML Standard, http-equiv=refresh")
_METADATA = HTML_CARRIERS["meta", "content"]
_PARAMETER = HTML_CARRIERS["param", "value"]
_IMAGE_BUTTON = HTML_CARRIERS["input", "src"]
_LINKS: Mapping[Kind, Carrier] = MappingProxyType(
    {
        kind: Carrier("url", kind, "HTML Standard, the link element")
        for kind in ("hyperlink", "resource", "form", "fragment", "namespace")
    }
)
_STYLE = Carrier("css", "resource", "HTML Standard, the style element")
_DATA_STYLE = Carrier("data-style", "resource", "HTML Standard, the link element")
_ANIMATED_LISTS = SVG_CARRIERS["animate", "values"]._replace(syntax="semicolons")
_ORIGIN = Carrier("origin", "resource", "HTML Standard, preconnect and dns-prefetch")
_SCRIPTS: Mapping[str, Carrier] = MappingProxyType(
    {
        "importmap": Carrier("import-map", "resource", "HTML Standard, import maps"),
        "speculationrules": Carrier("speculation-rules", "resource", "HTML Standard, speculation rules"),
    }
)
_SCRIPTS_WITH_PARAMETERS = MappingProxyType({"application/ld+json": Carrier("json-ld", "metadata", "JSON-LD 1.1")})


@lru_cache(maxsize=256)
def link_kind(rel: str) -> Kind:
    """What the `href` of a `link` with this `rel` is for.

    `resource` if any keyword names something that a browser fetches or prepares because of the page; `form` if programs
    send something there (`pingback`); `fragment` for `expect` (an element of this page); `namespace` for `schema.…`
    (Dublin Core: the prefix of a vocabulary); else `hyperlink` (`alternate`, `canonical`, `next`, `license` …).
    `alternate stylesheet` is a style sheet.
    """
    words = [lower(word) for word in rel.split()]
    if not FETCHED_RELS.isdisjoint(words):
        return "resource"
    if not _SENT_RELS.isdisjoint(words):
        return "form"
    if "expect" in words:
        return "fragment"
    if any(word.startswith("schema.") for word in words):
        return "namespace"
    return "hyperlink"


@lru_cache(maxsize=256)
def _is_origin(rel: str) -> bool:
    """Whether only the origin of the `href` of a `link` with this `rel` counts: it has nothing but `preconnect` and the
    like.
    """
    fetched = FETCHED_RELS.intersection(map(lower, rel.split()))
    return fetched != frozenset() and fetched <= ORIGIN_RELS


def _has_style(href: str, rel: str, type_: str | None) -> bool:
    """Whether a `link` is a style sheet in a `data:` URL, with references (`rehref.uri._syntaxes.data_style`)."""
    if not _IS_DATA(href) or "stylesheet" not in map(lower, rel.split()):
        return False
    return is_css(type_) and bool(SYNTAXES["data-style"].find(href))


def _is_url_name(name: str) -> bool:
    name = lower(name)
    if name in URL_NAMES or name.endswith(":secure_url"):
        return True
    return name.startswith("al:") and name.endswith(":url")  # App Links: al:ios:url, al:android:url …


@lru_cache(maxsize=256)
def meta_carrier(http_equiv: str | None, name: str | None, prop: str | None, itemprop: str | None) -> Carrier | None:
    """What the `content` of a `meta` with these attributes carries; None: no reference.

    `http-equiv=refresh` navigates. `name`, `property` and `itemprop` are read alike, since authors confuse them; the
    last two may hold several names. Values are decoded; None means that there is no such attribute.
    """
    if http_equiv is not None:
        pragma = lower(http_equiv)
        if pragma == "refresh":
            return _REFRESH
        if pragma in _URL_PRAGMAS:
            return _METADATA
    names = [name.strip(WHITE_SPACE)] if name is not None else []
    names += prop.split() if prop is not None else []
    names += itemprop.split() if itemprop is not None else []
    return _METADATA if any(map(_is_url_name, names)) else None


def script_data(type_: str | None) -> Carrier | None:
    """How the text of a `script` of this type, without white space around it, carries references; None: a program, or
    other data (HTML Standard, "prepare the script element").
    """
    whole = lower(type_ or "")
    essence = whole.partition(";")[0].strip(WHITE_SPACE)
    return _SCRIPTS.get(whole.strip(WHITE_SPACE)) or _SCRIPTS_WITH_PARAMETERS.get(essence)


def is_css(type_: str | None) -> bool:
    """Whether a style sheet whose element has this `type` is CSS: if there is none, or it is empty or `text/css`.

    Parameters and white space do not count (HTML Standard, "update a `style` block"; SVG 2, the `style` element).
    """
    return lower(type_ or "") in ("", "text/css")


def style_sheet(type_: str | None) -> Carrier | None:
    """How the text of a `style` of this type carries references; None: it is in another language."""
    return _STYLE if is_css(type_) else None


def _animated(attribute: str, name: str) -> Carrier | None:
    """What an animation of the attribute with that name carries in an attribute of its own.

    CSS where it is a presentation attribute, references where it is `href`; `values` is a list of them (`by` is
    ignored: nothing can be added to either). What `href` leads to depends on the element that is animated: taken to be
    a resource.
    """
    if name in ("href", "xlink:href"):
        return _ANIMATED_LISTS if attribute == "values" else SVG_CARRIERS["animate", attribute]
    carrier = SVG_CARRIERS.get((ANY, name))
    return carrier if carrier is not None and carrier.syntax == "css" else None


def decide(element: str, attribute: str, attributes: Mapping[str, str]) -> Carrier | None:
    """What a carrier of `CONTEXT` carries, given the element's attributes (by their names as tables have them).

    None: no reference. The `src` of an `input` is fetched by an image button only; the `value` of a `param` is one with
    `valuetype=ref` (HTML 4.01), and with the names that plug-ins use for the address of what they play.
    """
    match element, attribute:
        case "link", "href":
            rel = attributes.get("rel", "")
            if _has_style(attributes.get("href", ""), rel, attributes.get("type")):
                return _DATA_STYLE
            return _ORIGIN if _is_origin(rel) else _LINKS[link_kind(rel)]
        case "meta", "content":
            return meta_carrier(*map(attributes.get, _META))
        case "param", "value":
            name = lower(attributes.get("name", "").strip(WHITE_SPACE))
            return _PARAMETER if lower(attributes.get("valuetype", "")) == "ref" or name in _PLAYED else None
        case "set" | "animate", _:
            return _animated(attribute, attributes.get(_ANIMATED, "").strip(WHITE_SPACE))
        case _:
            return _IMAGE_BUTTON if lower(attributes.get("type", "")) == "image" else None
