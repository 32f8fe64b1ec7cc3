"""Links that are broken in the new state and were not in the old one.

A broken link is the same if its document has a broken link with the same target, both by where they went, or with the
same path from the document to the target; or if the same line of text has one to the same target anywhere. Lines are
compared by their text, never by their numbers. As many are known as there were.
"""

from __future__ import annotations

import posixpath
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rehref.plugins.compare._urls import Fate, unchanged
from rehref.plugins.compare.changes import Change
from rehref.site.findings import Finding
from rehref.site.states import State

_AROUND: Final = 60


class _Link(NamedTuple):
    """A broken link: the URL of its document, its target, the code; `path`: from the document to the target, where both
    were; `text`: of its line.
    """

    document: str
    target: str
    code: str
    path: str
    text: str = ""
    finding: Finding | None = None


_KEYS: Final[Sequence[Callable[[_Link], Hashable]]] = (
    lambda link: link[:3],
    lambda link: (link.document, link.code, link.path),
    lambda link: (link.target, link.code, link.text) if link.text else link,
)


def newly_broken(old: State, new: State, fates: Mapping[str, Fate]) -> list[Change]:
    """Return the links that only the change broke, in order. Only errors count.

    Links of documents whose bytes are the same as before come first: it was not they that changed.
    """
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
    changes = [_change(each.finding, each.document in same) for each in left if each.finding is not None]
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


def _now(document: str, fates: Mapping[str, Fate]) -> str:
    """Return the URL of a document of the old state in the new one."""
    fate = fates.get(document)
    if fate is None or fate.missing:
        return fate.move.to if fate is not None and fate.move.is_sure and fate.move.to else document
    return document if fate.landing.resource is None else fate.landing.resource.url


def _path(document: str, target: str) -> str:
    """Return the path from a document to a target."""
    return posixpath.relpath("/" + target, posixpath.dirname("/" + document))


def _counted(state: State, fates: Mapping[str, Fate]) -> Counter[_Link]:
    """Return how often each broken link of the old state occurs. A contract says the numbers: none is counted out."""
    links, counted = Counter(link._replace(finding=None) for link in _links(state)), Counter[_Link]()
    if state.result is None:
        links = Counter({_Link(*known, _path(*known[:2])): number for known, number in state.broken.items()})
    for link, number in links.items():
        target, sign, fragment = link.target.partition("#")
        target = _now(target, fates) + sign + fragment
        counted[link._replace(document=_now(link.document, fates), target=target)] += number
    return counted


def _links(state: State) -> list[_Link]:
    if state.context is None:
        return []
    lines = state.context.lines()
    named = ((state.known_of(finding), finding) for finding in state.errors)
    return [_Link(*known, _path(*known[:2]), _text(finding, lines), finding) for known, finding in named]


def _text(finding: Finding, lines: Callable[[str, int], str | None]) -> str:
    """Return the text of the line around a finding; "" if it is not known."""
    line = None if finding.line is None else lines(finding.document, finding.line)
    at = max(0, (finding.column or 1) - 1)
    return "" if line is None else " ".join(line[max(0, at - _AROUND) : at + _AROUND].split())
