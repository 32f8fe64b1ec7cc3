"""`rehref check --fix`: suggestions written into the documents, or shown as a patch.

Only sure suggestions are written, unless `--fix-unsure` is given. With `--sources`, only sources are corrected: the
site is not built again, so the findings that remain are those of the check, without the corrected ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rehref.cli.messages import say, say_hashes, say_parted
from rehref.documents.reading import read_page
from rehref.files.file_errors import FileError
from rehref.files.writing import clear_leftovers
from rehref.reports.diff import patch
from rehref.reports.terminal import count
from rehref.site.findings import CheckResult, Finding
from rehref.site.site import Site
from rehref.text import lower
from rehref.text.encoding import Source

_CONFIGURES: Final = {
    "public": (("hugo.toml", "Hugo"), ("hugo.yaml", "Hugo")),
    "_site": (("_config.yml", "Jekyll"),),
    "site": (("mkdocs.yml", "MkDocs"),),
}
"""The folders into which generators write, each with files beside it that configure one."""


_LONGEST_NAME: Final = 80


class Corrections(NamedTuple):
    """How many files failed, and the findings that were corrected."""

    failed: int
    corrected: Sequence[Finding]


def fix(
    context: Site, findings: Iterable[Finding], *, unsure: bool, quiet: bool, are_built: bool = True
) -> Corrections:
    """Write the suggestions. `are_built`: whether the documents are built pages, not sources."""
    for folder in context.files.folders:
        clear_leftovers(context.folder / folder)
    documents = failed = unwritable = parted = hashed = 0
    corrected: list[Finding] = []
    stale: list[str] = []
    generator = ""
    for fixed in context.fixes(findings, unsure=unsure):
        try:
            if isinstance(fixed, FileError):
                raise fixed
            unwritable += len(fixed.unwritable)
            stale += fixed.stale
            if fixed.new != fixed.old:
                parted += fixed.write(context.folder)
                corrected += fixed.corrected
                documents += bool(fixed.corrected)
                hashed += fixed.is_hashed
                generator = generator or (_generator(context.folder, fixed.old) if are_built else "")
        except FileError as error:
            say(str(error))
            failed += 1
    if not quiet:
        say(f"{count(len(corrected), 'reference')} corrected in {count(documents, 'document')}")
        say_parted(parted)
        say_hashes(hashed, stale)
        if generator:
            say(f"if {generator} builds these pages again, that is undone: correct its sources, too")
    _say_unwritable(unwritable)
    return Corrections(failed, corrected)


def say_left(rest: CheckResult, corrected: Sequence[Finding], *, unsure: bool, quiet: bool) -> None:
    """Say what should have been corrected, and is not in a source, or not as a reference.

    `rest`: the result without what was `corrected`.
    """
    left = sum(finding.suggestion is not None and (finding.sure or unsure) for finding in rest.rows)
    if not quiet and left:
        say(f"{count(left, 'reference')} not corrected: not surely written in a source, or where only a template reads")
    if not quiet and corrected:
        say("build the site again, and check it")


def show(context: Site, findings: Iterable[Finding], *, unsure: bool) -> bytes:
    """Return what would be written, as a patch."""
    shown, unwritable = [], 0
    for fixed in context.fixes(findings, unsure=unsure):
        if isinstance(fixed, FileError):
            say(str(fixed))
            continue
        unwritable += len(fixed.unwritable)
        if fixed.packed:
            path = str(context.folder / fixed.document)
            say(str(FileError(path, "is gzipped, so that a patch cannot be made", "say --fix")))
        elif fixed.new != fixed.old:
            shown.append(patch(str(context.folder / fixed.document), fixed.old, fixed.new))
    _say_unwritable(unwritable)
    return b"".join(shown)


def _generator(folder: Path, page: bytes) -> str:
    """The generator that built a page of a folder; "" if none is known. Building the pages again undoes corrections.

    The page names it (it may have only tidied the page), or the folder above has its configuration.
    """
    for meta in read_page(Source(page[: 1 << 16], "utf-8")).elements({"meta": ("name", "content")}):
        if lower(meta.values.get("name", "")) == "generator" and meta.values.get("content"):
            return meta.values["content"][:_LONGEST_NAME].strip()
    folder = folder.resolve()
    return next((name for file, name in _CONFIGURES.get(folder.name, ()) if (folder.parent / file).is_file()), "")


def _say_unwritable(number: int) -> None:
    """Say how many references stay because the suggestion cannot be written in their places, if there are any."""
    if number > 0:
        say(f"{count(number, 'reference')} not corrected: in that place the suggestion would be read differently")
