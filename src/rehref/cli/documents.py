"""What commands do with documents: find them, work on each, tell what failed, count.

1. A command gives a task: what is to be done with one document that was found. It runs in any process, and gives an
   `Outcome`.
2. A document that fails is reported and skipped; the others are done. If any failed, the exit code is 2.
3. Standard input is read in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from rehref.cli.errors import FAILED, fault, say
from rehref.cli.options import Settings
from rehref.cli.output import OutputError
from rehref.documents.types.media_types import essence, reader_of
from rehref.files.discovery import Discovered, discover
from rehref.files.file_documents import DocumentOrError, FileDocument, read
from rehref.files.file_errors import FileError, OtherFormatError
from rehref.files.file_types import media_type
from rehref.files.gzipped import is_packed, unpacked
from rehref.files.pool import chunks_of, how_many, results

if TYPE_CHECKING:
    from rehref.documents.document import Document

WORTH_A_PROCESS = 12
"""Documents that are worth a process of their own."""
_LONGEST_CHUNK = 16


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one document: `output` for standard output, `notes` for standard error, and what is counted."""

    name: str
    output: bytes = b""
    error: FileError | None = None
    notes: tuple[str, ...] = ()
    references: int = 0
    changed: int = 0
    missing: int = 0
    otherwise: int = 0
    withheld: int = 0
    documents: int = 1
    others: int = 0
    """1 if it turned out to be no document."""
    changed_documents: int | None = None
    diagnostics: tuple[FileError, ...] = ()
    """What is the matter with documents inside, each of which failed."""


def failed(name: str, error: FileError) -> Outcome:
    """What comes of a document that failed; in a folder it is no failure that a file is no document."""
    if isinstance(error, OtherFormatError) and error.in_folder:
        return Outcome(name, notes=(str(error),), documents=0, others=1)
    return Outcome(name, error=error)


class Named(Protocol):
    """Something that stands for a document."""

    @property
    def name(self) -> str:
        """The document's name, for people."""


_Item = TypeVar("_Item", bound=Named)


@dataclass(frozen=True, slots=True)
class Task(Generic[_Item]):
    """Work of which what goes wrong is an outcome; only what concerns standard output itself is raised."""

    work: Callable[[_Item], Outcome]

    def __call__(self, item: _Item | FileError) -> Outcome:
        """Work on one document."""
        if isinstance(item, FileError):
            return Outcome(item.file, error=item)
        try:
            return self.work(item)
        except OutputError as error:
            raise error.error from None
        except FileError as error:
            return failed(item.name, error)
        except MemoryError:
            return Outcome(item.name, error=FileError(item.name, "there is not enough memory for it", "try --jobs 1"))
        except Exception as error:
            return Outcome(item.name, error=FileError(item.name, fault(error)))


@dataclass(frozen=True, slots=True)
class Each(Generic[_Item]):
    """A task for one document, for each of several."""

    task: Task[_Item]

    def __call__(self, items: Sequence[_Item | FileError]) -> list[Outcome]:
        """Work on them."""
        return [self.task(item) for item in items]


@dataclass(slots=True)
class Tally:
    """What is counted over all documents."""

    documents: int = 0
    others: int = 0
    """Files that turned out to be no documents."""
    failed: int = 0
    changed_documents: int = 0
    references: int = 0
    changed: int = 0
    missing: int = 0
    """References that were written to what is not there."""
    otherwise: int = 0
    """References that were left, or written in another way, since browsers read them otherwise."""
    withheld: int = 0
    """References that stay, not to become `file:` URIs of this machine."""

    def add(self, outcome: Outcome) -> None:
        """Count one document."""
        if outcome.error is not None:
            self.failed += 1
            return
        self.failed += len(outcome.diagnostics)
        self.documents += outcome.documents
        self.others += outcome.others
        self.references += outcome.references
        self.changed += outcome.changed
        self.missing += outcome.missing
        self.otherwise += outcome.otherwise
        self.withheld += outcome.withheld
        changed = outcome.changed_documents
        self.changed_documents += outcome.changed > 0 if changed is None else changed

    @property
    def exit_code(self) -> int:
        """0, or 2 if any document failed, or nothing could be done but leave references as they are."""
        return FAILED if self.failed or (self.withheld and not self.changed) else 0


def open_found(document: FileDocument, settings: Settings) -> tuple[bytes, Document]:
    """Read a document: its bytes, unpacked, and what they hold. Raises `FileError`."""
    data = contents(document, read(document), settings)
    return data, open_read(document, data, settings)


def contents(document: FileDocument, data: bytes, settings: Settings) -> bytes:
    """A document that was read, unpacked if it is gzipped. Raises `FileError`."""
    return unpacked(document.name, data, settings.limits()) if is_packed(data) else data


def open_read(document: FileDocument, data: bytes, settings: Settings) -> Document:
    """What a document holds that was read and unpacked. Raises `FileError`."""
    from rehref.api import Options, open_document

    options = Options(
        url=document.url,
        entity_base=settings.entity_base,
        default_base=settings.default_base,
        media_type=settings.media_type or media_type(document, data),
        encoding=settings.encoding,
        parser=settings.parser,
        profile=settings.profile,
        ignore_embedded_base=settings.ignore_embedded_base,
        scripting=settings.scripting,
        strict_uris=settings.strict_uris,
        conditional_comments=settings.conditional_comments,
        attributes=settings.attributes(),
        content_location_base=settings.content_location_base,
        max_size=settings.max_size,
        ignore_saved_from=settings.ignore_saved_from,
    )
    try:
        return open_document(data, options, document.own)
    except (ValueError, LookupError) as error:
        if type(error).__module__.startswith("rehref."):
            raise FileError(document.name, str(error), "see --media-type, --encoding and --parser") from error
        raise


def oddities(document: FileDocument, data: bytes, settings: Settings) -> tuple[str, ...]:
    """What is to be said of a document that was read and unpacked: that it is XML and not well-formed."""
    if reader_of(essence(settings.media_type or media_type(document, data))) != "xml":
        return ()
    from rehref.documents.well_formed import not_well_formed

    found = not_well_formed(data)
    return () if found is None else (f"{document.name}: {found}; browsers and feed readers stop there",)


def decoded(document: FileDocument, settings: Settings, *versions: bytes) -> list[str]:
    """Versions of a document that was read, as text without its byte order mark; the first tells the encoding."""
    from rehref.api import encoding_of
    from rehref.text.encoding import decode

    sniffed = encoding_of(versions[0], settings.media_type or media_type(document, versions[0]), settings.encoding)
    return [decode(data[sniffed.bom :], sniffed.name) for data in versions]


def find(sources: Sequence[str], settings: Settings) -> Discovered:
    """Find all documents of the sources. Raises `FileError` if `--url` does not go with them."""
    discovered = discover(sources, settings.url)
    if settings.urls is not None:
        from rehref.cli.urls_table import read_table

        table = read_table(settings.urls, sources)
        discovered = table.given(discovered)
        for note in (table.contradiction, table.note(discovered.found, sources)):
            if note is not None and not settings.quiet:
                say(note)
    count = len(discovered.found)
    if settings.headers is not None and count > 1:
        raise FileError(settings.headers, f"cannot be the headers of {count} documents", "name one SOURCE")
    return discovered


def counted(documents: int, others: int | None) -> str:
    """`1 document`, `9 documents; 31 other files`; `others`: None where there was no folder to have any."""
    text = "1 document" if documents == 1 else f"{documents:,} documents"
    if not others:
        return text
    return f"{text}; 1 other file" if others == 1 else f"{text}; {others:,} other files"


def reads_stdin(found: Sequence[DocumentOrError]) -> bool:
    """Whether standard input is among the documents."""
    return any(isinstance(each, FileDocument) and each.path is None for each in found)


def process(
    work: Callable[[_Item], Outcome],
    items: Sequence[_Item | FileError],
    settings: Settings,
    tally: Tally,
    *,
    here: bool,
    prints: bool,
) -> Iterator[Outcome]:
    """Work on documents and give what came of those that did not fail, in order.

    Failures and notes are told on standard error. `here`: in this process only. `prints`: results go to standard
    output.
    """
    jobs = 1 if here else how_many(settings.jobs, len(items), WORTH_A_PROCESS)
    chunks = chunks_of(items, jobs, _LONGEST_CHUNK if jobs > 1 else 1)
    outcomes = chain.from_iterable(results(Each(Task(work)), chunks, jobs))
    yield from watch(outcomes, len(items), settings, tally, prints=prints)


def watch(
    outcomes: Iterable[Outcome], total: int | None, settings: Settings, tally: Tally, *, prints: bool
) -> Iterator[Outcome]:
    """Count outcomes, of which there are `total` if that is known, and pass on those that did not fail."""
    from rehref.cli.progress import Progress, wanted

    shown = wanted(quiet=settings.quiet, no_progress=settings.no_progress, prints_results=prints)
    progress = Progress(total, shown=shown)
    for outcome in progress.watch(outcomes):
        tally.add(outcome)
        if outcome.error is not None:
            progress.say(str(outcome.error))
            continue
        for diagnostic in outcome.diagnostics:
            progress.say(str(diagnostic))
        if not settings.quiet:
            for note in outcome.notes:
                progress.say(note)
        yield outcome
