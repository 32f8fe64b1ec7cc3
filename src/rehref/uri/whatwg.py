"""Resolution as browsers do it: the URL Standard's URL parser, through ada-url.

1. The result is the serialized URL: normalized, percent-encoded, punycoded.
2. What the Standard calls failure raises `ResolutionError`, whichever of the two it is: base or reference.
3. A lone surrogate in a text stands for U+FFFD, as where a browser converts to scalar values.
4. Text is taken as a str, so queries are encoded in UTF-8, also where a document in another encoding would have
   its own used (URL Standard, "percent-encode after encoding").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

_SURROGATES = re.compile("[\ud800-\udfff]")


class ResolutionError(ValueError):
    """The URL Standard's parser returns failure for this reference against this base."""

    def __init__(self, base: str, reference: str) -> None:
        super().__init__(f"{reference!r} against {base!r} is no URL by the URL Standard")
        self.base = base
        self.reference = reference


@cache
def _join() -> Callable[[str, str], str]:
    # ada-url loads a compiled library: not before someone asks for it
    import ada_url

    join: Any = ada_url.join_url
    return join  # type: ignore[no-any-return]


def resolve(base: str, reference: str) -> str:
    """Parse `reference` against `base` (URL Standard, "basic URL parser") and serialize the result.

    Raises `ResolutionError` where the parser returns failure.
    """
    if not reference.isascii() or not base.isascii():
        base = _SURROGATES.sub("\ufffd", base)
        reference = _SURROGATES.sub("\ufffd", reference)
    try:
        return _join()(base, reference)
    except ValueError:
        raise ResolutionError(base, reference) from None


def parse_or_none(uri: str) -> str | None:
    """Parse a text without a base, and serialize the URL; None for failure. Only an absolute URL has no failure."""
    # a base of a scheme like no other, that nothing is relative to
    return resolve_or_none("about:blank", uri)


def resolve_or_none(base: str, reference: str) -> str | None:
    """Like `resolve`, with None for failure."""
    try:
        return resolve(base, reference)
    except ResolutionError:
        return None
