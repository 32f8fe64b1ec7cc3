"""Which files of a site are documents, and of which type.

1. What a file is, its name tells, or its content where the name does not (`rehref.documents.types.sniffing`): the same
   as in every other command. Containers, and plain texts, are no documents here.
2. Hidden files are no documents, but for what is in `.well-known`.
3. A file called `manifest.json` is a document if it looks like a web app manifest (`rehref.documents.formats.manifest`,
   rule 6): build tools, browser extensions and others call their own lists so. One that cannot be read is left to
   whoever reads documents.
4. `page.html.gz` beside `page.html` is what servers send in its place, and not read; on its own it is a document.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from rehref.documents.formats.manifest import is_manifest
from rehref.documents.reading import encoding_of
from rehref.documents.types.media_types import HTML_TYPE, MANIFEST_NAME, MANIFEST_TYPE, XHTML_TYPE
from rehref.documents.types.sniffing import ASK, SVG_TYPE, is_type_of_document, type_by_name
from rehref.files.discovery import told_of, type_in_folder
from rehref.text.charsets import decode

_SHOWN_TYPES: Final = frozenset({HTML_TYPE, XHTML_TYPE, SVG_TYPE, "application/mathml+xml"})


@dataclass(frozen=True, slots=True)
class Types:
    """The media types of files. `by_content`: of documents whose names do not tell, by their paths."""

    by_content: Mapping[str, str] = field(default_factory=dict)

    def of(self, path: str) -> str | None:
        """The media type of a file that is not hidden; None if it is no document, nor plain text."""
        named = type_by_name(path[path.rfind("/") + 1 :])
        if isinstance(named, str):
            return named
        return self.by_content.get(path) if named is ASK else None

    def is_document(self, path: str) -> bool:
        """Whether a file is read for its references (rules 1, 2)."""
        return is_type_of_document(self.of(path)) and not is_hidden(path)

    def has_names(self, path: str) -> bool:
        """Whether fragments are looked for in a file: it is a document that browsers show."""
        return self.of(path) in _SHOWN_TYPES and not is_hidden(path)

    def documents(self, paths: Collection[str]) -> list[str]:
        """The documents among the files of a site, in order (rules 1, 2, 4)."""
        found = filter(self.is_document, paths)
        return sorted(path for path in found if path[-3:].lower() != ".gz" or path[:-3] not in paths)


def look_at(root: str, paths: Iterable[str]) -> Types:
    """The types of files below a folder. Only those are opened whose names do not tell. Raises nothing."""
    by_content: dict[str, str] = {}
    for path in paths:
        name = path[path.rfind("/") + 1 :]
        if told_of(name) is ASK and not is_hidden(path):
            media_type = type_in_folder(f"{root}/{path}", name)
            if isinstance(media_type, str):
                by_content[path] = media_type
    return Types(by_content)


def is_hidden(path: str) -> bool:
    """Whether a file is hidden, or in a hidden folder (rule 2)."""
    return (path[0] == "." or "/." in path) and "/." in ("/" + path).replace("/.well-known/", "/")


def is_other_json(folder: Path, path: str) -> bool:
    """Whether the file at a path below the folder is called like a web app manifest, and is none. Raises nothing."""
    if not path.endswith(MANIFEST_NAME) or path.rpartition("/")[2] != MANIFEST_NAME:
        return False
    try:
        data = (folder / path).read_bytes()
    except OSError:
        return False
    sniffed = encoding_of(data, MANIFEST_TYPE)
    return not is_manifest(decode(data[sniffed.bom :], sniffed.name))
