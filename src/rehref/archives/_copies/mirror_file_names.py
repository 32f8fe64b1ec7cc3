"""Which file of a mirrored site a URI was saved as, and which URI a file was saved from.

A mirror has roots: what is below a URI that ends in `/` is below a folder. There is one root for a site, or one for
each host, as `wget` creates them: `example.org/`. `http` and `https` share them, since the name of a file does not show
the scheme. A URI that is known for a file (`--urls`, a comment in the page) takes precedence over names; the tool that
wrote such a comment has made the page's references local, too (`converted`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Mapping as AbstractMapping
from hashlib import md5
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from rehref.files.file_documents import encode_path
from rehref.rewriting.offline_rule import SavedUris, comparable, in_other_web_scheme
from rehref.uri.components import split

_INDEXES = (b"index.html", b"index.htm")
_WEB = frozenset({"http", "https"})
_WINDOWS = b'\\|:?"*<>'
_CONTROLS = bytes(range(0x20))
_HIGH_CONTROLS = bytes(range(0x80, 0xA0))
_NOT_ASCII = bytes(range(0x80, 0x100))
_ADJUSTED = (".html", ".css")
_HOST = re.compile(
    r"(?P<host>localhost|(?:[0-9]{1,3}\.){3}[0-9]{1,3}|(?:[\w](?:[\w-]{0,61}\w)?\.)+(?:[^\W\d]{2,63}|xn--[\w-]+))"
    r"(?:[:+_](?P<port>[0-9]{1,5}))?"
).fullmatch


class Root(NamedTuple):
    """A root: what is below `uri`, which ends in a slash, is below `folder`, "" or a path that ends in a slash."""

    uri: str
    folder: str


class _Style(NamedTuple):
    r"""How file names are made: the character before a query, and the bytes that are escaped as in `%2F`.

    The name is the path of the URI, decoded, without empty segments. The query follows a `?`, or for Windows an `@`.
    Bytes that are escaped are the slash, controls, for Windows `\ | : ? " * < >`, and for ASCII all others
    (`--restrict-file-names` of wget; `lowercase` and `uppercase` are not recognized, since names do not show them).
    """

    mark: bytes
    escaped: frozenset[int]


def _styles(*highs: bytes) -> tuple[_Style, ...]:
    return (
        _Style(b"?", frozenset(b"/")),  # other tools, and `nocontrol`
        *(
            _Style(mark, frozenset(b"/" + special + _CONTROLS + high))
            for mark, special in ((b"?", b""), (b"@", _WINDOWS))
            for high in highs
        ),
    )


_STYLES = _styles(b"", _HIGH_CONTROLS, _NOT_ASCII)
_STYLES_OF_ASCII = _styles(b"")
_ESCAPABLE = frozenset(b"/" + _WINDOWS + _CONTROLS + _NOT_ASCII)
_ESCAPE = re.compile(r"(%[0-9A-F]{2})")


def authority_of(folder: str) -> str | None:
    """The host and port that a folder's name stands for; None if it is not the name of a host.

    `example.org:8080/`; names for Windows have `+` instead of `:`, names by HTTrack `_`.
    """
    found = _HOST(folder)
    if found is None:
        return None
    return found["host"] if found["port"] is None else f"{found['host']}:{found['port']}"


class Mirror:
    """A mirrored site: its files, which are paths below one folder, and the URIs that they were saved from.

    `mirror(uri)` is the file that a URI (normalized, without fragment) was saved as, or None.
    """

    __slots__ = ("_adjusted", "_known", "_roots", "_sites", "converted", "files", "queries")

    def __init__(
        self,
        files: Iterable[str],
        roots: Sequence[Root],
        known: AbstractMapping[str, str] | None = None,
        converted: Iterable[str] = (),
    ):
        """`files`: all paths; `known`: the paths of URIs that are known; `converted`: those of converted pages."""
        self.converted = frozenset(converted)
        self.files = frozenset(files)
        with_query = [(path, query) for path, query in map(_parted, self.files) if query is not None]
        self.queries = bool(self.converted) or bool(with_query)
        # names with an added extension, as names beside them show
        self._adjusted = {
            path + ending for path, query in with_query for ending in _ADJUSTED if query.endswith(ending)
        } - {path for path, _ in with_query}
        self._roots = [Root(comparable(uri), folder) for uri, folder in roots]
        self._known = SavedUris(known or {})
        self._sites: dict[str, list[Root]] = {}
        for root in self._roots:
            site, path = _site(root.uri)
            self._sites.setdefault(site, []).append(Root(path, root.folder))

    def __call__(self, uri: str) -> str | None:
        """The file that a URI was saved as.

        If there is none of its name, there may be one with `.html` or `.css` added (`--adjust-extension`; `.css` only
        if the URI has a query or another extension, or is that of a folder), or a folder with an index. If no name at
        all has a query, the tool left queries out of names: then the file is found without the query of the URI.
        """
        known = self._known(uri) or self._known(in_other_web_scheme(uri))
        if known is not None:
            return known
        site, path = _site(uri)
        for above, folder in self._sites.get(site, ()):
            if not path.startswith(above):
                continue
            rest = path[len(above) :]
            if folder + rest in self.files and "%" not in rest and "?" not in rest:
                return folder + rest  # almost always
            for name in _names(*rest.partition("?")):
                if folder + name in self.files:
                    return folder + name
        without, mark, _ = uri.partition("?")
        return self(without) if mark and not self.queries else None

    def has(self, path: str) -> bool:
        """Return whether there is such a file."""
        return path in self.files

    def uri_of(self, path: str, *, adjusted: bool | None = None) -> str | None:
        """The URI that a file was saved from; None for a file that is not below a root.

        `d/index.html` is `d/`, a `?` begins the query, and so does an `@` with a `=` after it, if there is no `?`.
        `adjusted`: whether its extension was added; None: names decide.
        """
        for root in self._roots:
            if path.startswith(root.folder):
                name, query = _parted(path)
                if os.fsencode(name.rpartition("/")[2]) in _INDEXES:
                    name = name[: name.rfind("/") + 1]
                elif self.may_be_adjusted(path) and (adjusted or (adjusted is None and path in self._adjusted)):
                    name = path.rpartition(".")[0]
                found = root.uri + _encoded(name[len(root.folder) :])
                return found if query is None else f"{found}?{_encoded(query)}"
        return None

    def may_be_adjusted(self, path: str) -> bool:
        """Whether a file that was saved without a query may have an added extension.

        The name `list.html` does not show whether the URI was `list`. Names beside it do: it was if there is a
        `list?p=2.html`, which has such an extension too, and neither a `list.html?p=2` nor a `list`.
        """
        stem, query = _parted(path)
        name, dot, ending = stem.rpartition("/")[2].rpartition(".")
        return (
            query is None
            and bool(name)
            and dot + ending in _ADJUSTED
            and os.fsencode(f"{name}.{ending}") not in _INDEXES
            and path.rpartition(".")[0] not in self.files
            and not self._known.has(path)
        )


def _site(uri: str) -> tuple[str, str]:
    """Return a URI's scheme (the same for http and https) and authority, and the rest of it."""
    scheme, authority, path, query, _ = split(uri)
    site = f"{'web' if scheme in _WEB else scheme}://{authority}"
    return site, path if query is None else f"{path}?{query}"


def _names(path: str, mark: str, query: str) -> Iterator[str]:
    """Yield the names for a file whose URI has this path, and a query if there is a mark; the likeliest first."""
    segments = [unquote_to_bytes(segment) for segment in path.split("/")]
    last = segments.pop()
    folders = [segment for segment in segments if segment]
    lasts = [last] if last else _INDEXES
    exact: list[str] = []
    decoded = unquote_to_bytes(query)
    for style in _STYLES_OF_ASCII if decoded.isascii() and unquote_to_bytes(path).isascii() else _STYLES:
        for each in lasts:
            behind = style.mark + _escaped(decoded, style) if mark else b""
            named = [_escaped(segment, style) for segment in (*folders, each)]
            exact.append(os.fsdecode(b"/".join(named) + behind))
    yield from exact
    if mark:
        yield from _hashed([os.fsdecode(segment) for segment in folders], os.fsdecode(lasts[0]), query)
    yield from (name + ".html" for name in exact)
    if mark or not last or b"." in last:
        yield from (name + ".css" for name in exact)
    if last and not mark:
        yield from (f"{name}/{os.fsdecode(index)}" for name in exact for index in _INDEXES)


def _hashed(folders: Sequence[str], last: str, query: str) -> Iterator[str]:
    """Yield the names that HTTrack may give, or has given already: `page681a.html?id=1`.

    The first four digits of the query's MD5 come before the extension, and the query stays in references.
    """
    digits = md5(query.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()[:4]
    stem, dot, ending = last.rpartition(".") if "." in last else (last, "", "")
    if stem.endswith(digits):
        yield "/".join((*folders, last))
    yield "/".join((*folders, f"{stem}{digits}{dot}{ending}"))
    yield "/".join((*folders, f"{stem}{digits}.html"))


def _escaped(text: bytes, style: _Style) -> bytes:
    if style.escaped.isdisjoint(text):
        return text
    return b"".join(b"%%%02X" % byte if byte in style.escaped else bytes((byte,)) for byte in text)


def _encoded(name: str) -> str:
    """A file's name percent-encoded for a URI, with the escapes in it."""
    return "".join(
        _unescaped(piece) if number % 2 else encode_path(piece) for number, piece in enumerate(_ESCAPE.split(name))
    )


def _unescaped(escape: str) -> str:
    """An escape in a file's name as in a URI: `:` for `%3A`, but `%2F` for `%2F`, and `%252B` for `%2B`."""
    byte = int(escape[1:], 16)
    if escape == "%2F":
        return escape
    return encode_path(os.fsdecode(bytes((byte,))) if byte in _ESCAPABLE else escape)


def _parted(path: str) -> tuple[str, str | None]:
    """A file's path as it was in the URI, and the query after it."""
    folder, slash, name = path.rpartition("/")
    before, mark, query = name.partition("?")
    if not mark:
        before, mark, query = name.partition("@")
        if not before or "=" not in query:
            return path, None
    return folder + slash + before, query
