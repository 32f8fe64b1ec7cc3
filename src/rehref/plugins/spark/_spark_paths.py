"""Find the files of a collection, on disks that all workers see, or where only Spark's own readers reach."""

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
    """The files on disks, the paths that Spark reads, and for each path that failed the file and the message."""

    files: list[FileDocument]
    remote: list[str]
    errors: list[tuple[str, str]]


def found(paths: str | Sequence[str]) -> Found:
    """Find what is at paths.

    A path without a scheme, or with `file:`, must be visible to the driver and all workers; the driver expands folders
    and patterns (`*`). Spark reads all other paths (`s3a://`, `hdfs://`), and expands their patterns.
    """
    files: list[FileDocument] = []
    remote: list[str] = []
    errors: list[tuple[str, str]] = []
    for path in [paths] if isinstance(paths, str) else paths:
        scheme = _SCHEME(path)
        if scheme is not None and scheme[1].lower() != "file":
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
    """The paths in a list with one on each line, such as Common Crawl's `warc.paths.gz`, each with a prefix.

    `prefix`: what the paths are relative to, such as `s3a://commoncrawl/`. Spark reads the list, wherever it is.
    """
    lines = (row[0].strip() for row in spark.read.text(file).collect())
    return [prefix + line for line in lines if line]
