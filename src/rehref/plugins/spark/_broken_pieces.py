"""Broken records: an accumulator collects what cannot be read.

The accumulator is a set, so a task that runs twice (its worker was killed, or it was slow) adds nothing new. It is
complete when an action has run, for example when a table has been written.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pyspark import AccumulatorParam

from rehref.archives.pieces import Piece

MOST: Final = 1000
SCHEMA: Final = "document string, `where` string, code string, message string"


class BrokenRecord(NamedTuple):
    """A record that cannot be read, or a file (then `where` is ""): a row of the table of broken records."""

    document: str
    where: str
    code: str
    message: str

    @classmethod
    def of_others(cls, piece: Piece, count: int) -> BrokenRecord:
        """The record with the code `more` that counts the others of a piece, which adds at most `MOST`."""
        where = "" if piece.within is None else f"bytes {piece.within.start} to {piece.within.end}"
        return cls(piece.files[0].name, where, "more", f"{count:,} more cannot be read")


class _Union(AccumulatorParam[Any]):  # type: ignore[misc]
    """Makes the union of sets."""

    def zero(self, value: frozenset[BrokenRecord]) -> frozenset[BrokenRecord]:
        """The empty set."""
        return frozenset()

    def addInPlace(  # noqa: N802
        self, value1: frozenset[BrokenRecord], value2: frozenset[BrokenRecord]
    ) -> frozenset[BrokenRecord]:
        """The union of both sets."""
        return value1 | value2


class Broken:
    """Collects what cannot be read: pass it to `links`."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark
        self.accumulator = spark.sparkContext.accumulator(frozenset(), _Union())

    @property
    def records(self) -> list[BrokenRecord]:
        """The broken records, sorted."""
        return sorted(self.accumulator.value)

    def table(self) -> Any:
        """The broken records as a DataFrame with one partition."""
        return self._spark.createDataFrame(self.records, SCHEMA).coalesce(1)
