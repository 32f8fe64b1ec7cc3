"""Find, by links, the pages of a mirror that were saved with an added extension (`wget --adjust-extension`).

1. This matters to a page with a reference that is only a query (`href="?p=2"`), if the name of its file does not decide
   it: `list.html` may be `list`, or `list.html`.
2. Links of other pages and of the page itself decide: the first link without a query that leads to its file shows which
   it is. If there is none, names decide (`rehref.rewriting.mirror_file_names`, rule 6).
3. A page is parsed only if its bytes contain a piece of such a name; if there is no such page, none is parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote_to_bytes

from rehref.cli.click_options import Settings
from rehref.collections.processing import read_named
from rehref.documents.link import Link
from rehref.door import Opened, limits, opened
from rehref.files.file_documents import DocumentOrError, FileDocument, with_uris
from rehref.files.file_errors import FileError
from rehref.files.gzipped import unpacked
from rehref.options import SourceOptions
from rehref.rewriting.mirror_file_names import Mirror
from rehref.rewriting.rules.offline import comparable

_QUERY_ALONE = re.compile(rb"=[\s\"']*\?").search
_PLAIN = re.compile(r"%[0-9A-F]{2}|([A-Za-z0-9_-]+)")


def with_endings_known(found: Sequence[DocumentOrError], mirror: Mirror, settings: Settings) -> list[DocumentOrError]:
    """Return the documents with the URIs that links show."""
    known = dict(_known(found, mirror, settings))

    def uri_of(document: FileDocument) -> str | None:
        adjusted = known.get(document.relative)
        return document.url if adjusted is None else mirror.uri_of(document.relative, adjusted=adjusted)

    return with_uris(found, uri_of)


def _known(found: Sequence[DocumentOrError], mirror: Mirror, settings: Settings) -> Iterator[tuple[str, bool]]:
    """Return, by path, whether pages have an added extension, as far as links show it (rule 2)."""
    documents = [each for each in found if isinstance(each, FileDocument)]
    wanted = {
        each.relative: _piece(each.relative)
        for each in documents
        if mirror.may_be_adjusted(each.relative) and _QUERY_ALONE(_bytes(each, settings.options))
    }
    for each in documents:
        if not wanted:
            return
        data = _bytes(each, settings.options)
        if not any(piece in data for piece in wanted.values()):
            continue
        for uri in _targets(each, data, settings.options):
            path = mirror(uri)
            if path in wanted:
                del wanted[path]
                yield path, _last(uri) == _last(mirror.uri_of(path, adjusted=True) or "")


def _last(uri: str) -> bytes:
    return unquote_to_bytes(uri.rpartition("/")[2])


def _targets(document: FileDocument, data: bytes, options: SourceOptions) -> Iterator[str]:
    """Yield the URIs that a document links to, except those that have a query."""
    try:
        links = read_named(Opened(document, replace(options, url=document.url), stored=data)).document.links()
        yield from (comparable(link.target) for link in links if link.target is not None and _tells(link))
    except FileError:
        return  # reported when the document is rewritten


def _tells(link: Link) -> bool:
    """Return whether a link names a page: not by the URI that it was given here, nor with a query that a form adds."""
    return (
        link.kind in ("hyperlink", "resource")
        and link.reference.strip()[:1] not in ("", "#")
        and "?" not in (link.target or "")
    )


def _bytes(document: FileDocument, options: SourceOptions) -> bytes:
    """Return a document's bytes; empty for a container, or if it cannot be read (reported when it is rewritten)."""
    try:
        with opened(document, options) as found:
            assert isinstance(found.stored, bytes)
            return unpacked(document.name, found.stored, limits(options))
    except FileError:
        return b""


def _piece(path: str) -> bytes:
    """Return the longest piece of a file's name that needs no escape in any reference (rule 3)."""
    return max(_PLAIN.findall(PurePosixPath(path).stem), key=len, default="").encode()
