"""The values that a reader returns: links, their problems, and the pages that they are on.

1. A `Link` is one reference at one place. It says what was written, what it was resolved against and why, and the
   result. It holds no document and no parser.
2. `reference` is the text in the source, decoded; `span` is the place of that text. Both exclude surrounding white
   space.
3. `target` is None if nothing could be resolved; a problem says why.
4. Links are tuples, because there are millions of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from rehref.documents.base import Base
from rehref.uri.syntaxes import Kind

_IF_PRESENT = frozenset({"part", "inside", "rel", "text", "date"})


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about a link: a stable `code` for machines, a `message` for people.

    `target`: for `browser-differs`, where a browser goes; None if it goes nowhere.
    """

    code: str
    message: str
    target: str | None = None


class Page(NamedTuple):
    """A document of a source: its own URI, the time of capture of its record, the media type as which it was read.

    `url`, `date`: as `Link.page` and `Link.date`. `base`: the base of the document. `links` can be iterated over once.
    """

    url: str | None
    date: str | None
    media_type: str
    base: Base
    links: Iterator[Link]


class Link(NamedTuple):
    """One reference in a document.

    `reference`: as written, decoded. `target`: the target URI, or None. `base`: what it was resolved against.
    `element`, `attribute`: where it is (`attribute` None: in text). `kind`: what it is for, one of `hyperlink`,
    `resource`, `form`, `citation`, `fragment`, `base`, `namespace`, `metadata`, `header`, `text` and `part`.
    `line`, `column`: 1-based, in characters. `span`: start and end in the source, in bytes for bytes and in characters
    for a str. They are None where the parser does not report them: with `parser='html5lib'` all three, with
    `parser='lxml'` `column` and `span`.
    `same_document`: the target is the document that contains the reference, as in HTML: its own URI, fragments
    aside, whatever the base. RFC 3986 §4.4 compares with the base instead, which is `rehref.is_same_document(target,
    base)`; the two differ where an embedded base leads elsewhere. `part`: in a container, the part or record that
    contains the reference, and that `line`, `column` and `span` refer to; else None. `inside`: the part of the same
    container that is the target ("part 2"), for people; `kind` is then `part`.
    `page`: the document's own URI, None if it has none. `date`: in an archive, when the record was captured
    (`2024-01-02T03:04:05Z`), else None. `rel`: that of the element (in HTML, of `a`, `area`, `link` and `form`), as
    written, else None. `text`: on request, the text of a hyperlink; None with `parser='lxml'` and `'html5lib'`.
    """

    reference: str
    target: str | None
    base: Base
    element: str
    attribute: str | None
    kind: Kind
    line: int | None
    column: int | None
    span: tuple[int, int] | None
    same_document: bool
    problems: tuple[Problem, ...]
    part: str | None = None
    inside: str | None = None
    page: str | None = None
    date: str | None = None
    rel: str | None = None
    text: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """The link as plain values for `json.dumps`, as in `rehref links --format json`.

        The keys and their order are those of the report, and so are the values, with two differences: there is no
        `document`, since a link does not know the name of its source, and passwords are not masked. As in the report,
        `part`, `inside`, `date`, `rel` and `text` are present only if they are not None; the report of a WARC calls
        `part` `record`.
        """
        values = {
            "part": self.part,
            "reference": self.reference,
            "target": self.target,
            "base": self.base.as_dict(),
            "element": self.element,
            "attribute": self.attribute,
            "kind": self.kind,
            "inside": self.inside,
            "line": self.line,
            "column": self.column,
            "span": None if self.span is None else list(self.span),
            "same_document": self.same_document,
            "problems": [{"code": each.code, "message": each.message} for each in self.problems],
            "rel": self.rel,
            "text": self.text,
            "page": self.page,
            "date": self.date,
        }
        return {name: value for name, value in values.items() if value is not None or name not in _IF_PRESENT}
