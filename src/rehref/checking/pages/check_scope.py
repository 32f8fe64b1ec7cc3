"""What every pass over the documents of a site has to know, and how it reads one.

1. The passes of the engine, and those of their own (sitemaps, text fragments, circles of refreshes), heed the same
   options.
2. A document that cannot be read is an error of its own. What begins as an image or the like is no document, whatever
   its name says: that is a warning of its own, seen in the bytes that are read anyway.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rehref.checking.ignoring import is_chosen
from rehref.checking.model import Finding
from rehref.checking.pages.page import Site
from rehref.checking.pages.tables import Leads, Patterns, TargetClassifier
from rehref.checking.pages.targets import Targets
from rehref.documents.types.magic_numbers import magic
from rehref.files.file_errors import FileError
from rehref.files.gzipped import is_packed, unpacked

OTHER_FORMAT: Final = "other-format"
"""The code of a file that is no document, whatever its name says."""


@dataclass(frozen=True, slots=True)
class CheckScope:
    """What both passes have to know, beside the site; the fields are those of `CheckOptions`.

    `unchecked`: documents that are not to be checked. `mapped`: whether the files that targets lead to are told.
    """

    include: Patterns = ()
    exclude: Patterns = ()
    script_ids: Patterns = ()
    fragments: bool = True
    unchecked: frozenset[str] = frozenset()
    mapped: bool = False

    def chooses(self, uri: str) -> bool:
        """Whether a target URI is to be checked."""
        return is_chosen(uri, self.include, self.exclude)

    def leads(self, site: Site) -> Leads:
        """Where the targets of a site lead."""
        return Leads(site.uri, site.locate, site.types.has_names if self.fragments else _has_none)

    def judge(self, leads: Leads) -> TargetClassifier:
        """Somebody to judge the targets of some documents."""
        return TargetClassifier(
            leads, chosen=self.chooses if self.include or self.exclude else None, mapped=self.mapped
        )

    def targets(self, site: Site) -> Targets:
        """Somebody to find the targets."""
        at_once = not self.include and not self.exclude and self.fragments
        return Targets(site, self.script_ids, fragments=self.fragments, at_once=at_once)


def _has_none(path: str) -> bool:
    return False


def read(site: Site, path: str) -> bytes:
    """Read a document of a site, unpacked if it is gzipped; of other files the bytes. Raises `FileError`."""
    name = f"{site.folder}/{path}"
    try:
        with open(name, "rb", buffering=0) as file:  # noqa: PTH123 -- a Path takes as long again
            data = file.read()
    except OSError as error:
        raise FileError.of(name, "cannot be read", error) from error
    return unpacked(name, data) if is_packed(data) and site.types.is_document(path) else data


def other_format(path: str, data: bytes) -> Finding | None:
    """The finding for a file that is named like a document, and begins as an image or the like does; None for others.

    `data`: what `read` gives.
    """
    found = magic(data)
    if found is None:
        return None
    return Finding(
        document=path, code=OTHER_FORMAT, message=f"the file is {found}, and no document, whatever its name says"
    )


def unreadable(path: str, error: FileError) -> Finding:
    """The finding for a file or folder that cannot be read."""
    return Finding(document=path, code="unreadable", message=error.what)
