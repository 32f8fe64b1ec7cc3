"""The options of a command in groups, in which `--help`, man pages and the reference show them.

1. `@group(NAME)` puts the options below it into a group, except those that are in one already. Options in none are in
   `GENERAL`, as is `--help`.
2. Groups and options are in the order of their declaration: what is needed most comes first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import click

GENERAL: Final = "General"
"""The group of what most commands have, which is the last one."""
_WIDEST: Final = 24
"""The width of the column of names; a longer name has a line of its own."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


def group(name: str) -> Callable[[_Command], _Command]:
    """Put the options that are declared below into a group (rule 1)."""

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
