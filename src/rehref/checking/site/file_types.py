"""Which files of a site are documents, and of which type.

1. The type of a file follows from its name, or from its content where the name does not decide
   (`rehref.documents.types.sniffing`), as in every other command. Containers and plain texts are not documents here.
2. Hidden files are not documents, except those in `.well-known`.
3. A file called `manifest.json` is a document if it looks like a web app manifest (`rehref.documents.formats.manifest`,
   rule 6): build tools, browser extensions and others use the name for their own lists. One that cannot be read counts
   as a document, and reading it reports the error.
4. More extensions can be given: a file that has one is HTML, whatever else the extension means.
5. Servers send `page.html.gz` in place of `page.html`, so it is not read if both exist; on its own it is a document.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rehref.documents.reading import encoding_of
from rehref.documents.types.media_types import HTML_TYPE, MANIFEST_NAME, MANIFEST_TYPE, SVG_TYPE, XHTML_TYPE
from rehref.documents.types.sniffing import ASK, is_type_of_document, type_by_name
from rehref.files.discovery import is_container_name, type_in_folder
from rehref.text.charsets import decode

_SHOWN_TYPES: Final = frozenset({HTML_TYPE, XHTML_TYPE, SVG_TYPE, "application/mathml+xml"})


class Types(NamedTuple):
    """The media types of files. `by_path`: of those that were looked at; all others have that of their names.

    `has_hidden`: whether names may be those of hidden files (rule 2); URLs are not.
    """

    by_path: Mapping[str, str | None] = {}
    has_hidden: bool = True

    def of(self, path: str) -> str | None:
        """Return the media type of a file that is not hidden; None if it is neither a document nor plain text."""
        if path in self.by_path:
            return self.by_path[path]
        named = type_by_name(path[path.rfind("/") + 1 :])
        return named if isinstance(named, str) else None

    def is_document(self, path: str) -> bool:
        """Whether a file is read for its references (rules 1, 2)."""
        return is_type_of_document(self.of(path)) and not (self.has_hidden and is_hidden(path))

    def has_names(self, path: str) -> bool:
        """Whether fragments are looked for in a file: it is a document that browsers show."""
        return self.of(path) in _SHOWN_TYPES and not (self.has_hidden and is_hidden(path))

    def documents(self, paths: Collection[str]) -> list[str]:
        """Return the documents among the files of a site, in order (rules 1, 2, 5)."""
        found = filter(self.is_document, paths)
        return sorted(path for path in found if path[-3:].lower() != ".gz" or path[:-3] not in paths)


def look_at(root: str, paths: Iterable[str], of_html: Sequence[str] = ()) -> Types:
    """Return the types of files below a folder; only files whose names do not show it are opened. Raises nothing.

    `of_html`: extensions, without the dot, in any case (rule 4).
    """
    by_path: dict[str, str | None] = {}
    endings = tuple(f".{ending.lower()}" for ending in of_html)
    for path in paths:
        name = path[path.rfind("/") + 1 :]
        if endings and name.lower().endswith(endings):
            by_path[path] = HTML_TYPE
            continue
        found = type_by_name(name)
        if found is ASK and not is_hidden(path) and not is_container_name(name):
            found = type_in_folder(f"{root}/{path}", name)
        by_path[path] = found if isinstance(found, str) else None
    return Types(by_path)


def is_hidden(path: str) -> bool:
    """Whether a file is hidden, or in a hidden folder (rule 2)."""
    return (path.startswith(".") or "/." in path) and "/." in ("/" + path).replace("/.well-known/", "/")


def is_other_json(folder: Path, path: str) -> bool:
    """Whether the file at a path below the folder is named like a web app manifest, but is not one. Raises nothing."""
    if not path.endswith(MANIFEST_NAME) or path.rpartition("/")[2] != MANIFEST_NAME:
        return False
    try:
        data = (folder / path).read_bytes()
    except OSError:
        return False
    sniffed = encoding_of(data, MANIFEST_TYPE)
    from rehref.documents.formats.manifest import is_manifest

    return not is_manifest(decode(data[sniffed.bom :], sniffed.name))
