"""Where the ids of kept pages went, ids that mean something else now, and pages that have lost their content.

An id is kept if its name is reached by way of its page's URL, through redirections. A redirection to a fragment
replaces all fragments. A page that refreshes drops them, unless a script keeps them: the id has moved, and readers come
to the top of its page.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final, NamedTuple

from rehref.plugins.compare._compared_inventory import moved_names
from rehref.plugins.compare._matching import index_of, places_of
from rehref.plugins.compare._urls import Fate
from rehref.plugins.compare.changes import Change, Tally, UrlMove
from rehref.reports.terminal import count
from rehref.site.codes import Severity
from rehref.site.site import Resource
from rehref.site.states import State

_LAST_NUMBER = re.compile(r"([^0-9]*)[0-9][-_.:0-9]*").match
"""Matches a name that is reversed, so that the time grows with its length only."""
_OF_GENERATORS: Final = frozenset(
    {"", "id", "idx", "index", "fn", "fnref", "footnote", "footnote-reference", "L", "line", "__codelineno", "__tabbed"}
    | {"idm", "idp", "idm-bb"}
)
"""Among them those of libxslt (`idm4821`, in pages from DocBook)."""
_BY_HEADING: Final = 0.8
_BY_OTHERS: Final = 0.85
_ALIKE: Final = ("", "same heading", "same text", "same heading and text")
_FEW: Final = 5
_MOST: Final = 50
_LONG: Final = 100
_HOLLOW: Final = 6
_LEFT: Final = 0.5


class IgnoredIds:
    """Which ids are left out: those that stand on more than half of the pages, or that generators number.

    Of the latter, the names without the last number are on a tenth of the pages, or are well known.
    """

    def __init__(self, state: State, is_left_out: Callable[[str], bool]) -> None:
        """`is_left_out`: whether the user leaves an id out, too."""
        self._is_left_out = is_left_out
        pages, numbered = Counter[str](), Counter[str]()
        texts = [each.names for each in state.resources.values() if each.named]
        for names in texts:
            pages.update(names)
            numbered.update({stem for name in names if (stem := _unnumbered(name)) is not None})
        self._often = {name for name, number in pages.items() if number > max(_FEW, len(texts) // 2)}
        self._stems = {stem for stem, number in numbered.items() if number >= max(_FEW, len(texts) // 10)}

    def __contains__(self, name: str) -> bool:
        """Whether an id is left out."""
        stem = _unnumbered(name)
        is_numbered = stem is not None and (stem in _OF_GENERATORS or stem in self._stems)
        return is_numbered or name in self._often or self._is_left_out(name)


def _unnumbered(name: str) -> str | None:
    """Return a name without its last number: `idm-bb` of `idm48-bb`, `id` of `id-1.3.4`; None if it has none."""
    found = _LAST_NUMBER(name[::-1])
    return None if found is None else name[: len(name) - found.end()] + name[len(name) - found.end(1) :]


class _Lost(NamedTuple):
    """The ids that are gone from a page. `now`: the page that its URL leads to; `what`: for people."""

    before: Resource
    now: Resource
    names: Sequence[str]
    what: str


def ids_of(
    old: State, new: State, fates: Mapping[str, Fate], ignored: IgnoredIds, *, looks_for_moves: bool = True
) -> tuple[Tally, list[Change]]:
    """Return how many ids of pages that are still answered were kept, and what became of the others."""
    kept, changes, lost = 0, list[Change](), list[_Lost]()
    for url, fate in fates.items():
        landing, now = fate.landing, fate.landing.resource
        if fate.missing[:1] == (url,) or now is None or fate.resource.named is None:
            continue
        names, what, drops = fate.resource.names, "gone", ", but the page that refreshes drops fragments"
        if landing.fragment is not None:
            reached, what = names & {landing.fragment}, f"gone: all fragments become #{landing.fragment}"
        else:
            reaches, is_same = new.reached_in(now), now.named == fate.resource.named
            reached = frozenset(name for name in names if is_same or reaches(name))
        kept += 0 if landing.is_moved else len(reached)
        for name in sorted(reached) if landing.is_moved else ():
            to = f"{now.url}#{name}"
            severity: Severity = "warning" if landing.drops else "info"
            what_of = f"redirected to {to}{drops if landing.drops else ''}"
            changes.append(Change("id-moved", severity, f"{url}#{name}", what_of, to, 1.0))
        gone = [name for name in sorted(names - reached) if name not in ignored]
        lost += [_Lost(fate.resource, now, gone, what)] if gone else []
    moved = len(changes)
    search = _Search(old, new, lost, fates) if looks_for_moves else None
    unknown = [dict.fromkeys(page.names, UrlMove(None)) for page in lost]
    moves = unknown if search is None else [dict(search.moves(page, ignored)) for page in lost]
    renamed = _renamed(lost, moves)
    for page, of_page in zip(lost, moves, strict=True):
        for name, move in of_page.items():
            what = page.what if looks_for_moves else "not there"
            place = move if move.is_sure else max(move, _as_others(page, renamed[name]), key=attrgetter("certainty"))
            changes.append(place.change("id-gone", f"{page.before.url}#{name}", what))
    return Tally(kept, moved, len(changes) - moved), changes


def _renamed(lost: Iterable[_Lost], moves: Iterable[Mapping[str, UrlMove]]) -> Mapping[str, Counter[str]]:
    """Return the names that ids have certainly got on their pages, by the old one, with the number of the pages."""
    found = defaultdict[str, Counter[str]](Counter)
    for page, of_page in zip(lost, moves, strict=True):
        for name, move in of_page.items():
            url, _, to = (move.to or "").partition("#")
            if move.is_sure and url == page.now.url:
                found[name][to] += 1
    return found


def _as_others(page: _Lost, renamed: Mapping[str, int]) -> UrlMove:
    """Return where an id of a page is if it was renamed as on other pages. `renamed`: its new names there, counted."""
    there = [each for each in renamed if each in page.now.names and each not in page.before.names]
    if len(there) != 1:
        return UrlMove(None)
    why = f"renamed so on {count(renamed[there[0]], 'other page')}"
    return UrlMove(f"{page.now.url}#{there[0]}", _BY_OTHERS, why)


class _Search:
    """Finds where ids went: for an id that is gone, two things must agree.

    On the same page, it is heading and text, or one of them, if nothing else on the page has it; on another page, where
    it was not before, the name and the text, or heading and text. Then the inventory counts (`_compared_inventory.py`);
    then an id that was at the same place, and is kept or has certainly moved.

    A name often repeats its heading: both are certain where text of the page went, too, and else a suggestion, as is a
    name that one other page has got, and a new name on the page that the same id certainly got on another one.
    """

    def __init__(self, old: State, new: State, lost: Sequence[_Lost], fates: Mapping[str, Fate]) -> None:
        self._old, self._new = old, new
        wanted = {name for page in lost for name in page.names}
        self._by_name, self._had = places_of(new, wanted), places_of(old, wanted)
        self._registered = moved_names(old, new) if wanted else {}
        self._origins = old.addresses | {fate.move.to: url for url, fate in fates.items() if fate.move.to is not None}
        prints = ((each, (url, name)) for url, page in new.details.items() for name, each in page.prints.items())
        self._by_print = index_of(prints)

    def moves(self, lost: _Lost, ignored: IgnoredIds) -> Iterator[tuple[str, UrlMove]]:
        """Yield where the ids of a page went, each with its name."""
        url, old = lost.now.url, self._old.about(lost.before.url)
        moves = dict(self._one_by_one(lost))
        pages = Counter(_page(move) for move in moves.values() if move.is_sure)
        for name, move in moves.items():
            if move.certainty == _BY_HEADING and pages[_page(move)] > 1:
                moves[name] = move._replace(certainty=0.95)
        ends = {name: f"{url}#{name}" for name in lost.now.names if name not in ignored}
        ends |= {name: move.to for name, move in moves.items() if move.to is not None and move.is_sure}
        by_print = index_of((old.prints[name], name) for name in ends.keys() & old.prints.keys())
        for name, move in moves.items():
            print_ = old.print_of(name)
            if not move.is_sure and all(print_) and by_print[print_]:
                move = UrlMove(ends[_nearest(by_print[print_], name)], 0.95, "it was at the same place")
            yield name, move

    def _one_by_one(self, lost: _Lost) -> Iterator[tuple[str, UrlMove]]:
        """Yield where each id of a page went by itself."""
        url, names, before = lost.now.url, lost.now.names, lost.before.names
        old, prints = self._old.about(lost.before.url), self._new.about(url).prints
        headings = Counter(heading for heading, _ in set(old.prints.values()))
        here = index_of((key, name) for name, each in prints.items() if name not in before for key in each.keys)
        for name in lost.names:
            print_ = heading, text = old.print_of(name)
            same, same_text, same_heading = (here[key][:_MOST] for key in print_.keys)
            move = None
            for found, certainty, why in (
                (same if text else [], 0.97, "same heading and text"),
                (same_text if text else [], 0.93, "same text"),
                (same_heading if headings[heading] == 1 else [], 0.9, "same heading"),
            ):
                if move is None and len({prints[each] for each in found}) == 1:
                    move = UrlMove(f"{url}#{_nearest(found, name)}", certainty, why)
            if name in names:
                move = UrlMove(f"{url}#{name}", 0.99, "same id")
            yield name, move or self._elsewhere(lost, name)

    def _elsewhere(self, lost: _Lost, name: str) -> UrlMove:
        """Return where an id of a page went that is not there."""
        print_ = self._old.about(lost.before.url).print_of(name)
        had = {*self._had.get(name, ())} - {lost.before.url}
        places = [url for url in self._by_name.get(name, ())[:_MOST] if self._origins.get(url) not in had]
        likeness = {url: self._new.about(url).print_of(name).likeness(print_) for url in places}
        best = max(likeness.values(), default=0)
        alike = [url for url in places if likeness[url] == best > 0]
        if len(alike) == 1 and best > 1:
            return UrlMove(f"{alike[0]}#{name}", 0.98, _ALIKE[best])
        others = self._by_print.get(print_, ())[:_MOST] if all(print_) else ()
        found = [f"{url}#{each}" for url, each in others if url != lost.now.url]
        if len(found) == 1:
            return UrlMove(found[0], 0.93, "same heading and text")
        known = self._registered.get((lost.before.url, name))
        is_meant = known is not None and (known.is_certain or places in ([], [known.url]))
        if known is not None and is_meant and known.name in self._new.resources[known.url].names:
            return UrlMove(f"{known.url}#{known.name}", 0.97, "the inventory says so")
        if len(alike or places) == 1:
            certainty, why = (_BY_HEADING, _ALIKE[1]) if alike else (0.75, "same id, new there")
            return UrlMove(f"{(alike or places)[0]}#{name}", certainty, why)
        return UrlMove(None, candidates=tuple(sorted(f"{url}#{name}" for url in alike or places)[:_FEW]))


def _page(move: UrlMove) -> str:
    """Return the URL of the page to which an id went; "" if that is not known."""
    return (move.to or "").partition("#")[0]


def _nearest(names: Iterable[str], name: str) -> str:
    """Return the name that has most of its beginning in common with another one."""
    return max(sorted(names), key=lambda each: sum(one == other for one, other in zip(each, name, strict=False)))


def changed_ids(old: State, new: State, fates: Mapping[str, Fate], ignored: IgnoredIds) -> Iterator[Change]:
    """Yield the ids that mean something else now: heading and text have changed, and another id has both of them.

    Ids that are left out promise nothing.
    """
    for url, fate, now in _kept_pages(old, new, fates):
        if fate.landing.drops:
            continue
        details = new.details[now.url]
        by_print = index_of((each, name) for name, each in details.prints.items())
        for name, each in sorted(old.details[url].prints.items()):
            other = details.print_of(name)
            is_other = other[0] != each[0] and other[1] != each[1] and all((*other, *each))
            if is_other and by_print[each] and name not in ignored:
                to = _nearest(by_print[each][:_MOST], name)
                move = UrlMove(f"{now.url}#{to}", 0.97, "same heading and text")
                yield move.change("id-changed", f"{url}#{name}", "means something else", "warning")


def hollow_pages(old: State, new: State, fates: Mapping[str, Fate]) -> Iterator[Change]:
    """Yield the kept pages that have lost their content.

    At most a sixth of the text is left, hardly any of it from before.
    """
    for url, fate, now in _kept_pages(old, new, fates):
        before, left = old.details[url].text, new.details[now.url].text
        is_less = before.size >= _LONG and left.size * _HOLLOW <= before.size and left.share_of(before) < _LEFT
        if is_less and not fate.landing.is_moved and now.to is None:
            yield Change("page-hollow", "warning", url, "nearly all of its text is gone")


def _kept_pages(old: State, new: State, fates: Mapping[str, Fate]) -> Iterator[tuple[str, Fate, Resource]]:
    """Yield the pages that nothing is missing of, and those where they are now, if the details of both are known."""
    for url, fate in fates.items():
        now = fate.landing.resource
        if now is not None and not fate.missing and url in old.details and now.url in new.details:
            yield url, fate, now
