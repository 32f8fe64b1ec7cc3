"""One document read, linked and rewritten with the compiled twin and without, and whether that is the same.

- A case is a document and a `Setting`: its links and its bytes with and without the twin. Settings of one document
  share its scan, and those with the same base its links.
- The places of a scan are compared first: the twin's with the reference's, and of some documents with what tree
  construction finds. Some documents go through the public functions. What the twin refuses to read is no case, but
  for some: the same code would be compared with itself.
- What is raised is a difference, too: nothing raises on account of what a document holds.
- Some samples have a style sheet besides, which the public functions read; some are XML.
- `Coverage` counts the links of some documents by micro-syntax, and those whose targets Python computed.
"""

from __future__ import annotations

import re
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import NamedTuple

import rehref
import rehref.text.json_text  # (it uses the twin, and is loaded late elsewhere)
from rehref._native import TWIN
from rehref.documents._carriers.html_attributes import ANY, HTML_CARRIERS, MATHML_CARRIERS, SVG_CARRIERS
from rehref.documents._formats import html, xml
from rehref.documents._formats.html_carriers import html_carriers
from rehref.documents._formats.xml_carriers import xml_carriers
from rehref.documents.base import Candidate, Layers
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.options import ReadOptions
from rehref.markup._page.visible_text import visible_text
from rehref.markup._source.construction.construct import construct
from rehref.markup._source.parsed_source import SourceParsed
from rehref.markup._source.place_collector import PlaceCollector
from rehref.markup.cores import core
from rehref.markup.parsed import Place, XmlDocument
from rehref.markup.twin import xml_bases
from rehref.reports.formats import Presentation, in_pieces, links_format
from rehref.rewriting.edits import Rewritten, rewrite_document
from rehref.rewriting.rule import DocumentRule, Rule
from rehref.text.charsets import decode
from rehref.text.encoding import Source
from rehref.uri.resolver import Profile

CORE = core()

_SYNTAXES = {
    names: carrier.syntax
    for table in (MATHML_CARRIERS, SVG_CARRIERS, HTML_CARRIERS)
    for names, carrier in table.items()
}


class BoundResolver(NamedTuple):
    """What the references of a document are resolved with."""

    url: str | None
    entity_base: str | None
    profile: Profile
    ignore_embedded_base: bool
    strict_uris: bool
    undeclared: bool


class Setting(NamedTuple):
    """How a document is linked, and the rules that it is rewritten by."""

    against: BoundResolver
    rules: Sequence[tuple[Rule | DocumentRule, bool]]
    """Each with whether all is percent-encoded."""


class Sample(NamedTuple):
    """A document, and how it is read: as many cases as its settings have rules."""

    source: Source
    selection: ReadOptions
    settings: Sequence[Setting]
    by_tree: bool
    """Whether tree construction finds the places, too."""
    in_public: bool
    """Whether the public functions read it, too."""
    watched: bool
    """Whether it is counted who does what."""
    sheet: bytes | str | None = None
    """A style sheet, too."""
    is_xml: bool = False


class Difference(NamedTuple):
    """What differs: what is compared, and what it is with the twin and without."""

    what: str
    by_twin: object
    without: object


@dataclass(slots=True)
class Coverage:
    """How much was compared."""

    cases: int = 0
    documents: int = 0
    refused: int = 0
    """Documents that the twin did not read."""
    links: Counter[str] = field(default_factory=Counter)
    """The links of the documents that it linked, of those that were watched, by micro-syntax."""
    handed: Counter[str] = field(default_factory=Counter)
    """Those of them whose targets Python computed."""
    references: int = 0
    """References that rules were asked about."""

    def add(self, other: Coverage) -> None:
        """Count what was compared elsewhere, too."""
        self.cases += other.cases
        self.documents += other.documents
        self.refused += other.refused
        self.links += other.links
        self.handed += other.handed
        self.references += other.references


# (it is imported when it is needed)
import_module("rehref.markup._source.xml.twin_of_xml")
_USERS = [module for name, module in sys.modules.items() if name.startswith("rehref.") and hasattr(module, "TWIN")]
"""The modules that use the twin."""


@contextmanager
def without_twin() -> Iterator[None]:
    """All is done by the reference."""
    for module in _USERS:
        module.TWIN = None  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in _USERS:
            module.TWIN = TWIN  # type: ignore[attr-defined]


def differs(sample: Sample, coverage: Coverage) -> Difference | None:
    """What is not the same with the twin and without; None if all is. Counts what was compared."""
    try:
        return _differs(sample, coverage)
    except Exception as error:
        return Difference(f"raising {type(error).__name__}", traceback.format_exc(), None)


def _differs(sample: Sample, coverage: Coverage) -> Difference | None:
    if sample.sheet is not None:
        coverage.cases += 1
        by_twin = _of_sheet(sample.sheet, sample.settings[0])
        with without_twin():
            without_it = _of_sheet(sample.sheet, sample.settings[0])
        if by_twin != without_it:
            return Difference("a style sheet", by_twin, without_it)
    parsed = _parsed(sample)
    refused = isinstance(parsed.places, list)
    coverage.documents += 1
    coverage.refused += refused
    with without_twin():
        plain = _parsed(sample)
    if list(parsed.places) != plain.places:
        return Difference("places", parsed.places, plain.places)
    if _of_xml(parsed) != _of_xml(plain):
        return Difference("what is known of places in XML", _of_xml(parsed), _of_xml(plain))
    if sample.by_tree and (found := _by_tree(sample, parsed)) != plain.places:
        return Difference("places by tree construction", found, plain.places)
    if (texts := _shown_texts(sample)) is not None and len(set(texts)) > 1:
        return Difference("the text that is shown", *texts)
    if refused and not sample.in_public:
        return None
    coverage.cases += sum(len(setting.rules) for setting in sample.settings)
    with_twin = _made(sample, parsed, coverage if sample.watched else None)
    public = _of_public(sample) if sample.in_public else None
    with without_twin():
        without = _made(sample, plain, None)
        public_without = _of_public(sample) if sample.in_public else None
    for one, other in zip(with_twin, without, strict=True):
        if one != other:
            return _first_difference(one, other)
    return None if public == public_without else Difference("public functions", public, public_without)


def _first_difference(by_twin: Made, without: Made) -> Difference:
    for one, other in zip(by_twin.links, without.links, strict=False):
        if one != other:
            return Difference("a link", one, other)
    if by_twin.links != without.links:
        return Difference("links", by_twin.links, without.links)
    if by_twin.texts != without.texts:
        return Difference("links as JSON", by_twin.texts, without.texts)
    return next(
        Difference("bytes", one, other)
        for one, other in zip(by_twin.rewritten, without.rewritten, strict=True)
        if one != other
    )


class Made(NamedTuple):
    """What is made of a document with a setting."""

    links: list[Link]
    texts: str
    """The links as JSON."""
    rewritten: list[Rewritten]


def _parsed(sample: Sample) -> SourceParsed | XmlDocument:
    """The document, scanned."""
    if sample.is_xml:
        return CORE.parse_xml(sample.source, xml_carriers(sample.selection).wanted)
    return CORE.parse(sample.source, html_carriers(sample.selection).wanted)


def _shown_texts(sample: Sample) -> tuple[str, str] | None:
    """The text of a page, with the twin and without, with a mark at every third tag; None for XML."""
    if sample.is_xml:
        return None
    data, encoding = sample.source.data, sample.source.encoding
    page = data if isinstance(data, str) else decode(data, encoding or "")
    marks = {found.start(): f"[{found.start()}]" for found in list(re.finditer("<[A-Za-z]", page))[::3]}
    with_twin = visible_text(page, marks=marks)
    with without_twin():
        return with_twin, visible_text(page, marks=marks)


def _of_xml(parsed: SourceParsed | XmlDocument) -> tuple[object, ...]:
    """What is known of a document in XML besides its places."""
    if not isinstance(parsed, XmlDocument):
        return ()
    return list(parsed.scopes), list(parsed.parents), parsed.root, parsed.diagnostics, list(xml_bases(parsed.places))


def _by_tree(sample: Sample, parsed: SourceParsed | XmlDocument) -> list[Place]:
    assert parsed.units is not None
    collector = PlaceCollector(parsed.units, html_carriers(sample.selection).wanted)
    construct(collector)
    return collector.places


def _made(sample: Sample, parsed: SourceParsed | XmlDocument, coverage: Coverage | None) -> list[Made]:
    """What is made of a document, for each setting; what the twin did is counted."""
    made = []
    for setting in sample.settings:
        document = _document(sample, parsed, setting.against)
        links = list(document.links())
        rewritten = [
            rewrite_document(document, rule, splices=not number, percent_encode=encode)
            for number, (rule, encode) in enumerate(setting.rules)
        ]
        twin = document.table()._twin
        if coverage is not None and twin is not None:
            coverage.links.update(_syntax(link.element, link.attribute) for link in links)
            for row in twin.odd_rows():
                coverage.handed[_syntax(row.element, row.attribute)] += row.uses
            coverage.references += sum(each.references for each in rewritten)
        whole = [_whole(sample.source, each) for each in rewritten]
        made.append(Made(links, _texts(_document(sample, parsed, setting.against)), whole))
    return made


def _texts(document: Document) -> str:
    form = links_format("jsonl", Presentation())
    written = form.written("page.html", document)
    if written is not None:
        return b"".join(in_pieces(written[0])).decode()
    return form.document("page.html", document.base, document.links())


def _whole(source: Source, rewritten: Rewritten) -> Rewritten:
    """What came of rewriting, without its splices, which may be put in several ways; they must make the new bytes."""
    data, done, splices = source.data, 0, rewritten.splices
    if isinstance(data, bytes) and splices is not None:
        parts = []
        for start, end, new in splices:
            parts += [data[done:start], new]
            done = end
        if b"".join((*parts, data[done:])) != rewritten.data:
            raise AssertionError(f"the splices {splices} do not make {rewritten.data!r}")
    return rewritten._replace(splices=None, asked=None)


def _syntax(element: str, attribute: str | None) -> str:
    """The micro-syntax of a place, for people."""
    if attribute is None:
        return f"<{element}>"
    return _SYNTAXES.get((element, attribute)) or _SYNTAXES.get((ANY, attribute)) or "url"


def _document(sample: Sample, parsed: SourceParsed | XmlDocument, against: BoundResolver) -> Document:
    entity = () if against.entity_base is None else (Candidate(against.entity_base, "entity", "entity base"),)
    how = replace(
        sample.selection,
        profile=against.profile,
        ignore_embedded_base=against.ignore_embedded_base,
        strict_uris=against.strict_uris,
    )
    layers = Layers(entity, against.url, None, None, None)
    if isinstance(parsed, XmlDocument):
        return xml.understood(sample.source, parsed, xml_carriers(sample.selection), layers, how)
    source = sample.source._replace(undeclared=against.undeclared)
    return html.understood(source, parsed, html_carriers(sample.selection), layers, how)


def _of_public(sample: Sample) -> tuple[object, ...]:
    """The same by the functions that people call."""
    selection = sample.selection
    return _by_functions(
        sample.source.data,
        sample.settings[0],
        media_type="application/xml" if sample.is_xml else "text/html",
        scripting=selection.scripting,
        conditional_comments=selection.conditional_comments,
        attributes=selection.attributes,
    )


def _of_sheet(sheet: bytes | str, setting: Setting) -> tuple[object, ...]:
    """What these functions make of a style sheet."""
    return _by_functions(sheet, setting, media_type="text/css")


def _by_functions(data: bytes | str, setting: Setting, **options: object) -> tuple[object, ...]:
    against = setting.against
    options |= {
        "url": against.url,
        "entity_base": against.entity_base,
        "profile": against.profile,
        "ignore_embedded_base": against.ignore_embedded_base,
        "strict_uris": against.strict_uris,
    }
    rule, encode = setting.rules[-1]
    return (
        rehref.links(data, **options),  # type: ignore[arg-type]
        rehref.rewrite(data, rule, percent_encode=encode, **options),  # type: ignore[arg-type]
    )


def shortened(sample: Sample, what: str) -> tuple[Sample, Difference]:
    """The shortest document that can be found by leaving out, and the fewest settings, that differ in the same."""
    for setting in sample.settings:
        for rule in setting.rules:
            less = sample._replace(settings=[setting._replace(rules=[rule])])
            if _still(less, what):
                sample = less
                break
    size = len(sample.source.data) // 2 + 1
    while size:
        at = 0
        while at < len(sample.source.data):
            data = sample.source.data
            less = sample._replace(source=sample.source._replace(data=data[:at] + data[at + size :]))  # type: ignore[operator]
            if _still(less, what):
                sample = less
            else:
                at += size
        size //= 2
    difference = differs(sample, Coverage())
    assert difference is not None
    return sample, difference


def _still(sample: Sample, what: str) -> bool:
    found = differs(sample, Coverage())
    return found is not None and found.what == what
