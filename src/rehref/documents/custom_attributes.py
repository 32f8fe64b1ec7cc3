"""Custom attributes that carry references, such as `data-src`: only the scripts of a page give them a meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from rehref.carriers.html_attributes import ANY
from rehref.carriers.kinds import Kind
from rehref.carriers.lazy_loading import lazy_attributes
from rehref.carriers.syntaxes import SYNTAXES, Syntax
from rehref.exceptions import OptionError, RehrefError
from rehref.text.ascii import lower

LAZY = tuple(lazy_attributes())
"""Attributes in which scripts for lazy loading look for addresses, as `custom_attribute` parses them."""

_NAME: Final = r"[^\s@=/>\"'\ud800-\udfff]+"
_SYNTAXES: Mapping[str, Syntax] = {name: name for name, row in SYNTAXES.items() if row.is_for_custom_attributes}


def is_attribute_name(text: str) -> bool:
    """Whether a text can name an attribute in an option."""
    return re.fullmatch(_NAME, text) is not None


class CustomAttribute(NamedTuple):
    """An attribute that carries references on an element; `element` is `*` for any element."""

    element: str
    attribute: str
    syntax: Syntax
    kind: Kind


class CustomAttributeError(RehrefError, ValueError):
    """A text that does not name a custom attribute; the message is `what; remedy`."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.what}; {self.remedy}"


def custom_attribute(text: str) -> CustomAttribute:
    """Parse `element@name` or `element@name=SYNTAX`; without an element, or with `*`, it applies to any element.

    Without a syntax, the name decides: a name that ends in `srcset` has that syntax. The name also decides the kind: a
    name that ends in `href` is a hyperlink, any other a resource. Raises `CustomAttributeError` for any other text.
    """
    names, has_syntax, syntax_name = text.partition("=")
    element, at, attribute = names.rpartition("@")
    attribute = lower(attribute.strip())
    element = lower(element.strip()) or ANY
    if not attribute or any(char in attribute for char in "\t\n\f\r />=\"'") or (at and " " in element):
        raise CustomAttributeError(f"{text!r} does not name an attribute", "write element@name, such as img@data-src")
    if not has_syntax:
        syntax_name = "srcset" if attribute.endswith("srcset") else "url"
    syntax = _SYNTAXES.get(syntax_name)
    if syntax is None:
        raise CustomAttributeError(f"{syntax_name!r} is not a micro-syntax", f"there are {', '.join(_SYNTAXES)}")
    kind: Kind = "hyperlink" if attribute.endswith("href") else "resource"
    return CustomAttribute(element, attribute, syntax, kind)


def attributes_of(
    attributes: Sequence[str], lazy_attributes: str | Sequence[str] | None, *, lazy: bool
) -> tuple[str, ...]:
    """All attributes that `--attribute`, `--lazy-attributes` and `--lazy` name. Raises `OptionError`.

    `--attribute` takes precedence. `lazy_attributes`: names, or a text of names separated by commas.
    """
    for text in attributes:
        try:
            custom_attribute(text)
        except CustomAttributeError as error:
            raise OptionError(f"--attribute {text}", error.what, error.remedy) from error
    if lazy_attributes is None:
        return (*LAZY, *attributes) if lazy else tuple(attributes)
    given = lazy_attributes.split(",") if isinstance(lazy_attributes, str) else lazy_attributes
    names = [name.strip() for name in given]
    for name in names:
        if not is_attribute_name(name):
            remedy = "separate names by commas, such as data-src,data-original"
            raise OptionError("--lazy-attributes", f"{name!r} is not the name of an attribute", remedy)
    return (*names, *attributes)


@lru_cache(maxsize=8)
def also_lazy(attributes: tuple[str, ...]) -> tuple[tuple[str, ...], frozenset[str]]:
    """The attributes and those of lazy loading; and the names (`*@data-src`) of the latter that nobody asked for."""
    asked = {_place(text) for text in attributes}
    return (*LAZY, *attributes), frozenset(map(_place, LAZY)) - asked


def _place(text: str) -> str:
    found = custom_attribute(text)
    return f"{found.element}@{found.attribute}"
