"""Write a web archive as files that open without it: which captures become which files, and which URIs lead to them.

The archive is read twice, first to plan the files, then to write them; a few strings of each capture are kept in
memory, and at most one body. A body is saved once, even if revisits of other URIs refer to it; a document once for each
URI, since its references may be relative to that. Each file is written completely or not at all, and only below the
folder; the last is `_captures.jsonl` (`rehref.archives.saved_captures`). That name and `index.html` are reserved.
"""

from __future__ import annotations

import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import chain
from pathlib import Path
from string import punctuation
from urllib.parse import quote

from rehref.archives._copies.copied_documents import offline_file, text_file
from rehref.archives._copies.inlining import MOST_IN_FILE, OfflineCopy
from rehref.archives._copies.remaining import CopiedFile
from rehref.archives._unpacking.environments import Environments
from rehref.archives._unpacking.exchanges import GET, Exchanges, pages_among
from rehref.archives._unpacking.file_names import Folder
from rehref.archives.saved_captures import (
    CAPTURES,
    INDEX,
    CapturePlan,
    FindAt,
    Joint,
    PartExtent,
    Saved,
    by_uri,
    moment_of,
    part_extent,
    write_captures,
)
from rehref.containers.kinds import Container
from rehref.containers.parts import PARTIAL, Capture, Diagnostic, Limits, Part, Request, few, timestamp
from rehref.documents.base import Candidate, clean
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_page
from rehref.files.writing import write_atomically
from rehref.rewriting.offline_rule import comparable
from rehref.uri.components import split
from rehref.uri.resolver import Resolver
from rehref.uri.syntaxes import SYNTAXES

_WITHOUT_BODY = (204, 205)
_NOT_MODIFIED = 304
_OF_WGET = ("metadata://gnu.org/", "urn:x-wget:")  # the records that wget writes about its own run


def plan_captures(
    found: Iterable[Capture | Request | Diagnostic], *, all_captures: bool = False
) -> tuple[CapturePlan, Environments, list[Diagnostic]]:
    """Decide which captures are pages, and what is saved where; return the plan, and what is odd.

    `found`: all captures and requests, each capture with its part, which shows whether it can be read (for those in
    `may_be_saved`).
    """
    seen, diagnostics = _Seen(), list[Diagnostic]()
    a_few: Iterator[Capture | Request | Diagnostic] = few(found)
    for each in a_few:
        if isinstance(each, Diagnostic):
            diagnostics.append(each)
            continue
        seen.exchanges.add(each)
        if isinstance(each, Capture):
            seen.add(each)
    seen.join()
    found_plan = _named(seen.chosen(all_captures=all_captures), seen.joints, all_captures=all_captures)
    partial = sum(found_plan.find(uri, "") is None for uri in seen.partial)
    if partial:
        what = "1 URI was" if partial == 1 else f"{partial:,} URIs were"
        message = f"{what} captured only in part (206), and cannot be joined; not saved"
        diagnostics.append(Diagnostic("", message, code="odd"))
    return found_plan, seen.environments, diagnostics


def may_be_saved(capture: Capture) -> bool:
    """Whether a capture's body may be saved: of a successful response (2xx), or a resource.

    204 and 205 have no body, and records that wget writes about its own run are left out. A redirect is not a file.
    """
    if capture.is_revisit or capture.uri.lower().startswith(_OF_WGET):
        return False
    return 200 <= capture.status < 300 and capture.status not in _WITHOUT_BODY


class _Seen:
    """The captures of an archive, by every key that revisits refer to.

    A revisit means the capture that it refers to, by record id, by URI and date, or by digest; or, if the server said
    that nothing had changed, the previous capture of the same URI.
    """

    def __init__(self) -> None:
        self._bodies: dict[str, Saved] = {}
        self._redirects: list[Saved] = []
        self._contents: list[Saved] = []
        self._revisits: list[Capture] = []
        self._parts: dict[tuple[str, int, str], list[tuple[PartExtent, Saved]]] = {}
        self.exchanges = Exchanges()
        self.environments = Environments()
        self.partial: set[str] = set()
        self.joints: dict[int, tuple[Joint, int]] = {}

    def add(self, capture: Capture) -> None:
        """Record a capture."""
        uri, date, status, number = capture.uri, capture.date, capture.status, capture.number
        if 300 <= status < 400 and status != _NOT_MODIFIED and capture.location:
            target = Resolver(uri, relative_base=True)(capture.location.strip())
            self._redirects.append(Saved(number, uri, date, status, "", number, location=target))
        elif capture.is_revisit:
            self._revisits.append(capture)
        elif capture.part is not None:
            entry = Saved(
                number, uri, date, status, MediaType.of(capture.part.media_type), number, refresh=capture.refresh
            )
            self.environments.look_at(number, capture.part)
            extent, size = part_extent(capture.content_range), len(capture.part.data)
            if status == PARTIAL and extent != PartExtent(0, size, size):
                self._add_part(entry, extent, size, capture.validator)
                return
            self._contents.append(entry)
            for key in (capture.id, f"{comparable(uri)} {timestamp(date)}", capture.digest):
                if key:
                    self._bodies.setdefault(key, entry)

    def _add_part(self, entry: Saved, extent: PartExtent | None, length: int, validator: str) -> None:
        """Record a capture of a part of a resource."""
        uri = comparable(entry.uri)
        self.partial.add(uri)
        is_weak = validator.startswith("W/")  # RFC 9110 §15.3.7.3
        if not is_weak and extent is not None and extent.end - extent.start == length:
            self._parts.setdefault((uri, extent.total, validator or entry.date[:10]), []).append((extent, entry))

    def join(self) -> None:
        """Decide which parts (206) are joined, when all captures are known.

        They have the same URI, length and validator (ETag, or else Last-Modified; RFC 9110 §15.3.7.3), and cover the
        resource without a gap. A part that has all bytes is whole (`Content-Range`, §14.4).
        """
        begins = 0
        for (_, total, _), found in self._parts.items():
            parts = _covering(found)
            if parts:
                first = parts[0][1]
                joint = Joint(first.number, total, len(parts), begins)
                begins += total
                self.joints.update({entry.number: (joint, extent.start) for extent, entry in parts})
                self._contents.append(first)

    def chosen(self, *, all_captures: bool) -> list[Saved]:
        """The saved captures and the redirects, in the order of the archive.

        The last capture of a URI that can be saved counts, or, if there is none, the last redirect. With `all_captures`
        each is saved below a folder for its time (`20240102030405`), and a URI leads to the capture nearest in time to
        the document.
        """
        methods = self.exchanges.methods()
        found = pages_among(chain(self._contents, self._resolved(methods), self._redirects), methods)
        found.sort(key=lambda entry: entry.order)
        if not all_captures:
            redirects, contents = (
                _latest(each for each in found if bool(each.location) is led) for led in (True, False)
            )
            found = sorted((redirects | contents).values(), key=lambda entry: entry.order)
        return found

    def _resolved(self, methods: Mapping[int, str]) -> Iterator[Saved]:
        """Yield the revisits whose original is in the archive."""
        got = (entry for entry in self._contents if methods.get(entry.order, GET) == GET)
        contents = by_uri(got) if self._revisits else {}
        for revisit in self._revisits:
            original = self._original(revisit, contents)
            if original is not None:
                status = revisit.status if revisit.status not in (0, _NOT_MODIFIED) else original.status
                if 200 <= status < 300:
                    media_type, number = original.media_type, original.number
                    found = Saved(revisit.number, revisit.uri, revisit.date, status, media_type, number)
                    found.refresh = revisit.refresh or original.refresh
                    yield found

    def _original(self, revisit: Capture, contents: dict[str, list[Saved]]) -> Saved | None:
        refers_to = f"{comparable(revisit.original_uri)} {timestamp(revisit.original_date)}"
        for key in (revisit.original, refers_to, revisit.digest):
            if key and key in self._bodies:
                return self._bodies[key]
        if revisit.status != _NOT_MODIFIED:
            return None
        moment = moment_of(revisit.date)
        same = contents.get(comparable(revisit.original_uri or revisit.uri), ())
        return max((entry for entry in same if entry.moment <= moment), key=lambda entry: entry.moment, default=None)


def _covering(parts: Iterable[tuple[PartExtent, Saved]]) -> list[tuple[PartExtent, Saved]]:
    """Parts that cover the resource, in order; none if there is a gap, or it is larger than `Limits.size`.

    Bytes that two of them have are taken from the later part of the archive.
    """
    chosen: list[tuple[PartExtent, Saved]] = []
    end = total = 0
    for extent, entry in sorted(parts, key=lambda part: (part[0], -part[1].number)):
        total = extent.total
        if extent.start > end:
            return []
        if extent.end > end:
            chosen.append((extent, entry))
            end = extent.end
    return chosen if end == total <= Limits().size else []


def _latest(entries: Iterable[Saved]) -> dict[str, Saved]:
    """Return the last capture of each URI; of captures at one moment the last in the archive."""
    return {uri: max(reversed(each), key=lambda entry: entry.moment) for uri, each in by_uri(entries).items()}


def _named(entries: list[Saved], joints: dict[int, tuple[Joint, int]], *, all_captures: bool) -> CapturePlan:
    """Give the files their names."""
    top = Folder((INDEX, CAPTURES))
    paths: dict[tuple[int, str], str] = {}
    files: dict[int, list[Saved]] = {}
    for entry in entries:
        if entry.location:
            continue
        key = (entry.number, comparable(entry.uri) if MediaType.of(entry.media_type).is_rewritten else "")
        if key not in paths:
            name, folder = top.below(entry.timestamp) if all_captures else ("", top)
            path = folder.take(entry.uri, entry.media_type)
            paths[key] = f"{name}/{path}" if name else path
            files.setdefault(entry.number, []).append(entry)
        entry.path = paths[key]
    joined = {number: each for number, each in joints.items() if each[0].number in files}
    return CapturePlan(entries, files, joined)


def capture_bodies(
    found: Iterable[Capture | Request | Diagnostic], joints: Mapping[int, tuple[Joint, int]]
) -> Iterator[tuple[int, Part]]:
    """Yield the number and the body of each capture; of parts that are joined, when all have been read.

    While some parts of a resource are missing, the others are in a temporary file. `joints`: the resource that is
    joined, and the place of the part in it, by the number of the capture.
    """
    with tempfile.TemporaryFile() as waiting:
        for capture in found:
            if not isinstance(capture, Capture) or capture.part is None:
                continue  # diagnostics were reported when the archive was read the first time
            if capture.number not in joints:
                yield capture.number, capture.part
                continue
            joint, start = joints[capture.number]
            waiting.seek(joint.begins + start)
            waiting.write(capture.part.data)
            if capture.number == joint.number:
                joint.first = capture.part._replace(data=b"")
            joint.missing -= 1
            if joint.missing == 0 and joint.first is not None:
                waiting.seek(joint.begins)
                yield joint.number, joint.first._replace(data=waiting.read(joint.total))


def unpack_captures(
    container: Container,
    folder: Path,
    how: ReadOptions,
    *,
    all_captures: bool = False,
    no_network: bool = False,
    no_inline: bool = False,
) -> Iterator[CapturePlan | Diagnostic]:
    """Write the captures of a WARC or WACZ into a folder: yield diagnostics, and at the end what was written.

    Documents are rewritten (`copied_documents`); one that cannot be read is written unchanged. What browsers refuse to
    load from a disk is then put into the files that need it (`inlining`). The container's file must be seekable.
    `no_network`: make pages that never ask the web. `no_inline`: put nothing into other files. Raises `FileError` if a
    file cannot be written.
    """
    start = container.file.tell()
    saved, environments, diagnostics = plan_captures(container.captures(may_be_saved), all_captures=all_captures)
    yield from diagnostics
    referring = environments.referring(saved)
    if referring:
        container.file.seek(start)
        bodies = capture_bodies(container.captures(lambda capture: capture.number in referring), {})
        yield from environments.find(saved, bodies, how)
    container.file.seek(start)
    found = {entry.path: entry for entry in reversed(saved.entries) if entry.path}
    files = {
        path: CopiedFile(entry.uri, MediaType.of(entry.media_type), FindAt(saved, entry.date))
        for path, entry in found.items()
    }
    copy = OfflineCopy(folder, files, saved.remaining)
    for number, body in capture_bodies(container.captures(saved.wanted), saved.joints):
        for entry in saved.files.get(number, ()):
            part = body if entry.uri == body.uri else _under(body, entry)
            part = part._replace(encoding=environments.of.get(entry.path, part.encoding))
            data, diagnostic = _content(part, entry, saved, how, no_network=no_network)
            if diagnostic is not None:
                yield diagnostic
            files[entry.path] = files[entry.path]._replace(base=entry.base or entry.uri)
            copy.look_at(entry.path, data)
            write_atomically(folder / entry.path, data, within=folder)
            charset = "utf-8" if data.startswith(BOM_UTF8) else part.encoding
            saved.types[entry.path] = MediaType.of(part.media_type) + (f"; charset={charset}" if charset else "")
    copy.inline(how, most=0 if no_inline else MOST_IN_FILE)
    write_captures(folder, saved)
    yield saved


def _under(part: Part, entry: Saved) -> Part:
    """Return a body as the body of another URI, which a revisit names."""
    layers = part.layers
    candidate = Candidate(entry.uri, "entity", f"WARC-Target-URI of a revisit of {part.label}")
    return part._replace(uri=entry.uri, layers=layers._replace(entity=(candidate, *layers.entity[1:])))


def _refreshed(part: Part, entry: Saved, find: FindAt, how: ReadOptions) -> Part:
    """A page with its `Refresh` field as a `meta` element, with an absolute target, if that is saved."""
    kind = MediaType.of(part.media_type)
    found = SYNTAXES["refresh"].find(entry.refresh) if kind in MediaType.PAGES else []
    if not found:
        return part
    target = Resolver(entry.uri, relative_base=True)(clean(found[0].text))
    if (split(target).scheme or "").lower() not in ("http", "https") or find(comparable(target)) is None:
        return part
    value = entry.refresh.lstrip()
    delay = value[: len(value) - len(value.lstrip("0123456789."))][:10]
    target = quote(target, punctuation, errors="replace")  # ASCII in any encoding, and all else as browsers ask for it
    meta = f'<meta http-equiv="refresh" content="{delay};url={escape(target)}"/>'
    new = read_page(part.opened(how).source, is_xml=kind == MediaType.XHTML).with_in_head(meta)
    assert isinstance(new, bytes)
    return part._replace(data=new)


def _content(
    part: Part, entry: Saved, saved: CapturePlan, how: ReadOptions, *, no_network: bool
) -> tuple[bytes, Diagnostic | None]:
    """The content of a file; note its base, and count the references to the web."""
    if not MediaType.of(part.media_type).is_rewritten:
        return text_file(part), None
    try:
        find = FindAt(saved, entry.date)
        made = offline_file(_refreshed(part, entry, find, how), find, entry.path, how, no_network=no_network)
    except Exception as error:
        return part.data, part.not_read(error)
    entry.base = made.base
    saved.remaining.web += made.web
    if made.title:
        saved.titles[entry.path] = made.title
    return made.data, None
