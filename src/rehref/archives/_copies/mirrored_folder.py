"""What is known of the files of a folder that was saved from the web.

With a URI the folder is at that; without one, a folder with one folder for each host, as `wget` creates them, gives the
URIs of its files except for the scheme. Whether a page was saved with an added extension (`--adjust-extension`) matters
if it has a reference that is only a query (`href="?p=2"`): links decide, and if there are none, names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath
from urllib.parse import unquote_to_bytes

from rehref.archives._copies.mirror_file_names import Mirror, Root, authority_of
from rehref.containers.inherited_encodings import ATTRIBUTES as ENVIRONMENT
from rehref.containers.inherited_encodings import REFERRING, Referring, SheetEncodings, disagreement
from rehref.documents.base import Layers
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.options import SourceOptions
from rehref.documents.reading import read_document
from rehref.exceptions import OutOfTimeError, ParserError
from rehref.files.discovery import type_of_named
from rehref.files.file_documents import DocumentOrError, FileDocument, with_uris
from rehref.files.file_errors import FileError
from rehref.files.sources import Opened, opened
from rehref.reports.terminal import shown
from rehref.rewriting.offline_rule import comparable
from rehref.uri.components import split

_ASKED = 20
"""How many documents of a host are searched for its scheme."""
_LOOKED_AT = 1 << 20
_HTTRACK = "hts-cache"
_ITS_INDEX = "index.html"


def roots_of(files: Sequence[str], documents: Sequence[FileDocument], url: str | None) -> list[Root]:
    """The URIs of the folder's hosts, or the URI of the folder.

    If its folders are hosts and the host of the given URI is one of them, the folder of that host is at it.
    """
    hosts = _hosts(files)
    if url is None:
        return [Root(f"{_scheme(name, documents)}://{authority_of(name)}/", f"{name}/") for name in hosts]
    parts = split(url)
    if (parts.authority or "").lower() in map(authority_of, hosts):
        return [Root(f"{parts.scheme}://{authority_of(name)}/", f"{name}/") for name in hosts]
    return [Root(url if url.endswith("/") else url + "/", "")]


def uris_in_pages(documents: Sequence[FileDocument], roots: Sequence[Root]) -> Iterator[tuple[str, str]]:
    """Yield the URIs that pages say they were saved from, with the paths of the pages."""
    for each in documents:
        of_host = {split(root.uri).scheme for root in roots if each.relative.startswith(root.folder)}
        uri = each.saved_from("https" if "https" in of_host else "http")
        if uri is not None:
            yield each.relative, uri


def files_below(folder: Path) -> Iterator[str]:
    """Yield the paths of all files below a folder, relative to it, with slashes. Raises `FileError`."""

    def fail(error: OSError) -> None:
        raise FileError.of(error.filename or str(folder), "the folder cannot be read", error) from error

    for above, _, names in os.walk(folder, onerror=fail):
        below = Path(above).relative_to(folder).as_posix()
        yield from names if below == "." else (f"{below}/{name}" for name in names)


def _hosts(files: Sequence[str]) -> list[str]:
    """The folders that are hosts; none if there is anything else at the top, except HTTrack's files."""
    tops = {path.partition("/")[0] for path in files if "/" in path and not path.startswith(".")}
    of_httrack = _HTTRACK in tops
    tops.discard(_HTTRACK)
    pages = [path for path in files if "/" not in path and path.lower().endswith((".html", ".htm", ".css"))]
    if pages and not (of_httrack and pages == [_ITS_INDEX]):
        return []
    return sorted(tops) if all(map(authority_of, tops)) else []


def _scheme(host: str, documents: Sequence[FileDocument]) -> str:
    """The scheme by which the pages of a host refer to it (`http://host`, `https://host`); `https` if none does.

    It is also that of HTTrack's comments, which leave it out.
    """
    name = (authority_of(host) or host).encode()
    for document in [each for each in documents if each.relative.startswith(f"{host}/")][:_ASKED]:
        data = document.beginning(_LOOKED_AT)
        secure, plain = data.count(b"https://" + name), data.count(b"http://" + name)
        if secure or plain:
            return "https" if secure >= plain else "http"
    return "https"


def with_sheet_encodings(
    found: Sequence[DocumentOrError], mirror: Mirror, options: SourceOptions
) -> tuple[list[DocumentOrError], str]:
    """The documents, style sheets with the encodings of the pages that refer to them, if these matter; and a note about
    those that pages with several encodings refer to, "" if there are none.
    """
    documents = {each.relative: each for each in found if isinstance(each, FileDocument)}
    sheets = SheetEncodings(documents)

    def referring(path: str) -> Referring | None:
        data = _bytes(documents[path], options)
        kind = type_of_named(path.rpartition("/")[2], data)
        layers, how = Layers(retrieval=documents[path].url), replace(options.how, attributes=ENVIRONMENT)
        with suppress(OutOfTimeError, ParserError):
            if kind in REFERRING:
                document = read_document(data, kind, options.encoding, layers, how)
                return Referring.of(path, document, lambda uri: mirror(comparable(uri)), options.encoding)
        return None  # which is reported when it is rewritten

    def charset_of(document: FileDocument) -> str | None:
        path = document.relative
        if _SHEET not in path.lower():
            return None
        return sheets.charset(path, _bytes(document, options), MediaType.CSS, options.encoding, referring)

    known = [each if isinstance(each, FileError) else each._replace(charset=charset_of(each)) for each in found]
    return known, disagreement({shown(path): encodings for path, encodings in sheets.several.items()})


_SHEET = ".css"
_QUERY_ALONE = re.compile(rb"=[\s\"']*\?").search
_PLAIN = re.compile(r"%[0-9A-F]{2}|([A-Za-z0-9_-]+)")


def with_endings_known(
    found: Sequence[DocumentOrError], mirror: Mirror, options: SourceOptions
) -> list[DocumentOrError]:
    """Return the documents with the URIs that links show."""
    known = dict(_pages_with_extensions(found, mirror, options))

    def uri_of(document: FileDocument) -> str | None:
        adjusted = known.get(document.relative)
        return document.url if adjusted is None else mirror.uri_of(document.relative, adjusted=adjusted)

    return with_uris(found, uri_of)


def _pages_with_extensions(
    found: Sequence[DocumentOrError], mirror: Mirror, options: SourceOptions
) -> Iterator[tuple[str, bool]]:
    """By path, whether pages have an added extension, as far as links show it.

    The first link without a query that leads to its file decides. A page is parsed only if its bytes contain a piece of
    such a name.
    """
    documents = [each for each in found if isinstance(each, FileDocument)]
    wanted = {
        each.relative: _piece(each.relative)
        for each in documents
        if mirror.may_be_adjusted(each.relative) and _QUERY_ALONE(_bytes(each, options))
    }
    for each in documents:
        if not wanted:
            return
        data = _bytes(each, options)
        if not any(piece in data for piece in wanted.values()):
            continue
        for uri in _targets(each, data, options):
            path = mirror(uri)
            if path in wanted:
                del wanted[path]
                yield path, _last(uri) == _last(mirror.uri_of(path, adjusted=True) or "")


def _last(uri: str) -> bytes:
    return unquote_to_bytes(uri.rpartition("/")[2])


def _targets(document: FileDocument, data: bytes, options: SourceOptions) -> Iterator[str]:
    """Yield the URIs that a document links to, except those that have a query."""
    try:
        links = Opened(document, replace(options, url=document.url), stored=data).read_named().document.links()
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
            data = found.unpacked()
            assert isinstance(data, bytes)
            return data
    except FileError:
        return b""


def _piece(path: str) -> bytes:
    """The longest piece of a file's name that needs no escape in any reference."""
    return max(_PLAIN.findall(PurePosixPath(path).stem), key=len, default="").encode()
