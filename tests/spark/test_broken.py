"""What cannot be read of a piece is bounded (the part that needs no Spark)."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed")

from rehref.collections.opening import Opening
from rehref.collections.pieces import Piece
from rehref.collections.processing import file_at
from rehref.spark.broken import MOST, BrokenRecord
from rehref.spark.reading import _LinksOfPieces
from spark_collection import record


class Added:
    """Stands for an accumulator."""

    value: frozenset[BrokenRecord] = frozenset()

    def add(self, more: frozenset[BrokenRecord]) -> None:
        self.value |= more


@pytest.mark.parametrize("more", [0, 3])
def test_no_more_than_some_are_kept_and_the_others_counted(tmp_path: Path, more: int) -> None:
    file = tmp_path / "a.warc.gz"
    good = record(1, random.Random(1))
    bad = gzip.compress(b"WARC/1.1\r\nnot a record\r\n\r\n", mtime=0)
    file.write_bytes((good + bad) * (MOST + more))
    added = Added()
    how = Opening()
    rows = list(_LinksOfPieces(how, added)([Piece((file_at(str(file), how),), 0)]))
    assert len(rows) == 2 * (MOST + more)
    others = [each for each in added.value if each.code == "more"]
    assert len(added.value) - len(others) == MOST
    assert others == ([BrokenRecord(str(file), "", "more", "3 more cannot be read")] if more else [])
