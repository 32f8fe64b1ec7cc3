"""`rehref.check`: the findings of `rehref check`, as values.

1. The options are those of the command line, by the same names (`rehref.site.check_options`).
2. Nothing is fetched unless it is asked for (`external`), and nothing is written except the named cache (`cache`). No
   process is started unless more than one job is asked for: where processes are spawned, a script needs a guard for
   that.
3. A file that cannot be read is an `OSError`. The package's own exceptions are also Python's: `OptionError` is a
   ValueError; an expression that takes too long and a process that dies are RuntimeErrors.
4. Messages have the names of arguments where those of the command line have its options: `own_hosts`, not `--own-host`.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError
from rehref.files.inside_folder import path_below
from rehref.option_rows import Option, described
from rehref.site._crawling.crawl_scope import first_pages, is_page
from rehref.site._external.web_options import refuse_contrary, refuse_unasked
from rehref.site._option_types import refuse_no_path, refuse_unknown_names
from rehref.site._tracing.traced import traced
from rehref.site.check_options import DEFAULTS, OF_FOLDERS, OF_PAGES, OF_WHOLE_SITES, ROWS, GivenToCheck
from rehref.site.checking import check_folder
from rehref.site.findings import CheckResult
from rehref.site.given_options import options_of_arguments, os_errors
from rehref.site.site import Site

if TYPE_CHECKING:
    from rehref.site._external.outside import Outside
    from rehref.site.check_options import CheckOptions


def check(folder: str | os.PathLike[str], **options: Unpack[GivenToCheck]) -> CheckResult:
    """Check the links of all documents in a folder: whether their targets exist.

    `folder`: its path. With `external`, it may be the URL of a page, which is fetched and checked; with `recursive`,
    the URL of the first page. Options about a folder are refused then. All other arguments are keyword arguments.
    Nothing is fetched without `external`, which needs the extra `web`.

    Regular expressions are searched for, in each reference and in its target; those of `script_ids` match whole
    fragments. Options that the command line separates by commas may be sequences.

    Returns the findings, sorted by document and place, and a summary. Findings that the folder's `.rehrefignore` or
    comments in documents exclude are left out. A folder without documents has no findings: also look at
    `result.summary.documents`.

    Raises `OSError` if the folder or a file in it that is needed cannot be read, ValueError for an option value that
    cannot be used, `TypeError` for an unknown argument, `RuntimeError` if an expression takes too long or a process
    dies. The content of documents never raises.
    """
    began = time.perf_counter()
    refuse_no_path("folder", folder)
    refuse_unknown_names(options)
    given = {**DEFAULTS, **options}
    files, progress = given["files"], given["progress"]
    with os_errors():
        read = options_of_arguments(given)
        refuse_contrary(lambda name: bool(given[name]), str)
        notes: list[str] = []
        if isinstance(folder, str) and is_page(folder):
            urls = first_pages([folder], "" if given["external"] else "external=True")
            _refuse_of_folders(given)
            from rehref.site._crawling.fetching import pages_of

            with _asking(read, given, notes) as outside, pages_of(urls, given, outside, progress) as pages:
                result = check_folder(pages.context, progress, outside=outside)
        else:
            _refuse(OF_PAGES, given, "is about pages of a server, and a folder is checked", "leave it out")
            refuse_unasked(given, lambda row: given[row.name] != row.default, str)
            read = read._replace(files=None if files is None else _below(Path(folder), files))
            context = _context(Path(folder), read)
            if not given["external"]:
                return _at_sources(context, check_folder(context, progress))
            with _asking(read, given, notes) as outside:
                result = _at_sources(context, check_folder(context, progress, outside=outside))
    if outside.stopped:
        raise KeyboardInterrupt
    result = result.timed(began)  # pages were fetched before the check
    return replace(result, hints=(*result.hints, *notes))


def _context(folder: Path, options: CheckOptions) -> Site:
    """Return the context in which a folder is checked. Raises `FileError`, `OptionError`."""
    if folder.is_file():
        raise FileError(str(folder), "is not a folder", "name the folder of its site")
    return Site.of(folder, options)


def _at_sources(context: Site, result: CheckResult) -> CheckResult:
    """Return the result with its findings at their sources, if they are named. Raises what `traced` raises."""
    found = traced(context, result)
    return result if found is None else found.result


def _asking(options: CheckOptions, given: Mapping[str, Any], notes: list[str]) -> AbstractContextManager[Outside]:
    """Return what asks servers; problems with the cache are appended to `notes`. Raises `OptionError`."""
    from rehref.site._external.caching import asking  # few ask servers

    return asking(options, given, notes.append, named="external", usually=False)


def _refuse_of_folders(given: Mapping[str, Any]) -> None:
    """Raise `OptionError` for options about folders, crawling or whole sites, where pages are named."""
    _refuse(OF_FOLDERS, given, "is about a folder, but a URL is named", "leave it out")
    if not given["recursive"]:
        _refuse(OF_PAGES, given, "needs recursive", "say recursive=True, or leave it out")
        _refuse(OF_WHOLE_SITES, given, "needs all pages of the site", "say recursive=True, or leave it out")


def _refuse(rows: Iterable[Option], given: Mapping[str, Any], what: str, remedy: str) -> None:
    """Raise `OptionError` if one of some options is given."""
    for row in rows:
        if given[row.name] != row.default:
            raise OptionError(row.name, what, remedy)


def _below(folder: Path, files: Iterable[str | os.PathLike[str]]) -> tuple[str, ...]:
    """Return the paths of files below the folder. Raises `FileError`, `OptionError`, TypeError."""
    found = []
    if not isinstance(files, str | os.PathLike | Iterable):
        raise TypeError(f"files is a sequence of paths, not {type(files).__name__}")
    for file in [files] if isinstance(files, str | os.PathLike) else files:
        refuse_no_path("each of files", file)
        name = str(folder / file)
        if not os.path.lexists(name):
            raise FileError(name, "there is no such file or folder", "name files of the folder")
        path = path_below(folder, name)
        if path is None:
            raise OptionError("files", f"{name} is not in {folder}", "name files of the folder")
        found.append(path)
    return tuple(found)


described(check, ROWS.values())
