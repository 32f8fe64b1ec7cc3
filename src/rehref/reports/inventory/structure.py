"""Which documents refer to which, for any number of documents, in bounded memory.

1. A connection is a document, a URI that it refers to, and the number of these references. As long as there are at most
   `MOST_CONNECTIONS`, each URI is a separate node.
2. If there are more, nodes become folders: first the deepest ones, and whenever there are too many again, those one
   level up; in the end, hosts. Documents added later are at the same level. So the order of documents does not
   matter, except for hosts beyond `MOST_CONNECTIONS`, which are one node.
3. A folder is named by its URI with a slash at the end; a URI without a hierarchy (`mailto:x`, `data:…`) by its scheme,
   once nodes are folders.
4. An index file and its folder (`x/index.html`, `x/`) are one document, since servers show one for the other.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

from rehref.reports.inventory.facts import Facts, host_of

MOST_CONNECTIONS: Final = 100_000
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

    `index_files`: the URIs of index files, by that of their folder, which is their node (rule 4).
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
        """The node that a URI belongs to (rules 2 to 4)."""
        if self.depth is None:
            return _INDEX.sub("", uri)
        return folder(uri, self.depth)

    def _fold(self) -> None:
        """Go up a level (rule 2), or several, until the number of nodes changes."""
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
    """The folder of a URI, at most `depth` folders below its host (rule 3). A folder is its own."""
    if uri == _ELSEWHERE:
        return uri
    found = _HIERARCHY(uri)
    if found is None:  # the name of a document without a URI
        return "/".join(uri.split("/")[:-1][: depth + 1]) + "/"
    head, path = found.groups()
    if path is None and not head.endswith(":"):  # an authority alone
        path = "/"
    if path is None:
        return host_of(uri)
    return head + "/".join(path.split("/")[:-1][: depth + 1]) + "/"
