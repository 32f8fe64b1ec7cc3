"""Where the documents of a site use custom properties: `url()` in one of these is relative to what uses it.

It takes a reading of all style sheets and pages, so it is done when the first reference asks for it, and once in each
process. A document in a base of its own counts with that of its URI: such pages hardly share properties with others.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rehref.documents.media_types import MediaType
from rehref.files.file_documents import encode_path
from rehref.files.file_errors import FileError
from rehref.files.reading_files import read_file
from rehref.site._grounds.files import Files
from rehref.uri.syntaxes import CustomProperties

TYPES: Final = frozenset(("text/css", MediaType.HTML, MediaType.SVG, MediaType.XHTML))
"""The media types of documents that may use properties."""


class PropertyUses:
    """The folders in which properties are used, once somebody has asked."""

    def __init__(self, folder: Path, site: str, files: Files) -> None:
        """Prepare to look into the files of a folder. `site`: its URI, which ends in a slash."""
        self._folder, self._site, self._files = folder, site, files
        self._paths: dict[str, str] | None = None
        self._with_urls: set[str] = set()

    def base_of(self, name: str, own: str) -> str:
        """The URI of a document that uses a property, if all that do are in one folder; else "".

        `own`: the URI of the document that declares it, which counts if the property is registered as a URL.
        """
        if self._paths is None:
            self._paths = {}
            for used, path in self._uses():
                if _folder_of(self._paths.setdefault(used, path)) != _folder_of(path):
                    self._paths[used] = ""
        if name in self._with_urls:
            return own
        path = self._paths.get(name, "")
        return self._site + encode_path(path) if path else ""

    def _uses(self) -> Iterator[tuple[str, str]]:
        for path in self._files.paths:
            if self._files.types.of(path) not in TYPES:
                continue
            try:
                data = read_file(self._folder / path)
            except FileError:
                continue  # which is reported where its links are checked
            if b"--" in data:
                text = data.decode("utf-8", "replace")
                found = CustomProperties.of(text)
                self._with_urls |= found.with_urls
                for name in found.used:
                    yield name, path


def _folder_of(path: str) -> str:
    return path.rpartition("/")[0]
