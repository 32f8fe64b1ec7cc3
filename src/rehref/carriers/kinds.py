"""The words by which a place that carries references is typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal[
    "hyperlink",
    "resource",
    "form",
    "citation",
    "fragment",
    "base",
    "namespace",
    "metadata",
    "header",
    "text",
    "part",  # whatever it is for, its target is another document of the same container
]
"""What a reference is for, as `Link.kind` tells."""

Syntax: TypeAlias = Literal[
    "url",  # one reference, white space around it stripped
    "spaces",  # references separated by ASCII white space (ping, archive of object)
    "commas",  # references separated by commas (archive of applet)
    "srcset",  # HTML Standard, image candidate strings
    "css",  # CSS text: a declaration list in an attribute, a stylesheet in an element
    "image",  # a URL, a CSS value, or something else: what scripts have in attributes of their own
    "curie",  # RDFa 1.1 §7.4.3, SafeCURIEorCURIEorIRI: one reference, unless it is in brackets or a blank node
    "refresh",  # HTML Standard, the value of <meta http-equiv=refresh content>
    "fragment",  # a hash-name reference: `#name`, never resolved to another document (usemap)
    "import-map",  # HTML Standard, the text of a `script` of that type
    "speculation-rules",  # HTML Standard, likewise
    "json-ld",  # JSON-LD 1.1, likewise
    "json",  # a string in JSON, which a reader of such documents has found
]
"""The micro-syntax of a value."""


@dataclass(frozen=True, slots=True)
class Carrier:
    """How one attribute (or text) carries references."""

    syntax: Syntax
    kind: Kind
    spec: str
    """Where it is defined."""


class Found(NamedTuple):
    """A reference found in a value: `value[start:end]` is how it is written, `text` what it means."""

    start: int
    end: int
    text: str
    form: str
    """How a replacement is to be written; opaque, handed back to `write` of the same micro-syntax."""
    bases: tuple[str, ...] = ()
    """References that stand between this one and the document's base, nearest first (`@base` of JSON-LD)."""
    kind: Kind | None = None
    """What this reference is for, where the micro-syntax tells; None: what the carrier is for."""


_NOT_FETCHED = "unfetched"


def not_fetched(form: str) -> str:
    """The form of a reference that nothing is fetched for: others are compared with it, or it is a part of others.

    It is a word in a list of words, as the forms of JSON are (`Found.form`).
    """
    return f"{_NOT_FETCHED} {form}".rstrip()


def is_fetched(form: str) -> bool:
    """Whether something may be fetched by a reference, as far as its form tells (`not_fetched`)."""
    return _NOT_FETCHED not in form.split()
