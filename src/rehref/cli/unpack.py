"""`rehref rewrite --unpack`: a MIME message as a folder of files.

1. It takes one source that is a MIME message (MHTML, mail), and a folder that does not exist, or is empty.
2. What is written is counted, and the file to open is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rehref.cli.containers import failure, opened_source
from rehref.cli.documents import find
from rehref.cli.errors import FAILED, OptionError, say
from rehref.cli.options import Settings
from rehref.entities.files import FileDocument, FileError


def unpack(sources: Sequence[str], settings: Settings, folder: Path) -> int:
    """Do it: the exit code. Raises `OptionError`."""
    from rehref.entities.containers import buffer
    from rehref.entities.parts import Trouble
    from rehref.rewriting.unpacking import unpack as unpack_message

    found = find(sources, settings)
    if len(found) != 1:
        raise OptionError("--unpack", f"takes one message, not {len(found)} documents", "unpack one after the other")
    document = found[0]
    if isinstance(document, FileError):
        say(str(document))
        return FAILED
    _refuse_used(folder)
    status = 0
    try:
        with opened_source(document, settings) as container:
            if isinstance(container, bytes):
                return _refuse(document)
            if container.kind != "mime":
                return _refuse(document)
            with buffer(container.file) as data:
                for each in unpack_message(data, container.around, folder, settings.reading(), container.limits):
                    if isinstance(each, Trouble):
                        if not (each.harmless and settings.quiet):
                            say(str(failure(document, each)))
                        status = status if each.harmless else FAILED
                        continue
                    root = None if each.root is None else folder / each.files[each.root]
                    _tell(len(each.files), folder, root, settings)
    except FileError as error:
        say(str(error))
        return FAILED
    return status


def _refuse(document: FileDocument) -> int:
    say(str(FileError(document.name, "is no MIME message", "--unpack is for MHTML and mail")))
    return FAILED


def _refuse_used(folder: Path) -> None:
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise OptionError(f"--unpack {folder}", "is there already, and not empty", "name a new folder")
    except OSError as error:
        raise OptionError(f"--unpack {folder}", f"cannot be looked at: {error.strerror}", "name another") from error


def _tell(count: int, folder: Path, root: Path | None, settings: Settings) -> None:
    if settings.quiet:
        return
    files = "1 file" if count == 1 else f"{count:,} files"
    say(f"{files} in {folder}" + ("" if root is None else f"; open {root}"))
