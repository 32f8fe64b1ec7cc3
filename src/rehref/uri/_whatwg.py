"""Resolution as browsers do it: the URL Standard's URL parser, through ada-url.

The result is the serialized URL: normalized, percent-encoded, punycoded. A lone surrogate in a text stands for U+FFFD,
as where a browser converts to scalar values.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

from rehref.exceptions import ResolutionError
from rehref.uri.components import SCHEME

if TYPE_CHECKING:
    from rehref.text.encoding import Encode

_SURROGATES = re.compile("[\ud800-\udfff]")
_SCHEME = re.compile(f"({SCHEME}):").match
ENCODES_QUERIES = frozenset({"http", "https", "ftp", "file"})
"""The schemes in which the encoding of a query matters: the special ones except `ws` and `wss`."""
_AROUND = "".join(map(chr, range(0x21)))
_WITHIN = str.maketrans("", "", "\t\n\r")
# URL Standard, "forbidden domain code point"
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f#/:<>?@\[\\\]^|%]").search
# URL Standard, "special-query percent-encode set", for bytes
_NOT_IN_A_QUERY = re.compile(rb"[\x00-\x20\x22#'<>\x7f-\xff]")


@cache
def _join() -> Callable[[str, str], str]:
    # ada-url loads a compiled library: not before it is needed
    import ada_url

    join: Any = ada_url.join_url
    return join  # type: ignore[no-any-return]


def resolve(base: str, reference: str, encode: Encode | None = None) -> str:
    """Parse `reference` against `base` (URL Standard, "basic URL parser") and serialize the result.

    `encode`: writes queries in the document's encoding; None for UTF-8, UTF-16 and `replacement`, where the Standard
    says UTF-8. Raises `ResolutionError` where the parser returns failure, for the base or for the reference.
    """
    written = reference
    if not reference.isascii() or not base.isascii():
        base = _SURROGATES.sub("\ufffd", base)
        written = _SURROGATES.sub("\ufffd", reference)
        if encode is not None:
            written = _with_query_encoded(base, written, encode)
    try:
        return _join()(base, written)
    except ValueError:
        raise ResolutionError(base, reference) from None


def domain_to_ascii(domain: str) -> str | None:
    """A domain name with its labels as A-labels (RFC 5890 §2.3.2.1), in lower case; None where there are none.

    URL Standard, "domain to ASCII": UTS #46, which maps and checks, then IDNA. `domain`: a name, not percent-encoded.
    """
    if domain.isascii():
        return domain.lower()
    from ada_url import idna_to_ascii

    try:
        found = idna_to_ascii(_SURROGATES.sub("\ufffd", domain)).decode("ascii")
    except ValueError:
        return None
    return found if found and _FORBIDDEN(found) is None else None


def _with_query_encoded(base: str, reference: str, encode: Encode) -> str:
    """The reference with its query percent-encoded after encoding, if it has one in which that matters."""
    # what the parser does first: it sees no white space at the ends, and none but spaces within
    reference = reference.strip(_AROUND).translate(_WITHIN)
    document, mark, fragment = reference.partition("#")
    # in every state of the parser that a "?" before the fragment can meet, the query begins at it
    before, question, query = document.partition("?")
    scheme = _SCHEME(before) or _SCHEME(base.strip(_AROUND).translate(_WITHIN))
    if query.isascii() or scheme is None or scheme[1].lower() not in ENCODES_QUERIES:
        return reference
    return f"{before}{question}{encoded_query(query, encode)}{mark}{fragment}"


def encoded_query(query: str, encode: Encode) -> str:
    """A query in a document's encoding (URL Standard, "percent-encode after encoding"; special-query set).

    A character that the encoding lacks becomes a decimal character reference.
    """
    # what the encoding lacks divides the text, but the encoder goes on as it was: in ISO-2022-JP it has states
    lacking = {"\n", *(char for char in set(query) if encode(char) is None)}
    lines = (encode("".join("\n" if char in lacking else char for char in query)) or b"").split(b"\n")
    parts = [_NOT_IN_A_QUERY.sub(lambda byte: b"%%%02X" % byte[0][0], line).decode("ascii") for line in lines]
    return parts[0] + "".join(
        _instead(char) + part for char, part in zip(filter(lacking.__contains__, query), parts[1:], strict=True)
    )


def _instead(char: str) -> str:
    if char == "\n":
        return "%0A"
    # of ASCII, ISO-2022-JP lacks three controls, and has U+FFFD in their place (Encoding Standard §13.2.2)
    return f"%26%23{0xFFFD if char.isascii() else ord(char)}%3B"
