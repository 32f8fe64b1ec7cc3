"""`rehref check --watch`: checks again whenever something in the folders changes.

1. At first everything is reported. After that people are shown what is gone, what is new, and the sum; all other
   reports are made anew as a whole. Where nothing was read and nothing is otherwise, nothing is said.
2. What is new is what no finding of the same document, reference and code was there for
   (`rehref.checking.results.baseline`): that lines have moved does not matter.
3. A folder that is not there for a while, since it is made anew, is waited for, and so is one in it that an option
   names, once it was there. What goes wrong meanwhile is said once.
4. There is no end but Ctrl-C.
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
from rehref.reports.check.places import file_path, position
from rehref.reports.text import shown, visible
from rehref.uri.privacy import mask_text

if TYPE_CHECKING:
    from rehref.checking.model import CheckResult, Finding

_EVERY = 1000  # milliseconds, after which it is asked whether the folders are still the same
_PAUSE = 0.2
_MOST_GONE = 10


@dataclass(frozen=True, slots=True)
class Watching:
    """What is watched: the sites; `result`: makes one of what checking each gave; `report`: reports it.

    `report` takes the result, and what people are shown of it; `say_hints` that of the first check. `for_people`:
    whether nobody else is shown anything.
    """

    sites: Sequence[Rechecker]
    result: Callable[[Sequence[CheckResult]], CheckResult]
    report: Callable[[CheckResult, CheckResult], None]
    say_hints: Callable[[CheckResult], None]
    for_people: bool

    def run(self, folders: Sequence[Path]) -> None:
        """Check and report, again and again; it never ends.

        Raises `OptionError` if watching is not installed, or if an option is wrong from the beginning.
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
        """Report what is otherwise than before, if anything may be (rule 1)."""
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
    """What waits for changes. Raises `OptionError` if it is not installed."""
    try:
        watch: Callable[..., Iterator[object]] = import_module("watchfiles").watch
    except ImportError as error:
        remedy = "install it: pip install 'rehref[watch]'"
        raise OptionError("--watch", "the package watchfiles is not there", remedy) from error
    return watch


def _changes(watch: Callable[..., Iterator[object]], folders: Sequence[Path]) -> Iterator[None]:
    """Come at once, and then after each change, as soon as there is a pause; once too often rather than too seldom."""
    yield
    while True:
        if not _are_there(folders):
            yield  # which says so
        while not _are_there(folders):
            time.sleep(_PAUSE)
        watched = [os.path.realpath(folder) for folder in folders]
        numbers = _numbers(watched)
        changed: object = True  # what happened before it was waited for
        try:
            for found in watch(*watched, watch_filter=_matters, rust_timeout=_EVERY, yield_on_timeout=True):
                if _numbers(watched) != numbers:
                    break  # they are others now, which nobody waits for
                if found or changed:
                    yield
                changed = False
        except FileNotFoundError:
            time.sleep(_PAUSE)  # one went just now
        yield


def _are_there(folders: Sequence[Path]) -> bool:
    return all(folder.is_dir() for folder in folders)


def _numbers(folders: Sequence[str]) -> list[int]:
    """The numbers of folders in the file system; 0 of one that is not there."""
    found = []
    for folder in folders:
        try:
            found.append(Path(folder).stat().st_ino)
        except OSError:
            found.append(0)
    return found


def _matters(_: object, path: str) -> bool:
    """Whether a change of a file can matter: what git keeps for itself does not."""
    return ".git" not in Path(path).parts


def _news(before: CheckResult, after: CheckResult) -> CheckResult:
    """The result with those findings only that are new; the sum is that of all."""
    new = tuple(new_ones(after.findings, baseline_of(before.findings)))
    return replace(after, findings=new, causes=causes_of(new))


def _show_gone(folder: str, gone: Sequence[Finding]) -> None:
    """Show which findings are gone, a line each."""
    for finding in gone[:_MOST_GONE]:
        place = ":".join(filter(None, (visible(file_path(folder, finding.document)), position(finding))))
        reference = shown(mask_text(finding.reference), 200)
        output.show(f"gone: {place}  {finding.code}  {reference}\n")
    if len(gone) > _MOST_GONE:
        output.show(f"gone: {len(gone) - _MOST_GONE:,} more\n")
