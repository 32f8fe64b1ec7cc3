"""The program: a group of commands that are loaded when they are used, and their options in groups.

1. Answering `--version` or listing the commands loads none of what they work with.
2. `--help`, man pages and the reference show the options of a command in groups. `@group(NAME)` puts the options below
   it into a group, except those that are in one already. Options in none are in `GENERAL`, as is `--help`.
3. Groups and options are in the order of their declaration: what is needed most comes first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from rehref._native import HOW
from rehref._version import __version__
from rehref.cli.errors import OptionError, ReaderGoneError, guarded, with_origin
from rehref.exceptions import SlowExpressionError

COMMANDS = {
    "links": "rehref.cli._commands.links.command",
    "rewrite": "rehref.cli._commands.rewrite.command",
    "check": "rehref.cli._commands.check.command",
    "compare": "rehref.plugins.compare.command",
    "mv": "rehref.plugins.mv.command",
    "lsp": "rehref.plugins.lsp.command",
    "serve": "rehref.plugins.serve.command",
    "find": "rehref.cli._commands.find",
    "resolve": "rehref.cli._commands.resolve",
    "normalize": "rehref.cli._commands.normalize",
    "validate": "rehref.cli._commands.validate",
    "explain": "rehref.cli._commands.explain_command",
    "parsers": "rehref.cli._commands.parsers",
    "help": "rehref.cli._commands.help",
}
"""Every command and its module, in the order of the help; the module calls it `command`."""
_COMPLETE = "_REHREF_COMPLETE"
"""The variable that a shell sets when it asks for completions."""
GENERAL: Final = "General"
"""The group of what most commands have, which is the last one."""
_WIDEST: Final = 24
"""The width of the column of names; a longer name has a line of its own."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


class Program(click.Group):
    """A group that imports its commands when they are asked for, and turns every error into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        return import_command(cmd_name) if cmd_name in COMMANDS else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the arguments begin with; the error for an unknown one names the nearest."""
        if not ctx.resilient_parsing and not args[0].startswith("-"):
            return args[0], command_named(args[0], ctx), args[1:]
        return super().resolve_command(ctx, args)

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run the program; in standalone mode, end the process with its exit code."""
        if _COMPLETE in os.environ:
            from rehref.cli._completion import use_our_completion

            use_our_completion()
        # Windows: an argument with an asterisk may be a GLOB; `click_options` expands the names of sources
        whole = partial(super().main, *args, windows_expand_args=False, standalone_mode=False, **extra)
        return sys.exit(guarded(whole)) if standalone_mode else whole()

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGoneError from error  # click treats an OSError of that kind in its own way
        except (OptionError, SlowExpressionError) as error:
            error.args = (with_origin(ctx, str(error)),)
            raise


def command_named(name: str, context: click.Context) -> click.Command:
    """The command of that name. Raises `click.UsageError`, which names the nearest."""
    if name in COMMANDS:
        return import_command(name)
    from rehref.text.nearest import nearest

    near = f"rehref check {name}" if Path(name).exists() else nearest(name, COMMANDS)
    raise click.UsageError(f"no such command {name!r}{'' if near is None else f'; did you mean {near}?'}", context)


def import_command(name: str) -> click.Command:
    """Import a command."""
    command: click.Command = import_module(COMMANDS[name]).command
    return command


def group(name: str) -> Callable[[_Command], _Command]:
    """Put the options that are declared below into a group (rule 2)."""

    def mark(command: _Command) -> _Command:
        for option in vars(command).get("__click_params__", ()):  # where click keeps them until there is a command
            vars(option).setdefault("group", name)
        return command

    return mark


class GroupedCommand(click.Command):
    """A command with options in groups."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, a section for each group."""
        for name, options in option_groups(self, ctx).items():
            rows = [row for option in options if (row := option.get_help_record(ctx))]
            widest = max(len(names) for names, _ in rows)
            with formatter.section(name):
                formatter.write_dl(rows, _WIDEST, 2 + max(0, _WIDEST - widest))  # the same columns in all groups


def option_groups(command: click.Command, context: click.Context) -> dict[str, list[click.Option]]:
    """Return the options that the help of a command shows, by group; all in one group if it has no others."""
    groups: dict[str, list[click.Option]] = {}
    for option in command.get_params(context):
        if isinstance(option, click.Option) and not option.hidden:
            name = getattr(option, "group", GENERAL) if isinstance(command, GroupedCommand) else "Options"
            groups.setdefault(name, []).append(option)
    return groups


@click.group(
    "rehref",
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""
    Exit codes: 0, nothing wrong; 1, broken links found (check) or invalid references (validate); 2, a usage,
    configuration or I/O error, reported in one line; 130, interrupted (Ctrl-C); 141, the reader of the results has
    closed the pipe (| head).

    \b
    Options may be set in rehref.toml, or in pyproject.toml below [tool.rehref], with "_" for "-".
    The nearest such file counts, from the working directory upward, except options that write
    files or ask servers; with --config FILE all of FILE counts. The command line takes precedence:
        [tool.rehref]
        profile = "whatwg"
        [tool.rehref.links]
        format = "jsonl"

    \b
    Shell completion, for bash (with zsh_source for zsh), and for fish:
        eval "$(_REHREF_COMPLETE=bash_source rehref)"
        _REHREF_COMPLETE=fish_source rehref | source
    """,
)
@click.version_option(__version__, "-V", "--version", prog_name="rehref", message=f"%(prog)s %(version)s ({HOW})")
@click.pass_context
def program(context: click.Context) -> None:
    """Find every reference in documents, say what it is relative to and why, and resolve, report or rewrite it."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
