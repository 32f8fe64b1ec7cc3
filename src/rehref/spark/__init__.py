"""Whole collections by Apache Spark (the extra `spark`): links as a DataFrame, archives rewritten.

    from rehref.spark import links, rewrite
    links(spark, ["crawl/*.warc.gz"]).write.parquet("links")

What is done with a file is what `rehref.collections` does everywhere. `docs/scale.md` says more.
"""

from rehref.spark.broken import Broken
from rehref.spark.graph import host_graph
from rehref.spark.paths import listed
from rehref.spark.reading import SCHEMA, links
from rehref.spark.rewriting import rewrite

__all__ = ["SCHEMA", "Broken", "host_graph", "links", "listed", "rewrite"]
