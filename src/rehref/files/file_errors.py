"""What goes wrong with a file, as one line that names it, says what is wrong and what to do."""

from __future__ import annotations

import errno
import os
import re
from typing import TYPE_CHECKING

from rehref.exceptions import RehrefError, other_module

if TYPE_CHECKING:
    from rehref.containers.parts import DiagnosticCode

_REMEDIES = {
    errno.ENOENT: "check the name",
    errno.EACCES: "check who may read and write it (ls -l)",
    errno.EPERM: "check who may read and write it (ls -l)",
    errno.EEXIST: "part of the name is a file: name another place",
    errno.EISDIR: "name a file",
    errno.ENOTDIR: "check the name: part of it is not a folder",
    errno.ELOOP: "correct the symbolic links: they lead in a circle",
    errno.ENAMETOOLONG: "shorten the name",
    errno.ENOSPC: "make room",
    errno.EROFS: "choose another place",
}


class FileError(RehrefError):
    """An error about a file that the user can do something about; its text is `FILE: what; what to do`.

    `code`: of the diagnostic that reports it (`DiagnosticCode`).
    """

    def __init__(self, file: str, what: str, remedy: str = "", *, code: DiagnosticCode = "unreadable") -> None:
        super().__init__(file, what, remedy)
        self.file = file
        self.what = what
        self.remedy = remedy
        self.code = code

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"

    @property
    def message(self) -> str:
        """The text without the file: `what; what to do`."""
        return self.what + (f"; {self.remedy}" if self.remedy else "")

    @classmethod
    def of(cls, file: str, action: str, error: OSError) -> FileError:
        """The `FileError` for an `OSError` met while doing `action` ("cannot be read")."""
        if error.errno == errno.ENOENT and os.path.islink(file):  # noqa: PTH114 -- it raises nothing
            return cls(file, f"{action}: it is a symbolic link that leads nowhere", "correct it, or remove it")
        if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.EINVAL) and is_url(file):
            remedy = "save it, for example with curl -O, name the file, and give its URL with --url"
            return cls(file, f"{action}: it is a URL, and nothing is fetched", remedy)
        reason = (error.strerror or str(error) or type(error).__name__).lower()
        return cls(file, f"{action}: {reason}", _REMEDIES.get(error.errno or 0, ""))


def fault(error: BaseException) -> str:
    """The message for an unexpected exception."""
    what, other = f"{type(error).__name__}: {error}", other_module(error)
    if other:
        return f"{other} failed ({what}); it is not part of rehref: correct it, or report it to its authors"
    return f"this should not happen ({what}); it is a fault of rehref, please report it"


def failure(name: str, error: Exception) -> FileError:
    """The error that is reported for a file whose work ended with an exception. `name`: of the file."""
    if isinstance(error, FileError):
        return error
    if isinstance(error, RehrefError):  # a document that takes too long, or whose type cannot be read
        return FileError(name, str(error))
    if isinstance(error, MemoryError):
        return FileError(name, "there is not enough memory for it", "try --jobs 1")
    return FileError(name, fault(error))


def is_url(name: str) -> bool:
    """Whether the name of a file looks like a URL of the web."""
    return re.match("https?://|www[.]", name, re.IGNORECASE) is not None


class OtherFormatError(FileError):
    """A file that is named like a document but holds something else, such as an image: it is left alone.

    `in_folder`: it was found in a folder, where files that are not documents are not an error.
    """

    def __init__(self, file: str, what: str, remedy: str = "", *, in_folder: bool = False) -> None:
        super().__init__(file, what, remedy, code="unsupported")
        self.in_folder = in_folder
