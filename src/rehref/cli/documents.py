"""Find the documents of the sources on the command line. `rehref.collections.opening` opens and reads them."""

from __future__ import annotations

from collections.abc import Sequence

from rehref.cli.click_options import Settings
from rehref.cli.errors import say
from rehref.files.discovery import Discovered, discover
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError


def find(sources: Sequence[str], settings: Settings) -> Discovered:
    """Find all documents of the sources. Raises `FileError` if `--url` or `--headers` cannot be for them."""
    discovered = discover(sources, settings.options.url)
    if settings.urls is not None:
        from rehref.cli.urls_table import with_urls

        discovered, notes = with_urls(discovered, settings.urls, sources)
        for note in () if settings.quiet else notes:
            say(note)
    count = len(discovered.found)
    if settings.headers is not None and count > 1:
        raise FileError(settings.headers, f"cannot be the headers of {count} documents", "name one SOURCE")
    return discovered


def may_be_container(document: FileDocument, settings: Settings) -> bool:
    """Return whether a document is a container, or may be one as far as can be seen before it is read."""
    from rehref import door

    return (
        settings.headers is not None
        or document.path is None
        or door.may_be_container(document.path, settings.options.media_type)
    )
