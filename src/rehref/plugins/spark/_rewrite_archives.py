"""Rewrite files with Spark.

A file is a task. It is written completely or not at all, and the output is the same each time, so a task that runs
twice does no harm. Spark writes tables, not arbitrary files, so sources and output must be in folders that all workers
see.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any, Final, Unpack

from rehref.archives.pieces import RunCounts
from rehref.archives.rewriting_files import RewriteOptions, rewrite_file
from rehref.documents.options import Given, SourceOptions
from rehref.files.file_errors import failure
from rehref.plugins.spark._spark_paths import found
from rehref.rewriting.built_in_rules import Absolute
from rehref.rewriting.rule import DocumentRule, Rule

_COUNTS: Final = (
    *("documents", "references", "changed", "changed_documents", "otherwise", "withheld"),
    *("missing", "parted", "web", "kept_bases", "hashes"),
)
_values_of = attrgetter(*_COUNTS)
SCHEMA: Final = (
    f"document string, output string, {', '.join(f'{each} bigint' for each in _COUNTS)}, errors array<string>"
)


def rewrite(
    spark: Any,
    paths: str | Sequence[str],
    out: str,
    rule: Rule | DocumentRule | None = None,
    *,
    as_conversion: bool = False,
    all_types: bool = False,
    percent_encode: bool = False,
    **options: Unpack[Given],
) -> Any:
    """Rewrite files into a folder, under their own names; return the results as a DataFrame (not lazy).

    `paths`: files, folders and patterns, on disks that all workers see. `out`: the folder. `rule` and the options are
    those of `rehref.rewrite_into`. Raises ValueError for a path elsewhere, and for two files with the same name.
    """
    where = found(paths)
    if where.remote:
        raise ValueError(f"{where.remote[0]}: only files on disks that all workers see can be rewritten")
    if where.errors:
        raise ValueError(where.errors[0][1])
    targets: dict[str, str] = {}
    for file in where.files:
        other = targets.setdefault(str(Path(out) / file.relative), file.name)
        if other != file.name:
            raise ValueError(f"{other} and {file.name} would both be written to {Path(out) / file.relative}")
        if Path(other).resolve() == (Path(out) / file.relative).resolve():
            raise ValueError(f"{other} would be overwritten; name another folder")
    wanted = RewriteOptions(Absolute() if rule is None else rule, as_conversion, all_types, percent_encode)
    task = _RewriteFiles(SourceOptions.of(options), wanted)
    pairs = [(name, target) for target, name in targets.items()]
    rows = spark.sparkContext.parallelize(pairs, max(1, len(pairs))).mapPartitions(task).collect()
    return spark.createDataFrame(rows, SCHEMA)


@dataclass(frozen=True)
class _RewriteFiles:
    """Rewrites some files; runs on a worker."""

    how: SourceOptions
    wanted: RewriteOptions

    def __call__(self, pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[Any, ...]]:
        """Rewrite the files, and yield a row of results for each."""
        for name, target in pairs:
            try:
                result = rewrite_file(name, target, self.wanted, self.how)
            except Exception as error:
                yield name, target, *_values_of(RunCounts()), [str(failure(name, error))]
            else:
                yield name, target, *_values_of(result.counts), [str(error) for error in result.errors]
