"""Records that have moved are found by their ids."""

from __future__ import annotations

import gzip
import io

from containers.small_records import packed
from rehref.containers._cdx.moved_records import MovedRecords


def test_records_go_together_by_their_ids():
    records = [packed(number) for number in range(4)]
    behind_two = len(records[0] + records[1])
    at_last = behind_two + len(records[2])
    old = b"".join(records)
    conversion = gzip.compress(
        b"WARC/1.1\r\nWARC-Type: conversion\r\nWARC-Record-ID: <n>\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
    )
    moved = MovedRecords(io.BytesIO(old), io.BytesIO(old[:behind_two] + conversion + old[behind_two:]))
    found = moved.find(at_last)
    assert found is not None
    assert (found.new_offset, found.length) == (at_last + len(conversion), found.new_length)
    assert not moved.is_changed(found)
    assert moved.find(at_last + 1) is None
    # something else in its place: from there on nothing is known
    lost = MovedRecords(io.BytesIO(old), io.BytesIO(old[behind_two:]))
    assert lost.find(0) is None
