"""`rehref rewrite --cdx`: the indexes beside a WARC file that is written anew (`rehref.containers.cdx.beside_warc`).

1. With `--cdx` each index is written for the new file, and replaces the old one in place. Where that cannot be done, it
   is reported, and the exit code is 2.
2. Without it a line says which index no longer fits, or is not carried over. A file that does not change has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from rehref.cli.commands.rewrite.destinations import Destination
from rehref.files.writing import write_atomically

if TYPE_CHECKING:
    from rehref.containers.cdx.beside_warc import CorrectedIndex
    from rehref.containers.parts import Diagnostic
    from rehref.containers.registry import Container


class Indexes:
    """The indexes of one WARC file; of all else there are none."""

    def __init__(self, to: Destination, container: Container, *, wanted: bool) -> None:
        self._archive = to.document.path if container.kind.has_index_beside else None
        self._to = to
        self._container = container
        self._wanted = wanted
        self._made: list[CorrectedIndex] = []
        self.notes: Sequence[str] = ()
        self.diagnostics: list[Diagnostic] = []

    def rewritten(self, out: BinaryIO, *, changed: bool) -> None:
        """Prepare them, when the new file has been written to `out`. Raises OSError."""
        from rehref.containers.cdx.beside_warc import corrected_indexes, not_carried_over
        from rehref.containers.parts import Diagnostic

        path = self._to.path
        if self._archive is None or path is None:
            return
        if not self._wanted:
            self.notes = not_carried_over(self._archive, path) if changed else ()
        elif out.seekable() and out.readable() and self._container.file.seekable():
            out.flush()
            self._made, diagnostics = corrected_indexes(
                self._archive, path, self._container.file, out, self._container.options.limits
            )
            self.diagnostics += diagnostics
        else:
            self.diagnostics.append(Diagnostic("", "--cdx: what is written to a pipe has no index", "name a file"))

    def write(self, *, backup: bool, within: Path | None) -> None:
        """Write them, when the new file is in its place. Raises `FileError`."""
        for index in self._made:
            write_atomically(index.path, index.write, backup=backup, within=within)
