"""Which hosts link to which, as the host graphs of Common Crawl have it.

Hosts are written from the end, `org.example.www`; of a page on a host and a target on another one it is counted how
many links there are. A host's links to itself are left out, and so is what is not on the web (`http`, `https`).
"""

from __future__ import annotations

from typing import Any, Final

_HOST: Final = r"^(?i:https?)://(?:[^/?#@]*@)?([^/?#:]+)"
_SQL: Final = """
SELECT from_host, to_host, count(*) AS links
FROM (SELECT {source} AS from_host, {target} AS to_host FROM {{table}})
WHERE from_host <> '' AND to_host <> '' AND from_host <> to_host
GROUP BY from_host, to_host
"""


def _reversed_host(column: str) -> str:
    host = f"lower(regexp_extract({column}, r'{_HOST}', 1))"
    return f"array_join(reverse(split({host}, '[.]')), '.')"


def host_graph(links: Any) -> Any:
    """The edges between hosts, a DataFrame `from_host`, `to_host`, `links`, of the DataFrame that `links` gives."""
    query = _SQL.format(source=_reversed_host("page"), target=_reversed_host("target"))
    return links.sparkSession.sql(query, table=links)
