"""Files that Spark's own readers read, copied to the worker's disk while a task needs them.

A gzipped file (`.gz`) comes piece by piece, so that the memory of a worker does not grow with it. Spark reads it as
text between separators, with the codec of Hadoop that does not change bytes; such a file is not split, and its pieces
come in order. In compressed data the separator occurs about every 65,536 bytes.
"""

from __future__ import annotations

import tempfile
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby, product
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

SEPARATOR: Final = b"\n\r"
_GZIPPED: Final = ".gz"
_OTHERS: Final = "{*[!z],*[!g]z,*[!.]gz,z,gz}"
_EXTENSION: Final = "io.compress.passthrough.extension"
_AS_IT_IS: Final = {
    "lineSep": SEPARATOR.decode(),
    "io.compression.codecs": "org.apache.hadoop.io.compress.PassthroughCodec",
    _EXTENSION: _GZIPPED,
    f"org.apache.hadoop.shaded.{_EXTENSION}": _GZIPPED,  # its name in the Hadoop jars that Spark ships
}


class Content(NamedTuple):
    """A file on the worker's disk: its URI, the file, and the error if not all of it came."""

    uri: str
    path: Path
    error: str | None


def frames(spark: Any, paths: Sequence[str]) -> Iterator[Any]:
    """DataFrames of the files at paths, for `contents`: one of gzipped files, one of others, which come as a whole.

    Spark reads none of the others above 2 GB.
    """
    others = [path for path in paths if not path.endswith(_GZIPPED)]
    archives = spark.read.options(**_AS_IT_IS, pathGlobFilter=f"*{_GZIPPED}").text(list(paths))
    yield archives.selectExpr("_metadata.file_path", "_metadata.file_size", "CAST(value AS BINARY)")
    if others:
        whole = spark.read.format("binaryFile").option("pathGlobFilter", _OTHERS).load(others)
        yield whole.selectExpr("_metadata.file_path", "_metadata.file_size", "content")


def contents(rows: Iterable[Sequence[Any]]) -> Iterator[Content]:
    """The files of a partition, one after the other. Each exists until the next one is requested."""
    for uri, pieces in groupby(rows, key=itemgetter(0)):
        with _written(uri, pieces) as content:
            yield content


@contextmanager
def _written(uri: str, pieces: Iterator[Sequence[Any]]) -> Iterator[Content]:
    _, size, first = next(pieces)
    with tempfile.TemporaryDirectory(prefix="rehref-") as folder:
        path = Path(folder) / uri.rstrip("/").rpartition("/")[2]
        with path.open("wb") as file:
            length = file.write(first)
            for _, _, piece in pieces:
                length += file.write(SEPARATOR) + file.write(piece)
            before, after = _left_out(size - length)
            length += len(before) + file.write(after)
        if before:
            path.write_bytes(before + path.read_bytes())  # rare, and small: archives do not begin with that
        yield Content(uri, path, _error(length, size))


def _error(length: int, size: int) -> str | None:
    if length > size:
        return "has changed while it was read"
    return None if length == size else f"only {length:,} of its {size:,} bytes could be read"


def _left_out(missing: int) -> tuple[bytes, bytes]:
    """The bytes missing at the beginning and at the end, if they are `missing` bytes in all.

    Spark drops a separator at the end of such a file, and a byte order mark at its beginning. The size of the file
    shows whether it had them. If they do not explain the missing bytes, the file is reported as one that cannot be
    read.
    """
    for before, after in product((b"", BOM_UTF8), (b"", SEPARATOR)):
        if len(before) + len(after) == missing:
            return before, after
    return b"", b""
