"""The rows for XML outside of feeds: books, searches, maps, playlists, texts, schemas, services and drawings.

Rows, kinds and vocabularies are as in `xml_vocabularies.py`. Where a vocabulary lets any element have an attribute, the
row is for `*`. What a processor fills in before it is a reference has no row, except the `template` of OpenSearch; nor
have names of namespaces (`targetNamespace`), and of files that a processor writes (`copy-to` of DITA). A pointer of TEI
that makes a statement (`resp`, `ana`) is `metadata`.
"""

from __future__ import annotations

from collections.abc import Mapping

from rehref.documents._carriers.html_attributes import ANY, TEXT, VML_SHAPES, CarrierRow

OPEN_SEARCH = (
    "http://a9.com/-/spec/opensearch/1.1/",
    "http://a9.com/-/spec/opensearchdescription/1.1/",
    "http://www.mozilla.org/2006/browser/search/",
)
_OPEN_SEARCH_ROWS: tuple[CarrierRow, ...] = (
    ("Url", "template", "url", "form", "OpenSearch 1.1; decided by its value and rel"),
    ("Image", TEXT, "url", "resource", "OpenSearch 1.1"),
    ("SearchForm", TEXT, "url", "hyperlink", "Mozilla's extensions of OpenSearch"),
    ("UpdateUrl IconUpdateUrl", TEXT, "url", "resource", "Mozilla's extensions of OpenSearch"),
)

_TILES = "square70x70logo square150x150logo wide310x150logo square310x310logo TileImage"
_POLLED = "polling-uri polling-uri2 polling-uri3 polling-uri4 polling-uri5"
_BROWSER_CONFIG_ROWS: tuple[CarrierRow, ...] = (
    (f"{_TILES} {_POLLED}", "src", "url", "resource", "Microsoft, browser configuration schema"),
)

_SMIL_ROWS: tuple[CarrierRow, ...] = (
    ("text audio", "src", "url", "resource", "EPUB 3.3 §9.2.2, media overlays"),
    ("body seq", "{http://www.idpf.org/2007/ops}textref", "url", "resource", "EPUB 3.3 §9.2.2, media overlays"),
    ("animation img ref textstream video", "src", "url", "resource", "SMIL 3.0 §7.3"),
    ("a area anchor", "href", "url", "hyperlink", "SMIL 3.0 §9.4; SMIL 1.0 §4.3 (anchor)"),
)

CONTAINER = "urn:oasis:names:tc:opendocument:xmlns:container"
# metadata, since such a path cannot be absolute: rewriting would break it
_CONTAINER_ROWS: tuple[CarrierRow, ...] = (
    ("rootfile", "full-path", "url", "metadata", "EPUB 3.3 §4.2.6.3.1, container.xml"),
    ("link", "href", "url", "metadata", "EPUB 3.3 §4.2.6.3.1, container.xml"),
)

_KML_ROWS: tuple[CarrierRow, ...] = (
    ("href targetHref sourceHref", TEXT, "url", "resource", "KML 2.3 §13, §15 (Link, Icon, Update, ResourceMap)"),
    ("styleUrl", TEXT, "url", "resource", "KML 2.3 §9.1.3.9"),
    ("SchemaData", "schemaUrl", "url", "resource", "KML 2.3 §9.4"),
)

_GPX_ROWS: tuple[CarrierRow, ...] = (
    ("link", "href", "url", "hyperlink", "GPX 1.1, linkType"),
    ("license", TEXT, "url", "hyperlink", "GPX 1.1, copyrightType"),
    ("url", TEXT, "url", "hyperlink", "GPX 1.0"),
)

_XSPF_ROWS: tuple[CarrierRow, ...] = (
    ("location image", TEXT, "url", "resource", "XSPF 1 §4.1.1.2, §4.1.1.2.14.1.1"),
    ("info license link", TEXT, "url", "hyperlink", "XSPF 1 §4.1.1.2"),
    ("identifier", TEXT, "url", "metadata", "XSPF 1 §4.1.1.2"),
    ("link meta", "rel", "url", "namespace", "XSPF 1 §4.1.1.2"),
    ("extension", "application", "url", "namespace", "XSPF 1 §4.1.1.2"),
)

_TEI_ROWS: tuple[CarrierRow, ...] = (
    (ANY, "target", "spaces", "hyperlink", "TEI P5, att.pointing"),
    (ANY, "ref", "spaces", "hyperlink", "TEI P5, att.canonical"),
    (ANY, "corresp synch sameAs copyOf next prev exclude select", "spaces", "hyperlink", "TEI P5, att.global.linking"),
    (ANY, "facs", "spaces", "resource", "TEI P5, att.global.facs"),
    (ANY, "source", "spaces", "citation", "TEI P5, att.global.source"),
    (ANY, "ana", "spaces", "metadata", "TEI P5, att.global.analytic"),
    (ANY, "resp", "spaces", "metadata", "TEI P5, att.global.responsibility"),
    (ANY, "rendition", "spaces", "metadata", "TEI P5, att.global.rendition"),
    (ANY, "change", "spaces", "metadata", "TEI P5, att.global.change"),
    (ANY, "decls", "spaces", "metadata", "TEI P5, att.declaring"),
    (ANY, "who", "spaces", "metadata", "TEI P5, att.ascribed"),
    (ANY, "wit", "spaces", "metadata", "TEI P5, att.witnessed, att.rdgPart"),
    (ANY, "spanTo", "url", "hyperlink", "TEI P5, att.spanning"),
    ("graphic media schemaRef moduleRef", "url", "url", "resource", "TEI P5, att.resourced, moduleRef"),
    ("catRef classCode keywords", "scheme", "url", "metadata", "TEI P5, catRef, classCode, keywords"),
)

_DITA_ROOTS = "dita topic concept task reference troubleshooting glossentry glossgroup map bookmap subjectScheme"
_DITA_ROWS: tuple[CarrierRow, ...] = (
    (ANY, "href", "url", "hyperlink", "DITA 1.3, link relationship attributes"),
    ("image coderef svgref mathmlref audio video media-source", "href", "url", "resource", "DITA 1.3, 2.0"),
    (ANY, "conref conrefend", "url", "resource", "DITA 1.3, id and conref attributes"),
    ("navref", "mapref", "url", "resource", "DITA 1.3, navref"),
    ("map", "anchorref", "url", "hyperlink", "DITA 1.3, map"),
    ("image", "longdescref", "url", "hyperlink", "DITA 1.3, image"),
    ("object", "data", "url", "resource", "DITA 1.3, object"),
)

_XSD_ROWS: tuple[CarrierRow, ...] = (
    ("include import redefine override", "schemaLocation", "url", "resource", "XML Schema 1.1, Part 1 §4.2"),
    ("appinfo documentation", "source", "url", "hyperlink", "XML Schema 1.1, Part 1 §3.15.2"),
)

_RELAX_NG_ROWS: tuple[CarrierRow, ...] = (
    ("include externalRef", "href", "url", "resource", "RELAX NG (OASIS) §4.5, §4.6, §4.7"),
)

_WSDL_ROWS: tuple[CarrierRow, ...] = (
    ("import include", "location", "url", "resource", "WSDL 1.1 §2.1.1; WSDL 2.0 §4.1, §4.2"),
    ("endpoint", "address", "url", "form", "WSDL 2.0 §2.15"),
)
_ADDRESS_ROWS: tuple[CarrierRow, ...] = (
    ("address", "location", "url", "form", "WSDL 1.1 §3.8 (SOAP), §4.4 (HTTP); WSDL 1.1 binding for SOAP 1.2"),
)

_VML_ROWS: tuple[CarrierRow, ...] = (
    (VML_SHAPES, "href", "url", "hyperlink", "VML (W3C Note), the shape element"),
    ("imagedata image fill stroke", "src", "url", "resource", "VML (W3C Note)"),
)

APPLICATIONS: Mapping[tuple[str, ...], tuple[CarrierRow, ...]] = {
    OPEN_SEARCH: _OPEN_SEARCH_ROWS,
    ("browserconfig",): _BROWSER_CONFIG_ROWS,
    ("smil", "http://www.w3.org/ns/SMIL", "http://www.w3.org/2001/SMIL20/"): _SMIL_ROWS,
    (CONTAINER,): _CONTAINER_ROWS,
    (
        "http://www.opengis.net/kml/2.2",
        *(f"http://earth.google.com/kml/2.{minor}" for minor in range(3)),
    ): _KML_ROWS,
    ("http://www.topografix.com/GPX/1/1", "http://www.topografix.com/GPX/1/0"): _GPX_ROWS,
    ("http://xspf.org/ns/0/",): _XSPF_ROWS,
    ("http://www.tei-c.org/ns/1.0",): _TEI_ROWS,
    ("dita",): _DITA_ROWS,
    ("http://www.w3.org/2001/XMLSchema",): _XSD_ROWS,
    ("http://relaxng.org/ns/structure/1.0",): _RELAX_NG_ROWS,
    ("http://schemas.xmlsoap.org/wsdl/", "http://www.w3.org/ns/wsdl"): _WSDL_ROWS,
    tuple(f"http://schemas.xmlsoap.org/wsdl/{name}/" for name in ("soap", "soap12", "http")): _ADDRESS_ROWS,
    ("urn:schemas-microsoft-com:vml",): _VML_ROWS,
}
"""The rows by vocabularies."""

OWN_BASES: Mapping[str, tuple[str, str]] = {CONTAINER: ("../", "the root of the container")}
"""The vocabularies whose references are relative to something else than their document: to what, and what that is."""

ROOTS: Mapping[str, str] = {
    "browserconfig": "browserconfig",
    "smil": "smil",
    **dict.fromkeys(_DITA_ROOTS.split(), "dita"),
}
"""The vocabularies of elements without a namespace, by the document element."""
