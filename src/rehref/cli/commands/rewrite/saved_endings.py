"""Which pages of a mirror have an ending that their URIs had not, as links show (`wget --adjust-extension`).

1. That matters to a page with a reference that is a query alone (`href="?p=2"`), if its own name does not say:
   `list.html` may be `list`, or `list.html`.
2. Links show it, of other pages and the page itself: the first link that leads to its file, and has no query, says
   which it is. Where none does, names decide (`rehref.rewriting.mirror_file_names`, rule 6).
3. No page is parsed whose bytes do not have a piece of such a name, and none at all if there is no such page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from urllib.parse import unquote_to_bytes

from rehref.cli.click_options import Settings
from rehref.cli.documents import may_be_container
from rehref.collections.opening import contents, open_document, read_bytes
from rehref.documents.link import Link
from rehref.files.file_documents import DocumentOrError, FileDocument, with_uris
from rehref.files.file_errors import FileError
from rehref.rewriting.mirror_file_names import Mirror
from rehref.rewriting.rules.offline import comparable

_QUERY_ALONE = re.compile(rb"=[\s\"']*\?").search
_PLAIN = re.compile(r"%[0-9A-F]{2}|([A-Za-z0-9_-]+)")


def with_endings_known(found: Sequence[DocumentOrError], mirror: Mirror, settings: Settings) -> list[DocumentOrError]:
    """The documents, with the URIs that links show."""
    known = dict(_known(found, mirror, settings))

    def uri_of(document: FileDocument) -> str | None:
        adjusted = known.get(document.relative)
        return document.url if adjusted is None else mirror.uri_of(document.relative, adjusted=adjusted)

    return with_uris(found, uri_of)


def _known(found: Sequence[DocumentOrError], mirror: Mirror, settings: Settings) -> Iterator[tuple[str, bool]]:
    """The paths of pages of which links show whether they were saved without their ending (rule 2)."""
    documents = [each for each in found if isinstance(each, FileDocument)]
    wanted = {
        each.relative: _piece(each.relative)
        for each in documents
        if mirror.may_be_adjusted(each.relative) and _QUERY_ALONE(_bytes(each, settings))
    }
    for each in documents:
        if not wanted:
            return
        data = _bytes(each, settings)
        if not any(piece in data for piece in wanted.values()):
            continue
        for uri in _targets(each, data, settings):
            path = mirror(uri)
            if path in wanted:
                del wanted[path]
                yield path, _last(uri) == _last(mirror.uri_of(path, adjusted=True) or "")


def _last(uri: str) -> bytes:
    return unquote_to_bytes(uri.rpartition("/")[2])


def _targets(document: FileDocument, data: bytes, settings: Settings) -> Iterator[str]:
    """The URIs that a document links to, without those that have a query."""
    try:
        links = open_document(document, data, settings.opening).links()
        yield from (comparable(link.target) for link in links if link.target is not None and _tells(link))
    except FileError:
        return  # whoever rewrites it reports it


def _tells(link: Link) -> bool:
    """Whether a link names a page: not with the URI that it was given here, and not with a query that a form adds."""
    return (
        link.kind in ("hyperlink", "resource")
        and link.reference.strip()[:1] not in ("", "#")
        and "?" not in (link.target or "")
    )


def _bytes(document: FileDocument, settings: Settings) -> bytes:
    """A document's bytes; none of a container, and none if it cannot be read, which whoever rewrites it reports."""
    try:
        return (
            b"" if may_be_container(document, settings) else contents(document, read_bytes(document), settings.opening)
        )
    except FileError:
        return b""


def _piece(path: str) -> bytes:
    """The longest piece of a file's name that is written as it is wherever it is written (rule 3)."""
    return max(_PLAIN.findall(PurePosixPath(path).stem), key=len, default="").encode()
