"""Apply a rule to a document: `rewrite_document`.

1. A document may have a table of its references (`rehref.parsers.source.reference_table`). A built-in rule is asked
   once for a row of it; any other may see where a link is, and is asked for each, in document order. What the rule
   answers is written into the source, as far as it can be as it is.
2. Places that are not in the table, or do not take what the rule answered, are edited (`asking`); so are all of a
   document without a table, and those of references for which the rule needs the other attributes of the element.
3. In a page that changes, a policy keeps its hashes right (`rehref.documents.integrity`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from rehref.carriers.integrity import may_have_policy
from rehref.documents.base_lint import resolves_paths
from rehref.documents.document import LOCAL_KINDS, Document
from rehref.documents.link import Link
from rehref.parsers.contract import Edit, tells_byte_splices, tells_refused
from rehref.parsers.source.reference_table import ReferenceRow, ReferenceTable, RowOutcome
from rehref.parsers.source.twin_exchange import ByteSplice
from rehref.rewriting.asking import AskedRule, PlaceEdits
from rehref.rewriting.contract import DROP, LINK_NEEDED, DocumentRule, Drop, LinkNeeded, Rule, offered_by, rule_for
from rehref.rewriting.link_properties import difference
from rehref.rewriting.needed_base import with_needed_base
from rehref.rewriting.percent_encoding import write_valid_link
from rehref.text.large_bytes import AnyBytes, LargeBytes, joined
from rehref.uri.grammar.rfc3986 import is_valid

if TYPE_CHECKING:
    from rehref.containers.warc.plain_pages import PlainPage

_Source: TypeAlias = "Document | PlainPage"


class Rewritten(NamedTuple):
    """A document's new source, of the same type as the old, and how many references were changed.

    `content`: the source; a large one is made in pieces. `in_table`: how many references its table has; `places`: the
    edits of places that are not in it. `otherwise`: how many references a built-in rule would have written differently
    if browsers read them like the RFC (`rehref.rewriting.link_properties`).
    `splices`: what was replaced in the bytes of the source (from, to, by what), if requested and known.
    `refused`: lines and columns of references that stay, since the new ones would be read differently there.
    `keeps_base`: the rule would have removed the base, but the document needs it (`rehref.rewriting.needed_base`).
    """

    content: AnyBytes | str
    changed: int
    in_table: int = 0
    places: PlaceEdits | None = None
    splices: Sequence[ByteSplice] | None = None
    otherwise: int = 0
    refused: Sequence[tuple[int | None, int | None]] = ()
    keeps_base: bool = False

    @property
    def references(self) -> int:
        """How many references there are."""
        return self.in_table + (0 if self.places is None else self.places.references())

    @property
    def data(self) -> bytes | str:
        """The source as a whole."""
        return self.content if isinstance(self.content, str) else joined(self.content)


def rewrite_document(
    source: _Source, rule: Rule | DocumentRule, *, splices: bool = False, percent_encode: bool = False
) -> Rewritten:
    """Apply a rule to a document. `percent_encode`: write every reference as a valid URI."""
    kept = with_needed_base(source, rule)
    if kept is not None:
        made = rewrite_document(source, kept, splices=splices, percent_encode=percent_encode)
        return made._replace(keeps_base=True)
    splices = splices and getattr(source.document.parsed, "recoded", None) is None  # else it has other bytes
    offer = offered_by(rule)
    here = rule_for(rule, source.own, source.base, source.how.profile, offer)
    asked = AskedRule(here, offer, source.in_table.base, valid=percent_encode)
    metadata = asked.begins is None or asked.begins.metadata
    table = source.table(metadata=metadata) if asked.by_row or asked.offer.of_element is None else None
    if table is None:
        return _with_policies(source, _by_places(source.document, asked, splices=splices))
    changed, places, others = _by_row(source, asked, table) if asked.by_row else _by_use(source.document, asked, table)
    if places is not None:
        changed += places.changed
    replaced = table.byte_splices(others) if splices else None
    content = table.spliced(others)
    return _with_policies(source, Rewritten(content, changed, len(table), places, replaced, asked.otherwise))


def _with_policies(source: _Source, made: Rewritten) -> Rewritten:
    """A changed document with its policies right (rule 3)."""
    content = source.document.source.data if isinstance(made.content, LargeBytes) else made.content
    if made.changed == 0 or not may_have_policy(content) or source.document.reader not in ("html", "xml"):
        return made
    from rehref.documents.integrity import with_policies_kept  # few pages have one

    old = source.document.source
    kept = with_policies_kept(old, old._replace(data=made.data), source.document.reader)
    return made if kept == made.data else made._replace(content=kept, splices=None)


def _by_places(document: Document, asked: AskedRule, *, splices: bool) -> Rewritten:
    """Rewrite a document place by place."""
    places = PlaceEdits(document, asked)
    edits = places.of_all()
    parsed = document.parsed
    replaced = parsed.byte_splices(edits) if splices and tells_byte_splices(parsed) else None
    content = parsed.apply(edits)
    left = [(each.place, each.start) for each in places.refused]
    left += parsed.refused if tells_refused(parsed) else ()
    refused = tuple(sorted(document.parsed.locate(place, start) for place, start in left))
    return Rewritten(content, places.changed - len(refused), 0, places, replaced, asked.otherwise, refused)


_Made: TypeAlias = tuple[int, PlaceEdits | None, list[ByteSplice]]
"""How many references the table changes; the edits of other places; and what these replace."""


def _by_row(source: _Source, asked: AskedRule, table: ReferenceTable) -> _Made:
    """Ask a rule about the rows of a table, and about the references in other places."""
    begins, numbers = asked.begins, None
    if begins is not None:
        numbers = table.decide(
            asked.of_beginning if asked.valid else begins.of_beginning,
            of_class=begins.of_class,
            fragments=begins.fragments,
            metadata=begins.metadata,
            valid=asked.valid,
        )
    rows = table.rows(numbers) if numbers != [] else []
    differing: dict[int, int] = {}  # rows whose references count as `otherwise`
    news: list[RowOutcome] = []
    for row in rows:
        before = asked.otherwise
        news.append(None if row is None else _outcome(source, asked, row))
        if row is not None and asked.otherwise != before:
            differing[row.number] = asked.otherwise - before
            asked.otherwise = before
    if rows:
        table.write(numbers, news)
    changed, unfit = table.fit()
    if asked.offer.note is not None:
        for row, new in zip(table.rows(numbers), news, strict=True):
            if row is not None and row.kind == "resource":
                asked.offer.note(row.element, row.attribute, new if isinstance(new, str) else row.text, row.uses)
    if differing:
        rows = table.rows(list(differing))
        asked.otherwise += sum(differing[row.number] * row.uses for row in rows if row is not None)
    odd = sorted([*table.odd_places, *(each.place for each in unfit)])
    unread = table.unread_places
    if not odd and not unread:
        return changed, None, []
    places = PlaceEdits(source.document, asked, unread)
    return changed, places, places.splices(map(places.of_place, odd))


def _outcome(source: _Source, asked: AskedRule, row: ReferenceRow) -> RowOutcome:
    """The outcome of a row."""
    if asked.needs_link(row.kind, row.element, row.attribute):
        return False
    of_base = row.kind == "base"
    if of_base and (asked.plain is None or asked.offer.of_element is not None or asked.valid):
        return False  # it may look at more than the link of a row has
    if asked.plain is not None and row.text != "" and row.kind not in LOCAL_KINDS:
        new = _of_texts(source, asked, row, asked.plain)
        if not isinstance(new, LinkNeeded):
            return new
    if asked.offer.note is not None and row.kind == "resource":
        return False  # whatever the rule answers, it counts it itself, place by place
    link = source.document.link_of(row)
    if of_base and not resolves_paths(link.target or ""):
        return False  # whether it counts is one of its problems
    answer = _answer(source.document, asked, link)
    return False if isinstance(answer, Drop) else answer


def _of_texts(
    source: _Source, asked: AskedRule, row: ReferenceRow, plain: Callable[..., str | LinkNeeded | None]
) -> str | LinkNeeded | None:
    """What `plain` answers for a row; that the link is needed, if it must not be asked."""
    target, same = row.target, row.same_document
    if asked.valid and (target is None or not row.text.isascii()):  # the text may have to be written otherwise
        return LINK_NEEDED
    if target is None:
        target, same, problems = source.document.target_of(row)
        if difference(problems) is not None:
            return LINK_NEEDED
    new = plain(row.text, target, source.in_table.base, same_document=same)
    return LINK_NEEDED if asked.valid and isinstance(new, str) and not is_valid(new) else new


def _answer(document: Document, asked: AskedRule, link: Link) -> str | Drop | None:
    """What the rule answers for a link of a table."""
    return write_valid_link(document, link, asked) if asked.valid else asked(link)


def _by_use(document: Document, asked: AskedRule, table: ReferenceTable) -> _Made:
    """Ask a rule about each link, in document order."""
    places = PlaceEdits(document, asked)
    news: list[str | Drop | None] = []

    def ask(links: Sequence[Link]) -> None:
        news.extend((_answer(document, asked, link) for link in links) if asked.valid else asked.of_all(links))

    def edits_of_odd() -> Iterator[Sequence[Edit]]:
        for links, odd in document.links_of_table(table):
            done = 0
            for index, number in odd:
                ask(links[done:index])
                yield places.of_place(number)
                done = index
            ask(links[done:])

    others = places.splices(edits_of_odd())
    outcomes = [False if isinstance(new, Drop) else new for new in news] if DROP in news else news
    table.write(None, cast("list[RowOutcome]", outcomes), by_use=True)
    changed, unfit = table.fit()
    if unfit:
        others += places.splices(places.of_place(place, news[first:last]) for place, first, last in unfit)
        others.sort(key=itemgetter(0))
    return changed, places, others
