"""The documents of an offline copy: the rule for them, which also counts, and the file that browsers open from a disk.

References to saved resources lead to their files, others become absolute (`rehref.rewriting.offline_rule`). A file has
no header fields that give its encoding: a document that would be read in another one is written in UTF-8, with a byte
order mark. A `base` is removed; references in the attributes of lazy loaders change if they lead to saved files.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable
from dataclasses import dataclass, replace

from rehref.archives._copies import without_network
from rehref.archives._copies.candidates import is_on_web, with_what_is_saved
from rehref.containers.parts import Part
from rehref.documents.base import Base
from rehref.documents.document import Document
from rehref.documents.integrity import GuardedPage, Hashes
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import encoding_of, read_page
from rehref.rewriting.edits import Rewritten, rewrite_document
from rehref.rewriting.link_properties import means_nothing_elsewhere
from rehref.rewriting.offline_rule import ATTRIBUTES, Offline, is_one_of, is_restricting
from rehref.rewriting.rule import DROP, Attributes, Drop, RowRule
from rehref.text.encoding import Source
from rehref.uri.resolver import Profile
from rehref.uri.syntaxes import SYNTAXES

_FRAMES = ("iframe", "frame")
_SHOWN_XML = (MediaType.XHTML, "image/svg+xml", "application/xml", "text/xml")
_TITLE_WITHIN = 1 << 18
_LONGEST_TITLE = 200


@dataclass(frozen=True, slots=True)
class Copied:
    """The rule for the documents of a copy. `no_network`: make pages that never ask the web."""

    offline: Offline
    no_network: bool = False

    @property
    def attributes(self) -> tuple[str, ...]:
        """The attributes that a document must report besides its references (`rehref.links`)."""
        return (*ATTRIBUTES, without_network.ATTRIBUTE) if self.no_network else ATTRIBUTES

    def in_file(self, path: str) -> Copied:
        """Return the rule for the document at a path."""
        return replace(self, offline=self.offline.in_file(path))

    def for_document(self, own: Base, base: Base, profile: Profile) -> RowRule:
        """Return the rule for a document of which no more is known."""
        return self.offline.for_document(own, base, profile)

    def counting(self, document: Document, *, is_moved: bool = False) -> CopiedDocument:
        """Return the rule for one document. `is_moved`: its encoding changes to UTF-8."""
        rule = self.offline.for_document(document.own, document.base, document.how.profile)
        return CopiedDocument(document, rule, self.no_network, is_moved, self.offline.only_saved)


@dataclass(slots=True)
class CopiedDocument:
    """The rule for one document. `lazy`: attributes that mean nothing to browsers. `web`: how many references browsers
    load from the web.
    """

    document: Document
    offline: RowRule
    no_network: bool
    is_moved: bool
    lazy: frozenset[str]
    web: int = 0

    def finished(self, data: bytes, encoding: str) -> bytes:
        """Return the rewritten document in its encoding, without candidates that are not saved.

        It has a policy if nothing may be loaded from the web.
        """
        media_type = self.document.media_type
        data, removed = with_what_is_saved(data, media_type, encoding)
        self.web = max(0, self.web - removed)
        if self.document.reader in ("html", "xml", "css") and Hashes.may_be_in(data):
            data = _without_hashes_of_saved(data, self.document.guarded(Source.marked(data, encoding)))
        if not self.no_network or media_type not in MediaType.PAGES:
            return data
        return without_network.without_network(data, encoding, is_xml=media_type == MediaType.XHTML)

    def for_document(self, own: Base, base: Base, profile: Profile) -> RowRule:
        """Return the rule for the document."""
        return replace(self.offline, write=self._write)

    def _write(self, link: Link, attributes: Attributes) -> str | Drop | None:
        """Return the new reference of the link, or None if it stays."""
        if self.no_network and (link.element, link.attribute) == ("script", "type"):
            return without_network.idle_type(link.reference)
        new = self.offline.write(link, attributes)
        if isinstance(new, Drop) or is_restricting(link.element, link.attribute):
            return new
        if new is None:
            new = self._re_encoded(link.reference, link.target, same_document=link.same_document)
        written = link.reference if new is None else new
        if not self.no_network or not is_on_web(written):
            return new
        if without_network.goes_by_itself(link):
            return DROP
        if link.kind == "resource" and self.document.media_type in _SHOWN_XML:
            return "data:,"
        if link.kind == "resource" and link.element in _FRAMES:
            return f"data:,{written}"
        return new

    def count(self, made: Rewritten) -> None:
        """Count the resources that are on the web, also those in a style sheet that is a `data:` URL in base64: it
        cannot change.
        """
        for row, answer, times in made.asked.table.written():
            if row.kind != "resource" or answer is False:
                continue
            reference = answer if isinstance(answer, str) else row.text
            loaded = is_on_web(reference) and not is_one_of(row.element, row.attribute, self.lazy)
            self.web += times * (loaded + len(_in_base64(row.element, reference)))

    def _re_encoded(self, reference: str, target: str | None, *, same_document: bool) -> str | None:
        """The target if the reference may have a query in the page's old encoding, else None."""
        if not self.is_moved or same_document or reference.isascii() or means_nothing_elsewhere(target or ""):
            return None
        return target


def _without_hashes_of_saved(page: bytes, guarded: GuardedPage) -> bytes:
    """A rewritten document whose import maps and CSS have no hashes of saved files: they become empty."""
    without = {
        number: ""
        for number, each in enumerate(guarded.guards)
        if guarded.parsed.places[each.place].attribute != "integrity" and not is_on_web(each.reference)
    }
    return guarded.with_metadata(without) if without else page


def _in_base64(element: str, reference: str) -> list[str]:
    """The references in a style sheet that is a reference, and in base64."""
    found = SYNTAXES["data-style"].find_packed(reference) if element == "link" else []
    return [each.text for each in found if each.kind is None and not each.text.startswith("data:")]


@dataclass(frozen=True, slots=True)
class OfflineFile:
    """A document as a file.

    `title`: the title of HTML, "" if it has none. `web`: how many references make browsers load something from the web.
    `base`: the base that a `base` element gave the document, else "".
    """

    data: bytes
    title: str = ""
    web: int = 0
    base: str = ""


def offline_file(
    part: Part, find: Callable[[str], str | None], at: str, how: ReadOptions, *, no_network: bool = False
) -> OfflineFile:
    """Make a file of a document. Raises what `Part.opened` does.

    `find`: returns the path that a URI is saved at, for `Offline`. `at`: the document's own path. `no_network`: make
    pages that never ask the web.
    """
    how, only_saved = how.with_lazy()
    copied = Copied(Offline(find, at, base_element="drop", only_saved=only_saved), no_network)
    document = part.opened(replace(how, attributes=(*how.attributes, *copied.attributes)))
    meant = document.source
    is_moved = _is_moved(part, meant)
    rule = copied.counting(document, is_moved=is_moved)
    made = rewrite_document(document, rule)
    rule.count(made)
    data = made.data
    assert isinstance(data, bytes)
    encoding = meant.encoding or "utf-8"
    title = ""
    if document.reader in ("html", "xml"):
        beginning = Source(data[meant.bom : _TITLE_WITHIN], encoding)
        title = read_page(beginning, is_xml=document.reader == "xml").title
    if is_moved:
        data, encoding = BOM_UTF8 + Source(data, encoding).text.encode("utf-8", "replace"), "utf-8"
    base = document.base.uri if document.base.origin == "embedded" else None
    return OfflineFile(rule.finished(data, encoding), title[:_LONGEST_TITLE], rule.web, base or "")


def _is_moved(part: Part, meant: Source) -> bool:
    """Whether a document is written in UTF-8, whatever its encoding was.

    It is if its container gave the encoding, or nothing declares it, unless the document is all ASCII.
    """
    if meant.bom or not _may_move(part.data, meant.encoding or ""):
        return False
    found = encoding_of(part.data, part.media_type)
    return found.name != meant.encoding or (
        found.undeclared and MediaType.of(part.media_type).reader in ("html", "css")
    )


def text_file(part: Part) -> bytes:
    """Another part as a file: text in UTF-8 if only a header field gave its charset, else unchanged."""
    if part.encoding is None or not _may_move(part.data, part.encoding):
        return part.data
    source, kind = Source.marked(part.data, part.encoding), MediaType.of(part.media_type)
    if source.bom:
        return part.data
    if kind.startswith("text/") or kind.endswith("javascript"):
        return BOM_UTF8 + source.text.encode("utf-8", "replace")
    return part.data


def _may_move(data: bytes, encoding: str) -> bool:
    """Whether the encoding matters for the data, and they are text: nothing with a NUL is, unless it is in UTF-16."""
    return encoding.startswith("utf-16") or not (data.isascii() or b"\0" in data)
