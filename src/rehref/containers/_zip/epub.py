"""The documents in an EPUB (EPUB 3.3 §4, Open Container Format).

Every file has a URI of its own: the container root URL (§4.2.5) and its name. The book's retrieval URI is not a base
for them: a file of the book exists only in the book. A rewritten file keeps its place and its packing; `mimetype` stays
first and stored. A book signed in `META-INF/signatures.xml` (§4.2.6.3.6) is changed, with a diagnostic.
"""

from __future__ import annotations

import hashlib
import io
import re
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Mapping
from typing import BinaryIO, Final
from urllib.parse import quote, unquote
from uuid import NAMESPACE_URL, uuid5

from lxml import etree

from rehref.containers._zip.directory import Member
from rehref.containers._zip.write_zip import Writer
from rehref.containers._zip.zip_archive import diagnostics_of, is_damaged, open_archive, read_member
from rehref.containers.parts import ChangePart, ContainerOptions, Diagnostic, Limits, Part, WantsDocument, few
from rehref.containers.streams import pieces_of_file
from rehref.documents.base import Candidate, without_fragment
from rehref.documents.media_types import MediaType
from rehref.uri.components import PATH_CHARACTERS
from rehref.uri.resolver import Resolver

SCHEME: Final = "arcp"
"""The scheme of the URIs of files in a container."""

_MEDIA_TYPE = b"application/epub+zip"
_BEGINNING = b"mimetype" + _MEDIA_TYPE
"""The bytes after the first header of an EPUB's zip file (OCF 3.3 §4.3)."""
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_SIGNATURES = "META-INF/signatures.xml"
_MOST_PARTS: Final = 4
_NO_PATH = re.compile(
    r"(?:\A|/)(?:\.{0,2}(?:/|\Z)|(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|\Z))|[\x00-\x1f\x7f\\:*?\"<>|\ud800-\udfff]"
    r"|[^/]{200}|[. ](?:/|\Z)|\A.{1000}",
    re.IGNORECASE,
).search
"""What no path of a file has: an empty, reserved or long name, a dot at an end, a character that a system refuses."""
_NOT_DOCUMENTS = frozenset({"mimetype", _CONTAINER, _ENCRYPTION, _SIGNATURES})


def recognizes(head: bytes, file: BinaryIO | None) -> bool:
    """Whether a zip file is an EPUB, if it is seekable. Raises nothing because of the content.

    Its `mimetype` says so, or it has a `META-INF/container.xml`.
    """
    if file is None or not file.seekable():
        return False
    archive = open_archive(file)
    mimetype = archive.find("mimetype")
    if mimetype is not None and mimetype.size < 100:
        data = read_member(archive, mimetype, Limits()).data
        if data is not None and data.strip() == _MEDIA_TYPE:
            return True
    is_known = archive.find(_CONTAINER) is not None
    return is_known or (is_damaged(archive, head) and _BEGINNING in head[: len(_BEGINNING) + 100])


def root_uri(file: BinaryIO, retrieval: str | None) -> str:
    """The container root URL, which ends in "/". `file`: read as a whole if there is no retrieval URI.

    It is a URI of the scheme `arcp` (Archive and Package URIs, draft-soilandreyes-arcp-03 §4): absolute and
    hierarchical, so that no reference leaves the container by climbing, and the same whenever the same book is read. It
    is made from the retrieval URI (`arcp://uuid,...`, a version 5 UUID), or else from the file's SHA-256
    (`arcp://ni,sha-256;...`).
    """
    if retrieval is not None:
        return f"{SCHEME}://uuid,{uuid5(NAMESPACE_URL, without_fragment(retrieval))}/"
    digest = hashlib.sha256()
    for piece in pieces_of_file(file):
        digest.update(piece)
    return f"{SCHEME}://ni,sha-256;{urlsafe_b64encode(digest.digest()).decode('ascii').rstrip('=')}/"


class _Inside(Mapping[str, str]):
    """The names of the files of a book by their URIs, percent-decoded: profiles escape differently."""

    def __init__(self, root: str, names: list[str]) -> None:
        self._root = root
        self._names = frozenset(names)

    def __getitem__(self, uri: str) -> str:
        name = unquote(uri.removeprefix(self._root))
        if not uri.startswith(self._root) or "?" in uri or name not in self._names:
            raise KeyError(uri)
        return name

    def __iter__(self) -> Iterator[str]:
        return (_uri_of(self._root, name) for name in self._names)

    def __len__(self) -> int:
        return len(self._names)


def _uri_of(root: str, name: str) -> str:
    """The URI of a file."""
    return root + quote(name, safe=PATH_CHARACTERS)


class _Book:
    """An EPUB: its files as parts."""

    def __init__(self, file: BinaryIO, options: ContainerOptions) -> None:
        self.archive = open_archive(file)
        self.outer = outer = options.outer
        self.limits = options.limits
        self.root = root_uri(file, outer.retrieval or outer.file)
        self.types = self._declared_types()
        self.encrypted = self._named(_ENCRYPTION, "CipherReference", "URI")
        self.inside = _Inside(self.root, [member.name for member in self.archive.files()])

    def uri_of(self, name: str) -> str:
        """The URI of a file."""
        return _uri_of(self.root, name)

    def parts(self, wanted: WantsDocument) -> Iterator[tuple[Member, Part] | Diagnostic]:
        """Yield the files that are wanted, in the order of their data.

        Those that `META-INF/encryption.xml` names are encrypted or obfuscated, and not read (§4.2.6.3.2).
        """
        for member in self.archive.files():
            name, uri = member.name, self.uri_of(member.name)
            media_type = self.types.get(name) or MediaType.by_extension(name)
            if name in _NOT_DOCUMENTS or not wanted(MediaType.of(media_type), uri):
                continue
            label = f"file {name}"
            if name in self.encrypted:
                yield Diagnostic(label, f"is encrypted ({_ENCRYPTION} says)", "it is left as it is", code="unsupported")
                continue
            unpacked = read_member(self.archive, member, self.limits)
            if unpacked.data is None:
                yield Diagnostic(label, unpacked.why, "it is left as it is")
                continue
            own = Candidate(uri, "entity", f"{label} of the container")
            layers = self.outer._replace(entity=(own, *self.outer.entity))
            data, inside = unpacked.data, self.inside
            yield member, Part(name, label, data, media_type, None, layers, inside=inside, is_response=False)

    def _declared_types(self) -> dict[str, str]:
        """Media types by name, from the manifests of the package documents; for others the extension decides."""
        types: dict[str, str] = {}
        for package in sorted(self._named(_CONTAINER, "rootfile", "full-path")):
            types.setdefault(package, "application/oebps-package+xml")
            resolve = Resolver(self.uri_of(package))
            for item in self._elements(package, "item"):
                href, media_type = item.get("href"), item.get("media-type")
                if isinstance(href, str) and isinstance(media_type, str):
                    target = without_fragment(resolve(href.strip()))
                    if target.startswith(self.root):
                        types.setdefault(unquote(target[len(self.root) :]), media_type.strip())
        return types

    def _named(self, file: str, element: str, attribute: str) -> frozenset[str]:
        """The names of files in the attributes of a file of META-INF, relative to the root."""
        values = [found.get(attribute) for found in self._elements(file, element)]
        return frozenset(unquote(value.strip()).lstrip("/") for value in values if isinstance(value, str))

    def _elements(self, file: str, element: str) -> Iterator[etree._Element]:
        """The elements of that local name in a file of the container; none if it is not XML."""
        member = self.archive.find(file)
        data = None if member is None else read_member(self.archive, member, self.limits).data
        if data is None:
            return
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=True)
        try:
            root = etree.fromstring(data, parser)
        except etree.XMLSyntaxError:
            return
        if root is not None:  # None if there is nothing to recover
            yield from root.iter(f"{{*}}{element}")


def read(file: BinaryIO, options: ContainerOptions, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
    """Yield the files of a book that are wanted. Raises nothing because of the content.

    `file`: seekable. `options.outer.retrieval`: the book's own URI. `wanted` is asked about media types and URIs.
    """
    book = _Book(file, options)
    yield from diagnostics_of(book.archive, "EPUB")
    for found in few(book.parts(wanted)):
        yield found if isinstance(found, Diagnostic) else found[1]


def files(file: BinaryIO, options: ContainerOptions) -> Iterator[tuple[str, bytes] | Diagnostic]:
    """Yield all files of a book by their names, as they are, and diagnostics. Raises nothing because of the content.

    A name is a path below a folder on every system, and differs from the others in more than case. The files may take
    `_MOST_PARTS` times as much as one may.
    """
    archive, limits = open_archive(file), options.limits
    yield from diagnostics_of(archive, "EPUB")
    left, taken = _MOST_PARTS * limits.size, set[str]()
    for member in archive.files():
        where = f"file {member.name}"
        if _NO_PATH(member.name) is not None or member.name.lower() in taken:
            yield Diagnostic(where, "its name is not one that a file can have on every system", "it is left out")
            continue
        if member.size > left:
            yield Diagnostic(where, "all files together are too large", "it is left out", code="too-large")
            continue
        unpacked = read_member(archive, member, limits)
        if unpacked.data is None:
            yield Diagnostic(where, unpacked.why, "it is left out")
            continue
        left -= member.size
        taken.add(member.name.lower())
        yield member.name, unpacked.data


def rewrite(
    file: BinaryIO, out: BinaryIO, change: ChangePart, options: ContainerOptions, wanted: WantsDocument
) -> Iterator[Diagnostic]:
    """Write a book with its files changed. The arguments are those of `read`; `out` need not be seekable.

    A reference with a target in the container (its scheme is `SCHEME`) must stay relative: its URI is not known
    outside.
    """
    book = _Book(file, options)
    writer = Writer(book.archive, out)
    yield from diagnostics_of(book.archive, "EPUB")
    is_changed = False
    for found in few(book.parts(wanted)) if book.archive.is_sound else ():
        if isinstance(found, Diagnostic):
            yield found
            continue
        member, part = found
        changed = change(part)
        if changed is not None:
            writer.replace(member, io.BytesIO(changed.data))
            is_changed = True
    writer.finish()
    if is_changed and book.archive.find(_SIGNATURES) is not None:
        yield Diagnostic(
            f"file {_SIGNATURES}", "the signatures in it are no longer valid", "sign the book again", code="stale"
        )
