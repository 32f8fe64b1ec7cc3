"""Files that Spark reads come together again, byte by byte (the part that needs no Spark)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

from rehref.plugins.spark._streams import SEPARATOR, contents

BOM = b"\xef\xbb\xbf"


def as_spark_reads(uri: str, data: bytes) -> Iterator[tuple[str, int, bytearray]]:
    """What its reader of text gives of a file."""
    pieces = data.removeprefix(BOM).split(SEPARATOR)
    if not pieces[-1]:
        pieces.pop()
    return ((uri, len(data), bytearray(piece)) for piece in pieces)


@pytest.mark.parametrize(("before", "after"), list(product((b"", BOM), (b"", b"\n", SEPARATOR, SEPARATOR * 2))))
def test_all_bytes_come_together_again(before: bytes, after: bytes) -> None:
    files = {"hdfs://h/a.gz": before + b"a\n\r\n\n\rb" + after, "hdfs://h/b%20c.gz": before + b"b" + after}
    rows = [row for uri, data in files.items() for row in as_spark_reads(uri, data)]
    got = {each.uri: (each.path.name, each.path.read_bytes(), each.error) for each in contents(rows)}
    assert got == {uri: (uri.rpartition("/")[2], data, None) for uri, data in files.items()}


def test_a_file_that_did_not_come_whole_is_broken() -> None:
    (got,) = contents([("hdfs://h/a.gz", 9, bytearray(b"abc"))])
    assert got.error == "only 3 of its 9 bytes could be read"


def test_a_file_that_grew_is_broken() -> None:
    (got,) = contents([("hdfs://h/a.gz", 5, bytearray(b"abcdefghi"))])
    assert got.error == "has changed while it was read"
