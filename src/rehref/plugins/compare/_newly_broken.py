"""Links that are broken in the new state and were not in the old one.

1. A broken link is the same if its document, or where that went, has a broken link with the same target, or with the
   same path from the document to the target; or if the same line of text has one to the same target anywhere. Lines are
   compared by their text, never by their numbers. As many are known as there were.
2. Only errors count. Links of documents whose bytes are the same as before come first: it was not they that changed.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rehref.plugins.compare._urls import Fate, unchanged
from rehref.plugins.compare.changes import Change
from rehref.site._states.contract import Known
from rehref.site.findings import Finding
from rehref.site.states import State, errors_of

_AROUND: Final = 60


class _Link(NamedTuple):
    """A broken link; `path`: from its document to its target; `text`: of its line."""

    known: Known
    path: str
    text: str = ""
    finding: Finding | None = None


_KEYS: Final[Sequence[Callable[[_Link], Hashable]]] = (
    lambda link: link.known,
    lambda link: (link.known.document, link.known.code, link.path),
    lambda link: (link.known.target, link.known.code, link.text) if link.text else link,
)


def newly_broken(old: State, new: State, fates: Mapping[str, Fate]) -> list[Change]:
    """Return the links that only the change broke, in order (rule 2)."""
    if new.result is None:
        return []
    before, left = _counted(old, fates), _links(new)
    for key in _KEYS:
        known = Counter[Hashable]()
        for link, number in before.items():
            known[key(link)] += number
        both = known & Counter(map(key, left))
        left = list(_beyond(left, both, key))
        for link in before:
            gone = min(before[link], both[key(link)])
            before[link] -= gone
            both[key(link)] -= gone
    same = unchanged(fates)
    changes = [_change(each.finding, each.known.document in same) for each in left if each.finding is not None]
    return sorted(changes, key=lambda each: not each.is_unchanged)


def _beyond(found: Sequence[_Link], known: Counter[Hashable], key: Callable[[_Link], Hashable]) -> Iterator[_Link]:
    """Yield what is found, in order, but not what is known, as often as that is."""
    rest = known.copy()
    for each in found:
        rest[key(each)] -= 1
        if rest[key(each)] < 0:
            yield each


def _change(finding: Finding, is_unchanged: bool) -> Change:
    same = {name: getattr(finding, name) for name in ("document", "line", "column", "reference", "target")}
    message = f"{finding.code}: {finding.message}"
    return Change("newly-broken", "error", finding.document, message, **same, is_unchanged=is_unchanged)


def _now(known: Known, fates: Mapping[str, Fate]) -> str:
    """Return the URL of a document of the old state in the new one."""
    fate = fates.get(known.document)
    if fate is None or fate.missing:
        return fate.move.to if fate is not None and fate.move.is_sure and fate.move.to else known.document
    return known.document if fate.landing.resource is None else fate.landing.resource.url


def _path(known: Known) -> str:
    """Return the path from a document to its target."""
    return posixpath.relpath("/" + known.target, posixpath.dirname("/" + known.document))


def _counted(state: State, fates: Mapping[str, Fate]) -> Counter[_Link]:
    """Return how often each broken link of the old state occurs. A contract says the numbers: none is counted out."""
    links, counted = Counter(link._replace(finding=None) for link in _links(state)), Counter[_Link]()
    if state.result is None:
        links = Counter({_Link(known, _path(known)): number for known, number in state.broken.items()})
    for link, number in links.items():
        counted[link._replace(known=link.known._replace(document=_now(link.known, fates)))] += number
    return counted


def _links(state: State) -> list[_Link]:
    if state.result is None or state.context is None:
        return []
    lines = state.context.lines()
    named = ((state.known_of(finding), finding) for finding in errors_of(state.result))
    return [_Link(known, _path(known), _text(finding, lines), finding) for known, finding in named]


def _text(finding: Finding, lines: Callable[[str, int], str | None]) -> str:
    """Return the text of the line around a finding; "" if it is not known."""
    line = None if finding.line is None else lines(finding.document, finding.line)
    at = max(0, (finding.column or 1) - 1)
    return "" if line is None else " ".join(line[max(0, at - _AROUND) : at + _AROUND].split())
