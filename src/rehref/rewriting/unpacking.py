"""A MIME message as files that open without it: each part under a name of its own, references made to lead there.

1. What leads to another part leads to its file; what leads elsewhere becomes absolute. A `base` goes, since nothing may
   be relative to it any more.
2. A file has no headings to tell its encoding: a document that would be read in another one than it was is written in
   UTF-8, with a byte order mark.
3. Every part is written, those that are no documents as they are; each file whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from rehref.base import Layers
from rehref.documents.link import Link
from rehref.documents.reading import Reading, UnknownMediaTypeError, encoding_of
from rehref.documents.types import essence, reader_of
from rehref.entities import mime
from rehref.entities.mime import Buffer, Unpacked
from rehref.entities.opening import open_part
from rehref.entities.parts import Limits, Part, Trouble
from rehref.entities.writing import write_atomically
from rehref.parsers.encoding import decode, lookup
from rehref.parsers.registry import ParserError
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.rules import DROP, Absolute, Drop, is_base_element, is_same_document_as_written


def unpack(data: Buffer, around: Layers, folder: Path, how: Reading, limits: Limits) -> Iterator[Unpacked | Trouble]:
    """Write the parts of a message into a folder: what is the matter with them, and at last what was written.

    Raises `FileError` where a file cannot be written.
    """
    plan = mime.plan(data, around, limits)
    yield from plan.troubles
    rewritten = set()
    for part in mime.read(data, around, _is_document, limits):
        if isinstance(part, Trouble):
            if part not in plan.troubles:
                yield part
            continue
        try:
            content = _as_file(part, plan.targets, how)
        except (UnknownMediaTypeError, ParserError) as error:
            yield Trouble(part.label, str(error))
            continue
        rewritten.add(part.name)
        write_atomically(folder / plan.files[part.name], content, within=folder)
    for body in mime.bodies(data, limits):
        if isinstance(body, Trouble):
            yield body
        elif body.number not in rewritten:
            write_atomically(folder / plan.files[body.number], _Pieces(body.pieces), within=folder)
    yield plan


def _is_document(media_type: str, name: str) -> bool:
    return reader_of(media_type) not in (None, "text", "headers")


def _as_file(part: Part, targets: Mapping[str, str], how: Reading) -> bytes:
    """A document as a file (rules 1, 2)."""
    document = open_part(part, how)
    outside = Absolute(base_element="drop")

    def rule(link: Link) -> str | Drop | None:
        if is_base_element(link):
            return DROP
        if link.target is None or link.kind in ("fragment", "namespace", "metadata"):
            return None
        if is_same_document_as_written(link):
            return None
        uri, mark, fragment = link.target.partition("#")
        name = targets.get(uri)
        return outside(link) if name is None else f"{name}{mark}{fragment}"

    data = rewrite_document(document, rule).data
    assert isinstance(data, bytes)
    declared = part.encoding if part.encoding is not None and lookup(part.encoding) is not None else None
    if reader_of(essence(part.media_type)) == "xml" or declared is None:
        return data
    meant = encoding_of(data, part.media_type, declared)
    if encoding_of(data, part.media_type).name == meant.name:
        return data
    return b"\xef\xbb\xbf" + decode(data[meant.bom :], meant.name).encode("utf-8", "replace")


class _Pieces:
    """Writes pieces to a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces

    def __call__(self, file: BinaryIO) -> None:
        """Write them."""
        file.writelines(self._pieces)
