"""Images and media of which only some candidates are saved: the others go, so that browsers show what is there.

A browser chooses one candidate of `srcset`, of the `source` elements of a `picture`, and of `image-set()`; if that one
is not saved, nothing is shown, though another may be. So if something of an image or a medium is saved, candidates on
the web are removed, and a `src` on the web becomes a candidate that is saved. This looks at a rewritten document, in
which references to saved files are relative, and those to the web absolute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from rehref.archives._copies import image_sets
from rehref.documents.base import Layers, clean
from rehref.documents.document import Document
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.uri.components import split
from rehref.uri.syntaxes import SYNTAXES

_MAY_MATTER: Final = (b"srcset", b"<source", b"image-set(")
_HOW: Final = ReadOptions(attributes=("crossorigin",))
_WEB: Final = ("http:", "https:", "//")
_HOLDERS: Final = frozenset({"video", "audio"})
_ENDS_PICTURE: Final = frozenset({(True, "picture"), (False, "video"), (False, "audio")})
_ENDS_MEDIUM: Final = frozenset((is_end, name) for is_end in (False, True) for name in ("video", "audio", "picture"))
"""Whether it is an end tag, and its name."""


_Change: TypeAlias = tuple[int, int, int, str | None]
"""A place, characters of its value from and to, and what replaces them."""


class Trimmed(NamedTuple):
    """A document without candidates that are not saved, and how many references went."""

    data: bytes
    removed: int


class _Element(NamedTuple):
    """An element: where it begins, its name, and the numbers and values of its places, by attribute."""

    tag: int
    name: str
    places: dict[str | None, tuple[int, str]]

    def value(self, attribute: str) -> str | None:
        """Return the value of an attribute; None if there is none."""
        return self.places[attribute][1] if attribute in self.places else None

    def change(self, attribute: str, text: str | None) -> _Change:
        """Return the change that gives an attribute another value; None: that removes it."""
        number, value = self.places[attribute]
        return number, 0, len(value), text


def with_what_is_saved(data: bytes, media_type: str, encoding: str) -> Trimmed:
    """Return a rewritten document without candidates that are not saved. Raises as `read_document` does."""
    text = data.replace(b"\0", b"").lower()  # of UTF-16, this leaves the ASCII
    if not any(each in text for each in _MAY_MATTER):
        return Trimmed(data, 0)
    document = read_document(data, media_type, encoding, Layers(), _HOW)
    found = _Candidates(document)
    if not found.changes:
        return Trimmed(data, 0)
    new = document.parsed.with_changes(found.changes)
    assert isinstance(new, bytes)
    return Trimmed(new, found.removed)


class _Candidates:
    """The changes of a document, and how many references they remove."""

    def __init__(self, document: Document) -> None:
        self.changes: list[_Change] = []
        self.removed = 0
        sources: list[_Element] = []
        holder: _Element | None = None
        before = 0
        for element in _elements(document):
            self._look_at_css(element)
            if element.name in _HOLDERS or (holder, sources) == (None, []):
                ends = True
            else:
                end = _ENDS_PICTURE if holder is None else _ENDS_MEDIUM
                ends = document.page.has_tag_between(before, element.tag, end)
            before = element.tag
            if ends:
                self._choose_media(holder, sources)
                holder, sources = None, []
            if element.name in _HOLDERS:
                holder = element
            elif element.name == "source":
                sources.append(element)
            elif element.name == "img":
                self._choose_image(element, [each for each in sources if "srcset" in each.places])
                sources = []
        self._choose_media(holder, sources)

    def _look_at_css(self, element: _Element) -> None:
        """Leave options out of `image-set()` in a style sheet or a `style` attribute."""
        for attribute, (number, value) in element.places.items():
            if attribute in (None, "style") and "image-set(" in value.lower():
                splices, removed = image_sets.without(value, _goes, _is_saved)
                self.changes += ((number, *splice) for splice in splices)
                self.removed += removed

    def _choose_image(self, image: _Element, sources: Sequence[_Element]) -> None:
        """Leave candidates of an image out, and give its `src` a saved one."""
        lists = {
            each.places["srcset"][0]: (each, _candidates_of(each.value("srcset") or ""))
            for each in (image, *sources)
            if "srcset" in each.places
        }
        saved = [one.url for _, candidates in lists.values() for one in candidates if _is_saved(one.url)]
        src = image.value("src")
        if not saved and not _is_saved(src or ""):
            return
        for element, candidates in lists.values():
            stay = [one for one in candidates if not _goes(one.url)]
            if len(stay) < len(candidates):
                self.changes.append(element.change("srcset", _written(stay) if stay else None))
                self.removed += len(candidates) - len(stay)
        if src is not None and _goes(src):
            self.changes.append(image.change("src", saved[0]))
            self.removed += 1
        self._share(image)

    def _choose_media(self, holder: _Element | None, sources: Sequence[_Element]) -> None:
        """Remove the `src` of a medium and of its sources where it is on the web, if that of another is saved."""
        elements = [each for each in (holder, *sources) if each is not None and "src" in each.places]
        values = [each.value("src") or "" for each in elements]
        if not any(map(_is_saved, values)):
            return
        for element, value in zip(elements, values, strict=True):
            if _goes(value):
                self.changes.append(element.change("src", None))
                self.removed += 1
        if holder is not None:
            self._share(holder)

    def _share(self, element: _Element) -> None:
        """Remove `crossorigin`: a page on a disk shares no file with itself (`offline_rule`)."""
        if "crossorigin" in element.places:
            self.changes.append(element.change("crossorigin", None))


def _elements(document: Document) -> Iterator[_Element]:
    """Yield the elements that the places of a document are on, in order."""
    element: _Element | None = None
    for number, place in enumerate(document.parsed.places):
        if element is None or element.tag != place.tag or place.attribute in element.places:
            if element is not None:
                yield element
            element = _Element(place.tag, place.element, {})
        element.places[place.attribute] = (number, place.value)
    if element is not None:
        yield element


class _Candidate(NamedTuple):
    url: str
    descriptors: str


def _candidates_of(srcset: str) -> list[_Candidate]:
    """Return the image candidates of a value."""
    return [_Candidate(each.text, rest) for each, rest in SYNTAXES["srcset"].find_with_rest(srcset)]


def _written(candidates: Sequence[_Candidate]) -> str:
    return ", ".join(f"{one.url} {one.descriptors}".strip() for one in candidates)


def is_on_web(reference: str) -> bool:
    """Return whether a reference of a rewritten document leads to the web."""
    return clean(reference)[:8].lower().startswith(_WEB)


def _goes(reference: str) -> bool:
    return is_on_web(reference) or clean(reference) in ("data:,", "data:")  # in place of the web, without a network


def _is_saved(reference: str) -> bool:
    text = clean(reference)
    return text[:1] not in ("", "#") and not is_on_web(text) and split(text).scheme is None
