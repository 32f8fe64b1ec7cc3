"""`rehref rewrite --cdx`: the indexes beside a WARC file that is written anew (`rehref.containers.cdx.beside_warc`).

1. With `--cdx` each index is written for the new file, and replaces the old one in place. Where that cannot be done, it
   is reported, and the exit code is 2.
2. Without it a line says which index no longer fits, or is not carried over. A file that does not change has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from rehref.cli.commands.rewrite.destinations import Destination

if TYPE_CHECKING:
    from rehref.containers.cdx.beside_warc import CorrectedIndex
    from rehref.containers.parts import Diagnostic
    from rehref.containers.registry import Container


class NewIndexes(NamedTuple):
    """The indexes that are to be written when the new file is in its place, and what is reported of the others."""

    made: Sequence[CorrectedIndex] = ()
    notes: Sequence[str] = ()
    diagnostics: Sequence[Diagnostic] = ()


def new_indexes(to: Destination, container: Container, out: BinaryIO, *, wanted: bool, changed: bool) -> NewIndexes:
    """The indexes for the new file, which has been written to `out`. Raises OSError."""
    from rehref.containers.cdx.beside_warc import corrected_indexes, not_carried_over
    from rehref.containers.parts import Diagnostic

    archive = to.document.path if container.kind.has_index_beside else None
    if archive is None or to.path is None:
        return NewIndexes()
    if not wanted:
        return NewIndexes(notes=not_carried_over(archive, to.path) if changed else ())
    if not (out.seekable() and out.readable() and container.file.seekable()):
        what = "--cdx: what is written to a pipe has no index"
        return NewIndexes(diagnostics=[Diagnostic("", what, "name a file")])
    out.flush()
    made, diagnostics = corrected_indexes(archive, to.path, container.file, out, container.options.limits)
    return NewIndexes(made, (), diagnostics)
