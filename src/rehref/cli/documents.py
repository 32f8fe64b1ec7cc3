"""Find the documents of the sources on the command line. `rehref.door` opens them."""

from __future__ import annotations

from collections.abc import Sequence

from rehref.cli.click_options import Settings
from rehref.cli.errors import say
from rehref.files.discovery import Discovered, discover
from rehref.files.file_errors import FileError
from rehref.files.reading import read_file


def find(sources: Sequence[str], settings: Settings) -> Discovered:
    """Find all documents of the sources. Raises `FileError` if `--url` or `--headers` cannot be for them."""
    discovered = discover(sources, settings.options.url)
    if settings.urls is not None:
        from rehref.cli.tables import with_urls

        discovered, notes = with_urls(discovered, settings.urls, sources)
        for note in () if settings.quiet else notes:
            say(note)
    if settings.headers is not None:
        _add_headers(discovered, settings.headers)
    return discovered


def _add_headers(discovered: Discovered, name: str) -> None:
    """Give the only document the header fields in a file. Raises `FileError`."""
    from rehref.door import are_headers

    count = len(discovered.found)
    if count > 1:
        raise FileError(name, f"cannot be the headers of {count} documents", "name one SOURCE")
    head = read_file(name)
    if not are_headers(head):
        remedy = "name the file that curl -D saved, and the document as SOURCE"
        raise FileError(name, "has no HTTP header fields", remedy)
    discovered.found = [
        each if isinstance(each, FileError) else each._replace(headers=head) for each in discovered.found
    ]
