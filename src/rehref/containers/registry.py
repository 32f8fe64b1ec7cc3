"""The kinds of containers, a row each, and what a source is: one of them, or a document on its own.

1. A container is recognized by how it begins, never by its name: an HTTP message by its status line, MIME by its header
   fields, WARC and ARC by their first record, also compressed, EPUB and WACZ by what is in their zip. A zip that is
   damaged, so that this is not known, counts as one of them: no document begins so, and it is to be reported.
2. A media type that was asked for decides, if it is one of a container; any other says that there is none.
3. What can be read as a stream is, whatever the source. The others need to go back and forth: what cannot is copied to
   a temporary file first (`rehref.door`).
4. What is read as a document: in records, HTML (and for reading style sheets, XML, manifests, heads); in the others,
   every type that can be read. Which of them `wanted` is asked about.
5. A new kind is a module that has what `ContainerModule` has, and a row in `KINDS`. All that is said of a kind anywhere
   is said in its row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, Protocol, cast

from rehref.containers.parts import ChangePart, ContainerOptions, Diagnostic, Part, PartWord, WantsDocument
from rehref.documents.types.media_types import essence, reader_of, type_of_name

if TYPE_CHECKING:
    from rehref.containers.warc.captures import Capture, WantsCapture

HEAD: Final = 1 << 16
"""Bytes of a source that are looked at to recognize it."""


class ContainerModule(Protocol):
    """What the module of a kind has. Nothing is raised on content, OSError where a file cannot be read."""

    def recognizes(self, head: bytes, file: BinaryIO | None) -> bool:
        """Whether what begins with `head`, at most `HEAD` bytes, is of this kind. `file`: all of it, if seekable."""
        ...

    def read(self, file: BinaryIO, options: ContainerOptions, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
        """The documents that are wanted, in order, and what is wrong."""
        ...

    def rewrite(
        self, file: BinaryIO, out: BinaryIO, change: ChangePart, options: ContainerOptions, wanted: WantsDocument
    ) -> Iterator[Diagnostic]:
        """Write the container anew to `out`, which need not be seekable, while what is wrong is being taken."""
        ...


class ArchiveModule(ContainerModule, Protocol):
    """What the module of a kind has that holds records."""

    def captures(
        self, file: BinaryIO, options: ContainerOptions, wanted: WantsCapture
    ) -> Iterator[Capture | Diagnostic]:
        """What has been captured, in order, from where the file stands."""
        ...


@dataclass(frozen=True, slots=True)
class ContainerKind:
    """A row: what is to be known of a kind of container.

    `name`: for programs. `module`: what reads and rewrites it. `media_types`: rule 2. `endings`: how its files are
    named, by what people call one of them. `beginning`: how every one begins; b"" if only its module tells.
    `is_stream`: whether it need not be seekable (rule 3). `holds_records`: whether its parts are captures of the web.
    `unpacked_as`: what `--unpack` makes files of. `takes_splices`: whether a part is put back by what has changed in
    it, rather than as a whole. `has_index_beside`: whether indexes beside its files say where its records are.
    `is_text`: whether a terminal can show it.
    """

    name: str
    module: str
    media_types: frozenset[str]
    endings: tuple[tuple[str, tuple[str, ...]], ...] = ()
    beginning: bytes = b""
    is_stream: bool = False
    holds_records: bool = False
    unpacked_as: Literal["", "captures", "messages"] = ""
    takes_splices: bool = False
    has_index_beside: bool = False
    is_text: bool = False

    @property
    def part_word(self) -> PartWord:
        """What its documents are called."""
        return "record" if self.holds_records else "part"

    def load(self) -> ContainerModule:
        """Its module."""
        return cast(ContainerModule, import_module(self.module))

    def wanted_for_reading(self, media_type: str, name: str) -> bool:
        """Whether a document in such a container is read (rule 4): see `WantsDocument`."""
        if not self.holds_records and media_type in ("", "application/octet-stream", "application/xml"):
            media_type = type_of_name(name) or media_type
        return reader_of(media_type) not in ((None, "text") if self.holds_records else (None,))

    def wanted_for_rewriting(self, media_type: str, name: str) -> bool:
        """Whether it is rewritten, if nothing else was asked for: of records pages alone are."""
        if self.holds_records:
            return media_type in ("text/html", "application/xhtml+xml")
        return self.wanted_for_reading(media_type, name)


KINDS: Final = (
    ContainerKind(
        "epub",
        "rehref.containers.zip.epub",
        frozenset({"application/epub+zip"}),
        endings=(("an EPUB", (".epub",)),),
        beginning=b"PK",
    ),
    ContainerKind(
        "wacz",
        "rehref.containers.zip.wacz",
        frozenset({"application/wacz"}),
        endings=(("a WACZ", (".wacz",)),),
        beginning=b"PK",
        holds_records=True,
        unpacked_as="captures",
    ),
    ContainerKind(
        "warc",
        "rehref.containers.warc.documents",
        frozenset({"application/warc", "application/warc-fields", "application/x-arc"}),
        endings=(("a WARC", (".warc", ".warc.gz", ".warc.zst")), ("an ARC", (".arc", ".arc.gz"))),
        is_stream=True,
        holds_records=True,
        unpacked_as="captures",
        has_index_beside=True,
    ),
    ContainerKind(
        "http", "rehref.containers.http.message", frozenset({"message/http", "application/http"}), is_text=True
    ),
    ContainerKind(
        "mime",
        "rehref.containers.mime.message",
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
"""All kinds, in the order in which they are asked."""

ENDINGS: Final = tuple(ending for kind in KINDS for _, endings in kind.endings for ending in endings)
"""How the names of containers end."""


def may_begin_container(head: bytes) -> bool:
    """Whether a container may begin with these bytes, be it the first one alone: nearly no document does."""
    return head[:1] not in (b"<", b" ", b"\n", b"\r", b"\t", b"\xef", b"\xfe", b"\xff", b"")


def of_media_type(media_type: str) -> ContainerKind | None:
    """The kind of container that has a media type (rule 2)."""
    return next((kind for kind in KINDS if essence(media_type) in kind.media_types), None)


def named_like(name: str) -> str | None:
    """What a file is that is named so, for people: "a WARC"; None if its name is that of no container."""
    called = (one for kind in KINDS for one, endings in kind.endings if name.lower().endswith(endings))
    return next(called, None)


def names_of(kinds: Iterable[ContainerKind]) -> list[str]:
    """What people call those of some kinds: "a WARC", "an ARC"."""
    return [called for kind in kinds for called, _ in kind.endings]


def recognize(head: bytes, file: BinaryIO | None = None, media_type: str | None = None) -> ContainerKind | None:
    """What kind of container begins with these bytes, at most `HEAD`; None: it is none (rules 1, 2).

    `file`: all of it, for what must be looked into; it can be read anew from where it stands.
    """
    if media_type is not None:
        return of_media_type(media_type)
    if not may_begin_container(head):
        return None
    asked = (kind for kind in KINDS if head.startswith(kind.beginning))
    return next((kind for kind in asked if kind.load().recognizes(head, file)), None)


@dataclass(frozen=True, slots=True)
class Container:
    """A container that was recognized; `file` stands at its beginning."""

    kind: ContainerKind
    file: BinaryIO
    options: ContainerOptions = field(default_factory=ContainerOptions)

    def read(self, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
        """Its documents, in order, and what is wrong with it."""
        return self.kind.load().read(self.file, self.options, wanted)

    def captures(self, wanted: WantsCapture) -> Iterator[Capture | Diagnostic]:
        """What it has captured, in order, from where its file stands; only of a kind that holds records."""
        return cast(ArchiveModule, self.kind.load()).captures(self.file, self.options, wanted)

    def rewrite(self, out: BinaryIO, change: ChangePart, wanted: WantsDocument) -> Iterator[Diagnostic]:
        """Write it anew, while what this gives is being taken: what is wrong with it."""
        return self.kind.load().rewrite(self.file, out, change, self.options, wanted)
