"""Configuration: `rehref.toml`, or `[tool.rehref]` in `pyproject.toml`; the command line takes precedence.

At the top are the options that several commands share; a table with a command's name (`[tool.rehref.links]`) may have
any option of that command. A file that was found may come from somebody else, with the folder: each option says whether
it counts there (`rehref.option_rows.Found`), and those that do not are ignored, with a note. With `--config FILE` only
that file counts, and all of it, since it is the user's own.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

from rehref.cli.messages import CONFIG_FILE, CONFIGURED, OptionError, config_keys, say
from rehref.cli.output import STDOUT
from rehref.cli.parameters import PathIgnores, Report, RulesOfFindings, Setting
from rehref.cli.program import command_names
from rehref.files.file_documents import read_within, relative_to
from rehref.files.file_errors import FileError
from rehref.files.reading_files import read_file

NAME = "rehref.toml"
PROJECT = "pyproject.toml"
_REASONS: Final[Mapping[str, str]] = {
    "writes": "about writing to files",
    "asks": "about asking servers",
    "inside": "about files outside of its folder",
    "yours": "for a person to decide",
}
"""Why an option is ignored in a file that was found, by what its row says."""


class Config(NamedTuple):
    """The name of a configuration file, the defaults that it gives for each command, and the keys that are ignored."""

    file: str
    defaults: dict[str, dict[str, Any]]
    ignored: dict[str, list[str]]


def _configure(context: click.Context, _: click.Parameter, named: str | None) -> None:
    """Give a command its defaults from the file that `--config` names, or else from a file that is found.

    Raises `FileError`, `OptionError`.
    """
    if context.resilient_parsing or context.default_map is not None:  # a caller has read it
        return
    program, command = context.find_root().command, context.command.name or ""
    assert isinstance(program, click.Group)

    if named == "":
        raise OptionError("--config", "is empty", "name a file")
    if named in STDOUT:
        raise OptionError(f"--config {named}", "is not a file, and standard input has no configuration", "name a file")

    def commands() -> Iterable[str]:
        return dict.fromkeys((*command_names(installed=False), command))

    config = load_config(
        _working_folder() if named is None else Path(named), commands, partial(program.get_command, context)
    )
    if config is None:
        return
    context.meta[CONFIG_FILE] = config.file
    context.meta[CONFIGURED] = context
    context.default_map = config.defaults[command]
    if config.ignored[command]:
        ignored = _ignored(config.ignored[command], _options(context.command))
        note = f"{config.file}: {ignored}; if this file is yours, name it with --config"
        context.call_on_close(lambda: None if context.params.get("quiet") else say(note))


def _ignored(keys: Sequence[str], options: Mapping[str, Setting]) -> str:
    """The keys that are ignored, and why."""
    groups = (([key for key in keys if options[key].found == found], why) for found, why in _REASONS.items())
    return "; ".join(f"{', '.join(group)}: ignored, for it is {why}" for group, why in groups if group)


config_option: Final = click.option(
    "--config",
    type=click.Path(),
    metavar="FILE",
    is_eager=True,
    expose_value=False,
    callback=_configure,
    help="Take options from this file, which should be your own, and do not look for rehref.toml or pyproject.toml.",
)
"""Add `--config`, which gives a command other defaults."""


def configured(context: click.Context) -> str:
    """Return what the summary line says about the configuration that was read; "" if none was."""
    file = context.meta.get(CONFIG_FILE)
    return "" if file is None else f"; options from {file}"


def _working_folder() -> Path:
    try:
        return Path.cwd()
    except OSError as error:
        what = f"cannot be found: {(error.strerror or str(error)).lower()}"
        raise FileError("the working directory", what, "go to a folder that exists") from error


def load_config(
    start: Path,
    commands: Callable[[], Iterable[str]],
    load: Callable[[str], click.Command | None],
    *,
    upward: bool = True,
) -> Config | None:
    """Read the configuration: the user's own file, or the file that is found from a folder; None if there is none.

    File names in it are relative to its folder, also in `format = "sarif=out.sarif"`; an empty one is an error. A key
    that is not an option, a value of the wrong kind, or a second key for one option raises `FileError`, which names
    file and key. `commands` returns the names of those that it is about, beside those that have a table of their own in
    it; `load` returns a command by its name. Both are called only if there is a configuration. `upward`: whether to
    look in the folders above, too.
    """
    is_own = not start.is_dir()
    found = _options_of_file(start) if is_own else _find((start, *start.parents) if upward else (start,))
    if found is None:
        return None
    file, prefix, table = found
    options = {name: _options(load(name)) for name in commands()}
    shared = {key for of in options.values() for key, option in of.items() if option.is_shared}
    for name, value in table.items():
        if isinstance(value, dict) and name not in options and name.replace("-", "_") not in shared:
            other = load(name)
            if other is not None:
                options[name] = _options(other)
    own = {name: table.pop(name) for name in options if name in table}
    config = Config(str(file), {name: {} for name in options}, {name: [] for name in options})
    given = []
    for written, value in table.items():
        key = written.replace("-", "_")
        takers = [name for name in options if key in options[name]]
        if key not in shared:
            remedy = (
                f"put it below [{prefix}{takers[0]}]" if takers else _remedy(written, (*shared, *options), "COMMAND")
            )
            raise FileError(str(file), f"{prefix}{written} is not an option that commands share", remedy)
        given += [(f"{prefix}{written}", name, key, value) for name in takers]
    for name, values in own.items():
        if not isinstance(values, dict):
            raise FileError(str(file), f"{prefix}{name} must be a table", f"write [{prefix}{name}]")
        for written, value in values.items():
            shown, key = f"{prefix}{name}.{written}", written.replace("-", "_")
            if key not in options[name]:
                raise FileError(str(file), f"{shown} is not an option", _remedy(written, options[name], name))
            given.append((shown, name, key, value))
    _refuse_twice(file, given, options)
    for shown, name, key, value in given:
        option = options[name][key]
        checked = _checked(file, shown, value, option)
        if not is_own and _is_for_the_user(file.parent, checked, option):
            config.ignored[name].append(key)
        else:
            config.defaults[name][option.name or ""] = checked
    return config


def _refuse_twice(
    file: Path, given: Iterable[tuple[str, str, str, Any]], options: Mapping[str, Mapping[str, Setting]]
) -> None:
    """Raise `FileError` for two keys in one table that mean one option."""
    before: dict[tuple[str, str, str | None], str] = {}
    for shown, command, key, _ in given:
        first = before.setdefault((shown[: -len(key)], command, options[command][key].name), shown)
        if first != shown:
            raise FileError(str(file), f"{first} and {shown} are the same option", "write one of them")


def _remedy(written: str, keys: Collection[str], command: str) -> str:
    """Return what to do about a key that is not an option."""
    from rehref.exceptions import nearest

    near = nearest(written, keys)
    return f"rehref {command} --help lists the options" if near is None else f"did you mean {near}?"


def _is_for_the_user(folder: Path, value: Any, option: Setting) -> bool:
    """Whether the value of an option counts only from the user's own file.

    It would write to files (also `format` that names a file), ask servers, name files outside of the folder, or is for
    a person to decide.
    """
    if option.found == "counts" or value is False:
        return False
    if option.found == "inside":
        return not _is_inside(folder, value)
    if isinstance(option.type, Report):
        texts = [value] if isinstance(value, str) else value
        return any("=" in text and text.partition("=")[2] not in STDOUT for text in texts)
    return option.found != "writes" or value not in STDOUT


def _is_inside(folder: Path, name: str) -> bool:
    """Whether a name is that of an ordinary file, of a folder, or of nothing, in a folder."""
    file = Path(name)
    is_usual = name != "-" and (file.is_file() or file.is_dir() or not file.exists())
    return is_usual and relative_to(os.path.realpath(name), os.path.realpath(folder)) is not None


class ConfigTable(NamedTuple):
    """The options of a file; `prefix`: the text before their keys in messages."""

    file: Path
    prefix: str
    options: dict[str, Any]


def _options_of_file(file: Path) -> ConfigTable:
    """The options of the file that was named. It is read like `rehref.toml`, unless it is called `pyproject.toml`."""
    found = _table(file, read_file(file))
    if found is None:
        raise FileError(str(file), "has no table [tool.rehref]", "name another file")
    return found


def _find(folders: Iterable[Path]) -> ConfigTable | None:
    """The first configuration, in one of some folders: a regular file in it, of at most 1 MiB.

    In one folder `rehref.toml` takes precedence over `pyproject.toml`, and one of the latter without that table does
    not count.
    """
    for file in (folder / name for folder in folders for name in (NAME, PROJECT)):
        if file.name == NAME or file.is_file():
            data = read_within(file.parent, file)
            found = None if data is None else _table(file, data)
            if found is not None:
                return found
    return None


def _table(file: Path, data: bytes) -> ConfigTable | None:
    """Return the options of a file; None for a `pyproject.toml` without that table."""
    whole = _parsed(file, data)
    if file.name != PROJECT:
        return ConfigTable(file, "", whole)
    tool = whole.get("tool")
    table = tool.get("rehref") if isinstance(tool, dict) else None
    return ConfigTable(file, "tool.rehref.", dict(table)) if isinstance(table, dict) else None


def _parsed(file: Path, data: bytes) -> dict[str, Any]:
    import tomllib  # imported late: few folders have such a file

    try:
        return tomllib.loads(data.decode("utf-8-sig"))
    except RecursionError as error:
        raise FileError(str(file), "is nested too deeply", "write it flatter") from error
    except ValueError as error:  # not UTF-8, not TOML
        raise FileError(str(file), f"is not TOML: {error}", "correct it") from error


def _options(command: click.Command | None) -> dict[str, Setting]:
    """The options of a command that can be configured, by each of their keys.

    Any of the long names, with `_` or `-`.
    """
    options = [] if command is None else [each for each in command.params if isinstance(each, Setting)]
    return {key: option for option in options for key in config_keys(option)}


def _with_statuses(value: Any, option: click.Option) -> Any:
    """Return statuses as texts if they are numbers and the option takes statuses."""
    if not isinstance(option, Setting) or option.row is None or option.row.kind != "statuses":
        return value
    return [str(item) if type(item) is int else item for item in (value if isinstance(value, list) else [value])]


def _checked(file: Path, key: str, value: Any, option: click.Option) -> Any:
    """A value in the form that the option takes.

    One that may be repeated is a text or a list of texts; `per_path_ignores` is a table, `rules` a list of tables.
    """
    wanted: type
    if option.is_flag:
        wanted, called = bool, "true or false"
    elif isinstance(option.type, PathIgnores) and isinstance(value, dict):
        wanted, called = list, "a table of patterns, each with a code or a list of codes"
        value = option.type.of_table(value) or value
    elif isinstance(option.type, RulesOfFindings) and isinstance(value, list):
        wanted, called = list, "tables of texts, numbers, true and false"
        value = option.type.of_tables(value) or value
    elif option.multiple:
        wanted, called = list, "a text, or a list of texts"
        if type(value) is int or (isinstance(value, list) and any(type(item) is int for item in value)):
            value = _with_statuses(value, option)
        value = [value] if type(value) is str else value
    elif isinstance(option.type, click.types.IntParamType):
        wanted, called = int, "a whole number"
    else:
        wanted, called = str, "a text"
    fits = type(value) is wanted and (not isinstance(value, list) or all(type(item) is str for item in value))
    if not fits:
        raise FileError(str(file), f"{key} must be {called}", f"it is {value!r}")
    if isinstance(option.type, click.Path) and value == "":
        raise FileError(str(file), f"{key} is empty", "name a file, or leave it out")
    if isinstance(option.type, click.Path) and value != "-":
        return str(file.parent / value)
    if isinstance(option.type, Report):
        below = partial(Report.below, file.parent)
        return below(value) if isinstance(value, str) else [*map(below, value)]
    return value
