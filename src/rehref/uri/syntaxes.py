"""The micro-syntaxes: one way to find and to write references, whatever value contains them, and what is found.

Each is a row of `SYNTAXES`: a reader finds the references of a decoded value in order, with spans that do not overlap,
and a writer gives the text to put into a span. Putting `write(t, f.form)` in place of `v[f.start:f.end]` and reading
again gives `t` there and the other references unchanged; each module says what its micro-syntax cannot hold. Neither
raises, and both are linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from rehref.text import WHITE_SPACE

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
"""What a reference is for, as in `Link.kind`."""

ORIGIN_RELS: Final = frozenset({"dns-prefetch", "preconnect"})
"""Keywords of `rel` that make browsers connect to the target's host: only its origin counts."""


class Occurrence(NamedTuple):
    """A reference found in a value: `value[start:end]` is how it is written, `text` what it means."""

    start: int
    end: int
    text: str
    form: str
    """How to write a replacement; opaque, passed back to `write` of the same micro-syntax."""
    bases: tuple[str, ...] = ()
    """References between this one and the document's base, nearest first (`@base` of JSON-LD)."""
    kind: Kind | None = None
    """What this reference is for, if the micro-syntax decides it; None: the kind of the carrier."""
    fetched: bool = True
    """Whether something may be fetched for it: not if others are only compared with it, or it is a part of others."""
    property: str = ""
    """The custom property of CSS whose value has it, if it is relative: what uses the property decides its base."""


Syntax: TypeAlias = Literal[
    "url",  # one reference, white space around it stripped
    "origin",  # the same, of which only scheme, host and port count: nothing is fetched
    "srcset",  # HTML Standard, image candidate strings
    "spaces",  # references separated by ASCII white space (ping, archive of object)
    "commas",  # references separated by commas (archive of applet)
    "semicolons",  # references separated by semicolons (`values` of SVG's animations)
    "css",  # CSS text: a declaration list in an attribute, a stylesheet in an element
    "data-style",  # a `data:` URL that is a style sheet
    "image",  # a URL, a CSS value, or something else: what scripts keep in their own attributes
    "curie",  # RDFa 1.1 §7.4.3, SafeCURIEorCURIEorIRI: one reference, unless it is in brackets or a blank node
    "refresh",  # HTML Standard, the value of <meta http-equiv=refresh content>
    "fragment",  # a hash-name reference: `#name`, never resolved to another document (usemap)
    "import-map",  # HTML Standard, the text of a `script` of that type
    "speculation-rules",  # HTML Standard, the same
    "speculation-rules-file",  # HTML Standard, `application/speculationrules+json`
    "json-ld",  # JSON-LD 1.1, the same
    "json",  # a string in JSON that a parser of such documents has found
    "link-header",  # RFC 8288, the value of a Link field
    "strings",  # RFC 9651, strings in a list or a dictionary
    "report-uris",  # CSP 3, those of `report-uri` in a list of policies
]
"""The micro-syntax of a value."""


class Carrier(NamedTuple):
    """How one attribute (or text) carries references; `spec`: where that is defined."""

    syntax: Syntax
    kind: Kind
    spec: str


class MicroSyntax:
    """A reader and a writer, which are imported when they are first used: few documents need all of them.

    `is_for_custom_attributes`: whether a custom attribute may have this micro-syntax.
    """

    def __init__(self, find: str, write: str, packed: str = "", *, is_for_custom_attributes: bool = False) -> None:
        """Store where the reader and the writer are: functions of modules beside this one, or with whole names.

        `packed`: the reader of values whose references are encoded, if there are such values.
        """
        self._find = find
        self._write = write
        self._packed = packed
        self.is_for_custom_attributes = is_for_custom_attributes

    @cached_property
    def find(self) -> Callable[[str], list[Occurrence]]:
        """Finds the references in a decoded value."""
        find: Callable[[str], list[Occurrence]] = _function(self._find)
        return find

    @cached_property
    def write(self) -> Callable[[str, str], str]:
        """Writes a reference in the `form` of another."""
        write: Callable[[str, str], str] = _function(self._write)
        return write

    def find_packed(self, value: str) -> list[Occurrence]:
        """Find the references that no part of a decoded value is, since it is encoded; their spans are not in it."""
        found: list[Occurrence] = _function(self._packed)(value) if self._packed else []
        return found

    def find_with_rest(self, value: str) -> Iterator[tuple[Occurrence, str]]:
        """Find the references in a decoded value, each with what follows, without commas and white space around it."""
        found = self.find(value)
        ends = (*(each.start for each in found[1:]), len(value))
        return ((each, value[each.end : end].strip(f"{WHITE_SPACE},")) for each, end in zip(found, ends, strict=False))


class CustomProperties(NamedTuple):
    """The custom properties that CSS text uses by `var()`, and those that it registers as URLs.

    A URL in one of the latter is resolved where it is declared (CSS Properties and Values 1 §2.4). (An `<image>` is
    not, in browsers.)
    """

    used: frozenset[str]
    with_urls: frozenset[str]

    @classmethod
    def of(cls, css: str) -> CustomProperties:
        """Find them."""
        return cls._make(map(frozenset, _function("css.custom_properties")(css)))


def _function(name: str) -> Any:
    """Import a function: `css.find`, or `rehref.text.json_text.write`."""
    module, _, function = name.rpartition(".")
    return getattr(import_module(module if "." in module else f"rehref.uri._syntaxes.{module}"), function)


SYNTAXES: Mapping[Syntax, MicroSyntax] = MappingProxyType(
    {
        "url": MicroSyntax("lists.find_url", "lists.write_url", is_for_custom_attributes=True),
        "origin": MicroSyntax("lists.find_origin", "lists.write_url"),
        "srcset": MicroSyntax("srcset.find", "srcset.write", is_for_custom_attributes=True),
        "spaces": MicroSyntax("lists.find_spaces", "lists.write_spaces", is_for_custom_attributes=True),
        "commas": MicroSyntax("lists.find_commas", "lists.write_commas", is_for_custom_attributes=True),
        "semicolons": MicroSyntax("lists.find_semicolons", "lists.write_semicolons"),
        "css": MicroSyntax("css.find", "css.write", is_for_custom_attributes=True),
        "data-style": MicroSyntax("data_style.find", "data_style.write", "data_style.in_base64"),
        "image": MicroSyntax("image.find", "image.write", is_for_custom_attributes=True),
        "curie": MicroSyntax("lists.find_curie", "lists.write_url"),
        "refresh": MicroSyntax("refresh.find", "refresh.write"),
        "fragment": MicroSyntax("lists.find_fragment", "lists.write_fragment"),
        "import-map": MicroSyntax("script_data.find_import_map", "script_data.write_import_map"),
        "speculation-rules": MicroSyntax("script_data.find_speculation_rules", "rehref.text.json_text.write"),
        "speculation-rules-file": MicroSyntax("script_data.find_in_file", "rehref.text.json_text.write"),
        "json-ld": MicroSyntax("json_ld.find_json_ld", "json_ld.write_json_ld"),
        "json": MicroSyntax("lists.find_nothing", "rehref.text.json_text.write"),
        "link-header": MicroSyntax("link_header.find", "link_header.write"),
        "strings": MicroSyntax("field_values.find_strings", "link_header.write"),
        "report-uris": MicroSyntax("field_values.find_report_uris", "field_values.write_report_uri"),
    }
)

PLACEHOLDER: Final = "placeholder"
"""A word of the `form` of a reference in which the first `%s` stands for a text that a browser fills in."""

OF_TWIN: tuple[Syntax, ...] = ("url", "spaces", "srcset", "css", "origin", "refresh", "json-ld", "json")
"""Those of which the compiled twin has the references, by their numbers; of the last three Python finds them. `json` is
that of any text without markup (`rehref.documents._formats.format_contract`)."""


def found_in(number: int, value: str) -> list[Occurrence]:
    """The references in a value of the micro-syntax with that number."""
    return SYNTAXES[OF_TWIN[number]].find(value)
