"""Ordinary references and bases: those without a problem, which all profiles resolve alike.

The target of an ordinary reference against an ordinary base is a part of the base and then the reference, without the
dots that it begins with: `../b.html` against `http://h/a/c/d` is `http://h/a/` and `b.html`. Every other reference and
base goes through the algorithm (`resolver`). The compiled twin has the same in `_native/reference.c`; a test holds them
equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple, TypeAlias

from rehref.uri.components import split

Form: TypeAlias = Literal["fragment", "query", "rooted", "path", "absolute", "opaque", "network"]

LEVELS = 9
"""How many folders are known, the base's own and those above it: a longer base costs no more than its length."""

# Characters that stand for themselves wherever they are (RFC 3986 §2: unreserved, sub-delims, `:@/?`), and "%", which
# `_ODD_OCTET` judges. A path of `file:` has no colon: browsers may take it for a drive's.
_REST = r"[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]"
_IN_PATH = r"[A-Za-z0-9\-._~!$&'()*+,;=@/%]"
_IN_ABSOLUTE_PATH = r"[A-Za-z0-9\-._~!$&'()*+,;=:@/%]"
_NAME = r"(?:[a-z0-9]++(?:-[a-z0-9]++)*\.)*[a-z]++"
_OCTET = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
_PIECES = "[1-9a-f][0-9a-f]{0,3}(?::[1-9a-f][0-9a-f]{0,3})"
# of IPv6 those without a piece that is 0 besides "::", which are at least two
_IPV6 = rf"\[(?:{_PIECES}{{7}}|(?!(?:[:]*+[0-9a-f]++){{7}})(?:{_PIECES}*)?::(?:{_PIECES}*)?)\]"
_HOST = rf"(?:{_NAME}|(?:{_OCTET}\.){{3}}{_OCTET}|{_IPV6})(?::[7-9][0-9]{{3}})?"
_DOT_SEGMENT = r"\.\.?(?:[/?#]|\Z)"
_NO_DOT_SEGMENT = rf"(?![^?#]*/{_DOT_SEGMENT})"
_FRAGMENT = rf"(?:\#{_REST}*+)?"
_QUERY = rf"(?:\?{_REST}*+)?"
_FILE = rf"file://{_NO_DOT_SEGMENT}/(?!/){_IN_PATH}*+{_QUERY}"
_NETWORK = rf"//{_NO_DOT_SEGMENT}{_HOST}(?:/{_IN_ABSOLUTE_PATH}*+)?{_QUERY}{_FRAGMENT}"

_MOST_KNOWN = 1 << 14
_NOT_SPECIAL = r"(?!(?:https?|wss?|ftp|file):)[a-z][a-z0-9+.\-]*+"
_PATTERNS: Final = {
    "fragment": rf"\#{_REST}*+",
    "query": rf"\?{_REST}*+{_FRAGMENT}",
    "rooted": rf"{_NO_DOT_SEGMENT}/(?!/){_IN_ABSOLUTE_PATH}*+{_QUERY}{_FRAGMENT}",
    "path": rf"(?:((?:\.\./)+|\./)|(?=[^/:?#]*+(?:[/?#]|\Z)))(?!/|{_DOT_SEGMENT}){_NO_DOT_SEGMENT}"
    rf"{_IN_ABSOLUTE_PATH}*+{_QUERY}{_FRAGMENT}",
    "network": _NETWORK,
    "absolute": rf"https?:{_NETWORK}|{_FILE}{_FRAGMENT}",
    "named": rf"{_NOT_SPECIAL}://[A-Za-z][A-Za-z0-9\-._~]*+{_NO_DOT_SEGMENT}(?:/{_IN_ABSOLUTE_PATH}*+)?{_QUERY}{_FRAGMENT}",
    "opaque": rf"{_NOT_SPECIAL}:(?!/){_REST}++{_FRAGMENT}",
}

_WITHOUT_PATH = re.compile(r"(?:https?:)?//[^/?#]*+(?=[?#]|\Z)").match
_COLON_IN_PATH = re.compile(r"[^?#:]*+:").match
_ODD_OCTET = re.compile(r"%(?:00|(?![0-9A-Fa-f]{2}))").search
# What replaces a character that no URI has, to look at the rest; it is in no host and no scheme. Such characters are
# those outside ASCII, and space, `"`, `<`, `>`, `[`, `]`, `^`, `` ` ``, `{`, `|`, `}` (RFC 2396 §2.4.3). RFC 3986 §5.2
# copies them, and browsers read each in its place. Those from U+00A0 to U+EFFF are of IRIs (RFC 3987 §2.2).
_STAND_IN = "!"
_STRAY = "%(?![0-9A-Fa-f]{2})"
_OF_NO_URI = re.compile(rf"[^\x00-\x1f\x7f!#-;=?-Z\\_a-z~]|{_STRAY}")
_OF_NO_IRI = re.compile(rf"""[ "<>\[\]^`{{|}}\x80-\x9f]|{_STRAY}""").search
_LAST_OF_IRIS = "\uefff"
_SURROGATE = re.compile("[\ud800-\udfff]").search
_BAR_IN_PATH = re.compile(r"[^?#|]*+\|").match

_ENCODED_DOT = re.compile("%2[eE]").search
_ENCODED_SLASH = re.compile("%(?:2[fF]|5[cC])").search

# a colon behind the file system's root may be that of a drive, to browsers
_IS_BASE = re.compile(
    r"https?://[^\x00-\x20\x7f\\|/][^\x00-\x20\x7f\\|]*+|file:///(?!/)[^\x00-\x20\x7f\\|:]*+"
).fullmatch
_IS_CANONICAL = re.compile(
    rf"https?://{_NO_DOT_SEGMENT}{_HOST}/{_IN_ABSOLUTE_PATH}*+{_QUERY}{_FRAGMENT}"
    rf"|{_FILE}"
).fullmatch


_PLAIN_PATH = re.compile(r"(?!/)(?![^?#]*//)[A-Za-z0-9\-._~!$&'()*+,;=@/]++(?=[?#]|\Z)").match


def without_dots(reference: str) -> str | None:
    """The reference that means the same without dot segments elsewhere than in front (RFC 3986 §5.2.4); None for
    others.

    All profiles remove them alike if the path has no empty segment, no colon, no "%" and no character that no URI has,
    and does not climb above the root.
    """
    path = _PLAIN_PATH(reference)
    if path is None:
        return None
    ups, kept, segments = 0, list[str](), path[0].split("/")
    if segments[-1] in (".", ".."):
        segments.append("")  # it leads to a folder
    for segment in segments:
        if segment == "..":
            ups += not kept
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    return f"{'../' * ups or './'}{'/'.join(kept)}{reference[path.end() :]}"


class Ordinary(NamedTuple):
    """What an ordinary reference is.

    `form`: `fragment`, `query`, `rooted` (`/a`), `path` (`a`, `./a`, `../../a`), `network` (`//example.org/a`, the host
    a name in lower case, or an IP address as browsers write it; a port, if there is one, from 7000 to 9999, where none
    belongs to another service), `absolute` (`http://example.org/a`; `file:///a`; `app://open/a` with a scheme that is
    not special, where the host is any name that begins with a letter) or `opaque` (`mailto:a`, of such a scheme).
    `ups`: by how many `../` it begins. `skip`: how many of its characters are not part of its target. `colon`: whether
    there is one in its path, if that is relative: then it is ordinary only where the base has a host. `beyond`: whether
    there are characters outside ASCII; `faulty`: whether there are any of no URI and no IRI.
    """

    form: Form
    ups: int = 0
    skip: int = 0
    colon: bool = False
    beyond: bool = False
    faulty: bool = False


_FRAGMENT_ONLY, _QUERY_FIRST, _ROOTED = Ordinary("fragment"), Ordinary("query"), Ordinary("rooted")
_NETWORK_PATH = Ordinary("network")
_BELOW, _ABSOLUTE, _OPAQUE = Ordinary("path"), Ordinary("absolute"), Ordinary("opaque")


@lru_cache(maxsize=_MOST_KNOWN)  # the pages of a site refer to each other
def classify(reference: str) -> Ordinary | None:
    """What an ordinary reference is, and one that has characters of no URI besides; None for any other.

    Such characters, and a "%" without two digits, count behind the host, except a space at either end. Takes time in
    proportion to the reference's length.
    """
    found = _classify(reference)
    if found is not None or _OF_NO_URI.search(reference) is None or _SURROGATE(reference):
        return found
    if reference[0] == " " or reference[-1] == " ":
        return None
    found = _classify(_OF_NO_URI.sub(_STAND_IN, reference))
    if found is None:
        return None
    colon = found.colon
    if "|" in reference and _BAR_IN_PATH(reference):
        if reference.startswith("file:"):
            return None
        colon = found.form in ("rooted", "path")
    faulty = _OF_NO_IRI(reference) is not None or max(reference) > _LAST_OF_IRIS
    return found._replace(colon=colon, beyond=not reference.isascii(), faulty=faulty)


@cache
def _matcher(form: str) -> Callable[[str], re.Match[str] | None]:
    """What matches a whole ordinary reference of a form; where the twin reads, few are needed."""
    return re.compile(_PATTERNS[form]).fullmatch


def _classify(reference: str) -> Ordinary | None:
    first = reference[:1]
    found: Ordinary | None = None
    if first == "#":
        found = _FRAGMENT_ONLY if _matcher("fragment")(reference) else None
    elif first == "?":
        found = _QUERY_FIRST if _matcher("query")(reference) else None
    elif reference[:2] == "//":
        found = _NETWORK_PATH if _matcher("network")(reference) else None
    elif first == "/":
        found = _ROOTED if _matcher("rooted")(reference) else None
    elif first != "" and (path := _matcher("path")(reference)) is not None:
        dots = path.end(1)  # -1: there are none
        found = _BELOW if path[1] is None else Ordinary("path", dots // len("../"), dots)
    elif _matcher("absolute")(reference) or _matcher("named")(reference):
        found = _ABSOLUTE
    elif _matcher("opaque")(reference):
        found = _OPAQUE
    if found is not None and "%" in reference and _has_odd_octet(reference, found):
        return None
    if found is not None and found.form in ("rooted", "path") and ":" in reference and _COLON_IN_PATH(reference):
        return found._replace(colon=True)
    return found


def _has_odd_octet(reference: str, found: Ordinary) -> bool:
    """Whether a percent-encoded octet of a reference is not ordinary.

    That is `%00` (RFC 3986 §7.3); in a path `%2e`, which browsers take for a dot; and beside `..` a `%2f` or `%5c`,
    which some programs take for a slash.
    """
    path = reference.partition("#")[0]
    path = path if found.form == "opaque" else path.partition("?")[0]
    may_climb = ".." in path and _ENCODED_SLASH(path) is not None
    return may_climb or _ENCODED_DOT(path) is not None or _ODD_OCTET(reference) is not None


def is_canonical(uri: str) -> bool:
    """Whether the URL Standard's parser certainly returns a URI unchanged, decided without running it.

    It is so of ordinary references that are absolute and have a path, unless there is a `'` (URL Standard,
    "special-query percent-encode set"), and of the like of `file:///a/b`. As a base they are ordinary.
    """
    if "'" in uri or _IS_CANONICAL(uri) is None:
        return False
    return "%" not in uri or not _has_odd_octet(uri, _ABSOLUTE)


def is_ordinary_base(uri: str) -> bool:
    """Whether a URI of http, https or file has no dot segments, and browsers leave it as it is: an ordinary base."""
    return _IS_BASE(uri) is not None and "/." not in split(uri).path


class Prefixes(NamedTuple):
    """The texts that precede ordinary references in their targets; None where such a reference is not ordinary.

    `folders`: the base's folder, the one above it, and so on. `document`: of a fragment. `query`: of a query (None by
    RFC 2396, where `?y` is relative to the folder). `root`: of a rooted path, up to its first slash. `scheme`: of a
    host. `canonical`: whether targets must be canonical, as in `whatwg`. `climbs`: whether what climbs out of the
    folders ends at the root (RFC 3986 §5.2.4). `iris`: whether characters outside ASCII stay as they are; `fine_iris`:
    and those of IRIs are not a problem. `absolute`: whether a reference may be its own target. `nowhere`: whether there
    is no base, so that all ordinary paths and queries have one problem.
    """

    folders: tuple[str, ...]
    document: str | None
    query: str | None
    root: str | None
    scheme: str | None
    canonical: bool = False
    climbs: bool = False
    iris: bool = False
    fine_iris: bool = False
    absolute: bool = True
    nowhere: bool = False

    def target(self, reference: str) -> str | None:
        """The target of an ordinary reference; None for any other, and for one that climbs out of the folders."""
        target, has_problems = self.known(reference)
        return None if has_problems else target

    def known(self, reference: str) -> tuple[str | None, bool]:
        """The target of an ordinary reference, or of one with characters that no URI has, and whether it has problems.

        None for any other.
        """
        found = classify(reference)
        if found is None:
            return self._without_dots(reference), False
        if found.beyond and not self.iris:
            return None, False
        form, ups, skip, colon, beyond, faulty = found
        if not self.absolute and form in ("absolute", "opaque"):
            return None, False
        if (colon and self.scheme is None) or (self.canonical and (beyond or faulty or "'" in reference)):
            return None, False
        if form == "path" and ups >= len(self.folders):
            return (f"{self.root}{reference[skip:]}", True) if self.climbs else (None, False)
        return self._glued(form, ups, skip, reference), faulty or (beyond and not self.fine_iris)

    def _without_dots(self, reference: str) -> str | None:
        """The target of a reference that `without_dots` reads."""
        plain = without_dots(reference)
        return None if plain is None or classify(plain) is None else self.target(plain)

    def _glued(self, form: Form, ups: int, skip: int, reference: str) -> str | None:
        """The target of a reference of a form, below the folders."""
        if self.canonical and (web := _WITHOUT_PATH(reference)) is not None:  # a host, which has a path in browsers
            before = self.scheme if form == "network" else ""
            return None if before is None else f"{before}{web[0]}/{reference[web.end() :]}"
        if form == "path":
            return self.folders[ups] + reference[skip:]
        if form == "absolute" or form == "opaque":
            return reference
        if form == "rooted":
            return None if self.root is None else self.root + reference[1:]
        before = self.document if form == "fragment" else self.query if form == "query" else self.scheme
        return None if before is None else before + reference


WITHOUT_BASE: Final = Prefixes((), None, None, None, None, nowhere=True)
"""What there is without a base: an ordinary reference with a scheme is its own target."""
NOWHERE: Final = WITHOUT_BASE._replace(absolute=False, nowhere=False)
"""Against this, no reference is ordinary."""


@lru_cache(maxsize=16)  # asked for again and again in one document, if at all
def prefixes_of(base: str, own: str | None) -> Prefixes:
    """The texts that precede references to an ordinary base. `own`: the URI of the document that has them.

    A fragment is ordinary only where the base is the document; a host, where hosts are (not in `file:`).
    """
    begin = base.find("//")
    path = base.partition("?")[0]
    at = path.find("/", begin + 2)
    if at == -1:
        root, folders = path, [path + "/"]  # of an empty path the folder is the root, too (RFC 3986 §5.2.3)
    else:
        end = path.rfind("/", at)
        root, folders = path[:at], [path[: end + 1]]
        while end != at and len(folders) < LEVELS:
            end = path.rfind("/", at, end)
            folders.append(path[: end + 1])
    before_host = base[:begin] if base.startswith("http") else None
    climbs = folders[-1] == f"{root}/"
    document = base if base == own else None
    return Prefixes(tuple(folders), document, path, f"{root}/", before_host, climbs=climbs)
