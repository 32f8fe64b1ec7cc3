"""Whether a text is a URI reference, by the grammar asked for, and if not, what is wrong and where.

The grammars are those of RFC 3986 and of RFC 2396 with RFC 2732. The URL Standard has none that a browser applies: it
resolves what it can, and `rehref.resolve(…, profile="whatwg")` says what that is.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, TypeAlias, get_args

from rehref.exceptions import OptionError, refuse_unknown
from rehref.uri._grammar import grammar_of_3986 as rfc3986
from rehref.uri.components import Violation, refuse_other_types

Grammar: TypeAlias = Literal["rfc3986", "rfc2396"]
"""A grammar of URI references: that of RFC 3986, or of RFC 2396 with RFC 2732."""

PRODUCTIONS: Mapping[Grammar, tuple[str, ...]] = MappingProxyType({
    "rfc3986": get_args(rfc3986.Production),
    "rfc2396": ("URI-reference", "absoluteURI", "relativeURI"),
})  # fmt: skip
"""The grammars, and the names of the productions of each."""


def violations(reference: str, grammar: Grammar = "rfc3986", production: str = "URI-reference") -> list[Violation]:
    """Every way in which a text breaks a grammar, in the order of their positions; empty if the text is valid.

    `grammar`: `rfc3986`, or `rfc2396` (with RFC 2732). `production`: what the text is to be: for RFC 3986
    `URI-reference`, `URI`, `absolute-URI` or `relative-ref`; for RFC 2396 `URI-reference`, `absoluteURI` or
    `relativeURI`.

    Raises TypeError for what is not a str, ValueError for an unknown grammar or production.
    """
    checked: Any = _checked(reference, grammar, production)
    if grammar == "rfc3986":
        return rfc3986.violations(reference, checked)
    from rehref.uri._grammar import grammar_of_2396 as rfc2396  # few need it

    return rfc2396.violations(reference, checked)


def is_valid(reference: str, grammar: Grammar = "rfc3986", production: str = "URI-reference") -> bool:
    """Whether a text matches a grammar: whether `violations` finds none. Arguments and exceptions are those of it."""
    if grammar == "rfc3986":
        checked: Any = _checked(reference, grammar, production)
        return rfc3986.is_valid(reference, checked)
    return not violations(reference, grammar, production)


def _checked(reference: str, grammar: Grammar, production: str) -> str:
    refuse_other_types("reference", reference)
    refuse_unknown("grammar", grammar, PRODUCTIONS)
    if production not in PRODUCTIONS[grammar]:
        names = ", ".join(PRODUCTIONS[grammar])
        raise OptionError.of(f"unknown production {production!r} of {grammar}; there are {names}")
    return production
