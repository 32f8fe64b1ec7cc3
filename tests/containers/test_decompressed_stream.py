"""What is looked at in a stream of members, and how much each may unpack to."""

from __future__ import annotations

import gzip
from collections import deque
from collections.abc import Iterator

import pytest

from containers.small_records import UNENDED, WARC, found, packed, record
from rehref.containers._warc import decompressed_stream
from rehref.containers.parts import Diagnostic, Limits, Part


class CountedEnds(deque[tuple[int, int]]):
    """Ends of members, which count how often one is looked at."""

    looked = 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        for each in super().__iter__():
            CountedEnds.looked += 1
            yield each


@pytest.mark.sampled(4)
@pytest.mark.parametrize("content", UNENDED)
def test_the_members_after_each_are_not_all_looked_at(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompressed_stream, "deque", CountedEnds)
    CountedEnds.looked = 0
    members = 5000
    data = gzip.compress(content, mtime=0) * members + packed(2)
    assert found(data) == (["2"], members)
    assert CountedEnds.looked < 200 * members


@pytest.mark.parametrize(
    "line", [b"WARC/1.0\r\n", b"WARC/1.0\r\nContent-Length: 0\r\n\r\n", record(2), b"WARC/1.0\r\nX: a\r\n\r\n"]
)
def test_a_member_of_very_many_small_records_is_read_up_to_the_ratio(
    line: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decompressed_stream, "_ANY_SIZE", Limits(size=1 << 40, ratio=50, free=20_000))
    data = packed(1) + gzip.compress(line * (6_000_000 // len(line)), 9, mtime=0) + packed(3)
    all_ = WARC.found(data)
    faults = [str(each) for each in all_ if isinstance(each, Diagnostic)]
    names = [each.name for each in all_ if isinstance(each, Part)]
    assert faults[-1].endswith("the rest of its member is skipped: it unpacks to more than 50 times its size")
    assert len(faults) + len(names) - 3 <= (2 << 20) // len(line)
    assert (names[0], names[-1]) == ("urn:uuid:1", "urn:uuid:3")
    assert gzip.decompress(WARC.rewritten(data, lambda part: None)[0]) == gzip.decompress(data)
