"""Links as rows: plain values with the same names and types for every link, for tables.

1. A row has the values of an object of `--format jsonl`, with the same names. In addition, it has the kind of the
   container that the document is in. `record` is a record of an archive, or a part of another container.
2. Passwords are masked, as in every report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from rehref.base import Base
from rehref.documents.link import Link
from rehref.reports.links.json import base_object
from rehref.reports.text import mask
from rehref.uri.privacy import mask_text


class Row(NamedTuple):
    """A link and where it is: `Link` explains most fields.

    `document`: the file. `container`: what kind of container the file is ("warc", "epub", …), None for a document on
    its own. `record`: `Link.part`. `base`: a dict with `uri`, `origin`, `where` and `rejected`. `span`: a list of two
    numbers, or None. `problems`: dicts with `code` and `message`.
    """

    document: str
    container: str | None
    record: str | None
    page: str | None
    reference: str
    target: str | None
    base: dict[str, Any]
    element: str
    attribute: str | None
    kind: str
    inside: str | None
    line: int | None
    column: int | None
    span: list[int] | None
    same_document: bool
    problems: list[dict[str, str]]
    date: str | None
    rel: str | None
    text: str | None


def rows_of(document: str, container: str | None, links: Iterable[Link]) -> Iterator[Row]:
    """The links of one document as rows."""
    base: Base | None = None
    shared: dict[str, Any] = {}
    for link in links:
        if link.base is not base:
            base, shared = link.base, base_object(link.base)
        yield Row(
            document,
            container,
            link.part,
            mask(link.page),
            mask_text(link.reference),
            mask(link.target),
            shared,
            link.element,
            link.attribute,
            link.kind,
            link.inside,
            link.line,
            link.column,
            None if link.span is None else list(link.span),
            link.same_document,
            [{"code": each.code, "message": mask_text(each.message)} for each in link.problems],
            link.date,
            mask(link.rel),
            mask(link.text),
        )
