"""Links for programs: `json`, one array, and `jsonl`, one object a line.

1. A link is an object with the names of `Link`'s fields, and `document` before them. `base` is an object with `uri`,
   `origin`, `where` and `rejected` (a list of `reference`, `origin`, `where`, `reason`); `problems` a list of `code`
   and `message`; `span` a list of two numbers or null.
2. The array too has one link on each line.
3. In a container there is `part`, or `record`, behind `document`; and `inside` behind `kind`, where the target is
   another part of it.
4. Text that is no Unicode (a file name of odd bytes) is given with lone surrogates, as JSON escapes.
5. Of links that not all parser cores have, there is `parsers` at the end: the names of those that have it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rehref.base import Base
from rehref.containers.parts import PartWord
from rehref.documents.link import Link
from rehref.reports.formats import Presentation
from rehref.reports.links.disagreement import Disagreement
from rehref.reports.text import Mask, mask
from rehref.uri.privacy import mask_text

_encode = json.JSONEncoder(ensure_ascii=False).encode


def base_object(base: Base, mask: Mask = mask) -> dict[str, Any]:
    """A base as JSON has it; `mask`: what hides passwords."""
    return {
        "uri": mask(base.uri),
        "origin": base.origin,
        "where": base.where,
        "rejected": [{**each._asdict(), "reference": mask(each.reference)} for each in base.rejected],
    }


def link_object(document: str, link: Link, base: dict[str, Any], where: PartWord = "part") -> dict[str, Any]:
    """A link as JSON has it; `base` is what `base_object` made of its base, `where` the name for `Link.part`."""
    return {
        "document": document,
        **({} if link.part is None else {where: link.part}),
        "reference": mask_text(link.reference),
        "target": mask(link.target),
        "base": base,
        "element": link.element,
        "attribute": link.attribute,
        "kind": link.kind,
        **({} if link.inside is None else {"inside": link.inside}),
        "line": link.line,
        "column": link.column,
        "span": None if link.span is None else list(link.span),
        "same_document": link.same_document,
        "problems": [{"code": problem.code, "message": mask_text(problem.message)} for problem in link.problems],
    }


def _objects(name: str, links: Iterable[Link], where: PartWord = "part") -> Iterator[dict[str, Any]]:
    """Each link as JSON has it."""
    # nearly all links of a document share one base, which need be made an object once
    base: Base | None = None
    made: dict[str, Any] = {}
    for link in links:
        if link.base is not base:
            base, made = link.base, base_object(link.base)
        yield link_object(name, link, made, where)


@dataclass(frozen=True, slots=True)
class JsonLinks:
    """Objects, each `before` and `after` something."""

    head: str = ""
    before: str = ""
    after: str = ""
    between: str = ""
    tail: str = ""

    def document(self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part") -> str:
        """The links of one document, a line each."""
        return self._text(_objects(name, links, where))

    def disagreements(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """What cores disagree about, a line for each link (rule 5)."""
        held = [link for each in found for link in each.links]
        objects = _objects(name, (each.link for each in held))
        return self._text({**made, "parsers": list(each.parsers)} for made, each in zip(objects, held, strict=True))

    def _text(self, objects: Iterable[dict[str, Any]]) -> str:
        text = self.between.join(f"{self.before}{_encode(each)}{self.after}" for each in objects)
        return text.encode("utf-8", "backslashreplace").decode()


def array(_: Presentation) -> JsonLinks:
    """One array of links."""
    return JsonLinks(head="[", before="\n", between=",", tail="\n]\n")


def lines(_: Presentation) -> JsonLinks:
    """One link a line."""
    return JsonLinks(after="\n")
