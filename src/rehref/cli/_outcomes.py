"""The documents of a command: found, and worked on in several processes if that is worth it, with reports and counts.

The work of a command is a function of an item, which runs in any process and returns one `Outcome`, or for a container
one for each document inside. A document that fails is reported and skipped; the others are done. If any failed, the
exit code is 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from rehref.archives.pieces import RunCounts
from rehref.cli.click_options import Settings
from rehref.cli.messages import Progress, say, wanted
from rehref.cli.output import OutputError
from rehref.files.discovery import Discovered, discover
from rehref.files.file_errors import FileError, OtherFormatError, failure
from rehref.files.reading_files import read_file
from rehref.reports.formats import AnyText
from rehref.reports.terminal import count

if TYPE_CHECKING:
    from rehref.archives.pieces import PieceDone
    from rehref.reports.inventory import Entry

WORTH_A_PROCESS = 12
"""The number of documents that is worth another process."""
_LONGEST_CHUNK = 16


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a document: `output` for standard output, `notes` and `errors` for standard error, and counts.

    `entry`: from these a report about all documents together is made. `is_part`: it is that of a document in a
    container, which may have very many.
    """

    output: AnyText = b""
    notes: tuple[str, ...] = ()
    errors: tuple[FileError, ...] = ()
    counts: RunCounts = field(default_factory=RunCounts)
    entry: Entry | None = None
    is_part: bool = False


def _verbose_note(name: str, counts: RunCounts) -> str:
    """The note of `--verbose` about a document."""
    changed = f", {counts.changed:,} changed" if counts.changed else ""
    return f"{name}: {count(counts.references, 'reference')}{changed}"


class HasName(Protocol):
    """An object that stands for a document."""

    @property
    def name(self) -> str:
        """The document's name, for people."""


_Item = TypeVar("_Item", bound=HasName)


class _Guarded(Generic[_Item]):
    """Work that raises an exception only if standard output cannot be written: other errors become outcomes."""

    def __init__(self, work: Callable[[_Item], Iterable[Outcome]], *, verbose: bool) -> None:
        self.work = work
        self.verbose = verbose

    def __call__(self, items: Sequence[_Item | FileError]) -> list[Outcome | _Item | FileError]:
        """The outcomes of several documents.

        Instead of those of a container, the item itself: the first process reads it.
        """
        done: list[Outcome | _Item | FileError] = []
        for item in items:
            for outcome in self.outcomes(item):
                done.append(item if outcome.is_part else outcome)
                if outcome.is_part:
                    break
        return done

    def outcomes(self, item: _Item | FileError) -> Iterator[Outcome]:
        """Yield the outcomes of one document as they come."""
        if isinstance(item, FileError):
            yield Outcome(errors=(item,))
            return
        try:
            for outcome in self.work(item):
                yield (
                    replace(outcome, notes=(*outcome.notes, _verbose_note(item.name, outcome.counts)))
                    if self.verbose
                    else outcome
                )
        except OutputError as error:
            raise error.error from None
        except Exception as error:
            if isinstance(error, OtherFormatError) and error.in_folder:  # that is not an error
                yield Outcome(notes=(str(error),), counts=RunCounts(others=1))
            else:
                yield Outcome(errors=(failure(item.name, error),))


def run(
    work: Callable[[_Item], Iterable[Outcome]],
    items: Sequence[_Item | FileError],
    settings: Settings,
    counts: RunCounts,
    *,
    streamed: Callable[[_Item], bool],
    prints: bool,
) -> Iterator[Outcome]:
    """Work on documents, count in `counts`, report errors and notes, and yield all outcomes in order.

    `streamed`: which items are worked on in this process, so that their outcomes are yielded as they come, and a
    container of any size takes little memory; if there is only this process, and of standard input, all are. `prints`:
    results go to standard output.
    """
    runs = groupby(items, lambda item: not isinstance(item, FileError) and streamed(item))
    total: int | None = len(items)
    guarded = _Guarded(work, verbose=settings.verbose)
    outcomes = chain.from_iterable(_outcomes(guarded, list(items), settings, alone=alone) for alone, items in runs)
    shown = wanted(quiet=settings.quiet, no_progress=settings.no_progress, prints_results=prints)
    with Progress(shown=shown) as progress:
        for done, outcome in enumerate(outcomes, 1):
            counts.add(outcome.counts)
            counts.failed += len(outcome.errors)
            _say(progress, outcome.errors, outcome.notes, settings)
            yield outcome
            total = None if outcome.is_part else total  # nobody knows how many a container has
            progress.show(done, total)


def report(
    made: Iterable[PieceDone],
    errors: Iterable[FileError],
    settings: Settings,
    counts: RunCounts,
    what: str,
) -> None:
    """Count and report the outcomes of a collection as they come. `errors`: errors of items that cannot be worked on.

    `what`: the text at the progress bar that says what is being done.
    """
    shown = wanted(quiet=settings.quiet, no_progress=settings.no_progress, prints_results=False)
    with Progress(shown=shown, of_bytes=True) as progress:
        refused = list(errors)
        counts.failed += len(refused)
        _say(progress, refused, (), settings)
        for each in made:
            if each.outcome is not None:
                notes, errors = each.outcome.notes, each.outcome.errors
                counts.add(each.outcome.counts)
                counts.failed += len(errors)
                if settings.verbose and each.name:
                    notes = (*notes, _verbose_note(each.name, each.outcome.counts))
                _say(progress, errors, notes, settings)
            progress.show(each.done, each.total, what, is_new=each.is_new)


def _say(progress: Progress, errors: Iterable[FileError], notes: Iterable[str], settings: Settings) -> None:
    """Report errors, and unless `--quiet` is given, notes."""
    for message in (*map(str, errors), *(() if settings.quiet else notes)):
        progress.say(message)


def _outcomes(
    guarded: _Guarded[_Item], items: Sequence[_Item | FileError], settings: Settings, *, alone: bool
) -> Iterator[Outcome]:
    """Yield the outcomes of items that are all worked on alike."""
    jobs = 1
    if not alone and len(items) > 1:
        from rehref.files.pool import chunks_of, how_many

        jobs = how_many(settings.jobs, len(items), WORTH_A_PROCESS)
    if jobs == 1:
        yield from chain.from_iterable(map(guarded.outcomes, items))
        return

    from rehref.files.pool import results

    with closing(results(guarded, chunks_of(items, jobs, _LONGEST_CHUNK), jobs)) as done:
        for each in chain.from_iterable(done):
            if isinstance(each, Outcome):
                yield each
            else:
                yield from guarded.outcomes(each)


def find(sources: Sequence[str], settings: Settings) -> Discovered:
    """Find all documents of the sources. Raises `FileError` if `--url` or `--headers` cannot be for them."""
    discovered = discover(sources, settings.options.url)
    if settings.urls is not None:
        from rehref.cli._terminal_tables import with_urls

        discovered, notes = with_urls(discovered, settings.urls, sources)
        for note in () if settings.quiet else notes:
            say(note)
    if settings.headers is not None:
        _add_headers(discovered, settings.headers)
    return discovered


def _add_headers(discovered: Discovered, name: str) -> None:
    """Give the only document the header fields in a file. Raises `FileError`."""
    from rehref.files.sources import are_headers

    count = len(discovered.found)
    if count > 1:
        raise FileError(name, f"cannot be the headers of {count} documents", "name one SOURCE")
    head = read_file(name)
    if not are_headers(head):
        remedy = "name the file that curl -D saved, and the document as SOURCE"
        raise FileError(name, "has no HTTP header fields", remedy)
    discovered.found = [
        each if isinstance(each, FileError) else each._replace(headers=head) for each in discovered.found
    ]
