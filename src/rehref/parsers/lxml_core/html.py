"""The `lxml` core: libxml2's fast tree.

1. Every core reads the same characters, so libxml2 does not decide the encoding: it gets UTF-8. NUL and lone
   surrogates, which it cannot hold, are read as U+FFFD everywhere.
2. The tree is written as XML at once (`html_as_xml`); places are found in that text (`html_places`), which is then
   turned into HTML again (`html_writing`). If libxml2 wrote HTML, it would percent-encode URIs, drop the values of
   attributes such as `selected`, and escape raw text, of an `xmp` say.
3. Control characters, which XML does not allow and libxml2 would write as U+FFFD, are kept, except in the value of an
   attribute whose name begins with `{` or contains one itself: lxml cannot address that.
4. Where libxml2 gives up (it stops at 2048 nested elements), the `html5lib` core replaces it, since half a document
   would be worse than a slow result.
5. A document that is written anew keeps its document type, its encoding and the escapes of its URIs.
6. The data that an edited document is made from never change: edits may be applied repeatedly.
7. libxml2 2.14 or later is needed, the first with the Standard's tokenizer. Importing this module with an older one is
   an `ImportError`.

libxml2 differs from the HTML Standard in how it repairs markup: nothing moves out of a table (but it is known
which `base` counts then), a misnested element is
not split in two, and attributes of a second `html` or `body` tag, or of one that comes late, are lost. It reads foreign
content as HTML: CDATA sections are comments, the text of `style`, `script` and `title` is not markup, and an element
stays open after a tag that breaks out of it. The content of a `noscript` is markup even if scripts run, though then it
has no places. A document without any element (only comments, say) is empty. Names end at their 100th character. The
line of an element is that of its start tag's end; lines from 65,535 are not known. Its work is linear except in the
number of attributes on one element, and it remembers each of a document's errors until the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from rehref.parsers.contract import Parsed, Place, Wanted
from rehref.parsers.html_serializer import doctype
from rehref.parsers.lxml_core.html_as_xml import TOKEN, XmlForm, xml_form
from rehref.parsers.lxml_core.html_places import find
from rehref.parsers.lxml_core.html_writing import write as write_html
from rehref.parsers.tree import NewValues, TreeParsed, document_text, restore
from rehref.parsers.xml_contract import XmlParsed, XmlWanted
from rehref.text.ascii import lower
from rehref.text.source import Source

if etree.LIBXML_VERSION < (2, 14):
    raise ImportError(
        f"libxml2 {'.'.join(map(str, etree.LIBXML_VERSION))} is too old, it must be 2.14 (lxml 6) or later"
    )

_LAST_LINE = 65535
_UNHOLDABLE = re.compile("[\0\ud800-\udfff]")
_NOT_XML = re.compile("[\1-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_SIMPLE = re.compile("[a-z][a-z0-9-]*")
_LOST = "&#xFFFD;"  # what libxml2 writes in place of a control character
_PRIVATE = range(0xF0000, 0xFFFFE)


@dataclass(frozen=True, slots=True)
class LxmlCore:
    """See `rehref.parsers.contract.Core`."""

    name: str = "lxml"
    summary: str = "libxml2's fast tree: writes the whole document anew; knows lines only"

    def parse(self, source: Source, wanted: Wanted) -> Parsed:
        """Read the source into a tree."""
        parser = etree.HTMLParser(
            encoding="utf-8",
            huge_tree=True,
            no_network=True,
            collect_ids=False,
            default_doctype=False,  # type: ignore[call-arg]  # the stubs do not know it
        )
        try:
            root: etree._Element | None = etree.fromstring(_data(source), parser)
            complete = not len(parser.error_log.filter_from_fatals())
        except etree.LxmlError:
            complete = False  # no known markup leads here; in any case, the other parser may succeed
        if not complete:
            from rehref.parsers.html5lib_core import CORE as CONFORMANT

            return CONFORMANT.parse(source, wanted)
        if root is None:
            return TreeParsed(source, (), (), lambda _: source.data)
        prolog = _doctype(root)
        nodes = [*reversed(list(root.itersiblings(preceding=True))), root, *root.itersiblings()]
        form = xml_form(_xml(nodes))
        found = find(form, wanted)

        def write(values: NewValues) -> bytes | str:
            return restore(source, prolog + write_html(form, found, values))

        return TreeParsed(source, found.places, _Lines(nodes, form, found.places), write)

    def parse_xml(self, source: Source, wanted: XmlWanted) -> XmlParsed:
        """Read XML; see `rehref.parsers.xml_contract`."""
        from rehref.parsers.lxml_core.xml import read_xml_lxml

        return read_xml_lxml(source, wanted)


CORE = LxmlCore()


def _data(source: Source) -> bytes:
    """Return the bytes for libxml2 to read (rule 1)."""
    data = source.data
    if isinstance(data, bytes) and source.encoding == "utf-8" and b"\r" not in data and b"\0" not in data:
        data = data[source.bom :]
        with suppress(UnicodeDecodeError):
            data.decode()
            return data
    text = document_text(source)
    try:
        return text.replace("\0", "\ufffd").encode()
    except UnicodeEncodeError:
        return _UNHOLDABLE.sub("\ufffd", text).encode()


def _doctype(root: etree._Element) -> str:
    """Take the document type out of a tree, so that XHTML's does not change how it is written; return its markup."""
    info = root.getroottree().docinfo
    dtd: Any = info.internalDTD
    if dtd is None:
        return ""
    info.clear()
    return doctype(dtd.name or "", dtd.external_id, dtd.system_url)


def _xml(nodes: Sequence[etree._Element]) -> str:
    """Write the nodes of a document as XML, except control characters (rule 3)."""
    text = _written(nodes)
    if _LOST not in text:
        return text
    used = set(text)
    free = (code for code in _PRIVATE if chr(code) not in used)
    codes = (code for code in (*range(1, 32), 0xFFFE, 0xFFFF) if _NOT_XML.match(chr(code)))
    stand_ins = {code: chr(stand_in) for code, stand_in in zip(codes, free, strict=False)}
    for node in nodes:
        for element in node.iter(etree.Element, etree.Comment):
            _replace(element, stand_ins)
    text = _written(nodes).replace(_LOST, "\ufffd")
    return text.translate({ord(stand_in): code for code, stand_in in stand_ins.items()})


def _written(nodes: Sequence[etree._Element]) -> str:
    return "".join(etree.tostring(node, encoding="unicode") for node in nodes)


def _replace(element: etree._Element, stand_ins: dict[int, str]) -> None:
    """Put stand-ins in place of the characters in and after an element that XML does not allow."""
    if (text := _replaced(element.text, stand_ins)) is not None:
        element.text = text
    if (text := _replaced(element.tail, stand_ins)) is not None:
        element.tail = text
    for name, value in element.items():
        if (text := _replaced(str(value), stand_ins)) is not None and not str(name).startswith("{"):
            with suppress(ValueError):  # a name may contain such characters too
                element.set(name, text)


def _replaced(text: str | None, stand_ins: dict[int, str]) -> str | None:
    """Put stand-ins into text; None if it needs none, or no character is left that it does not contain itself."""
    if not text or not _NOT_XML.search(text):
        return None
    text = text.translate(stand_ins)
    return None if _NOT_XML.search(text) else text


@dataclass(slots=True)
class _Lines:
    """The lines of places, computed when the first is needed."""

    nodes: Sequence[etree._Element]
    form: XmlForm
    places: Sequence[Place]
    elements: dict[int, etree._Element] = field(default_factory=dict)
    """Elements (and comments) that have places, by where they begin in the form."""

    def __getitem__(self, place: int, /) -> int | None:
        if not self.elements:
            self.elements.update(self._find())
        line: Any = self.elements[self.places[place].tag].sourceline
        return int(line) if line is not None and line < _LAST_LINE else None

    def _find(self) -> Iterable[tuple[int, etree._Element]]:
        names = {lower(place.element) for place in self.places if place.element != "#comment"} | {"image"}
        if all(map(_SIMPLE.fullmatch, names)) and not self.form.odd:  # then they can be selected
            some = [element for node in self.nodes for element in node.iter(etree.Comment, *names)]
            tags = re.finditer(f"<!--.*?-->|<(?:{'|'.join(names)})(?=[ />])", self.form.text, re.DOTALL)
            begin = [tag.start() for tag in tags]
            if len(begin) == len(some):  # equal numbers: none is part of a name
                return zip(begin, some, strict=True)
        every = (element for node in self.nodes for element in node.iter(etree.Comment, etree.Element))
        tokens = (token.start() for token in TOKEN.finditer(self.form.text) if not token[2])
        return zip(tokens, every, strict=True)
