"""Process whole collections with Apache Spark (extra `spark`): links as a DataFrame, and rewritten archives.

    from rehref.spark import links, rewrite
    links(spark, ["crawl/*.warc.gz"]).write.parquet("links")

Each task does what `rehref.collections` does on one machine. `docs/scale.md` explains more.
"""

from rehref.spark.broken import Broken
from rehref.spark.graph import host_graph, write_host_graph
from rehref.spark.paths import listed
from rehref.spark.reading import SCHEMA, links
from rehref.spark.rewriting import rewrite

__all__ = ["SCHEMA", "Broken", "host_graph", "links", "listed", "rewrite", "write_host_graph"]
