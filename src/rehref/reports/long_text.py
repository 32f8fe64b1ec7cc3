"""Text of any length that is written only when all of it is known, so that it is written completely or not at all.

1. It is kept in memory up to 8 MB, beyond that in a temporary file.
2. It can be sent to another process, in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import IO, Final, TypeAlias

from rehref.text.large_bytes import LargeBytes

_IN_MEMORY: Final = 8 << 20


class LongText:
    """Bytes that are added in pieces, and then read in pieces, as often as needed."""

    __slots__ = ("_file",)

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been added."""
        return self._file is None

    def add(self, piece: bytes | bytearray) -> None:
        """Add bytes. Raises OSError if the temporary file cannot be written."""
        if self._file is None:
            import tempfile

            self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (closed by `__del__`)
        self._file.write(piece)

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def __iter__(self) -> Iterator[bytes]:
        from rehref.containers.file_pieces import pieces_of_file  # few processes need it

        return iter(()) if self._file is None else pieces_of_file(self._file)

    def __reduce__(self) -> tuple[Callable[[bytes], LongText], tuple[bytes]]:
        return _made_of, (b"".join(self),)


def _made_of(data: bytes) -> LongText:
    text = LongText()
    if data:
        text.add(data)
    return text


AnyText: TypeAlias = bytes | bytearray | LongText | LargeBytes


def pieces_of(text: AnyText) -> Iterable[bytes | bytearray]:
    """The bytes of a text of any kind, in pieces."""
    return (text,) if isinstance(text, bytes | bytearray) else text
