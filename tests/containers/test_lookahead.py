"""What is searched for the end of a record that is damaged."""

from __future__ import annotations

import gzip
from pathlib import Path
from random import Random

import pytest

from containers.damaged_records import PAGE, copied, packed, record, seen
from containers.small_records import UNENDED, found
from containers.small_records import packed as packed_record
from rehref.containers._warc import lookahead


@pytest.mark.sampled(4)
@pytest.mark.parametrize("content", UNENDED)
def test_members_whose_records_do_not_end_are_searched_once(content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes after each are not all looked at."""
    searched, find_end, find_next = 0, lookahead.head_end, lookahead.next_record

    def head_end(data: bytes, *most: int) -> int:
        nonlocal searched
        searched += min(len(data), *most) if most else len(data)
        return find_end(data, *most)

    def next_record(data: bytes, start: int, end: int, *, arc: bool) -> int:
        nonlocal searched
        searched += end - start
        return find_next(data, start, end, arc=arc)

    monkeypatch.setattr(lookahead, "head_end", head_end)
    monkeypatch.setattr(lookahead, "next_record", next_record)
    members = 5000
    data = gzip.compress(content, mtime=0) * members + packed_record(2)
    assert found(data) == (["2"], members)
    assert 0 < searched < 10 * members * len(content)


FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"


@pytest.mark.parametrize("seed", range(8))
def test_damaged_archives_are_read_as_step_by_step(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(seed)
    archives = []
    for _ in range(8):
        sizes = [random.choice([0, 300, 3000, 70000]) for _ in range(3)]
        fields = random.choice(["", "WARC-Segment-Number: 1\r\n", "X: a\r\n b\r\n"])
        records = [
            record(number, body=PAGE + random.randbytes(size), fields=fields, length=random.choice([None, None, 3]))
            for number, size in enumerate(sizes, 1)
        ]
        data = bytearray(packed(*records) + gzip.compress(b"".join(records), mtime=0))
        for _ in range(random.choice([0, 1, 2])):
            at = random.randrange(len(data))
            if random.random() < 0.5:
                data[at] ^= 1 << random.randrange(8)
            else:
                del data[at : at + random.choice([1, 5, 400])]
        archives.append(bytes(data))
    archives += [path.read_bytes() for path in sorted(FIXTURES.rglob("*.warc.gz"))] if seed == 0 else []
    found = [(seen(data), copied(data), copied(data, change=b"new")) for data in archives]
    monkeypatch.setattr(lookahead, "plain_record", lambda data: None)
    assert found == [(seen(data), copied(data), copied(data, change=b"new")) for data in archives]
