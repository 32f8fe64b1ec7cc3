"""Documents that are read once more, by a pass that looks for one thing.

1. Few documents have what such a pass is about, and their bytes tell: nothing is parsed in which the word does not
   stand. It is searched for as it is written in ASCII; one that is written with character references is not seen.
2. In UTF-16 it may stand anywhere: what has a NUL among its first bytes, or a byte order mark, is always taken.
3. What cannot be read is skipped; the engine has told it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from rehref.base import Layers
from rehref.checking.pages.check_scope import read
from rehref.checking.pages.page import Site
from rehref.documents.document import Document
from rehref.documents.reading import read_document
from rehref.files.file_errors import FileError
from rehref.files.file_uris import encode_path
from rehref.text.encoding import may_be_wide

if TYPE_CHECKING:
    from rehref.checking.site.site_context import SiteContext


def site_of(around: SiteContext) -> Site:
    """The site, as documents are read within it."""
    options = around.options
    return Site(
        str(around.folder),
        around.uri,
        around.locator.locate,
        options.how,
        around.files.types,
        around.charsets.of,
    )


def mentions(data: bytes, *words: bytes) -> bool:
    """Whether one of `words`, in lower case here, may stand in a document in any case."""
    if may_be_wide(data):
        return True
    lowered = data.lower()
    return any(word in lowered for word in words)


def mentioning(site: Site, paths: Iterable[str], is_there: Callable[[bytes], object]) -> Iterator[tuple[str, bytes]]:
    """Those documents whose bytes have what is looked for, or may have it: path below the folder, and bytes.

    Raises nothing.
    """
    for path, data in reading(site, paths):
        if is_there(data) or may_be_wide(data):
            yield path, data


def reading(site: Site, paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Those documents that can be read: path below the folder, and bytes. Raises nothing."""
    for path in paths:
        try:
            data = read(site, path)
        except FileError:
            continue
        yield path, data


def read_again(site: Site, path: str, data: bytes, media_type: str | None = None) -> Document:
    """The document at a path below the folder. `media_type`: if the name does not tell. Raises nothing."""
    return read_document(data, media_type or site.types.of(path), site.charset(path), layers_of(site, path), site.how)


def layers_of(site: Site, path: str) -> Layers:
    """What stands outside of the document at a path."""
    return Layers(retrieval=site.uri + encode_path(path))
