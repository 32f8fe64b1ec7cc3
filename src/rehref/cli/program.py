"""The program: a group of commands that are loaded when they are used, and their options in groups.

Answering `--version` or listing the commands loads none of what they work with. Groups and options are in the order of
their declaration: what is needed most comes first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from rehref._native import HOW
from rehref._version import __version__
from rehref.cli.messages import OptionError, ReaderGoneError, guarded, say, with_origin
from rehref.exceptions import SlowExpressionError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN: Final = {
    "links": "rehref.cli._commands.links.command",
    "rewrite": "rehref.cli._commands.rewrite.command",
    "check": "rehref.cli._commands.check.command",
    "find": "rehref.cli._commands.find",
    "resolve": "rehref.cli._commands.resolve",
    "normalize": "rehref.cli._commands.normalize",
    "validate": "rehref.cli._commands.validate",
    "explain": "rehref.cli._commands.explain_command",
    "parsers": "rehref.cli._commands.parsers",
    "help": "rehref.cli._commands.help",
}
"""The commands that cannot be taken away, and their modules; a module calls its command `command`."""
ENTRY_POINTS: Final = "rehref.commands"
"""The group of entry points for the commands of other packages, each a `click.Command`."""
_BEHIND: Final = "check"
"""The built-in command that those of `rehref.plugins` follow in the help."""
_COMPLETE = "_REHREF_COMPLETE"
"""The variable that a shell sets when it asks for completions."""
GENERAL: Final = "General"
"""The group of what most commands have, which is the last one."""
_WIDEST: Final = 24
"""The width of the column of names; a longer name has a line of its own."""
_ALONE: Final = "first"
"""The word of a `--help` without one."""
_ABOUT: Final = "rehref.help"
"""Where a context has the word behind `--help`."""
_Command = TypeVar("_Command", bound=Callable[..., Any])


class Program(click.Group):
    """A group that imports its commands when they are asked for, and turns every error into one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return command_names()

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        return import_command(cmd_name) if is_command(cmd_name) else None

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


def command_names(*, installed: bool = True) -> list[str]:
    """Return the names of the commands, in the order of the help. `installed`: with those of other packages."""
    built_in = list(BUILT_IN)
    at = built_in.index(_BEHIND) + 1
    ours = [*built_in[:at], *sorted(_plugins()), *built_in[at:]]
    return ours + sorted(registered().keys() - set(ours)) if installed else ours


def is_command(name: str) -> bool:
    """Whether there is a command of that name. Metadata is read only if rehref has none: that takes 50 ms."""
    return name in BUILT_IN or name in _plugins() or name in registered()


@cache
def _plugins(module: str = "command") -> Mapping[str, str]:
    """The modules of one name in the folders of `rehref.plugins`, by the names of these folders.

    They are found by their place, so that they work where nothing is installed, in a zip application, too.
    """
    from pkgutil import iter_modules  # imported late, since the commands that are built in need nothing of this

    top = Path(__file__).parents[1] / "plugins"
    folders = (each.name for each in iter_modules([str(top)]) if each.ispkg)
    having = (name for name in folders if any(each.name == module for each in iter_modules([str(top / name)])))
    return {name: f"rehref.plugins.{name}.{module}" for name in having}


def plugin_modules(name: str) -> list[Any]:
    """Import the modules of one name in the folders of `rehref.plugins`."""
    return [import_module(module) for module in _plugins(name).values()]


def write_alone(context: click.Context, places: Iterable[str | Path]) -> None:
    """Be the only run that writes into some folders, or beside some files, until the command ends; wait for another.

    Raises `FileError` if what a plugin began there has not ended.
    """
    from rehref.files.writing import alone_in

    folders = {each if each.is_dir() else each.absolute().parent for each in map(Path, places)}
    context.with_resource(alone_in(folders, (lambda _: None) if context.params.get("quiet") else say))
    for module in plugin_modules("unfinished"):
        for folder in sorted(folders):
            module.refuse(folder)


@cache
def registered() -> Mapping[str, EntryPoint]:
    """The commands of installed packages, by name."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=ENTRY_POINTS)}


def command_named(name: str, context: click.Context) -> click.Command:
    """The command of that name. Raises `click.UsageError`, which names the nearest."""
    if is_command(name):
        return import_command(name)
    from rehref.exceptions import nearest

    near = f"rehref check {name}" if Path(name).exists() else nearest(name, command_names())
    raise click.UsageError(f"no such command {name!r}{'' if near is None else f'; did you mean {near}?'}", context)


def import_command(name: str) -> click.Command:
    """Import a command. One that cannot be loaded says so when it is used: it must not end the help, or others."""
    module = BUILT_IN.get(name) or _plugins().get(name)
    if module is not None:
        command: click.Command = import_module(module).command
        return command
    point = registered()[name]
    try:
        found = point.load()
    except Exception as error:
        return BrokenCommand(name, f"({point.value}) cannot be loaded: {str(error) or type(error).__name__}")
    return found if isinstance(found, click.Command) else BrokenCommand(name, f"({point.value}) is not a click.Command")


class BrokenCommand(click.Command):
    """A command of another package that cannot be used: it is listed, and raises an `OptionError` when it is called."""

    def __init__(self, name: str, fault: str) -> None:
        super().__init__(name, short_help="(cannot be loaded)", add_help_option=False)
        self._fault = fault

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Raise `OptionError`, unless the shell completes a line."""
        if ctx.resilient_parsing:
            return []
        raise OptionError(f"the command {self.name}", self._fault, "update or uninstall its package")


def group(name: str) -> Callable[[_Command], _Command]:
    """Put the options that are declared below into a group, except those that are in one already.

    `--help`, man pages and the reference show options in groups; those in none are in `GENERAL`, as is `--help`.
    """

    def mark(command: _Command) -> _Command:
        for option in vars(command).get("__click_params__", ()):  # where click keeps them until there is a command
            vars(option).setdefault("group", name)
        return command

    return mark


class GroupedCommand(click.Command):
    """A command with options in groups. `first`: the options that `--help` alone shows, if it does not show all."""

    def __init__(self, *arguments: Any, first: Sequence[str] = (), **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.first = frozenset(first)
        self._shows_help: click.Option | None = None

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """`--help`, which may have a word behind it."""
        if self._shows_help is None and self.add_help_option:
            self._shows_help = click.Option(
                self.get_help_option_names(ctx),
                is_flag=False,
                flag_value=_ALONE,
                metavar="[WORD]",
                is_eager=True,
                expose_value=False,
                callback=_show_help,
                help="Show this message and exit; with a word of a group's title or of an option's name, these "
                "options; with all, everything.",
            )
        return self._shows_help

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all of the help; or what is asked about (`help_about`); or first what most need."""
        word = ctx.meta.get(_ABOUT, _ALONE)
        about = {} if word in (_ALONE, "all") else _options_about(word, option_groups(self, ctx))
        if about:
            self.format_usage(ctx, formatter)
            _write_groups(about, ctx, formatter)
        elif self.first and word != "all":
            self._format_first(ctx, formatter)
        else:
            super().format_help(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, a section for each group."""
        _write_groups(option_groups(self, ctx), ctx, formatter)

    def _format_first(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what a command does, its examples, the options that most need, and the groups of the others."""
        groups = option_groups(self, ctx)
        options = [each for group in groups.values() for each in group]
        self.format_usage(ctx, formatter)
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(cleandoc(self.help or "").partition("\n\n")[0])
        self.format_epilog(ctx, formatter)
        shown = [each for each in options if each.name in self.first or each is self._shows_help]
        _write_groups({"Options that most need": shown}, ctx, formatter)
        with formatter.section(f"All {len(options)} options: {ctx.command_path} --help all. Those of a group"):
            called = max(groups, key=len)
            formatter.write_dl([(f"--help {_word_for(title, groups)}", title) for title in groups], len(called) + 2, 2)


def help_about(context: click.Context, word: str) -> str:
    """Return the help about `all`, or what has a word in its name; the first help if nothing has it."""
    context.meta[_ABOUT] = word
    return context.get_help()


def _show_help(context: click.Context, _: click.Parameter, word: str | None) -> None:
    if word is not None and not context.resilient_parsing:
        click.echo(help_about(context, word), color=context.color)
        context.exit()


def _options_about(word: str, groups: Mapping[str, Sequence[click.Option]]) -> dict[str, list[click.Option]]:
    """Return the groups with a word in their title, and of the others the options with it in a name."""
    found = {}
    for title, options in groups.items():
        whole = word.lower() in title.lower()
        found[title] = [each for each in options if whole or any(word.lower() in name for name in each.opts)]
    return {title: options for title, options in found.items() if options}


def _word_for(title: str, groups: Iterable[str]) -> str:
    """Return the first word of a title that no other title has."""
    words = title.lower().replace(",", "").split()
    alone = (word for word in words if sum(word in other.lower() for other in groups) == 1)
    return next(alone, words[0])


def _write_groups(
    groups: Mapping[str, Sequence[click.Option]], ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    for name, options in groups.items():
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
    help="""
    Find every reference in documents, say what it is relative to and why, and resolve, report or rewrite it.

    \b
    Start here:
      rehref check public/                 find broken links in a folder of HTML or Markdown
      rehref check public/ --fix           write the corrections that are sure into its files
      rehref links page.html               list the links of a page, and what they are relative to
    Then: rehref COMMAND --help
    """,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="""
    Exit codes: 0, nothing wrong; 1, broken links found (check) or invalid references (validate); 2, a usage,
    configuration or I/O error, reported in one line; 130, interrupted (Ctrl-C); 141, the program
    that reads the output has ended (| head).

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
    """Run a command; without one, show the help."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())
