"""Where the ids of kept pages went, ids that mean something else now, and pages that have lost their content.

1. An id is kept if its name is reached by way of its page's URL, through redirections. A redirection to a fragment
   replaces all fragments. A page that refreshes drops them, unless a script keeps them: the id has moved, and readers
   come to the top of its page.
2. For an id that is gone, two things must agree: on the same page, heading and text, or one of them, if nothing else on
   the page has it; on another page, where it was not before, the name and the text, or heading and text. Then the
   inventory counts (`inventory.py`); then an id that was at the same place, and is kept or has certainly moved.
   A name often repeats its heading: both are certain where text of the page went, too, and else a suggestion, as is a
   name that one other page has got.
3. Ids are left out that stand on more than half of the pages, or that generators number: their names without the number
   are on a tenth of the pages, or are well known.
4. An id means something else if both its heading and its text have changed, and another id has both of them now. Ids
   that are left out (rule 3) promise nothing.
5. A page is hollow if at most a sixth of its text is left, and hardly any of that was there before.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final, NamedTuple

from rehref.checking.expressions import Searched
from rehref.checking.pages.classifier import NUL
from rehref.comparing.contract import NO_PRINT, Print, Resource
from rehref.comparing.inventory import moved_names
from rehref.comparing.states import State
from rehref.comparing.urls import Fate, Move, contained, places_of

_NUMBERED = re.compile(r"(.*?)[-_.:]?[0-9]+").fullmatch
_OF_GENERATORS: Final = frozenset(
    {"", "id", "idx", "index", "fn", "fnref", "footnote", "footnote-reference", "L", "line", "__codelineno", "__tabbed"}
)
_BY_HEADING: Final = 0.8
_ALIKE: Final = ("", "same heading", "same text", "same heading and text")
_FEW: Final = 5
_MOST: Final = 50
_LONG: Final = 100
_HOLLOW: Final = 6
_LEFT: Final = 0.5


class IdFate(NamedTuple):
    """What became of an id: kept, moved (reached at `to`, through a redirection), or gone; `move`: where it went."""

    url: str
    name: str
    to: str = ""
    move: Move | None = None
    why: str = ""


class IgnoredIds:
    """Which ids are left out (rule 3)."""

    def __init__(self, state: State, patterns: Sequence[Searched]) -> None:
        """`patterns`: those that the user leaves out, too."""
        self._patterns = patterns
        pages, numbered = Counter[str](), Counter[str]()
        texts = [each.named.split(NUL) for each in state.resources.values() if each.named]
        for names in texts:
            pages.update(names)
            numbered.update({found[1] for name in names if name[-1:].isdigit() and (found := _NUMBERED(name))})
        self._often = {name for name, number in pages.items() if number > max(_FEW, len(texts) // 2)}
        self._stems = {stem for stem, number in numbered.items() if number >= max(_FEW, len(texts) // 10)}

    def __contains__(self, name: str) -> bool:
        """Whether an id is left out."""
        found = _NUMBERED(name)
        is_numbered = found is not None and (found[1] in _OF_GENERATORS or found[1] in self._stems)
        return is_numbered or name in self._often or any(pattern.search(name) for pattern in self._patterns)


def ids_of(
    old: State, new: State, fates: Mapping[str, Fate], ignored: IgnoredIds, *, looks_for_moves: bool = True
) -> Iterator[IdFate]:
    """Yield what became of the ids of all pages that are still answered."""
    gone: list[tuple[Resource, Resource, str, str]] = []
    for fate in fates.values():
        landing, resource = fate.landing, fate.landing.resource
        if fate.missing[:1] == (fate.resource.url,) or resource is None or fate.resource.named is None:
            continue
        is_same = resource.named == fate.resource.named and landing.fragment is None
        reaches = new.reached_in(resource)
        for name in sorted(fate.resource.names):
            if landing.fragment is not None:
                reached, why = landing.fragment == name, f"all fragments become #{landing.fragment}"
            else:
                reached, why = is_same or reaches(name), "no element has it"
            if reached:
                yield IdFate(fate.resource.url, name, f"{resource.url}#{name}" if landing.is_moved else "")
            elif name not in ignored:
                gone.append((fate.resource, resource, name, why))
    if not looks_for_moves:
        yield from (IdFate(before.url, name, move=Move(None), why=why) for before, _, name, why in gone)
        return
    search = _Search(old, new, {name for _, _, name, _ in gone}, fates)
    for (url, _), of_page in groupby(gone, key=lambda each: (each[0].url, each[1].url)):
        before, now, *_ = (listed := list(of_page))[0]
        here, names = _Here.of(before, now), now.names
        moves = {
            name: Move(f"{now.url}#{name}", 0.99, "same id") if name in names else search.move(before, now, name, here)
            for _, _, name, _ in listed
        }
        pages = Counter(_page(move) for move in moves.values() if move.is_sure)
        moves = {
            name: move._replace(certainty=0.95) if move.certainty == _BY_HEADING and pages[_page(move)] > 1 else move
            for name, move in moves.items()
        }
        beside = _beside(before, {name: f"{now.url}#{name}" for name in names if name not in ignored}, moves)
        for _, _, name, why in listed:
            yield IdFate(url, name, move=moves[name] if moves[name].is_sure else beside(name) or moves[name], why=why)


def _page(move: Move) -> str:
    """Return the URL of the page to which an id went; "" if that is not known."""
    return (move.to or "").partition("#")[0]


def _beside(before: Resource, kept: dict[str, str], moves: Mapping[str, Move]) -> Callable[[str], Move | None]:
    """Return a function that returns where an id is that was at the same place as another one of a page (rule 2)."""
    prints = before.content.prints
    ends = kept | {name: move.to for name, move in moves.items() if move.to is not None and move.is_sure}
    by_print: defaultdict[Print, list[str]] = defaultdict(list)
    for name in ends.keys() & prints.keys():
        by_print[prints[name]].append(name)

    def found(name: str) -> Move | None:
        print_ = prints.get(name, NO_PRINT)
        others = by_print.get(print_, ()) if all(print_) else ()
        return Move(ends[_nearest(others, name)], 0.95, "it was at the same place") if others else None

    return found


class _Here(NamedTuple):
    """The ids that are new on a page, by their prints, texts and headings; how often the page had a heading."""

    by_both: Mapping[object, list[tuple[str, Print]]]
    by_text: Mapping[object, list[tuple[str, Print]]]
    by_heading: Mapping[object, list[tuple[str, Print]]]
    headings: Counter[int]

    @classmethod
    def of(cls, before: Resource, now: Resource) -> _Here:
        """Return those of a page; `now`: the page that its URL leads to."""
        both, texts, headings = (defaultdict[object, list[tuple[str, Print]]](list) for _ in range(3))
        names = before.names
        for name, each in now.content.prints.items():
            if name not in names:
                for table, key in zip((both, texts, headings), (each, each[1], each[0]), strict=True):
                    table[key].append((name, each))
        prints = set(before.content.prints.values())
        return cls(both, texts, headings, Counter(heading for heading, _ in prints))


class _Search:
    """Finds where ids went (rule 2). `wanted`: their names; `fates`: of all pages."""

    def __init__(self, old: State, new: State, wanted: set[str], fates: Mapping[str, Fate]) -> None:
        self._by_name, self._had = (places_of(state, wanted) if wanted else {} for state in (new, old))
        self._registered = moved_names(old, new) if wanted else {}
        self._origins = old.addresses | {fate.move.to: url for url, fate in fates.items() if fate.move.to is not None}
        self._by_print: defaultdict[Print, list[tuple[str, str]]] = defaultdict(list)
        self._new = new
        for url, resource in new.resources.items():
            for name, each in resource.content.prints.items():
                self._by_print[each].append((url, name))

    def move(self, before: Resource, now: Resource, name: str, here: _Here) -> Move:
        """Return where an id of a page went; `now`: the page that its URL leads to."""
        print_ = before.content.prints.get(name, NO_PRINT)
        heading, text = print_
        for found, certainty, why in (
            (here.by_both.get(print_, ()) if text else (), 0.97, "same heading and text"),
            (here.by_text.get(text, ()) if text else (), 0.93, "same text"),
            (here.by_heading.get(heading, ()) if here.headings[heading] == 1 else (), 0.9, "same heading"),
        ):
            few = found[:_MOST]
            if few and len({each for _, each in few}) == 1:
                return Move(f"{now.url}#{_nearest([one for one, _ in few], name)}", certainty, why)
        had = {*self._had.get(name, ())} - {before.url}
        places = [url for url in self._by_name.get(name, ())[:_MOST] if self._origins.get(url) not in had]
        likeness = {url: self._likeness(url, name, print_) for url in places}
        best = max(likeness.values(), default=0)
        alike = [url for url in places if likeness[url] == best > 0]
        if len(alike) == 1 and best > 1:
            return Move(f"{alike[0]}#{name}", 0.98, _ALIKE[best])
        others = self._by_print.get(print_, ())[:_MOST] if text and heading else ()
        found_at = [f"{url}#{one}" for url, one in others if url != now.url]
        if len(found_at) == 1:
            return Move(found_at[0], 0.93, "same heading and text")
        known = self._registered.get((before.url, name))
        is_meant = known is not None and (known.is_certain or places in ([], [known.url]))
        if known is not None and is_meant and known.name in self._new.resources[known.url].names:
            return Move(f"{known.url}#{known.name}", 0.97, "the inventory says so")
        if len(alike or places) == 1:
            certainty, why = (_BY_HEADING, _ALIKE[1]) if alike else (0.75, "same id, new there")
            return Move(f"{(alike or places)[0]}#{name}", certainty, why)
        return Move(None, candidates=tuple(sorted(f"{url}#{name}" for url in alike or places)[:_FEW]))

    def _likeness(self, url: str, name: str, print_: Print) -> int:
        """Return in what an id of the same name agrees with a print, as in `_ALIKE`; 0: in nothing."""
        heading, text = self._new.resources[url].content.prints.get(name, NO_PRINT)
        return (heading == print_[0] != 0) + 2 * (text == print_[1] != 0)


def _nearest(names: Iterable[str], name: str) -> str:
    """Return the name that has most of its beginning in common with another one."""
    return max(sorted(names), key=lambda each: sum(one == other for one, other in zip(each, name, strict=False)))


def changed_ids(fates: Mapping[str, Fate], ignored: IgnoredIds) -> Iterator[IdFate]:
    """Yield the ids that mean something else now (rule 4), each with the one that has its meaning."""
    for fate in fates.values():
        page, now = fate.resource.details, fate.landing.resource
        if page is None or now is None or now.details is None or fate.missing or fate.landing.drops:
            continue
        by_print: defaultdict[Print, list[str]] = defaultdict(list)
        for name, each in now.details.prints.items():
            by_print[each].append(name)
        for name, each in sorted(page.prints.items()):
            other = now.details.prints.get(name, NO_PRINT)
            is_other = other[0] != each[0] and other[1] != each[1] and all((*other, *each))
            if is_other and by_print[each] and name not in ignored:
                to = _nearest(by_print[each][:_MOST], name)
                yield IdFate(fate.resource.url, name, move=Move(f"{now.url}#{to}", 0.97, "same heading and text"))


def hollow_pages(fates: Mapping[str, Fate]) -> Iterator[Fate]:
    """Yield the kept pages that have lost their content (rule 5)."""
    for fate in fates.values():
        page, now = fate.resource.details, fate.landing.resource
        if page is None or now is None or now.details is None or fate.missing or fate.landing.is_moved or now.to:
            continue
        before, left = page.sketch, now.details.sketch
        if before.size >= _LONG and left.size * _HOLLOW <= before.size and contained(before, left) < _LEFT:
            yield fate
