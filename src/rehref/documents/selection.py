"""What is looked for in a document beside what every reader of HTML sees.

1. `scripting`: with it, `noscript` holds text, as in a browser that runs scripts; without, markup (the default).
2. `conditional_comments`: the markup in `<!--[if IE]> … <![endif]-->`, which Internet Explorer 5 to 9 read.
3. `attributes`: attributes that mean something to a page's scripts only, such as `data-src`.
"""

from __future__ import annotations

from typing import NamedTuple, get_args

from rehref.carriers.html_attributes import ANY
from rehref.carriers.kinds import Kind, Syntax
from rehref.carriers.lazy_loading import lazy_attributes
from rehref.text.ascii_case import lower

LAZY = tuple(lazy_attributes())
"""Attributes from which scripts that load images late take addresses, as `extra` reads them."""

SYNTAXES: tuple[Syntax, ...] = ("url", "srcset", "spaces", "commas", "css", "image")
"""The micro-syntaxes an attribute of one's own may have."""


class Extra(NamedTuple):
    """An attribute that carries references on an element; `element` is `*` for all."""

    element: str
    attribute: str
    syntax: Syntax
    kind: Kind


class Selection(NamedTuple):
    """What to look for, beside the rest; hashable."""

    scripting: bool = False
    conditional_comments: bool = False
    attributes: tuple[Extra, ...] = ()


def extra(text: str) -> Extra:
    """Read `element@name` or `element@name=SYNTAX`; without an element, or with `*`, it is for all.

    Where no syntax is given, the name tells: what ends in `srcset` is one; and it tells the kind: what ends in `href`
    is a hyperlink, all else a resource. Raises ValueError for what is none of these.
    """
    names, has_syntax, syntax_name = text.partition("=")
    element, at, attribute = names.rpartition("@")
    attribute = lower(attribute.strip())
    element = lower(element.strip()) or ANY
    if not attribute or any(char in attribute for char in "\t\n\f\r />=\"'") or (at and " " in element):
        raise ValueError(f"{text!r} names no attribute; write element@name, such as img@data-src")
    if not has_syntax:
        syntax_name = "srcset" if attribute.endswith("srcset") else "url"
    if syntax_name not in SYNTAXES:
        raise ValueError(f"{syntax_name!r} is no micro-syntax; there are {', '.join(SYNTAXES)}")
    assert syntax_name in get_args(Syntax)
    kind: Kind = "hyperlink" if attribute.endswith("href") else "resource"
    return Extra(element, attribute, syntax_name, kind)
