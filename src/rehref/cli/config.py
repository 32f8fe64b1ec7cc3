"""Configuration: `rehref.toml`, or `[tool.rehref]` in `pyproject.toml`.

1. It is looked for in the working directory and then upward; the first found is the only one. In one folder
   `rehref.toml` goes before `pyproject.toml`, and a `pyproject.toml` without that table does not count.
2. Keys are the options' names on the command line (any of the long ones) with `_` for `-`. On top stand the options
   that several commands share; below a table with a command's name (`[tool.rehref.links]`), any option of that command,
   which goes before what stands on top. Of an option that may be repeated, the value is a text or a list of texts.
3. The command line goes before all of it.
4. A key that is no option, or a value of the wrong kind, is an error that names the file and the key.
5. File names are relative to the folder of the configuration file, that in `format = "sarif=out.sarif"` too; an empty
   one is an error.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from rehref.cli.errors import config_keys
from rehref.cli.options import Report, Settings
from rehref.entities.files import FileError

NAME = "rehref.toml"
PROJECT = "pyproject.toml"


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration file's name, and for each command the defaults it gives."""

    file: str
    defaults: dict[str, dict[str, Any]]


def load_config(start: Path, commands: Sequence[str], load: Callable[[str], click.Command]) -> Config | None:
    """Find and read the configuration for a working directory; None if there is none.

    `load` gives a command by its name; it is called only if there is a configuration. Raises `FileError`.
    """
    found = _find(start)
    if found is None:
        return None
    file, prefix, table = found
    options = {name: _options(load(name)) for name in commands}
    shared = {field.name for field in fields(Settings)}
    own = {name: table.pop(name) for name in commands if name in table}
    defaults: dict[str, dict[str, Any]] = {name: {} for name in commands}
    for key, value in table.items():
        takers = [name for name in commands if key in options[name]]
        if key not in shared:
            remedy = f"put it below [{prefix}{takers[0]}]" if takers else "see rehref COMMAND --help for what there is"
            raise FileError(str(file), f"{prefix}{key} is no option that commands share", remedy)
        for name in takers:
            option = options[name][key]
            defaults[name][option.name or ""] = _checked(file, f"{prefix}{key}", value, option)
    for name, values in own.items():
        if not isinstance(values, dict):
            raise FileError(str(file), f"{prefix}{name} must be a table", f"write [{prefix}{name}]")
        for key, value in values.items():
            if key not in options[name]:
                raise FileError(
                    str(file), f"{prefix}{name}.{key} is no option", f"see rehref {name} --help for what there is"
                )
            option = options[name][key]
            defaults[name][option.name or ""] = _checked(file, f"{prefix}{name}.{key}", value, option)
    return Config(str(file), defaults)


def _find(start: Path) -> tuple[Path, str, dict[str, Any]] | None:
    """The nearest configuration: its file, what stands before its keys (for messages), its table."""
    for folder in (start, *start.parents):
        if (file := folder / NAME).is_file():
            return file, "", _parse(file)
        if (file := folder / PROJECT).is_file():
            tool = _parse(file).get("tool")
            table = tool.get("rehref") if isinstance(tool, dict) else None
            if isinstance(table, dict):
                return file, "tool.rehref.", dict(table)
    return None


def _parse(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise FileError.of(str(file), "cannot be read", error) from error
    except ValueError as error:  # not UTF-8, not TOML
        raise FileError(str(file), f"is not TOML: {error}", "mend it") from error


def _options(command: click.Command) -> dict[str, click.Option]:
    """The options of a command that can be configured, by each of their keys (rule 2)."""
    return {key: option for option in command.params if isinstance(option, click.Option) for key in config_keys(option)}


def _checked(file: Path, key: str, value: Any, option: click.Option) -> Any:
    """A value as the option takes it."""
    wanted: type
    if option.is_flag:
        wanted, called = bool, "true or false"
    elif option.multiple:
        wanted, called = list, "a text, or a list of texts"
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
        return [Report.below(file.parent, text) for text in value]
    return value
