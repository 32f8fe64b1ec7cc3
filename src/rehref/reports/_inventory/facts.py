"""The facts that an inventory keeps about a document it has read: counts, and the targets of its references.

They are small plain values, which are sent from the process that read the document.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final, NamedTuple

from rehref.documents.base import Base, without_fragment
from rehref.documents.link import Link
from rehref.uri.components import split

LONGEST: Final = 2_000
"""The longest target that is kept, in characters."""

_ORIGIN = re.compile("(?:[^:/?#]*+:)?(?://[^/?#]*+)?").match


class Facts(NamedTuple):
    """The facts about a document.

    `uri`: what identifies it: its own URI, without a fragment, or its name. `kinds`, `places` (`a@href`), `problems`
    (codes), `hosts`, `targets` (without fragment; of one of more than `LONGEST` characters, a `data:` URI, only the
    host): numbers of references. `bases`: the same by the base's origin; `embedded`: by the URI of a base that is
    embedded or comes from the enclosing entity, and is not the document's own. `rejected`: bases that were skipped.
    """

    name: str
    uri: str
    references: int
    base: Base
    kinds: Counter[str]
    places: Counter[str]
    problems: Counter[str]
    hosts: Counter[str]
    targets: Counter[str]
    bases: Counter[str]
    embedded: Counter[str]
    rejected: int


def facts_of(name: str, own: str | None, base: Base, links: Iterable[Link]) -> Facts:
    """The facts of a document of that name, whose own URI is `own`, if it has one."""
    links = list(links)
    bases: Counter[Base] = Counter()
    known: dict[int, Base] = {}
    numbers: Counter[int] = Counter(id(link.base) for link in links)
    for link in links:  # nearly all share one base
        known.setdefault(id(link.base), link.base)
    for number, count in numbers.items():
        bases[known[number]] += count
    away = Counter(link.target for link in links if leads_away(link))
    standing = Counter((link.element, link.attribute, link.kind) for link in links)
    places = ((place_of(element, attribute, kind), count) for (element, attribute, kind), count in standing.items())
    targets: Counter[str] = Counter()
    hosts: Counter[str] = Counter()
    for target, count in away.items():
        assert target is not None  # it leads away
        document = without_fragment(target)
        targets[document if len(document) <= LONGEST else host_drawn(target)] += count
        hosts[host_drawn(target)] += count
    uri = name if own is None else without_fragment(own)
    return Facts(
        name=name,
        uri=uri,
        references=len(links),
        base=base,
        kinds=Counter(link.kind for link in links),
        places=_sums(places),
        problems=Counter(problem.code for link in links for problem in link.problems),
        hosts=hosts,
        targets=targets,
        bases=_sums((each.origin, count) for each, count in bases.items()),
        embedded=_sums(
            (each.uri, count)
            for each, count in bases.items()
            if each.uri and each.origin in ("embedded", "entity") and without_fragment(each.uri) != uri
        ),
        rejected=len(base.rejected),
    )


def leads_away(link: Link) -> bool:
    """Whether a reference leads out of its document.

    Not if it is local (`Link.is_local`), without target, or means the same.
    """
    return link.target is not None and not link.same_document and not link.is_local


def place_of(element: str, attribute: str | None, kind: str) -> str:
    """The place of a reference: `a@href`; `<style>` if it is in text."""
    return f"{element}@{attribute}" if attribute is not None else f"<{element or kind}>"


def host_drawn(uri: str) -> str:
    """The host that a URI leads to, in lower case, without user and port.

    Without a host, its scheme (`mailto:`, `file:`).
    """
    origin = _ORIGIN(uri)
    assert origin is not None  # every part of the pattern may be empty
    return _host(origin[0])


@lru_cache(maxsize=4096)
def _host(origin: str) -> str:
    parts = split(origin)
    return parts.host.lower() or f"{(parts.scheme or '').lower()}:"


def _sums(counts: Iterable[tuple[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, count in counts:
        found[name] += count
    return found
