"""Links as rows: plain values with the same names and types for every link, for tables.

1. A row is what an object of `--format jsonl` is, with the same names. Besides, every row says which kind of container
   its document stands in, and the URI of the document itself (its page). `record` is a record of an archive, or a part
   of another container.
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
    """A link and where it stands: `Link` says what most fields are.

    `document`: the file. `container`: what kind of container that is ("warc", "epub", …), None of a document on its
    own. `record`: `Link.part`. `page`: the URI of the document itself, None if it has none. `base`: a dict with `uri`,
    `origin`, `where` and `rejected`. `span`: a list of two numbers, or None. `problems`: dicts with `code` and
    `message`.
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


def rows_of(document: str, container: str | None, page: str | None, links: Iterable[Link]) -> Iterator[Row]:
    """The links of one document as rows."""
    page = mask(page)
    base: Base | None = None
    shared: dict[str, Any] = {}
    for link in links:
        if link.base is not base:
            base, shared = link.base, base_object(link.base)
        yield Row(
            document,
            container,
            link.part,
            page,
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
        )
