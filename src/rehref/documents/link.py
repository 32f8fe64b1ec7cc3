"""The values a reader gives out: a link, and what is odd about it.

1. A `Link` is one reference at one place. It says what was written, what it was resolved against and why, and what
   came of it. It holds no document and no parser.
2. `reference` is what the source says, decoded: the span, decoded, is the reference. Surrounding white space is
   outside of both.
3. `target` is None where nothing could be resolved; a problem says why then.
4. Links are tuples: there are millions of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from rehref.base import Base
from rehref.carriers.kinds import Kind


@dataclass(frozen=True, slots=True)
class Problem:
    """Something odd about a link: a stable `code` for machines, a `message` for people.

    `target`: of `browser-differs`, where a browser goes; None if it goes nowhere.
    """

    code: str
    message: str
    target: str | None = None


class Link(NamedTuple):
    """One reference in a document.

    `reference`: as written, decoded. `target`: the target URI, or None. `base`: what it was resolved against.
    `element`, `attribute`: where it stands (`attribute` None: in text). `kind`: what it is for.
    `line`, `column`: 1-based, in characters; None where the core cannot tell. `span`: start and end in the source, in
    bytes of bytes and in characters of a str; None where a tree core cannot tell.
    `same_document`: the target is the document that the reference stands in, as HTML means it: its own URI, fragments
    aside, whatever the base. RFC 3986 §4.4 compares with the base instead, which is `rehref.is_same_document(target,
    base)`; the two differ where an embedded base leads elsewhere. `part`: in a container, the part or record that the
    reference stands in, of which `line`, `column` and `span` are then; else None. `inside`: the part of the same
    container that the target is ("part 2"), for people; `kind` is `part` then.
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

    def as_dict(self) -> dict[str, Any]:
        """The link as plain values, which `json.dumps` takes: as `rehref links --format json` has it.

        The keys are those of the report, in its order, and its values, with two differences: there is no `document`,
        since a link does not know the name of its source, and passwords are not masked. As in the report, `part` and
        `inside` are there only where they are not None; the report of a WARC calls `part` `record`.
        """
        part = {} if self.part is None else {"part": self.part}
        inside = {} if self.inside is None else {"inside": self.inside}
        return {
            **part,
            "reference": self.reference,
            "target": self.target,
            "base": self.base.as_dict(),
            "element": self.element,
            "attribute": self.attribute,
            "kind": self.kind,
            **inside,
            "line": self.line,
            "column": self.column,
            "span": None if self.span is None else list(self.span),
            "same_document": self.same_document,
            "problems": [{"code": each.code, "message": each.message} for each in self.problems],
        }
