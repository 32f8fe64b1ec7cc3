"""Indexes of WARC files, corrected for rewritten files (CDXJ; ZipNum, as `cdxj-gzip-1.0`; classic CDX).

Only values change that describe a record's place and bytes, and they keep their form (a JSON string stays one, a digest
without its algorithm stays without), so that the order stays valid. A line about an unknown record stays as it is, and
is counted. `length` grows by as much as the record does: writers of indexes differ on whether line ends after a record
count.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import IO, BinaryIO, NamedTuple

from rehref.containers._cdx.moved_records import MovedRecords
from rehref.containers.parts import Limits
from rehref.exceptions import RehrefError
from rehref.text.encoding import spliced
from rehref.text.json_text import Object

_CHUNK = 1 << 16
_LONGEST_LINE = 1 << 22
_CLASSIC = b" CDX "
_REVISIT = "warc/revisit"
_NAMES = ("offset", "length", "digest", "filename", "mime")
_LETTERS = {"offset": "V", "length": "S", "digest": "k", "filename": "g", "mime": "m"}


class Block(NamedTuple):
    """A member of a compressed index, in its new state."""

    offset: int
    length: int
    digest: str


@dataclass(slots=True)
class Corrected:
    """The result for an index.

    `known`: the number of lines about known records; `changed`: how many of these changed; `lost`: the number of lines
    about unknown records. `blocks`: its members by their old offsets.
    """

    known: int = 0
    changed: int = 0
    lost: int = 0
    blocks: dict[int, Block] = field(default_factory=dict)
    columns: str = ""
    """The letters of a classic index, without blanks: they name its columns (`_LETTERS`)."""


class UnreadableIndexError(RehrefError):
    """An index that cannot be read; the text says why."""


def correct_lines(old: BinaryIO, new: IO[bytes], records: Mapping[str, MovedRecords], limits: Limits) -> Corrected:
    """Correct an index of CDXJ lines. `records`: by the names of WARC files. Raises `UnreadableIndexError`."""
    done = Corrected()
    while line := old.readline(_LONGEST_LINE):
        if not line.endswith(b"\n") and len(line) == _LONGEST_LINE:
            raise UnreadableIndexError("it has a line that is too long")
        new.write(_corrected(line, records, limits, done))
    return done


def correct_packed(old: BinaryIO, new: IO[bytes], records: Mapping[str, MovedRecords], limits: Limits) -> Corrected:
    """Correct a compressed index; arguments and exceptions as for `correct_lines`.

    It is a series of gzip members. A member whose lines all stay is copied; any other is packed again.
    """
    done = Corrected()
    offset = written = 0
    for packed, text in members_of(old, limits):
        before = done.changed
        lines = [_corrected(line, records, limits, done) for line in text.splitlines(keepends=True)]
        piece = packed
        if done.changed != before:
            packer = zlib.compressobj(wbits=31)
            piece = packer.compress(b"".join(lines)) + packer.flush()
        new.write(piece)
        done.blocks[offset] = Block(written, len(piece), f"sha256:{hashlib.sha256(piece).hexdigest()}")
        offset, written = offset + len(packed), written + len(piece)
    return done


def correct_secondary(old: BinaryIO, new: IO[bytes], indexes: Mapping[str, Corrected]) -> Corrected:
    """Correct an `index.idx`. `indexes`: the compressed indexes by their names. Raises `UnreadableIndexError`.

    `offset`, `length` and `digest` (SHA-256) describe a member of a compressed index; `filename` says of which, or the
    first line does.
    """
    done = Corrected()
    filename: str | None = next(iter(indexes)) if len(indexes) == 1 else None
    while line := old.readline(_LONGEST_LINE):
        before, text, object_ = _parsed(line)
        if object_ is None or before.startswith("!meta"):
            filename = (object_ and object_.text_of("filename")) or filename
            new.write(line)
            continue
        index = indexes.get(object_.text_of("filename") or filename or "")
        block = None if index is None else index.blocks.get(_number(object_.text_of("offset")))
        if block is None:
            done.lost += index is not None
            new.write(line)
            continue
        values = {"offset": str(block.offset), "length": str(block.length), "digest": block.digest}
        corrected = _written(before, text, object_, values)
        done.changed += corrected != line
        new.write(corrected)
    return done


def members_of(file: BinaryIO, limits: Limits) -> Iterator[tuple[bytes, bytes]]:
    """Yield the gzip members of a file, packed and unpacked. Raises `UnreadableIndexError`."""
    rest = b""
    while True:
        unpacker = zlib.decompressobj(31)
        packed: list[bytes] = []
        text: list[bytes] = []
        sizes = [0, 0]
        while not unpacker.eof:
            piece = rest or file.read(_CHUNK)
            rest = b""
            if not piece:
                if packed:
                    raise UnreadableIndexError("it ends within a compressed block")
                return
            try:
                text.append(unpacker.decompress(piece, _CHUNK))
            except zlib.error as error:
                raise UnreadableIndexError("its compressed data are damaged") from error
            rest = unpacker.unused_data or unpacker.unconsumed_tail
            packed.append(piece[: len(piece) - len(rest)])
            sizes = [sizes[0] + len(packed[-1]), sizes[1] + len(text[-1])]
            why = limits.exceeded(*sizes)
            if why:
                raise UnreadableIndexError(why)
        yield b"".join(packed), b"".join(text)


class _Line(NamedTuple):
    """The values of a line about a record, by `_NAMES`, and a function that writes it with other values."""

    old: Mapping[str, str | None]
    written: Callable[[Mapping[str, str]], bytes]


def _corrected(line: bytes, records: Mapping[str, MovedRecords], limits: Limits, done: Corrected) -> bytes:
    """A line of an index, corrected."""
    if line.startswith(_CLASSIC):
        done.columns = "".join(line.decode("latin-1").split()[1:])
        return line
    parsed = _classic(line, done.columns) if done.columns else _json(line)
    warc = None if parsed is None else records.get(_basename(parsed.old["filename"]))
    if parsed is None or warc is None:
        return line
    values = _new_values(parsed.old, warc, limits)
    if values is None:
        done.lost += 1
        return line
    new = parsed.written(values)
    done.known += 1
    done.changed += new != line
    return new


def _json(line: bytes) -> _Line | None:
    before, text, object_ = _parsed(line)
    if object_ is None:
        return None
    return _Line({name: object_.text_of(name) for name in _NAMES}, partial(_written, before, text, object_))


def _classic(line: bytes, columns: str) -> _Line | None:
    """A line of a classic index, which begins with ` CDX ` and letters; the rest of its lines stays as it is."""
    text = line.decode("utf-8", "surrogateescape")
    words = text.rstrip("\r\n").split(" ")
    if len(words) != len(columns):
        return None
    at = {name: columns.rfind(letter) for name, letter in _LETTERS.items()}
    old = {name: words[place] if place >= 0 and words[place] != "-" else None for name, place in at.items()}

    def written(values: Mapping[str, str]) -> bytes:
        for name, place in at.items():
            if old[name] is not None:
                words[place] = values.get(name, words[place])
        return (" ".join(words) + text[len(text.rstrip("\r\n")) :]).encode("utf-8", "surrogateescape")

    return _Line(old, written)


def _new_values(old: Mapping[str, str | None], warc: MovedRecords, limits: Limits) -> dict[str, str] | None:
    """The new values of a line; None if its record is not known.

    They are `offset` and `length`, also `digest` (of the payload; SHA-1, if its algorithm is not written) and
    `recordDigest` if they are present and the record has changed, and `mime` of a revisit that has become a response.
    If the file has a new name, every line gets it; the folders before it stay.
    """
    moved = warc.find(_number(old["offset"]))
    if moved is None:
        return None
    length = _number(old["length"])
    new_length = length + moved.new_length - moved.length if length >= 0 else moved.new_length
    values = {"offset": str(moved.new_offset), "length": str(new_length)}
    filename = old["filename"]
    if warc.new_name and filename is not None:
        values["filename"] = filename[: len(filename) - len(_basename(filename))] + warc.new_name
    if not warc.is_changed(moved):
        return values
    digest = old["digest"]
    if digest is not None:
        bare = ":" not in digest
        new = warc.payload_digest(moved, f"sha1:{digest}" if bare else digest, limits)
        if new is not None:
            values["digest"] = new.rpartition(":")[2] if bare else new
    if old["mime"] == _REVISIT:
        values["mime"] = warc.media_type(moved) or _REVISIT
    values["recordDigest"] = warc.record_digest(moved, new_length)
    return values


def _parsed(line: bytes) -> tuple[str, str, Object | None]:
    """The text before the JSON object of a line, the rest, and the object; None if there is none."""
    text = line.decode("utf-8", "surrogateescape")
    at = text.find("{")
    return text[:at], text[at:], None if at < 0 else Object.read(text[at:])


def _written(before: str, text: str, object_: Object, values: Mapping[str, str]) -> bytes:
    """The line with these values; values that do not change stay as they are written."""
    edits = object_.splices(text, {name: new for name, new in values.items() if object_.text_of(name) != new})
    return (before + spliced(text, edits)).encode("utf-8", "surrogateescape")


def _basename(name: str | None) -> str:
    return "" if name is None else name.rpartition("/")[2]


def _number(text: str | None) -> int:
    """A number as it is written, of at most 18 digits; -1 for anything else."""
    return int(text) if text is not None and text.isascii() and text.isdecimal() and len(text) < 19 else -1
