"""Lines of an index are bounded."""

from __future__ import annotations

import io

import pytest

from rehref.containers._cdx import index_lines as cdxj
from rehref.containers.parts import Limits


def test_a_line_that_is_too_long_is_not_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cdxj, "_LONGEST_LINE", 10)
    with pytest.raises(cdxj.UnreadableIndexError, match="too long"):
        cdxj.correct_lines(io.BytesIO(b"x" * 20), io.BytesIO(), {}, Limits())
