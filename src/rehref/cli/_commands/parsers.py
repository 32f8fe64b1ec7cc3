"""`rehref parsers`: list the parser cores."""

from __future__ import annotations

import json

import click

from rehref.cli import output
from rehref.cli.click_options import color_option
from rehref.cli.config import config_option
from rehref.cli.parameters import Choice, setting
from rehref.reports.terminal import shown


@click.command("parsers", short_help="List the parsers.")
@setting(
    "-f",
    "--format",
    type=Choice(("table", "json")),
    default="table",
    show_default=True,
    help="The format of the list.",
    found="counts",
)
@color_option
@config_option
def command(format: str) -> None:
    """List the parsers, the values of --parser, and whether the default one runs compiled.

    Packages add parsers through the entry-point group rehref.parsers. One that cannot be loaded is listed with the
    reason.
    """
    from rehref._native import HOW, TWIN
    from rehref.documents.options import OPTIONS

    names = OPTIONS["parser"].known()
    default_one = names[0]
    found = [(name, *_described(name)) for name in names]
    if format == "json":
        objects = [
            {
                "name": name,
                "default": name == default_one,
                "compiled": TWIN is not None if name == default_one else None,
                "summary": summary,
                "error": error,
            }
            for name, summary, error in found
        ]
        output.write_bytes(output.for_programs(json.dumps(objects, ensure_ascii=False, indent=2) + "\n"))
        return
    style = output.screen().style
    wide = max(len(name) for name, _, _ in found)
    for name, summary, error in found:
        text = style.alarm(f"broken: {shown(error)}") if error is not None else shown(summary or "")
        default = style.faint(f"  (default, {HOW})") if name == default_one else ""
        line = f"{style.strong(name)}{' ' * (wide - len(name))}  {text}{default}\n"
        output.show(line)


def _described(name: str) -> tuple[str | None, str | None]:
    """Return the summary of a core, or why it cannot be loaded."""
    from rehref.documents.options import ReadOptions
    from rehref.exceptions import ParserError

    try:
        return str(ReadOptions(parser=name).core().summary), None
    except ParserError as error:
        return None, str(error)
    except Exception as error:
        return None, f"{type(error).__name__}: {error}"
