"""`rehref links`: report the references of documents.

With `--parser all` it reports where parser cores disagree (`compare_parsers`). The documents of a container are
reported one by one, as they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rehref.archives.links_of_many import DocumentLinks, documents_of, notes_and_errors
from rehref.archives.pieces import RunCounts
from rehref.cli import output as standard_output
from rehref.cli._outcomes import Outcome, find, run
from rehref.cli.click_options import ALL_PARSERS, Settings, document_options, raw_csv_option, sources_argument
from rehref.cli.config import configured
from rehref.cli.messages import FAILED, OptionError, say
from rehref.cli.parameters import Report, Size, WholeNumber, setting
from rehref.cli.program import GroupedCommand, group
from rehref.containers.parts import Diagnostic
from rehref.files.file_documents import FileDocument
from rehref.reports.formats import (
    OF_LINKS,
    AnyText,
    InventoryLimits,
    LinksFormat,
    Presentation,
    described,
    links_format,
    named,
)
from rehref.reports.terminal import count

if TYPE_CHECKING:
    from rehref.cli._commands.links.compare_parsers import CompareParsers
    from rehref.cli._commands.links.show_inventory import TakeInventory
    from rehref.files.file_documents import DocumentOrError


PARQUET = "parquet"
"""The format that only goes into files."""
INTO_FOLDER = (*(row.name for row in OF_LINKS if row.into_folder), PARQUET)
"""The formats that `-o` writes into a folder, piece by piece."""
_FORMAT = Report({row.name: row.summary for row in OF_LINKS} | {PARQUET: "tables, with -o"})
_LARGE = 32 << 20
"""The size of a document, in bytes, that is read in this process."""


@dataclass(frozen=True, slots=True)
class ListLinks:
    """Format the links of a document; `encoding`: that of text for people, None for programs."""

    settings: Settings
    form: LinksFormat
    encoding: str | None
    inventory: TakeInventory | None = None
    """What makes the result of a document instead, if the report is about all documents together."""

    def __call__(self, file: FileDocument) -> Iterator[Outcome]:
        """Yield the outcome of each document in the file. Raises `FileError`."""
        number = 0
        for each in documents_of(file, self.settings.options):
            found = each if isinstance(each, Diagnostic) else each.guarded(partial(self._outcome, file, number))
            if isinstance(found, Diagnostic):
                yield Outcome(b"", *notes_and_errors(file, [found]), is_part=True)
            else:
                yield found
                number += 1
            del each, found  # they may be large, and the next one is read now

    def _outcome(self, file: FileDocument, number: int, read: DocumentLinks) -> Outcome:
        """Return the outcome of document `number` of a file."""
        for_programs = self.encoding is None and self.inventory is None
        name = file.name if for_programs or not read.title else f"{file.name}, {read.title}"
        if self.inventory is not None:
            return self.inventory(file.name, number, name, read)
        written = self.form.written(name, read.document, read.where)
        output: AnyText
        if written is None:
            links = read.links
            text = self.form.document(name, read.document.base, links, read.where)
            output, count = standard_output.encoded(text, self.encoding), len(links)
        else:
            output, count = written
        counts = RunCounts(documents=1, references=count)
        return Outcome(output, read.notes, counts=counts, is_part=read.container is not None)


@click.command(
    "links",
    cls=GroupedCommand,
    short_help="Report every reference, its base and its target.",
    epilog="""
    \b
    Examples:
      rehref links page.html
      rehref links --url https://example.org/docs/ docs/ --format jsonl > links.jsonl
      curl -s https://example.org/a/b | rehref links --url https://example.org/a/b -
      rehref links --parser all site/
      rehref links crawl/*.warc.gz --format parquet -o links/
    """,
)
@sources_argument
@group("Output")
@setting(
    "-f",
    "--format",
    type=_FORMAT,
    metavar="NAME[=FILE]",
    default=OF_LINKS[0].name,
    show_default=True,
    help=f"The format of the report, and its file if one is named. {described(OF_LINKS)}; {PARQUET}: tables, with -o.",
    found="writes",
)
@setting(
    "-o",
    "--output",
    type=click.Path(),
    metavar="FILE|DIR",
    help="Write the report to this file. With jsonl and parquet: write files into this new folder, using all processor "
    "cores, also for one archive (--format jsonl=FILE writes one file).",
    found="writes",
)
@setting(
    "--ordered",
    is_flag=True,
    help="With -o: report progress in the order of the input. Without it, in any order, which is faster if files "
    "differ in size. The written files are the same.",
    found="counts",
)
@setting("--resume", is_flag=True, help="With -o: continue a run that was interrupted or killed.", found="writes")
@raw_csv_option
@setting(
    "--max-documents",
    type=WholeNumber(min=0),
    default=InventoryLimits().documents,
    show_default=True,
    metavar="N",
    help="In html, show at most N documents. The others are counted.",
    found="counts",
)
@setting(
    "--max-references",
    type=WholeNumber(min=0),
    default=InventoryLimits().references,
    show_default=True,
    metavar="N",
    help="In html, show at most N references, of all documents together. The others are counted.",
    found="counts",
)
@setting(
    "--max-source",
    type=Size(least=0),
    default=f"{InventoryLimits().source >> 10}K",
    show_default=True,
    metavar="SIZE",
    help="In html, show at most SIZE of a document's source.",
    found="counts",
)
@document_options("links")
@click.pass_context
def command(
    context: click.Context,
    sources: tuple[str, ...],
    format: str,
    raw_csv: bool,
    max_documents: int,
    max_references: int,
    max_source: int,
    output: str | None,
    resume: bool,
    ordered: bool,
    settings: Settings,
) -> None:
    """Report every reference in documents: its place, what it is relative to and why, and its target.

    A SOURCE is a file, a folder (all documents in it, except hidden ones and symbolic links to folders), or - for
    standard input. rehref recognizes the type of a document by its content: HTML, XML, CSS, plain text. In a container
    (MHTML and mail, WARC, ARC and WACZ, EPUB, a saved HTTP response) it reads all documents; lines, columns and spans
    are those in the document inside. Passwords in URIs are shown as ***, in every format.

    With --parser all, every parser core reads each document, and rehref reports where they disagree, with the cores
    that found each link.
    """
    form_name, file = _FORMAT.parted(format)
    if file is None and output is not None and form_name not in INTO_FOLDER:
        file, output = output, None
    elif file is not None and output is not None:
        raise OptionError(f"-o {output}", "the report has a file of its own", "leave it out")
    if output is not None or resume or ordered or form_name == PARQUET:
        from rehref.cli._commands.links import into_folder

        into_folder.refuse_unusable(output, form_name, settings, resume=resume, ordered=ordered)
    discovered = find(sources, settings)
    counts = RunCounts(others=discovered.others or 0)
    if output is not None:
        into_folder.write(output, discovered.found, settings, form_name, counts, resume=resume, ordered=ordered)
        context.exit(FAILED if counts.is_failure else 0)
    compared = settings.options.how.parser == ALL_PARSERS
    extent = InventoryLimits(max_documents, max_references, max_source)
    into = None if file is None or file in standard_output.STDOUT else Path(file)
    screen = standard_output.screen() if into is None else standard_output.NO_SCREEN
    presentation = Presentation(screen.columns, screen.style, raw_csv=raw_csv, compared=compared, extent=extent)
    form = links_format(form_name, presentation)
    encoding = screen.encoding if named(form_name, OF_LINKS).for_people else None
    is_of_all = named(form_name, OF_LINKS).of_all and not compared
    inventory = _inventory(extent, discovered.found) if is_of_all else None
    work = _work(settings, form, encoding, inventory)
    outcomes = run(work, discovered.found, settings, counts, streamed=_is_streamed, prints=into is None)
    if inventory is None:
        standard_output.write_report(partial(_report, form, outcomes), into)
    else:
        from rehref.cli._commands.links.show_inventory import write

        standard_output.write_report(partial(write, extent, sources, outcomes), into)
    if into is not None and not settings.quiet:
        say(f"{form_name} written to {into}")
    if compared and encoding is not None and not settings.quiet:
        gap = "\n" if counts.changed_documents else ""
        documents = count(counts.documents, "document")
        standard_output.write_bytes(f"{gap}{documents}, {counts.changed_documents:,} with disagreements\n".encode())
    if (counts.others or configured(context)) and not settings.quiet:
        standard_output.flush()
        say(counts.documents_and_others + configured(context))
    context.exit(FAILED if counts.is_failure else 0)


def _work(
    settings: Settings, form: LinksFormat, encoding: str | None, inventory: TakeInventory | None
) -> ListLinks | CompareParsers:
    """Return what is done with each document: list its links, or compare the parser cores."""
    if settings.options.how.parser != ALL_PARSERS:
        return ListLinks(settings, form, encoding, inventory)
    from rehref.cli._commands.links.compare_parsers import comparison

    return comparison(settings, form, encoding)


def _inventory(extent: InventoryLimits, found: Sequence[DocumentOrError]) -> TakeInventory:
    """Return what collects the documents for a report about all documents together."""
    from rehref.cli._commands.links.show_inventory import taking

    return taking(extent, found)


def _is_streamed(document: FileDocument) -> bool:
    """Return whether a file is read in this process in any case: its links may be too many to be sent."""
    path = document.path
    return path is None or document.size > _LARGE or (path.exists() and not path.is_file())


def _report(form: LinksFormat, outcomes: Iterable[Outcome], send: standard_output.Send) -> None:
    """Send a report, document by document."""
    send(standard_output.for_programs(form.head))
    between = b""
    for outcome in outcomes:
        if outcome.output:
            send(between)
            send(outcome.output)
            between = standard_output.for_programs(form.between)
    send(standard_output.for_programs(form.tail))
