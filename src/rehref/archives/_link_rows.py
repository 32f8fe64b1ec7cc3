"""Links as rows: plain values with the same names and types for every link, for tables; written as Apache Parquet, too.

1. A row has the values of an object of `--format jsonl`, with the same names. In addition, it has the kind of the
   container that the document is in. `record` is a record of an archive, or a part of another container.
2. Passwords are masked, as in every report.
3. The columns are the fields of `LinkRow`, with the types of objects of `--format jsonl`; `docs/scale.md` lists them.
4. Rows are written in groups, so that memory does not grow with their number. A group is made in batches, since a row
   takes several times the memory that it takes in a batch.
5. U+FFFD replaces what is not Unicode (odd bytes in a file name): texts in Parquet are UTF-8.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any, BinaryIO, Final, NamedTuple

from rehref.documents.base import Base
from rehref.documents.link import Link
from rehref.reports.terminal import mask, masked_base
from rehref.uri.components import mask_text


class LinkRow(NamedTuple):
    """A link and where it is: `Link` explains most fields.

    `document`: the file. `container`: what kind of container the file is ("warc", "epub", …), None for a document on
    its own. `record`: `Link.part`. `base`: a dict with `uri`, `origin`, `where` and `rejected`. `span`: a list of two
    numbers, or None. `problems`: dicts with `code` and `message`.
    """

    document: str
    container: str | None
    record: str | None
    page: str | None
    reference: str
    target: str | None
    base: dict[str, Any]
    element: str
    attribute: str | None
    kind: str
    inside: str | None
    line: int | None
    column: int | None
    span: list[int] | None
    same_document: bool
    problems: list[dict[str, str]]
    date: str | None
    rel: str | None
    text: str | None


def rows_of(document: str, container: str | None, links: Iterable[Link]) -> Iterator[LinkRow]:
    """The links of one document as rows."""
    base: Base | None = None
    shared: dict[str, Any] = {}
    for link in links:
        if link.base is not base:
            base, shared = link.base, masked_base(link.base).as_dict()
        yield LinkRow(  # for each link: by name it would take nearly twice as long
            document,
            container,
            link.part,
            mask(link.page),
            mask_text(link.reference),
            mask(link.target),
            shared,
            link.element,
            link.attribute,
            link.kind,
            link.inside,
            link.line,
            link.column,
            None if link.span is None else list(link.span),
            link.same_document,
            [{"code": each.code, "message": mask_text(each.message)} for each in link.problems],
            link.date,
            mask(link.rel),
            mask(link.text),
        )


_NO_CHARACTER = re.compile("[\ud800-\udfff]")
_BATCH: Final = 1000
_BATCHES: Final = 20
"""How many batches a group has."""


@cache
def schema() -> Any:
    """The columns (rule 3), a `pyarrow.Schema`. Raises ImportError without pyarrow."""
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
    """The rows as `pyarrow.RecordBatch`es (rule 4)."""
    import pyarrow as pa

    columns = schema()
    left = iter(rows)
    while group := list(islice(left, size)):
        values = list(zip(*group, strict=True))
        try:
            arrays = [pa.array(each, field.type) for each, field in zip(values, columns, strict=True)]
        except UnicodeEncodeError:  # rule 5
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
    """The value with valid Unicode in its texts (rule 5)."""
    if isinstance(value, str):
        return _NO_CHARACTER.sub("\ufffd", value)
    if isinstance(value, dict):
        return {name: _clean(each) for name, each in value.items()}
    return [_clean(each) for each in value] if isinstance(value, list | tuple) else value
