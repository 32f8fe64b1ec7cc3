"""Attributes of one's own that carry references, such as `data-src`: they mean something to a page's scripts only."""

from __future__ import annotations

from typing import NamedTuple, get_args

from rehref.carriers.html_attributes import ANY
from rehref.carriers.kinds import Kind, Syntax
from rehref.carriers.lazy_loading import lazy_attributes
from rehref.text.ascii import lower

LAZY = tuple(lazy_attributes())
"""Attributes from which scripts that load images late take addresses, as `custom_attribute` reads them."""

SYNTAXES: tuple[Syntax, ...] = ("url", "srcset", "spaces", "commas", "css", "image")
"""The micro-syntaxes an attribute of one's own may have."""


class CustomAttribute(NamedTuple):
    """An attribute that carries references on an element; `element` is `*` for all."""

    element: str
    attribute: str
    syntax: Syntax
    kind: Kind


class CustomAttributeError(ValueError):
    """What names no attribute of one's own; its text is `what; remedy`."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}; {remedy}")
        self.what = what
        self.remedy = remedy


def custom_attribute(text: str) -> CustomAttribute:
    """Read `element@name` or `element@name=SYNTAX`; without an element, or with `*`, it is for all.

    Where no syntax is given, the name tells: what ends in `srcset` is one; and it tells the kind: what ends in `href`
    is a hyperlink, all else a resource. Raises `CustomAttributeError` for what is none of these.
    """
    names, has_syntax, syntax_name = text.partition("=")
    element, at, attribute = names.rpartition("@")
    attribute = lower(attribute.strip())
    element = lower(element.strip()) or ANY
    if not attribute or any(char in attribute for char in "\t\n\f\r />=\"'") or (at and " " in element):
        raise CustomAttributeError(f"{text!r} names no attribute", "write element@name, such as img@data-src")
    if not has_syntax:
        syntax_name = "srcset" if attribute.endswith("srcset") else "url"
    if syntax_name not in SYNTAXES:
        raise CustomAttributeError(f"{syntax_name!r} is no micro-syntax", f"there are {', '.join(SYNTAXES)}")
    assert syntax_name in get_args(Syntax)
    kind: Kind = "hyperlink" if attribute.endswith("href") else "resource"
    return CustomAttribute(element, attribute, syntax_name, kind)
