"""The folder of a site as far as integrity matters (`rehref.rewriting.integrity`)."""

from __future__ import annotations

from functools import partial

from rehref.checking.pages.reading import read_or_skip
from rehref.checking.site.site_context import SiteContext
from rehref.rewriting.integrity import HEADER_FILES, GuardedFolder


def guarded_folder(context: SiteContext) -> GuardedFolder:
    """Return the folder of a site, as it is."""

    def find(target: str) -> str | None:
        located = context.locator.locate(target)
        return None if located.code or located.outside else located.path

    return GuardedFolder(
        documents=frozenset(path for path in context.scope.documents if not (context.folder / path).is_symlink()),
        header_files=sorted(
            path
            for path in context.files.paths
            if path.rpartition("/")[2] in HEADER_FILES and not (context.folder / path).is_symlink()
        ),
        content=partial(read_or_skip, context),
        opened=context.document_of,
        find=find,
    )
