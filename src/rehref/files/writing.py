"""Writing documents back into files, and removing what a killed run left behind while it wrote.

A file is written whole or not at all: into a new file beside it, which then replaces it. Nobody ever sees half a
document, and the old file stays if anything fails. Below a folder (`within`), a link that leads out of it is never
written through (`rehref.files.file_documents`), nor anything that is not an ordinary file: a pipe that was unpacked
there would wait for a reader forever.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias
from zlib import crc32

from rehref.exceptions import OptionError
from rehref.files.file_documents import real_path_within
from rehref.files.file_errors import FileError
from rehref.files.reading_files import read_file

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Content: TypeAlias = "bytes | Callable[[BinaryIO], None]"
"""The content for a file: bytes, or a function that writes them."""

_WRITTEN = "cannot be written"
_MAKE_FOLDER = "make it first, or name another"
_BUFFER = 1 << 18
"""Bytes that are written at a time: records of an archive are small."""


def write_atomically(
    path: Path, data: Content, *, like: Path | None = None, backup: bool = False, within: Path | None = None
) -> bool:
    """Write a file, whole or not at all; return whether it had other names. Raises `FileError`, which names the file.

    Missing folders are created. A symbolic link is written through: the file it leads to is replaced. The replacement
    has the mode of the file, and its owner where the system allows that; what is not a file (a device, a pipe) is
    written to directly. Other names (hard links) keep the old content: they may be a backup (`cp -al`), so the caller
    learns it.

    `data`: the content, or a function that writes it, and may read it back; if that raises, the error is raised and
    nothing was written. `like`: the file whose mode a new file gets. `backup`: keep the old file. `within`: the folder
    that must not be left; None for a file that the user named itself.
    """
    try:
        target = Path(os.path.realpath(path)) if within is None else real_path_within(within, path)
        there = path.stat() if path.exists() else None
        if there is not None and not stat.S_ISREG(there.st_mode) and not stat.S_ISDIR(there.st_mode):
            if within is not None:
                raise FileError(str(path), "is not an ordinary file, and is not written", "remove it")
            with path.open("wb") as file:  # not by its real path: a pipe has none (/dev/fd/63 leads to "pipe:[4711]")
                _write(file, data)
            return False
        if there is None:
            target.parent.mkdir(parents=True, exist_ok=True)
            _replace(target, data, _status(like), owner=False)
            return False
        if stat.S_ISDIR(there.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with target.open("r+b") as file:  # or the system says why not, even if its folder allows replacing it
            status = os.fstat(file.fileno())
        _replace(target, data, status, owner=True, backup=backup)
    except OSError as error:
        raise FileError.of(str(path), _WRITTEN, error) from error
    return status.st_nlink > 1


def refuse_no_place(option: str, name: str | os.PathLike[str], *, may_be_folder: bool = True) -> None:
    """Raise `OptionError` for an option that names a file which cannot be written, since its folder does not exist.

    Commands ask before they compute anything. `may_be_folder`: whether a folder is written to, too.
    """
    path = os.fspath(name)
    if os.path.isdir(path) and not may_be_folder:  # noqa: PTH112 -- os.path raises nothing
        raise OptionError(f"{option} {path}", "is a folder", "name a file in it")
    folder = os.path.dirname(path.rstrip("/" + os.sep))  # noqa: PTH120
    try:
        is_folder = os.path.lexists(path) or stat.S_ISDIR(Path(folder or ".").stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        raise OptionError(f"{option} {path}", f"the folder {folder} does not exist", _MAKE_FOLDER) from None
    except (OSError, ValueError):  # writing it will say why not
        return
    if not is_folder:
        raise OptionError(f"{option} {path}", f"{folder} is not a folder", "name another")


def _back_up(file: Path, status: os.stat_result) -> None:
    """Keep a copy of a file, with `.bak` at the end of its name. An older backup with other content is never
    overwritten.

    Then the name ends in `.bak.1`, or the next free number.
    """
    data = read_file(file)
    backup = first = file.with_name(file.name + ".bak")
    try:
        for number in count(1):
            if not os.path.lexists(backup):
                _replace(backup, data, status, owner=True)
                return
            if backup.is_file() and backup.stat().st_size == len(data) and backup.read_bytes() == data:
                return
            backup = first.with_name(f"{first.name}.{number}")
    except OSError as error:
        raise FileError.of(str(backup), _WRITTEN, error) from error


def copy(source: Path, target: Path, *, within: Path) -> None:
    """Copy an ordinary file, replacing what is there. Raises `FileError`.

    `within`: the folder that must not be left.
    """
    write_atomically(target, read_file(source), like=source, within=within)


def write_link(target: Path, destination: str, *, within: Path) -> None:
    """Write a symbolic link, replacing what is there. Raises `FileError`.

    `within`: the folder that must not be left, in which the link is; its target is not checked.
    """
    real_path_within(within, target.parent)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        target.symlink_to(destination)
    except OSError as error:
        raise FileError.of(str(target), _WRITTEN, error) from error


def _status(path: Path | None) -> os.stat_result | None:
    return path.stat() if path is not None and path.is_file() else None


def _write(file: BinaryIO, data: Content) -> None:
    if isinstance(data, bytes):
        file.write(data)
    else:
        data(file)


def _replace(target: Path, data: Content, status: os.stat_result | None, *, owner: bool, backup: bool = False) -> None:
    """Replace `target` by a new file, with the mode (and the owner) in `status`.

    `backup`: keep the old one, once the new file is written.
    """
    new = target.with_name(temporary_name())
    try:
        # inside: an interrupt may come between the making of the file and the next statement
        mode = 0o666 if status is None else 0o600  # until it has its own mode, nobody else may read it
        descriptor = os.open(new, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), mode)
        with os.fdopen(descriptor, "w+b", _BUFFER) as file:
            _write(file, data)
        if status is not None:
            if owner:
                _copy_owner(new, status)
            new.chmod(stat.S_IMODE(status.st_mode))
        if backup and status is not None:
            _back_up(target, status)
        new.replace(target)
    except BaseException:  # an interrupt, too, leaves nothing behind
        with suppress(OSError):
            new.unlink(missing_ok=True)
        raise


def _copy_owner(new: Path, status: os.stat_result) -> None:
    """Give a file the owner and group of another, as far as permitted."""
    own = new.stat()
    if (own.st_uid, own.st_gid) == (status.st_uid, status.st_gid) or not hasattr(os, "chown"):
        return
    try:
        os.chown(new, status.st_uid, status.st_gid)
    except OSError:
        # not permitted; perhaps the group alone is
        try:
            os.chown(new, -1, status.st_gid)
        except OSError:
            return


_NAME = re.compile(r"\.rehref-([0-9]{1,10})-([0-9a-f]{8})-[0-9a-f]{16}\.tmp").fullmatch


def temporary_name() -> str:
    """A name for a file that is being written: `.rehref-PID-MACHINE-RANDOM.tmp`.

    It has the number of the process that writes it, and a check sum of the machine (its name, and its process ID
    namespace where a machine has several).
    """
    return f".rehref-{os.getpid()}-{_machine()}-{os.urandom(8).hex()}.tmp"


def clear_leftovers(folder: Path, *, below: bool = False) -> None:
    """Remove what killed runs left in a folder; `below`: also in the folders inside it. Raises nothing.

    Only a file that is certainly left over goes: an ordinary file with such a name, owned by this user, written on this
    machine, by a process that no longer exists. Where that is not known (Windows), none is removed.
    """
    if sys.platform == "win32":
        return
    if not below:
        with suppress(OSError):
            _clear(folder, [path.name for path in folder.iterdir()])
        return
    for where, _, names in os.walk(folder):
        _clear(Path(where), names)


def _clear(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        found = _NAME(name)
        if found is None or found[2] != _machine() or _is_running(int(found[1])):
            continue
        with suppress(OSError):
            status = (folder / name).lstat()
            if stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid():
                (folder / name).unlink()


def _is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    try:  # Linux: a process that has ended keeps its number until its parent waits for it
        state = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state not in (b"Z", b"X")


@cache
def _machine() -> str:
    numbering = ""
    with suppress(OSError):
        numbering = str(Path("/proc/self/ns/pid").readlink())
    name = os.uname().nodename if hasattr(os, "uname") else ""
    return f"{crc32(f'{name} {numbering}'.encode('utf-8', 'surrogateescape')):08x}"


_MOST: Final = 100
"""How many folders are locked; of more, the one above all."""


@contextmanager
def alone_in(folders: Iterable[str | os.PathLike[str]], say: Callable[[str], None] = lambda _: None) -> Iterator[None]:
    """Be the only run of rehref that writes into some folders, and below them; wait for another one that does.

    A run locks what it writes into, and shares the folders above, so that nobody writes above it meanwhile. The system
    drops the locks of a process that ends, however it ends; where there are none (Windows, some network disks), nothing
    is locked. What is not a folder is one's own (a new one). `say`: called with one line for people before it waits.
    """
    opened: list[int] = []
    try:
        for folder, is_own in _wanted(folders):
            _lock(folder, is_own, opened, say)
        yield
    finally:
        for descriptor in opened:
            os.close(descriptor)


def _wanted(folders: Iterable[str | os.PathLike[str]]) -> list[tuple[str, bool]]:
    """Return the folders to lock, and whether each for oneself, in an order that all runs have."""
    if fcntl is None:
        return []
    own = {os.path.realpath(folder) for folder in folders}
    if len(own) > _MOST:
        own = {os.path.commonpath(own)}
    above = {str(each) for folder in own for each in Path(folder).parents}
    return sorted((each, each in own) for each in own | above if Path(each).is_dir())


def _lock(folder: str, is_own: bool, opened: list[int], say: Callable[[str], None]) -> None:
    how = fcntl.LOCK_EX if is_own else fcntl.LOCK_SH
    try:
        if not is_own and Path(folder).stat().st_uid != os.geteuid():
            return  # others could hold it forever
        opened.append(os.open(folder, os.O_RDONLY))
        fcntl.flock(opened[-1], how | fcntl.LOCK_NB)
    except BlockingIOError:
        say(f"{folder}: waiting for another run of rehref that writes there")
        fcntl.flock(opened[-1], how)
    except OSError:
        return
