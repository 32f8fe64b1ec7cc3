"""What is sent to whom: names and passwords, header fields of one's own, cookies."""

from __future__ import annotations

import asyncio
import socket
from base64 import b64encode
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from yarl import URL

from rehref.exceptions import OptionError
from rehref.web._credentials import cookie_jar, read_credentials
from rehref.web.answers import Answer
from rehref.web.asking_options import NETRC_VARIABLE, HeaderField, WebOptions
from web.misbehaving import Certificates
from web.servers import listening
from web.stub import connected

HOSTS = ("one.test", "two.test", "sub.one.test", "127.0.0.1")


class Asked(NamedTuple):
    """One request: to which host and port, for what, and the header fields that matter here."""

    host: str
    target: str
    authorization: str | None
    cookie: str | None
    own: str | None


class Servers:
    """A server by http and one by https, for all hosts. `/to/URL` redirects to URL, `/set/COOKIE` sets a cookie."""

    def __init__(self, folder: Path) -> None:
        certificates = Certificates(folder, HOSTS)
        self.ca_file = str(certificates.ca_file)
        self._context = certificates.context("valid")
        self.asked: list[Asked] = []
        self.http = self.https = 0

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        target = lines[0].split(" ")[1]
        own = fields.get("x-own")
        self.asked.append(Asked(fields["host"], target, fields.get("authorization"), fields.get("cookie"), own))
        if target.startswith("/to/"):
            writer.write(f"HTTP/1.1 302 X\r\nLocation: {target[4:]}\r\n".encode())
        elif target.startswith("/set/"):
            writer.write(f"HTTP/1.1 200 X\r\nSet-Cookie: {target[5:]}\r\n".encode())
        else:
            writer.write(b"HTTP/1.1 200 X\r\n")
        writer.write(b"Connection: close\r\nContent-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    def ask(self, *urls: str, **options: Any) -> list[Answer]:
        """The answers to URLs, one after the other; HTTP and HTTPS in them stand for the ports."""

        async def run() -> list[Answer]:
            plain = await asyncio.start_server(self._serve, "127.0.0.1", 0)
            secure = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self._context)
            self.http, self.https = (each.sockets[0].getsockname()[1] for each in (plain, secure))
            fields = [
                field._replace(host=field.host and field.host.replace("HTTP", str(self.http)))
                for field in options.pop("headers", ())
            ]
            chosen = WebOptions(allows_private=True, ca_file=self.ca_file, headers=tuple(fields), **options)
            async with plain, secure, connected(chosen) as ask:
                return [
                    await ask(url.replace("HTTPS", str(self.https)).replace("HTTP", str(self.http))) for url in urls
                ]

        return asyncio.run(run())

    def sent(self, *urls: str, **options: Any) -> list[str | None]:
        """The `Authorization` of each request."""
        found = self.ask(*urls, **options)
        assert {each.status for each in found} == {200}, [each.detail for each in found]
        return [each.authorization for each in self.asked]


@pytest.fixture
def servers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Servers:
    really = socket.getaddrinfo

    def getaddrinfo(host: str, *more: Any, **named: Any) -> list[Any]:
        return really("127.0.0.1" if host in HOSTS else host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    monkeypatch.delenv(NETRC_VARIABLE, raising=False)
    return Servers(tmp_path)


def basic(text: str) -> str:
    return "Basic " + b64encode(text.encode()).decode()


def test_userinfo_is_sent_to_its_own_host(servers: Servers) -> None:
    assert servers.sent(
        "http://a:b@one.test:HTTP/", "http://a%3A:%C3%B6@one.test:HTTP/", "http://c@one.test:HTTP/"
    ) == [
        basic("a:b"),
        basic("a::ö"),
        basic("c:"),
    ]
    assert {each.host for each in servers.asked} == {f"one.test:{servers.http}"}


def test_userinfo_stays_with_redirections_on_the_same_host(servers: Servers) -> None:
    sent = servers.sent("http://a:b@one.test:HTTP/to//there", "http://a:b@one.test:HTTP/to/http://one.test:HTTP/there")
    assert sent == [basic("a:b")] * 4


@pytest.mark.parametrize(
    "target",
    [
        "http://two.test:HTTP/",
        "http://sub.one.test:HTTP/",
        "http://127.0.0.1:HTTP/",
        "https://one.test:HTTPS/",  # another port may be another's
        "https://two.test:HTTPS/",
        "http://x:y@two.test:HTTP/",  # whoever redirects names a password: that is not ours to send
    ],
)
def test_nothing_is_sent_to_another_host(servers: Servers, target: str) -> None:
    own = {"headers": (HeaderField("X-Own", "secret"), HeaderField("Authorization", "Bearer secret"))}
    assert servers.sent(f"http://one.test:HTTP/to/{target}", **own) == ["Bearer secret", None]
    assert [each.own for each in servers.asked] == ["secret", None]
    servers.asked.clear()
    assert servers.sent(f"http://a:b@one.test:HTTP/to/{target}") == [basic("a:b"), None]


def test_nothing_is_sent_from_https_to_http(servers: Servers, tmp_path: Path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine one.test login a password b\nmachine two.test login c password d\n")
    own = {"headers": (HeaderField("X-Own", "secret"),), "netrc": str(netrc)}
    assert servers.sent("https://one.test:HTTPS/to/http://one.test:HTTP/", **own) == [basic("a:b"), None]
    assert [each.own for each in servers.asked] == ["secret", None]
    servers.asked.clear()
    # nor by a way around
    target = "/to/http://two.test:HTTP/to/http://one.test:HTTP/"
    assert servers.sent(f"https://one.test:HTTPS{target}", **own) == [basic("a:b"), None, None]


def test_what_comes_back_to_its_host_is_sent_again(servers: Servers) -> None:
    sent = servers.sent("http://a:b@one.test:HTTP/to/http://two.test:HTTP/to/http://one.test:HTTP/")
    assert sent == [basic("a:b"), None, basic("a:b")]


def test_netrc_is_for_the_hosts_that_it_names(servers: Servers, tmp_path: Path) -> None:
    netrc = tmp_path / "netrc"
    netrc.write_text("machine one.test login a password b\ndefault login c password d\n")
    urls = ("http://one.test:HTTP/", "http://two.test:HTTP/", "http://sub.one.test:HTTP/", "http://ONE.test:HTTP/")
    assert servers.sent(*urls, netrc=str(netrc)) == [basic("a:b"), None, None, basic("a:b")]


def test_netrc_by_the_environment(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NETRC_VARIABLE, "machine one.test login a password b")
    assert servers.sent("http://one.test:HTTP/", "http://two.test:HTTP/") == [basic("a:b"), None]


def test_the_netrc_of_the_system_is_not_used(servers: Servers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".netrc").write_text("machine one.test login a password b\n")
    (tmp_path / ".netrc").chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(tmp_path / ".netrc"))
    assert servers.sent("http://one.test:HTTP/") == [None]


def test_what_a_url_says_counts_more_than_netrc(servers: Servers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NETRC_VARIABLE, "machine one.test login a password b")
    assert servers.sent("http://c:d@one.test:HTTP/") == [basic("c:d")]
    servers.asked.clear()
    assert servers.sent("http://one.test:HTTP/", headers=(HeaderField("authorization", "x"),)) == ["x"]


def test_a_header_field_is_for_the_host_that_it_names(servers: Servers) -> None:
    field = HeaderField("authorization", "x", "http://one.test:HTTP")
    assert servers.sent("http://one.test:HTTP/", "http://two.test:HTTP/", headers=(field,)) == ["x", None]


def test_the_format_of_netrc() -> None:
    text = (
        "# a comment with machine x\n"
        "machine a login b password c\n"
        'machine d\n\tlogin "e f"\n\taccount g password "h\\"#i"\n'
        "macdef init\nmachine no login no password no\n\n"
        "machine A login late password late\n"
        "machine j password k#l\n"
        "default login m password n\n"
    )
    assert read_credentials(None, text) == {"a": basic("b:c"), "d": basic('e f:h"#i'), "j": basic(":k#l")}
    assert read_credentials(None, None) == read_credentials(None, "") == {}


@pytest.mark.parametrize("text", ["machine", "machine a login", "login", "secret password", "machine a secret b"])
def test_what_is_not_in_the_format_of_netrc(text: str, tmp_path: Path) -> None:
    file = tmp_path / "netrc"
    file.write_text(text)
    with pytest.raises(OptionError, match=f"^--netrc {file}: is not") as caught:
        read_credentials(str(file), None)
    assert "secret" not in str(caught.value).replace(str(file), "")
    with pytest.raises(OptionError, match=NETRC_VARIABLE):
        read_credentials(None, text)


@pytest.mark.parametrize(
    ("option", "name"), [("netrc", "--netrc"), ("cookies", "--cookie-jar"), ("ca_file", "--ca-file")]
)
@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00", b"nothing of the kind"])
def test_a_file_that_cannot_be_used_is_named(option: str, name: str, content: bytes | None, tmp_path: Path) -> None:
    assert_it_is_named(option, name, content, tmp_path)


def assert_it_is_named(option: str, name: str, content: bytes | None, tmp_path: Path) -> None:
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)

    async def run() -> None:
        async with connected(WebOptions(**{option: str(file)})):
            pass

    with pytest.raises(OptionError, match=f"^{name} {file}: "):
        asyncio.run(run())


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    ("option", "content"),
    [
        ("cookies", b"# Netscape HTTP Cookie File\none.test\tx\n"),
        ("netrc", b"\n" * (10 * 1024 * 1024 + 1)),
        ("cookies", b"\n" * (10 * 1024 * 1024 + 1)),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(option: str, content: bytes, tmp_path: Path) -> None:
    assert_it_is_named(option, {"cookies": "--cookie-jar", "netrc": "--netrc"}[option], content, tmp_path)


def test_cookies_go_back_to_who_set_them(servers: Servers) -> None:
    servers.ask(
        "http://one.test:HTTP/set/a=b;Path=/",
        "http://one.test:HTTP/",
        "http://two.test:HTTP/",
        "http://sub.one.test:HTTP/",
        "http://127.0.0.1:HTTP/set/c=d;Path=/",
        "http://127.0.0.1:HTTP/",
        "http://two.test:HTTP/set/e=f;Domain=one.test;Path=/",
        "http://one.test:HTTP/",
        "https://one.test:HTTPS/set/g=h;Secure;Path=/",
        "http://one.test:HTTP/",
        "https://one.test:HTTPS/",
    )
    assert [each.cookie for each in servers.asked] == [
        *(None, "a=b", None, None),
        *(None, "c=d"),
        *(None, "a=b"),
        *("a=b", "a=b", "a=b; g=h"),
    ]


def test_nobody_sets_cookies_for_everybody(servers: Servers) -> None:
    servers.ask(
        "http://one.test:HTTP/set/a=b;Path=/;Domain=test",
        "http://one.test:HTTP/set/c=d;Path=/;Domain=.test",
        "http://one.test:HTTP/set/e=f;Path=/;domain%20=%20;DOMAIN=TEST.",
        "http://sub.one.test:HTTP/set/g=h;Path=/;Domain=one.test",
        "http://two.test:HTTP/",
        "http://one.test:HTTP/",
    )
    assert [each.cookie for each in servers.asked][-2:] == [
        None,
        "e=f; g=h",
    ]  # with a dot at its end, it is no domain, and the host alone has it


@pytest.mark.parametrize(
    ("field", "host", "may"),
    [
        ("a=b", "x.example.com", True),
        ("a=b; Domain=example.com", "x.example.com", True),
        ("a=b; Domain=.example.com", "x.example.com", True),
        ("a=b; Domain=com", "x.com", False),
        ("a=b; Domain=co.uk", "x.co.uk", False),
        ('a=b; Domain="co.uk"', "x.co.uk", False),
        ('a=b; Domain="com"', "x.com", False),
        ("a=b; Domain=com.au", "x.com.au", False),
        ("a=b; Domain=x.example.com; Domain=com", "x.example.com", False),  # the last counts
        ("a=b; Domain=t.co", "t.co", True),
        ("a=b; Domain=localhost", "localhost", True),
        ("a=b; Domain=bbc.co.uk", "www.bbc.co.uk", True),
        ("a=b; Domain=", "x.com", True),
    ],
)
def test_for_what_a_server_may_set_cookies(field: str, host: str, may: bool) -> None:
    async def kept() -> int:
        jar = cookie_jar(None)
        jar.update_cookies_from_headers([field], URL(f"http://{host}/"))
        return len(list(jar))

    assert asyncio.run(kept()) == may


def test_cookies_are_not_in_the_answer(servers: Servers) -> None:
    (found,) = servers.ask("http://one.test:HTTP/set/a=secret")
    assert "set-cookie" not in found.headers
    assert "secret" not in str(found.headers)


def test_cookies_of_a_file(servers: Servers, tmp_path: Path) -> None:
    file = tmp_path / "cookies.txt"
    file.write_text(
        "# Netscape HTTP Cookie File\n"
        "one.test\tFALSE\t/\tFALSE\t0\ta\tb c=d\n"
        ".one.test\tTRUE\t/sub\tFALSE\t4102444800\te\tf\n"
        "one.test\tFALSE\t/\tTRUE\t4102444800\tg\th\n"
        "one.test\tFALSE\t/\tFALSE\t946684800\told\told\n"
        "#HttpOnly_one.test\tFALSE\t/\tFALSE\t0\ti\tj\n"
    )
    servers.ask(
        "http://one.test:HTTP/",
        "http://sub.one.test:HTTP/sub/x",
        "http://two.test:HTTP/",
        "https://one.test:HTTPS/",
        cookies=str(file),
    )
    assert [sorted((each.cookie or "").split("; ")) for each in servers.asked] == [
        ["a=b c=d", "i=j"],
        ["e=f"],
        [""],
        ["a=b c=d", "g=h", "i=j"],
    ]


def test_how_we_introduce_ourselves() -> None:
    seen: list[bytes] = []

    async def run(options: WebOptions) -> None:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            seen.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(b"HTTP/1.1 204 X\r\nConnection: close\r\n\r\n")
            writer.close()

        async with listening(serve) as base, connected(options) as ask:
            await ask(f"{base}/")

    asyncio.run(run(WebOptions(allows_private=True)))
    asyncio.run(run(WebOptions(allows_private=True, user_agent="me")))
    assert b"\r\nUser-Agent: Mozilla/5.0 (compatible; rehref/" in seen[0]
    assert b"\r\nUser-Agent: me\r\n" in seen[1]
