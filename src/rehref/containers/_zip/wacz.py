"""The records in a WACZ (Web Archive Collection Zipped 1.1.1): those of all `archive/*.warc`, `*.warc.gz` and the like.

When one of these changes, all files that describe it are corrected: the indexes below `indexes/`, the hash and length
of every changed file in `datapackage.json`, and the hash of that in `datapackage-digest.json`; the rest of these texts
stays as it is written. WARC files and compressed indexes are stored in the zip, never deflated (WACZ §4).
"""

from __future__ import annotations

import io
import json
import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import IO, BinaryIO, cast

from rehref.containers._cdx import index_lines as cdxj
from rehref.containers._cdx.methods import methods_in
from rehref.containers._cdx.moved_records import MovedRecords
from rehref.containers._warc import documents as warc
from rehref.containers._warc.new_records import digest_like
from rehref.containers._warc.revisits import Originals
from rehref.containers._zip.directory import STORED, Member
from rehref.containers._zip.write_zip import Writer
from rehref.containers._zip.zip_archive import (
    ZipArchive,
    diagnostics_of,
    is_damaged,
    open_archive,
    read_member,
    stored_file,
    stream,
)
from rehref.containers.parts import (
    Capture,
    ChangePart,
    ContainerOptions,
    Diagnostic,
    Limits,
    Part,
    Request,
    WantsCapture,
    WantsDocument,
)
from rehref.containers.streams import pieces_of_file
from rehref.text.encoding import Splice, spliced
from rehref.text.json_text import Object

_PACKAGE = "datapackage.json"
_DIGEST = "datapackage-digest.json"
_CHUNK = 1 << 20
_FIRST = 64
# possible names of the first file of a WACZ (WACZ 1.1.1 §4)
_BEGINNINGS = (b"archive/", b"indexes/", b"pages/", b"logs/", b"datapackage")


def recognizes(head: bytes, file: BinaryIO | None) -> bool:
    """Whether a zip file is a WACZ, if it is seekable, or its kind is not known. Raises nothing.

    It is one if it has a `datapackage.json` and a file below `archive/`.
    """
    if file is None or not file.seekable():
        return False
    archive = open_archive(file)
    has_warcs = archive.find(_PACKAGE) is not None and any(m.name.startswith("archive/") for m in archive.files())
    return has_warcs or is_damaged(archive, head)


def _called(file: BinaryIO) -> str:
    """The kind of a zip file that is read as a WACZ, maybe since its kind is not known: its first file decides."""
    file.seek(0)
    head = file.read(_FIRST)
    return "WACZ" if head[30:].startswith(_BEGINNINGS) else "zip file"


def read(file: BinaryIO, options: ContainerOptions, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
    """Yield the wanted records in a WACZ. Raises nothing because of the content. `file`: seekable; else as for WARC."""
    archive = open_archive(file)
    yield from diagnostics_of(archive, _called(file))
    warcs = _warcs(archive)
    for member in warcs:
        for found in warc.read(stream(archive, member, options.limits), options, wanted):
            yield _diagnostic_in(member, found) if isinstance(found, Diagnostic) else _part_in(member, found, warcs)


def captures(
    file: BinaryIO, options: ContainerOptions, wanted: WantsCapture
) -> Iterator[Capture | Request | Diagnostic]:
    """Yield the captures and requests in all WARC files, numbered throughout. As for WARC, but `file` is seekable."""
    archive = open_archive(file)
    yield from diagnostics_of(archive, _called(file))
    methods, of_pages = _methods(archive, options.limits)
    number = 0
    for member in _warcs(archive):
        records, here = stream(archive, member, options.limits), methods[member.name.rpartition("/")[2]]
        for found in warc.captures(records, options, wanted, number, here):
            if isinstance(found, Diagnostic):
                yield _diagnostic_in(member, found)
                continue
            if isinstance(found, Capture):
                number = found.number + 1
                method = found.method or of_pages.get((found.uri, found.date), "")
                found = found._replace(method=method)
            yield found


def _methods(archive: ZipArchive, limits: Limits) -> tuple[dict[str, dict[int, str]], dict[tuple[str, str], str]]:
    """The methods of requests that indexes and lists of pages say, by names of WARC files and offsets in these, and by
    URIs and dates.
    """
    by_place, by_page = defaultdict[str, dict[int, str]](dict), dict[tuple[str, str], str]()
    for member in archive.files():
        if not member.name.startswith(("indexes/", "pages/")) or member.name.endswith(".idx"):
            continue
        for each in methods_in(_lines(archive, member, limits)):
            if each.offset >= 0:
                by_place[each.filename][each.offset] = each.method
            else:
                by_page[each.uri, each.date] = each.method
    return by_place, by_page


def _lines(archive: ZipArchive, member: Member, limits: Limits) -> Iterator[bytes]:
    """Yield the lines of an index, compressed or not, up to where it cannot be read."""
    file = stream(archive, member, limits)
    with suppress(cdxj.UnreadableIndexError):
        if not member.name.endswith(".gz"):
            yield from iter(lambda: file.readline(_CHUNK), b"")
        else:
            for _, text in cdxj.members_of(file, limits):
                yield from text.splitlines()


def _warcs(archive: ZipArchive) -> list[Member]:
    """The WARC files, in the order of their data."""
    return [m for m in archive.files() if m.name.startswith("archive/") and ".warc" in m.name.lower()]


def _diagnostic_in(member: Member, diagnostic: Diagnostic) -> Diagnostic:
    return replace(diagnostic, where=f"{diagnostic.where} of {member.name}" if diagnostic.where else member.name)


def _part_in(member: Member, part: Part, warcs: list[Member]) -> Part:
    return part if len(warcs) == 1 else part._replace(label=f"{part.label} of {member.name}")


def rewrite(
    file: BinaryIO, out: BinaryIO, change: ChangePart, options: ContainerOptions, wanted: WantsDocument
) -> Iterator[Diagnostic]:
    """Write a WACZ with its records changed. The arguments are those of `read`; `out` is a stream."""
    archive = open_archive(file)
    yield from diagnostics_of(archive, _called(file))
    with ExitStack() as stack:
        rewriting = _Rewriting(archive, options, stack)
        if archive.is_sound:
            yield from rewriting.warcs(change, wanted)
        if rewriting.new:
            yield from rewriting.indexes()
            yield from rewriting.package()
        writer = Writer(archive, out)
        for member in archive.files():
            content = rewriting.new.get(member.name)
            if content is not None:
                is_read_in_parts = member.name.startswith("archive/") or member.name.endswith(".gz")
                writer.replace(member, cast(BinaryIO, content), STORED if is_read_in_parts else None)
        writer.finish()


class _Rewriting:
    """The changed files of a WACZ, in `new`, by their names."""

    def __init__(self, archive: ZipArchive, options: ContainerOptions, stack: ExitStack) -> None:
        self._archive = archive
        # a WACZ gets no conversions
        self._options = options._replace(as_conversion=False)
        self._limits = options.limits
        self._stack = stack
        self.new: dict[str, IO[bytes]] = {}
        self._moved: dict[str, MovedRecords] = {}

    def warcs(self, change: ChangePart, wanted: WantsDocument) -> Iterator[Diagnostic]:
        """Rewrite the WARC files, each to a temporary file. If none changes, the output equals the input."""
        members = _warcs(self._archive)
        files = [self._opened(member) for member in members]
        originals = Originals(files)
        for member, old in zip(members, files, strict=True):
            new = self._temporary()
            done = warc.rewrite(old, cast(BinaryIO, new), change, self._options, wanted, originals=originals)
            for diagnostic in done:
                yield _diagnostic_in(member, diagnostic)
            if _is_same(old, new):
                new.close()
                continue
            self.new[member.name] = new
            self._moved[member.name.rpartition("/")[2]] = MovedRecords(old, cast(BinaryIO, new))

    def indexes(self) -> Iterator[Diagnostic]:
        """Correct the indexes, secondary ones last."""
        files = [m for m in self._archive.files() if m.name.startswith("indexes/")]
        packed: dict[str, cdxj.Corrected] = {}
        for member in sorted(files, key=lambda member: member.name.endswith(".idx")):
            old, new = self._opened(member), self._temporary()
            try:
                if member.name.endswith(".idx"):
                    done = cdxj.correct_secondary(old, new, packed)
                elif member.name.endswith(".gz"):
                    done = cdxj.correct_packed(old, new, self._moved, self._limits)
                    packed[member.name.rpartition("/")[2]] = done
                else:
                    done = cdxj.correct_lines(old, new, self._moved, self._limits)
            except cdxj.UnreadableIndexError as error:
                yield _stale(member.name, str(error), "index the archive again")
                continue
            if done.lost:
                what = f"{done.lost:,} lines are about missing records"
                yield _stale(member.name, what, "they stay as they are; index the archive again")
            if done.changed:
                self.new[member.name] = new

    def package(self) -> Iterator[Diagnostic]:
        """Correct the package's hashes. A signature in `datapackage-digest.json` is no longer valid: it is removed, and
        reported.
        """
        text = self._text(_PACKAGE)
        edits = None if text is None else self._resources(text)
        if text is None or edits is None:
            yield _stale(_PACKAGE, "cannot be read, and its hashes are no longer right")
            return
        package = spliced(text, sorted(edits)).encode("utf-8")
        self.new[_PACKAGE] = io.BytesIO(package)
        digest = self._text(_DIGEST)
        if digest is None:
            return
        root = Object.read(digest)
        old = None if root is None else root.text_of("hash")
        new = None if old is None else digest_like(old, (package,))
        if root is None or new is None:
            yield _stale(_DIGEST, "cannot be read, and its hash is no longer right")
            return
        changed = spliced(digest, root.splices(digest, {"hash": new}))
        if "signedData" in root.members:
            kept = _without_signature(changed)
            if kept is None:
                yield _stale(_DIGEST, "cannot be read, and its signature is no longer valid", "sign it again")
                return
            changed = kept
            what = "the signature is no longer valid, and was removed"
            yield replace(_stale(_DIGEST, what, "sign the WACZ again"), code="odd")
        self.new[_DIGEST] = io.BytesIO(changed.encode("utf-8"))

    def _resources(self, text: str) -> list[Splice[str]] | None:
        """The splices in the package for the files that have changed; None if it cannot be read."""
        root = Object.read(text)
        resources = None if root is None else root.objects_in("resources")
        if resources is None:
            return None
        edits: list[Splice[str]] = []
        for resource in resources:
            content = self.new.get(resource.text_of("path") or "")
            if content is None:
                continue
            values = {"bytes": str(content.seek(0, io.SEEK_END))}
            new = digest_like(resource.text_of("hash") or "", pieces_of_file(content))
            if new is not None:
                values["hash"] = new
            edits += resource.splices(text, values)
        return edits

    def _text(self, name: str) -> str | None:
        member = self._archive.find(name)
        data = None if member is None else read_member(self._archive, member, self._limits).data
        try:
            return None if data is None else data.decode("utf-8")
        except UnicodeDecodeError:
            return None

    def _opened(self, member: Member) -> BinaryIO:
        """A member as a seekable file; unpacked first, if necessary."""
        if member.method == STORED:
            return stored_file(self._archive, member)
        unpacked = self._temporary()
        shutil.copyfileobj(stream(self._archive, member, self._limits), unpacked, _CHUNK)
        unpacked.seek(0)
        return cast(BinaryIO, unpacked)

    def _temporary(self) -> IO[bytes]:
        return cast(IO[bytes], self._stack.enter_context(tempfile.SpooledTemporaryFile(_CHUNK)))


def _stale(name: str, what: str, remedy: str = "") -> Diagnostic:
    return Diagnostic(f"file {name}", what, remedy, code="stale")


def _is_same(old: BinaryIO, new: IO[bytes]) -> bool:
    """Whether two files have the same content."""
    if old.seek(0, io.SEEK_END) != new.seek(0, io.SEEK_END):
        return False
    return all(ours == theirs for ours, theirs in zip(pieces_of_file(old), pieces_of_file(new), strict=True))


def _without_signature(text: str) -> str | None:
    """The JSON object without its signature; None if it cannot be read strictly."""
    try:
        kept = json.loads(text)
        del kept["signedData"]
        return json.dumps(kept, indent=2)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
