"""`rehref links`: what documents refer to.

With `--parser all`, what parser cores disagree about (`compare_parsers`). Of a container its documents are reported one
after the other, as they are read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import click

from rehref.cli import output
from rehref.cli.documents import (
    Outcome,
    Tally,
    contents,
    counted,
    failed,
    find,
    oddities,
    open_found,
    open_read,
    process,
    reads_stdin,
    watch,
)
from rehref.cli.errors import say
from rehref.cli.options import (
    ALL_PARSERS,
    Settings,
    configured,
    document_options,
    raw_csv_option,
    sources_argument,
    strict_uris_option,
)
from rehref.files.file_documents import DocumentOrError, FileDocument
from rehref.files.file_errors import FileError

if TYPE_CHECKING:
    from rehref.cli.commands.links.compare_parsers import Compare
    from rehref.containers.registry import Container
    from rehref.documents.document import Document
    from rehref.reports import Format
    from rehref.reports.disagreement_formats import DisagreementFormat

FORMATS = ("table", "json", "jsonl", "csv")


@dataclass(frozen=True, slots=True)
class ListLinks:
    """Format the links of one document; `encoding`: that of text for people, None for programs."""

    settings: Settings
    form: Format
    encoding: str | None

    def __call__(self, document: FileDocument) -> Outcome:
        """Do it. Raises `FileError`."""
        data, opened = open_found(document, self.settings)
        return self._outcome(document, data, opened)

    def inside(self, document: FileDocument) -> Iterator[Outcome]:
        """Format the links of the documents of a container, one after the other; or those of what is none.

        That a file cannot be read, or memory is short, is an outcome; what else goes wrong with it all is raised.
        """
        from rehref.cli.containers import opened_source

        try:
            with opened_source(document, self.settings) as source:
                if isinstance(source, bytes):
                    data = contents(document, source, self.settings)
                    yield self._outcome(document, data, open_read(document, data, self.settings))
                else:
                    yield from self._parts(document, source)
        except FileError as error:
            yield failed(document.name, error)
        except MemoryError:
            yield Outcome(document.name, error=FileError(document.name, "there is not enough memory for it"))

    def _parts(self, document: FileDocument, container: Container) -> Iterator[Outcome]:
        from rehref.cli.containers import outcome_of
        from rehref.containers.opening import not_read, opened
        from rehref.containers.parts import Diagnostic

        for each in opened(container, self.settings.reading()):
            if isinstance(each, Diagnostic):
                yield outcome_of(document, each)
                continue
            part, opened_part = each
            try:
                links = list(opened_part.links())
            except Exception as error:
                yield outcome_of(document, not_read(part, error))
                continue
            name = document.name if self.encoding is None else f"{document.name}, {part.heading}"
            text = self.form.document(name, opened_part.base, links, container.where)
            yield Outcome(name, self._shown(text), references=len(links))

    def _outcome(self, document: FileDocument, data: bytes, opened: Document) -> Outcome:
        links = list(opened.links())
        text = self.form.document(document.name, opened.base, links)
        notes = oddities(document, data, self.settings)
        return Outcome(document.name, self._shown(text), notes=notes, references=len(links))

    def _shown(self, text: str) -> bytes:
        return output.for_programs(text) if self.encoding is None else output.for_people(text, self.encoding)


def make_format(name: str, *, raw_csv: bool = False) -> Format:
    """The format of that name, for standard output as it is."""
    if name == "table":
        from rehref.reports.table import Table

        screen = output.screen()
        return Table(screen.columns, screen.style)
    if name == "csv":
        from rehref.reports.csv_format import Csv

        return Csv(raw_csv)
    from rehref.reports.json_format import Json, JsonLines

    return Json() if name == "json" else JsonLines()


@click.command(
    "links",
    short_help="Report every reference, its base and its target.",
    epilog="""
    \b
    Examples:
      rehref links page.html
      rehref links --url https://example.org/docs/ docs/ --format jsonl > links.jsonl
      curl -s https://example.org/a/b | rehref links --url https://example.org/a/b -
      rehref links --parser all site/
    """,
)
@sources_argument
@click.option(
    "--format",
    type=click.Choice(FORMATS),
    default="table",
    show_default=True,
    help="For people, or for programs: one array, one object a line, or comma-separated values.",
)
@raw_csv_option
@strict_uris_option
@document_options
@click.pass_context
def command(context: click.Context, sources: tuple[str, ...], format: str, raw_csv: bool, settings: Settings) -> None:
    """Report every reference in documents: where it stands, what it is relative to and why, and its target.

    A SOURCE is a file, a folder (all documents in it, hidden ones and symbolic links to folders aside), or - for
    standard input. What it is, its content tells: HTML, XML, CSS, plain text; or a container of documents, all of which
    are reported: MHTML and mail, WARC, ARC and WACZ, EPUB, a saved HTTP response. Lines, columns and spans are those in
    the document inside. Passwords in URIs are shown as ***, in every format.

    With --parser all, every parser core reads each document, and what is reported is what they disagree about, with the
    cores that have each link.
    """
    discovered = find(sources, settings)
    found = discovered.found
    tally = Tally()
    work: ListLinks | Compare
    outcomes: Iterable[Outcome]
    if settings.parser == ALL_PARSERS:
        from rehref.cli.commands.links.compare_parsers import comparison, summary

        work = comparison(settings, format, raw_csv=raw_csv)
        outcomes = process(work, found, settings, tally, here=reads_stdin(found), prints=True)
    else:
        work = ListLinks(
            settings, make_format(format, raw_csv=raw_csv), output.screen().encoding if format == "table" else None
        )
        outcomes = _outcomes(work, found, settings, tally)
    _report(work.form, outcomes)
    if settings.parser == ALL_PARSERS and format == "table" and not settings.quiet:
        output.write_bytes(summary(tally))
    others = (discovered.others or 0) + tally.others
    if (others or configured(context)) and not settings.quiet:
        output.flush()
        say(counted(tally.documents, others) + configured(context))
    context.exit(tally.exit_code)


def _outcomes(work: ListLinks, found: Sequence[DocumentOrError], settings: Settings, tally: Tally) -> Iterator[Outcome]:
    """What comes of documents and containers, in order."""
    from rehref.cli.containers import by_container

    for held, run in by_container(found, settings):
        if held:
            inside = chain.from_iterable(work.inside(each) for each in run if isinstance(each, FileDocument))
            yield from watch(inside, None, settings, tally, prints=True)
        else:
            yield from process(work, run, settings, tally, here=reads_stdin(run), prints=True)


def _report(form: Format | DisagreementFormat, outcomes: Iterable[Outcome]) -> None:
    """Write a report, document by document."""
    encode = output.for_programs
    output.write_bytes(encode(form.head))
    between = b""
    for outcome in outcomes:
        if outcome.output:
            output.write_bytes(between)
            output.write_bytes(outcome.output)
            between = encode(form.between)
    output.write_bytes(encode(form.tail))
