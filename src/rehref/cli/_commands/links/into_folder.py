"""`rehref links -o DIR`: write the links of a whole collection to files in a folder (`rehref.archives.many_files`).

This is for formats for programs that can be written piece by piece: `jsonl`, `parquet`. What was reported about pieces
that were done before is reported again, so that the exit code of a resumed run is that of one run. Where no source can
be read, no folder is made.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import cast

from rehref.archives.pieces import RunCounts
from rehref.cli._outcomes import report
from rehref.cli.click_options import ALL_PARSERS, Settings
from rehref.cli.messages import OptionError, say
from rehref.cli.output import STDOUT
from rehref.files.file_documents import DocumentOrError, FileDocument
from rehref.files.file_errors import FileError
from rehref.reports.terminal import count

_PARQUET = "parquet"


def refuse_unusable(output: str | None, form: str, settings: Settings, *, resume: bool, ordered: bool) -> None:
    """Raise `OptionError` for options that do not go together."""
    if output is None:
        if resume:
            raise OptionError("--resume", "goes with -o only", "name the folder with -o")
        if ordered:
            what = "goes with -o only: standard output is always in the order of the input"
            raise OptionError("--ordered", what, "leave it out")
        if form == _PARQUET:
            raise OptionError("--format parquet", "is written into a folder", "name one with -o")
        return
    if output == "":
        raise OptionError("-o", "is empty", "name a folder")
    if output in STDOUT:
        raise OptionError(f"-o {output}", "is standard output, not a folder", "leave out -o")
    if os.path.exists(output) and not os.path.isdir(output):  # noqa: PTH110, PTH112 -- they raise nothing
        raise OptionError(f"-o {output}", "is not a folder", "name a folder")
    from rehref.archives import many_files  # imported late: it loads much that few users need

    if form not in many_files.FORMATS:
        raise OptionError("-o", f"does not go with --format {form}", f"use --format {' or '.join(many_files.FORMATS)}")
    if settings.options.how.parser == ALL_PARSERS:
        raise OptionError("-o", "does not go with --parser all", "leave out one of them")
    if form == _PARQUET and find_spec("pyarrow") is None:
        raise OptionError("--format parquet", "needs the package pyarrow", "pip install 'rehref[parquet]'")


def write(
    folder: str,
    found: Sequence[DocumentOrError],
    settings: Settings,
    form: str,
    counts: RunCounts,
    *,
    resume: bool,
    ordered: bool,
) -> None:
    """Write the links of all documents into a folder. Raises `FileError`, `OptionError`."""
    from rehref.archives import many_files

    errors = [each for each in found if isinstance(each, FileError)]
    files = [each for each in found if isinstance(each, FileDocument)]
    if any(each.path is None for each in files):
        raise OptionError("-o", "does not go with standard input", "name files")
    if found and not any(each.path is not None and os.access(each.path, os.R_OK) for each in files):
        report((), [*errors, *map(_unreadable, files)], settings, counts, "links")
        return
    if form == _PARQUET:
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # others keep memory that is free
    made = many_files.links_into(
        Path(folder),
        files,
        settings.options,
        cast(many_files.Format, form),
        jobs=settings.jobs,
        resume=resume,
        ordered=ordered,
    )
    report(made, errors, settings, counts, "links")
    if not settings.quiet:
        say(f"{count(counts.references, 'reference')} of {counts.documents_and_others} in {folder}")


def _unreadable(file: FileDocument) -> FileError:
    """Return the error of a file that may not be read."""
    try:
        assert file.path is not None
        with file.path.open("rb"):
            return FileError(file.name, "cannot be read", "check who may read it (ls -l)")
    except OSError as error:
        return FileError.of(file.name, "cannot be read", error)
