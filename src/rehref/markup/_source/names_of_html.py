"""Names of elements and attributes as tree construction defines them (HTML Standard, "tree construction").

Tables of facts only; `scan` and `foreign_content` decide which of them applies where.
"""

from __future__ import annotations

import re

from rehref.markup.places import HTML, MATHML, SVG


def _names(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _by_lower(names: str) -> dict[str, str]:
    return {name.lower(): name for name in names.split()}


# "any other start tag" in foreign content: tag names adjusted in SVG
SVG_ELEMENTS = _by_lower(
    "altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix "
    "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight "
    "feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology "
    "feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef "
    "linearGradient radialGradient textPath"
)

# "adjust SVG attributes"
SVG_ATTRIBUTES = _by_lower(
    "attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode filterUnits "
    "glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes lengthAdjust "
    "limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves pathLength "
    "patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha preserveAspectRatio "
    "primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures specularConstant "
    "specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage tableValues "
    "targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan"
)

# start tags that break out of foreign content ("font" only with one of these attributes)
BREAKOUT = _names(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var"
)
BREAKOUT_FONT = frozenset({"color", "face", "size"})

# elements in the "special" category, those in the HTML namespace
SPECIAL_HTML = _names(
    "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd "
    "details dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header "
    "hgroup hr html iframe img input keygen li link listing main marquee menu meta nav noembed noframes noscript "
    "object ol p param plaintext pre script search section select source style summary table tbody td template "
    "textarea tfoot th thead title tr track ul wbr xmp"
)

VOID = _names("area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr")

RAW_TEXT = _names("style xmp iframe noembed noframes")
RCDATA = _names("title textarea")
"""Elements that hold text, up to their end tags (HTML Standard, "raw text" and "escapable raw text elements", and
obsolete ones that tree construction treats alike)."""

TABLE_PARTS = _names("caption col colgroup tbody td tfoot th thead tr")
TABLE_SECTIONS = _names("tbody tfoot thead")

OF_FRAMESET = _names("frame frameset html noframes")
"""Elements whose start tags count "in frameset"."""

OF_HEAD = _names("base basefont bgsound link meta noframes script style template title")
"""Elements that "in head" makes, wherever their start tags are."""

BEGIN_HEAD = _names("head body html br")
"""Elements whose end tags are not ignored "before html" and "before head", but begin the head."""

HIDE_SELECT = _names("applet marquee object")
"""Elements in which a `select` around them is not in scope, so that its end tag is ignored."""

# elements whose content is HTML again
HTML_INTEGRATION_POINTS = frozenset({(SVG, "foreignObject"), (SVG, "desc"), (SVG, "title")})
MATHML_TEXT_INTEGRATION_POINTS = frozenset((MATHML, name) for name in ("mi", "mo", "mn", "ms", "mtext"))
INTEGRATION_POINTS = HTML_INTEGRATION_POINTS | MATHML_TEXT_INTEGRATION_POINTS | {(MATHML, "annotation-xml")}

_SHADOW_HOSTS = _names(
    "article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span"
)  # DOM Standard, "valid shadow host name"
_CUSTOM_NAME = re.compile(r"[a-z][^A-Z]*-").match  # "valid custom element name", of names that the tokenizer gives
_NOT_CUSTOM = _names(
    "annotation-xml color-profile font-face font-face-format font-face-name font-face-src font-face-uri missing-glyph"
)

NAMESPACES = {"svg": SVG, "math": MATHML}
"""The elements that begin foreign content, and its namespace."""


def may_have_shadow_root(name: str) -> bool:
    """Whether an HTML element of that name may have a shadow root (DOM Standard, "attach a shadow root")."""
    return name in _SHADOW_HOSTS or (_CUSTOM_NAME(name) is not None and name not in _NOT_CUSTOM)


def element_name(namespace: str, name: str) -> str:
    """The name of the element a start tag makes in this namespace; `name` in lower case."""
    if namespace == SVG:
        return SVG_ELEMENTS.get(name, name)
    if namespace == HTML and name == "image":
        return "img"
    return name


def attribute_name(namespace: str, name: str) -> str:
    """The qualified name of an attribute of an element in this namespace; `name` in lower case.

    HTML Standard, "adjust SVG attributes" and "adjust MathML attributes". Those of XLink keep their qualified names.
    """
    if namespace == SVG:
        return SVG_ATTRIBUTES.get(name, name)
    return "definitionURL" if namespace == MATHML and name == "definitionurl" else name
