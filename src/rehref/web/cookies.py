"""Cookies: those of a file, and those that servers set during the run (RFC 6265).

1. A cookie is sent to the hosts and paths that it is for, and a secure one only by https.
2. A file is in the format of Netscape, as browsers' extensions, curl and wget write it. Expired cookies are left out.
3. Cookies that servers set are kept for one run. Their number and size are limited, as browsers limit them (§6.1).
4. A server cannot set cookies for what looks like a public suffix, under which anybody may have hosts (`com`, `co.uk`):
   that could spoil the answers of all others. There is no list of such suffixes here; a label of few letters under a
   country's counts as one.
"""

from __future__ import annotations

import re
import time
import warnings
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from rehref.files.small_files import read_small
from rehref.option_errors import OptionError
from rehref.web.hosts import Place, is_address

_IS_WIDE = re.compile(r"[^.]*|[^.]{1,3}\.[^.]{2}").fullmatch
_NOT_IN_A_COOKIE: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]").search
_LONGEST: Final = 4096  # of a name and its value
_MOST_AT_ONCE: Final = 50
_MOST_OF_A_DOMAIN: Final = 100
_MOST_DOMAINS: Final = 10_000


class Cookie(NamedTuple):
    """A cookie (RFC 6265 §5.3). `of_host`: whether it is for the host alone. `until`: seconds since 1970."""

    name: str
    value: str
    domain: str
    path: str
    of_host: bool
    is_secure: bool
    until: float | None


class Cookies:
    """The cookies of a run. `given`: those of a file, which are never dropped for others."""

    def __init__(self, given: Iterable[Cookie] = ()) -> None:
        self._given: dict[str, dict[tuple[str, str], Cookie]] = {}
        self._set: dict[str, dict[tuple[str, str], Cookie]] = {}  # by domain, then by name and path
        for each in given:
            self._given.setdefault(each.domain, {})[each.name, each.path] = each

    def of(self, place: Place) -> str:
        """Return the value of `Cookie` for a request (§5.4); "" if there are none."""
        if not self._given and not self._set:
            return ""
        found = sorted(self._for(place), key=lambda each: -len(each.path))
        return "; ".join(f"{each.name}={each.value}" if each.name else each.value for each in found)

    def _for(self, place: Place) -> Iterator[Cookie]:
        """The cookies for a request (rule 1)."""
        path, now = place.target.partition("?")[0], time.time()
        for domain in _domains(place.name):
            for kept in (self._given.get(domain, {}), self._set.get(domain, {})):
                for each in kept.values():
                    is_for_host = domain == place.name or not each.of_host
                    is_allowed = place.scheme == "https" or not each.is_secure
                    if is_for_host and is_allowed and _matches(path, each.path) and not _is_over(each, now):
                        yield each

    def take(self, fields: list[str], place: Place) -> None:
        """Take in the values of `Set-Cookie` fields (§5.3)."""
        now = time.time()
        for cookie in (_parsed(field, place, now) for field in fields[:_MOST_AT_ONCE]):
            if cookie is None:
                continue
            key = (cookie.name, cookie.path)
            self._given.get(cookie.domain, {}).pop(key, None)
            kept = self._set.setdefault(cookie.domain, {})
            kept.pop(key, None)
            if not _is_over(cookie, now):
                kept[key] = cookie
            if len(kept) > _MOST_OF_A_DOMAIN:  # the oldest goes
                del kept[next(iter(kept))]
            if len(self._set) > _MOST_DOMAINS:
                del self._set[next(iter(self._set))]


def _domains(name: str) -> Iterator[str]:
    """A host, and the domains that it is in (§5.1.3)."""
    yield name
    while "." in name and not is_address(name):
        name = name.partition(".")[2]
        yield name


def _matches(path: str, of_cookie: str) -> bool:
    """Return whether the path of a request path-matches that of a cookie (§5.1.4)."""
    return path.startswith(of_cookie) and (of_cookie[-1] == "/" or path[len(of_cookie) :][:1] in ("", "/"))


def _is_over(cookie: Cookie, now: float) -> bool:
    return cookie.until is not None and cookie.until <= now


def _parsed(field: str, place: Place, now: float) -> Cookie | None:
    """Return what a `Set-Cookie` field says (§5.2); None if it counts for nothing."""
    pair, *attributes = field.split(";")
    name, value = _name_and_value(pair)
    if not (name or value) or len(name) + len(value) > _LONGEST or _NOT_IN_A_COOKIE(field):
        return None
    said = {key.lower(): text for key, text in map(_attribute, attributes)}  # the last counts
    domain = said.get("domain", "").removeprefix(".").lower()
    if domain.endswith("."):
        domain = ""
    if domain not in ("", place.name) and (_IS_WIDE(domain) or domain not in _domains(place.name)):  # rule 4
        return None
    path = said.get("path", "")
    if not path.startswith("/"):
        path = place.target.partition("?")[0].rpartition("/")[0] or "/"  # §5.1.4
    until, age = _seconds(said.get("expires", "")), said.get("max-age", "")
    if age.removeprefix("-").isdecimal() and len(age) < 20:
        until = now + int(age)
    return Cookie(name, value, domain or place.name, path, domain == "", "secure" in said, until)


def _name_and_value(pair: str) -> tuple[str, str]:
    name, equals, value = pair.partition("=")
    return (name.strip(), value.strip()) if equals else ("", name.strip())


def _attribute(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.strip(), value.strip()


def _seconds(date: str) -> float | None:
    """Return the time that a date means, in any of the forms that servers write (§5.1.1)."""
    if date == "":
        return None
    from http import cookiejar  # it takes longer to import than all of this package

    seconds: float | None = cookiejar.http2time(date)  # type: ignore[attr-defined]
    return seconds


def read_cookies(path: str | None) -> Cookies:
    """Return the cookies of a file, to which those of servers are added. Raises `OptionError`."""
    if path is None:
        return Cookies()
    from http.cookiejar import LoadError, MozillaCookieJar

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
    return Cookies(
        Cookie(
            each.name,
            each.value or "",
            each.domain.lstrip(".").lower(),
            each.path or "/",
            of_host=not each.domain_specified,
            is_secure=each.secure,
            until=each.expires or None,  # curl and wget write 0 for those of a session
        )
        for each in file
    )
