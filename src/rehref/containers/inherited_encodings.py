"""The encodings that style sheets and classic scripts which declare none inherit from what refers to them.

A style sheet has that of the document or the sheet that refers to it (CSS Syntax §3.2), a classic script that of its
element's `charset`, or else of the document (HTML Standard, "fetch a classic script"). The `charset` of a `link`, which
is obsolete, counts in Chromium, and here. Of documents with different encodings the first one counts.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rehref.documents.base import clean
from rehref.documents.document import Document
from rehref.documents.media_types import MediaType
from rehref.documents.reading import encoding_of
from rehref.text import lower
from rehref.text.encoding import Source, lookup
from rehref.uri.resolver import Resolver
from rehref.uri.syntaxes import SYNTAXES

ATTRIBUTES: Final = ("script@charset", "script@type", "link@charset", "link@rel")
"""The attributes that a document must report besides its references."""
REFERRING: Final = frozenset({*MediaType.PAGES, MediaType.CSS})
"""The media types of documents that may refer to style sheets and scripts."""
_SCRIPTS: Final = ("javascript", "ecmascript", "jscript", "livescript")


def inherits(data: bytes, media_type: str | None, declared: str | None) -> bool:
    """Whether the inherited encoding matters for a file. `declared`: its charset, if it was sent with one."""
    kind = MediaType.of(media_type)
    if declared is not None or data.isascii() or b"\0" in data or Source.marked(data).bom:
        return False
    if kind == MediaType.CSS:
        return encoding_of(data, MediaType.CSS).why == "default"
    return is_script(kind)


def depends(data: bytes, media_type: str | None, charset: str | None) -> bool:
    """Whether it matters for the references in a file: only those not in ASCII depend on it. `charset`: as sent."""
    if media_type != MediaType.CSS or not inherits(data, media_type, charset):
        return False
    return any(not each.text.isascii() for each in SYNTAXES["css"].find(data.decode("latin-1")))


def is_script(media_type: str) -> bool:
    """Whether this is the media type of scripts."""
    return media_type.endswith(_SCRIPTS)


class Referring(NamedTuple):
    """What refers to style sheets and scripts.

    `name`: as others that refer to it call it. `to`: the names of what it refers to, with the encodings that these
    inherit. `is_between`: it passes on what it inherits itself, unless `declared` is its encoding.
    """

    name: str
    to: Sequence[tuple[str, str]]
    is_between: bool = False
    declared: str | None = None

    @classmethod
    def of(
        cls, name: str, document: Document, name_of: Callable[[str], str | None], charset: str | None = None
    ) -> Referring:
        """Return what a page or a style sheet refers to, in document order.

        `document`: read with `ATTRIBUTES`, if it is a page. `name_of`: returns the name of what a URI leads to, if it
        has one. `charset`: as sent.
        """
        named = ((name_of(uri), encoding) for uri, encoding in _passed_on(document))
        to = [(target, encoding) for target, encoding in named if target is not None]
        if document.media_type != MediaType.CSS:
            return cls(name, to)
        data = document.source.data
        assert isinstance(data, bytes)
        sniffed = encoding_of(data, MediaType.CSS, charset)
        return cls(name, to, is_between=True, declared=None if sniffed.why == "default" else sniffed.name)


def inherited(documents: Iterable[Referring], most: int | None = None) -> dict[str, list[str]]:
    """Return the encodings of all that refer to a file, by its name; the first one counts.

    `documents`: in order, until `most` files are known.
    """
    found = defaultdict[str, list[str]](list)
    between: dict[str, Referring] = {}
    for each in documents:
        if each.is_between:
            between.setdefault(each.name, each)
        for target, encoding in () if each.is_between else each.to:
            if encoding not in found[target]:
                found[target].append(encoding)
        if most is not None and len(found) + len(between) > most:
            break
    _pass_on(found, between)
    return dict(found)


def _pass_on(found: defaultdict[str, list[str]], between: Mapping[str, Referring]) -> None:
    """Add what style sheets and redirects pass on to the encodings that are found."""
    for name, each in between.items():
        if each.declared is not None:
            found[name] = [each.declared]
    waiting = deque(name for name in between if name in found)
    seen = set(waiting)
    while waiting:
        name = waiting.popleft()
        for target, _ in between[name].to:
            if found[name][0] not in found[target]:
                found[target].append(found[name][0])
            if target in between and target not in seen:
                seen.add(target)
                waiting.append(target)


def _passed_on(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the URIs that a document refers to, with encodings. Not all need be style sheets or scripts."""
    encoding = document.source.encoding or "utf-8"
    resolve = Resolver(document.base.uri or "", document.how.profile, relative_base=True)
    for element, values in _by_element(document):
        for reference, name in _references(element, values, encoding):
            uri = resolve.or_none(clean(reference))
            if uri is not None:
                yield uri, name


def _references(element: str, values: Mapping[str | None, str], encoding: str) -> Iterator[tuple[str, str]]:
    """Yield the references of an element that may be to style sheets or scripts."""
    if element == "script":
        type_ = lower(MediaType.of(values.get("type") or "text/javascript"))
        if "src" in values and is_script(type_):
            yield values["src"], lookup(values.get("charset", "")) or encoding
    elif element == "?xml-stylesheet" or "stylesheet" in lower(values.get("rel", "")).split():
        yield values.get("href", ""), lookup(values.get("charset", "")) or encoding
    elif None in values:
        yield from ((each.text, encoding) for each in SYNTAXES["css"].find(values[None]))


def _by_element(document: Document) -> Iterator[tuple[str, dict[str | None, str]]]:
    """Yield the name of each element that has places, and their values by attribute."""
    element, values = "", dict[str | None, str]()
    tag: int | None = None
    for place in document.parsed.places:
        if place.tag != tag:
            if values:
                yield element, values
            element, values, tag = place.element, {}, place.tag
        values[place.attribute] = place.value
    if values:
        yield element, values


class SheetEncodings:
    """The encodings of the style sheets of a folder or a site, by path; all that may refer to them is read when one
    asks.

    `several`: those of sheets that were asked about, and that documents with several encodings refer to.
    """

    def __init__(self, paths: Iterable[str]) -> None:
        """`paths`: those of all documents."""
        self._paths = paths
        self._found: dict[str, list[str]] | None = None
        self.several: dict[str, list[str]] = {}

    def charset(
        self, path: str, data: bytes, media_type: str | None, sent: str | None, read: Callable[[str], Referring | None]
    ) -> str | None:
        """Return the charset of a file: as sent, or that which a style sheet inherits, if that matters.

        `read`: returns what the document at a path refers to, if it may refer to style sheets.
        """
        if not depends(data, media_type, sent):
            return sent
        if self._found is None:
            self._found = {}  # reading a document may ask for the encoding of another one
            self._found = inherited(filter(None, map(read, sorted(self._paths))))
        encodings = self._found.get(path, [])
        if len(encodings) > 1:
            self.several[path] = encodings
        return encodings[0] if encodings else None


def disagreement(several: Mapping[str, Sequence[str]]) -> str:
    """Return what to report about style sheets that pages with several encodings refer to; "" if there are none.

    `several`: these encodings, by path, as it is shown.
    """
    if not several:
        return ""
    path, (first, *others) = min(several.items())
    more = f" (and {len(several) - 1:,} more such)" if len(several) > 1 else ""
    what = f"{path} is read as {first}, which the first page that refers to it has"
    return f"{what}; others have {', '.join(others)}{more}"
