"""Rows of links written as Apache Parquet: the fields of `LinkRow`, with the types of objects of `--format jsonl`.

`docs/scale.md` lists them. Rows are written in groups, so that memory does not grow with their number, and a group is
made in batches, since a row takes several times the memory that it takes in a batch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, BinaryIO, Final

from rehref.archives.links_of_many import LinkRow

_NO_CHARACTER = re.compile("[\ud800-\udfff]")
_BATCH: Final = 1000
_BATCHES: Final = 20
"""How many batches a group has."""


@cache
def schema() -> Any:
    """The columns, a `pyarrow.Schema`. Raises ImportError without pyarrow."""
    import pyarrow as pa

    text, number = pa.string(), pa.int64()
    rejected = pa.struct([(name, text) for name in ("reference", "origin", "where", "reason")])
    base = pa.struct([("uri", text), ("origin", text), ("where", text), ("rejected", pa.list_(rejected))])
    problem = pa.struct([("code", text), ("message", text)])
    types = {
        "base": base,
        "line": number,
        "column": number,
        "span": pa.list_(number),
        "same_document": pa.bool_(),
        "problems": pa.list_(problem),
    }
    return pa.schema([(name, types.get(name, text)) for name in LinkRow._fields])


def batches(rows: Iterable[LinkRow], size: int = _BATCH) -> Iterator[Any]:
    """The rows as `pyarrow.RecordBatch`es."""
    import pyarrow as pa

    columns = schema()
    left = iter(rows)
    while group := list(islice(left, size)):
        values = list(zip(*group, strict=True))
        try:
            arrays = [pa.array(each, field.type) for each, field in zip(values, columns, strict=True)]
        except UnicodeEncodeError:
            cleaned = zip(*map(_clean, group), strict=True)
            arrays = [pa.array(each, field.type) for each, field in zip(cleaned, columns, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=columns)


def write(out: BinaryIO, rows: Iterable[LinkRow]) -> None:
    """Write rows to a file."""
    import pyarrow as pa
    from pyarrow.parquet import ParquetWriter

    left = batches(rows)
    with ParquetWriter(out, schema(), compression="zstd") as writer:
        while group := list(islice(left, _BATCHES)):
            writer.write_table(pa.Table.from_batches(group))
            del group  # which is as large as the next one


def _clean(value: Any) -> Any:
    """The value with U+FFFD for what is not Unicode (odd bytes in a file name): texts in Parquet are UTF-8."""
    if isinstance(value, str):
        return _NO_CHARACTER.sub("\ufffd", value)
    if isinstance(value, dict):
        return {name: _clean(each) for name, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, list | tuple) else value
