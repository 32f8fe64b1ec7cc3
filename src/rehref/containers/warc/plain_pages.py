"""Pages of an archive that the compiled twin reads where they are: a short way to what `Document` gives.

1. Most records of a crawl are alike: a response in a member of its own, an HTTP head without codings, a page that is
   said to be in UTF-8, without a `base`, and a target URI that all read in the same way. For such a page nothing is
   copied, and no object is made that nobody asks for.
2. For any other record there is no `PlainPage`. It is read in the usual way (`current_record`), whose results for plain
   pages are the same.
3. Places that the twin leaves to Python are read in the usual way, too: the `Document` is made when it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final, TypeAlias

from rehref._native import TWIN
from rehref.base import LONGEST_EMBEDDED, Base, Candidate, without_fragment
from rehref.carriers.integrity import hashes_in_policy
from rehref.carriers.syntaxes import found_in
from rehref.containers.parts import ContainerOptions, Part, WantsDocument
from rehref.containers.warc.archive import Archive
from rehref.containers.warc.current_record import HTTP, CurrentRecord, place_of_uri, record_names
from rehref.containers.warc.record_heads import BEHIND, RecordHead
from rehref.documents.document import Document
from rehref.documents.formats.html import understood
from rehref.documents.formats.html_carriers import HtmlCarriers, html_carriers
from rehref.documents.media_types import HTML_TYPE, essence
from rehref.documents.table.complete_table import Table
from rehref.options import ReadOptions
from rehref.parsers.html_encoding import LIMIT, by_beginning
from rehref.parsers.source.core import CORE, parsed_from
from rehref.parsers.source.reference_table import ReferenceTable, counting_in_utf8
from rehref.parsers.source.twin import plan_for
from rehref.parsers.source.twin_exchange import BasesOfParts, How, Plan
from rehref.text.encoding import ANY_MARK, Source, lookup
from rehref.text.header_fields import POLICY, Head, charset_of, policies_of
from rehref.text.large_bytes import AnyBytes, is_same
from rehref.uri.ordinary_references import is_canonical, prefixes_of
from rehref.uri.resolver import prefixes_in

_NEED_MORE: Final = frozenset(
    ("content-encoding", "transfer-encoding", "link", "location", "refresh", "content-location")
)
"""HTTP header fields that change the body, or that carry references."""
_UTF_8: Final = "utf-8"


@dataclass(frozen=True, slots=True)
class PlainPages:
    """Finds the plain pages of an archive.

    `carriers`: those of documents that are read in this way; `plan`, `table`, `decided`: made of them for the compiled
    `twin`. `longest`: the size of a record, in bytes, from which on its page is not a plain one.
    """

    archive: Archive
    options: ContainerOptions
    wanted: WantsDocument
    how: ReadOptions
    carriers: HtmlCarriers
    plan: Plan
    table: bytes
    decided: dict[bytes, int]
    longest: int
    twin: Any

    def current(self) -> PlainPage | None:
        """The page in the current record; None if it has none, or not a plain one (rule 2)."""
        data, record = self.archive.member, self.archive.head
        if data is None or record is None or len(data) > self.longest:
            return None
        if record.kind != "response" or not record.http or not record.id or record.is_segment:
            return None
        if essence(record.media_type) not in (HTTP, ""):
            return None
        uri, size, end = record.uri, len(record.data), len(data) - len(BEHIND)
        start = size + record.http
        http = Head(data[size:start], data.find(b"\n", size) + 1 - size, complete=True)
        if not _is_plain_html(http, data, start, end) or not self.wanted(HTML_TYPE, uri):
            return None
        if len(uri) > LONGEST_EMBEDDED or not is_canonical(uri):
            return None
        scan = self.twin.Scan(data, self.plan.capsule, False, start, end)
        if not scan.done or (not self.how.ignore_embedded_base and scan.on(self.plan.base)):
            return None
        names = record_names(self.archive)
        base = Base(without_fragment(uri), "entity", place_of_uri(record, names.label))
        return PlainPage(self, record, http, data, scan, base=base, part=names.name)


@dataclass(slots=True, eq=False)
class PlainPage:
    """A page that has been scanned. It has the same as its `Document`, as far as it goes.

    `record`: the head of its record. `http`: the HTTP head. `base`: its base, and its own URI. `part`: the name of its
    record. `read_part` can be used only as long as its record is the current one; later, it raises `RuntimeError`.
    """

    _pages: PlainPages
    record: RecordHead
    http: Head
    _data: bytes  # of the record
    _scan: Any
    base: Base
    part: str
    _document: Document | None = None

    @property
    def own(self) -> Base:
        """The page's own URI."""
        return self.base

    @property
    def date(self) -> str | None:
        """The time of its capture."""
        return self.record.date or None

    @property
    def inside(self) -> Mapping[str, str]:
        """No other documents: an archive has no parts that belong together."""
        return {}

    @property
    def how(self) -> ReadOptions:
        """How it is read."""
        return self._pages.how

    def is_same(self, content: AnyBytes) -> bool:
        """Whether these are the bytes of the page."""
        return is_same(content, self._data, *self._extent)

    def read_part(self) -> Part:
        """The page as any part of a container."""
        pages = self._pages
        if pages.archive.member is not self._data:
            raise RuntimeError("a page of an archive must be used before the next record is read")
        part = CurrentRecord(pages.archive, pages.options, pages.wanted).body_part()
        assert part is not None, "a plain record can be read"
        return part

    @property
    def document(self) -> Document:
        """The complete document (rule 3)."""
        if self._document is None:
            pages, (start, end) = self._pages, self._extent
            source = Source(self._data[start:end], _UTF_8)
            outer, uri = pages.options.outer, Candidate(self.record.uri, "entity", self.base.where)
            parsed = parsed_from(source, self._scan, pages.plan, pages.carriers.wanted)
            layers = outer._replace(entity=(uri, *outer.entity), policies=policies_of(self.http))
            document = self._document = understood(source, parsed, pages.carriers, layers, pages.how)
            document.source, document.reader, document.media_type = source, "html", HTML_TYPE
            document.part, document.date = self.part, self.date
        return self._document

    def table(self, *, metadata: bool = True) -> Table:
        """See `Document.table`."""
        pages, uri = self._pages, self.base.uri
        assert uri is not None
        before = prefixes_in(pages.how.profile, prefixes_of(uri, uri))
        how = How(
            before,
            own=uri,
            base_is_own=True,
            table=pages.table,
            kinds=pages.carriers.kinds,
            ask=self._carried,
            find=found_in,
            metadata=metadata,
            decided=pages.decided,
            parts=BasesOfParts(codebase=pages.how.profile != "whatwg"),
        )
        start, end = self._extent
        count = partial(counting_in_utf8, self._scan, lambda: self._data[start:end], 0)
        return Table(self, ReferenceTable(self._scan.table(how, True), end - start, count))

    @property
    def _extent(self) -> tuple[int, int]:
        """Where the page begins and ends in the bytes of its record."""
        return len(self.record.data) + self.record.http, len(self._data) - len(BEHIND)

    def _carried(self, number: int) -> int:
        """What a place carries, if other attributes decide it."""
        document = self.document
        assert document.carriers is not None
        return document.carriers.carried(document.parsed, number)


PageChanges: TypeAlias = tuple[ReadOptions, Callable[[PlainPage], "AnyBytes | None"]]
"""How plain pages are read, and the function that returns the changed page; None: it stays as it is."""


def plain_pages(
    archive: Archive, options: ContainerOptions, wanted: WantsDocument, how: ReadOptions
) -> PlainPages | None:
    """What finds the plain pages of an archive; None if there is no compiled twin, or not for reading in this way."""
    if how.text or how.parser != CORE.name:
        return None
    carriers = html_carriers(how)
    plan = plan_for(carriers.wanted)
    if plan is None:
        return None
    return PlainPages(
        archive,
        options,
        wanted,
        how,
        carriers=carriers,
        plan=plan,
        table=plan.table(carriers),
        decided=plan.decided(carriers),
        longest=min(options.limits.free, options.limits.size),
        twin=TWIN,
    )


def _is_plain_html(http: Head, data: bytes, start: int, end: int) -> bool:
    """Whether a response with this head, and its body from `start` to `end`, is a page in UTF-8, not empty and without
    codings.
    """
    if start >= end or data.startswith(ANY_MARK, start):
        return False
    fields = http.values
    encoding = _encoding_of(fields.get("content-type", ""))
    if encoding is None or not _NEED_MORE.isdisjoint(fields):
        return False
    if POLICY in fields and any(map(hashes_in_policy, policies_of(http))):
        return False
    if encoding == "":
        found = by_beginning(data[start : min(start + LIMIT, end)])
        return found is not None and found.name == _UTF_8
    return encoding == _UTF_8


@lru_cache(maxsize=64)
def _encoding_of(media_type: str) -> str | None:
    """The encoding that a media type declares, "" if none; None if the type is not that of HTML, or it is unknown."""
    if essence(media_type) != HTML_TYPE:
        return None
    charset = charset_of(media_type)
    return "" if charset is None else lookup(charset)
