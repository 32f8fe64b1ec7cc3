"""`rehref links`: what documents refer to.

With `--parser all`, what parser cores disagree about; `rehref.cli.compare` does that.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from rehref.cli import output
from rehref.cli.documents import Outcome, Tally, find, open_found, process, reads_stdin
from rehref.cli.options import ALL_PARSERS, Settings, document_options, sources_argument
from rehref.entities.files import FileDocument

if TYPE_CHECKING:
    from rehref.cli.compare import Compare
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
        _, opened = open_found(document, self.settings)
        links = list(opened.links())
        text = self.form.document(document.name, opened.base, links)
        data = output.for_programs(text) if self.encoding is None else output.for_people(text, self.encoding)
        return Outcome(document.name, data, references=len(links))


def make_format(name: str) -> Format:
    """The format of that name, for standard output as it is."""
    if name == "table":
        from rehref.reports.table import Table

        screen = output.screen()
        return Table(screen.columns, screen.style)
    if name == "csv":
        from rehref.reports.csv_format import Csv

        return Csv()
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
@document_options
@click.pass_context
def command(context: click.Context, sources: tuple[str, ...], format: str, settings: Settings) -> None:
    """Report every reference in documents: where it stands, what it is relative to and why, and its target.

    A SOURCE is a file, a folder (all documents in it, hidden ones and symbolic links to folders aside), or - for
    standard input. Passwords in URIs are shown as ***, in every format.

    With --parser all, every parser core reads each document, and what is reported is what they disagree about, with the
    cores that have each link.
    """
    found = find(sources, settings)
    tally = Tally()
    work: ListLinks | Compare
    if settings.parser == ALL_PARSERS:
        from rehref.cli.compare import comparison, summary

        work = comparison(settings, format)
    else:
        work = ListLinks(settings, make_format(format), output.screen().encoding if format == "table" else None)
    _report(work.form, process(work, found, settings, tally, here=reads_stdin(found), prints=True))
    if settings.parser == ALL_PARSERS and format == "table" and not settings.quiet:
        output.write_bytes(summary(tally))
    context.exit(tally.exit_code)


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
