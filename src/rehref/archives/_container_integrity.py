"""Keeps integrity right in containers whose documents change: hashes of other documents in them are written anew.

Containers are gone through before they are rewritten: once for the hashes in their documents, and if there are any, for
what has one of these and changes; once more for each document with a hash that itself has hashes. Nothing has the hash
of a page, and no script changes, so these do not count. Only digests are kept, of no more than `_MOST` documents.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, TypeAlias, cast

from rehref.containers.parts import Part
from rehref.containers.streams import AnyBytes
from rehref.documents.base import clean, without_fragment
from rehref.documents.document import Document
from rehref.documents.integrity import Digests, GuardedPage, Hashes
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions

if TYPE_CHECKING:
    from rehref.containers.kinds import Container

_MOST: Final = 1 << 20
_LONGEST: Final = 2_000
"""Characters of a URI that is remembered."""
_MOST_TIMES: Final = 8
_MOST_CAPTURES: Final = 32
_NOT_HASHED: Final = frozenset({MediaType.HTML, MediaType.XHTML, MediaType.HEAD})


class Demanded(NamedTuple):
    """The values of the hashes in some documents, and what the references that have them lead to."""

    values: frozenset[str] = frozenset()
    targets: frozenset[str] = frozenset()

    @classmethod
    def together(cls, all_of_them: Iterable[Demanded]) -> Demanded:
        """Join those of several containers."""
        values, targets = set[str](), set[str]()
        for each in all_of_them:
            values |= each.values
            targets |= each.targets
        return cls(frozenset(values), frozenset(targets))

    @property
    def are_too_many(self) -> bool:
        """Whether they must not be kept: then all hashes stay, which is reported."""
        return len(self.values) + len(self.targets) > _MOST


class Version(NamedTuple):
    """A capture of a document that hashes are of: its URI, its digests before the change and after it."""

    uri: str | None
    old: Digests
    new: Digests


Versions: TypeAlias = "dict[tuple[str | None, str, str], Version]"
"""By URIs, and SHA-256 before and after."""


class FoundVersions(NamedTuple):
    """The versions in a container; whether a document among them has hashes itself."""

    versions: Versions
    are_nested: bool

    @classmethod
    def together(cls, all_of_them: Iterable[FoundVersions]) -> FoundVersions:
        """Join those of several containers."""
        versions: Versions = {}
        nested = False
        for each in all_of_them:
            versions |= each.versions
            nested = nested or each.are_nested
        return cls(versions, nested)


class ContainerHashes:
    """What hashes become. `why`: why that is not known; "" if it is."""

    def __init__(self, versions: Versions | None = None, *, why: str = "") -> None:
        """`versions`: in all containers that are rewritten together."""
        self.why = why
        self.versions = versions or {}
        self._by_value: defaultdict[str, list[Version]] = defaultdict(list)
        for each in self.versions.values():
            for value in each.old:
                self._by_value[value].append(each)
        self._uris = {each.uri for each in self.versions.values()}
        self._changed = {each.uri for each in self.versions.values() if each.old != each.new}

    def become(self, hashes: Hashes, target: str | None) -> Mapping[str, Sequence[Digests]]:
        """What must be accepted instead of the hashes of a reference, by their values.

        A hash says which capture of a URI it is of. If there is none of its reference's URI, a redirect may lead to
        another with this hash: then what all of them have become is accepted beside what has been accepted. What did
        not match before stays.
        """
        is_known = target in self._uris
        found = [each for value in hashes.values for each in self._by_value.get(value, ())]
        found = [each for each in found if each.uri == target or not is_known]
        become: defaultdict[str, list[Digests]] = defaultdict(list)
        for each in found:
            if hashes.accept(each.old):
                for value in each.old:
                    become[value] += [each.new] if is_known else [each.old, each.new]
        return become if len({each.new.sha256 for each in found}) <= _MOST_CAPTURES else {}

    def changes(self, target: str | None) -> bool:
        """Whether what a reference leads to changes."""
        return target in self._changed


class RenewedPart(NamedTuple):
    """The new bytes of a document, with its hashes right. `stale`: references whose hashes did not match before, and
    stay; `moved`: what hashes became, by their values; `is_unknown`: hashes may be wrong now (`ContainerHashes.why`).
    """

    data: bytes
    stale: tuple[str, ...] = ()
    moved: Mapping[str, Sequence[Digests]] = {}
    is_unknown: bool = False


@dataclass(frozen=True, slots=True)
class _Page:
    """A document, read for its hashes."""

    document: Document
    here: GuardedPage = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "here", self.document.guarded())

    def guards(self) -> Iterator[tuple[int, str, Hashes, str | None]]:
        """Yield the metadata that count, by their numbers: the references, the hashes and the targets."""
        for number, guard in enumerate(self.here.guards):
            is_of_script = guard.form is None and self.here.parsed.places[guard.place].element == "script"
            if not is_of_script and guard.hashes.found:
                target = self.document.resolver(clean(guard.reference))[0]
                yield number, guard.reference, guard.hashes, None if target is None else without_fragment(target)


def _of(become: Mapping[str, Sequence[Digests]], value: str) -> Sequence[Digests]:
    return become.get(value, ())


def with_hashes(document: Document, data: bytes, hashes: ContainerHashes) -> RenewedPart:
    """Return the new bytes of a document, which was changed to `data`, with its hashes right."""
    if not Hashes.may_be_in(data):
        return RenewedPart(data)
    page = _Page(document)
    guards = list(page.guards())
    if hashes.why:
        return RenewedPart(data, is_unknown=bool(guards))
    after = page.here.read(data) if guards else page.here
    if not guards or len(after.guards) != len(page.here.guards):
        return RenewedPart(data)
    metadata, stale = dict[int, str](), list[str]()
    moved: dict[str, Sequence[Digests]] = {}
    for number, reference, found, target in guards:
        become = hashes.become(found, target)
        if not become and hashes.changes(target):
            stale.append(reference)
        new = after.guards[number].hashes.renewed(partial(_of, become))
        if new != after.guards[number].metadata:
            metadata[number] = new
            moved.update(become)
    if metadata:
        data = after.renewed(metadata, lambda value: moved.get(value, ()))
    return RenewedPart(data, tuple(stale), moved)


def policies_become(
    document: Document, content: AnyBytes, policies: Iterable[str], moved: Mapping[str, Sequence[Digests]]
) -> Mapping[str, Sequence[Digests]]:
    """Return what the hashes in the policies of a response become, since its document was changed."""
    values = [value for policy in policies for value in Hashes.in_policy(policy).values]
    if not values:
        return {}
    before = document.guarded()
    become = before.read(bytes(content)).become(before.digests())
    found = {value: tuple(become(value) or moved.get(value, ())) for value in values}
    return {value: new for value, new in found.items() if new}


class _Nowhere:
    """A file for what is not needed."""

    def write(self, data: bytes) -> int:
        return len(data)


def _go_through(container: Container, take: Callable[[Part], None]) -> None:
    """Take all documents of a container that are rewritten, and go back to its beginning.

    That is done by rewriting it, so that revisits count.
    """
    start = container.file.tell()

    def change(part: Part) -> None:
        with suppress(Exception):  # it is reported when the container is rewritten
            take(part)

    wanted = container.kind.wanted_for_reading
    for _ in container.rewrite(cast(BinaryIO, _Nowhere()), change, wanted):
        pass
    container.file.seek(start)


def demanded_in(container: Container, how: ReadOptions) -> Demanded:
    """Return the hashes in the documents of a container."""
    values, targets = set[str](), set[str]()
    with_encoding = container.encodings(how)

    def take(part: Part) -> None:
        if len(values) + len(targets) > _MOST or not Hashes.may_be_in(part.data):
            return

        document = with_encoding(part).opened(how)
        for _, _, hashes, target in _Page(document).guards():
            values.update(hashes.values)
            if target is not None and len(target) <= _LONGEST:
                targets.add(target)

    _go_through(container, take)
    return Demanded(frozenset(values), frozenset(targets))


def versions_in(
    container: Container,
    how: ReadOptions,
    demanded: Demanded,
    known: ContainerHashes,
    rewritten: Callable[[Document, Part], bytes],
) -> FoundVersions:
    """Return the documents with hashes in a container. `known`: so far; `rewritten`: the new bytes of a document."""
    versions: Versions = {}
    nested = False
    with_encoding = container.encodings(how)

    def take(part: Part) -> None:
        nonlocal nested
        if MediaType.of(part.media_type) in _NOT_HASHED or len(versions) > _MOST:
            return
        old = Digests.of(part.data)
        is_demanded = not demanded.values.isdisjoint(old)
        document = with_encoding(part).opened(how)
        uri = None if document.own.uri is None else without_fragment(document.own.uri)
        if not is_demanded and uri not in demanded.targets:
            return
        data = rewritten(document, part)
        found = with_hashes(document, data, known)
        nested = nested or Hashes.may_be_in(data)
        version = Version(uri, old, Digests.of(found.data))
        versions[uri, old.sha256, version.new.sha256] = version

    _go_through(container, take)
    return FoundVersions(versions, nested)


def examined(
    demand: Callable[[], Demanded], find: Callable[[Demanded, ContainerHashes], FoundVersions]
) -> ContainerHashes:
    """Examine containers before they are rewritten."""
    demanded, known = demand(), ContainerHashes()
    if demanded.are_too_many:
        return ContainerHashes(why=f"there are more than {_MOST:,}")
    for _ in range(_MOST_TIMES if demanded.values else 0):
        found = find(demanded, known)
        if len(found.versions) > _MOST:
            return ContainerHashes(why=f"there are more than {_MOST:,}")
        is_last = not found.are_nested or found.versions == known.versions
        known = ContainerHashes(found.versions)
        if is_last:
            break
    return known


def may_have_hashes(container: Container, *, all_types: bool) -> bool:
    """Whether what is rewritten in a container may have hashes in other documents of it."""
    return (all_types or not container.kind.holds_records) and not container.options.as_conversion
