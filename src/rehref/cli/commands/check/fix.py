"""`rehref check --fix`: suggestions written into the documents, or shown as a patch.

1. Only sure suggestions are written, unless `--fix-unsure` is given. Corrections are counted; what could not be
   corrected is reported.
"""

from __future__ import annotations

from rehref.checking.model import CheckResult
from rehref.checking.repair.fixing import fixes, write
from rehref.checking.site.site_context import SiteContext
from rehref.cli.errors import say
from rehref.files.file_errors import FileError
from rehref.files.temporary_files import clear_leftovers
from rehref.reports.diff import patch
from rehref.reports.text import count


def fix(context: SiteContext, result: CheckResult, *, unsure: bool, quiet: bool) -> int:
    """Write the suggestions, and return how many files failed."""
    clear_leftovers(context.folder, below=True)
    corrected = documents = failed = unwritable = 0
    for fixed in fixes(context, result.findings, unsure=unsure):
        try:
            if isinstance(fixed, FileError):
                raise fixed
            unwritable += len(fixed.unwritable)
            if fixed.new != fixed.old:
                write(context.folder, fixed)
                corrected += len(fixed.corrected)
                documents += 1
        except FileError as error:
            say(str(error))
            failed += 1
    if not quiet:
        say(f"{count(corrected, 'reference')} corrected in {count(documents, 'document')}")
    _say_unwritable(unwritable)
    return failed


def show(context: SiteContext, result: CheckResult, *, unsure: bool) -> bytes:
    """Return what would be written, as a patch."""
    shown, unwritable = [], 0
    for fixed in fixes(context, result.findings, unsure=unsure):
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


def _say_unwritable(number: int) -> None:
    """Say how many references stay because the suggestion cannot be written in their places, if there are any."""
    if number > 0:
        say(f"{count(number, 'reference')} not corrected: in that place the suggestion would be read differently")
