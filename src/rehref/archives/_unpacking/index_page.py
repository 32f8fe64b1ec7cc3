"""The index page of an unpacked web archive or mailbox.

It is one file and requests nothing from servers: its Content-Security-Policy allows its own style and nothing else. All
text from the archive is escaped; passwords in URIs are masked, control characters made visible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import Path
from typing import BinaryIO, NamedTuple

from rehref.archives._unpacking.unpack_messages import UnpackedMessage
from rehref.archives.saved_captures import INDEX, CapturePlan
from rehref.documents.integrity import Digests
from rehref.documents.media_types import MediaType
from rehref.files.writing import write_atomically
from rehref.reports.terminal import shown
from rehref.uri.components import split

_STYLE = """
:root { color-scheme: light dark }
body { margin: 0 auto; padding: 1rem; max-width: 75rem; font: 1rem/1.5 system-ui, sans-serif }
h1 { font-size: 1.4rem } h2 { font-size: 1.1rem; overflow-wrap: anywhere }
table { border-collapse: collapse; width: 100% }
td, th { text-align: start; vertical-align: top; padding: .2rem .6rem .2rem 0; border-bottom: 1px solid #8884 }
td { overflow-wrap: anywhere } td:nth-child(-n+2) { white-space: nowrap; overflow-wrap: normal }
small { display: block; opacity: .7 } summary { cursor: pointer; margin: .4rem 0 }
"""
_HASH = f"sha256-{Digests.of(_STYLE.encode()).sha256}"
_BEGINNING = f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '{_HASH}'; \
base-uri 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width">
<style>{_STYLE}</style>
"""
_LONGEST = 300
_PAGES = (*MediaType.PAGES, "application/pdf")


class CaptureEntry(NamedTuple):
    """A capture in the index.

    `path`: the reference to its file, with slashes; "" if there is none.
    """

    host: str
    date: str
    status: int
    title: str
    uri: str
    path: str
    is_page: bool


def write_index(folder: Path, pieces: Iterable[str]) -> None:
    """Write a page into an unpacked folder. Raises `FileError`."""

    def write(file: BinaryIO) -> None:
        file.writelines(piece.encode("utf-8", "replace") for piece in pieces)

    write_atomically(folder / INDEX, write, within=folder)


def archive_index(name: str, plan: CapturePlan) -> Iterator[str]:
    """The page of a web archive of that name, piece by piece.

    Captures are grouped by host, hosts with pages first, and sorted by date: pages with date, status and title; other
    files and redirects collapsed below them. A capture that leads nowhere is not a link.
    """
    yield _beginning(name)
    in_order = sorted(_rows(plan), key=lambda row: (row.host, row.date, row.uri))
    hosts = [(host, list(found)) for host, found in groupby(in_order, key=lambda row: row.host)]
    # hosts whose files only others load come last
    for host, captures in sorted(hosts, key=lambda found: not any(row.is_page for row in found[1])):
        yield f"<h2>{_text(host)}</h2>\n"
        yield from _table([row for row in captures if row.is_page])
        others = [row for row in captures if not row.is_page and not 300 <= row.status < 400]
        yield from _folded("other file", others)
        yield from _folded("redirect", [row for row in captures if 300 <= row.status < 400])
    yield "</body>\n</html>\n"


def _rows(plan: CapturePlan) -> Iterator[CaptureEntry]:
    for entry in plan.entries:
        parts = split(entry.uri)
        host = (parts.authority or "").rpartition("@")[2].lower() or f"{parts.scheme}:"
        title = f"→ {entry.location}" if entry.location else plan.titles.get(entry.path, "")
        yield CaptureEntry(
            host=host,
            date=entry.date,
            status=entry.status,
            title=title,
            uri=entry.uri,
            path=entry.path or plan.reference_of(entry),
            is_page=entry.media_type in _PAGES and parts.scheme != "urn",
        )


def mailbox_index(name: str, messages: Iterable[UnpackedMessage]) -> Iterator[str]:
    """The page of a mailbox of that name, piece by piece: messages in the order of the mailbox."""
    yield _beginning(name)
    yield "<table>\n<tr><th>Date<th>From<th>Subject\n"
    for message in messages:
        subject = _linked(message.root, message.subject or "(no subject)")
        yield f"<tr><td>{_text(message.date)}<td>{_text(message.sender)}<td>{subject}\n"
    yield "</table>\n</body>\n</html>\n"


def _beginning(name: str) -> str:
    return f"{_BEGINNING}<title>{_text(name)}</title>\n</head>\n<body>\n<h1>{_text(name)}</h1>\n"


def _folded(what: str, rows: Sequence[CaptureEntry]) -> Iterator[str]:
    if rows:
        yield f"<details><summary>{len(rows):,} {what}{'' if len(rows) == 1 else 's'}</summary>\n"
        yield from _table(rows)
        yield "</details>\n"


def _table(rows: Sequence[CaptureEntry]) -> Iterator[str]:
    if not rows:
        return
    yield "<table>\n<tr><th>Date<th>Status<th>Title\n"
    for row in rows:
        below = f"<small>{_text(row.uri)}</small>" if row.title else ""
        yield f"<tr><td>{_text(row.date)}<td>{row.status}<td>{_linked(row.path, row.title or row.uri)}{below}\n"
    yield "</table>\n"


def _linked(path: str, text: str) -> str:
    return f'<a href="{escape(path)}">{_text(text)}</a>' if path else _text(text)


def _text(text: str) -> str:
    return escape(shown(text, _LONGEST))
