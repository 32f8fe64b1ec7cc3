"""The tables for XML: which attributes and texts carry references in the known vocabularies, and what decides it.

A table is for one vocabulary: a namespace, or the kind of document that the document element shows. XHTML, SVG and
MathML have theirs in `html_attributes.py`, what is not a feed in `xml_applications.py`. `GENERIC` has the attributes
that XLink, RDF and XML Schema put on elements of others. Kinds are those of `html_attributes.py`; what a feed reader
fetches with the entry is a `resource`, what names a thing rather than leading to it (`id`, `guid`) is `metadata`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rehref.documents._carriers.html_attributes import TEXT, CarrierRow, Table, table
from rehref.documents._carriers.xml_applications import APPLICATIONS, OPEN_SEARCH, ROOTS
from rehref.text import WHITE_SPACE, lower
from rehref.uri.syntaxes import Kind

ATOM = "http://www.w3.org/2005/Atom"
ATOM_03 = "http://purl.org/atom/ns#"
MEDIA = (
    "http://search.yahoo.com/mrss/",
    "http://search.yahoo.com/mrss",
    "http://video.search.yahoo.com/mrss/",
    "http://video.search.yahoo.com/mrss",
)
RSS = (
    "rss",
    "http://purl.org/rss/1.0/",
    "http://my.netscape.com/rdf/simple/0.9/",
    "http://channel.netscape.com/rdf/simple/0.9/",
    "http://purl.org/net/rss1.1#",
    "http://backend.userland.com/rss2",
)
XSI = "{http://www.w3.org/2001/XMLSchema-instance}"

_ROOTS = {"rss": "rss", "opml": "opml", "CHANNEL": "cdf", "package": "opf", **ROOTS}

_ATOM_ROWS: tuple[CarrierRow, ...] = (
    ("link", "href", "url", "hyperlink", "RFC 4287 §4.2.7; the kind is decided by rel"),
    ("content", "src", "url", "resource", "RFC 4287 §4.1.3.2"),
    ("icon logo", TEXT, "url", "resource", "RFC 4287 §4.2.5, §4.2.8"),
    ("uri", TEXT, "url", "hyperlink", "RFC 4287 §3.2.2"),
    ("url", TEXT, "url", "hyperlink", "Atom 0.3, person constructs"),
    ("id", TEXT, "url", "metadata", "RFC 4287 §4.2.6"),
    ("generator", "uri", "url", "hyperlink", "RFC 4287 §4.2.4"),
    ("generator", "url", "url", "hyperlink", "Atom 0.3, generator"),
    ("category", "scheme", "url", "metadata", "RFC 4287 §4.2.2.2"),
)

_RSS_ROWS: tuple[CarrierRow, ...] = (
    ("link", TEXT, "url", "hyperlink", "RSS 2.0, channel, item and image; decided by the parent"),
    ("comments docs", TEXT, "url", "hyperlink", "RSS 2.0, item and channel"),
    ("url", TEXT, "url", "resource", "RSS 2.0, image"),
    ("guid", TEXT, "url", "metadata", "RSS 2.0, item; decided by isPermaLink"),
    ("enclosure", "url", "url", "resource", "RSS 2.0, item"),
    ("source", "url", "url", "hyperlink", "RSS 2.0, item"),
    ("category", "domain", "url", "metadata", "RSS 2.0, channel and item"),
)

_MEDIA_ROWS: tuple[CarrierRow, ...] = (
    ("content thumbnail subTitle", "url", "url", "resource", "Media RSS"),
    ("subTitle", "href", "url", "resource", "Media RSS"),
    ("embed", "url", "url", "resource", "Media RSS"),
    ("player copyright", "url", "url", "hyperlink", "Media RSS"),
    ("license peerLink", "href", "url", "hyperlink", "Media RSS"),
    ("backLink response", TEXT, "url", "hyperlink", "Media RSS"),
    ("price", "info", "url", "hyperlink", "Media RSS"),
    ("category credit rating", "scheme", "url", "metadata", "Media RSS"),
)

_SITEMAP_ROWS: tuple[CarrierRow, ...] = (("loc", TEXT, "url", "hyperlink", "sitemaps.org, url and sitemap"),)

_CDF_ROWS: tuple[CarrierRow, ...] = (
    ("CHANNEL", "BASE", "url", "base", "Channel Definition Format, CHANNEL"),
    ("CHANNEL ITEM A", "HREF", "url", "hyperlink", "Channel Definition Format"),
    ("CHANNEL", "SELF", "url", "hyperlink", "Channel Definition Format, CHANNEL"),
    ("LOGO", "HREF", "url", "resource", "Channel Definition Format, LOGO"),
    ("LOGTARGET", "HREF", "url", "form", "Channel Definition Format, LOGTARGET"),
)

_OPML_ROWS: tuple[CarrierRow, ...] = (
    ("outline", "xmlUrl htmlUrl url", "url", "hyperlink", "OPML 2.0, outline"),
    ("docs ownerId", TEXT, "url", "hyperlink", "OPML 2.0, head"),
)

_MEDIA_OBJECTS = "imagedata videodata audiodata textdata graphic inlinegraphic"
_DOCBOOK_ROWS: tuple[CarrierRow, ...] = (
    ("ulink", "url", "url", "hyperlink", "DocBook 4"),
    (_MEDIA_OBJECTS, "fileref", "url", "resource", "DocBook"),
)

_OPF_ROWS: tuple[CarrierRow, ...] = (
    ("item", "href", "url", "resource", "EPUB 3.3 §5.6.2"),
    ("link", "href", "url", "hyperlink", "EPUB 3.3 §5.5.7"),
    ("reference", "href", "url", "hyperlink", "OPF 2.0.1 §2.6, guide"),
)

_NCX_ROWS: tuple[CarrierRow, ...] = (
    ("content", "src", "url", "hyperlink", "OPF 2.0.1 §2.4.1, NCX"),
    ("img audio", "src", "url", "resource", "NCX 2005-1"),
)

_SITEMAP = ("http://www.sitemaps.org/schemas/sitemap/0.9", "http://www.google.com/schemas/sitemap/0.84")
_ROWS: Mapping[tuple[str, ...], tuple[CarrierRow, ...]] = {
    (ATOM, ATOM_03): _ATOM_ROWS,
    RSS: _RSS_ROWS,
    MEDIA: _MEDIA_ROWS,
    _SITEMAP: _SITEMAP_ROWS,
    ("cdf",): _CDF_ROWS,
    ("opml",): _OPML_ROWS,
    ("docbook", "http://docbook.org/ns/docbook"): _DOCBOOK_ROWS,
    ("opf", "http://www.idpf.org/2007/opf"): _OPF_ROWS,
    ("http://www.daisy.org/z3986/2005/ncx/",): _NCX_ROWS,
    ("http://www.w3.org/2007/app",): (
        ("collection categories", "href", "url", "hyperlink", "RFC 5023 §8.3.3, §7.2.1"),
        ("categories", "scheme", "url", "metadata", "RFC 5023 §7.2.1"),
    ),
    ("http://purl.org/syndication/thread/1.0",): (
        ("in-reply-to", "href source", "url", "hyperlink", "RFC 4685 §3"),
        ("in-reply-to", "ref", "url", "metadata", "RFC 4685 §3"),
    ),
    ("http://wellformedweb.org/CommentAPI/", "http://wellformedweb.org/commentAPI/"): (
        ("comment", TEXT, "url", "form", "CommentAPI"),
        ("commentRss commentRSS", TEXT, "url", "hyperlink", "CommentAPI"),
    ),
    ("http://madskills.com/public/xml/rss/module/trackback/",): (
        ("ping", f"{TEXT} rdf:resource", "url", "form", "TrackBack module"),
        ("about", TEXT, "url", "hyperlink", "TrackBack module"),
    ),
    ("http://backend.userland.com/creativeCommonsRssModule",): (
        ("license", TEXT, "url", "hyperlink", "Creative Commons module for RSS 2.0"),
    ),
    ("http://web.resource.org/cc/", "http://creativecommons.org/ns#"): (
        ("license", "rdf:resource", "url", "hyperlink", "Creative Commons module for RSS 1.0"),
    ),
    ("http://purl.oclc.org/net/rss_2.0/enc#",): (
        ("enclosure", "rdf:resource", "url", "resource", "enclosure module for RSS 1.0"),
    ),
    ("http://www.itunes.com/dtds/podcast-1.0.dtd",): (
        ("image", "href", "url", "resource", "Apple's podcast elements"),
        ("new-feed-url", TEXT, "url", "hyperlink", "Apple's podcast elements"),
    ),
    ("http://www.google.com/schemas/play-podcasts/1.0",): (
        ("image", "href", "url", "resource", "Google Play's podcast elements"),
    ),
    (
        "https://podcastindex.org/namespace/1.0",
        "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
    ): (
        ("transcript chapters trailer", "url", "url", "resource", "Podcasting 2.0"),
        ("source", "uri", "url", "resource", "Podcasting 2.0"),
        ("image", "href", "url", "resource", "Podcasting 2.0"),
        ("images", "srcset", "srcset", "resource", "Podcasting 2.0"),
        ("chat", "embedUrl", "url", "resource", "Podcasting 2.0"),
        ("funding license", "url", "url", "hyperlink", "Podcasting 2.0"),
        ("person contentLink", "href", "url", "hyperlink", "Podcasting 2.0"),
        ("person", "img", "url", "resource", "Podcasting 2.0"),
        ("socialInteract", "uri accountUrl", "url", "hyperlink", "Podcasting 2.0"),
        ("remoteItem", "feedUrl", "url", "hyperlink", "Podcasting 2.0"),
    ),
    ("http://webfeeds.org/rss/1.0",): (
        ("cover", "image", "url", "resource", "Feedly's webfeeds"),
        ("icon logo", TEXT, "url", "resource", "Feedly's webfeeds"),
    ),
    ("http://rssnamespace.org/feedburner/ext/1.0",): (
        ("origLink origEnclosureLink", TEXT, "url", "hyperlink", "FeedBurner"),
    ),
    ("http://www.google.com/schemas/sitemap-image/1.1",): (
        ("loc", TEXT, "url", "resource", "image sitemaps"),
        ("license", TEXT, "url", "hyperlink", "image sitemaps"),
    ),
    ("http://www.google.com/schemas/sitemap-video/1.1",): (
        ("thumbnail_loc content_loc player_loc", TEXT, "url", "resource", "video sitemaps"),
        ("gallery_loc", TEXT, "url", "hyperlink", "video sitemaps"),
        ("uploader", "info", "url", "hyperlink", "video sitemaps"),
    ),
    ("http://www.w3.org/2001/XInclude",): (("include", "href", "url", "resource", "XInclude 1.1 §3.1"),),
    ("http://www.w3.org/1999/XSL/Transform",): (
        ("import include", "href", "url", "resource", "XSLT 2.0 §3.10.2, §3.10.3"),
    ),
    **APPLICATIONS,
    ("dita",): (*_DOCBOOK_ROWS, *APPLICATIONS[("dita",)]),
}

XML_CARRIERS: Mapping[str, Table] = MappingProxyType(
    {vocabulary: table(rows) for vocabularies, rows in _ROWS.items() for vocabulary in vocabularies}
)
"""The tables by vocabulary (`vocabulary_of`)."""

GENERIC: Table = table(
    (
        ("*", "xlink:href", "url", "hyperlink", "XLink 1.1 §5.4; the kind is decided by xlink:show and xlink:actuate"),
        ("*", "xlink:role xlink:arcrole", "url", "namespace", "XLink 1.1 §5.5"),
        ("*", "rdf:about rdf:resource", "url", "metadata", "RDF 1.1 XML Syntax §2.4, §2.5"),
        ("*", "rdf:datatype", "url", "namespace", "RDF 1.1 XML Syntax §2.9"),
    )
)
"""What elements of any vocabulary except XHTML, SVG and MathML carry, where their own table says nothing."""

EVERYWHERE: Table = table(
    (
        ("*", f"{XSI}schemaLocation", "spaces", "namespace", "XML Schema 1.1, Part 1 §2.7.3"),
        ("*", f"{XSI}noNamespaceSchemaLocation", "url", "namespace", "XML Schema 1.1, Part 1 §2.7.3"),
    )
)
"""What elements of all vocabularies carry."""

HTML_TEXTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        **dict.fromkeys(RSS, frozenset({"title", "description", "fullitem", "body"})),
        "http://purl.org/rss/1.0/modules/content/": frozenset({"encoded"}),
    }
)
"""Elements whose text is HTML, by vocabulary. Titles in RSS may be; a text without a tag means the same either way."""

TYPED_TEXTS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        ATOM: frozenset({"title", "subtitle", "summary", "rights", "content"}),
        ATOM_03: frozenset({"title", "tagline", "info", "summary", "copyright", "content"}),
        **dict.fromkeys(MEDIA, frozenset({"title", "description"})),
    }
)
"""Elements whose text is HTML if their attributes say so, by vocabulary."""


def vocabulary_of(namespace: str, root: tuple[str, str]) -> str:
    """The vocabulary of an element in a document whose document element has this namespace and name.

    That is its namespace or, for elements without one, what the document element shows: `rss`, `opml`, `cdf`, `opf`,
    those in `ROOTS`, and else `docbook`, whose names have no other meaning elsewhere. A DITA document may be a
    `reference`, as one in DocBook may: `dita` has both tables.
    """
    if namespace:
        return namespace
    return _ROOTS.get(root[1], "docbook") if root[0] == "" else "docbook"


XML_CONTEXT: frozenset[tuple[str, str, str]] = frozenset(
    {
        *((name, "link", "href") for name in (ATOM, ATOM_03)),
        *((name, "link", TEXT) for name in RSS),
        *((name, "guid", TEXT) for name in RSS),
        *((name, "Url", "template") for name in OPEN_SEARCH),
    }
)
"""Carriers that depend on more: vocabulary, element and attribute. `xlink:href` does on any element."""

DECIDING = frozenset({"rel", "isPermaLink", "type", "mode", "template", "xlink:show", "xlink:actuate"})
"""All attributes that decide: a `template` decides about itself."""

_RELATION = "http://www.iana.org/assignments/relation/"
_INPUTS = ("textinput", "textInput")
_ELSEWHERE = frozenset({"self", "collection"})


def decide_xml(
    vocabulary: str, element: str, attribute: str, value: str, attributes: Mapping[str, str], parent: str
) -> Kind | None:
    """What a carrier of `XML_CONTEXT`, or an `xlink:href`, is for; None: it carries no reference.

    `link` in Atom: `enclosure` is a `resource`, all else a `hyperlink`; a relation's name may be written as a URI (RFC
    4287 §4.2.7.2). `link` in RSS is a `form` in a text input. `guid` in RSS is a reference if it says that it is a
    permalink, or begins like an HTTP URL. `xlink:href` is a `resource` where the link is embedded, or followed when the
    document is loaded (XLink 1.1 §5.6). The `template` of OpenSearch is a reference if there is nothing to fill in; it
    leads to another document if its relation is `self` or `collection`, else a search is sent there.

    `attribute`: `TEXT` for the text. `attributes`: those of the element. `parent`: the local name of its parent.
    """
    if attribute == "xlink:href":
        embedded = attributes.get("xlink:show") == "embed" or attributes.get("xlink:actuate") == "onLoad"
        return "resource" if embedded else "hyperlink"
    if vocabulary in (ATOM, ATOM_03):
        rel = attributes.get("rel", "").strip(WHITE_SPACE).removeprefix(_RELATION)
        return "resource" if lower(rel) == "enclosure" else "hyperlink"
    if attribute == "template":
        if "{" in value:
            return None
        return "form" if _ELSEWHERE.isdisjoint(attributes.get("rel", "").split()) else "hyperlink"
    if element == "guid":
        return "metadata" if _is_permalink(value, attributes.get("isPermaLink")) else None
    return "form" if parent in _INPUTS else "hyperlink"


def _is_permalink(value: str, stated: str | None) -> bool:
    """Without `isPermaLink` a `guid` should be one, but often is not."""
    if stated is not None:
        return lower(stated.strip(WHITE_SPACE)) == "true"
    return lower(value.strip(WHITE_SPACE)).startswith(("http://", "https://"))


def is_html(vocabulary: str, element: str, attributes: Mapping[str, str]) -> bool:
    """Whether the text of an element of `TYPED_TEXTS` is HTML.

    In Atom 1.0 (and Media RSS) it is if `type` is `html`; the text of `content` also if it is `text/html`. In Atom 0.3
    with a type of HTML or XHTML and the mode `escaped`; Base64 is not read.
    """
    if element not in TYPED_TEXTS.get(vocabulary, ()):
        return False
    media_type = lower(attributes.get("type", "").partition(";")[0].strip(WHITE_SPACE))
    if vocabulary == ATOM_03:
        escaped = lower(attributes.get("mode", "").strip(WHITE_SPACE)) == "escaped"
        return escaped and media_type in ("text/html", "application/xhtml+xml")
    return media_type == "html" or (media_type == "text/html" and element == "content")
