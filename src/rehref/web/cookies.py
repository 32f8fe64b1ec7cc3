"""Cookies: those of a file, and those that servers set while we ask.

1. A cookie goes to the hosts and paths that it is for (RFC 6265), and a secure one by https alone.
2. A file is in the format of Netscape, as browsers' extensions, curl and wget write it. What has expired is left out.
3. What servers set is kept for one run, and bounded by aiohttp's jar.
"""

from __future__ import annotations

import time
from http.cookiejar import LoadError, MozillaCookieJar
from http.cookies import CookieError, SimpleCookie

from aiohttp import CookieJar
from yarl import URL

from rehref.option_errors import OptionError


def cookie_jar(path: str | None) -> CookieJar:
    """A jar with the cookies of a file. Made while an event loop runs. Raises `OptionError`."""
    jar = CookieJar(unsafe=True, quote_cookie=False)  # unsafe: hosts that are addresses may set cookies, too
    if path is None:
        return jar
    file = MozillaCookieJar()
    try:
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
            continue  # a name that no field can hold
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
