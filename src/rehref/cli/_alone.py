"""Commands that write into a folder in place do so one after the other."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from rehref.cli.errors import say
from rehref.files._locking import alone_in
from rehref.plugins.mv._carrying_out import begun


def write_alone(context: click.Context, places: Iterable[str | Path]) -> None:
    """Be the only run that writes into some folders, or beside some files, until the command ends; wait for another.

    Raises `FileError` if a move was interrupted there.
    """
    folders = {each if each.is_dir() else each.absolute().parent for each in map(Path, places)}
    context.with_resource(alone_in(folders, (lambda _: None) if context.params.get("quiet") else say))
    for folder in sorted(folders):
        begun(folder)
