"""Commands that write into a folder in place do so one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from rehref.cli.errors import say
from rehref.cli.program import plugin_modules
from rehref.files._locking import alone_in


def write_alone(context: click.Context, places: Iterable[str | Path]) -> None:
    """Be the only run that writes into some folders, or beside some files, until the command ends; wait for another.

    Raises `FileError` if what a plugin began there has not ended.
    """
    folders = {each if each.is_dir() else each.absolute().parent for each in map(Path, places)}
    context.with_resource(alone_in(folders, (lambda _: None) if context.params.get("quiet") else say))
    for module in plugin_modules("unfinished"):
        for folder in sorted(folders):
            module.refuse(folder)
