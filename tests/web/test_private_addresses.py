"""Which addresses are public, and that nothing is sent to others, however they are named, and whoever leads there.

Who listens on all addresses of this machine sees whether anything is connected (`Trap`), and whatever a socket is to be
connected to is noted (`attempts`), also where that would be outside of this machine.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from asyncio.selector_events import BaseSelectorEventLoop
from collections.abc import Callable, Iterator
from contextlib import closing
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rehref.web._connections import Client, open_client
from rehref.web._following_redirects import answer
from rehref.web.answers import Answer, Question
from rehref.web.asking_options import WebOptions
from rehref.web.servers import is_public
from web.servers import anyhow, listening

SERVER = "127.0.0.5"
"""Where tests have a server that counts as public."""
IN_VAIN = 0.5
"""Seconds to wait for what never comes."""
OUTSIDE = "93.184.215.14"
"""A public address; nothing is ever sent there from here."""

only_where_loopback_is_wide = pytest.mark.skipif(
    sys.platform != "linux", reason=f"{SERVER} is an address of this machine on Linux alone"
)


class Trap:
    """A socket that listens on all addresses of this machine, and accepts nothing."""

    def __init__(self) -> None:
        self._sockets = [socket.socket(socket.AF_INET)]
        self._sockets[0].bind(("0.0.0.0", 0))
        self.port = self._sockets[0].getsockname()[1]
        if socket.has_ipv6:
            six = socket.socket(socket.AF_INET6)
            six.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                six.bind(("::", self.port))
                self._sockets.append(six)
            except OSError:  # a machine without IPv6
                six.close()
        for each in self._sockets:
            each.listen()
            each.setblocking(False)

    def was_entered(self) -> bool:
        """Whether anybody has connected."""
        for each in self._sockets:
            try:
                each.accept()[0].close()
            except BlockingIOError:
                continue
            return True
        return False

    def close(self) -> None:
        for each in self._sockets:
            each.close()


class Network:
    """What is asked for, and what is connected to.

    `attempts`: the addresses that sockets are to be connected to, in order. `names`: what names stand for: the
    addresses at the first look, at the second, and so on; the last ones from then on.
    """

    def __init__(self, trap: Trap) -> None:
        self.trap = trap
        self.port = trap.port
        self.attempts: list[str] = []
        self.names: dict[str, list[list[str]]] = {}

    def saw(self, *addresses: str) -> bool:
        """Whether these addresses alone were tried, and nothing was connected to this machine."""
        return set(self.attempts) == set(addresses) and not self.trap.was_entered()


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    """The network of a test; what is outside of this machine refuses."""
    connect, look_up = BaseSelectorEventLoop.sock_connect, socket.getaddrinfo

    async def sock_connect(self: Any, sock: socket.socket, address: Any) -> None:
        found.attempts.append(address[0])
        if not address[0].startswith("127."):
            raise ConnectionRefusedError(111, "refused")
        await connect(self, sock, address)

    def getaddrinfo(host: str, port: int, *more: Any, **named: Any) -> list[Any]:
        looks = found.names.get(host)
        if looks is None:
            return look_up(host, port, *more, **named)
        addresses = looks.pop(0) if len(looks) > 1 else looks[0]
        return [entry for each in addresses for entry in look_up(each, port, type=socket.SOCK_STREAM)]

    monkeypatch.setattr(BaseSelectorEventLoop, "sock_connect", sock_connect)
    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    with closing(Trap()) as trap:
        found = Network(trap)
        yield found


def ask(*urls: str, permits: Callable[[str], bool] | None = None, forgets: bool = False) -> list[Answer]:
    """The answers to some URLs, one after the other. `forgets`: whether each name is looked up anew."""

    async def one(url: str, client: Client) -> Answer:
        if forgets:
            client.connector.clear_dns_cache()
        return await answer(Question(url), client, anyhow)

    async def run() -> list[Answer]:
        async with open_client(WebOptions(), permits) as client:
            return [await one(url, client) for url in urls]

    return asyncio.run(run())


LITERAL = (
    *("127.0.0.1", "127.0.0.2", "127.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001"),
    *("0", "0.0.0.0", "%31%32%37.0.0.1", "127。0。0。1", "[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::ffff:127.0.0.1]"),
    *("[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[64:ff9b::127.0.0.1]", "[64:ff9b:1::1]"),
    *("[2002:7f00:1::]", "[2002:a00:1::1]", "169.254.169.254", "2852039166", "[::ffff:169.254.169.254]"),
    *("[fd00:ec2::254]", "[fc00::1]", "[fe80::1]", "10.0.0.1", "172.16.0.1", "192.168.1.1", "100.64.0.1"),
    *("100.100.100.200", "168.63.129.16", "224.0.0.1", "255.255.255.255"),
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("host", LITERAL)
def test_an_address_that_is_written_out(host: str, scheme: str, network: Network) -> None:
    (found,) = ask(f"{scheme}://{host}:{network.port}/")
    assert (found.status, found.failure) == (None, "private-address")
    assert network.saw()


def test_the_trap_would_notice(network: Network) -> None:
    async def connect() -> None:
        loop = asyncio.get_running_loop()
        with socket.socket() as sock:
            sock.setblocking(False)
            await loop.sock_connect(sock, ("127.0.0.1", network.port))

    asyncio.run(connect())
    assert network.attempts == ["127.0.0.1"]
    assert network.trap.was_entered()


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "localhost.", "ｌocalhost"])
def test_this_machine_by_name(host: str, network: Network) -> None:
    (found,) = ask(f"http://{host}:{network.port}/")
    assert found.failure in ("private-address", "unknown-host")  # not every resolver knows "localhost."
    assert network.saw()


@pytest.mark.parametrize("addresses", [["127.0.0.1"], ["::1"], ["10.0.0.1", "127.0.0.1", "::1"], ["::ffff:127.0.0.1"]])
def test_a_name_of_a_private_address(addresses: list[str], network: Network) -> None:
    network.names["inside.example"] = [addresses]
    (found,) = ask(f"http://inside.example:{network.port}/")
    assert (found.status, found.failure) == (None, "private-address")
    assert network.saw()


@pytest.mark.parametrize("addresses", [["127.0.0.1", OUTSIDE], [OUTSIDE, "127.0.0.1"], ["::1", OUTSIDE, "10.0.0.1"]])
def test_of_several_addresses_only_public_ones_are_asked(addresses: list[str], network: Network) -> None:
    network.names["both.example"] = [addresses]
    (found,) = ask(f"http://both.example:{network.port}/")
    assert (found.status, found.failure) == (None, "no-connection")
    assert network.saw(OUTSIDE)


@pytest.mark.parametrize("looks", [[[OUTSIDE], ["127.0.0.1"]], [["127.0.0.1"], [OUTSIDE]]])
def test_a_name_that_changes_between_questions(looks: list[list[str]], network: Network) -> None:
    network.names["turning.example"] = looks
    found = ask(*[f"http://turning.example:{network.port}/"] * 3, forgets=True)
    assert {each.failure for each in found} == {"private-address", "no-connection"}
    assert network.saw(OUTSIDE)


def test_between_check_and_use_nothing_is_looked_up(network: Network) -> None:
    """What is checked is what the socket is connected to: the second look would be at the trap."""
    network.names["turning.example"] = [[OUTSIDE], ["127.0.0.1"]]
    (found,) = ask(f"http://turning.example:{network.port}/")
    assert found.failure == "no-connection"
    assert len(network.names["turning.example"]) == 1  # one look
    assert network.saw(OUTSIDE)


def redirected_to(target: str) -> Answer:
    """The answer of a server that counts as public, which redirects to a URL."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 302 Found\r\nLocation: {target}\r\nConnection: close\r\n\r\n".encode())
        writer.close()

    async def run() -> Answer:
        async with listening(serve, SERVER) as base, open_client(WebOptions(), SERVER.__eq__) as client:
            return await answer(Question(f"{base}/"), client, anyhow)

    return asyncio.run(run())


@only_where_loopback_is_wide
@pytest.mark.parametrize("host", [*LITERAL, "localhost", "inside.example"])
def test_a_redirection_to_a_private_address(host: str, network: Network) -> None:
    network.names["inside.example"] = [["127.0.0.1"]]
    found = redirected_to(f"http://{host}:{network.port}/")
    assert (found.status, found.failure) == (None, "private-address")
    assert len(found.hops) == 1
    assert network.saw(SERVER)


@only_where_loopback_is_wide
@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "data:,x", "ws://127.0.0.1/"]
)
def test_a_redirection_to_another_scheme(target: str, network: Network) -> None:
    found = redirected_to(target)
    assert (found.status, found.failure) == (None, "bad-redirect")
    assert network.saw(SERVER)


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://127.0.0.1/", "ws://127.0.0.1/", "/etc/passwd", "http://a b/", ""]
)
def test_what_is_no_url_of_http_is_not_asked(url: str, network: Network) -> None:
    (found,) = ask(url)
    assert (found.url, found.status, found.failure) == (url, None, "unknown-host")
    assert network.saw()


def test_proxies_of_the_environment_do_not_choose_the_address(
    monkeypatch: pytest.MonkeyPatch, network: Network
) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{network.port}")
    network.names["outside.example"] = [[OUTSIDE]]
    found = ask("http://outside.example/", "https://outside.example/")
    assert {each.failure for each in found} == {"no-connection"}
    assert network.saw(OUTSIDE)


def test_private_addresses_are_asked_if_that_is_allowed(network: Network) -> None:
    async def run() -> Answer:
        async with open_client(WebOptions(allows_private=True, timeout=IN_VAIN)) as client:
            return await answer(Question(f"http://127.0.0.1:{network.port}/"), client, anyhow)

    assert asyncio.run(run()).failure == "timeout"
    assert "127.0.0.1" in network.attempts
    assert network.trap.was_entered()


# which addresses are public


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
