"""Process whole collections with Apache Spark (extra `spark`): links as a DataFrame, and rewritten archives.

    from rehref.spark import links, rewrite
    links(spark, ["crawl/*.warc.gz"]).write.parquet("links")

Each task does what `rehref.archives` does on one machine. `docs/scale.md` explains more.
"""

from rehref.plugins.spark._broken_pieces import Broken
from rehref.plugins.spark._graph import host_graph, write_host_graph
from rehref.plugins.spark._read_links import SCHEMA, links
from rehref.plugins.spark._rewrite_archives import rewrite
from rehref.plugins.spark._spark_paths import listed

__all__ = ["SCHEMA", "Broken", "host_graph", "links", "listed", "rewrite", "write_host_graph"]
