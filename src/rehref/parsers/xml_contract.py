"""The result of reading XML: the contract of `contract`, with namespaces, `xml:base` scopes and parents.

1. A place is as in `contract`: names are as the author wrote them, in their case; `namespace` is the namespace URI of
   the element, "" for none.
2. An attribute has its qualified name, with the usual prefix of its namespace, whatever the document's prefix is:
   `xml:base`, `xlink:href`, `rdf:about`. One in no namespace has its plain name; one in any other `{URI}local`.
3. Values of attributes are normalized (XML 1.0 §3.3.3, as CDATA: each line end, TAB and the like becomes one space).
4. An element without child elements whose text is wanted and not empty has one place for all of its text, after those
   of its attributes: attribute None; character data and CDATA sections joined, without comments and processing
   instructions.
5. A pseudo-attribute of a wanted processing instruction before the document element is a place of element `?target`, in
   no namespace.
6. `xml:base` is always wanted. Each place knows the `xml:base` that applies to it (XML Base §4): the nearest of the
   element itself and its ancestors; for the one of the element itself, the next one outside applies.
7. Nothing external is read, and no markup raises: a document that is not well-formed is read as far as possible, and
   its errors are noted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, runtime_checkable

from rehref.parsers.contract import Parsed, tells_byte_splices, tells_splices
from rehref.text.source import Source

XML = "http://www.w3.org/XML/1998/namespace"
XMLNS = "http://www.w3.org/2000/xmlns/"
XLINK = "http://www.w3.org/1999/xlink"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

PREFIXES = {XML: "xml:", XLINK: "xlink:", RDF: "rdf:"}
"""The prefixes of namespaces in names of attributes (rule 2)."""

MOST_DIAGNOSTICS = 10
"""How many diagnostics a document can have; more are not noted."""


def qualified(namespace: str, local: str) -> str:
    """Return the name of an attribute (rule 2)."""
    if namespace == "":
        return local
    prefix = PREFIXES.get(namespace)
    return f"{{{namespace}}}{local}" if prefix is None else prefix + local


class XmlWanted(NamedTuple):
    """What may carry references; a reader may skip everything else. All local names are ASCII."""

    attributes: frozenset[str] = frozenset()
    """Attributes wanted on every element, by their qualified names (rule 2)."""
    texts: frozenset[tuple[str, str]] = frozenset()
    """Elements whose text is wanted: namespace (`*`: any) and local name."""
    instructions: frozenset[str] = frozenset()
    """Targets of the processing instructions whose pseudo-attributes are wanted."""


class XmlDocument:
    """An XML document that has been read: a `Parsed`, with what only XML has.

    `scopes`: for each place, the number of the `xml:base` place that applies to it (rule 6); -1: none. `parents`: for
    each place, namespace and local name of its element's parent; ("", "") for the document element. `root`: those of
    the document element; ("", "") if there is none. `diagnostics`: the errors of well-formedness, each as the line
    (1-based) and a message, at most `MOST_DIAGNOSTICS`.
    """

    __slots__ = (
        *(
            "_parsed",
            "apply",
            "byte_splices",
            "diagnostics",
            "direct",
            "locate",
            "parents",
            "places",
            "root",
            "scopes",
            "span",
        ),
        *("recoded", "splices", "units"),
    )

    def __init__(
        self,
        parsed: Parsed,
        scopes: Sequence[int],
        parents: Sequence[tuple[str, str]],
        root: tuple[str, str],
        diagnostics: Sequence[tuple[int | None, str]] = (),
    ) -> None:
        """Combine them."""
        self.scopes, self.parents, self.root, self.diagnostics = scopes, parents, root, diagnostics
        self._parsed = parsed
        self.places, self.direct = parsed.places, parsed.direct
        self.span, self.locate, self.apply = parsed.span, parsed.locate, parsed.apply
        if tells_splices(parsed):
            self.splices = parsed.splices
        if tells_byte_splices(parsed):
            self.byte_splices = parsed.byte_splices
        self.units = getattr(parsed, "units", None)
        self.recoded = getattr(parsed, "recoded", None)

    @property
    def positions(self) -> tuple[Sequence[int | None], Sequence[int | None]]:
        """For each place, the line, and the column (1-based, characters), where its value begins."""
        return self._parsed.positions


@runtime_checkable
class XmlCore(Protocol):
    """A parser core that reads XML, too."""

    def parse_xml(self, source: Source, wanted: XmlWanted) -> XmlDocument:
        """Read the source. Never raises on markup."""
