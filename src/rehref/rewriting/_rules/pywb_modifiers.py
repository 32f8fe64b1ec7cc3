"""The modifier that replay servers of the pywb family need for a reference: `{modifier}` in a template.

It follows the timestamp (`/20240102030405im_/http://…`) and says how the page uses the resource: `im_` image, `cs_`
style sheet, `js_` script, `if_` and `fr_` documents in frames, `oe_` other embedded resources, `mp_` a page to navigate
to. Elements and attributes are those of pywb 2 (`HTMLRewriterMixin._init_rewrite_tags`), and those that browsers treat
alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from rehref.documents.link import Link
from rehref.text import lower
from rehref.uri.components import split

PAGE = "mp_"
EMBEDDED = "oe_"
SHEET_EXTENSION = "css"
"""In a style sheet, a reference with this extension is one, too, since it is imported; all others are embedded: a link
does not show that it is an import."""
_SHEET = "cs_"
_SCRIPT = "js_"
_IMAGE = "im_"

_ROWS = (
    ("img image feImage", "src href xlink:href srcset lowsrc dynsrc", _IMAGE),
    ("body table thead tbody tfoot tr td th", "background", _IMAGE),
    ("input", "src", _IMAGE),
    ("video", "poster", _IMAGE),
    ("command menuitem", "icon", _IMAGE),
    ("link", "imagesrcset", _IMAGE),
    ("iframe", "src", "if_"),
    ("frame", "src", "fr_"),
    ("script", "src href xlink:href", _SCRIPT),
)
_TABLE: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        (element, attribute): modifier
        for elements, attributes, modifier in _ROWS
        for element in elements.split()
        for attribute in attributes.split()
    }
)
_AS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("script", "worker"), _SCRIPT),
        **dict.fromkeys(("audio", "embed", "font", "object", "track", "video"), EMBEDDED),
        "style": _SHEET,
        "image": _IMAGE,
        "document": "if_",
        "fetch": PAGE,
    }
)
_ENDINGS: Mapping[str, str] = MappingProxyType(
    {
        **dict.fromkeys(("js", "mjs"), _SCRIPT),
        **dict.fromkeys(("avif", "gif", "jpeg", "jpg", "png", "svg", "webp"), _IMAGE),
        SHEET_EXTENSION: _SHEET,
    }
)


def modifier(link: Link, attributes: Mapping[str, str]) -> str:
    """The modifier for a link, given the known attributes of its element, above all `rel`.

    A reference that is not in the table counts as embedded if it is fetched for the page (kind `resource`), else as
    navigation. An attribute that a script copies into `src` later (`data-src` and the like) counts as `src`. For
    `preload`, `as` says it, or if that is not a destination the extension.
    """
    rel, as_ = map(attributes.get, ("rel", "as"))
    of_class = modifier_of_class(link.element, link.attribute, link.kind, rel, as_)
    if of_class is not None:
        return of_class
    if link.attribute == "href":  # that of a `link`
        return _ENDINGS.get(_ending(link), EMBEDDED)
    return _SHEET if _ending(link) == SHEET_EXTENSION else EMBEDDED


def modifier_of_class(element: str, attribute: str | None, kind: str, rel: str | None, as_: str | None) -> str | None:
    """The modifier of links on elements with this `rel` and `as`; None if it depends on more."""
    if (element, attribute) == ("link", "href"):
        return _of_rel(lower(rel or "").split(), lower(as_ or ""))
    if element == "script" and attribute is None:  # import maps; speculation rules are for navigation
        return _SCRIPT if kind == "resource" else PAGE
    if attribute in (None, "style") and kind == "resource":
        return None
    is_late = kind == "resource" and (attribute or "").startswith(("data-", "nitro-"))
    found = _TABLE.get((element, "src" if is_late else attribute or ""))
    return found or (EMBEDDED if kind == "resource" else PAGE)


def _of_rel(words: Sequence[str], as_: str) -> str | None:
    if "stylesheet" in words:
        return _SHEET
    if "modulepreload" in words:
        return _SCRIPT
    if "preload" in words:
        return _AS.get(as_)
    return PAGE if "import" in words or "alternate" in words else EMBEDDED


def _ending(link: Link) -> str:
    """Return the extension of the target's path, after its last dot."""
    return split(link.target or "").path.rpartition(".")[2].lower()
