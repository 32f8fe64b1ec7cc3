"""The kinds of containers, one row each, and how to recognize whether a source is one.

A container is recognized by its beginning, never by its name. A container that can be read as a stream is; the others
need a seekable file: any other source is copied to a temporary file first (`rehref.files.sources`). A new kind is a
module with the members of `ContainerModule`, and a row in `KINDS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, NamedTuple, Protocol, cast

from rehref.containers.parts import (
    Capture,
    ChangePart,
    ContainerOptions,
    Diagnostic,
    Part,
    PartWord,
    Request,
    WantsCapture,
    WantsDocument,
)
from rehref.documents.media_types import MediaType

if TYPE_CHECKING:
    from rehref.containers.streams import ByteRange
    from rehref.documents.document import Document
    from rehref.documents.options import ReadOptions

HEAD: Final = 1 << 16
"""The number of bytes of a source that are used to recognize it."""


class ContainerModule(Protocol):
    """The members of the module of a kind. The content raises nothing; OSError if a file cannot be read."""

    def recognizes(self, head: bytes, file: BinaryIO | None) -> bool:
        """Whether a file that begins with `head` (at most `HEAD` bytes) is of this kind. `file`: it, if seekable."""
        ...

    def read(self, file: BinaryIO, options: ContainerOptions, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
        """Yield the documents that are wanted, in order, and diagnostics."""
        ...

    def rewrite(
        self, file: BinaryIO, out: BinaryIO, change: ChangePart, options: ContainerOptions, wanted: WantsDocument
    ) -> Iterator[Diagnostic]:
        """Rewrite the container to `out`, which need not be seekable, while the diagnostics are being taken."""
        ...


class ArchiveModule(ContainerModule, Protocol):
    """The members of the module of a kind that holds records."""

    def captures(
        self, file: BinaryIO, options: ContainerOptions, wanted: WantsCapture
    ) -> Iterator[Capture | Request | Diagnostic]:
        """Yield the captures and requests, in order, from the file's position on."""
        ...


class FilesModule(ContainerModule, Protocol):
    """The members of the module of a kind that holds files, which refer to each other by their names."""

    def files(self, file: BinaryIO, options: ContainerOptions) -> Iterator[tuple[str, bytes] | Diagnostic]:
        """Yield all files, each with its path, which is safe to write to below a folder, and diagnostics."""
        ...


_OF_SOURCES: Final = frozenset({None, "markdown", "notebook"})
"""Readers of what is not read in a container, because nobody publishes it for what it is."""


class ContainerKind(NamedTuple):
    """A row: the facts about a kind of container.

    `name`: for programs. `module`: reads and rewrites it. `media_types`: of such a file, as a user gives them.
    `endings`: the file extensions, by the words for such a file. `beginning`: the bytes that all of them begin with;
    b"" if only the module can decide. `is_stream`: whether it need not be seekable. `holds_records`: whether its parts
    are captures of the web. `unpacked_as`: the parts that `--unpack` writes as files. `takes_splices`: whether a part
    is rewritten by the changed pieces, rather than as a whole. `has_index_beside`: whether index files beside it have
    the positions of its records. `is_text`: whether a terminal can show it.
    """

    name: str
    module: str
    media_types: frozenset[str]
    endings: tuple[tuple[str, tuple[str, ...]], ...] = ()
    beginning: bytes = b""
    is_stream: bool = False
    holds_records: bool = False
    unpacked_as: Literal["", "captures", "messages", "files"] = ""
    takes_splices: bool = False
    has_index_beside: bool = False
    is_text: bool = False

    @property
    def part_word(self) -> PartWord:
        """The word for its documents."""
        return "record" if self.holds_records else "part"

    def load(self) -> ContainerModule:
        """Import its module."""
        return cast(ContainerModule, import_module(self.module))

    def wanted_for_reading(self, media_type: str, name: str) -> bool:
        """Whether a document in such a container is read: see `WantsDocument`.

        In records, HTML, style sheets, XML, manifests and heads are; in the others, every type that can be read.
        """
        if not self.holds_records and media_type in ("", "application/octet-stream", "application/xml"):
            media_type = MediaType.by_extension(name) or media_type
        reader = MediaType(media_type).reader
        return reader not in _OF_SOURCES and not (reader == "text" and self.holds_records)

    def wanted_for_rewriting(self, media_type: str, name: str) -> bool:
        """Whether it is rewritten, if the user does not say otherwise: in records, only pages are."""
        if self.holds_records:
            return media_type in MediaType.PAGES
        return self.wanted_for_reading(media_type, name)

    def ranges(self, file: BinaryIO, length: int, size: int) -> list[ByteRange]:
        """The ranges of about `size` bytes that a file of `length` bytes can be divided into; [] if it cannot.

        Each can be read as if it was all (`ContainerOptions.within`). Raises OSError.
        """
        if not self.is_stream:
            return []
        from rehref.containers._warc.borders import ranges

        return ranges(file, length, size)


WARC: Final = ContainerKind(
    "warc",
    "rehref.containers._warc.documents",
    frozenset({"application/warc", "application/warc-fields", "application/x-arc"}),
    endings=(("a WARC", (".warc", ".warc.gz", ".warc.zst")), ("an ARC", (".arc", ".arc.gz"))),
    is_stream=True,
    holds_records=True,
    unpacked_as="captures",
    has_index_beside=True,
)
"""WARC and ARC files, the only ones that are divided."""

KINDS: Final = (
    ContainerKind(
        "epub",
        "rehref.containers._zip.epub",
        frozenset({"application/epub+zip"}),
        endings=(("an EPUB", (".epub",)),),
        beginning=b"PK",
        unpacked_as="files",
    ),
    ContainerKind(
        "wacz",
        "rehref.containers._zip.wacz",
        frozenset({"application/wacz"}),
        endings=(("a WACZ", (".wacz",)),),
        beginning=b"PK",
        holds_records=True,
        unpacked_as="captures",
    ),
    WARC,
    ContainerKind(
        "http", "rehref.containers._http.http_message", frozenset({"message/http", "application/http"}), is_text=True
    ),
    ContainerKind(
        "mime",
        "rehref.containers.messages",
        frozenset(
            {
                *("message/rfc822", "application/mbox", "application/x-mimearchive"),
                *("multipart/related", "multipart/mixed", "multipart/alternative"),
            }
        ),
        endings=(("a MIME message", (".mhtml", ".mht", ".eml")),),
        unpacked_as="messages",
        takes_splices=True,
        is_text=True,
    ),
)
"""All kinds, in the order in which they are tried."""

ENDINGS: Final = tuple(ending for kind in KINDS for _, endings in kind.endings for ending in endings)
"""The file extensions of containers."""


def may_begin_container(head: bytes) -> bool:
    """Whether a container may begin with these bytes, even if there is only one: nearly no document does."""
    return head[:1] not in (b"<", b" ", b"\n", b"\r", b"\t", b"\xef", b"\xfe", b"\xff", b"")


def of_media_type(media_type: str) -> ContainerKind | None:
    """The kind of container that has a media type."""
    return next((kind for kind in KINDS if MediaType.of(media_type) in kind.media_types), None)


def named_like(name: str) -> str | None:
    """The words for a file with this name: "a WARC"; None if the name is not that of a container."""
    called = (one for kind in KINDS for one, endings in kind.endings if name.lower().endswith(endings))
    return next(called, None)


def names_of(kinds: Iterable[ContainerKind]) -> list[str]:
    """The words for files of some kinds: "a WARC", "an ARC"."""
    return [called for kind in kinds for called, _ in kind.endings]


def recognize(head: bytes, file: BinaryIO | None = None, media_type: str | None = None) -> ContainerKind | None:
    """The kind of container that begins with these bytes, at most `HEAD`; None: not a container.

    A zip that is too damaged to recognize counts as one: no document begins so, and the damage should be reported. A
    media type given by the user decides: that of a container, or, for any other, that the source is a document. `file`:
    the whole file, for kinds that need more than its beginning; its position is kept.
    """
    if media_type is not None:
        return of_media_type(media_type)
    if not may_begin_container(head):
        return None
    asked = (kind for kind in KINDS if head.startswith(kind.beginning))
    return next((kind for kind in asked if kind.load().recognizes(head, file)), None)


class Container(NamedTuple):
    """A container that was recognized; the position of `file` is its beginning."""

    kind: ContainerKind
    file: BinaryIO
    options: ContainerOptions = ContainerOptions()

    def read(self, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
        """Yield its documents, in order, and diagnostics."""
        return self.kind.load().read(self.file, self.options, wanted)

    def documents(self, how: ReadOptions) -> Iterator[tuple[Part, Document] | Diagnostic]:
        """Yield what is read as documents, opened, in order, and diagnostics; whatever is wrong with a part is one."""
        with_encoding = self.encodings(how)
        for part in self.read(self.kind.wanted_for_reading):
            yield part if isinstance(part, Diagnostic) else _opened(with_encoding(part), how)
            del part  # it may be large, and the next one is read now

    def encodings(self, how: ReadOptions, *, as_files: bool = False) -> Callable[[Part], Part]:
        """Return what gives a style sheet that declares no encoding that of the page which refers to it.

        `as_files`: also if it does not matter for references, and to scripts.
        """
        from rehref.containers._encodings_of_parts import EncodingsOfParts

        kind, file, options = self
        module = kind.load()
        return EncodingsOfParts(module.read, file, options, how, is_stream=kind.is_stream, as_files=as_files).applied

    def captures(self, wanted: WantsCapture) -> Iterator[Capture | Request | Diagnostic]:
        """Yield its captures and requests, in order, from the file's position on; only if its kind holds records."""
        return cast(ArchiveModule, self.kind.load()).captures(self.file, self.options, wanted)

    def files(self) -> Iterator[tuple[str, bytes] | Diagnostic]:
        """Yield all its files, each with its path; only if its kind is unpacked as files."""
        return cast(FilesModule, self.kind.load()).files(self.file, self.options)

    def rewrite(self, out: BinaryIO, change: ChangePart, wanted: WantsDocument) -> Iterator[Diagnostic]:
        """Rewrite it to `out`, while the diagnostics that this yields are being taken."""
        return self.kind.load().rewrite(self.file, out, change, self.options, wanted)


def _opened(part: Part, how: ReadOptions) -> tuple[Part, Document] | Diagnostic:
    try:
        return part, part.opened(how)
    except Exception as error:
        return part.not_read(error)
