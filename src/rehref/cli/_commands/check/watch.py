"""`rehref check --watch`: check again whenever something in the folders changes. Only Ctrl-C ends the run.

The first report is complete. After that, reports for people show the findings that are gone, the new ones, and the
summary; other reports are written again completely. If a folder is missing for a while, because it is built again,
rehref waits for it. Errors in the meantime are reported once.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from rehref.cli import output
from rehref.cli._commands.check.root_line import say_places
from rehref.cli._commands.check.run_check import SELDOM, context_of, new_only, say_hints
from rehref.cli.check_reports import write_external
from rehref.cli.messages import OptionError, say
from rehref.files.file_errors import FileError
from rehref.reports.terminal import shown
from rehref.reports.words_of_findings import where
from rehref.site.check import Rechecker
from rehref.site.findings import Baseline, CheckResult, Finding
from rehref.uri.components import mask_text

if TYPE_CHECKING:
    from rehref.cli._commands.check.sites import NamedSite
    from rehref.cli.check_reports import ReportTo
    from rehref.reports.formats import Presentation
    from rehref.site.check_options import CheckOptions
    from rehref.site.site import Site

_EVERY = 1000  # milliseconds between checks that the folders are still the same
_PAUSE = 0.2
_MOST_GONE = 10


def watch_sites(
    named: Sequence[NamedSite],
    options: CheckOptions,
    reports: Sequence[ReportTo],
    given: dict[str, Any],
    present: Callable[[Sequence[Site], dict[str, Any]], Presentation],
) -> NoReturn:
    """Check again and again, until Ctrl-C. `present`: returns how to show the results of some sites.

    Raises `OptionError` if the package for watching is not installed, or if an option is wrong at the first check.
    """
    sites = [Rechecker(partial(context_of, site, options, given)) for site in named]
    gc.set_threshold(SELDOM)
    _Watching(sites, reports, given, present).run([site.folder for site in named])
    raise AssertionError("it never ends")


@dataclass(frozen=True, slots=True)
class _Watching:
    """The sites to watch, and how results are reported (see `watch_sites`)."""

    sites: Sequence[Rechecker]
    reports: Sequence[ReportTo]
    given: dict[str, Any]
    present: Callable[[Sequence[Site], dict[str, Any]], Presentation]

    @property
    def for_people(self) -> bool:
        """Whether all reports are for people."""
        return all(each.is_for_people for each in self.reports)

    def run(self, folders: Sequence[Path]) -> None:
        """Check and report again and again, without end."""
        watch = watcher()
        before: CheckResult | None = None
        said = ""
        for _ in _changes(watch, folders):
            try:
                results = [site.check(only_new=self.for_people) for site in self.sites]
                result = new_only(CheckResult.joined(results), baseline=self.given["baseline"])
            except (FileError, OptionError) as error:
                if before is None and isinstance(error, OptionError):
                    raise
                if str(error) != said:
                    said = str(error)
                    say(said)
                continue
            said = ""
            if before is None and not self.given["quiet"]:
                say_places(results)
            if before is not None:
                self._report_change(before, result)
            else:
                self._report(result, result)
                if not self.given["quiet"]:
                    say_hints(result)
            before = result

    def _report_change(self, before: CheckResult, result: CheckResult) -> None:
        """Report what has changed, if anything may have."""
        news, gone = _news(before, result), list(Baseline.of(result.rows).new_in(before.rows))
        is_same = before == result.but(summary=replace(result.summary, seconds=before.summary.seconds))
        is_shown = bool(news.rows or gone or any(site.read_last for site in self.sites))
        if is_shown or not (is_same or self.for_people):
            _show_gone(result.folder, gone)
            self._report(result, news)

    def _report(self, result: CheckResult, for_people: CheckResult) -> None:
        """Report a result; `for_people`: the part of it that people see."""
        presentation = self.present([site.context for site in self.sites if site.context is not None], self.given)
        for each in self.reports:
            each.write(for_people if each.is_for_people else result, presentation)
        if self.given["dump_external"] is not None:
            write_external(result, self.given["dump_external"], show_secrets=self.given["show_secrets"])
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
    """The result with only the new findings; the summary counts all.

    New is one if there was none with the same document, reference and code (`Baseline`): that its line has moved does
    not matter.
    """
    return after.showing(Baseline.of(before.rows).new_in(after.rows))


def _show_gone(folder: str, gone: Sequence[Finding]) -> None:
    """Print the findings that are gone, a line each."""
    for finding in gone[:_MOST_GONE]:
        reference = shown(mask_text(finding.reference), 200)
        output.show(f"gone: {where(folder, finding)}  {finding.code}  {reference}\n")
    if len(gone) > _MOST_GONE:
        output.show(f"gone: {len(gone) - _MOST_GONE:,} more\n")
