"""Redirections for what has moved, in the syntax of a host, merged into the file that there is.

1. The name of the file decides: `_redirects` (Netlify, Cloudflare Pages, GitLab Pages), `.htaccess` (Apache),
   `netlify.toml`, `vercel.json`, `*.map` (lines for a `map` of nginx). For a folder, pages that refresh are written,
   with a script that keeps the fragment; a file that exists is never replaced.
2. Only moves that are certain are written, each from every URL that nothing answers any more, directly to the end.
3. No other line of the file is lost. New rules come before the first one with a variable, since the first match counts.
   A rule that leads to what has moved gets the new target in its place in the text, so that there are no chains; one
   for a path that is a page again goes. A path that has a rule of its own, or that rules lead there already, gets no
   second one. In `vercel.json` the rules are written anew if there are more, or fewer.
4. The result is read by the code that reads such files for a check. Unless each URL leads to its new place, nothing is
   written: a rule may lead in a circle, or take the URL elsewhere before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final

from rehref.checking.hosting.configured import add_rules, read_redirects
from rehref.checking.hosting.hosts import HOSTS, Host
from rehref.checking.hosting.redirects import FoundRules, Pointer
from rehref.checking.model import UNKNOWN_HOST
from rehref.checking.paths import decode_path, encode
from rehref.checking.site.locating import Locator
from rehref.comparing.nginx_map import pointers_of_map
from rehref.comparing.redirect_formats import FORMATS, OPTION, Redirect, in_json, in_text, with_targets
from rehref.comparing.states import State
from rehref.comparing.urls import Fate
from rehref.exceptions import OptionError
from rehref.files.file_documents import encode_path
from rehref.files.file_errors import FileError
from rehref.files.reading import read_file
from rehref.files.writing import write_atomically
from rehref.uri.components import split
from rehref.uri.relativize import Relativizer
from rehref.uri.resolver import resolve

_SITE: Final = f"{UNKNOWN_HOST}/"

_MARK: Final = "<title>Moved</title>"
_UNUSABLE: Final = ("it is not an object", "redirects is not a list of rules")


def moves_of(fates: Iterable[Fate]) -> list[Redirect]:
    """Return the redirections for what has certainly moved, without a slash before them (rule 2)."""
    sure = (fate for fate in fates if fate.missing and fate.move.is_sure and not fate.is_replaced)
    return [Redirect(url, fate.move.to or "") for fate in sure for url in fate.missing if url != fate.move.to]


def write_redirects(path: Path, new: State, fates: Mapping[str, Fate]) -> int:
    """Write the redirections for what has moved; return their number. Raises `FileError`, `OptionError` (rule 4)."""
    moves = moves_of(fates.values())
    files = with_redirects(path, new, moves)
    for file, data in files.items():
        write_atomically(file, data, within=path if path.is_dir() else None)
    return len(moves) if path in files else len(files)  # one page for each, or nothing


def with_redirects(path: Path, new: State, moves: Sequence[Redirect], before: bytes | None = None) -> dict[Path, bytes]:
    """Return the files with redirections that change, as they are to be written (rule 4).

    Raises `FileError`, `OptionError`.

    `before`: the content of the file, if it is not what is there.
    """
    if path.is_dir() or not (path.suffix or path.name in FORMATS or path.name == "-"):
        return _pages(path, moves)
    form = FORMATS.get("*.map" if path.suffix == ".map" else path.name)
    if form is None:
        raise OptionError(f"{OPTION} {path}", "names no format", f"name a folder, {', '.join(FORMATS)}")
    on_site = None if new.context is None else new.context.host
    host = on_site if on_site is not None and path.name in on_site.redirect_files else HOSTS[form.host]
    root = _root(host, new.uri)
    rules = [Redirect(*(url if split(url).scheme is not None else root + url for url in move)) for move in moves]
    if before is None:
        before = read_file(path) if path.exists() else b""
    there_is = _rules_in(path.name, before, host, new.uri)
    if any(each.line is None or each.reason in _UNUSABLE for each in there_is.unread):
        raise FileError(str(path), there_is.unread[0].reason, "correct it")
    ends = {decode_path(source): to for source, to in rules}
    site = _site(path, host, before, new)
    data = with_targets(path.name, before, _news(there_is.pointers, ends, site))
    site = _site(path, host, data, new)
    there = {pointer.source for pointer in there_is.pointers}
    more = [
        rule
        for rule, (source, to) in zip(rules, moves, strict=True)
        if decode_path(rule.source) not in there and (site is None or _wrong(site, new.uri, source, to))
    ]
    if path.suffix == ".json":
        data = in_json(data, more)
    elif more:
        data = in_text(form, data, more)
    site = _site(path, host, data, new)
    for rule, (source, to) in zip(rules, moves, strict=True):
        wrong = _wrong(site, new.uri, source, to)
        if wrong and all(
            pointer.source != decode_path(rule.source) for pointer in _rules_in(path.name, data, host, new.uri).pointers
        ):
            raise OptionError(f"{OPTION} {path}", f"it cannot say that /{source} leads to /{to}", "name another format")
        if wrong == "redirect-loop":
            raise OptionError(f"{OPTION} {path}", f"/{source} would lead in a circle", "correct the rules in the file")
        if wrong:
            what = f"a rule in it leads /{source} elsewhere, and not to /{to}"
            raise OptionError(f"{OPTION} {path}", what, "put that rule after the others, or remove it")
    return {} if data == before else {path: data}


def _news(
    pointers: Iterable[Pointer], ends: Mapping[str, str], site: Locator | None
) -> Iterator[tuple[Pointer, str | None]]:
    """Yield the rules that change, with their new targets; None: it goes (rule 3). `ends`: where URLs lead from now on.

    `site`: what finds files on the new site, if that is known.
    """
    pages = {_page_at(site, to) for to in ends.values()} - {None}
    for pointer in pointers:
        path, mark, fragment = pointer.to.partition("#")
        further = ends.get(decode_path(path))
        own = None if site is None else ends.get(pointer.source)
        to = own or (further and (further if "#" in further else further + mark + fragment))
        if pointer.rule is not None and _page_at(site, encode(pointer.source)) in pages:
            yield pointer, None
        elif to is not None and to != pointer.to:
            yield pointer, to


def _page_at(site: Locator | None, to: str) -> str | None:
    """Return the file that a target in rules leads to at once, if any; without a site, its path."""
    if site is None or to == "":
        return decode_path(to.partition("#")[0]) or None
    return site.page_at(to)


def _root(host: Host, site_uri: str) -> str:
    """Return the path at which the site is in the rules of a host, with slashes at both ends."""
    is_below = host.redirects_on_host or not host.redirect_files
    path = split(site_uri).path if is_below and site_uri.startswith("http") else "/"
    return path if path.endswith("/") else path + "/"


def _rules_in(name: str, data: bytes, host: Host, site_uri: str) -> FoundRules:
    """Return what a file says to a host."""
    found = FoundRules()
    if name.endswith(".map"):
        found.pointers += pointers_of_map(name, data)
    elif data and name in host.redirect_files:
        add_rules(found, name, data, host, site_uri)
    return found


def _site(path: Path, host: Host, data: bytes, new: State) -> Locator | None:
    """Return what finds the files of the new site, with the rules in a file (rule 4); None if that is not known."""
    context = new.context
    if path.name not in host.redirect_files or context is None or not isinstance(context.locator, Locator):
        return None
    redirects = read_redirects(context.folder, {path.name}, host, new.uri, {path.name: data})
    return Locator(context.files, new.uri, host, redirects=redirects)


def _wrong(site: Locator | None, uri: str, source: str, to: str) -> str:
    """Return what is wrong about where a URL leads, as a code; "" if it is right, or not known."""
    if site is None:
        return ""
    end, wanted = site.locate(uri + source), site.locate(uri + to.partition("#")[0])
    return end.code or ("" if end.path == wanted.path else "elsewhere")


def _pages(folder: Path, moves: Sequence[Redirect]) -> dict[Path, bytes]:
    """Return a page that refreshes for each move (rule 1). Raises `OptionError`."""
    pages = {}
    paths = {decode_path("/" + source)[1:]: to for source, to in moves}
    for path, to in paths.items():
        if f"{path}.html" in paths:  # the host answers with that page
            continue
        path = _file_at(path)
        if path.endswith((".html", ".htm", ".xhtml")):
            relative = Relativizer(f"{_SITE}{encode_path(path)}", paths_only=True)  # the site may be anywhere
            pages[folder / path] = _page(relative(resolve(_SITE, to)))
    for to in paths.values():
        file = folder / _file_at(decode_path("/" + to.partition("#")[0])[1:])
        if file.is_file() and _MARK in read_file(file)[:200].decode("utf-8", "replace"):
            raise OptionError(f"{OPTION} {folder}", f"{file} leads away from a page that is there again", "remove it")
    there = next((path for path in pages if path.exists()), None)
    if there is not None:
        raise OptionError(f"{OPTION} {folder}", f"{there} is there, and would be replaced", "name an empty folder")
    return {file: page.encode() for file, page in pages.items()}


def _file_at(path: str) -> str:
    """Return the file that a host without rules answers with at a path."""
    return path if "." in path.rpartition("/")[2] else f"{path.rstrip('/')}/index.html".lstrip("/")


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
