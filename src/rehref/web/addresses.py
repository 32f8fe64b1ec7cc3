"""Which IP addresses are public.

1. An address is public if it is not in the registries of special-purpose addresses (IANA, RFC 6890): not private,
   loopback, link-local, shared (RFC 6598), for documentation, for tests, multicast, reserved, or unspecified.
2. In IPv6 only the global unicast space (2000::/3) is public, except the special addresses in it.
3. An IPv6 address that stands for an IPv4 address (mapped, NAT64, 6to4) is public if that is. Addresses that networks
   translate with prefixes of their own (RFC 6052) cannot be recognized.
4. Addresses of cloud services for their own machines are not public, even if the registries do not list them.
5. A text that `ipaddress` does not read as an address (octal, a name, a scope) is not public.

The table is in this module, since that of `ipaddress` differs between the versions of Python.
"""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

_NOT_PUBLIC_4: Final = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network (RFC 791)
        "10.0.0.0/8",  # private (RFC 1918)
        "100.64.0.0/10",  # shared (RFC 6598); 100.100.100.200 is a cloud's metadata
        "127.0.0.0/8",  # loopback (RFC 1122)
        "168.63.129.16/32",  # a cloud's own service (rule 4)
        "169.254.0.0/16",  # link-local (RFC 3927); 169.254.169.254 is the metadata of most clouds
        "172.16.0.0/12",  # private (RFC 1918)
        "192.0.0.0/24",  # protocol assignments (RFC 6890)
        "192.0.2.0/24",  # documentation (RFC 5737)
        "192.88.99.0/24",  # relays for 6to4 (RFC 7526)
        "192.168.0.0/16",  # private (RFC 1918)
        "198.18.0.0/15",  # benchmarks (RFC 2544)
        "198.51.100.0/24",  # documentation (RFC 5737)
        "203.0.113.0/24",  # documentation (RFC 5737)
        "224.0.0.0/4",  # multicast (RFC 5771)
        "240.0.0.0/4",  # reserved (RFC 1112), and broadcast
    )
)
_GLOBAL_6: Final = IPv6Network("2000::/3")
_NOT_PUBLIC_6: Final = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments (RFC 2928), Teredo among them
        "2001:db8::/32",  # documentation (RFC 3849)
        "3fff::/20",  # documentation (RFC 9637)
    )
)
_MAPPED: Final = IPv6Network("::ffff:0:0/96")  # RFC 4291 §2.5.5.2
_NAT64: Final = IPv6Network("64:ff9b::/96")  # RFC 6052 §2.1
_6TO4: Final = IPv6Network("2002::/16")  # RFC 3056 §2


@lru_cache(maxsize=4096)
def is_public(text: str) -> bool:
    """Return whether a text is a public IP address."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if isinstance(address, IPv4Address):
        return _is_public_4(address)
    if address.scope_id is not None:
        return False
    inner = _inner(address)
    if inner is not None:
        return _is_public_4(inner)
    return address in _GLOBAL_6 and not any(address in network for network in _NOT_PUBLIC_6)


def _is_public_4(address: IPv4Address) -> bool:
    return not any(address in network for network in _NOT_PUBLIC_4)


def _inner(address: IPv6Address) -> IPv4Address | None:
    """Return the IPv4 address that an IPv6 address stands for (rule 3)."""
    if address in _MAPPED or address in _NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    if address in _6TO4:
        return IPv4Address(int(address) >> 80 & 0xFFFF_FFFF)
    return None
