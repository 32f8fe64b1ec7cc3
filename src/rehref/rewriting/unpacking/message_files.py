"""A message as files in one folder: the name of each part, and its bytes.

1. Every leaf is a file. Its name is the end of its location's path, its file name (Content-Disposition, Content-Type),
   or its Content-ID; otherwise `part-3-1`. The root document is `index`.
2. Names are safe and unique, and have the extension of their media type (`rehref.files.file_names`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from rehref.containers.mime import header_fields, transfer
from rehref.containers.mime.bases import Bases, Inside
from rehref.containers.mime.header_fields import Buffer
from rehref.containers.mime.structure import Entity, scan
from rehref.containers.parts import ContainerOptions, Diagnostic, Limits
from rehref.containers.repeated_diagnostics import few
from rehref.files.file_names import Names, endings, safe
from rehref.uri.components import split


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The file names of the parts of a message.

    `files`: for each part's number, its file name. `targets`: for each absolute URI of a part (without fragment; `cid:`
    and `mid:` too), its file name, as a reference relative to the folder. `root`: the number of the root document,
    None if there is none. `diagnostics`: what is wrong with the message.

    `targets` has those of the outermost message before those of messages in it; a part's own `inside` is exact.
    """

    files: Mapping[str, str]
    targets: Mapping[str, str]
    root: str | None
    diagnostics: tuple[Diagnostic, ...]


@dataclass(frozen=True, slots=True)
class Body:
    """The decoded bytes of a part: its number, and pieces of at most a few megabytes."""

    number: str
    pieces: Iterator[bytes]


def plan(data: Buffer, options: ContainerOptions) -> Unpacked:
    """Name the parts of a message (rules 1, 2). Raises nothing on content."""
    found = scan(data, options.limits.depth)
    bases = Bases(data, found.entities, options.outer)
    leaves = dict(bases.leaves())
    root = bases.root()
    names = Names()
    called: dict[int, str] = {}
    if root is not None:
        called[root] = names.take("index", endings(leaves[root].essence))
    for index, entity in leaves.items():
        if index != root:
            called[index] = names.take(_wish(data, bases, index, entity), endings(entity.essence))
    targets = Inside()
    for index in sorted(leaves, key=lambda index: leaves[index].message != 0):
        for uri in bases.uris(index):
            targets.add(uri, called[index])
    files = {entity.number: called[index] for index, entity in leaves.items()}
    return Unpacked(files, targets, None if root is None else leaves[root].number, tuple(found.diagnostics))


def bodies(data: Buffer, limits: Limits | None = None) -> Iterator[Body | Diagnostic]:
    """Yield the decoded bytes of every part that `plan` names, in order, however large.

    Take the pieces of one part before you ask for the next. A part with an unknown transfer encoding is yielded as it
    is, and reported.
    """
    return few(_bodies(data, limits or Limits()))


def _bodies(data: Buffer, limits: Limits) -> Iterator[Body | Diagnostic]:
    for entity in scan(data, limits.depth).entities:
        if entity.kind not in ("leaf", "opaque"):
            continue
        encoding = entity.encoding
        if encoding not in transfer.KNOWN:
            yield Diagnostic(
                f"part {entity.number}",
                f"its transfer encoding {encoding!r} cannot be read; it stays encoded",
                code="unsupported",
            )
            encoding = ""
        yield Body(entity.number, transfer.chunks(data, entity.body, entity.end, encoding))


def _wish(data: Buffer, bases: Bases, index: int, entity: Entity) -> str:
    """Return the best name for a part, as it is written in the message."""
    path = split(bases.location(index) or "").path
    wishes = [
        unquote(path.rpartition("/")[2]),
        header_fields.parameters(header_fields.text(data, entity.spans.get("content-disposition"))).get("filename", ""),
        "" if entity.type is None else entity.type.parameters.get("name", ""),
        header_fields.identifier(data, entity.spans.get("content-id")).partition("@")[0],
    ]
    for wish in wishes:
        name = safe(wish)
        if name:
            return name
    return f"part-{entity.number.replace('.', '-')}"
