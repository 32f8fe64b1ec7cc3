"""The host graph: which hosts link to which, in the form of Common Crawl's host graphs.

For each two hosts, the links from pages of one to targets on the other are counted. A host's links to itself are left
out.
"""

from __future__ import annotations

from typing import Any, Final

_HOST: Final = r"^(?i:https?)://(?:[^/?#@]*@)?([^/?#:\[\]]+)"
_ORDINARY: Final = r"[^.]+([.][^.]+)*[.][^.]*[^.0-9][^.]*"
_SQL: Final = """
SELECT from_host, to_host, count(*) AS links
FROM (SELECT {source} AS from_host, {target} AS to_host FROM {{table}})
WHERE from_host <> to_host
GROUP BY from_host, to_host
"""
_VERTICES: Final = "SELECT from_host AS host FROM {edges} UNION SELECT to_host FROM {edges} ORDER BY host"
_EDGES: Final = """
SELECT concat_ws('\t', a.id, b.id) AS value
FROM {edges} JOIN {vertices} a ON from_host = a.host JOIN {vertices} b ON to_host = b.host
ORDER BY a.id, b.id
"""


def _reversed_host(column: str) -> str:
    """SQL for the host of a URI, its labels reversed: `org.example` for `www.example.org`; NULL if it is left out.

    It is in lower case, without a leading `www.`. IP addresses, names without a dot, and URIs other than `http` and
    `https` are left out.
    """
    found = f"regexp_replace(lower(regexp_extract({column}, r'{_HOST}', 1)), r'[.]$', '')"
    host = f"regexp_replace({found}, r'^www[.](?=.*[.])', '')"
    return f"CASE WHEN {host} RLIKE r'^{_ORDINARY}$' THEN array_join(reverse(split({host}, '[.]')), '.') END"


def host_graph(links: Any) -> Any:
    """The edges between hosts, a DataFrame `from_host`, `to_host`, `links`. `links`: the result of `links`."""
    query = _SQL.format(source=_reversed_host("page"), target=_reversed_host("target"))
    return links.sparkSession.sql(query, table=links)


def write_host_graph(edges: Any, out: str) -> None:
    """Write the graph that `host_graph` returns as text, into `out/vertices` and `out/edges`, folders that are
    replaced.

    They are of gzipped files. Each line of `vertices` is a number and a host, in the order of the hosts; each line of
    `edges` is two such numbers, from and to, in order and without repetition.
    """
    spark = edges.sparkSession
    numbered = spark.sql(_VERTICES, edges=edges).rdd.zipWithIndex().map(lambda each: (each[1], each[0].host))
    vertices = spark.createDataFrame(numbered, "id bigint, host string")
    lines = vertices.selectExpr("concat_ws('\t', id, host) AS value"), spark.sql(_EDGES, edges=edges, vertices=vertices)
    for name, each in zip(("vertices", "edges"), lines, strict=True):
        each.write.mode("overwrite").option("compression", "gzip").text(f"{out}/{name}")
