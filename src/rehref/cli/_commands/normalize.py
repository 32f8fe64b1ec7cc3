"""`rehref normalize`: URIs in their normal form (`rehref.uri.normalization`)."""

from __future__ import annotations

import click

import rehref
from rehref.cli import output
from rehref.cli._reference_lines import each_reference, format_option, references_argument, show_objects
from rehref.cli.config import config_option
from rehref.reports.formats import TEXT
from rehref.reports.terminal import visible
from rehref.uri.components import mask_text


@click.command(
    "normalize",
    short_help="Normalize URIs.",
    epilog="""
    \b
    Examples:
      rehref normalize HTTP://Example.ORG:80/%7euser/../a
      rehref find --format uris notes.txt | rehref normalize - | sort -u
    """,
)
@references_argument("URI...")
@format_option
@config_option
def command(references: tuple[str, ...], format: str) -> None:
    """Normalize URIs (RFC 3986, 6.2.2 and 6.2.3), and print them, one a line.

    Scheme and host are written in lower case, escapes in upper case. Unreserved characters are unescaped, dot segments
    and default ports removed; an empty path becomes / where the scheme says so. A relative reference keeps its dot
    segments. With - for a URI, standard input is read, one URI a line. Passwords are shown as ***.
    """
    found = ((mask_text(reference), mask_text(rehref.normalize(reference))) for reference in each_reference(references))
    if format == TEXT:
        for _, normalized in found:
            output.show(visible(normalized) + "\n")
        return
    show_objects(({"reference": reference, "normalized": normalized} for reference, normalized in found), format)
