"""What cannot be read of a collection, gathered by an accumulator.

1. It is a set: a task that is done twice (its worker was killed; it was slow, and another one was begun) adds the same.
2. What is gathered is complete when an action has run, such as a table being written.
3. Of a piece no more are kept than `MOST`, and one that says how many more there are (`more`).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from pyspark import AccumulatorParam

from rehref.collections.pieces import Piece

MOST: Final = 1000
SCHEMA: Final = "document string, `where` string, code string, message string"


class BrokenRecord(NamedTuple):
    """A record that cannot be read, or a file (`where` is "" then): a row of the side table."""

    document: str
    where: str
    code: str
    message: str

    @classmethod
    def of_others(cls, piece: Piece, count: int) -> BrokenRecord:
        """So many more of a piece (rule 3)."""
        where = "" if piece.within is None else f"bytes {piece.within.start} to {piece.within.end}"
        return cls(piece.files[0].name, where, "more", f"{count:,} more cannot be read")


class _Union(AccumulatorParam[Any]):  # type: ignore[misc]
    """Adds sets."""

    def zero(self, value: frozenset[BrokenRecord]) -> frozenset[BrokenRecord]:
        """The set without anything."""
        return frozenset()

    def addInPlace(  # noqa: N802
        self, value1: frozenset[BrokenRecord], value2: frozenset[BrokenRecord]
    ) -> frozenset[BrokenRecord]:
        """Both sets."""
        return value1 | value2


class Broken:
    """Gathers what cannot be read: give it to `links`."""

    def __init__(self, spark: Any) -> None:
        self._spark = spark
        self.accumulator = spark.sparkContext.accumulator(frozenset(), _Union())

    @property
    def records(self) -> list[BrokenRecord]:
        """What could not be read, sorted."""
        return sorted(self.accumulator.value)

    def table(self) -> Any:
        """The same as a DataFrame of one partition."""
        return self._spark.createDataFrame(self.records, SCHEMA).coalesce(1)
