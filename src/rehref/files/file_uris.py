"""The `file:` URIs of files and folders (RFC 8089).

1. A file's retrieval URI is its `file:` URI, or the one given for it. The documents of a folder have the folder's URI
   with their path added, percent-encoded. Standard input and pipes have one only if it is given.
"""

from __future__ import annotations

import os
import re
from pathlib import Path, PurePath, PureWindowsPath
from urllib.parse import quote_from_bytes

from rehref.files.file_errors import FileError
from rehref.uri.components import PATH_CHARACTERS, Components, split, unsplit

# The beginning of long paths on Windows; with UNC, of a share
_EXTENDED = re.compile(r"\A//[?.]/(UNC/)?", re.IGNORECASE)


def encode_path(path: str) -> str:
    """A path with slashes, percent-encoded for a URI (RFC 3986 §2.1, §3.3)."""
    return quote_from_bytes(os.fsencode(path), safe=PATH_CHARACTERS)


def _absolute(path: Path) -> Path:
    """The path from the root, without `..`, which would mean something else where symbolic links are involved."""
    return path.resolve() if ".." in path.parts else path.absolute()


def file_uri(path: Path) -> str:
    """The `file:` URI of a file (RFC 8089)."""
    return uri_of_absolute(_absolute(path))


def uri_of_absolute(path: PurePath) -> str:
    """The `file:` URI of an absolute path: on Windows `file:///C:/a`, and of a share `file://host/share/a` (App. E)."""
    text = path.as_posix()
    if isinstance(path, PureWindowsPath):
        text = _EXTENDED.sub(lambda found: "//" if found[1] else "", text, count=1)
        if text.startswith("//"):
            return "file:" + encode_path(text)
    return "file://" + ("" if text.startswith("/") else "/") + encode_path(text)


def own_uri(path: Path) -> str | None:
    """The retrieval URI of a file: its `file:` URI; None for a pipe (rule 1)."""
    return None if path.exists() and not path.is_file() else file_uri(path)


def folder_uri(path: Path) -> str:
    """The `file:` URI of a folder, which ends in a slash."""
    uri = file_uri(path)
    return uri if uri.endswith("/") else uri + "/"


def as_folder(url: str) -> str:
    """A URI given for a folder, with a slash at its end; without a fragment, which a base never has (RFC 3986 §5.1)."""
    parts = split(url)
    if parts.query is not None:
        raise FileError(url, "cannot be the URI of a folder, for it has a query", "leave out what begins with ?")
    path = parts.path if parts.path.endswith("/") else parts.path + "/"
    return unsplit(Components(parts.scheme, parts.authority, path, None, None))
