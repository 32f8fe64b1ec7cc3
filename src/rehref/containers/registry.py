"""What a source is: a container of documents, recognized by its content, or a document on its own.

1. A container is recognized by how it begins, never by its name: an HTTP message by its status line, MIME by its
   header fields, WARC and ARC by their first record, also compressed, EPUB and WACZ by what is in their zip. A zip that
   is damaged, so that this cannot be told, counts as one of them: no document begins so, and it is to be reported.
2. A media type that was asked for decides, if it is one of a container; any other says that there is none.
3. WARC is read as a stream, whatever the source. The others need to go back and forth: what cannot is copied to a
   temporary file first.
4. What is read as a document: in a WARC, HTML (and for reading style sheets, XML, manifests, heads); in the others,
   every type that can be read. Which of them `wanted` is asked about.
"""

from __future__ import annotations

import io
import mmap
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, TypeAlias

from rehref.base import Layers
from rehref.containers.parts import Change, Diagnostic, Limits, Part, Wanted, Where
from rehref.documents.types.media_types import essence, reader_of, type_of_name
from rehref.uri.resolver import Profile

if TYPE_CHECKING:
    from rehref.containers.warc import Capture, WantedCapture

Kind: TypeAlias = Literal["http", "mime", "warc", "epub", "wacz"]

HEAD: Final = 1 << 16
"""Bytes of a source that are looked at to recognize it."""

_ZIP = b"PK\x03\x04"
_SPOOLED = 8 << 20
_TYPES: dict[str, Kind] = {
    "message/http": "http",
    "application/http": "http",
    "message/rfc822": "mime",
    "application/mbox": "mime",
    "multipart/related": "mime",
    "multipart/mixed": "mime",
    "multipart/alternative": "mime",
    "application/x-mimearchive": "mime",
    "application/warc": "warc",
    "application/warc-fields": "warc",
    "application/x-arc": "warc",
    "application/epub+zip": "epub",
    "application/wacz": "wacz",
}


def without_file(kind: Kind, around: Layers) -> Layers:
    """What stands outside of a container, without its file where that means nothing.

    A message from a file was retrieved from nowhere: what is relative there is so to `thismessage:/` (RFC 2557 §5).
    """
    return around._replace(file=None) if kind == "mime" else around


def recognize(head: bytes, file: BinaryIO | None = None, media_type: str | None = None) -> Kind | None:
    """What kind of container begins with these bytes, at most `HEAD`; None: it is none (rules 1, 2).

    `file`: all of it, for what must be looked into; it can be read anew from where it stands.
    """
    if media_type is not None:
        return _TYPES.get(essence(media_type))
    if head[:1] in (b"<", b" ", b"\n", b"\r", b"\t", b"\xef", b"\xfe", b"\xff", b""):
        return None  # nearly every document
    from rehref.containers.http.message import looks_like_http
    from rehref.containers.mime import looks_like_mime
    from rehref.containers.warc import looks_like_warc

    if head[:2] == b"PK":
        return _zip_kind(file)
    if looks_like_warc(head):
        return "warc"
    if looks_like_http(head):
        return "http"
    return "mime" if looks_like_mime(head) else None


def _zip_kind(file: BinaryIO | None) -> Kind | None:
    from rehref.containers.zip.archive import open_archive
    from rehref.containers.zip.epub import BEGINNING, looks_like_epub
    from rehref.containers.zip.wacz import looks_like_wacz

    if file is None or not file.seekable():
        return None
    start = file.tell()
    head = file.read(len(BEGINNING) + 100)
    if looks_like_epub(file):
        return "epub"
    if looks_like_wacz(file):
        return "wacz"
    if not head.startswith(_ZIP) or open_archive(file).is_sound:
        return None
    file.seek(start)
    return "epub" if BEGINNING in head else "wacz"


@dataclass(frozen=True, slots=True)
class Container:
    """A container that was recognized; `file` stands at its beginning. What it gives is as `entities.parts` tells."""

    kind: Kind
    file: BinaryIO
    around: Layers
    limits: Limits = field(default_factory=Limits)
    content_location_base: bool = False
    as_conversion: bool = False
    profile: Profile = "rfc3986"

    @property
    def where(self) -> Where:
        """What its documents are called."""
        return "record" if self.kind in ("warc", "wacz") else "part"

    def read(self, wanted: Wanted) -> Iterator[Part | Diagnostic]:
        """Its documents, in order, and what is the matter with it."""
        around, limits = self.around, self.limits
        if self.kind == "warc":
            from rehref.containers import warc

            yield from warc.read(self.file, around, wanted, limits)
        elif self.kind == "mime":
            from rehref.containers import mime

            with buffer(self.file) as data:
                yield from mime.read(data, around, wanted, limits, profile=self.profile)
        elif self.kind == "http":
            from rehref.containers.http import message

            yield from message.read(
                self.file.read(), around, wanted, limits, content_location_base=self.content_location_base
            )
        elif self.kind == "epub":
            from rehref.containers.zip import epub

            yield from epub.read(self.file, around, wanted, limits)
        else:
            from rehref.containers.zip import wacz

            yield from wacz.read(self.file, around, wanted, limits)

    def captures(self, wanted: WantedCapture) -> Iterator[Capture | Diagnostic]:
        """What a web archive (`warc`, `wacz`) has captured, in order, from where its file stands."""
        if self.kind == "warc":
            from rehref.containers import warc

            yield from warc.captures(self.file, self.around, wanted, self.limits)
        else:
            from rehref.containers.zip import wacz

            yield from wacz.captures(self.file, self.around, wanted, self.limits)

    def rewrite(self, out: BinaryIO, change: Change, wanted: Wanted) -> Iterator[Diagnostic]:
        """Write it anew, while what this gives is being taken: what is the matter with it."""
        around, limits = self.around, self.limits
        if self.kind == "warc":
            from rehref.containers import warc

            yield from warc.rewrite(self.file, out, change, around, wanted, limits, as_conversion=self.as_conversion)
        elif self.kind == "mime":
            from rehref.containers import mime

            with buffer(self.file) as data:
                yield from mime.rewrite(data, out, change, around, wanted, limits, profile=self.profile)
        elif self.kind == "http":
            from rehref.containers.http import message

            yield from message.rewrite(
                self.file.read(), out, change, around, wanted, limits, content_location_base=self.content_location_base
            )
        elif self.kind == "epub":
            from rehref.containers.zip import epub

            yield from epub.rewrite(self.file, out, change, around, wanted, limits)
        else:
            from rehref.containers.zip import wacz

            yield from wacz.rewrite(self.file, out, change, around, wanted, limits)


def wanted_for_reading(kind: Kind) -> Wanted:
    """What is read as a document in a container of this kind (rule 4)."""
    return _markup_and_more if kind in ("warc", "wacz") else _whatever


def wanted_for_rewriting(kind: Kind, *, all_types: bool = False) -> Wanted:
    """What is rewritten in a container of this kind; `all_types`: in a WARC, too, whatever is read."""
    if kind in ("warc", "wacz") and not all_types:
        return _pages
    return wanted_for_reading(kind)


def _pages(media_type: str, name: str) -> bool:
    return media_type in ("text/html", "application/xhtml+xml")


def _markup_and_more(media_type: str, name: str) -> bool:
    return reader_of(media_type) not in (None, "text")


def _whatever(media_type: str, name: str) -> bool:
    if media_type in ("", "application/octet-stream", "application/xml"):
        media_type = type_of_name(name) or media_type
    return reader_of(media_type) is not None


@contextmanager
def buffer(file: BinaryIO) -> Iterator[bytes | mmap.mmap]:
    """All that is in a file, from where it stands, not necessarily in memory."""
    if isinstance(file, io.BytesIO):
        yield file.read()
        return
    try:
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError):  # no file on a disk, or an empty one
        yield file.read()
        return
    with data:
        yield data


class _Chained(io.RawIOBase):
    """A stream of which the first bytes have been read already."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head, self._rest = head, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        data = self._head[: len(buffer)]
        if data:
            self._head = self._head[len(data) :]
        else:
            data = self._rest.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


@contextmanager
def peeked(stream: BinaryIO, media_type: str | None = None) -> Iterator[tuple[Kind | None, BinaryIO]]:
    """What a stream holds, and the stream from its beginning on, one that can go back if that is needed (rule 3)."""
    if stream.seekable():
        start = stream.tell()
        head = stream.read(HEAD)
        stream.seek(start)
        kind = recognize(head, stream, media_type)
        stream.seek(start)
        yield kind, stream
        return
    head = stream.read(HEAD)
    rest = io.BufferedReader(_Chained(head, stream), 1 << 20)
    kind = recognize(head, None, media_type)
    if kind == "warc" or (kind is None and head[:2] != b"PK"):
        yield kind, rest
        return
    with tempfile.TemporaryFile() as file:
        shutil.copyfileobj(rest, file, _SPOOLED)
        file.seek(0)
        kind = kind or recognize(head, file, media_type)
        file.seek(0)
        yield kind, file
