"""`rehref check --watch`: check again whenever something in the folders changes.

1. The first report is complete. After that, reports for people show the findings that are gone, the new ones, and the
   summary; other reports are written again completely. If nothing was read and nothing has changed, nothing is printed.
2. A finding is new if there was none with the same document, reference and code (`rehref.checking.results.baseline`):
   that its line has moved does not matter.
3. If a folder is missing for a while, because it is built again, rehref waits for it, and also for a folder in it that
   an option names, if that existed before. Errors in the meantime are reported once.
4. Only Ctrl-C ends the run.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from rehref.checking.rechecking import Rechecker
from rehref.checking.results.baseline import baseline_of, new_ones
from rehref.checking.results.causes import causes_of
from rehref.cli import output
from rehref.cli.errors import OptionError, say
from rehref.files.file_errors import FileError
from rehref.reports.check.places import where
from rehref.reports.text import shown
from rehref.uri.privacy import mask_text

if TYPE_CHECKING:
    from rehref.checking.model import CheckResult, Finding

_EVERY = 1000  # milliseconds between checks that the folders are still the same
_PAUSE = 0.2
_MOST_GONE = 10


@dataclass(frozen=True, slots=True)
class Watching:
    """The sites to watch. `result` joins the results of their checks; `report` reports the joined result.

    `report` takes the result, and the part of it for people; `say_hints` takes the result of the first check.
    `for_people`: whether all reports are for people.
    """

    sites: Sequence[Rechecker]
    result: Callable[[Sequence[CheckResult]], CheckResult]
    report: Callable[[CheckResult, CheckResult], None]
    say_hints: Callable[[CheckResult], None]
    for_people: bool

    def run(self, folders: Sequence[Path]) -> None:
        """Check and report again and again, without end.

        Raises `OptionError` if the package for watching is not installed, or if an option is wrong at the first check.
        """
        watch = watcher()
        before: CheckResult | None = None
        said = ""
        for _ in _changes(watch, folders):
            try:
                result = self.result([site.check(only_new=self.for_people) for site in self.sites])
            except (FileError, OptionError) as error:
                if before is None and isinstance(error, OptionError):
                    raise
                if str(error) != said:
                    said = str(error)
                    say(said)
                continue
            said = ""
            if before is None:
                self._report(result, result)
                self.say_hints(result)
            else:
                self._report_change(before, result)
            before = result

    def _report_change(self, before: CheckResult, result: CheckResult) -> None:
        """Report what has changed, if anything may have (rule 1)."""
        news, gone = _news(before, result), list(new_ones(before.findings, baseline_of(result.findings)))
        is_same = before == replace(result, summary=replace(result.summary, seconds=before.summary.seconds))
        is_shown = bool(news.findings or gone or any(site.read_last for site in self.sites))
        if is_shown or not (is_same or self.for_people):
            _show_gone(result.folder, gone)
            self._report(result, news)

    def _report(self, result: CheckResult, for_people: CheckResult) -> None:
        self.report(result, for_people)
        output.flush()


def watcher() -> Callable[..., Iterator[object]]:
    """Return the function that waits for changes. Raises `OptionError` if its package is not installed."""
    try:
        watch: Callable[..., Iterator[object]] = import_module("watchfiles").watch
    except ImportError as error:
        remedy = "install it: pip install 'rehref[watch]'"
        raise OptionError("--watch", "needs the package watchfiles", remedy) from error
    return watch


def _changes(watch: Callable[..., Iterator[object]], folders: Sequence[Path]) -> Iterator[None]:
    """Yield at once, and then after each change when there is a pause; rather once too often than too seldom."""
    yield
    while True:
        if not _are_there(folders):
            yield  # that call reports it
        while not _are_there(folders):
            time.sleep(_PAUSE)
        watched = [os.path.realpath(folder) for folder in folders]
        numbers = _numbers(watched)
        changed: object = True  # changes before the wait began
        try:
            for found in watch(*watched, watch_filter=_matters, rust_timeout=_EVERY, yield_on_timeout=True):
                if _numbers(watched) != numbers:
                    break  # the folders were replaced, and nobody watches the new ones
                if found or changed:
                    yield
                changed = False
        except FileNotFoundError:
            time.sleep(_PAUSE)  # one was removed just now
        yield


def _are_there(folders: Sequence[Path]) -> bool:
    return all(folder.is_dir() for folder in folders)


def _numbers(folders: Sequence[str]) -> list[int]:
    """Return the inode numbers of folders; 0 for one that does not exist."""
    found = []
    for folder in folders:
        try:
            found.append(Path(folder).stat().st_ino)
        except OSError:
            found.append(0)
    return found


def _matters(_: object, path: str) -> bool:
    """Return whether a change of a file can matter: the files of git do not."""
    return ".git" not in Path(path).parts


def _news(before: CheckResult, after: CheckResult) -> CheckResult:
    """Return the result with only the new findings; the summary counts all."""
    new = tuple(new_ones(after.findings, baseline_of(before.findings)))
    return replace(after, findings=new, causes=causes_of(new))


def _show_gone(folder: str, gone: Sequence[Finding]) -> None:
    """Print the findings that are gone, a line each."""
    for finding in gone[:_MOST_GONE]:
        reference = shown(mask_text(finding.reference), 200)
        output.show(f"gone: {where(folder, finding)}  {finding.code}  {reference}\n")
    if len(gone) > _MOST_GONE:
        output.show(f"gone: {len(gone) - _MOST_GONE:,} more\n")
