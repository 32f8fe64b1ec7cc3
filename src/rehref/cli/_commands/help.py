"""`rehref help COMMAND`: show what `rehref COMMAND --help` shows."""

from __future__ import annotations

import click

from rehref.cli.config import config_option
from rehref.cli.parameters import CommandName
from rehref.cli.program import command_named


@click.command("help", short_help="Show the help of a command.")
@click.argument("name", metavar="[COMMAND]", required=False, type=CommandName())
@config_option
@click.pass_context
def command(context: click.Context, name: str | None) -> None:
    """Show the help of a command; without one, that of rehref."""
    program = context.find_root()
    if name is None:
        click.echo(program.get_help())
        return
    found = command_named(name, context)
    with click.Context(found, program, name) as of_command:
        click.echo(found.get_help(of_command))
