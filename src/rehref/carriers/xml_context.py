"""Carriers in XML that depend on more than element and attribute.

Rules

1. `link` in Atom: `enclosure` is a `resource`, all else a `hyperlink`. A relation's name may be written as a URI (RFC
   4287 §4.2.7.2).
2. `guid` in RSS is a reference if it says that it is a permalink. Without `isPermaLink` it should be one, but often is
   not: it counts as one if it begins like an HTTP URL, as a permalink must. It is still `metadata`: above all it is the
   name by which an item is known.
3. `link` in RSS is a `form` in a text input: the input is sent there.
4. `xlink:href` is a `resource` where the link is embedded, or followed when the document is loaded (XLink 1.1 §5.6).
5. A text in Atom 1.0 (and Media RSS) is HTML if `type` is `html`; the text of `content` also if it is `text/html`. In
   Atom 0.3 it is HTML with a type of HTML or XHTML and the mode `escaped`; Base64 is not read.
6. The text of an element that is empty except for white space is not a reference.
"""

from __future__ import annotations

from collections.abc import Mapping

from rehref.carriers.kinds import Kind
from rehref.carriers.xml_vocabularies import ATOM, ATOM_03, RSS, TEXT, TYPED_TEXTS
from rehref.text.ascii import WHITE_SPACE, lower

XML_CONTEXT: frozenset[tuple[str, str, str]] = frozenset(
    {
        *((name, "link", "href") for name in (ATOM, ATOM_03)),
        *((name, "link", TEXT) for name in RSS),
        *((name, "guid", TEXT) for name in RSS),
    }
)
"""Carriers that depend on more: vocabulary, element and attribute. `xlink:href` does on any element."""

DECIDING = frozenset({"rel", "isPermaLink", "type", "mode", "xlink:show", "xlink:actuate"})
"""All attributes that decide."""

_RELATION = "http://www.iana.org/assignments/relation/"
_INPUTS = ("textinput", "textInput")


def decide_xml(
    vocabulary: str, element: str, attribute: str, value: str, attributes: Mapping[str, str], parent: str
) -> Kind | None:
    """What a carrier of `XML_CONTEXT`, or an `xlink:href`, is for (rules 1 to 4); None: it carries no reference.

    `attribute`: `TEXT` for the text. `attributes`: those of the element. `parent`: the local name of its parent.
    """
    if attribute == "xlink:href":
        embedded = attributes.get("xlink:show") == "embed" or attributes.get("xlink:actuate") == "onLoad"
        return "resource" if embedded else "hyperlink"
    if vocabulary in (ATOM, ATOM_03):
        rel = attributes.get("rel", "").strip(WHITE_SPACE).removeprefix(_RELATION)
        return "resource" if lower(rel) == "enclosure" else "hyperlink"
    if element == "guid":
        return "metadata" if _is_permalink(value, attributes.get("isPermaLink")) else None
    return "form" if parent in _INPUTS else "hyperlink"


def _is_permalink(value: str, stated: str | None) -> bool:
    if stated is not None:
        return lower(stated.strip(WHITE_SPACE)) == "true"
    return lower(value.strip(WHITE_SPACE)).startswith(("http://", "https://"))


def is_html(vocabulary: str, element: str, attributes: Mapping[str, str]) -> bool:
    """Whether the text of an element of `TYPED_TEXTS` is HTML (rule 5)."""
    if element not in TYPED_TEXTS.get(vocabulary, ()):
        return False
    media_type = lower(attributes.get("type", "").partition(";")[0].strip(WHITE_SPACE))
    if vocabulary == ATOM_03:
        escaped = lower(attributes.get("mode", "").strip(WHITE_SPACE)) == "escaped"
        return escaped and media_type in ("text/html", "application/xhtml+xml")
    return media_type == "html" or (media_type == "text/html" and element == "content")
