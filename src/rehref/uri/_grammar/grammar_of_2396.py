"""The grammar of RFC 2396 (Appendix A) as a validator that says what is wrong, and where.

The printed grammar decides, even where the RFC's own examples go beyond it: `?y` (Appendix C.1) breaks rel_path, which
is not empty; `foo:` breaks opaque_part. RFC 2732 amends it: IPv6 literals in brackets, and "[" and "]" as reserved
characters.
"""

from __future__ import annotations

import re
from functools import partial
from operator import attrgetter
from typing import Literal, TypeAlias, get_args

from rehref.exceptions import refuse_unknown
from rehref.uri._grammar.grammar_of_3986 import ip_literal_violations, missing_scheme, outsiders_in
from rehref.uri.components import Violation, split

Production: TypeAlias = Literal["URI-reference", "absoluteURI", "relativeURI"]

# The insides of character sets. A "%" belongs to none of them, it only begins an escaped.

# unreserved    = alphanum | mark
# mark          = "-" | "_" | "." | "!" | "~" | "*" | "'" | "(" | ")"
_UNRESERVED = r"A-Za-z0-9\-_.!~*'()"
# userinfo      = *( unreserved | escaped | ";" | ":" | "&" | "=" | "+" | "$" | "," )
_USERINFO = _UNRESERVED + ";:&=+$,"
# reg_name      = 1*( unreserved | escaped | "$" | "," | ";" | ":" | "@" | "&" | "=" | "+" )
_REG_NAME = _UNRESERVED + "$,;:@&=+"
# pchar         = unreserved | escaped | ":" | "@" | "&" | "=" | "+" | "$" | ","
# segment       = *pchar *( ";" param )
# param         = *pchar
# path_segments = segment *( "/" segment )
_PATH_SEGMENTS = _UNRESERVED + ":@&=+$,;/"
# rel_segment   = 1*( unreserved | escaped | ";" | "@" | "&" | "=" | "+" | "$" | "," )
_REL_SEGMENT = _UNRESERVED + ";@&=+$,"
# uric_no_slash = unreserved | escaped | ";" | "?" | ":" | "@" | "&" | "=" | "+" | "$" | ","
_URIC_NO_SLASH = _UNRESERVED + ";?:@&=+$,"
# uric          = reserved | unreserved | escaped
# RFC 2732 §3   reserved = ";" | "/" | "?" | ":" | "@" | "&" | "=" | "+" | "$" | "," | "[" | "]"
_URIC = _UNRESERVED + r";/?:@&=+$,\[\]"


def violations(text: str, production: Production = "URI-reference") -> list[Violation]:
    """Every way in which a text is not what the production says, in the order of their positions.

    An empty list: the text is valid. Raises ValueError for an unknown production, and for no text.
    """
    refuse_unknown("production", production, get_args(Production))
    # URI-reference = [ absoluteURI | relativeURI ] [ "#" fragment ]
    before, number_sign, fragment = text.partition("#")
    scheme, authority, path, query, _ = split(before)
    found: list[Violation] = []
    if number_sign:
        if production != "URI-reference":
            message = f"an {production}" if production == "absoluteURI" else f"a {production}"
            found.append(Violation("fragment", production, len(before), message + " has no fragment"))
        # fragment      = *uric
        found += _scan(_URIC, fragment, len(before) + 1, "fragment", "fragment")
    # absoluteURI   = scheme ":" ( hier_part | opaque_part )
    if scheme is not None and production == "relativeURI":
        message = "a relativeURI has no scheme, and no colon in its first segment"
        found.append(Violation("path", "rel_segment", len(scheme), message))
    start = 0 if scheme is None else len(scheme) + 1
    if scheme is not None and authority is None and not path.startswith("/"):
        found += _opaque_part(before[start:], start)
        return sorted(found, key=attrgetter("position"))
    if authority is not None:
        found += _authority(authority, start + 2)
        start += 2 + len(authority)
    if scheme is None and production == "absoluteURI":
        first_segment = re.split("[/?]", before, maxsplit=1)[0]
        name, colon, _ = first_segment.partition(":")
        found.append(missing_scheme(name if colon else "", production))
    elif scheme is None and authority is None and not path.startswith("/"):
        empty_is_valid = production == "URI-reference" and before == ""
        found += _rel_segment(path, empty_is_valid=empty_is_valid)
        # rel_path      = rel_segment [ abs_path ]
        first_end = path.find("/")
        start = len(path) if first_end == -1 else first_end
        path = path[start:]
    # net_path      = "//" authority [ abs_path ]
    # abs_path      = "/"  path_segments
    found += _scan(_PATH_SEGMENTS, path, start, "path", "segment")
    if query is not None:
        # query         = *uric
        found += _scan(_URIC, query, start + len(path) + 1, "query", "query")
    return sorted(found, key=attrgetter("position"))


# escaped       = "%" hex hex
_scan = partial(outsiders_in, escape_rule="escaped")


def _opaque_part(text: str, start: int) -> list[Violation]:
    """Check what follows a scheme, and does not begin with "/", against the grammar (RFC 2396 §3).

    It has no query of its own: a "?" is one of its characters.
    """
    # opaque_part   = uric_no_slash *uric
    if text == "":
        message = "something must follow the colon of the scheme"
        return [Violation("opaque_part", "opaque_part", start, message)]
    # a "[" may not come first, also where uric has it; an escape is left to the scan of the whole
    if text[0] in "[]":
        return _scan(_URIC_NO_SLASH, text[0], start, "opaque_part", "opaque_part") + _scan(
            _URIC, text[1:], start + 1, "opaque_part", "opaque_part"
        )
    return _scan(_URIC, text, start, "opaque_part", "opaque_part")


def _rel_segment(path: str, *, empty_is_valid: bool) -> list[Violation]:
    """Check the first segment of a relative path, which begins the text, against the grammar (RFC 2396 §5)."""
    if path == "":
        message = "a relative path is not empty in this grammar, though Appendix C.1 has '?y'"
        return [] if empty_is_valid else [Violation("path", "rel_path", 0, message)]
    segment = path.split("/", 1)[0]
    colon = segment.find(":")
    found = []
    if colon != -1:
        message = 'the first segment of a relative path cannot have a colon; write "./" before it, or %3A for it'
        found.append(Violation("path", "rel_segment", colon, message))
    return found + _scan(_REL_SEGMENT, segment.replace(":", "."), 0, "path", "rel_segment")


def _authority(authority: str, start: int) -> list[Violation]:
    """Check an authority, which begins at `start`, against the grammar (RFC 2396 §3.2).

    It may always be read as a reg_name, so that `http://h:x@y:z/` is valid: a port is checked after an IPv6 literal
    only. The address in that is judged by the grammar of RFC 3986, since that of RFC 2373 (appendix B) does not derive
    RFC 2732's own example `[::192.9.5.5]`.
    """
    # authority     = server | reg_name
    # server        = [ [ userinfo "@" ] hostport ]
    # All that server allows, reg_name allows too, except that it is empty; then "//" begins an abs_path.
    userinfo, at, hostport = authority.rpartition("@")
    if not hostport.startswith("["):
        return _scan(_REG_NAME, authority, start, "authority", "reg_name")
    # RFC 2732 §3   host          = hostname | IPv4address | IPv6reference
    #               ipv6reference = "[" IPv6address "]"
    found = _scan(_USERINFO, userinfo, start, "userinfo", "userinfo")
    start += len(userinfo) + len(at)
    if hostport[1:2] in ("v", "V"):
        message = "only an IPv6 address can be in brackets (IPvFuture came with RFC 3986)"
        return [*found, Violation("host", "IPv6reference", start + 1, message)]
    return found + ip_literal_violations(hostport, start, "IPv6reference")
