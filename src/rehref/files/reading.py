"""Reading a whole file."""

from __future__ import annotations

from pathlib import Path

from rehref.files.file_errors import FileError


def read_file(path: Path | str) -> bytes:
    """All bytes of a file. Raises `FileError`, which names it."""
    try:
        with open(path, "rb", buffering=0) as file:  # noqa: PTH123 -- a Path takes twice as long
            return file.read()
    except OSError as error:
        raise FileError.of(str(path), "cannot be read", error) from error
    except ValueError as error:  # a NUL in the name
        raise FileError(str(path), f"cannot be read: {error}", "check the name") from error
