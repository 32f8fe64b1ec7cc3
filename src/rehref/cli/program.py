"""The program: a group of commands that are loaded when they are used.

Answering `--version` or listing the commands loads none of what they work with.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from rehref._native import HOW
from rehref._version import __version__
from rehref.cli.errors import OptionError, ReaderGoneError, guarded, with_origin
from rehref.exceptions import SlowExpressionError

COMMANDS = {
    "links": "rehref.cli.commands.links.command",
    "rewrite": "rehref.cli.commands.rewrite.command",
    "check": "rehref.cli.commands.check.command",
    "compare": "rehref.cli.commands.compare",
    "serve": "rehref.cli.commands.serve",
    "find": "rehref.cli.commands.find",
    "resolve": "rehref.cli.commands.resolve",
    "normalize": "rehref.cli.commands.normalize",
    "validate": "rehref.cli.commands.validate",
    "explain": "rehref.cli.commands.explain",
    "parsers": "rehref.cli.commands.parsers",
    "help": "rehref.cli.commands.help",
}
"""Every command and its module, in the order of the help; the module calls it `command`."""
_COMPLETE = "_REHREF_COMPLETE"
"""The variable that a shell sets when it asks for completions."""


class Program(click.Group):
    """A group that imports its commands when they are asked for, and turns every error into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        return load(cmd_name) if cmd_name in COMMANDS else None

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
            from rehref.cli.completion import use_our_completion

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
        return load(name)
    from rehref.text.nearest import nearest

    near = f"rehref check {name}" if Path(name).exists() else nearest(name, COMMANDS)
    raise click.UsageError(f"no such command {name!r}{'' if near is None else f'; did you mean {near}?'}", context)


def load(name: str) -> click.Command:
    """Import a command."""
    command: click.Command = import_module(COMMANDS[name]).command
    return command


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
