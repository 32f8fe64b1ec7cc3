"""Write a web archive as files that open without it.

1. The archive is read twice: first to plan the files (`rehref.rewriting.unpacking.capture_plan`), then to write them.
   So at most one body is in memory at a time. Parts of one are joined when all of them have been read.
2. Documents are rewritten (`rehref.rewriting.offline_copies.copied_documents`). A document that cannot be read is
   written unchanged.
3. What browsers refuse to load from a disk is then put into the files that need it
   (`rehref.rewriting.offline_copies.inlining`).
4. Each file is written completely or not at all, and only below the folder. The last is `_captures.jsonl`
   (`rehref.rewriting.unpacking.saved_captures`).
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from rehref.base import Candidate
from rehref.containers.opening import not_read
from rehref.containers.parts import Diagnostic, Part, few
from rehref.containers.registry import Container
from rehref.documents.types.media_types import essence
from rehref.files.writing import write_atomically
from rehref.options import ReadOptions
from rehref.rewriting.offline_copies.copied_documents import is_document, offline_file, text_file
from rehref.rewriting.offline_copies.inlining import MOST_IN_FILE, Copy
from rehref.rewriting.offline_copies.remaining import CopiedFile
from rehref.rewriting.unpacking.capture_plan import bodies, may_be_saved, plan
from rehref.rewriting.unpacking.saved_captures import Plan, Saved, write_captures


def unpack_captures(
    container: Container,
    folder: Path,
    how: ReadOptions,
    *,
    all_captures: bool = False,
    no_network: bool = False,
    no_inline: bool = False,
) -> Iterator[Plan | Diagnostic]:
    """Write the captures of a WARC or WACZ into a folder: yield diagnostics, and at the end what was written.

    The container's file must be seekable. `no_network`: make pages that never ask the web. `no_inline`: put nothing
    into other files (rule 3). Raises `FileError` if a file cannot be written.
    """
    start = container.file.tell()
    saved = yield from plan(few(container.captures(may_be_saved)), all_captures=all_captures)
    container.file.seek(start)
    found = {entry.path: entry for entry in reversed(saved.entries) if entry.path}
    files = {
        path: CopiedFile(entry.uri, entry.media_type, partial(saved.find, date=entry.date))
        for path, entry in found.items()
    }
    copy = Copy(folder, files, saved.remaining)
    for number, body in bodies(container.captures(saved.wanted), saved.joints):
        for entry in saved.files.get(number, ()):
            part = body if entry.uri == body.uri else _under(body, entry)
            data, diagnostic = _content(part, entry, saved, how, no_network=no_network)
            if diagnostic is not None:
                yield diagnostic
            files[entry.path] = files[entry.path]._replace(base=entry.base or entry.uri)
            copy.look_at(entry.path, data)
            write_atomically(folder / entry.path, data, within=folder)
            charset = "utf-8" if data.startswith(BOM_UTF8) else part.charset
            saved.types[entry.path] = essence(part.media_type) + (f"; charset={charset}" if charset else "")
    copy.inline(how, most=0 if no_inline else MOST_IN_FILE)
    write_captures(folder, saved)
    yield saved


def _under(part: Part, entry: Saved) -> Part:
    """Return a body as the body of another URI, which a revisit names."""
    layers = part.layers
    candidate = Candidate(entry.uri, "entity", f"WARC-Target-URI of a revisit of {part.label}")
    return part._replace(uri=entry.uri, layers=layers._replace(entity=(candidate, *layers.entity[1:])))


def _content(
    part: Part, entry: Saved, saved: Plan, how: ReadOptions, *, no_network: bool
) -> tuple[bytes, Diagnostic | None]:
    """Return the content of a file (rule 2), note its base, and count the references to the web."""
    if not is_document(essence(part.media_type)):
        return text_file(part), None
    try:
        made = offline_file(part, partial(saved.find, date=entry.date), entry.path, how, no_network=no_network)
    except Exception as error:
        return part.data, not_read(part, error)
    entry.base = made.base
    saved.remaining.web += made.web
    if made.title:
        saved.titles[entry.path] = made.title
    return made.data, None
