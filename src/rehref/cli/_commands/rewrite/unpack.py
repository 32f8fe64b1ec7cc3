"""`rehref rewrite --unpack`: write a web archive, a message or a mailbox as a folder of files.

There is one source, and a folder that does not exist or is empty. The summary counts the files, and names the file to
open; for a web archive, more lines say what leads to the web, and what does not work from a disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rehref.archives.offline_copies import Copying, Unpacked
from rehref.archives.offline_copies import unpack as unpack_file
from rehref.cli._outcomes import find
from rehref.cli.click_options import Settings
from rehref.cli.messages import FAILED, OptionError, say
from rehref.files.file_errors import FileError
from rehref.reports.terminal import count


def unpack(sources: Sequence[str], settings: Settings, folder: Path, copying: Copying, *, note: str = "") -> int:
    """Unpack the source, and return the exit code. Raises `OptionError`. `note`: added to the summary line."""
    documents = find(sources, settings).found
    if len(documents) != 1:
        raise OptionError(
            "--unpack", f"takes one container, not {len(documents)} documents", "unpack one after the other"
        )
    document = documents[0]
    if isinstance(document, FileError):
        say(str(document))
        return FAILED
    _refuse_used(folder)
    status = 0
    try:
        for each in unpack_file(document, folder, settings.options, copying):
            if not isinstance(each, Unpacked):
                status = status if each.harmless else FAILED
                if not (each.harmless and settings.quiet):
                    say(str(each))
            elif not settings.quiet:
                root = "" if each.root is None else f"; open {folder / each.root}"
                root = root if each.files else f": {document.name} holds nothing to unpack"
                say(f"{count(each.files, 'file')} in {folder}{root}{note}")
                for line in (
                    () if each.remaining is None else each.remaining.lines(folder, no_network=copying.no_network)
                ):
                    say(line)
    except FileError as error:
        say(str(error))
        return FAILED
    return status


def _refuse_used(folder: Path) -> None:
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise OptionError(f"--unpack {folder}", "exists and is not empty", "name a new folder")
    except OSError as error:
        raise OptionError(f"--unpack {folder}", f"cannot be accessed: {error.strerror}", "name another") from error
