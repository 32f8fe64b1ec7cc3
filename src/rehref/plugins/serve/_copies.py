"""What a request means, and the references of what is sent.

`http://a.example.localhost:8000/x` means the capture of `/x` on the host `a.example`, whether `http` or `https`.
`http://localhost:8000/` means the index page. Nothing else is there, since the cookies of `localhost` are those of
other programs, and no business of archived scripts. No file outside the folder is sent, whatever a path or a symbolic
link says.
"""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

from rehref.archives.saved_captures import CAPTURES, INDEX, Saved, loose_key, read_captures
from rehref.documents.base import Layers
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document, read_page
from rehref.files.discovery import type_by_ending
from rehref.files.file_documents import encode_path, real_path_within
from rehref.files.file_errors import FileError
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.link_properties import is_out_of_reach, is_same_document_as_written
from rehref.rewriting.offline_rule import comparable
from rehref.uri.components import split, unsplit
from rehref.uri.resolver import parse_or_none

_FOLDER = "http://folder.invalid/"  # RFC 2606: no reference leads there
_HOW, _ = ReadOptions(profile="whatwg").with_lazy()


class ToSend(NamedTuple):
    """What to send: the file at a path below the folder, or a redirect to a URL of this server."""

    path: str
    media_type: str
    location: str = ""


class Copy:
    """An unpacked web archive, or a site (a folder without `_captures.jsonl`), at a port.

    `origins`: the origins on the web, by their names on this server; `local_origins`: those on this server. Captures
    without a host (`urn:`, `file:`) are not sent.
    """

    def __init__(self, folder: Path, port: int) -> None:
        """Read what the folder has. Raises `FileError` and `OSError`."""
        self.folder, self._port = folder, port
        self.is_site = not (folder / CAPTURES).is_file()
        self.origins: dict[str, str] = {}
        self._names: dict[str | None, str] = {}
        self._captures: dict[str, Saved] = {}
        self._files = {INDEX: Saved(0, "", "", 0, media_type="text/html; charset=utf-8", number=0, path=INDEX)}
        for each in () if self.is_site else read_captures(folder):
            self._files.setdefault(each.path, each)
            scheme, host, path, query, _ = split(each.uri)
            if host and scheme in ("http", "https"):
                if host not in self._names:
                    self._names[host] = self._free_name(host)
                    self.origins[self._names[host]] = f"{scheme}://{host}"
                uri = comparable(unsplit(("http", host, path, query, None)))
                for key in (uri, loose_key(uri)):
                    known = self._captures.get(key, each)
                    if (known.path != "", known.date) <= (each.path != "", each.date):
                        self._captures[key] = each

        self.local_origins = frozenset(f"http://{name}.localhost:{port}" for name in self.origins)

    def _free_name(self, host: str) -> str:
        """Return a name for a host that no other host has.

        A port is part of the name (`a.example.8080`); other characters become `-`. A name that is taken becomes a hash.
        """
        name = re.sub(r"[^a-z0-9._-]", "-", re.sub(r":(?=[0-9]+$)", ".", host))
        is_long = len(name) > 200 or max(map(len, name.split("."))) > 63  # RFC 1035 §2.3.4
        is_free = not is_long and name not in self.origins
        return name if is_free else hashlib.sha256(host.encode("utf-8", "surrogatepass")).hexdigest()[:8]

    def find(self, name: str, target: str) -> ToSend | None:
        """Return what a request means: the name before `.localhost` ("" if there is none), the path and query.

        The last capture with a body counts or, if there is none, the last redirect; one of nearly the same URI if
        nothing else fits (`rehref.archives.saved_captures`). The redirect's location is on this server if the copy has
        that host. A redirect to the web is not sent: a page asks the web only if its reader follows a link.
        """
        if self.is_site:
            return None if name else self._of_site(unquote(target.partition("?")[0], errors="surrogateescape")[1:])
        if name in self.origins:
            uri = comparable("http:" + self.origins[name].partition(":")[2] + target)
            found = self._captures.get(uri) or self._captures.get(loose_key(uri))
        else:
            found = self._files[INDEX] if (name, target) == ("", "/") else None
        location = None if found is None or found.path else self._local(found.location)
        if found is None or not (location or _is_file(self.folder, found.path)):
            return None
        return ToSend(found.path, found.media_type, location or "")

    def _of_site(self, path: str) -> ToSend | None:
        """Return the file of a site: `/d/` means `d/index.html`, `/a` means `a` or `a.html`; no hidden file."""
        if re.search(r"(?:^|/)[./]|[\\\0]", path):
            return None
        is_folder = path == "" or path.endswith("/")
        if not is_folder and _is_file(self.folder, f"{path}/{INDEX}"):
            return ToSend("", "", f"/{encode_path(path)}/")
        candidates = (path + INDEX,) if is_folder else (path, f"{path}.html")
        found = next((each for each in candidates if _is_file(self.folder, each) and not self._is_hidden(each)), None)
        return None if found is None else ToSend(found, type_by_ending(found) or "application/octet-stream")

    def _is_hidden(self, path: str) -> bool:
        """Return whether a file of a site is hidden, or a link to one that is."""
        real, top = (os.path.realpath(each) for each in (self.folder / path, self.folder))
        return any(name.startswith(".") for name in Path(os.path.relpath(real, top)).parts)

    def _local(self, uri: str) -> str | None:
        """Return the URL at which this server has a URI; None if the copy does not have its host."""
        scheme, host, path, query, fragment = split(parse_or_none(uri) or "")
        if scheme not in ("http", "https") or host not in self._names:
            return None
        return unsplit(("http", f"{self._names[host]}.localhost:{self._port}", path, query, fragment))

    def localized(self, data: bytes, file: ToSend) -> bytes:
        """Return a document with the references that it has on this server. Raises as `read_document` does.

        A reference to a file of the copy, as `--unpack` writes it, becomes the URL of that file on this server. So does
        one to a host of the copy, even if the target is missing: pages and their scripts see one site. URLs on the
        document's own origin are written without it (`/a/b?c`), as most sites do. All other references stay. An HTML
        page that had a `base` element gets one again, since its scripts may need it.
        """
        layers = Layers(retrieval=_FOLDER + file.path)
        media_type, charset = MediaType.of(file.media_type), MediaType.charset_of(file.media_type)
        document = read_document(data, media_type, charset or None, layers, _HOW)
        own = "/".join((self._local(self._files[file.path].uri) or "").split("/")[:3])

        def here(uri: str) -> str | None:
            url = self._local(uri)
            if url is not None and url.startswith(f"{own}/") and not url.startswith(f"{own}//"):
                return url.removeprefix(own)
            return url

        def new(link: Link) -> str | None:
            if link.kind in ("base", "text") or is_out_of_reach(link) or is_same_document_as_written(link):
                return None
            uri, mark, fragment = (link.target or "").partition("#")
            saved = self._files.get(uri.removeprefix(_FOLDER))
            url = here(uri if saved is None else saved.uri)
            return None if url is None else url + mark + fragment

        written = rewrite_document(document, new).data
        assert isinstance(written, bytes)
        base = here(self._files[file.path].base)
        if (
            base is None
            or document.media_type != MediaType.HTML
            or (document.source.encoding or "").startswith("utf-16")
        ):
            return written
        based = read_page(document.source._replace(data=written)).with_in_head(f'<base href="{escape(base)}">')
        assert isinstance(based, bytes)
        return based


def _is_file(folder: Path, path: str) -> bool:
    with suppress(FileError, OSError):
        return real_path_within(folder, folder / path, done="read").is_file()
    return False
