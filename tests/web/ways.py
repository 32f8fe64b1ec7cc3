"""The ways in which the server of `misbehaving` misbehaves, and the answer that is to come of each.

- A way has a name, which is its path, a sentence about it, and the status or the failure of the answer.
- `asked` counts what is asked of that path: aiohttp asks once more where a connection ends without an answer.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import NamedTuple

from web.misbehaving import Behave, Line, Server

MOST_SIZE = 100_000
"""The largest body in the tests of these ways."""
_PAGE = b"<!doctype html><title>There</title><p id=here>There."


class Way(NamedTuple):
    """One way to misbehave.

    `status`, `failure`: of the answer. `port`: a key of `Server.ports`. `path`: what is asked; None for the name.
    `with_body`: whether the answer is that of a question that needs the body. `asked`: by which methods the path itself
    is asked; None: does not matter. `hops`: how many redirections. `userinfo`: of the URL.
    """

    name: str
    summary: str
    behave: Behave | None
    status: int | None = None
    failure: str | None = None
    port: str = "http"
    with_body: bool = False
    asked: tuple[str, ...] | None = None
    hops: int = 0
    userinfo: str = ""
    path: str | None = None
    retry_after: float | None = None

    @property
    def is_silent(self) -> bool:
        """Whether it ends only when the client has waited for long enough."""
        return self.failure == "timeout" or self.name == "head-stalls"


def _status(number: int | str, *fields: str) -> Behave:
    async def behave(line: Line) -> None:
        await line.reply(number, *fields, body=_PAGE)

    return behave


async def _there(line: Line) -> None:
    await line.page(_PAGE)


async def _kept(line: Line) -> None:
    await line.reply(200, "Content-Type: text/html", body=_PAGE, keep=True)


def _head(instead: Behave) -> Behave:
    """HEAD gets something else than GET, which gets the page."""

    async def behave(line: Line) -> None:
        await (instead if line.request.method == "HEAD" else _there)(line)

    return behave


def _redirect(target: str, status: int = 302, *fields: str) -> Behave:
    async def behave(line: Line) -> None:
        await line.redirect(target, status, *fields)

    return behave


def _sends(data: bytes) -> Behave:
    """These bytes, and the end."""

    async def behave(line: Line) -> None:
        await line.send(data)

    return behave


def _stalls(data: bytes) -> Behave:
    """These bytes, and nothing more."""

    async def behave(line: Line) -> None:
        await line.send(data)
        await line.stall()

    return behave


def _resets(data: bytes) -> Behave:
    """These bytes, and a reset."""

    async def behave(line: Line) -> None:
        await line.send(data)
        line.reset()

    return behave


def _endless(begin: bytes, piece: bytes) -> Behave:
    async def behave(line: Line) -> None:
        await line.send(begin)
        await line.forever(piece)

    return behave


def _missing_page(coding: str = "", length: int | None = None, data: bytes = _PAGE) -> bytes:
    """A response with status 404. `length`: what its header says, if that is not true."""
    field = f"Content-Encoding: {coding}\r\n" if coding else ""
    size = len(data) if length is None else length
    head = f"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n{field}Content-Length: {size}\r\n\r\n"
    return head.encode() + data


def _body(data: bytes, *fields: str, media_type: str = "text/html") -> Behave:
    async def behave(line: Line) -> None:
        await line.reply(200, f"Content-Type: {media_type}", *fields, body=data)

    return behave


async def _chain(line: Line) -> None:
    """`/chain/3` redirects to `/chain/2`, and so on."""
    left = int(line.request.target.rpartition("/")[2])
    await (line.redirect(f"/chain/{left - 1}", 301) if left else line.page(_PAGE))


async def _ever_on(line: Line) -> None:
    number = int(line.request.target.partition("?")[2] or 0)
    await line.redirect(f"/ever-on?{number + 1}")


async def _needs_cookie(line: Line) -> None:
    if "seen=yes" in line.request.fields.get("cookie", ""):
        await line.page(_PAGE)
    else:
        await line.redirect("/needs-cookie", 302, "Set-Cookie: seen=yes; Path=/needs-cookie")


async def _never_content(line: Line) -> None:
    await line.redirect("/never-content", 302, f"Set-Cookie: n={line.request.number}; Path=/never-content")


async def _needs_password(line: Line) -> None:
    given = line.request.fields.get("authorization")
    # ä:ö in UTF-8
    await (line.page(_PAGE) if given == "Basic w6Q6w7Y=" else line.reply(401, 'WWW-Authenticate: Basic realm="x"'))


async def _retry_at(line: Line) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    await line.reply(429, f"Retry-After: {date}")


def _trickles(begin: bytes, piece: bytes) -> Behave:
    """These bytes, and then a few now and then, without end."""

    async def behave(line: Line) -> None:
        await line.send(begin)
        await line.forever(piece, pause=0.05)

    return behave


async def _not_modified(line: Line) -> None:
    known = line.request.fields.get("if-none-match") == '"v1"'
    await (line.reply(304, 'ETag: "v1"') if known else line.reply(200, 'ETag: "v1"', body=_PAGE))


_UPGRADE = b"HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"
_IMAGE = b"HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n"
_OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
_BOMB = gzip.compress(bytes(50_000_000))
_GZIPPED = gzip.compress(_PAGE * 100)
_GZIP_MAGIC = _GZIPPED[:10]
_DEFLATED = zlib.compress(_PAGE)
_LATIN_1 = "<!doctype html><title>ä</title><p id='ä'>ä".encode("latin-1")
_TWO_LENGTHS = _OK + b"Content-Length: 3\r\nContent-Length: 6\r\n\r\nabcdef"
_LARGE_404 = _missing_page(length=999_999_999)
_ODD_404 = _missing_page("gzip", data=_GZIP_MAGIC + bytes(90))
_BASE = b'<!doctype html><base href="/elsewhere/"><a href="#here">down</a><p id=here>'


def _fetched(name: str, summary: str, behave: Behave, status: int | None, failure: str | None = None) -> Way:
    """A way that is asked for the body."""
    return Way(name, summary, behave, status, failure, with_body=True)


def _said(length: int, body: bytes = b"", does: Callable[[bytes], Behave] = _sends) -> Behave:
    """A page with that length in its header, and these bytes, after which something happens."""
    return does(_OK + b"Content-Length: %d\r\n\r\n" % length + body)


def _chunked(chunks: bytes, does: Callable[..., Behave] = _sends, *more: bytes) -> Behave:
    """The same for a page in chunks."""
    return does(_OK + b"Transfer-Encoding: chunked\r\n\r\n" + chunks, *more)


def _packed(data: bytes, coding: str) -> Behave:
    return _body(data, f"Content-Encoding: {coding}")


_BOTH, _ONCE = ("HEAD", "GET"), ("HEAD",)

STATUSES = (
    Way("there", "it is there", _there, 200),
    Way("kept", "it is there, and the connection is kept", _kept, 200, asked=_ONCE),
    Way("no-content", "status 204", _status(204), 204, asked=_ONCE),
    Way("not-modified", "status 304 for what is known", _not_modified, 200, asked=_ONCE),
    Way("several", "status 300 with a Location: what a browser shows", _status(300, "Location: /there"), 300),
    Way("bad-request", "status 400", _status(400), 400, asked=_BOTH),
    Way("unauthorized", "status 401", _status(401, 'WWW-Authenticate: Basic realm="x"'), 401, asked=_BOTH),
    Way("forbidden", "status 403", _status(403), 403, asked=_BOTH),
    Way("missing", "status 404", _status(404), 404),
    Way("no-method", "status 405 for GET, too", _status(405), 405, asked=_BOTH),
    Way("gone", "status 410", _status(410), 410, asked=_BOTH),
    Way("legal", "status 451", _status(451), 451, asked=_BOTH),
    Way("odd-status", "status 999", _status(999), 999, asked=_BOTH),
    Way("error", "status 500", _status(500), 500, asked=_BOTH),
    Way("bad-gateway", "status 502", _status(502), 502, asked=_BOTH),
    Way("unavailable", "status 503", _status(503), 503, asked=_BOTH),
    Way("too-many", "status 429", _status(429), 429, asked=_ONCE),
    Way(
        "wait-seconds", "status 429 with seconds", _status(429, "Retry-After: 3600"), 429, retry_after=3600, asked=_ONCE
    ),
    Way("wait-date", "status 429 with a date", _retry_at, 429, retry_after=3600, asked=_ONCE),
    Way("wait-503", "status 503 with seconds", _status(503, "Retry-After: 3600"), 503, retry_after=3600, asked=_ONCE),
    Way("password", "a name and a password are needed, and given", _needs_password, 200, userinfo="ä:ö@", asked=_ONCE),
    Way("no-password", "a name and a password are needed, others given", _needs_password, 401, userinfo="a:b@"),
)

HEADS = (
    Way("head-405", "HEAD refused with 405", _head(_status(405)), 200, asked=_BOTH),
    Way("head-501", "HEAD refused with 501", _head(_status(501)), 200, asked=_BOTH),
    Way("head-404", "HEAD lies: 404", _head(_status(404)), 200, asked=_BOTH),
    Way("head-403", "HEAD lies: 403", _head(_status(403)), 200, asked=_BOTH),
    Way("head-500", "HEAD lies: 500", _head(_status(500)), 200, asked=_BOTH),
    Way("head-closes", "HEAD: the connection is closed", _head(_sends(b"")), 200),
    Way("head-resets", "HEAD: the connection is reset", _head(_resets(b"")), 200),
    Way("head-stalls", "HEAD is never answered", _head(_stalls(b"")), 200, asked=_BOTH),
    Way("head-garbage", "HEAD is answered with what is not HTTP", _head(_sends(b"garbage\r\n\r\n")), 200, asked=_BOTH),
    Way("head-body", "HEAD is answered with a body", _sends(_OK + b"Content-Length: 4\r\n\r\nbody"), 200),
    Way("head-loops", "HEAD redirects in a circle", _head(_redirect("/head-loops")), 200, asked=_BOTH),
    Way("head-nowhere", "HEAD redirects to nowhere", _head(_status(302)), 200, asked=_BOTH),
)

REDIRECTIONS = (
    Way("moved-301", "redirected for good (301)", _redirect("/there", 301), 200, hops=1),
    Way("moved-308", "redirected for good (308)", _redirect("/there", 308), 200, hops=1),
    Way("moved-302", "redirected for now (302)", _redirect("/there", 302), 200, hops=1),
    Way("moved-303", "redirected for now (303)", _redirect("/there", 303), 200, hops=1),
    Way("moved-307", "redirected for now (307)", _redirect("/there", 307), 200, hops=1),
    Way("moved-missing", "redirected to what is missing", _redirect("/missing", 301), 404, hops=1),
    Way("moved-fragment", "redirected to a fragment", _redirect("/there#here", 301), 200, hops=1),
    Way("moved-odd", "redirected, the Location in UTF-8 and relative", _redirect("ä ö/../there", 301), 200, hops=1),
    Way("chain", "ten redirections", _chain, 200, hops=10, path="chain/10"),
    Way("long-chain", "eleven redirections", _chain, None, "too-many-redirects", path="chain/11"),
    Way("ever-on", "redirections without end", _ever_on, None, "too-many-redirects"),
    Way("circle", "a redirection to itself", _redirect("/circle"), None, "redirect-loop"),
    Way("circle-a", "redirections in a circle", _redirect("/circle-b"), None, "redirect-loop"),
    Way("circle-b", "the other half of it", _redirect("/circle-a"), None, "redirect-loop"),
    Way("nowhere", "a redirection without a Location", _status(301), None, "bad-redirect"),
    Way("no-url", "a redirection to what is not a URL", _redirect("http://a b:x/"), None, "bad-redirect"),
    Way("to-file", "a redirection to file:", _redirect("file:///etc/passwd"), None, "bad-redirect"),
    Way("to-ftp", "a redirection to ftp:", _redirect("ftp://127.0.0.1/"), None, "bad-redirect"),
    Way("to-script", "a redirection to javascript:", _redirect("javascript:alert(1)"), None, "bad-redirect"),
    Way("to-unknown", "a redirection to an unknown host", _redirect("http://unknown.invalid/"), None, "unknown-host"),
    Way("needs-cookie", "a cookie is needed: a redirection to itself sets it", _needs_cookie, 200, hops=1),
    Way("never-content", "a cookie is set, and set again", _never_content, None, "redirect-loop"),
)

BROKEN = (
    Way("slow-header", "the header never ends", _stalls(_OK), None, "timeout", asked=_BOTH),
    Way("trickling-header", "the header comes byte by byte, without end", _trickles(_OK, b"X: y\r\n"), None, "timeout"),
    Way("endless-header", "the header has no end", _endless(_OK + b"X: ", b"x" * 9000), None, "bad-response"),
    Way("endless-fields", "there is no end of fields", _endless(_OK, b"X: y\r\n" * 900), None, "bad-response"),
    Way("endless-100", "100 Continue, without end", _trickles(b"", b"HTTP/1.1 100 X\r\n\r\n"), None, "timeout"),
    Way("silent", "nothing is answered", _stalls(b""), None, "timeout", asked=_BOTH),
    Way("no-answer", "the connection is closed without an answer", _sends(b""), None, "no-connection"),
    Way("half-header", "the connection is closed amid the header", _sends(_OK), None, "no-connection"),
    Way("reset", "the connection is reset", _resets(b""), None, "no-connection"),
    Way("reset-header", "the connection is reset amid the header", _resets(_OK), None, "no-connection"),
    Way("not-http", "what comes is not HTTP", _sends(b"SSH-2.0-OpenSSH_9.6\r\n\r\n"), None, "bad-response"),
    Way("http-0.9", "a page without a header", _sends(_PAGE + b"\r\n\r\n"), None, "bad-response"),
    Way("upgrade", "status 101", _sends(_UPGRADE), None, "bad-response"),
    Way("big-header", "a field of 30,000 bytes, like some policies", _status(200, "X: " + "x" * 30_000), 200),
    Way("http-1.0", "HTTP/1.0", _sends(b"HTTP/1.0 200 OK\r\n\r\n" + _PAGE), 200),
)

BODIES = (
    _fetched("page", "a page", _there, 200),
    _fetched("image", "no document: the body is not read", _endless(_IMAGE, b"x" * 9000), 200),
    _fetched("slow-body", "the body stalls", _said(99, b"abc", _stalls), 200, "timeout"),
    _fetched("endless-body", "the body has no end", _endless(_OK + b"\r\n", b"x" * 9000), 200, "too-large"),
    _fetched(
        "endless-chunks", "there is no end of chunks", _chunked(b"", _endless, b"1\r\nx\r\n" * 900), 200, "too-large"
    ),
    _fetched("said-large", "the header says that it is too large", _said(999_999_999), 200, "too-large"),
    _fetched("too-short", "less comes than the header says", _said(99, b"abc"), 200, "bad-response"),
    _fetched("too-long", "more comes than the header says", _said(3, b"abcdef"), None, "bad-response"),
    _fetched("two-lengths", "there are two lengths", _sends(_TWO_LENGTHS), None, "bad-response"),
    _fetched("bad-chunk", "a chunk is not valid", _chunked(b"3\r\nabc\r\nzz\r\n"), None, "bad-response"),
    _fetched("half-chunk", "the last chunk is cut off", _chunked(b"9\r\nabc"), 200, "bad-response"),
    _fetched("reset-body", "the connection is reset amid the body", _said(99, b"abc", _resets), 200, "bad-response"),
    _fetched("404-stalls", "status 404, and the body stalls", _stalls(_missing_page(length=999)), 404, "timeout"),
    _fetched("404-half", "status 404, and the body is cut off", _sends(_missing_page(length=999)), 404, "bad-response"),
    _fetched("404-large", "status 404, and the body is too large", _sends(_LARGE_404), 404, "too-large"),
    _fetched(
        "404-not-gzip",
        "status 404, and the body is not packed as it is said to be",
        _sends(_ODD_404),
        404,
        "bad-response",
    ),
    _fetched("gzip", "a packed page", _packed(_GZIPPED, "gzip"), 200),
    _fetched("deflate", "a packed page", _packed(_DEFLATED, "deflate"), 200),
    _fetched("gzip-bomb", "50 MB in 50 KB", _packed(_BOMB, "gzip"), 200, "too-large"),
    _fetched("half-gzip", "a packed page, cut off", _packed(_GZIPPED[:-20], "gzip"), 200, "bad-response"),
    _fetched("bad-gzip", "a packed page, damaged", _packed(_GZIPPED[:20] + bytes(90), "gzip"), 200, "bad-response"),
    _fetched("odd-coding", "packed in an unknown way", _packed(bytes(90), "x"), 200, "bad-response"),
    _fetched("many-codings", "packed again and again", _packed(_GZIPPED, "gzip," * 99), 200, "bad-response"),
    _fetched(
        "wrong-charset", "ISO-8859-1, said to be UTF-8", _body(_LATIN_1, media_type="text/html; charset=utf-8"), 200
    ),
    _fetched("base", "a page with a base of its own", _body(_BASE), 200),
    _fetched("moved-page", "redirected to a page", _redirect("/page"), 200)._replace(hops=1),
)

UNREACHABLE = (
    Way("refused", "nobody listens", None, None, "no-connection", port="refused"),
    Way("closes", "connections are closed at once", None, None, "no-connection", port="closes"),
    Way("unknown", "the host has no address", None, None, "unknown-host", path="http://unknown.invalid/"),
)

TLS = (
    Way("valid", "TLS as it should be", _there, 200, port="valid"),
    Way("expired", "the certificate has expired", _there, None, "tls", port="expired"),
    Way("not-yet", "the certificate is not valid yet", _there, None, "tls", port="not-yet"),
    Way("self-signed", "the certificate is self-signed", _there, None, "tls", port="self-signed"),
    Way("other-host", "the certificate is for another host", _there, None, "tls", port="other-host"),
    Way("unknown-issuer", "the certificate is from an unknown issuer", _there, None, "tls", port="unknown-issuer"),
    Way("not-tls", "it speaks HTTP where TLS should be", _there, None, "tls", port="not-tls"),
    Way("closes-tls", "connections are closed at once", None, None, "no-connection", port="closes-tls"),
    Way("silent-tls", "TLS is never answered", None, None, "timeout", port="silent-tls"),
)

WAYS = (*STATUSES, *HEADS, *REDIRECTIONS, *BROKEN, *BODIES, *UNREACHABLE, *TLS)
BEHAVIOUR: dict[str, Behave] = {way.name: way.behave for way in WAYS if way.behave is not None}


def url_of(way: Way, server: Server) -> str:
    """Where a way is on a running server."""
    if way.path is not None and "://" in way.path:
        return way.path
    return server.url(way.path or way.name, way.port).replace("://", f"://{way.userinfo}")
