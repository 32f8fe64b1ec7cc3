"""The documents of a container that refer to style sheets and scripts, and the encodings that these have by that.

Pages in another encoding than UTF-8 count, style sheets that import others, and redirects.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from rehref.containers._http.http_message import http_status
from rehref.containers.inherited_encodings import ATTRIBUTES, REFERRING, Referring, inherited
from rehref.containers.parts import Part
from rehref.documents.base import clean, without_fragment
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import encoding_of, read_document
from rehref.text.header_fields import Head
from rehref.text.large_bytes import mentions
from rehref.uri.normalization import comparison_key
from rehref.uri.resolver import parse_or_none

_UTF_8: Final = "utf-8"
_REDIRECTS: Final = range(300, 400)
_MOST: Final = 1 << 16
_LONGEST: Final = 2_000
"""Characters of a URI that is remembered."""
"""The number of files that are remembered."""


def may_refer(media_type: str, uri: str) -> bool:
    """Return whether documents of a type may refer to style sheets and scripts: a `WantsDocument`."""
    return media_type in REFERRING or media_type == MediaType.HEAD


def encodings_in(parts: Iterable[Part], how: ReadOptions) -> Mapping[str, str]:
    """Return the encodings of files that declare none, by their keys, as far as they are not UTF-8.

    `how`: documents are read.
    """
    found = inherited(_referring(parts, replace(how, attributes=ATTRIBUTES, text=False)), _MOST)
    return {target: names[0] for target, names in found.items() if names}


def _referring(parts: Iterable[Part], how: ReadOptions) -> Iterator[Referring]:
    """Yield what parts refer to; those that cannot be read are reported where their links are read."""
    for part in parts:
        media_type = MediaType.of(part.media_type)
        if media_type == MediaType.HEAD:
            target = _redirected(part)
            if target is not None:
                yield Referring(key_of(part), [(target, "")], is_between=True)
        elif _may_pass_on(part, media_type):
            with suppress(Exception):
                document = read_document(part.data, part.media_type, part.encoding, part.layers, how, is_response=True)
                yield Referring.of(key_of(part), document, partial(_name_of, part), part.encoding)


def _may_pass_on(part: Part, media_type: MediaType) -> bool:
    if media_type == MediaType.CSS:
        return mentions(part.data, b"import")
    is_page = media_type in MediaType.PAGES
    return is_page and encoding_of(part.data, part.media_type, part.encoding, is_response=True).name != _UTF_8


def _name_of(part: Part, uri: str) -> str | None:
    """Return the key of what a part refers to; None if that is too long to be remembered."""
    return (part.inside.get(without_fragment(uri)) or _key(uri)) if len(uri) <= _LONGEST else None


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
    target = parse_or_none(clean(location), part.uri)
    return None if target is None or len(target) > _LONGEST else _key(target)
