"""The documents of a container that refer to style sheets and scripts, and the encodings that these have by that.

Pages in another encoding than UTF-8 count, style sheets that import others, and redirects. Of pages with different
encodings the first one counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final

from rehref.containers._http.http_message import http_status
from rehref.containers.inherited_encodings import (
    ATTRIBUTES,
    ImportingSheet,
    declared_by,
    pass_on,
    passed_on,
)
from rehref.containers.parts import Part
from rehref.documents.base import LONGEST_EMBEDDED, clean, without_fragment
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import encoding_of, read_document
from rehref.text.header_fields import Head
from rehref.text.large_bytes import mentions
from rehref.uri.normalization import comparison_key
from rehref.uri.resolver import resolve_or_none

_READ: Final = frozenset({*MediaType.PAGES, MediaType.CSS, MediaType.HEAD})
_UTF_8: Final = "utf-8"
_REDIRECTS: Final = range(300, 400)
_MOST: Final = 1 << 16
"""The number of files that are remembered."""


def may_refer(media_type: str, uri: str) -> bool:
    """Return whether documents of a type may refer to style sheets and scripts: a `WantsDocument`."""
    return media_type in _READ


def encodings_in(parts: Iterable[Part], how: ReadOptions) -> Mapping[str, str]:
    """Return the encodings of files that declare none, by their keys, as far as they are not UTF-8.

    `how`: documents are read.
    """
    how = replace(how, attributes=ATTRIBUTES, text=False)
    found = defaultdict[str, list[str]](list)
    sheets: dict[str, ImportingSheet] = {}
    for part in parts:
        media_type = MediaType.of(part.media_type)
        if len(found) + len(sheets) > _MOST:
            break
        if media_type == MediaType.HEAD:
            target = _redirected(part)
            if target is not None:
                sheets.setdefault(key_of(part), ImportingSheet(None, [target]))
        elif media_type == MediaType.CSS:
            if mentions(part.data, b"import"):
                imports = [target for target, _ in _passed_on(part, how)]
                sheets.setdefault(key_of(part), ImportingSheet(declared_by(part.data, part.charset), imports))
        elif media_type in MediaType.PAGES and _encoding(part) != _UTF_8:
            for target, name in _passed_on(part, how):
                if name not in found[target]:
                    found[target].append(name)
    pass_on(found, sheets)
    return {target: names[0] for target, names in found.items() if names}


def _passed_on(part: Part, how: ReadOptions) -> Iterator[tuple[str, str]]:
    """Yield the keys of what a document refers to, with encodings; nothing if it cannot be read."""
    try:
        document = read_document(part.data, part.media_type, part.charset, part.layers, how, is_response=True)
        for uri, name in passed_on(document):
            if len(uri) <= LONGEST_EMBEDDED:
                yield part.inside.get(without_fragment(uri)) or _key(uri), name
    except Exception:
        return  # it is reported where its links are read


def _encoding(part: Part) -> str:
    return encoding_of(part.data, part.media_type, part.charset, is_response=True).name


def key_of(part: Part) -> str:
    """Return what a document is called by those that refer to it."""
    return _key(part.uri) if part.uri else part.label


def _key(uri: str) -> str:
    return comparison_key(without_fragment(uri), "whatwg")


def _redirected(part: Part) -> str | None:
    """Return the key of what a response leads to; None if that is not a redirect."""
    head = Head.read(part.data)
    location = head.text("Location")
    if location is None or http_status(head) not in _REDIRECTS:
        return None
    target = resolve_or_none(part.uri, clean(location))
    return None if target is None or len(target) > LONGEST_EMBEDDED else _key(target)
