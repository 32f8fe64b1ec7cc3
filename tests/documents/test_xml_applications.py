"""XML outside of feeds, and what feeds have in other namespaces: each row finds its reference."""

from __future__ import annotations

import pytest

import rehref
from rehref.documents._carriers.xml_applications import APPLICATIONS

URL = "http://h.example/d/META-INF/x.xml"

MEDIA = "http://video.search.yahoo.com/mrss/"
PODCAST = "https://podcastindex.org/namespace/1.0"
LONG_PODCAST = "https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"
FEEDS = "http://webfeeds.org/rss/1.0"
SEARCH = "http://a9.com/-/spec/opensearch/1.1/"
MOZILLA = "http://www.mozilla.org/2006/browser/search/"
SMIL = "http://www.w3.org/ns/SMIL"
CONTAINER = "urn:oasis:names:tc:opendocument:xmlns:container"
KML = "http://www.opengis.net/kml/2.2"
GPX = "http://www.topografix.com/GPX/1/1"
XSPF = "http://xspf.org/ns/0/"
TEI = "http://www.tei-c.org/ns/1.0"
XSD = "http://www.w3.org/2001/XMLSchema"
RELAX_NG = "http://relaxng.org/ns/structure/1.0"
WSDL = "http://schemas.xmlsoap.org/wsdl/"
VML = "urn:schemas-microsoft-com:vml"

ROWS = [  # namespace, document element, its content, and the kinds of the references in it, which are 1, 2, 3 …
    (MEDIA, "x", '<embed url="1"/><copyright url="2"/><price info="3"/>', "resource hyperlink hyperlink"),
    (MEDIA, "x", "<backLinks><backLink>1</backLink></backLinks><response>2</response>", "hyperlink hyperlink"),
    (MEDIA, "x", '<category scheme="1"/><credit scheme="2"/><rating scheme="3"/>', "metadata metadata metadata"),
    (PODCAST, "x", '<trailer url="1"/><source uri="2"/><image href="3"/>', "resource resource resource"),
    (PODCAST, "x", '<images srcset="1 1x, 2 2x"/><chat embedUrl="3"/>', "resource resource resource"),
    (PODCAST, "x", '<contentLink href="1"/><remoteItem feedUrl="2"/>', "hyperlink hyperlink"),
    (PODCAST, "x", '<socialInteract uri="1" accountUrl="2"/>', "hyperlink hyperlink"),
    (LONG_PODCAST, "x", '<transcript url="1"/>', "resource"),
    (FEEDS, "x", '<cover image="1"/><icon>2</icon><logo>3</logo>', "resource resource resource"),
    (SEARCH, "x", '<Url template="1"/><Url rel="self" template="2"/><Image>3</Image>', "form hyperlink resource"),
    (SEARCH, "x", '<Url template="s?q={searchTerms}"/><y template="z"/>', ""),
    (MOZILLA, "x", "<SearchForm>1</SearchForm><UpdateUrl>2</UpdateUrl>", "hyperlink resource"),
    (MOZILLA, "SearchPlugin", '<IconUpdateUrl>1</IconUpdateUrl><Url template="2"/>', "resource form"),
    ("", "browserconfig", '<square70x70logo src="1"/><TileImage src="2"/>', "resource resource"),
    ("", "browserconfig", '<badge><polling-uri src="1"/></badge><polling-uri5 src="2"/>', "resource resource"),
    ("", "browserconfig", '<wide310x150logo src="1"/><square310x310logo src="2"/>', "resource resource"),
    (SMIL, "smil", '<text src="1"/><audio src="2"/><video src="3"/>', "resource resource resource"),
    (SMIL, "smil", '<seq xmlns:e="http://www.idpf.org/2007/ops" e:textref="1"/><a href="2"/>', "resource hyperlink"),
    ("", "smil", '<text src="1"/><anchor href="2"/>', "resource hyperlink"),
    (KML, "kml", "<href>1</href><styleUrl>2</styleUrl><targetHref>3</targetHref>", "resource resource resource"),
    (KML, "kml", '<SchemaData schemaUrl="1"/><sourceHref>2</sourceHref>', "resource resource"),
    ("http://earth.google.com/kml/2.1", "kml", "<href>1</href>", "resource"),
    (GPX, "gpx", '<link href="1"/><license>2</license>', "hyperlink hyperlink"),
    ("http://www.topografix.com/GPX/1/0", "gpx", "<url>1</url>", "hyperlink"),
    (XSPF, "playlist", "<location>1</location><image>2</image>", "resource resource"),
    (XSPF, "playlist", "<info>1</info><license>2</license><identifier>3</identifier>", "hyperlink hyperlink metadata"),
    (XSPF, "playlist", '<link rel="1">2</link><meta rel="3"/>', "namespace hyperlink namespace"),
    (XSPF, "playlist", '<extension application="1"/>', "namespace"),
    (TEI, "TEI", '<ptr target="1 2"/><name ref="3"/>', "hyperlink hyperlink hyperlink"),
    (TEI, "TEI", '<p corresp="1" sameAs="2" next="3"/>', "hyperlink hyperlink hyperlink"),
    (TEI, "TEI", '<pb facs="1"/><graphic url="2"/><media url="3"/>', "resource resource resource"),
    (TEI, "TEI", '<q source="1" who="2" resp="3"/>', "citation metadata metadata"),
    (TEI, "TEI", '<q ana="1" wit="2" decls="3"/><catRef scheme="4"/>', "metadata metadata metadata metadata"),
    (TEI, "TEI", '<q rendition="1" change="2"/><addSpan spanTo="3"/>', "metadata metadata hyperlink"),
    ("", "topic", '<xref href="1"/><image href="2" longdescref="3"/>', "hyperlink resource hyperlink"),
    ("", "map", '<topicref href="1"/><navref mapref="2"/><data href="3"/>', "hyperlink resource hyperlink"),
    ("", "map", '<map anchorref="1"/>', "hyperlink"),
    ("", "task", '<p conref="1" conrefend="2"/><object data="3"/>', "resource resource resource"),
    ("", "reference", '<ulink url="1"/><coderef href="2"/>', "hyperlink resource"),
    (XSD, "schema", '<include schemaLocation="1"/><import schemaLocation="2"/>', "resource resource"),
    (XSD, "schema", '<redefine schemaLocation="1"/><documentation source="2"/>', "resource hyperlink"),
    (RELAX_NG, "grammar", '<include href="1"/><externalRef href="2"/>', "resource resource"),
    (WSDL, "definitions", '<import location="1"/>', "resource"),
    ("http://www.w3.org/ns/wsdl", "description", '<include location="1"/><endpoint address="2"/>', "resource form"),
    ("http://schemas.xmlsoap.org/wsdl/soap/", "x", '<address location="1"/>', "form"),
    ("http://schemas.xmlsoap.org/wsdl/soap12/", "x", '<address location="1"/>', "form"),
    (VML, "x", '<shape href="1"><imagedata src="2"/><fill src="3"/></shape>', "hyperlink resource resource"),
]


@pytest.mark.parametrize("parser", ["source", "lxml"])
@pytest.mark.parametrize(("namespace", "root", "content", "kinds"), ROWS)
def test_rows(namespace: str, root: str, content: str, kinds: str, parser: str) -> None:
    declared = f' xmlns="{namespace}"' if namespace else ""
    links = rehref.links(f"<?xml version='1.0'?><{root}{declared}>{content}</{root}>", url=URL, parser=parser)
    assert [link.reference for link in links] == [str(number + 1) for number in range(len(kinds.split()))]
    assert " ".join(link.kind for link in links) == kinds


@pytest.mark.parametrize("name", ["templates", "copy-to", "targetNamespace", "datatypeLibrary", "soapAction", "layout"])
def test_what_is_no_reference_has_no_row(name: str) -> None:
    assert not [row for rows in APPLICATIONS.values() for row in rows if name in row[1].split()]


@pytest.mark.parametrize("parser", ["source", "lxml"])
def test_in_a_container_file_references_are_relative_to_the_root_of_the_container(parser: str) -> None:
    text = f'<container xmlns="{CONTAINER}"><rootfile full-path="E/p.opf"/><link href="r"/></container>'
    links = rehref.links(f"<?xml version='1.0'?>{text}", url=URL, parser=parser)
    assert [link.target for link in links] == ["http://h.example/d/E/p.opf", "http://h.example/d/r"]
    assert {(link.kind, link.base.where) for link in links} == {("metadata", "the root of the container")}


@pytest.mark.parametrize("parser", ["source", "lxml"])
def test_a_schema_of_a_document(parser: str) -> None:
    [link] = rehref.links("<?xml version='1.0'?><?xml-model href='s.rng'?><x/>", url=URL, parser=parser)
    assert (link.element, link.kind, link.target) == ("?xml-model", "resource", "http://h.example/d/META-INF/s.rng")
