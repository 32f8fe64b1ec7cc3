"""Names of elements and attributes, as the tree builder has them (HTML Standard, "tree construction").

Tables of facts only; which of them applies where, `scan` and `foreign` decide.
"""

from __future__ import annotations

from rehref.parsers.contract import HTML, MATHML, SVG

# "adjust SVG tag names"
SVG_ELEMENTS = {
    name.lower(): name
    for name in (
        "altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix "
        "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight "
        "feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology "
        "feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef "
        "linearGradient radialGradient textPath"
    ).split()
}

# "break out of foreign content": start tags that end it ("font" only with one of these attributes)
BREAKOUT = frozenset(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta "
    "nobr ol p pre ruby s small span strong strike sub sup table tt u ul var".split()
)
BREAKOUT_FONT = frozenset({"color", "face", "size"})

VOID = frozenset(
    "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr".split()
)

# elements whose content is HTML again
HTML_INTEGRATION_POINTS = frozenset({(SVG, "foreignObject"), (SVG, "desc"), (SVG, "title")})
MATHML_TEXT_INTEGRATION_POINTS = frozenset((MATHML, name) for name in ("mi", "mo", "mn", "ms", "mtext"))

NAMESPACES = {"svg": SVG, "math": MATHML}
"""The elements that begin foreign content, and its namespace."""


def element_name(namespace: str, name: str) -> str:
    """The name of the element a start tag makes in this namespace; `name` in lower case."""
    if namespace == SVG:
        return SVG_ELEMENTS.get(name, name)
    if namespace == HTML and name == "image":
        return "img"
    return name


def attribute_name(namespace: str, name: str) -> str:
    """The name of an attribute as the tree has it ("adjust MathML attributes"); `name` in lower case.

    Of the attributes that "adjust SVG attributes" renames, none carries a reference.
    """
    return "definitionURL" if namespace == MATHML and name == "definitionurl" else name
