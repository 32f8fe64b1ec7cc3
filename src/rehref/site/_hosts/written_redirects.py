"""The redirects that rehref writes: the one verdict on where each may lead.

URLs and targets come from folders, archives, contracts and servers that others made. Whatever the format, only a path
of the site or a whole http(s) URI is written, and only in characters that URIs have (RFC 3986), so that no syntax finds
a quote, a white space or another line in it.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple
from urllib.parse import quote_from_bytes, unquote_plus

from rehref.site._hosts.redirect_rules import RefusedError
from rehref.site._paths import decode, decode_path
from rehref.uri.components import split, unsplit

_WEB: Final = ("http", "https")
_NOT_IN_URIS = re.compile(r"[^!#$&-;=?-Z\[\]_a-z~%]|%(?![0-9A-Fa-f]{2})")
_LONGEST: Final = 4000
"""Characters of a URL: nginx starts with no longer word, and an expression of Apache is at most some times as long."""
_IN_NO_HOST = re.compile(r"[\x00-\x20\"<>\\^`{|}\x7f]").search
_CONTROL = re.compile(r"[\x01-\x1f\x7f]").search


class Redirect(NamedTuple):
    """A redirect that may be written, in characters of URIs.

    `source`: a path from the root, perhaps with a query. `to`: such a path, perhaps with a fragment, or a whole URI.
    `case_matters`: whether a URL that differs from the source in case alone leads elsewhere.
    """

    source: str
    to: str
    case_matters: bool = False

    def below(self, root: str) -> Redirect:
        """Return the redirect with paths that begin at `root`, which has slashes at both ends."""
        source, to = (root + each[1:] if each.startswith("/") else each for each in (self.source, self.to))
        return self._replace(source=source, to=to)

    @property
    def path(self) -> str:
        """The decoded path of the source."""
        return decode_path(split(self.source).path)

    @property
    def query(self) -> str | None:
        """The query of the source."""
        return split(self.source).query

    @property
    def encoded_path(self) -> str:
        """The path of the source, percent-encoded."""
        return split(self.source).path

    def parameters(self) -> list[tuple[str, str]]:
        """Return the names and values in the query, decoded. Raises `RefusedError` if it does not consist of them."""
        pairs = [] if self.query is None else [pair.partition("=") for pair in self.query.split("&")]
        found = [(unquote_plus(name), unquote_plus(value)) for name, _, value in pairs]
        if any(not (name and mark) for name, mark, _ in pairs) or len(dict(found)) != len(found):
            raise RefusedError("its query does not consist of one value for each name")
        if not all(text.isprintable() for pair in found for text in pair):
            raise RefusedError("no rule can have control characters")
        return found


class Planned(NamedTuple):
    """A redirect that is wanted, of names that nobody has looked at.

    `url`: below the site, without a slash before it. `on_site`: whether `to` is such a URL, too; else it is a whole
    URI.
    """

    url: str
    to: str
    on_site: bool = True

    def redirect(self) -> Redirect:
        """Return the redirect as it may be written. Raises `RefusedError`."""
        redirect = Redirect(_source(self.url), _path(self.to) if self.on_site else _whole(self.to))
        if max(len(redirect.source), len(redirect.to)) > _LONGEST:
            raise RefusedError(f"no URL is written that is longer than {_LONGEST:,} characters")
        return redirect


def _source(url: str) -> str:
    path = _path(url)
    written = split(path).path
    if decode(written) != decode_path(written):
        raise RefusedError("browsers never ask for a path with . or .. or //")
    return path


def _path(url: str) -> str:
    path = _in_characters_of_uris("/" + url)
    if path.startswith("//"):
        raise RefusedError(f"{path} would lead to another host")
    decoded = decode(split(path).path)
    if "\0" in decoded:
        raise RefusedError("no server answers %00, nor %2F as it is")
    if _CONTROL(decoded):
        raise RefusedError("no rule can have control characters")
    return path


def _whole(uri: str) -> str:
    parts = split(_in_characters_of_uris(uri))
    if (parts.scheme or "").lower() not in _WEB or not parts.authority:
        raise RefusedError(f"{uri} is neither a path of the site nor an http(s) URL")
    if _IN_NO_HOST(split(uri).authority or ""):  # browsers take a backslash there for a slash
        raise RefusedError(f"no host is called {parts.authority}")
    return unsplit(parts)


def _in_characters_of_uris(text: str) -> str:
    """Return a URI reference with all other characters percent-encoded, as browsers do."""
    return _NOT_IN_URIS.sub(lambda each: quote_from_bytes(each[0].encode("utf-8", "surrogateescape")), text)
