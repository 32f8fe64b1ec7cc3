"""Which addresses are public."""

from __future__ import annotations

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.web.hosts import is_public

PUBLIC = (
    *("1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.215.14", "100.63.255.255", "100.128.0.0"),
    *("126.255.255.255", "128.0.0.0", "169.253.255.255", "172.15.255.255", "172.32.0.0", "192.167.255.255"),
    *("198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:4860:4860::8888", "2606:4700::1111"),
    *("2a00:1450:4001:80b::200e", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"),
)
NOT_PUBLIC = (
    # loopback and unspecified
    *("127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "::1", "::"),
    # private, shared, link-local
    *("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "100.127.255.255", "169.254.0.1"),
    *("fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%eth0", "fec0::1"),
    # where clouds keep what only their own machines may ask
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    # for protocols, documentation, tests
    *("192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "192.88.99.1", "2001:db8::1"),
    *("3fff::1", "2001::1", "100::1", "5f00::1"),
    # multicast, reserved, broadcast
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "ff02::1",
    # IPv6 that stands for such IPv4
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1", "::8.8.8.8"),
    *("64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::8.8.8.8", "2002:7f00:1::"),
    *("2002:a00:1::1", "2002:a9fe:a9fe::"),
    # no addresses
    *("localhost", "2130706433", "0177.0.0.1", "0x7f.0.0.1", "127.1", "8.8.8", "2606:4700::1111%1", "", "8.8.8.8 "),
)


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_not_public(address: str) -> None:
    assert not is_public(address)


@given(st.one_of(st.ip_addresses(v=4), st.ip_addresses(v=6)).map(str))
def test_what_python_calls_private_is_not_public(address: str) -> None:
    """Python's table differs between its versions, and knows nothing of what stands for IPv4: there is only one way."""
    if is_public(address):
        known = ip_address(address)
        inner = None if known.version == 4 else known.ipv4_mapped or known.sixtofour
        assert not (known if inner is None else inner).is_private or address.startswith("64:ff9b::")


@given(st.ip_addresses(v=4))
def test_an_address_is_as_public_as_what_it_stands_for(address: object) -> None:
    number = int(ip_address(str(address)))
    assert len({is_public(str(address)), is_public(f"::ffff:{address}"), is_public(f"64:ff9b::{address}")}) == 1
    assert is_public(f"2002:{number >> 16:x}:{number & 0xFFFF:x}::1") == is_public(str(address))
