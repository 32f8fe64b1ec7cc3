"""The bases of the parts of a message, and their own URIs (RFC 2557 §4, §5).

References mean parts of their own message; a message inside the message is another. A location `cid:`, `mid:` or
`about:` is a name, and nothing is relative to it: a part without another one takes the base of the first HTML part that
mentions it, as Chrome's style sheets (`cid:css-...`) need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from rehref.containers._mime import mail_fields as header_fields
from rehref.containers._mime.mail_fields import Buffer
from rehref.containers._mime.structure import Entity
from rehref.documents.base import Candidate, Layers, without_fragment
from rehref.documents.media_types import MediaType
from rehref.uri.components import split
from rehref.uri.resolver import Resolver

THIS_MESSAGE = Candidate("thismessage:/", "default", "no header field gives one (RFC 2557 §5)")

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml"})

_NAMES = frozenset({"cid", "mid"})


class Inside(Mapping[str, str]):
    """The meanings of absolute URIs inside a message: a label, or a file name, for each; of several the first."""

    __slots__ = ("_by_uri",)

    def __init__(self) -> None:
        self._by_uri: dict[str, tuple[str, str]] = {}
        """For each URI in the form in which it is compared, the URI as given, and its meaning."""

    def add(self, uri: str, meaning: str) -> None:
        """Give a URI a meaning, unless it has one."""
        self._by_uri.setdefault(as_compared(uri), (uri, meaning))

    def __getitem__(self, uri: str) -> str:
        return self._by_uri[as_compared(uri)][1]

    def __iter__(self) -> Iterator[str]:
        return (uri for uri, _ in self._by_uri.values())

    def __len__(self) -> int:
        return len(self._by_uri)


def as_compared(uri: str) -> str:
    """A URI in the form in which it is compared: without fragment; `cid:` and `mid:` percent-decoded."""
    scheme, colon, rest = uri.partition(":")
    if colon and scheme.lower() in _NAMES:
        return f"{scheme.lower()}:{unquote(rest)}"
    return without_fragment(uri).replace(" ", "%20")


class PartBases:
    """The bases and URIs of all entities of a message. `outer`: the layers outside it."""

    def __init__(self, data: Buffer, entities: list[Entity], outer: Layers) -> None:
        self._data = data
        self.entities = entities
        self._outer_candidates = (*outer._replace(file=None).candidates(), THIS_MESSAGE)
        self._chains: dict[int, tuple[Candidate, ...]] = {}
        """The candidates for the children of each entity that has any."""
        self._outer: dict[int, str] = {}
        """The base URI that these establish."""
        self.children: dict[int, list[int]] = {}
        for index, entity in enumerate(entities):
            self.children.setdefault(entity.parent, []).append(index)
            if entity.kind in ("multipart", "message"):
                self._chains[index] = self.candidates(index)
        self._messages: dict[int, Inside] = {}
        self._roots: dict[int, int | None] = {}

    def candidates(self, index: int) -> tuple[Candidate, ...]:
        """All candidates for the base of an entity, nearest first; each may be relative to the next ones.

        They are its own Content-Base (RFC 2110, legacy), its own Content-Location, then those of the multiparts and
        messages it is in, outward; then `Snapshot-Content-Location`, which Chrome sets for a whole snapshot; then the
        layers outside the message, except its own `file:` URI, since a message was not retrieved from its file; last
        `thismessage:/`.
        """
        return (*self._header_candidates(index), *self._outside(index))

    def _outside(self, index: int) -> tuple[Candidate, ...]:
        """The candidates from outside an entity."""
        parent = self.entities[index].parent
        return self._outer_candidates if parent < 0 else self._chains[parent]

    def _header_candidates(self, index: int) -> list[Candidate]:
        """The candidates among the header fields of an entity."""
        entity = self.entities[index]
        found = self._of(entity, "content-base", "Content-Base")
        location = self._of(entity, "content-location", "Content-Location")
        if location and not is_name(location[0].reference):
            found += location
        if entity.parent < 0:
            found += self._of(entity, "snapshot-content-location", "Snapshot-Content-Location")
        return found

    def _of(self, entity: Entity, name: str, written: str) -> list[Candidate]:
        value = header_fields.uri(self._data, entity.spans.get(name))
        return [Candidate(value, "entity", f"{written} of {entity.label}")] if value else []

    def location(self, index: int) -> str | None:
        """The absolute URI of an entity, without fragment, from its Content-Location; None if it has none.

        It is resolved against its Content-Base and the layers outside it.
        """
        entity = self.entities[index]
        value = header_fields.uri(self._data, entity.spans.get("content-location"))
        if value == "":
            return None
        if split(value).scheme is not None:
            return without_fragment(value)
        own = self._of(entity, "content-base", "Content-Base")
        outer = Layers((*own, *self._outside(index))).base().uri if own else self._outer_uri(index)
        return None if outer is None else without_fragment(Resolver(outer)(value))

    def _outer_uri(self, index: int) -> str | None:
        """The base URI from outside an entity."""
        parent = self.entities[index].parent
        if parent not in self._outer:
            self._outer[parent] = Layers(self._outside(index)).base().uri or ""
        return self._outer[parent] or None

    def uris(self, index: int) -> Iterator[str]:
        """The URIs of a leaf: its location; `cid:` with its Content-ID, and `mid:` with the Message-ID before that (RFC
        2392).

        `mid:` with the Message-ID alone is the root.
        """
        entity = self.entities[index]
        location = self.location(index)
        if location is not None:
            yield location
        content_id = header_fields.identifier(self._data, entity.spans.get("content-id"))
        message_id = header_fields.identifier(self._data, self.entities[entity.message].spans.get("message-id"))
        if content_id:
            yield f"cid:{_escaped(content_id)}"
            if message_id:
                yield f"mid:{_escaped(message_id)}/{_escaped(content_id)}"
        if message_id and self.root(entity.message) == index:
            yield f"mid:{_escaped(message_id)}"

    def inside(self, index: int) -> Inside:
        """The meanings of URIs in the message that contains an entity: the labels of its parts."""
        if not self._messages:
            self._messages = self.meanings({each: f"part {entity.number}" for each, entity in self.leaves()})
        return self._messages.get(self.entities[index].message, Inside())

    def meanings(self, names: Mapping[int, str]) -> dict[int, Inside]:
        """The meanings of URIs in each message (by its index), given the names of entities."""
        messages: dict[int, Inside] = {}
        for index, name in names.items():
            inside = messages.setdefault(self.entities[index].message, Inside())
            for uri in self.uris(index):
                inside.add(uri, name)
        return messages

    def leaves(self) -> Iterator[tuple[int, Entity]]:
        """The entities that have no parts, with their indexes."""
        return ((index, entity) for index, entity in enumerate(self.entities) if is_leaf(entity))

    def root(self, index: int = 0) -> int | None:
        """The index of the leaf that is the root of an entity, by default the message; None without parts.

        That of a `multipart/related` is the part that its `start` names, else the first one of its declared `type`, or
        of all (RFC 2387 §3.1, §3.2). That of a `multipart/alternative` is the last one that is HTML, that of others the
        first.
        """
        if index not in self._roots:
            self._roots[index] = self._find_root(index)
        return self._roots[index]

    def _find_root(self, index: int) -> int | None:
        if is_leaf(self.entities[index]):
            return index
        children = self.children.get(index)
        return self.root(self._main(self.entities[index], children)) if children else None

    def _main(self, entity: Entity, children: list[int]) -> int:
        if entity.essence == "multipart/related" and entity.type is not None:
            start = entity.type.parameters.get("start", "").strip().removeprefix("<").removesuffix(">")
            for child in children if start else ():
                if header_fields.identifier(self._data, self.entities[child].spans.get("content-id")) == start:
                    return child
            kind = MediaType.of(entity.type.parameters.get("type"))
            for child in children if kind else ():
                root = self.root(child)
                if kind in (self.entities[child].essence, "" if root is None else self.entities[root].essence):
                    return child
        if entity.essence == "multipart/alternative":
            for child in reversed(children):
                if self.entities[child].essence in HTML_TYPES or self.entities[child].kind == "multipart":
                    return child
        return children[0]


def is_leaf(entity: Entity) -> bool:
    """Whether an entity has no parts."""
    return entity.kind in ("leaf", "opaque")


def is_name(uri: str) -> bool:
    """Whether a URI is the name of a part, to which nothing is relative."""
    scheme = split(uri).scheme
    return scheme is not None and (scheme.lower() in _NAMES or scheme.lower() == "about")


def _escaped(identifier: str) -> str:
    """An identifier in the form for a URI (RFC 2392 §2): a "%" in it does not begin an escape."""
    return identifier.replace("%", "%25")
