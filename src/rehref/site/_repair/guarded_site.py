"""The folder of a site as far as integrity matters (`rehref.rewriting.folder_integrity`)."""

from __future__ import annotations

from rehref.documents.document import Document
from rehref.files.file_errors import FileError
from rehref.files.reading_files import unpacked
from rehref.rewriting.folder_integrity import HEADER_FILES, GuardedFolder
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.reading_site_pages import read, stored, stored_documents


def guarded_folder(context: SiteContext) -> GuardedFolder:
    """Return the folder of a site, as it is."""

    def find(target: str) -> str | None:
        located = context.locator.locate(target)
        return None if located.code or located.outside else located.path

    def content(path: str) -> bytes | None:
        try:
            return unpacked(path, stored(context, path)) if path in documents else read(context, path)
        except FileError:
            return None

    def opened(path: str, data: bytes) -> Document:
        return context.document_of(documents[path].at, data, documents[path].media_type)

    every = stored_documents(context)
    documents = {each.path: each for each in every if not (context.folder / each.path).is_symlink()}
    return GuardedFolder(
        documents=documents.keys(),
        header_files=sorted(
            path
            for path in context.files.paths
            if path.rpartition("/")[2] in HEADER_FILES and not (context.folder / path).is_symlink()
        ),
        content=content,
        opened=opened,
        find=find,
    )
