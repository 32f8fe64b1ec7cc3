"""Where the files of a collection are: on disks that all workers see, or where Spark's own readers read.

1. A path without a scheme, or with `file:`, is one that the driver and all workers see; folders and patterns (`*`) are
   looked into by the driver.
2. Any other (`s3a://`, `hdfs://`) Spark reads, patterns too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from glob import glob
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

from rehref.files.discovery import discover
from rehref.files.file_documents import FileDocument

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.\-]+):").match


class Found(NamedTuple):
    """The files on disks, the paths that Spark reads, and what there is to report of others: file and message."""

    files: list[FileDocument]
    remote: list[str]
    errors: list[tuple[str, str]]


def found(paths: str | Sequence[str]) -> Found:
    """Look at paths (rules 1, 2)."""
    files: list[FileDocument] = []
    remote: list[str] = []
    errors: list[tuple[str, str]] = []
    for path in [paths] if isinstance(paths, str) else paths:
        scheme = _SCHEME(path)
        if scheme is not None and scheme[1] != "file":
            remote.append(path)
            continue
        local = path if scheme is None else unquote(urlsplit(path).path)
        for each in discover(sorted(glob(local)) or [local]).found:  # noqa: PTH207
            if isinstance(each, FileDocument):
                files.append(each)
            else:
                errors.append((each.file, str(each)))
    return Found(files, remote, errors)


def listed(spark: Any, file: str, prefix: str = "") -> list[str]:
    """The paths in a list, one a line, as Common Crawl ships them (`warc.paths.gz`), each behind a prefix.

    `prefix`: what they are relative to, such as `s3a://commoncrawl/`. Spark reads the list, wherever it is.
    """
    lines = (row[0].strip() for row in spark.read.text(file).collect())
    return [prefix + line for line in lines if line]
