"""Sums over all documents of an inventory, in bounded memory: counts by name, and which documents refer to which.

A limited number of names is counted separately, later ones together; the sum is exact. If there are too many
connections, nodes become folders. An index file and its folder (`x/index.html`, `x/`) are one document, since servers
show one for the other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rehref.reports._inventory.facts import Facts, host_drawn

MOST: Final = 20_000
"""The number of names that are counted separately."""


class CountsByName:
    """Counts by name. `others`: the count of all names that are not separate."""

    def __init__(self, most: int = MOST) -> None:
        self.counts: Counter[str] = Counter()
        self.others = 0
        self._most = most

    def add(self, counts: Mapping[str, int]) -> None:
        """Add these counts."""
        known = self.counts
        for name, number in counts.items():
            if name in known or len(known) < self._most:
                known[name] += number
            else:
                self.others += number

    def top(self, most: int) -> list[tuple[str, int]]:
        """The names with the highest counts, highest first; of equal ones the first by name."""
        return sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))[:most]

    def rest(self, most: int) -> int:
        """The count of all names besides the `top`."""
        return self.total - sum(number for _, number in self.top(most))

    @property
    def total(self) -> int:
        """The sum of all counts."""
        return self.counts.total() + self.others


MOST_CONNECTIONS: Final = 100_000
"""How many connections (a document, a URI that it refers to, their number) there may be before nodes become folders."""
_DEEPEST: Final = 12
"""The depth to which folders remain separate nodes, once nodes are folders."""
_ELSEWHERE: Final = "…"
"""The node for all hosts beyond those with a node of their own."""

_HIERARCHY = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]*+:(?://[^/?#]*+)?)(/[^?#]*+)?").match
_INDEX = re.compile(r"(?<=/)index\.x?html?\Z")


class Connection(NamedTuple):
    """A node, and one that its documents refer to."""

    source: str
    target: str


class Structure:
    """Which nodes refer to which. `documents`: how many documents each node has; `depth`: None while each is its own
    node.

    `index_files`: the URIs of index files, by that of their folder, which is their node.
    """

    def __init__(self, most: int = MOST_CONNECTIONS) -> None:
        self.documents: Counter[str] = Counter()
        self.connections: Counter[Connection] = Counter()
        self.depth: int | None = None
        self.index_files: dict[str, str] = {}
        self._most = most

    def add(self, facts: Facts) -> None:
        """Take in the references of a document."""
        source = self.node(facts.uri)
        self.documents[source] += 1
        if source != facts.uri and self.depth is None:
            self.index_files[source] = facts.uri
        for target, count in facts.targets.items():
            self.connections[Connection(source, self.node(target))] += count
        while len(self.connections) > self._most or len(self.documents) > self._most:
            if self.depth == 0:
                self._close()
                break
            self._fold()

    def node(self, uri: str) -> str:
        """The node that a URI belongs to."""
        if self.depth is None:
            return _INDEX.sub("", uri)
        return folder(uri, self.depth)

    def _fold(self) -> None:
        """Go up a level, or several, until the number of nodes changes: first the deepest folders, in the end hosts.

        Documents added later are at the same level, so their order does not matter, except for hosts beyond
        `MOST_CONNECTIONS`, which are one node.
        """
        names = self._names()
        if self.depth is None:
            self.depth = _DEEPEST
        else:
            # a name has more slashes than it has folders
            self.depth = max(0, min(self.depth, max(name.count("/") for name in names)) - 1)
        self._renamed({name: folder(name, self.depth) for name in names})

    def _close(self) -> None:
        """Make one node of the hosts with the fewest references."""
        kept = {each for connection, _ in self.connections.most_common(self._most // 8) for each in connection}
        self._renamed({name: name if name in kept else _ELSEWHERE for name in self._names()})

    def _names(self) -> set[str]:
        return {*self.documents, *(each for connection in self.connections for each in connection)}

    def _renamed(self, names: dict[str, str]) -> None:
        documents: Counter[str] = Counter()
        for name, count in self.documents.items():
            documents[names[name]] += count
        connections: Counter[Connection] = Counter()
        for (source, target), count in self.connections.items():
            connections[Connection(names[source], names[target])] += count
        self.documents, self.connections = documents, connections
        self.index_files = {}


def folder(uri: str, depth: int) -> str:
    """The folder of a URI, at most `depth` folders below its host, with a slash at the end. A folder is its own.

    Of a URI without a hierarchy (`mailto:x`, `data:…`) its scheme.
    """
    if uri == _ELSEWHERE:
        return uri
    found = _HIERARCHY(uri)
    if found is None:  # the name of a document without a URI
        return "/".join(uri.split("/")[:-1][: depth + 1]) + "/"
    head, path = found.groups()
    if path is None and not head.endswith(":"):  # an authority alone
        path = "/"
    if path is None:
        return host_drawn(uri)
    return head + "/".join(path.split("/")[:-1][: depth + 1]) + "/"


@dataclass(slots=True)
class Totals:
    """Sums over documents; `Facts` describes each.

    `base_documents`: documents by the origin of their base; `bases`: references by the origin of theirs. `not_read`:
    the number of inputs that could not be read.
    """

    documents: int = 0
    references: int = 0
    rejected: int = 0
    with_problems: int = 0
    not_read: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    problems: Counter[str] = field(default_factory=Counter)
    base_documents: Counter[str] = field(default_factory=Counter)
    bases: Counter[str] = field(default_factory=Counter)
    places: CountsByName = field(default_factory=CountsByName)
    hosts: CountsByName = field(default_factory=CountsByName)
    embedded: CountsByName = field(default_factory=CountsByName)
    structure: Structure = field(default_factory=Structure)

    def add(self, facts: Facts) -> None:
        """Take in a document."""
        self.documents += 1
        self.references += facts.references
        self.rejected += facts.rejected
        self.with_problems += bool(facts.problems)
        self.kinds.update(facts.kinds)
        self.problems.update(facts.problems)
        self.base_documents[facts.base.origin] += 1
        self.bases.update(facts.bases)
        self.places.add(facts.places)
        self.hosts.add(facts.hosts)
        self.embedded.add(facts.embedded)
        self.structure.add(facts)
