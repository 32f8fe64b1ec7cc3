"""The drawn part of a structure: few enough nodes for readable names, and the number of references between them.

Up to `MOST_INSIDE` documents are drawn one by one, more by folder. References within a node are counted there. Of the
other connections, the `MOST_DRAWN` with the most references are drawn, and the number of the others is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rehref.reports._inventory.facts import host_drawn
from rehref.reports._inventory.totals import Connection, Structure, folder

MOST_INSIDE: Final = 30
MOST_FOLDERS: Final = 20
MOST_OUTSIDE: Final = 12
MOST_DRAWN: Final = 100
MOST_REFERRERS: Final = 10
"""How many documents that refer to another one are named."""
_ANY_DEPTH: Final = 1 << 20


class DrawnNode(NamedTuple):
    """A drawn node: its name, its number of documents (0: it is outside of them), and the references within it."""

    name: str
    documents: int
    within: int


class Drawn(NamedTuple):
    """A connection of two nodes, by their numbers, and its number of references."""

    source: int
    target: int
    references: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes: first the documents', by name, then those outside of them; and connections, heaviest first."""

    nodes: tuple[DrawnNode, ...]
    inside: int
    connections: tuple[Drawn, ...]
    left_out: int
    references_left_out: int


def drawing_of(structure: Structure) -> Drawing:
    """The groups of documents, what connects them, and what lies outside, as a picture shows them."""
    documents, connections = structure.documents, structure.connections
    common = _common(documents)
    groups = _groups(structure, common)
    outside = _outside(documents, connections, common)
    order = [*sorted(set(groups.values()), key=_by_name), *dict.fromkeys(outside.values())]
    numbers = {name: number for number, name in enumerate(order)}
    inside = len(set(groups.values()))
    counts: Counter[int] = Counter()
    for name, count in documents.items():
        counts[numbers[groups[name]]] += count
    joined: Counter[tuple[int, int]] = Counter()
    for (source, target), count in connections.items():
        to = groups[target] if target in groups else outside[target]
        joined[numbers[groups[source]], numbers[to]] += count
    within = {source: count for (source, target), count in joined.items() if source == target}
    apart = [Drawn(*pair, count) for pair, count in joined.items() if pair[0] != pair[1]]
    apart.sort(key=lambda each: (-each.references, each.source, each.target))
    return Drawing(
        tuple(DrawnNode(name.text, counts[number], within.get(number, 0)) for number, name in enumerate(order)),
        inside,
        tuple(apart[:MOST_DRAWN]),
        len(apart[MOST_DRAWN:]),
        sum(each.references for each in apart[MOST_DRAWN:]),
    )


class _Name(NamedTuple):
    """The name of a node, with the key for sorting; `outside` separates other nodes from documents."""

    text: str
    outside: bool = False


def _by_name(name: _Name) -> tuple[str, str]:
    return name.text.casefold(), name.text


def _common(documents: Iterable[str]) -> str:
    """The URI of the common folder of all documents; "" if there is none."""
    folders = {folder(name, _ANY_DEPTH) for name in documents}
    first, last = min(folders, default=""), max(folders, default="")
    same = 0
    while same < len(first) and same < len(last) and first[same] == last[same]:
        same += 1
    common = first[: first.rfind("/", 0, same) + 1]
    return "" if common.endswith("//") else common


def _short(uri: str, common: str) -> str:
    """The shown name of a URI: relative to the common folder, if there is one; else it begins with the host."""
    if common and uri.startswith(common):
        return uri[len(common) :] or "./"
    before, separator, after = uri.partition("://")
    return after if separator and before in ("http", "https", "file") else uri


def _document(structure: Structure, node: str, common: str) -> str:
    """The name of a document: that of the index file, even if references lead to its folder."""
    return _short(structure.index_files.get(node, node), common)


# --- documents


@dataclass(slots=True)
class _Folder:
    """A folder: its own documents, and its folders."""

    uri: str
    own: list[str] = field(default_factory=list)
    folders: dict[str, _Folder] = field(default_factory=dict)
    documents: int = 0
    whole: bool = True
    """Whether it is shown with everything below it."""

    def names(self) -> Iterable[str]:
        """The nodes that it represents."""
        yield from self.own
        if self.whole:
            for each in self.folders.values():
                yield from each.names()


def _groups(structure: Structure, common: str) -> dict[str, _Name]:
    """The drawn name of each node of the structure."""
    documents = structure.documents
    if len(documents) <= MOST_INSIDE:
        return {name: _Name(_document(structure, name, common)) for name in documents}
    shown = _opened(_tree(documents, common))
    found: dict[str, _Name] = {}
    for each in shown:
        below = each.whole and bool(each.folders)
        text = _short(each.uri, common) + ("…" if below else "")
        found |= dict.fromkeys(each.names(), _Name(text))
    if structure.depth is None:
        room = MOST_INSIDE - len(shown)
        sizes = Counter(found.values())
        for name in _busiest(structure, room, all_of=len(shown) == 1):
            if sizes[found[name]] > 1:
                found[name] = _Name(_document(structure, name, common))
    return found


def _tree(documents: Mapping[str, int], common: str) -> _Folder:
    root = _Folder(common)
    for name, count in documents.items():
        at, path = root, folder(name, _ANY_DEPTH)[len(common) :]
        at.documents += count
        uri = common
        for segment in path.split("/")[:-1]:
            uri += segment + "/"
            at = at.folders.setdefault(segment, _Folder(uri))
            at.documents += count
        at.own.append(name)
    return root


def _opened(root: _Folder) -> list[_Folder]:
    """The folders that are shown.

    That with most documents is opened first, as long as at most `MOST_FOLDERS` are shown.
    """
    shown = [root]
    while True:
        closed = sorted((each for each in shown if each.whole and each.folders), key=lambda each: -each.documents)
        for each in closed:
            if len(shown) - 1 + len(each.folders) + bool(each.own) <= MOST_FOLDERS:
                each.whole = False
                shown = [other for other in shown if other is not each or each.own] + list(each.folders.values())
                break
        else:
            return shown


def _busiest(structure: Structure, room: int, *, all_of: bool) -> list[str]:
    """At most `room` documents, those with the most references from or to them.

    `all_of`: even if some documents with equally many references do not fit.
    """
    counts: Counter[str] = Counter()
    for (source, target), count in structure.connections.items():
        counts[source] += count
        counts[target] += count
    order = sorted(structure.documents, key=lambda name: (-counts[name], name))
    first, others = order[:room], order[room:]
    return [name for name in first if all_of or not others or counts[name] > counts[others[0]]]


# --- targets outside of the documents


def _outside(documents: Mapping[str, int], connections: Mapping[Connection, int], common: str) -> dict[str, _Name]:
    """The drawn name of each target that is not one of the documents: its host, or on their hosts its folder.

    The `MOST_OUTSIDE` with the most references are shown, and the rest as one.
    """
    hosts = {host_drawn(name) for name in documents}
    names: dict[str, str] = {}
    weights: Counter[str] = Counter()
    for (_, target), count in connections.items():
        if target not in documents:
            if target not in names:
                names[target] = _place(target, hosts, common)
            weights[names[target]] += count
    order = sorted(weights, key=lambda name: (-weights[name], name))
    kept = order if len(order) <= MOST_OUTSIDE else order[: MOST_OUTSIDE - 1]
    rest = f"{len(order) - len(kept):,} other places"
    ranked = {name: _Name(name if name in kept else rest, outside=True) for name in order}
    found = {target: ranked[name] for target, name in names.items()}
    return dict(sorted(found.items(), key=lambda item: order.index(names[item[0]])))


def _place(target: str, hosts: set[str], common: str) -> str:
    """The host of a target, or its folder, if it is on a host of the documents."""
    host = host_drawn(target)
    if host not in hosts:
        return host
    if common and target.startswith(common):
        first, slash, _ = target[len(common) :].partition("/")
        return f"other files in {first}/" if slash else "other files in ./"
    return "other folders" if host.endswith(":") else f"other files on {host}"


# --- documents that others refer to


def referred_to(structure: Structure) -> Counter[str]:
    """Documents by the number of references from others; empty if nodes are folders."""
    if structure.depth is not None or len(structure.documents) < 2:
        return Counter()
    common = _common(structure.documents)
    found: Counter[str] = Counter()
    for (source, target), count in structure.connections.items():
        if target in structure.documents and source != target:
            found[_document(structure, target, common)] += count
    return found


def not_referred_to(structure: Structure) -> list[str]:
    """The documents that no other refers to, by name; none if nodes are folders."""
    if structure.depth is not None:
        return []
    referred = {target for source, target in structure.connections if source != target}
    common = _common(structure.documents)
    return sorted(_document(structure, name, common) for name in structure.documents if name not in referred)


class Referrers(NamedTuple):
    """What refers to a document: how many other documents and references; the names of those with the most."""

    documents: int
    references: int
    names: tuple[str, ...]


def referrers(structure: Structure, uris: Iterable[str]) -> dict[str, Referrers]:
    """What refers to each of these documents; empty if nodes are folders."""
    if structure.depth is not None:
        return {}
    nodes = {uri: structure.node(uri) for uri in uris}
    found: dict[str, Counter[str]] = {node: Counter() for node in nodes.values()}
    for (source, target), count in structure.connections.items():
        if target in found and source != target:
            found[target][source] += count
    common = _common(structure.documents)
    made = {}
    for node, counts in found.items():
        order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        names = tuple(_document(structure, name, common) for name, _ in order[:MOST_REFERRERS])
        made[node] = Referrers(len(counts), counts.total(), names)
    return {uri: made[node] for uri, node in nodes.items()}
