"""What a caller of the library may pass as a source, and how an object with `read()` is read.

1. A *source* is bytes, a str, a path (`os.PathLike`), or an object with a `read()` that returns bytes. A str is the
   document itself, never a path.
2. An object with `read()` is read from its current position, and not closed. It may return less than it is asked for.
   If its `read` takes no size, one call returns everything. Only Python's own buffered files are trusted when they say
   that they are seekable: other objects are not always right.
3. A `bytearray` or a `memoryview` is read like bytes.
4. A str that looks like a path or a URL is still read as a document, with a warning (`SourceResemblesPathWarning`).
5. A file in text mode is a TypeError: its encoding was not established by rehref, and its line ends are not those of
   the file.
"""

from __future__ import annotations

import errno
import inspect
import io
import re
import warnings
from collections.abc import Callable, Iterator
from os import PathLike
from pathlib import Path
from typing import BinaryIO, Final, Protocol, TypeAlias, cast

from rehref.containers.kinds import ENDINGS
from rehref.documents.media_types import MediaType
from rehref.exceptions import SourceResemblesPathWarning

_PIECE = 1 << 16


class Readable(Protocol):
    """An object that returns bytes: a file, a response, a record's `content_stream()`."""

    read: Callable[..., bytes]
    """Return at most so many bytes, b"" at the end; without a number, all of them."""


BinarySource: TypeAlias = "bytes | bytearray | memoryview | PathLike[str] | Readable"
AnySource: TypeAlias = "BinarySource | str"


def check_source(source: object, media_type: str | None, *, stacklevel: int) -> None:
    """Raise TypeError for what is not a source (rule 1), and warn of a str that looks like a path or URL (rule 4).

    `stacklevel`: how many calls up the line is that the warning names, 1 being this function.
    """
    if isinstance(source, bytes):
        return
    if isinstance(source, str):
        found = _resembles(source, media_type)
        if found is not None:
            what, remedy = found
            what = f"the source is a str that looks like {what}, and was read as the document itself"
            warnings.warn(f"{what}; {remedy}", SourceResemblesPathWarning, stacklevel=stacklevel)
        return
    if isinstance(source, io.TextIOBase):
        raise TypeError(_TEXT)
    if not isinstance(source, IN_MEMORY | PathLike) and not callable(getattr(source, "read", None)):
        raise TypeError(_WANTED + type(source).__name__)


def _resembles(text: str, media_type: str | None) -> tuple[str, str] | None:
    """What a document looks like, if it looks like a path or URL, and what to do about it."""
    if len(text) > _LONGEST_NAME or _NOT_A_NAME(text) is not None:
        return None
    if _URL(text) is not None:  # which a plain text may contain
        remedy = f"nothing is fetched; pass the retrieved document, with url={text!r}"
        return ("a URL", remedy) if media_type is None else None
    if re.fullmatch(_FILE_NAME, text, re.IGNORECASE) is not None or _is_file(text):
        return "the name of a file", f"for the file, pass pathlib.Path({text!r})"
    return None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def binary_file(source: BinarySource | BinaryIO) -> BinaryIO:
    """A file of the bytes of `source`, not a path (rules 2, 3). Raises `TypeError`, now or later, if it has none."""
    if isinstance(source, IN_MEMORY):
        return io.BytesIO(source)
    if isinstance(source, io.BufferedIOBase) and source.seekable():
        return cast(BinaryIO, source)
    read = getattr(source, "read", None)
    if not callable(read):
        raise TypeError(_WANTED + type(source).__name__)
    if isinstance(source, io.TextIOBase):
        raise TypeError(_TEXT)
    from rehref.containers.streams import joined_file

    return joined_file(_pieces(read))


def _pieces(read: Callable[..., object]) -> Iterator[bytes]:
    takes_size = _takes_size(read)
    while piece := _checked(read(_PIECE) if takes_size else read()):
        yield piece
        if not takes_size:
            return


def _checked(piece: object) -> bytes:
    if piece is None:  # as io.RawIOBase defines for a file that does not block
        raise BlockingIOError(errno.EAGAIN, "the source has nothing to read at the moment")
    if isinstance(piece, str):
        raise TypeError(_TEXT)
    if not isinstance(piece, bytes | bytearray | memoryview):
        raise TypeError(f"read() of a source must return bytes, not {type(piece).__name__}")
    return bytes(piece)


_TEXT = "a file must be opened in binary mode, so that its encoding can be established"
_WANTED = "a source is bytes, a str (the document itself), a path (pathlib.Path) or something with read(), not "
IN_MEMORY = bytes | bytearray | memoryview
_LONGEST_NAME = 1_024
_NOT_A_NAME = re.compile(r"[<\x00-\x1f]").search
_URL = re.compile(r"https?://[^\s]+", re.IGNORECASE).fullmatch
_FILE_NAME: Final = (
    rf"[^\s{{}}]*\.(?:{'|'.join(re.escape(ending[1:]) for ending in (*MediaType.BY_EXTENSION, *ENDINGS))})"
)


def _takes_size(read: Callable[..., object]) -> bool:
    """Whether a function can be called with a size, as far as its signature says."""
    try:
        inspect.signature(read).bind(0)
    except TypeError:
        return False
    except ValueError:  # compiled, without a signature
        return True
    return True
