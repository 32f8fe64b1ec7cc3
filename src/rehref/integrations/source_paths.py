"""Names of sources: relative to the directory of the build, so that terminals, editors and CI systems turn them into
links.

1. A file that is not below the working directory has its whole path.
"""

from __future__ import annotations

from pathlib import Path


def from_here(path: str) -> str:
    """A path with slashes, relative to the working directory if it is below it."""
    whole = Path(path)
    here = Path.cwd()
    return (whole.relative_to(here) if whole.is_relative_to(here) else whole).as_posix()
