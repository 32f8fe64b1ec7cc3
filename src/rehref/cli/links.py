"""`rehref links`: what documents refer to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from rehref.cli import output
from rehref.cli.documents import Outcome, Tally, find, open_found, process, reads_stdin
from rehref.cli.options import Settings, document_options, sources_argument
from rehref.entities.files import FileDocument

if TYPE_CHECKING:
    from rehref.reports import Format

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
        text = self.form.document(document.name, opened.base, opened.links())
        data = output.for_programs(text) if self.encoding is None else output.for_people(text, self.encoding)
        return Outcome(document.name, data, references=len(opened.references))


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
    """
    form = make_format(format)
    work = ListLinks(settings, form, output.screen().encoding if format == "table" else None)
    found = find(sources, settings)
    tally = Tally()
    encode = output.for_programs
    output.write_bytes(encode(form.head))
    between = b""
    for outcome in process(work, found, settings, tally, here=reads_stdin(found), prints=True):
        if outcome.output:
            output.write_bytes(between)
            output.write_bytes(outcome.output)
            between = encode(form.between)
    output.write_bytes(encode(form.tail))
    context.exit(tally.exit_code)
