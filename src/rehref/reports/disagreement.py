"""The disagreements of parser cores: the links of one document, as each core found them, compared.

Links are alike if they have the same element, attribute, reference and target. Each core's links are counted: each
should have as many links that are alike as the core with the most. The common beginning and end of all lists are
skipped first. The time is linear in the number of links (apart from sorting disagreements).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from rehref.documents.link import Link

_key = attrgetter("element", "attribute", "reference", "target")  # the key of links that are alike
_reference = attrgetter("element", "attribute", "reference")  # the key of links that are the same reference
_Key: TypeAlias = tuple[str, "str | None", str, "str | None"]
_Reference: TypeAlias = tuple[str, "str | None", str]


class HeldLink(NamedTuple):
    """A link, and the names of the cores that have it: not all of them.

    `at`: the number of the first core that has it, and that of the link there.
    """

    link: Link
    parsers: tuple[str, ...]
    at: tuple[int, int]


class Disagreement(NamedTuple):
    """The readings of one reference by cores: one link, or several with different targets.

    `missing`: the cores without any of them.
    """

    links: tuple[HeldLink, ...]
    missing: tuple[str, ...]


def disagreements(found: Mapping[str, Sequence[Link]]) -> list[Disagreement]:
    """The disagreements of cores; `found` has the links of each core, by its name.

    They come in the order of the first core's links; a link that this core lacks comes after the last reference before
    it that both have, wherever it leads.
    """
    parsers = tuple(found)
    lists = _between(list(found.values()))
    before = _last_common_links(lists)

    def rank(group: Sequence[HeldLink]) -> tuple[int, tuple[int, int]]:
        core, number = group[0].at
        return before[core][number], group[0].at

    groups = _together(sorted(_links_not_in_all(parsers, lists), key=lambda each: each.at))
    return [_disagreement(parsers, group) for group in sorted(groups, key=rank)]


def _between(lists: Sequence[Sequence[Link]]) -> list[Sequence[Link]]:
    """The links of each core, without the common beginning and end."""
    shortest = min(map(len, lists), default=0)
    start = _common(lists, range(shortest))
    end = _common(lists, range(-1, start - shortest - 1, -1))
    return [links[start : len(links) - end] for links in lists]


def _common(lists: Sequence[Sequence[Link]], numbers: range) -> int:
    """How many links at the beginning are alike in all lists."""
    for count, number in enumerate(numbers):
        first = _key(lists[0][number])
        if any(_key(links[number]) != first for links in lists[1:]):
            return count
    return len(numbers)


def _links_not_in_all(parsers: Sequence[str], lists: Sequence[Sequence[Link]]) -> Iterator[HeldLink]:
    """The links that not all cores have; of links that are alike, the last count as missing."""
    alike: dict[_Key, list[list[int]]] = {}
    for core, links in enumerate(lists):
        for number, link in enumerate(links):
            alike.setdefault(_key(link), [[] for _ in lists])[core].append(number)
    for numbers in alike.values():
        for at in range(min(map(len, numbers)), max(map(len, numbers))):
            having = [(core, where[at]) for core, where in enumerate(numbers) if len(where) > at]
            link = _placed([lists[core][number] for core, number in having])
            yield HeldLink(link, tuple(parsers[core] for core, _ in having), having[0])


def _last_common_links(lists: Sequence[Sequence[Link]]) -> list[list[int]]:
    """For each link of each core, the number in the first core of the last reference up to it that both have; or -1."""
    numbers: dict[_Reference, list[int]] = {}
    for number, link in enumerate(lists[0] if lists else ()):
        numbers.setdefault(_reference(link), []).append(number)
    found: list[list[int]] = []
    for links in lists:
        seen: dict[_Reference, int] = {}
        last = -1
        found.append([])
        for link in links:
            key = _reference(link)
            at = seen[key] = seen.get(key, -1) + 1
            same = numbers.get(key, ())
            last = same[at] if at < len(same) else last
            found[-1].append(last)
    return found


def _placed(links: Sequence[Link]) -> Link:
    """One of several links that are alike: the first core that has a link defines how it is shown; the first that knows
    its place defines that.
    """
    first = links[0]
    known = next((link for link in links if link.column is not None), None) or next(
        (link for link in links if link.line is not None), first
    )
    return first._replace(line=known.line, column=known.column, span=known.span)


def _together(held: Iterable[HeldLink]) -> list[list[HeldLink]]:
    """Held links with the same element, attribute and reference, each of other cores, as one group.

    About the target.
    """
    groups: list[list[HeldLink]] = []
    # those that may still be joined, by their cores
    waiting: dict[_Reference, dict[frozenset[str], deque[list[HeldLink]]]] = {}
    for each in held:
        cores = frozenset(each.parsers)
        joinable = waiting.setdefault(_reference(each.link), {})
        others = next((having for having, queue in joinable.items() if queue and having.isdisjoint(cores)), None)
        if others is None:
            group = [each]
            groups.append(group)
        else:
            group = joinable[others].popleft()
            group.append(each)
            cores |= others
        joinable.setdefault(cores, deque()).append(group)
    return groups


def _disagreement(parsers: Sequence[str], group: Sequence[HeldLink]) -> Disagreement:
    having = {parser for each in group for parser in each.parsers}
    return Disagreement(tuple(group), tuple(parser for parser in parsers if parser not in having))
