"""`rehref check --fix`: suggestions written into the documents, or shown as a patch.

1. Only what is sure is written, unless asked for more. What was mended is counted, what could not be is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rehref.checking.model import CheckResult
from rehref.checking.repair.fixing import Fixed, fixes, write
from rehref.checking.site.site_context import SiteContext
from rehref.cli.errors import say
from rehref.documents.reading import Reading
from rehref.files.file_errors import FileError
from rehref.files.temporary_files import clear_leftovers
from rehref.reports.diff import patch
from rehref.uri.resolver import Profile


def fix(root: Path, around: SiteContext, result: CheckResult, profile: Profile, *, unsure: bool, quiet: bool) -> int:
    """Write the suggestions: how many files failed."""
    clear_leftovers(root, below=True)
    mended = documents = failed = 0
    for fixed in fixes(
        root, result.findings, Reading(profile=profile), around.uri_of, charset=around.charsets.of, unsure=unsure
    ):
        if isinstance(fixed, FileError):
            say(str(fixed))
            failed += 1
            continue
        if fixed.new == fixed.old:
            continue
        try:
            write(root, fixed)
        except FileError as error:
            say(str(error))
            failed += 1
            continue
        mended += len(fixed.mended)
        documents += 1
    if not quiet:
        references = "1 reference" if mended == 1 else f"{mended:,} references"
        say(f"{references} mended in {documents:,} document{'' if documents == 1 else 's'}")
    return failed


def _fixes(
    root: Path, around: SiteContext, result: CheckResult, profile: Profile, *, unsure: bool
) -> Iterator[Fixed | FileError]:
    how = Reading(profile=profile)
    return fixes(root, result.findings, how, around.uri_of, charset=around.charsets.of, unsure=unsure)


def show(root: Path, around: SiteContext, result: CheckResult, profile: Profile, *, unsure: bool) -> bytes:
    """What would be written, as a patch."""
    shown = []
    for fixed in fixes(
        root, result.findings, Reading(profile=profile), around.uri_of, charset=around.charsets.of, unsure=unsure
    ):
        if isinstance(fixed, FileError):
            say(str(fixed))
        elif fixed.packed:
            say(str(FileError(str(root / fixed.document), "is gzipped, of which no patch can be made", "say --fix")))
        elif fixed.new != fixed.old:
            shown.append(patch(str(root / fixed.document), fixed.old, fixed.new))
    return b"".join(shown)
