"""The copy of an archive file that is written while it is read.

1. Records are copied byte for byte. In a compressed file these are the bytes of the file, if a record begins and ends
   where members do; else its content becomes a member of its own.
2. So does the content unpacked before damage, from a record that does not begin where a member does.
"""

from __future__ import annotations

from itertools import chain
from typing import BinaryIO

from rehref.containers.warc.compressed_stream import CompressedStream
from rehref.containers.warc.compression_formats import Packer
from rehref.containers.warc.ordered_output import OrderedOutput, Pieces
from rehref.text.large_bytes import LARGE, pieces_of


class ArchiveCopy:
    """The file that all is copied to, if there is one."""

    def __init__(self, out: BinaryIO | None, packed: CompressedStream | None) -> None:
        """`packed`: the file that is copied, if it is compressed; so is the copy then."""
        self._out = None if out is None else OrderedOutput(out)
        self._packed = packed
        self.sink = None if self._out is None else self._out.write
        """The function that writes bytes as they are, if there is a file."""

    def close(self) -> None:
        """Write the pending data. The file stays open."""
        if self._out is not None:
            self._out.close()

    def write(self, data: bytes) -> None:
        """Write bytes as they are."""
        if self._out is not None and data:
            self._out.write(data)

    def write_record(self, pieces: Pieces) -> None:
        """Write a record, given in pieces."""
        if self._out is None:
            return
        form = None if self._packed is None else self._packed.form
        if form is None:
            for piece in chain.from_iterable(map(pieces_of, pieces)):
                self._out.write(piece)
        elif sum(map(len, pieces)) > LARGE:
            for piece in form.packed_in_pieces(chain.from_iterable(map(pieces_of, pieces))):
                self._out.write(piece)
        elif form.is_slow:
            self._out.write_made(form.pack, pieces)
        else:
            self._out.write(form.pack(pieces))

    def copy(self, start: int, end: int | None) -> None:
        """Copy bytes of the compressed file that have been kept; none if the end is not known."""
        if self._out is not None and self._packed is not None and end is not None:
            for piece in self._packed.kept(start, end):
                self._out.write(piece)

    def packer(self) -> Packer | None:
        """What packs a record that comes in pieces, if it must be written."""
        return None if self._packed is None or self._out is None else self._packed.form.packer()

    def pack_again(self, start: int, size: int) -> None:
        """Write the first `size` bytes of the content kept from an offset on as a member of their own (rule 2)."""
        packer = self.packer()
        if packer is not None and self._packed is not None:
            for piece in self._packed.unpacked_again(start, size):
                self.write(packer.compress(piece))
            self.write(packer.flush())
