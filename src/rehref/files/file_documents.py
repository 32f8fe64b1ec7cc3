"""Files by their paths: documents not yet read, their retrieval URIs (RFC 8089), and what is inside a folder.

`real_path_within` alone decides which paths are inside a folder once symbolic links are followed: for what is written
below one (`-o`, `--copy-others`, `--unpack`, `--in-place FOLDER`, `--fix`), and for the small files in it that say how
to treat it. The file system decides which spellings name the same file, not the platform: Linux can mount a
case-insensitive disk, and macOS a case-sensitive one.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path, PurePath, PureWindowsPath
from typing import TYPE_CHECKING, NamedTuple, TypeAlias
from urllib.parse import quote_from_bytes

from rehref.files.file_errors import FileError
from rehref.uri.components import PATH_CHARACTERS, Components, split, unsplit

if TYPE_CHECKING:
    from rehref.documents.media_types import MediaType

STDIN = "-"


class FileDocument(NamedTuple):
    """A document that was found, not yet read.

    `name`: for people, as the user wrote it: `site/a/b.html`, or `-`. `path`: None for standard input. `relative`: its
    path below the source, with slashes; of a single file its name. `url`: the retrieval URI that was given for it.
    `own`: its `file:` URI, None if it has none.
    `source`: the number of the source it belongs to, from 0; `in_folder`: whether that is a folder. `media_type`: its
    type, if that is known before it is read. `headers`: the HTTP header fields that it came with.
    `charset`: its encoding, if that of a document which refers to it counts.
    """

    name: str
    path: Path | None
    relative: str
    url: str | None
    source: int = 0
    in_folder: bool = False
    media_type: MediaType | None = None
    own: str | None = None
    headers: bytes | None = None
    charset: str | None = None

    @property
    def size(self) -> int:
        """Its size in bytes; 0 if it is unknown."""
        try:
            return 0 if self.path is None else self.path.stat().st_size
        except (OSError, ValueError):
            return 0

    def beginning(self, size: int) -> bytes:
        """Its first bytes; none if it cannot be read, which its reader reports."""
        try:
            if self.path is not None:
                with self.path.open("rb") as file:
                    return file.read(size)
        except OSError:
            pass
        return b""

    def saved_from(self, scheme: str) -> str | None:
        """The URI that it says itself it was saved from. `scheme`: if it leaves that out."""
        from rehref.files._saved_from import LOOKED_AT, saved_from

        found = saved_from(self.beginning(LOOKED_AT), scheme)
        return None if found is None else found.reference


DocumentOrError: TypeAlias = "FileDocument | FileError"


def with_uris(found: Iterable[DocumentOrError], uri_of: Callable[[FileDocument], str | None]) -> list[DocumentOrError]:
    """The same list, each document with the retrieval URI that a function returns for it."""
    return [each if isinstance(each, FileError) else each._replace(url=uri_of(each)) for each in found]


# The beginning of long paths on Windows; with UNC, of a share
_EXTENDED = re.compile(r"\A//[?.]/(UNC/)?", re.IGNORECASE)


def encode_path(path: str) -> str:
    """A path with slashes, percent-encoded for a URI (RFC 3986 §2.1, §3.3)."""
    return quote_from_bytes(os.fsencode(path), safe=PATH_CHARACTERS)


def _absolute(path: Path) -> Path:
    """The path from the root, without `..`, which would mean something else where symbolic links are involved."""
    return path.resolve() if ".." in path.parts else path.absolute()


def file_uri(path: Path) -> str:
    """The `file:` URI of a file (RFC 8089)."""
    return uri_of_absolute(_absolute(path))


def uri_of_absolute(path: PurePath) -> str:
    """The `file:` URI of an absolute path: on Windows `file:///C:/a`, and of a share `file://host/share/a` (App. E)."""
    text = path.as_posix()
    if isinstance(path, PureWindowsPath):
        text = _EXTENDED.sub(lambda found: "//" if found[1] else "", text, count=1)
        if text.startswith("//"):
            return "file:" + encode_path(text)
    return "file://" + ("" if text.startswith("/") else "/") + encode_path(text)


def own_uri(path: Path) -> str | None:
    """The retrieval URI of a file: its `file:` URI; None for a pipe, which has one only if it is given."""
    return None if path.exists() and not path.is_file() else file_uri(path)


def folder_uri(path: Path) -> str:
    """The `file:` URI of a folder, which ends in a slash."""
    uri = file_uri(path)
    return uri if uri.endswith("/") else uri + "/"


def as_folder(url: str) -> str:
    """A URI given for a folder, with a slash at its end; without a fragment, which a base never has (RFC 3986 §5.1)."""
    parts = split(url)
    if parts.query is not None:
        raise FileError(url, "cannot be the URI of a folder, for it has a query", "leave out what begins with ?")
    path = parts.path if parts.path.endswith("/") else parts.path + "/"
    return unsplit(Components(parts.scheme, parts.authority, path, None, None))


LARGEST = 1 << 20
"""The most bytes of a file that says how to treat a folder."""
_READ = "cannot be read"


def real_path_within(folder: Path, path: Path, *, done: str = "written") -> Path:
    """The path of a file below a folder, with every symbolic link resolved. Raises `FileError` if it leads out of it.

    The folder itself may be reached through links. Below it, a link that leads out of it is not followed, whether it is
    a file, a folder on the way, or leads to something that does not exist yet. A user who may write to the folder could
    put a link there between this check and the opening of the file; the folder's permissions protect it from other
    users. `done`: what would have been done with the file, for people.
    """
    real = Path(os.path.realpath(path))  # unlike `Path.resolve`, it accepts loops
    if relative_to(str(real), os.path.realpath(folder)) is None:
        raise FileError(
            str(path),
            f"leads out of the folder {folder} through a symbolic link, and is not {done}",
            "remove the link, or name the file itself",
        )
    return real


def read_within(folder: Path, path: Path) -> bytes | None:
    """The bytes of a small file below a folder; None if there is no such file. Raises `FileError`.

    It must be an ordinary file of at most `LARGEST` bytes, not a pipe or device, which could be endless, or block
    forever.
    """
    if not os.path.lexists(path):
        return None
    real = real_path_within(folder, path, done="read")
    try:
        # neither of these waits until someone writes to a pipe
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        with open(os.open(real, flags), "rb") as file:  # noqa: PTH123 -- a descriptor is not a path
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise FileError(str(path), "is not an ordinary file, and is not read", "remove it")
            data = file.read(LARGEST + 1)
    except OSError as error:
        if error.errno == errno.ENXIO:  # a socket
            raise FileError(str(path), "is not an ordinary file, and is not read", "remove it") from error
        raise FileError.of(str(path), _READ, error) from error
    if len(data) > LARGEST:
        raise FileError(str(path), "is larger than 1 MiB, and is not read", "shorten it")
    return data


_ASKED = 100
"""How many names of a folder are examined."""


def ignores_case(folder: Path) -> bool:
    """Whether names in a folder, which need not exist yet, are the same in upper and lower case.

    The file system is asked without writing anything: whether an existing name also exists in the other case. Where
    there is no name with letters, in the folder or above it, Windows and macOS are assumed to ignore case, other
    systems not.
    """
    real = Path(os.path.realpath(folder))
    for place in (real, *real.parents):
        try:
            with os.scandir(place) as entries:
                names = {entry.name for entry in islice(entries, _ASKED)}
        except OSError:
            continue
        for name in sorted(names):
            other = name.swapcase()
            if other != name and other.swapcase() == name:
                return other not in names and _is_same(place / name, place / other)
    return sys.platform in ("win32", "darwin")


def _is_same(one: Path, other: Path) -> bool:
    try:
        return os.path.samestat(one.lstat(), other.lstat())
    except OSError:
        return False


def same_file_key(folder: Path) -> Callable[[str], str]:
    """Return a function from paths in a folder to keys: two spellings of one file have equal keys."""
    return one_case if ignores_case(folder) else str


def one_case(path: str) -> str:
    """A path without differences of case and composition: file systems that ignore case also ignore, or nearly, the
    latter.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def relative_to(path: str, folder: str) -> str | None:
    """The part of a real path below a folder, spelled as in the path, with slashes; None if it is not below it.

    Names are compared as the file system does.
    """
    parts, above = Path(path).parts, Path(folder).parts
    begins = parts[: len(above)]
    if begins != above:
        # only now: to ask the file system takes longer
        if len(begins) < len(above) or list(map(one_case, begins)) != list(map(one_case, above)):
            return None
        if not ignores_case(Path(folder)):
            return None
    return "/".join(parts[len(above) :])


def path_below(folder: Path, name: str) -> str | None:
    """Return the path of a file or folder relative to a folder, with slashes; None if it is not in it."""
    path = os.path.realpath(name if Path(name).is_dir() else Path(name).parent)
    rest = "" if Path(name).is_dir() else Path(name).name
    return relative_to(os.path.join(path, rest) if rest else path, os.path.realpath(folder))  # noqa: PTH118


def common_folder(folders: Sequence[str]) -> str:
    """The common folder of several, "." for the working directory; of one, that folder itself."""
    if len(folders) == 1:
        return folders[0]
    plain = [os.path.normpath(folder) for folder in folders]
    if len({Path(folder).is_absolute() for folder in plain}) > 1 or any(path.startswith("..") for path in plain):
        plain = [os.path.abspath(folder) for folder in plain]  # noqa: PTH100 -- links stay as they were named
    try:
        return os.path.commonpath(plain) or "."
    except ValueError:  # on two drives
        return "."


def path_from(common: str, folder: str) -> str:
    """The path of a folder from one above it, with a slash at its end; "" if it is the same."""
    path = Path(os.path.relpath(folder, common)).as_posix() if folder != common else "."
    return "" if path == "." else f"{path}/"
