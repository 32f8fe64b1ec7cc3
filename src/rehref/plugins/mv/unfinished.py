"""Moves that were begun and not ended: until they are, nothing else writes into their folders.

`rehref.cli` asks the module of this name of each plugin, before a command writes into a folder in place.
"""

from __future__ import annotations

from pathlib import Path

from rehref.plugins.mv._carrying_out import begun


def refuse(folder: Path) -> None:
    """Raise `FileError` if a move was begun in a folder, above or below it."""
    begun(folder)
