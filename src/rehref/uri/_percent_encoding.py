"""From the references that people write to those that RFC 3986 allows: the mapping of RFC 3987 §3.1, for every text.

1. The result matches the grammar of RFC 3986 (`grammar.violations` finds nothing), whatever the text. A text that
   matches it already comes back unchanged.
2. In each component, characters that its production does not allow are percent-encoded, as UTF-8 (§3.1 step 2):
   characters beyond ASCII, spaces, quotes, brackets, delimiters of other components. A lone surrogate stands for
   U+FFFD. Escapes stay as they are; a "%" that begins none becomes `%25`.
3. A host beyond ASCII is written in IDNA (§3.1, "ToASCII"), where the scheme is one of those whose hosts
   browsers look up in DNS; where IDNA has no name for it, and in other schemes, it is percent-encoded. Valid IP
   literals stay; any other bracket is encoded, and so is a colon that no port follows.
4. A relative path whose first segment has a colon gets "./" before it (RFC 3986 §4.2).
5. A query in a document that is not written in UTF-8 is percent-encoded in the document's encoding, as browsers send it
   (`whatwg`, rule 4), where `encode` is given: §3.1 says UTF-8, which would give another URL.
"""

from __future__ import annotations

import re
from urllib.parse import unquote_to_bytes

from rehref.uri._grammar.ip_addresses import ip_literal_fault
from rehref.uri.components import Components, split, split_authority, unsplit
from rehref.uri.grammar_of_3986 import QUERY, REG_NAME, SEGMENTS, STRAY, USERINFO, is_valid
from rehref.uri.whatwg import ENCODES_QUERIES, SPECIAL_SCHEMES, Encode, domain_to_ascii, encoded_query

_SURROGATE = re.compile("[\ud800-\udfff]")
# what is not in a set of characters, nor an escape
_NOT_IN_REG_NAME, _NOT_IN_USERINFO, _NOT_IN_PATH, _NOT_IN_QUERY = (
    re.compile(rf"{STRAY}|[^%{inside}]+") for inside in (REG_NAME, USERINFO, SEGMENTS, QUERY)
)


def percent_encode(reference: str, base_scheme: str | None = None, encode: Encode | None = None) -> str:
    """A URI reference by the grammar of RFC 3986 for any text, an IRI reference above all (RFC 3987 §3.1). Never fails.

    `base_scheme`: that of its base, if it is relative. `encode`: writes queries in a document's encoding (rule 5).
    """
    if is_valid(reference):
        return reference
    scheme, authority, path, query, fragment = split(_SURROGATE.sub("\ufffd", reference))
    own_scheme = (scheme or base_scheme or "").lower()
    if authority is not None:
        authority = _authority(authority, own_scheme)
    path = _encoded(_NOT_IN_PATH, path)
    if scheme is None and authority is None and ":" in path.partition("/")[0]:
        path = "./" + path
    if query is not None:
        if encode is not None and own_scheme in ENCODES_QUERIES and not query.isascii():
            query = encoded_query(query, encode)
        query = _encoded(_NOT_IN_QUERY, query)
    if fragment is not None:
        fragment = _encoded(_NOT_IN_QUERY, fragment)
    return unsplit(Components(scheme, authority, path, query, fragment))


def _authority(authority: str, scheme: str) -> str:
    userinfo, host, port = split_authority(authority)
    if not (host.startswith("[") and host.endswith("]") and ip_literal_fault(host[1:-1]) is None):
        if not host.isascii() and scheme in SPECIAL_SCHEMES:
            host = dns_host(host)
        host = _encoded(_NOT_IN_REG_NAME, host)
    result = host if port is None else f"{host}:{port}"
    return result if userinfo is None else f"{_encoded(_NOT_IN_USERINFO, userinfo)}@{result}"


def _encoded(outside: re.Pattern[str], text: str) -> str:
    return outside.sub(lambda found: "".join(f"%{octet:02X}" for octet in found[0].encode()), text)


def dns_host(host: str) -> str:
    """A normalized host as IDNA writes it (RFC 3986 §3.2.2; RFC 5890 §2.3.2.1); as it is, if not a domain name."""
    try:
        decoded = unquote_to_bytes(host).decode()
    except UnicodeError:  # escapes that are not UTF-8; a lone surrogate
        return host
    return host if decoded.isascii() else domain_to_ascii(decoded) or host
