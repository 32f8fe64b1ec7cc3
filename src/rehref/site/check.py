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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError, is_url
from rehref.files.inside_folder import path_below
from rehref.option_rows import Option, described
from rehref.site._checks.all_checks import asks_servers
from rehref.site._crawling.crawl_scope import first_page
from rehref.site._option_types import refuse_no_path, refuse_unknown_names
from rehref.site._tracing.traced import Traced, traced
from rehref.site.check_options import DEFAULTS, OF_FOLDERS, OF_PAGES, OF_WHOLE_SITES, ROWS, GivenToCheck
from rehref.site.checking import MOST_SUGGESTED, Progress, check_folder
from rehref.site.findings import CheckResult
from rehref.site.given_options import options_of_arguments, os_errors, refuse_contrary, refuse_unasked
from rehref.site.site import Site

if TYPE_CHECKING:
    from rehref.site._crawling.fetching import Pages
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
    notes: list[str] = []
    with os_errors(), ExitStack() as stack:
        read = options_of_arguments(given)
        refuse_contrary(lambda name: bool(given[name]), str)
        if isinstance(folder, str) and is_page(folder):
            urls = first_pages([folder], "" if given["external"] else "external=True")
            _refuse_of_folders(given)
            run = stack.enter_context(Run.begun(read, given, notes.append))
            site = stack.enter_context(run.fetched(urls, given, progress)).context
        else:
            _refuse(OF_PAGES, given, "is about pages of a server, and a folder is checked", "leave it out")
            refuse_unasked(given, lambda name: given[name] != DEFAULTS[name], str)
            site = _site(Path(folder), read._replace(files=None if files is None else _below(Path(folder), files)))
            run = stack.enter_context(Run.begun(read, given, notes.append))
        result = run.check(site, progress).result
    if run.is_stopped:
        raise KeyboardInterrupt
    result = result.timed(began)  # pages were fetched before the check
    return replace(result, hints=(*result.hints, *notes))


def _site(folder: Path, options: CheckOptions) -> Site:
    """Return the site in a folder. Raises `FileError`, `OptionError`."""
    if folder.is_file():
        raise FileError(str(folder), "is not a folder", "name the folder of its site")
    return Site.of(folder, options)


class Run(NamedTuple):
    """A run of the checker over some sites. `outside`: what asks servers; None: nothing does."""

    outside: Outside | None = None

    @classmethod
    @contextmanager
    def begun(
        cls,
        options: CheckOptions,
        given: Mapping[str, Any],
        say: Callable[[str], None],
        *,
        named: str = "external",
        usually: bool = False,
    ) -> Iterator[Run]:
        """Begin a run, in which servers are asked if the options say so; what they answer is kept, also after an error.

        `given`: the options by name. `say`, `named`, `usually`: as for `asking`. Raises `OptionError`, also if a
        package is missing.
        """
        if not asks_servers(options):
            yield cls()
            return
        from rehref.site._external.caching import asking  # few ask servers

        with asking(options, given, say, named=named, usually=usually) as outside:
            yield cls(outside)

    @property
    def is_stopped(self) -> bool:
        """Whether Ctrl-C has ended the asking."""
        return self.outside is not None and self.outside.stopped

    def fetched(
        self, urls: Sequence[str], given: Mapping[str, Any], progress: Progress | None = None
    ) -> AbstractContextManager[Pages]:
        """Fetch pages, and keep them while they are checked and reported on. Raises `FileError`, `OptionError`."""
        from rehref.site._crawling.fetching import pages_of

        assert self.outside is not None
        return pages_of(urls, given, self.outside, progress)

    def check(self, site: Site, progress: Progress | None = None, *, suggests_all: bool = False) -> Traced:
        """Check a site, and find where its references are written. Raises what `check_folder` and `traced` raise.

        `suggests_all`: whether any number of targets gets suggestions.
        """
        most = None if suggests_all else MOST_SUGGESTED
        return traced(site, check_folder(site, progress, most, outside=self.outside))


def is_page(name: str) -> bool:
    """Whether an input is a URL, and there is no file of that name."""
    return is_url(name) and not Path(name).exists()


def first_pages(names: Sequence[str], external: str) -> tuple[str, ...]:
    """The URLs of first pages, from the names that the user gave. Raises `OptionError`.

    `external`: the option that allows fetching; "" if it was given.
    """
    if external:
        raise OptionError(names[0], "is a URL, and nothing is fetched unasked", f"say {external}")
    return tuple(map(first_page, names))


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
