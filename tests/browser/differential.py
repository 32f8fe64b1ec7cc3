"""What rehref says of documents, beside what Chromium says of them, before they are rewritten and after.

- Every reference in an attribute is compared: element, attribute, text, target in the profile `whatwg`. Elements that
  tree construction moves or copies are still the same ones, so they are compared as a set.
- Of CSS, only what Chromium has must be found: it drops what it does not know. Texts of elements are not compared, nor
  is what is no URL for a browser: CURIEs, `param`, names of metadata, what an animation sets.
- After `rewrite`, everything that a rule may change leads to the same URL, in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final, NamedTuple

import chromium
from asking import NOT_OF_THE_DOM, Answer, Asker, Found, Response

import rehref
from rehref.documents._carriers.html_attributes import SVG_CARRIERS
from rehref.documents.link import LOCAL_KINDS

RULES: Final = {"absolute": rehref.Absolute(), "relative": rehref.Relative()}
_HEAD: Final = "HTTP/1.1 200 OK\r\nContent-Type: {}\r\n\r\n"
_STYLE: Final = {attribute for (_, attribute), carrier in SVG_CARRIERS.items() if carrier.syntax == "css"}

_UNREAD: Final[Found] = ("iframe", "srcdoc", "", None)
"""A document that no browser reads: that of a frame in a template."""


class Sample(NamedTuple):
    """A document, where it is on its host, and the rule that it is rewritten by."""

    data: str | bytes
    path: str
    rule: str = "absolute"
    content_type: str = "text/html; charset=utf-8"

    @property
    def is_loaded(self) -> bool:
        """Whether Chromium loads it in a frame: bytes, and what has frames of its own or shadow roots."""
        return isinstance(self.data, bytes) or any(each in self.data.lower() for each in ("srcdoc", "shadowrootmode"))


class Difference(NamedTuple):
    """Where rehref and Chromium do not agree.

    `what`: `missing` (rehref does not find it), `surplus` (Chromium does not), `target`, `rewritten` (it leads
    elsewhere afterwards; `ours` is then Chromium's URL of it before), `places` (rewriting made another document).
    `bases`: Chromium's.
    """

    what: str
    element: str
    attribute: str
    text: str
    ours: str | None
    theirs: str | None
    bases: str


class _Side:
    """What rehref says of a document."""

    def __init__(self, number: int, sample: Sample) -> None:
        self.is_loaded = sample.is_loaded
        self.path = f"/{number}{sample.path}" if self.is_loaded else sample.path
        self.content_type = sample.content_type
        data = sample.data
        if self.is_loaded:
            data = _HEAD.format(self.content_type).encode() + (data if isinstance(data, bytes) else data.encode())
        url = chromium.url(self.path)
        media_type = None if self.is_loaded else "text/html"
        self.links = rehref.links(data, url=url, profile="whatwg", media_type=media_type)
        new = rehref.rewrite(data, RULES[sample.rule], url=url, profile="whatwg", media_type=media_type)
        self.versions = data, new
        lower = (data if isinstance(data, bytes) else data.encode("utf-8", "replace")).lower()
        self.left_out = ("link", "href") if b"data:text/css" in lower else None

    def response(self, version: int) -> Response:
        data = self.versions[version]
        assert isinstance(data, bytes)
        return Response(data.partition(b"\r\n\r\n")[2], self.content_type)


def compare(asker: Asker, samples: Sequence[Sample]) -> list[list[Difference]]:
    """What differs in each document. Those that are parsed must have the same path."""
    sides = [_Side(number, sample) for number, sample in enumerate(samples)]
    before, after = _answers(asker, sides, 0), _answers(asker, sides, 1)
    return [
        [*_found_otherwise(side, before[number]), *_rewritten_otherwise(side, before[number], after[number])]
        for number, side in enumerate(sides)
    ]


def _answers(asker: Asker, sides: Sequence[_Side], version: int) -> list[Answer]:
    """What Chromium says of one version of each document."""
    parsed = [side for side in sides if not side.is_loaded]
    loaded = [side for side in sides if side.is_loaded]
    said_of_parsed = iter(
        asker.parsed([str(side.versions[version]) for side in parsed], parsed[0].path) if parsed else ()
    )
    said_of_loaded = iter(asker.loaded({side.path: side.response(version) for side in loaded}) if loaded else ())
    return [next(said_of_loaded if side.is_loaded else said_of_parsed) for side in sides]


def _found_otherwise(side: _Side, answer: Answer) -> Iterator[Difference]:
    """Rules 1 and 2."""
    ours = {(link.element, _name(link.attribute), link.reference, link.target) for link in side.links if _counts(link)}
    ours = {each for each in ours if each[:2] != side.left_out}
    theirs = {each for each in answer.found if each != _UNREAD and each[:2] != side.left_out}
    styles = {target for _, attribute, _, target in ours if attribute == "style"}
    surplus = sorted((each for each in ours - theirs if each[1] != "style"), key=str)
    missing = sorted((each for each in theirs - ours if each[1] != "style" or each[3] not in styles), key=str)
    for one in surplus:
        alike = (each for each in missing if each[:3] == one[:3])
        other = max(alike, key=lambda each: _likeness(each[3], one[3]), default=None)
        if other is not None:
            missing.remove(other)
            yield Difference("target", *one, other[3], answer.bases)
        elif _UNREAD not in answer.found and not any(each[:3] == one[:3] for each in theirs):
            yield Difference("surplus", *one, None, answer.bases)
    for one in missing:
        styles_of_it = (each for each in ours if each[:3] == one[:3] and one[1] == "style")
        style = max(styles_of_it, key=lambda each: _likeness(each[3], one[3]), default=None)
        yield Difference("missing" if style is None else "target", *one[:3], style and style[3], one[3], answer.bases)


def _likeness(one: str | None, other: str | None) -> float:
    return SequenceMatcher(None, str(one), str(other)).ratio()


def _counts(link: rehref.Link) -> bool:
    if link.attribute is None or link.attribute in ("about", "resource"):
        return False
    return (link.element, link.attribute) not in NOT_OF_THE_DOM and (link.element, link.kind) != ("meta", "metadata")


def _name(attribute: str | None) -> str:
    return "style" if attribute in _STYLE else str(attribute)


def _rewritten_otherwise(side: _Side, before: Answer, after: Answer) -> Iterator[Difference]:
    """Rule 3."""
    if before.found == after.found:
        return
    places = [[found[:2] for found in answer.found] for answer in (before, after)]
    if places[0] != places[1]:
        yield Difference("places", "", "", "", str(places[0]), str(places[1]), before.bases)
        return
    kept = {(link.element, _name(link.attribute), link.reference) for link in side.links if link.kind in LOCAL_KINDS}
    for old, new in zip(before.found, after.found, strict=True):
        is_compared = old[:3] not in kept and old[0] != "base" and old[2] != "" and old[:2] != side.left_out
        if old[3] != new[3] and is_compared:
            yield Difference("rewritten", *old, new[3], before.bases)
