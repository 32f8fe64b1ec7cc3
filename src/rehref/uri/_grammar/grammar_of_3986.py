"""The grammar of RFC 3986 (Appendix A) as a validator that says what is wrong, and where.

A text is split first, then each component is checked against its own production, so that one fault does not hide
another; of each kind of fault a component gives one violation. No split text can break path-abempty or path-absolute,
and a reg-name includes what only looks like an IPv4 address (`999.1.1.1`), as the RFC says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from operator import attrgetter
from typing import Literal, TypeAlias, get_args

from rehref.exceptions import refuse_unknown
from rehref.uri.components import SCHEME, Violation, split

Production: TypeAlias = Literal["URI-reference", "URI", "absolute-URI", "relative-ref"]

# The insides of character sets: A "%" belongs to none of them, it only begins a pct-encoded character.

# unreserved    = ALPHA / DIGIT / "-" / "." / "_" / "~"
_UNRESERVED = r"A-Za-z0-9\-._~"
# sub-delims    = "!" / "$" / "&" / "'" / "(" / ")" / "*" / "+" / "," / ";" / "="
_SUB_DELIMS = r"!$&'()*+,;="
# reg-name      = *( unreserved / pct-encoded / sub-delims )
REG_NAME = _UNRESERVED + _SUB_DELIMS
# userinfo      = *( unreserved / pct-encoded / sub-delims / ":" )
USERINFO = REG_NAME + ":"
# pchar         = unreserved / pct-encoded / sub-delims / ":" / "@"
_PCHAR = USERINFO + "@"
# segment       = *pchar, with the "/" between segments
SEGMENTS = _PCHAR + "/"
# query         = *( pchar / "/" / "?" )
# fragment      = *( pchar / "/" / "?" )
QUERY = SEGMENTS + "?"


def _run(inside: str) -> str:
    """The pattern of a run of the set's characters and of "%", which is looked at apart."""
    return f"[{inside}%]*+"


# URI-reference = URI / relative-ref
# URI           = scheme ":" hier-part [ "?" query ] [ "#" fragment ]
# relative-ref  = relative-part [ "?" query ] [ "#" fragment ]
# scheme        = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )
# hier-part     = "//" authority path-abempty / path-absolute / path-rootless / path-empty
# relative-part = "//" authority path-abempty / path-absolute / path-noscheme / path-empty
# authority     = [ userinfo "@" ] host [ ":" port ]
# segment-nz-nc = 1*( unreserved / pct-encoded / sub-delims / "@" )
# Without IP-literal, so that the pattern stays small.
_REFERENCE = re.compile(
    rf"({SCHEME}:)?"
    rf"(?://(?:{_run(USERINFO)}@)?{_run(REG_NAME)}(?::[0-9]*+)?(?:/{_run(SEGMENTS)})?"
    rf"|(?!//)(?(1)|(?![^/?#:]*+:)){_run(SEGMENTS)})"
    rf"(?:\?{_run(QUERY)})?"
    rf"(#{_run(QUERY)})?"
).fullmatch
# pct-encoded   = "%" HEXDIG HEXDIG
STRAY = "%(?![0-9A-Fa-f]{2})"
_STRAY = re.compile(STRAY).search


@cache
def _outsiders(inside: str) -> Mapping[str, re.Pattern[str]]:
    """Patterns that find what a component cannot have, by the kind of fault.

    `inside`: the inside of a set of what it can have.
    """
    # listed, since a set with a range up to U+10FFFF takes milliseconds to compile
    wrong = "".join(re.findall(f"[^{inside}%]", "".join(map(chr, range(0x80)))))
    return {
        "stray": re.compile(STRAY),
        "foreign": re.compile(r"[^\x00-\x7F]"),
        "wrong": re.compile(f"[{re.escape(wrong)}]"),
    }


def outsiders_in(
    inside: str,
    text: str,
    start: int,
    component: str,
    rule: str,
    escape_rule: str = "pct-encoded",
) -> list[Violation]:
    """Check a component's text against its set of characters; `inside` is the inside of that.

    `start`: the component's place in the whole text. Gives a violation for each kind of fault, at its first character,
    with the number of the others: the answer stays small, whatever the text.
    """
    found = []
    for kind, outsiders in _outsiders(inside).items():
        fault = None if kind == "foreign" and text.isascii() else outsiders.search(text)
        if fault is not None:
            number = len(outsiders.findall(text, fault.start()))
            more = f" (and {number - 1} more)" if number > 1 else ""
            broken = escape_rule if kind == "stray" else rule
            message = _describe(kind, fault[0], component) + more
            found.append(Violation(component, broken, start + fault.start(), message))
    return sorted(found, key=attrgetter("position"))


def _describe(kind: str, character: str, component: str) -> str:
    """Say what is wrong with a character, and how to write it."""
    if kind == "stray":
        return 'two hexadecimal digits must follow "%"; a "%" itself is written %25'
    shown = f'"{character}"' if character.isprintable() and character != '"' else f"U+{ord(character):04X}"
    if "\ud800" <= character <= "\udfff":
        return f"{shown} is a lone surrogate, not a character"
    escaped = "".join(f"%{octet:02X}" for octet in character.encode())
    if kind == "foreign":
        if component == "host":
            message = "this is an IRI (RFC 3987); a URI has the host as IDNA writes it, xn--… (RFC 3986 §3.2.2)"
            return f"{shown} is not ASCII: {message}"
        return f"{shown} is not ASCII: this is an IRI (RFC 3987); a URI has it percent-encoded, {escaped}"
    return f"{shown} is not allowed in the {component}; percent-encoded it is {escaped}"


_NOT_DIGIT = re.compile("[^0-9]").search


def _matched(text: str) -> re.Match[str] | None:
    """The match of `_REFERENCE` in a text in which every "%" begins a pct-encoded."""
    return None if "%" in text and _STRAY(text) else _REFERENCE(text)


def is_valid(text: str, production: Production = "URI-reference") -> bool:
    """Whether a text is what the production says (RFC 3986 Appendix A), that is, whether it has no `violations`.

    The common case, a valid reference without an IP literal, is one match of one pattern. Raises ValueError for an
    unknown production.
    """
    found = _matched(text)
    if found is None:
        return "[" in text and not violations(text, production)
    if production == "URI-reference":
        return True
    _require_known(production)
    if production == "relative-ref":
        return found[1] is None
    return found[1] is not None and (production == "URI" or found[2] is None)


def violations(text: str, production: Production = "URI-reference") -> list[Violation]:
    """Every way in which a text is not what the production says, in the order of their positions.

    An empty list: the text is valid. Raises ValueError for an unknown production, and for no text.
    """
    if production == "URI-reference" and _matched(text) is not None:
        return []
    _require_known(production)
    scheme, authority, path, query, fragment = split(text)
    found = _scheme(text, scheme, authority, production)
    position = 0 if scheme is None else len(scheme) + 1
    if authority is not None:
        found += _authority(authority, position + 2)
        position += 2 + len(authority)
    found += outsiders_in(SEGMENTS, path, position, "path", "segment")
    position += len(path)
    if query is not None:
        found += outsiders_in(QUERY, query, position + 1, "query", "query")
        position += 1 + len(query)
    if fragment is not None:
        if production == "absolute-URI":
            message = "an absolute-URI has no fragment"
            found.append(Violation("fragment", "absolute-URI", position, message))
        found += outsiders_in(QUERY, fragment, position + 1, "fragment", "fragment")
    return sorted(found, key=attrgetter("position"))


def _require_known(production: str) -> None:
    refuse_unknown("production", production, get_args(Production))


def _scheme(text: str, scheme: str | None, authority: str | None, production: Production) -> list[Violation]:
    """Check the beginning of a text against the production: a scheme may be required, forbidden or optional.

    What is not spelt like a scheme (`1a:b`) is a relative reference, whose first segment cannot have a colon.
    """
    if scheme is not None:
        if production != "relative-ref":
            return []
        message = "a relative-ref has no scheme, and no colon in its first segment"
        return [Violation("path", "segment-nz-nc", len(scheme), message)]
    first_segment = re.split("[/?#]", text, maxsplit=1)[0]
    before, colon, _ = first_segment.partition(":")
    if production in ("URI", "absolute-URI"):
        return [missing_scheme(before if colon else "", production)]
    if authority is None and colon:
        message = 'the first segment of a relative path cannot have a colon; write "./" before it, or %3A for it'
        return [Violation("path", "segment-nz-nc", len(before), message)]
    return []


def missing_scheme(before: str, production: str) -> Violation:
    """The violation of a text that should begin with a scheme; `before`: the text in its place, or ""."""
    if before == "":
        article = "an" if production.startswith("abs") else "a"
        return Violation("scheme", "scheme", 0, f"there is no scheme, and {article} {production} begins with one")
    spelt = re.match(f"(?:{SCHEME})?", before)
    position = 0 if spelt is None else spelt.end()
    message = "a scheme is a letter, then letters, digits, plus signs, hyphens and dots"
    return Violation("scheme", "scheme", position, message)


def _authority(authority: str, start: int) -> list[Violation]:
    """Check an authority, which begins at `start`, against the grammar (RFC 3986 §3.2).

    The last "@" ends the userinfo; one before it is a violation there. All that follows the host's first ":" is the
    port.
    """
    userinfo, at, host_and_port = authority.rpartition("@")
    found = outsiders_in(USERINFO, userinfo, start, "userinfo", "userinfo")
    start += len(userinfo) + len(at)
    if host_and_port.startswith("["):
        return found + ip_literal_violations(host_and_port, start, "IP-literal")
    # host          = IP-literal / IPv4address / reg-name
    host, colon, port = host_and_port.partition(":")
    if ":" in port:
        from rehref.uri._grammar.ip_addresses import ipv6_fault  # few hosts have two colons

        if ipv6_fault(host_and_port) is None:
            message = "an IPv6 address must be in brackets"
            return [*found, Violation("host", "IP-literal", start, message)]
    found += outsiders_in(REG_NAME, host, start, "host", "reg-name")
    return found + port_violations(port, start + len(host) + len(colon))


def ip_literal_violations(host_and_port: str, start: int, rule: str) -> list[Violation]:
    """Check `[...]` and the port after it against the grammar; `rule`: the RFC's name for the whole."""
    from rehref.uri._grammar.ip_addresses import ip_literal_fault  # few hosts are one

    end = host_and_port.find("]")
    if end == -1:
        return [Violation("host", rule, start, 'there is no "]" to this "["')]
    found = []
    fault = ip_literal_fault(host_and_port[1:end])
    if fault is not None:
        found.append(Violation("host", fault.rule, start + 1 + fault.offset, fault.message))
    rest = host_and_port[end + 1 :]
    start += end + 1
    if rest == "":
        return found
    if not rest.startswith(":"):
        return [*found, Violation("host", rule, start, 'only a colon and a port can follow "]"')]
    return found + port_violations(rest[1:], start + 1)


def port_violations(port: str, start: int) -> list[Violation]:
    """Check a port, which begins at `start`, against the grammar."""
    # port          = *DIGIT
    wrong = _NOT_DIGIT(port)
    if wrong is None:
        return []
    return [Violation("port", "port", start + wrong.start(), "a port has nothing but the digits 0 to 9")]
