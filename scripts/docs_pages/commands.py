"""The pages of commands: each option with its help, from click.

- A page for each command of the program, in the order of `rehref --help`, with a table for each group of options;
  nobody lists them here.
- Each option has an anchor: `reference/commands/check.html#--site-url`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import partial

import click

from docs_pages.markdown import code, plain, table
from rehref.cli.program import command_names, import_command, option_groups, program

_INDEX = """# Commands

`rehref help COMMAND` prints what these pages show. `rehref --version` prints the version, and whether the compiled part
runs.

"""


def _context(name: str) -> click.Context:
    above = click.Context(program, info_name="rehref", **program.context_settings)
    return click.Context(import_command(name), info_name=name, parent=above)


def _paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a help text; one that click does not wrap keeps its lines."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        if paragraph.startswith("\b\n"):
            yield f"```text\n{paragraph[2:]}\n```\n\n"
        else:
            yield plain(paragraph) + "\n\n"


def _names(option: click.Option) -> str:
    """The names of an option, and its argument."""
    return ", ".join((*option.opts, *option.secondary_opts))


def _takes(option: click.Option, context: click.Context) -> str:
    return "" if option.is_flag or option.count else option.make_metavar(context)


def _default(option: click.Option) -> str:
    """The default, where the help shows it."""
    shown = option.show_default and option.default not in (None, False)
    return f" Default: {code(str(option.default))}." if shown else ""


def _row(option: click.Option, context: click.Context) -> tuple[str, str]:
    name = max(option.opts, key=len)
    called = " ".join(filter(None, (_names(option), _takes(option, context))))
    return f'<span id="{name}"></span>{code(called)}', f"{plain(option.help or '')}{_default(option)}"


def page_of(name: str) -> str:
    """The page of one command."""
    context = _context(name)
    command = context.command
    usage = command.get_usage(context).removeprefix("Usage: ")
    parts = [f"# rehref {name}\n\n", f"```text\n{usage}\n```\n\n", *_paragraphs(command.help or "")]
    for group, options in option_groups(command, context).items():
        parts += [
            f"## {plain(group)}\n\n",
            table(("option", "what it does"), (_row(each, context) for each in options)),
        ]
    return "".join([*parts, *_paragraphs(command.epilog or "")])


def index() -> str:
    """The page about all commands."""
    rows = (
        (f"[`rehref {name}`]({name}.md)", plain(import_command(name).get_short_help_str(200)))
        for name in command_names(installed=False)
    )
    return _INDEX + table(("command", "what it does"), rows) + "".join(_paragraphs(program.epilog or ""))


PAGES: dict[str, Callable[[], str]] = {
    "reference/commands/index.md": index,
    **{f"reference/commands/{name}.md": partial(page_of, name) for name in command_names(installed=False)},
}
NAV: list[object] = [
    "reference/commands/index.md",
    *({f"rehref {name}": f"reference/commands/{name}.md"} for name in command_names(installed=False)),
]
