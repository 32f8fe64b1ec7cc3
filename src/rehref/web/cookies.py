"""Cookies: those of a file, and those that servers set during the run.

1. A cookie is sent to the hosts and paths that it is for (RFC 6265), and a secure one only by https.
2. A file is in the format of Netscape, as browsers' extensions, curl and wget write it. Expired cookies are left out.
3. Cookies that servers set are kept for one run. aiohttp's jar limits their number and bytes.
4. A server cannot set cookies for what looks like a public suffix, under which anybody may have hosts (`com`, `co.uk`):
   that could spoil the answers of all others. There is no list of such suffixes here; a label of few letters under a
   country's counts as one.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Sequence
from http.cookiejar import LoadError, MozillaCookieJar
from http.cookies import CookieError, SimpleCookie

from aiohttp import CookieJar
from yarl import URL

from rehref.exceptions import OptionError
from rehref.files.reading import read_small

_IS_WIDE = re.compile(r"[^.]*|[^.]{1,3}\.[^.]{2}").fullmatch


class _Jar(CookieJar):
    """aiohttp's jar, with rule 4."""

    def update_cookies_from_headers(self, headers: Sequence[str], response_url: URL) -> None:
        super().update_cookies_from_headers([each for each in headers if _may_set(each, response_url)], response_url)


def _may_set(field: str, url: URL) -> bool:
    """Return whether a `Set-Cookie` field of a response is for the host's own domain, as a jar reads it (rule 4)."""
    jar = CookieJar(unsafe=True, quote_cookie=False)
    jar.update_cookies_from_headers([field], url)
    domains = [each["domain"].strip(".").lower() for each in jar]
    return all(domain in ("", url.raw_host) or _IS_WIDE(domain) is None for domain in domains)


def cookie_jar(path: str | None) -> CookieJar:
    """Return a jar with the cookies of a file. Call it while an event loop runs. Raises `OptionError`."""
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
