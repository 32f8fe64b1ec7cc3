"""What identifies a person to servers: names and passwords, cookies, and the hosts that they are sent to.

Names and passwords come from the userinfo of a URL, or from files and texts in the format of netrc; the scheme is Basic
(RFC 7617), in UTF-8. Once a request of a question was sent by https, nothing is sent by http. A cookie is sent to the
hosts and paths that it is for (RFC 6265), and a secure one only by https.
"""

from __future__ import annotations

import re
import time
import warnings
from base64 import b64encode
from collections.abc import Mapping, Sequence
from http.cookiejar import LoadError, MozillaCookieJar
from http.cookies import CookieError, SimpleCookie
from types import MappingProxyType
from urllib.parse import unquote

from aiohttp import CookieJar
from yarl import URL

from rehref.exceptions import OptionError
from rehref.files.reading_files import read_small
from rehref.web.asking_options import NETRC_VARIABLE

_NOT_ENTRIES = re.compile(r"^[ \t]*#.*|^[ \t]*macdef\b(?:.*\n)+?(?=[ \t]*$)", re.MULTILINE)
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_ESCAPED = re.compile(r"\\(.)")


def read_credentials(path: str | None, text: str | None) -> Mapping[str, str]:
    """`Authorization` by host, from a file and from a text, which takes precedence.

    An entry of a host is for that host only, on any port. Raises `OptionError`; its text contains no password.
    """
    found: dict[str, str] = {}
    if path is not None:
        try:
            text_of_file = read_small(path).decode("utf-8").replace("\r\n", "\n")
        except OSError as error:
            raise OptionError(f"--netrc {path}", f"cannot be read ({error.strerror})", "correct the path") from None
        except UnicodeDecodeError:
            raise OptionError(f"--netrc {path}", "is not a netrc file (not UTF-8)", "correct it") from None
        found |= _parsed(text_of_file, f"--netrc {path}")
    if text:
        found |= _parsed(text, f"${NETRC_VARIABLE}")
    return MappingProxyType(found)


def _parsed(text: str, name: str) -> dict[str, str]:
    """Return the entries of a text in the format of netrc; of two entries for one host the first counts."""
    words = [_unquoted(word) for word in _WORD.findall(_NOT_ENTRIES.sub("", text))]
    entries: dict[str, dict[str, str]] = {}
    entry: dict[str, str] = {}
    position = 0
    while position < len(words):
        word, value = words[position], words[position + 1] if position + 1 < len(words) else None
        if word == "default":  # it would be for every host
            entry = {}
            position += 1
            continue
        if value is None or word not in ("machine", "login", "password", "account"):
            remedy = 'write such as "machine example.org login NAME password PASSWORD"'
            raise OptionError(name, "is not in the format of netrc", remedy)
        if word == "machine":
            entry = {}
            entries.setdefault(value.lower(), entry)
        else:
            entry[word] = value
        position += 2
    return {host: basic(entry.get("login", ""), entry.get("password", "")) for host, entry in entries.items()}


def _unquoted(word: str) -> str:
    return _ESCAPED.sub(r"\1", word[1:-1]) if len(word) > 1 and word[0] == word[-1] == '"' else word


def basic(name: str, password: str) -> str:
    """Return the value of `Authorization` (RFC 7617 §2)."""
    return "Basic " + b64encode(f"{name}:{password}".encode("utf-8", "surrogateescape")).decode("ascii")


def of_userinfo(url: URL) -> str | None:
    """Return the value of `Authorization` for the userinfo of a URL; None if it has none."""
    if not url.raw_user and not url.raw_password:
        return None
    return basic(unquote(url.raw_user or ""), unquote(url.raw_password or ""))


def is_same_place(first: URL, second: URL) -> bool:
    """Whether credentials for the first URL may be sent to the second, after a redirect.

    It has the same host with the same scheme and port, or https instead of http at their default ports.
    """
    if first.raw_host != second.raw_host:
        return False
    if first.scheme == second.scheme:
        return first.port == second.port
    return (first.scheme, first.port, second.scheme, second.port) == ("http", 80, "https", 443)


_IS_WIDE = re.compile(r"[^.]*|[^.]{1,3}\.[^.]{2}").fullmatch


class _Jar(CookieJar):
    """aiohttp's jar, which refuses cookies for what looks like a public suffix."""

    def update_cookies_from_headers(self, headers: Sequence[str], response_url: URL) -> None:
        super().update_cookies_from_headers([each for each in headers if _may_set(each, response_url)], response_url)


def _may_set(field: str, url: URL) -> bool:
    """Whether a `Set-Cookie` field of a response is for the host's own domain, as a jar reads it.

    Under a public suffix (`com`, `co.uk`) anybody may have hosts: a cookie for it could spoil the answers of all
    others. There is no list of such suffixes here; a label of few letters under a country's counts as one.
    """
    jar = CookieJar(unsafe=True, quote_cookie=False)
    jar.update_cookies_from_headers([field], url)
    domains = [each["domain"].strip(".").lower() for each in jar]
    return all(domain in ("", url.raw_host) or _IS_WIDE(domain) is None for domain in domains)


def cookie_jar(path: str | None) -> CookieJar:
    """A jar with the cookies of a file (Netscape's format); expired ones are left out. Those of servers are kept for
    one run.

    Call it while an event loop runs. Raises `OptionError`.
    """
    jar = _Jar(unsafe=True, quote_cookie=False)  # unsafe: hosts that are addresses may set cookies, too
    if path is None:
        return jar
    file = MozillaCookieJar()
    try:
        read_small(path)
        with warnings.catch_warnings(action="ignore"):  # it warns with a traceback of lines that it does not understand
            file.load(path, ignore_discard=True, ignore_expires=True)
    except LoadError:  # an OSError, too
        raise OptionError(f"--cookie-jar {path}", "is not a file of cookies", "write it in Netscape's format") from None
    except UnicodeDecodeError:
        raise OptionError(f"--cookie-jar {path}", "is not a file of cookies (not UTF-8)", "correct it") from None
    except OSError as error:
        raise OptionError(f"--cookie-jar {path}", f"cannot be read ({error.strerror})", "correct the path") from None
    for cookie in file:
        host = cookie.domain.lstrip(".")
        made: SimpleCookie = SimpleCookie()
        try:
            made[cookie.name] = cookie.value or ""
        except CookieError:
            continue  # a name that a field cannot have
        morsel = made[cookie.name]
        morsel.set(cookie.name, cookie.value or "", cookie.value or "")
        morsel["path"] = cookie.path or "/"
        morsel["secure"] = cookie.secure
        if cookie.domain_specified:
            morsel["domain"] = host
        if cookie.expires:  # curl and wget write 0 for those of a session
            morsel["max-age"] = str(int(cookie.expires - time.time()))
        jar.update_cookies(made, URL.build(scheme="https", host=host, path="/"))
    return jar
