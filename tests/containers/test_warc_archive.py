"""How often an archive begins to read a record."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest

from containers.small_records import WARC, record
from rehref.containers._warc.warc_archive import Archive
from rehref.containers.parts import Diagnostic, Part


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("line", [b"\n", b"\r\n"])
def test_many_empty_lines_are_skipped_at_once(
    pack: Callable[[bytes], bytes], line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, begin = 0, Archive.begin

    def counting(self: Archive) -> bool:
        nonlocal begun
        begun += 1
        return begin(self)

    monkeypatch.setattr(Archive, "begin", counting)
    data = pack(record(1) + line * 4_000_000) + pack(record(2))
    all_ = WARC.found(data)
    assert [each.name for each in all_ if isinstance(each, Part)] == ["urn:uuid:1", "urn:uuid:2"]
    (fault,) = (str(each) for each in all_ if isinstance(each, Diagnostic))
    assert "these bytes are not a record: a megabyte of empty lines, or more" in fault
    assert begun < 8
