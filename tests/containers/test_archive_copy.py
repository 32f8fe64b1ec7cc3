"""What is written to an archive comes out in order, and is packed elsewhere."""

from __future__ import annotations

import io
import threading
import time

import pytest

from rehref.containers._warc import archive_copy
from rehref.containers._warc.archive_copy import ArchiveCopy, Pieces

TWO_PIECES = (b"x" * 12_000, b"x" * 8_000)


def test_the_order_is_kept() -> None:
    file = io.BytesIO()
    out = ArchiveCopy(file, None)
    expected = b""

    def slowly(pieces: Pieces) -> bytes:
        time.sleep(0.001)
        return b"".join(pieces)[:1] * 3

    for number in range(40):
        letter = bytes([65 + number % 26])
        if number % 3:
            out.write_made(slowly, (letter * 12_000, letter * 8_000))
            expected += letter * 3
        else:
            out.write(letter)
            expected += letter
    out.close()
    assert file.getvalue() == expected


def test_the_work_is_done_elsewhere() -> None:
    seen = []
    out = ArchiveCopy(io.BytesIO(), None)
    out.write_made(lambda pieces: seen.append(threading.current_thread()) or b"", TWO_PIECES)
    out.close()
    assert seen[0] is not threading.main_thread()


def test_little_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_copy, "_MOST", 100_000)
    file = io.BytesIO()
    out = ArchiveCopy(file, None)
    for number in range(50):
        out.write_made(b"".join, TWO_PIECES)
        assert file.tell() >= (number + 1) * 20_000 - 100_000
    out.close()


def test_what_goes_wrong_is_raised() -> None:
    def wrong(pieces: Pieces) -> bytes:
        raise ValueError("no")

    out = ArchiveCopy(io.BytesIO(), None)
    with pytest.raises(ValueError, match="no"):  # noqa: PT012  # by one or the other
        out.write_made(wrong, TWO_PIECES)
        out.close()
