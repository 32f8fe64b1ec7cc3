"""What parser cores disagree about: the links of one document, as each core found them, compared.

1. Links are alike if they have the same element, attribute, reference and target. Each core's links are counted: of
   links that are alike, every core should have as many as the one that has most.
2. A link that some cores have and others lack is a `Finding`. What all cores have in common at the beginning and at the
   end is skipped first; of links that are alike in between, the last count as missing.
3. Findings with the same element, attribute and reference, each of other cores, are one `Disagreement`: about the
   target. Any other finding is one by itself.
4. Disagreements come in the order of the first core's links; what that core lacks comes behind the last reference
   before it that both have, wherever it leads.
5. A link is shown as the first core that has it gives it; and where it stands, as the first that knows.
6. All this takes time in proportion to the number of links (sorting of disagreements aside).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from rehref.documents.link import Link

Key: TypeAlias = tuple[str, "str | None", str, "str | None"]
"""What makes links alike (rule 1); without the last, the target, they are the same reference (rule 3)."""

_At: TypeAlias = tuple[int, int]
"""The number of a core, and that of a link in it."""

_Group: TypeAlias = "list[tuple[_At, Finding]]"
"""Findings that are about the same reference, each with where it is in the first core that has it."""


class Finding(NamedTuple):
    """A link, and the names of the cores that have it: not all of them."""

    link: Link
    parsers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What cores make of one reference: one finding; or several, with different targets.

    `missing`: the cores that have none of them.
    """

    findings: tuple[Finding, ...]
    missing: tuple[str, ...]


def disagreements(found: Mapping[str, Sequence[Link]]) -> list[Disagreement]:
    """What cores disagree about; `found` has the links of each core, by its name."""
    parsers = tuple(found)
    lists = _between(list(found.values()))
    before = _before(lists)
    groups = _together(sorted(_findings(parsers, lists), key=lambda each: each[0]))

    def rank(group: _Group) -> tuple[int, _At]:
        (core, number), _ = group[0]
        return before[core][number], (core, number)

    groups.sort(key=rank)
    return [_disagreement(parsers, [finding for _, finding in group]) for group in groups]


def _key(link: Link) -> Key:
    return link.element, link.attribute, link.reference, link.target


def _between(lists: Sequence[Sequence[Link]]) -> list[Sequence[Link]]:
    """The links of each core, without what all have in common at the beginning and the end (rule 2)."""
    shortest = min(map(len, lists), default=0)
    start = _common(lists, range(shortest))
    end = _common(lists, range(-1, start - shortest - 1, -1))
    return [links[start : len(links) - end] for links in lists]


def _common(lists: Sequence[Sequence[Link]], numbers: range) -> int:
    """How many of these links, from the first on, are alike in all lists."""
    for count, number in enumerate(numbers):
        first = _key(lists[0][number])
        if any(_key(links[number]) != first for links in lists[1:]):
            return count
    return len(numbers)


def _findings(parsers: Sequence[str], lists: Sequence[Sequence[Link]]) -> list[tuple[_At, Finding]]:
    """What not all cores have, each with where the first core has it that does."""
    alike: dict[Key, list[list[int]]] = {}
    for core, links in enumerate(lists):
        for number, link in enumerate(links):
            alike.setdefault(_key(link), [[] for _ in lists])[core].append(number)
    findings = []
    for numbers in alike.values():
        for at in range(min(map(len, numbers)), max(map(len, numbers))):
            having = [(core, where[at]) for core, where in enumerate(numbers) if len(where) > at]
            link = _placed([lists[core][number] for core, number in having])
            findings.append((having[0], Finding(link, tuple(parsers[core] for core, _ in having))))
    return findings


def _before(lists: Sequence[Sequence[Link]]) -> list[list[int]]:
    """For each link of each core, the number in the first core of the last reference up to it that both have; or -1."""
    numbers: dict[tuple[object, ...], list[int]] = {}
    for number, link in enumerate(lists[0] if lists else ()):
        numbers.setdefault(_key(link)[:3], []).append(number)
    found: list[list[int]] = []
    for links in lists:
        seen: dict[tuple[object, ...], int] = {}
        last = -1
        found.append([])
        for link in links:
            key = _key(link)[:3]
            at = seen[key] = seen.get(key, -1) + 1
            same = numbers.get(key, ())
            last = same[at] if at < len(same) else last
            found[-1].append(last)
    return found


def _placed(links: Sequence[Link]) -> Link:
    """One of several links that are alike (rule 5)."""
    first = links[0]
    known = next((link for link in links if link.column is not None), None) or next(
        (link for link in links if link.line is not None), first
    )
    return first._replace(line=known.line, column=known.column, span=known.span)


def _together(findings: Sequence[tuple[_At, Finding]]) -> list[_Group]:
    """Findings with the same reference as one (rule 3)."""
    found: list[_Group] = []
    # by element, attribute and reference: those that may still be joined, by the cores they already have
    waiting: dict[tuple[object, ...], dict[frozenset[str], deque[_Group]]] = {}
    for at, finding in findings:
        cores = frozenset(finding.parsers)
        joinable = waiting.setdefault(_key(finding.link)[:3], {})
        others = next((having for having, queue in joinable.items() if queue and having.isdisjoint(cores)), None)
        if others is None:
            group = [(at, finding)]
            found.append(group)
        else:
            group = joinable[others].popleft()
            group.append((at, finding))
            cores |= others
        joinable.setdefault(cores, deque()).append(group)
    return found


def _disagreement(parsers: Sequence[str], findings: Sequence[Finding]) -> Disagreement:
    having = {parser for finding in findings for parser in finding.parsers}
    return Disagreement(tuple(findings), tuple(parser for parser in parsers if parser not in having))
