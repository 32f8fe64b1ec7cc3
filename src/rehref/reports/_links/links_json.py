"""Links for programs: `json`, one array, and `jsonl`, one object a line (the array, too, has one on each line).

The objects are written piece by piece, not made and then encoded: there are millions, and most of each is as in the one
before. The text is what `json` would write. Lone surrogates (from a file name of odd bytes), and what a terminal would
act on, are JSON escapes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from json.encoder import encode_basestring as _quote
from typing import TYPE_CHECKING, Final, NamedTuple

from rehref.documents.base import Base
from rehref.reports.formats import AnyText, LongText
from rehref.reports.terminal import json_text, mask, masked_base
from rehref.uri.components import mask_text

if TYPE_CHECKING:
    from rehref.containers.parts import PartWord
    from rehref.documents.base import Problem
    from rehref.documents.document import Document
    from rehref.documents.link import Link
    from rehref.reports.disagreement import Disagreement
    from rehref.reports.formats import Presentation

_encode = json.JSONEncoder(ensure_ascii=False).encode
_NULL: Final = "null"
_TRUE: Final = "true"
_FALSE: Final = "false"


def base_text(base: Base) -> str:
    """The text between the target and the element of a link."""
    rejected = _encode(masked_base(base).as_dict()["rejected"]) if base.rejected else "[]"
    return (
        f'"base": {{"uri": {_quoted(mask(base.uri))}, "origin": {_quote(base.origin)}, "where": {_quote(base.where)}, '
        f'"rejected": {rejected}}}, '
    )


def page_text(page: str | None, date: str | None) -> str:
    """The text at the end of a link: the page and the date that it is from."""
    return f', "page": {_quoted(mask(page))}' + ("" if date is None else f', "date": {_quote(date)}')


class LinkTexts:
    """Writes the links of one document as objects, without the brace that ends each.

    A link is an object with the names of `Link`'s fields, and `document` before them; in a container `part`, or
    `record`, follows that, and `inside` follows `kind`, if the target is another part of it. `base` is an object with
    `uri`, `origin`, `where` and `rejected`; `problems` a list of `code` and `message`; `span` a list of two numbers or
    null. After `problems` come `rel` and `text`, if the link has them, `page`, and `date`. The text that many links
    share is made once.
    """

    __slots__ = ("_base", "_before", "_page", "_shared")

    def __init__(self, document: str) -> None:
        self._before = f'{{"document": {_quote(document)}, '
        self._base: Base | None = None
        self._page = ""
        self._shared: dict[tuple[str | None, ...], str] = {}

    def of(self, links: Iterable[Link], where: PartWord = "part") -> Iterator[str]:
        """Each link; `where`: the name for `Link.part`."""
        for link in links:
            # unpacked, since reading one field by name takes as long as all of this
            reference, target, base, element, attribute, kind, line, column, span, same, problems = link[:11]
            part, inside, page, date, rel, shown = link[11:]
            if base is not self._base:
                self._base, self._shared = base, {}
            names = (element, attribute, kind, inside, part)
            shared = self._shared.get(names)
            if shared is None:
                shared = self._shared[names] = self._between(link)
            head = self._before if part is None else self.head(part, where)
            self._page = self._page or page_text(page, date)
            yield (
                f'{head}"reference": {_quote(mask_text(reference))}, "target": {_quoted(mask(target))}, {shared}'
                f'"line": {_number(line)}, "column": {_number(column)}, '
                f'"span": {_NULL if span is None else f"[{span[0]}, {span[1]}]"}, '
                f'"same_document": {_TRUE if same else _FALSE}, '
                f'"problems": {_encode(list(map(_problem, problems))) if problems else "[]"}'
                f"{_named('rel', rel)}{_named('text', shown)}{self._page}"
            )

    def head(self, part: str | None, where: PartWord) -> str:
        """The text before the reference of a link."""
        return self._before if part is None else f"{self._before}{_quote(where)}: {_quote(part)}, "

    def _between(self, link: Link) -> str:
        """The text between the target and the line of a link."""
        inside = "" if link.inside is None else f'"inside": {_quote(link.inside)}, '
        return (
            f'{base_text(link.base)}"element": {_quote(link.element)}, '
            f'"attribute": {_quoted(link.attribute)}, "kind": {_quote(link.kind)}, {inside}'
        )


def _problem(problem: Problem) -> dict[str, str]:
    return {"code": problem.code, "message": mask_text(problem.message)}


def _needs_care(uri: str | None) -> bool:
    """Whether a URI may contain a password, or needs escapes."""
    return uri is not None and ("@" in uri or json_text(_quote(uri)) != f'"{uri}"')


def _quoted(text: str | None) -> str:
    return _NULL if text is None else _quote(text)


def _named(name: str, text: str | None) -> str:
    return "" if text is None else f', "{name}": {_quote(mask_text(text))}'


def _number(number: int | None) -> str:
    return _NULL if number is None else str(number)


class JsonLinks(NamedTuple):
    """Objects, with a text `before` and `after` each."""

    head: str = ""
    before: str = ""
    after: str = ""
    between: str = ""
    tail: str = ""

    def document(self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part") -> str:
        """The links of one document, a line each."""
        return self._text(LinkTexts(name).of(links, where))

    def written(self, name: str, document: Document, where: PartWord = "part") -> tuple[AnyText, int] | None:
        """The links of a document that has been read, and their number; None: the compiled twin cannot write them.

        It writes the objects of ordinary places, without making a `Link`, and the same text as `LinkTexts`.
        """
        if any(map(_needs_care, (document.base.uri, document.own.uri))):
            return None
        texts, behind, long = LinkTexts(name), "}" + self.after + self.between, LongText()
        head = f'{self.before}{texts.head(document.part_of.name, where)}"reference": "'
        ending = page_text(document.own.uri, document.part_of.date) + behind
        before, after = (json_text(each).encode() for each in (head, ending))

        def base(of: Base) -> bytes | None:
            return None if _needs_care(of.uri) else json_text(f'", {base_text(of)}').encode()

        def written(links: Iterable[Link]) -> bytes:
            return self._joined_objects(texts.of(links, where)).encode()

        text, count = document.table().json(before, base, after, written, long.add)
        del text[len(text) - len(self.between) if text else 0 :]
        if long.is_empty:
            return text, count
        long.add(text)
        return long, count

    def disagreements(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The disagreements of cores, a line for each link, which ends with `parsers`.

        The names of the cores that have it.
        """
        held = [link for each in found for link in each.links]
        texts = LinkTexts(name).of(each.link for each in held)
        pairs = zip(texts, held, strict=True)
        return self._text(f'{text}, "parsers": {_encode(list(each.parsers))}' for text, each in pairs)

    def _text(self, objects: Iterable[str]) -> str:
        return self._joined_objects(objects).removesuffix(self.between)

    def _joined_objects(self, objects: Iterable[str]) -> str:
        """Objects, with `between` also after the last one."""
        before, after = self.before, "}" + self.after + self.between
        return json_text("".join([f"{before}{each}{after}" for each in objects]))


def array(_: Presentation) -> JsonLinks:
    """One array of links."""
    return JsonLinks(head="[", before="\n", between=",", tail="\n]\n")


def lines(_: Presentation) -> JsonLinks:
    """One link a line."""
    return JsonLinks(after="\n")
