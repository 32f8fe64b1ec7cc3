"""The table of attributes that carry references: the micro-syntax and the kind of each.

A row is keyed by element and attribute in canonical names, as the HTML Standard adjusts them (`linearGradient`,
`xlink:href`). An attribute has one if a browser reads it as a URL, or a specification or a browser of its day
documented it as one. Attributes that only look like references have none (`srcdoc`, `for`, `popovertarget`); nor have
`xml:base` and `xmlns` (ignored in HTML), `itemprop` and the rest of RDFa (names), `data-*` (no meaning of their own).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from rehref.uri.syntaxes import Carrier, Kind, Syntax

# Kinds. `hyperlink`: followed by choice (a `longdesc` too). `resource`: fetched to render or run the page. `form`:
# something is sent there (`action`; also `ping` and `attributionsrc`, to which browsers POST). `citation`: the source
# of a quotation or change. `fragment`: an element of the same document. `base`: other references are relative to it.
# `namespace`: an identifier, compared as a string, never retrieved and never relative, so never rewritten (`itemtype`,
# `definitionURL`; `xlink:role`, which XLink 1.1 requires to be absolute). `metadata`: a statement about something,
# reported, but rewritten only on request (`itemid`, `profile`; `about` and `resource` of RDFa, in which `dbr:x` may be
# a CURIE; `code` and `object` of `applet`, of which HTML 4.01 says that `code` "cannot be absolute").
# Where other attributes of the element decide (`link` by `rel`), a row has the default, and `html_context` decides.
Table: TypeAlias = Mapping[tuple[str, str], Carrier]
"""Carriers by (element, attribute)."""

CarrierRow: TypeAlias = tuple[str, str, Syntax, Kind, str]
"""Elements and attributes (each separated by spaces), micro-syntax, kind, and where that is defined."""

ANY = "*"
"""The element name that means all elements."""

TEXT = "#text"
"""Used in place of an attribute for the text of an element, in XML."""

_AMP_WITH_SRC = (
    "amp-3d-gltf amp-ad amp-audio amp-autocomplete amp-bodymovin-animation amp-date-picker amp-embed "
    "amp-google-document-embed amp-iframe amp-install-serviceworker amp-list amp-next-page amp-pixel amp-render "
    "amp-script amp-state amp-story-auto-ads amp-story-bookend amp-video amp-video-iframe"
)
_AMP_STORY = (
    "publisher-logo-src poster-portrait-src poster-square-src poster-landscape-src background-audio bookend-config-src"
)
_AMP_WEB_PUSH = "helper-iframe-url permission-dialog-url service-worker-url"
_AMP_SERVICE_WORKER = "data-iframe-src data-no-service-worker-fallback-shell-url"
VML_SHAPES = "shape group rect roundrect oval line polyline curve arc image"
"""Elements of VML that may be links."""

HTML_ROWS: tuple[CarrierRow, ...] = (
    # Everywhere
    ("*", "style", "css", "resource", "HTML Standard, the style attribute"),
    ("*", "itemid", "url", "metadata", "HTML Standard, microdata"),
    ("*", "itemtype", "spaces", "namespace", "HTML Standard, microdata"),
    ("*", "about resource", "curie", "metadata", "RDFa 1.1 §7.5"),
    # The document
    ("base", "href", "url", "base", "HTML Standard, the base element"),
    ("link", "href", "url", "hyperlink", "HTML Standard, the link element; the kind is decided by rel"),
    ("link", "imagesrcset", "srcset", "resource", "HTML Standard, the link element"),
    ("meta", "content", "url", "metadata", "decided by http-equiv, name, property and itemprop"),
    ("html", "manifest", "url", "resource", "HTML 5, application caches"),
    ("head", "profile", "spaces", "metadata", "HTML 4.01 §7.4.4.3"),
    # Links
    ("a area", "href", "url", "hyperlink", "HTML Standard, links created by a and area elements"),
    ("a area", "ping", "spaces", "form", "HTML Standard, links created by a and area elements"),
    ("a area img script", "attributionsrc", "spaces", "form", "Attribution Reporting API"),
    ("img iframe frame", "longdesc", "url", "hyperlink", "HTML 4.01 §13.2, §16.2.2"),
    # Quotations and changes
    ("blockquote q ins del", "cite", "url", "citation", "HTML Standard, blockquote, q, ins and del"),
    # Forms
    ("form", "action", "url", "form", "HTML Standard, form submission attributes"),
    ("button input", "formaction", "url", "form", "HTML Standard, form submission attributes"),
    ("isindex", "action", "url", "form", "HTML 3.2 as browsers extended it"),
    ("input", "src", "url", "resource", "HTML Standard, the image button; decided by type"),
    # Images, frames and media
    ("img", "src", "url", "resource", "HTML Standard, the img element"),
    ("img source", "srcset", "srcset", "resource", "HTML Standard, srcset attributes"),
    ("img input", "lowsrc dynsrc", "url", "resource", "Netscape 1.1 (lowsrc), Internet Explorer 2 (dynsrc)"),
    ("img input object", "usemap", "fragment", "fragment", "HTML Standard, image maps"),
    ("iframe frame embed", "src", "url", "resource", "HTML Standard, iframe, frame and embed"),
    ("audio video source track", "src", "url", "resource", "HTML Standard, media elements"),
    ("video", "poster", "url", "resource", "HTML Standard, the video element"),
    ("bgsound", "src", "url", "resource", "Internet Explorer 2; HTML Standard, obsolete features"),
    ("portal fencedframe", "src", "url", "resource", "WICG drafts"),
    ("model", "src", "url", "resource", "Immersive Web draft"),
    # Scripts and data
    ("script", "src", "url", "resource", "HTML Standard, the script element"),
    ("script", "archive", "commas", "resource", "Netscape 4"),
    ("style", "src", "url", "resource", "Netscape 4"),
    ("xml", "src", "url", "resource", "Internet Explorer 5, data islands"),
    (
        "applet button div frame iframe img input label marquee object param select span table textarea",
        "datasrc",
        "fragment",
        "fragment",
        "HTML 4.01 DTD (reserved); Internet Explorer 4, data binding",
    ),
    # Plug-ins
    ("object", "data", "url", "resource", "HTML Standard, the object element"),
    ("object", "classid", "url", "resource", "HTML 4.01 §13.3"),
    ("object", "archive", "spaces", "resource", "HTML 4.01 §13.3"),
    ("object applet embed", "codebase", "url", "base", "HTML 4.01 §13.3, §13.4; Netscape (embed)"),
    ("applet", "archive", "commas", "resource", "HTML 4.01 §13.4"),
    ("applet", "code object", "url", "metadata", "HTML 4.01 §13.4"),
    ("embed", "code", "url", "metadata", "Netscape"),
    ("embed", "pluginspage pluginurl", "url", "hyperlink", "Netscape 2, 4"),
    ("param", "value", "url", "resource", "HTML 4.01 §13.3.2; decided by valuetype and name"),
    # Looks
    ("body", "background", "url", "resource", "HTML Standard, rendering: the page"),
    ("table thead tbody tfoot tr td th", "background", "url", "resource", "HTML Standard, rendering: tables"),
    ("layer ilayer", "src background", "url", "resource", "Netscape 4"),
    ("command menuitem", "icon", "url", "resource", "HTML 5 drafts, HTML 5.1"),
    # AMP: elements of its own, whose attributes its validator calls URLs
    ("amp-img amp-anim", "src", "url", "resource", "AMP, amp-img, amp-anim"),
    ("amp-img amp-anim", "srcset", "srcset", "resource", "AMP, amp-img, amp-anim"),
    (_AMP_WITH_SRC, "src", "url", "resource", "AMP, the component of that name"),
    ("amp-video amp-video-iframe", "poster", "url", "resource", "AMP, amp-video, amp-video-iframe"),
    ("amp-video amp-audio", "artwork", "url", "resource", "AMP, amp-video, amp-audio"),
    ("amp-analytics amp-call-tracking", "config", "url", "resource", "AMP, amp-analytics, amp-call-tracking"),
    ("amp-install-serviceworker", _AMP_SERVICE_WORKER, "url", "resource", "AMP, amp-install-serviceworker"),
    ("amp-story", _AMP_STORY, "url", "resource", "AMP, amp-story"),
    ("amp-story-page", "background-audio", "url", "resource", "AMP, amp-story"),
    ("amp-story-page-attachment", "href", "url", "hyperlink", "AMP, amp-story"),
    ("amp-web-push", _AMP_WEB_PUSH, "url", "resource", "AMP, amp-web-push"),
    ("form", "action-xhr verify-xhr", "url", "form", "AMP, amp-form"),
    # VML, in pages for Internet Explorer and Outlook: most of it is in conditional comments
    (
        " ".join(f"v:{name}" for name in VML_SHAPES.split()),
        "href",
        "url",
        "hyperlink",
        "VML (W3C Note), the shape element",
    ),
    ("v:imagedata v:image v:fill v:stroke", "src", "url", "resource", "VML (W3C Note)"),
)

_ANIMATION = "animate animateColor animateMotion animateTransform set discard"

SVG_ROWS: tuple[CarrierRow, ...] = (
    ("*", "style", "css", "resource", "SVG 2, styling"),
    (
        "*",
        "fill stroke filter clip-path mask marker-start marker-mid marker-end cursor color-profile",
        "css",
        "resource",
        "SVG 2, presentation attributes; SVG 1.1 (color-profile)",
    ),
    ("*", "xlink:role xlink:arcrole", "url", "namespace", "XLink 1.1 §5.5"),
    ("*", "about resource", "curie", "metadata", "SVG 2 §3.3, RDFa 1.1 §7.5"),
    ("a", "href xlink:href", "url", "hyperlink", "SVG 2, linking"),
    ("a", "ping", "spaces", "form", "SVG 2, linking"),
    ("image feImage script use", "href xlink:href", "url", "resource", "SVG 2; Filter Effects (feImage)"),
    ("linearGradient radialGradient pattern", "href xlink:href", "url", "resource", "SVG 2, paint servers"),
    ("hatch meshgradient", "href xlink:href", "url", "resource", "SVG 2 drafts"),
    ("textPath", "href xlink:href", "url", "resource", "SVG 2, text"),
    ("set", "to", "url", "resource", "SVG Animations 2; decided by attributeName"),
    ("animate", "from to values", "url", "resource", "SVG Animations 2; decided by attributeName"),
    (f"{_ANIMATION} mpath", "href xlink:href", "url", "fragment", "SVG Animations 2"),
    ("filter tref altGlyph glyphRef", "xlink:href", "url", "resource", "SVG 1.1"),
    ("cursor color-profile font-face-uri", "xlink:href", "url", "resource", "SVG 1.1"),
    ("definition-src", "xlink:href", "url", "resource", "SVG 1.0"),
    ("audio video animation prefetch handler foreignObject", "xlink:href", "url", "resource", "SVG Tiny 1.2"),
)

MATHML_ROWS: tuple[CarrierRow, ...] = (
    ("*", "style", "css", "resource", "MathML Core, global attributes"),
    ("*", "href", "url", "hyperlink", "MathML 3 §2.1.6"),
    ("*", "xlink:href", "url", "hyperlink", "MathML 2"),
    ("*", "xlink:role xlink:arcrole", "url", "namespace", "XLink 1.1 §5.5"),
    ("*", "definitionURL", "url", "namespace", "MathML 3 §4.2.3"),
    ("*", "cdbase", "url", "namespace", "MathML 3 §4.2.3"),
    ("math", "cdgroup", "url", "namespace", "MathML 3 §2.2.1"),
    ("math", "altimg", "url", "resource", "MathML 3 §2.2.1"),
    ("mglyph", "src", "url", "resource", "MathML 3 §3.2.1.2"),
    ("annotation annotation-xml", "src", "url", "resource", "MathML 3 §5.1"),
    ("share", "src", "url", "fragment", "MathML 3 §4.2.7"),
)


def table(rows: Iterable[CarrierRow]) -> Table:
    """Turn rows into a read-only mapping; of two rows for one pair the later counts."""
    return MappingProxyType(
        {
            (element, attribute): Carrier(syntax, kind, spec)
            for elements, attributes, syntax, kind, spec in rows
            for element in elements.split()
            for attribute in attributes.split()
        }
    )


HTML_CARRIERS: Table = table(HTML_ROWS)
"""Attributes of elements in the HTML namespace."""

SVG_CARRIERS: Table = table(SVG_ROWS)
"""Attributes of elements in the SVG namespace."""

MATHML_CARRIERS: Table = table(MATHML_ROWS)
"""Attributes of elements in the MathML namespace."""

CSS_ATTRIBUTES = frozenset(
    attribute
    for _, attributes, syntax, *_ in (*HTML_ROWS, *SVG_ROWS, *MATHML_ROWS)
    if syntax == "css"
    for attribute in attributes.split()
)
"""Attributes that hold CSS, on whatever element."""
