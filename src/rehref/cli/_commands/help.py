"""`rehref help COMMAND [WORD]`: show what `rehref COMMAND --help [WORD]` shows."""

from __future__ import annotations

import click

from rehref.cli.config import config_option
from rehref.cli.parameters import CommandName
from rehref.cli.program import command_named, help_about


@click.command("help", short_help="Show the help of a command.")
@click.argument("name", metavar="[COMMAND]", required=False, type=CommandName())
@click.argument("word", metavar="[WORD]", required=False)
@config_option
@click.pass_context
def command(context: click.Context, name: str | None, word: str | None) -> None:
    """Show the help of a command; without one, that of rehref. WORD: all, or a word of what the options are about."""
    program = context.find_root()
    if name is None:
        click.echo(program.get_help())
        return
    found = command_named(name, context)
    with click.Context(found, program, name) as of_command:
        click.echo(of_command.get_help() if word is None else help_about(of_command, word))
