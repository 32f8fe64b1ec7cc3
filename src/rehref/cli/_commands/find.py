"""`rehref find`: the URIs in plain text, with their positions.

Every file is read as plain text, whatever its name and content, so the output in `json` and `jsonl` is that of `rehref
links --media-type text/plain`. A file that cannot be read is reported, the others are read, and the exit code is 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import click

from rehref.cli import output
from rehref.cli.click_options import declared, sources_argument
from rehref.cli.config import config_option
from rehref.cli.messages import FAILED, say
from rehref.cli.parameters import Choice, setting
from rehref.documents.link import Link
from rehref.documents.options import SourceOptions
from rehref.files.discovery import discover
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.sources import opened
from rehref.reports.formats import ARRAY, LINES, TEXT, Presentation, links_format
from rehref.reports.terminal import visible
from rehref.uri.components import mask_text

_TEXT: Final = "text/plain"
_URIS: Final = "uris"
FORMATS: Final = (TEXT, _URIS, ARRAY, LINES)


@click.command(
    "find",
    short_help="Find the URIs in plain text.",
    epilog="""
    \b
    Examples:
      rehref find notes.txt src/*.py
      git log -p | rehref find --format uris - | sort -u
    """,
)
@sources_argument
@setting(
    "-f",
    "--format",
    type=Choice(FORMATS),
    default=FORMATS[0],
    show_default=True,
    help="The format of the output. text: FILE:LINE:COLUMN: URI; uris: only the URIs, one a line; json, jsonl: as "
    "rehref links prints links.",
    found="counts",
)
@declared("find")
@config_option
@click.pass_context
def command(context: click.Context, sources: tuple[str, ...], format: str, encoding: str | None) -> None:
    """Find the URIs in plain text, and print each with its line and column.

    A SOURCE is a file, a folder (all files in it, except hidden ones), or - for standard input. All are read as plain
    text, whatever their type. A URI ends as RFC 3986, Appendix C, describes: at white space, at the closing > or quote,
    and before the punctuation of the sentence around it. References without a scheme are not found. Passwords are shown
    as ***.
    """
    options = SourceOptions(media_type=_TEXT, encoding=encoding)
    options.refuse_unusable()
    status = 0
    form = links_format(format, Presentation()) if format in (ARRAY, LINES) else None
    show = output.show if form is None else _show_to_programs
    if form is not None:
        show(form.head)
    between = ""
    for file in discover(sources, everything=True).found:
        try:
            name, links = _read(file, options)
        except FileError as error:
            status = FAILED
            output.flush()
            say(str(error))
            continue
        if form is None:
            show("".join(_lines(name, links, with_places=format == TEXT)))
        elif links:
            show(between + form.document(name, links[0].base, links))
            between = form.between
    if form is not None:
        show(form.tail)
    context.exit(status)


def _show_to_programs(text: str) -> None:
    output.write_bytes(output.for_programs(text))


def _read(file: FileDocument | FileError, options: SourceOptions) -> tuple[str, list[Link]]:
    """Return the links of a text. Raises `FileError`."""
    if isinstance(file, FileError):
        raise file
    with opened(file, options) as found:  # which is not a container, for it is plain text
        return file.name, list(found.read_named().document.links())


def _lines(name: str, links: Iterable[Link], *, with_places: bool) -> Iterable[str]:
    for link in links:
        uri = visible(mask_text(link.reference))
        doubts = "".join(f"  ({problem.message})" for problem in link.problems if problem.code == "hyphen-at-break")
        yield f"{visible(name)}:{link.line}:{link.column}: {uri}{doubts}\n" if with_places else f"{uri}\n"
