"""Pages that refresh, for hosts that read no file with redirects: one for each URL, in a folder.

A script keeps the fragment. A file that is there is never replaced.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable
from html import escape
from pathlib import Path
from typing import Final

from rehref.files.file_documents import encode_path, relative_to
from rehref.files.reading_files import read_file
from rehref.site._hosts.redirect_rules import RefusedError
from rehref.site._hosts.written_redirects import Redirect
from rehref.site._paths import decode_path
from rehref.site.findings import UNKNOWN_HOST
from rehref.uri.components import split
from rehref.uri.resolver import Relativizer

_SITE: Final = f"{UNKNOWN_HOST}/"
_MARK: Final = "<title>Moved</title>"
_ENDINGS: Final = (".html", ".htm")
_LONGEST_NAME: Final = 255


def pages_for(folder: Path, redirects: Iterable[Redirect]) -> tuple[dict[Path, bytes], dict[Redirect, str]]:
    """Return a page for each redirect, and the redirects that get none, with the reasons. Raises `FileError`."""
    pages, left = dict[Path, bytes](), dict[Redirect, str]()
    written = dict[str, str]()
    paths = {each.path for each in redirects if each.query is None}
    folders = {above for path in paths for above in (folder / _file_at(path[1:])).parents}
    for each in sorted(redirects, key=lambda each: f"{each.path}.html" in paths):
        beside = written.get(f"{each.path}.html")
        if beside == each.to and each.query is None:  # hosts answer with that page
            continue
        try:
            file = _file_for(folder, each, folders, has_page_beside=beside is not None)
            pages[file] = _page(_target(file.relative_to(folder).as_posix(), each.to)).encode()
            written[each.path] = each.to
        except RefusedError as refused:
            left[each] = str(refused)
    return pages, left


def leads_away(file: Path) -> bool:
    """Whether a file is a page that refreshes, as written here. Raises `FileError`."""
    return file.is_file() and _MARK in read_file(file)[:200].decode("utf-8", "replace")


def _file_for(folder: Path, redirect: Redirect, folders: Collection[Path], *, has_page_beside: bool) -> Path:
    """Return the file of the page for a redirect. Raises `RefusedError`, `FileError`.

    `folders`: of other pages. `has_page_beside`: whether there is one for the same path with `.html`, but elsewhere.
    """
    name = _file_at(redirect.path[1:])
    file = folder / name
    if redirect.query is not None:
        raise RefusedError("a page cannot depend on the query")
    if has_page_beside:
        raise RefusedError(f"hosts answer it with the page for {redirect.path}.html")
    if not name.endswith(_ENDINGS):
        raise RefusedError("a page cannot be in the place of another kind of file")
    if any(len(part.encode("utf-8", "surrogateescape")) > _LONGEST_NAME for part in name.split("/")):
        raise RefusedError("its name is too long for a file")
    if file in folders:
        raise RefusedError(f"{file} would be a folder, too")
    if file.exists() or file.is_symlink():
        raise RefusedError(f"{file} is there, and would be replaced")
    if relative_to(os.path.realpath(file), os.path.realpath(folder)) is None:
        raise RefusedError(f"{file} leads out of the folder through a symbolic link")
    above = next((each for each in file.parents if each.exists() or each.is_symlink()), folder)
    if above != folder and above.is_relative_to(folder) and not above.is_dir():
        raise RefusedError(f"{above} is not a folder")
    end = folder / _file_at(decode_path(split(redirect.to).path)[1:])
    if redirect.to.startswith("/") and "\0" not in str(end) and leads_away(end):
        raise RefusedError(f"{end} leads away from a page that is there again; remove it")
    return file


def _file_at(path: str) -> str:
    """Return the file that a host without rules answers with at a path."""
    return path if "." in path.rpartition("/")[2] else f"{path.rstrip('/')}/index.html".lstrip("/")


def _target(name: str, to: str) -> str:
    """Return the target in the page of that name: a path is relative to it, since the site may be anywhere."""
    if not to.startswith("/"):
        return to
    return Relativizer(f"{_SITE}{encode_path(name)}", paths_only=True)(f"{_SITE}{to[1:]}")


def _page(to: str) -> str:
    """Return a page that refreshes. A script keeps the fragment; without scripts, the refresh loses it."""
    url, ending = escape(to), "" if "#" in to else "+location.hash"
    target = json.dumps(to).replace("<", "\\u003c")
    return (
        f'<!DOCTYPE html>\n<meta charset="utf-8">\n{_MARK}\n<link rel="canonical" href="{url}">\n'
        f"<script>location.replace({target}{ending})</script>\n"
        f'<noscript><meta http-equiv="refresh" content="0; url={url}"></noscript>\n'
        f'<p>Moved to <a href="{url}">{url}</a>\n'
    )
