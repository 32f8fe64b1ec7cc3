"""Whole collections with Apache Spark, by the name that programs import: `from rehref.spark import links`.

The plugin itself is `rehref.plugins.spark`. `python -m rehref.spark` runs it, and `spark-submit` the file
`__main__.py`.
"""

from rehref.plugins.spark import SCHEMA, Broken, host_graph, links, listed, rewrite, write_host_graph

__all__ = ["SCHEMA", "Broken", "host_graph", "links", "listed", "rewrite", "write_host_graph"]
