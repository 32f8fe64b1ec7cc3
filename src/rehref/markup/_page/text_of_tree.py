"""The text of a page, and of its hyperlinks, by tree construction: exact, where `visible_text` reads tag by tag.

An element's text is what is in it in the order of the source, also if foster parenting shows it elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from types import MappingProxyType
from typing import Final

from rehref.markup._charrefs import decode, decode_text
from rehref.markup._source.construction.construct import steps
from rehref.markup._source.construction.stack import Ended, OpenElement, Started, TextRun, TreeEvent
from rehref.markup._source.construction.tokens import Tag
from rehref.markup._tokenization import ATTRIBUTE, TAG_END
from rehref.markup.places import HTML
from rehref.text import lower
from rehref.text.encoding import Source
from rehref.text.source_text import SourceText

BLOCK: Final = "\0"
"""Separates the texts of two blocks."""
NO_MARKS: Final[Mapping[int, str]] = MappingProxyType({})

_NAMES_OF_BLOCKS = (
    "address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer "
    "form frameset h1 h2 h3 h4 h5 h6 header hgroup hr legend li listing main menu nav ol optgroup option p "
    "plaintext pre search section summary table ul xmp"
)
BLOCKS: Final = frozenset(_NAMES_OF_BLOCKS.split())
"""Elements with `display: block` or the like (HTML Standard, "rendering"), except those around all that is shown."""
SPACED: Final = frozenset({"br", "caption", "tbody", "td", "tfoot", "th", "thead", "tr"})
"""Elements that a space separates."""
HIDDEN: Final = frozenset({"script", "style", "title", "iframe", "noembed", "noframes"})
"""Elements whose text is not shown."""

_LABELS: Final = ("alt", "title", "aria-label")


class _ShownText:
    """The text that is shown, event by event. `length`: how many characters there are.

    `enters_templates`: whether the text of a template that begins now is shown.
    """

    def __init__(self, units: SourceText, *, alts: bool, marks: Mapping[int, str] = NO_MARKS) -> None:
        self._units = units
        self._alts = alts
        self._marks = marks
        self._hiding = set[OpenElement]()
        self.enters_templates = False
        self.pieces: list[str] = []
        self.length = 0

    def take(self, event: TreeEvent) -> None:
        element = event.element
        if isinstance(event, TextRun):
            if not self._hiding:
                raw = self._units.decode(event.raw)
                self._add(raw if event.is_literal else decode_text(raw))
            return
        is_of_html = element.namespace == HTML
        if (is_of_html and element.name in BLOCKS) or element.is_shadow_root:
            self._add(BLOCK)
        elif is_of_html and element.name in SPACED:
            self._add(" ")
        if isinstance(event, Started) and event.tag is not None:
            if self._alts and element.is_html("img"):
                self._add(self.value(event.tag, "alt"))
            if event.tag.start in self._marks:
                self._add(self._marks[event.tag.start])
        is_template = element.is_html("template") and not element.is_shadow_root
        if isinstance(event, Ended):
            self._hiding.discard(element)
        elif element.name in HIDDEN or (is_template and not self.enters_templates):
            self._hiding.add(element)

    @property
    def is_hidden(self) -> bool:
        """Whether what comes now is not shown."""
        return bool(self._hiding)

    def value(self, tag: Tag, name: str) -> str:
        """The value of an attribute; "" if there is none."""
        return next((decode(self._units.decode(each.raw)) for each in tag.attributes if each.name == name), "")

    def _add(self, text: str) -> None:
        self.pieces.append(text)
        self.length += len(text)


def text_of_tree(page: str, *, marks: Mapping[int, str] = NO_MARKS) -> str:
    """Return what `visible_text` returns of a page without `BLOCK`."""
    units = SourceText(Source(page))
    shown = _ShownText(units, alts=False, marks=marks)
    for event in _events(units):
        shown.take(event)
    return "".join(shown.pieces)


def _events(units: SourceText) -> Iterator[TreeEvent]:
    return chain.from_iterable(step.events for step in steps(units))


def texts_of_page(page: str) -> list[str]:
    """Return the text of an HTML page, decoded, in which hyperlinks are separate words; then its labels.

    A label is the value of an attribute that says something to people, on an element that is shown.
    """
    units = SourceText(Source(page.replace(BLOCK, "\ufffd")))
    shown, labels = _ShownText(units, alts=False), list[str]()
    for event in _events(units):
        if event.element.name == "a" and not isinstance(event, TextRun):
            shown.pieces.append(" ")
        if isinstance(event, Started) and event.tag is not None and not shown.is_hidden:
            labels += filter(None, (shown.value(event.tag, name) for name in _LABELS))
        shown.take(event)
    return ["".join(shown.pieces), *labels]


def text_of_first(units: SourceText, name: str, classes: AbstractSet[str]) -> str | None:
    """Return the text of the first HTML element of that name with all these classes; None if there is none."""
    shown, wanted = _ShownText(units, alts=False), None
    for event in _events(units):
        if wanted is not None and isinstance(event, Ended) and event.element is wanted:
            break
        is_inside = wanted is not None
        if not is_inside and isinstance(event, Started) and event.tag is not None and event.element.is_html(name):
            has_all = classes <= set(shown.value(event.tag, "class").split())
            wanted = event.element if has_all and not shown.is_hidden else None
        shown.take(event)
        if not is_inside:
            shown.pieces.clear()
    return None if wanted is None else "".join(shown.pieces)


_LONGEST: Final = 1000
_LONGEST_WRITTEN: Final = 8 * _LONGEST


def texts_of_hyperlinks(units: SourceText) -> dict[int, str]:
    """Return the texts of the `a` elements of HTML and SVG and of the `area` elements, by the positions of their tags.

    Images in one have the text of their `alt`, as an `area` has. White space becomes one space, also between blocks;
    at most 1,000 characters are taken.
    """
    shown = _ShownText(units, alts=True)
    found: dict[int, str] = {}
    begun: dict[int, int] = {}
    runs: dict[int, list[tuple[int, int]]] = {}
    open_: Counter[int] = Counter()  # by tag: an element may be opened again before the first is closed
    for event in _events(units):
        shown.enters_templates = not begun  # a link in a template has a text; one around it shows none of it
        shown.take(event)
        element = event.element
        if element.is_html("area") and isinstance(event, Started) and event.tag is not None:
            found[element.tag] = in_one_line(shown.value(event.tag, "alt"))
        if element.name == "a" and isinstance(event, Started):
            begun.setdefault(element.tag, shown.length)
            open_[element.tag] += 1
        elif element.name == "a" and isinstance(event, Ended):
            open_[element.tag] -= 1
            if not open_[element.tag]:
                runs.setdefault(element.tag, []).append((begun.pop(element.tag), shown.length))
    for tag, begin in begun.items():
        runs.setdefault(tag, []).append((begin, shown.length))
    text = "".join(shown.pieces)
    return found | {tag: in_one_line(_in_runs(text, of_tag)) for tag, of_tag in runs.items()}


def _in_runs(text: str, runs: Sequence[tuple[int, int]]) -> str:
    """Return as much of the text in these runs as may be shown, with a space where something is between two."""
    pieces: list[str] = []
    left, last = _LONGEST_WRITTEN, runs[0][0]
    for begin, end in runs:
        pieces += ("" if begin == last else " ", text[begin : min(end, begin + left)])
        left, last = left - len(pieces[-1]), end
        if left <= 0:
            break
    return "".join(pieces)


def in_one_line(text: str, begin: int = 0, end: int | None = None) -> str:
    """Return the text from `begin` to before `end` (None: to its end) in one line, cut off."""
    last = begin + _LONGEST_WRITTEN
    written = text[begin : last if end is None else min(end, last)]
    return " ".join(written.replace(BLOCK, " ").split())[:_LONGEST].rstrip()


def value_in_tag(page: str, position: int, name: str) -> str:
    """Return the value of an attribute of the tag whose name ends at `position`; "" if there is none."""
    while (found := ATTRIBUTE(page, position)) is not None and found.lastindex != TAG_END:
        position = found.end()
        if lower(found[1]) == name:
            return decode(found[2] or found[3] or found[4] or "")
    return ""
