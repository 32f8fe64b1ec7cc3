"""What is written comes out in order, whoever makes it."""

from __future__ import annotations

import io
import threading
import time

import pytest

from rehref.containers.warc import ordered_output as output
from rehref.containers.warc.ordered_output import OrderedOutput

LARGE = b"x" * 20_000


def test_the_order_is_kept() -> None:
    file = io.BytesIO()
    out = OrderedOutput(file)
    expected = b""

    def slowly(data: bytes) -> bytes:
        time.sleep(0.001)
        return data[:1] * 3

    for number in range(40):
        letter = bytes([65 + number % 26])
        if number % 3:
            out.write_made(slowly, letter * 20_000)
            expected += letter * 3
        else:
            out.write(letter)
            expected += letter
    out.close()
    assert file.getvalue() == expected


def test_the_work_is_done_elsewhere() -> None:
    seen = []
    out = OrderedOutput(io.BytesIO())
    out.write_made(lambda data: seen.append(threading.current_thread()) or data, LARGE)
    out.close()
    assert seen[0] is not threading.main_thread()


def test_little_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(output, "_MOST", 100_000)
    file = io.BytesIO()
    out = OrderedOutput(file)
    for number in range(50):
        out.write_made(lambda data: data, LARGE)
        assert file.tell() >= (number + 1) * 20_000 - 100_000
    out.close()


def test_what_goes_wrong_is_raised() -> None:
    def wrong(data: bytes) -> bytes:
        raise ValueError("no")

    out = OrderedOutput(io.BytesIO())
    with pytest.raises(ValueError, match="no"):  # noqa: PT012  # by one or the other
        out.write_made(wrong, LARGE)
        out.close()
