"""The text between the brackets of an IP literal (RFC 3986 §3.2.2), checked character by character.

Zone identifiers (`fe80::1%25eth0`, RFC 6874) are not accepted: RFC 3986 has none, they mean something on one machine
only, and the URL Standard rejects them too.
"""

from __future__ import annotations

import re
from typing import NamedTuple

# dec-octet     = DIGIT / %x31-39 DIGIT / "1" 2DIGIT / "2" %x30-34 DIGIT / "25" %x30-35
_DEC_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"

# IPv4address   = dec-octet "." dec-octet "." dec-octet "." dec-octet
is_ipv4_address = re.compile(rf"{_DEC_OCTET}(?:\.{_DEC_OCTET}){{3}}").fullmatch

# h16           = 1*4HEXDIG
_H16 = re.compile(r"[0-9A-Fa-f]{1,4}+").match

# IPvFuture     = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )
_IPVFUTURE_VERSION = re.compile(r"v([0-9A-Fa-f]*+)", re.IGNORECASE | re.ASCII).match
_IPVFUTURE_ADDRESS = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:]++").match


class IpFault(NamedTuple):
    """What is wrong with an IP literal: the rule it breaks, where (0-based, characters), and why."""

    rule: str
    offset: int
    message: str


def ip_literal_fault(text: str) -> IpFault | None:
    """Judge the inside of `[...]`: None if it is an IPv6address or IPvFuture, else the first fault."""
    # IP-literal    = "[" ( IPv6address / IPvFuture  ) "]"
    if text[:1] in ("v", "V"):
        return ipvfuture_fault(text)
    return ipv6_fault(text)


def ipvfuture_fault(text: str) -> IpFault | None:
    """Judge an IPvFuture address: None if it is one, else the first fault.

    It is "v", hexadecimal digits, a dot, and at least one character.
    """
    version = _IPVFUTURE_VERSION(text)
    if version is None:
        return IpFault("IPvFuture", 0, 'an IPvFuture address begins with "v"')
    if version[1] == "":
        return IpFault("IPvFuture", 1, 'hexadecimal digits, the version, must follow the "v" of an IPvFuture address')
    dot = version.end()
    if text[dot : dot + 1] != ".":
        return IpFault("IPvFuture", dot, "a dot must follow the version of an IPvFuture address")
    address = _IPVFUTURE_ADDRESS(text, dot + 1)
    end = dot + 1 if address is None else address.end()
    if address is None or end < len(text):
        return IpFault("IPvFuture", end, "an IPvFuture address needs unreserved characters, sub-delims or colons here")
    return None


def ipv6_fault(text: str) -> IpFault | None:
    """Judge an IPv6 address: None if it is one, else the first fault.

    RFC 3986 §3.2.2:

        IPv6address =                            6( h16 ":" ) ls32
                    /                       "::" 5( h16 ":" ) ls32
                    / [               h16 ] "::" 4( h16 ":" ) ls32
                    / [ *1( h16 ":" ) h16 ] "::" 3( h16 ":" ) ls32
                    / [ *2( h16 ":" ) h16 ] "::" 2( h16 ":" ) ls32
                    / [ *3( h16 ":" ) h16 ] "::"    h16 ":"   ls32
                    / [ *4( h16 ":" ) h16 ] "::"              ls32
                    / [ *5( h16 ":" ) h16 ] "::"              h16
                    / [ *6( h16 ":" ) h16 ] "::"
        ls32        = ( h16 ":" h16 ) / IPv4address
    """
    if "%" in text:
        return _fault(text.index("%"), "a zone identifier (RFC 6874) is not part of an IPv6 address in RFC 3986")
    position = groups = 0
    shortened = text.startswith("::")
    if shortened:
        position = 2
    while position < len(text):
        group = _H16(text, position)
        if group is not None and text[group.end() : group.end() + 1] == ".":
            if is_ipv4_address(text, position) is None:
                message = "an IPv4 address is four numbers from 0 to 255, without leading zeros"
                return IpFault("IPv4address", position, message)
            return _count_fault(position, groups + 2, shortened)
        if group is None:
            return _fault(position, "a group of one to four hexadecimal digits is missing here")
        groups += 1
        if groups > (7 if shortened else 8):
            return _fault(position, "an IPv6 address has eight groups, and no more than seven beside a '::'")
        position = group.end()
        if position == len(text):
            break
        if text[position] != ":":
            return _fault(position, "a group has no more than four hexadecimal digits, and a colon after it")
        if not text.startswith("::", position):
            position += 1
            if position == len(text):
                return _fault(position - 1, "an IPv6 address cannot end in a single colon")
        elif shortened:
            return _fault(position, "'::' can occur only once in an IPv6 address")
        else:
            shortened = True
            position += 2
    return _count_fault(position, groups, shortened)


def _count_fault(position: int, groups: int, shortened: bool) -> IpFault | None:
    """Judge the number of groups, the address being all right otherwise."""
    complete = groups < 8 if shortened else groups == 8
    if complete:
        return None
    return _fault(position, f"an IPv6 address has eight groups, or fewer and one '::'; here are {groups}")


def _fault(offset: int, message: str) -> IpFault:
    return IpFault("IPv6address", offset, message)
