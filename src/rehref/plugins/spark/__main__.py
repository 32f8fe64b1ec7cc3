"""`python -m rehref.spark`, also for `spark-submit`: the links of a collection, or the collection rewritten.

`links PATHS --out DIR` writes the tables `DIR/links` and `DIR/broken` (Parquet); with `--graph` also `DIR/hosts`, and
the same as text, `DIR/vertices` and `DIR/edges`. What was there before is replaced: a run that is repeated gives the
same. The exit code is 0, or 2 if something could not be read or written; both commands say in one line what they did,
or what is wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

_FAILED = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command: the exit code."""
    given = _parser().parse_args(arguments)
    from py4j.protocol import Py4JJavaError
    from pyspark.errors import PySparkException
    from pyspark.sql import SparkSession

    from rehref.plugins.spark._spark_errors import in_one_line

    spark = SparkSession.builder.appName(f"rehref {given.command}").getOrCreate()
    try:
        paths = _paths(spark, given)
        if not paths:
            print("rehref.spark: there are no paths; name some, or a list with --list", file=sys.stderr)
            return _FAILED
        options = {name: value for name, value in (("profile", given.profile),) if value is not None}
        return (_links if given.command == "links" else _rewrite)(spark, paths, given, options)
    except (ValueError, PySparkException, Py4JJavaError) as error:
        print(f"rehref.spark: {in_one_line(error)}", file=sys.stderr)
        return _FAILED
    finally:
        spark.stop()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rehref.spark", description="Whole collections by Apache Spark.")
    commands = parser.add_subparsers(dest="command", required=True)
    links = commands.add_parser("links", help="write the links of all documents as Parquet")
    links.add_argument("--graph", action="store_true", help="write which hosts link to which, too")
    rewrite = commands.add_parser("rewrite", help="write all files anew, their references absolute, or as --to says")
    rewrite.add_argument("--to", metavar="TEMPLATE", help="a template that names {uri}; default: absolute references")
    for each in (links, rewrite):
        each.add_argument("paths", nargs="*", metavar="PATH", help="a file, a folder, a pattern, or a URI of Spark's")
        each.add_argument("--list", metavar="FILE", help="a list of paths, one a line, also gzipped (warc.paths.gz)")
        each.add_argument("--prefix", default="", help="put before each path of the list: s3a://commoncrawl/")
        each.add_argument("--out", required=True, metavar="DIR", help="where to write")
        each.add_argument("--profile", help="how to resolve, as in rehref links")
    return parser


def _paths(spark: Any, given: argparse.Namespace) -> list[str]:
    from rehref.plugins.spark._spark_paths import listed

    return [*given.paths, *(listed(spark, given.list, given.prefix) if given.list else ())]


def _links(spark: Any, paths: list[str], given: argparse.Namespace, options: dict[str, Any]) -> int:
    from rehref.plugins.spark._broken_pieces import Broken
    from rehref.plugins.spark._graph import host_graph, write_host_graph
    from rehref.plugins.spark._read_links import links

    out = given.out.rstrip("/")
    broken = Broken(spark)
    links(spark, paths, broken=broken, **options).write.mode("overwrite").parquet(f"{out}/links")
    broken.table().write.mode("overwrite").parquet(f"{out}/broken")
    written = spark.read.parquet(f"{out}/links")
    if given.graph:
        host_graph(written).write.mode("overwrite").parquet(f"{out}/hosts")
        write_host_graph(spark.read.parquet(f"{out}/hosts"), out)
    print(f"{written.count():,} references in {out}/links; {len(broken.records):,} broken")
    return _FAILED if broken.records else 0


def _rewrite(spark: Any, paths: list[str], given: argparse.Namespace, options: dict[str, Any]) -> int:
    from rehref.plugins.spark._rewrite_archives import rewrite
    from rehref.rewriting.built_in_rules import Template

    rule = None if given.to is None else Template(given.to)
    done = rewrite(spark, paths, given.out, rule, **options).collect()
    failed = [error for row in done for error in row.errors]
    for error in failed:
        print(f"rehref.spark: {error}", file=sys.stderr)
    changed, references = sum(row.changed for row in done), sum(row.references for row in done)
    print(f"{changed:,} of {references:,} references changed in {len(done):,} files; {len(failed):,} broken")
    return _FAILED if failed else 0


if __name__ == "__main__":
    sys.exit(main())
