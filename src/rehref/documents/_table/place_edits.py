"""Edits of the values of places: what turns the references there into new ones.

A new reference is written for its micro-syntax here (`rehref.uri._syntaxes`); the core writes it for the markup. Edits
of a document inside a place become edits of the place.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from rehref.documents.link import Answer, Reference
from rehref.markup.places import Edit
from rehref.text import WHITE_SPACE
from rehref.uri.syntaxes import SYNTAXES, Syntax


def changes(text: str, answer: Answer) -> bool:
    """Whether an answer changes a text: neither the same one does, nor an empty one instead of white space.

    White space means the same as no text, and in CSS an empty URL is not a reference.
    """
    return answer is not None and answer != text and (answer != "" or text.strip(WHITE_SPACE) != "")


def edits_of(references: Sequence[Reference], answers: Sequence[Answer], refused: list[Reference]) -> list[Edit]:
    """The edits of one place, for the answers about all its references.

    `refused`: gets those references whose edits a document inside the place leaves out.
    """
    pairs = zip(references, answers, strict=True)
    return _edits([(reference, new) for reference, new in pairs if changes(reference.text, new)], refused)


def _edits(pairs: Sequence[tuple[Reference, Answer]], refused: list[Reference]) -> list[Edit]:
    if not pairs or pairs[0][0].inner is None:
        return [
            edit_of(each.place, each.start, each.end, each.text, new, each.syntax, each.form) for each, new in pairs
        ]
    first, inner = pairs[0][0], pairs[0][0].inner
    parsed = inner.document.parsed
    within = [(each.inner.reference, new) for each, new in pairs if each.inner is not None]
    places, inside = groupby(within, key=lambda pair: pair[0].place), list[Reference]()
    spliced = parsed.splices([edit for _, group in places for edit in _edits(list(group), inside)])
    assert spliced is not None  # a core that knows positions has read it
    left = {each.place for each in inside} | {place for place, _ in parsed.refused}
    refused += [each for each, _ in pairs if each.inner is not None and each.inner.reference.place in left]
    return [Edit(first.place, inner.offset + start, inner.offset + end, text) for start, end, text in spliced]


def edit_of(place: int, start: int, end: int, old: str, new: Answer, syntax: Syntax, form: str) -> Edit:
    """The edit that writes a new text in the place of an old one, which is characters `start` to `end` of a place."""
    if not isinstance(new, str):
        return Edit(place, 0, 0, None)
    if syntax == "css" and old and new.endswith(old):
        end, new = start, new[: -len(old)]  # the unchanged part keeps its escapes
    return Edit(place, start, end, SYNTAXES[syntax].write(new, form))
