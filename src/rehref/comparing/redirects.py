"""Redirections for what has moved, in the syntax of a host, merged into the file that there is.

1. The name of the file decides: `_redirects` (Netlify, Cloudflare Pages, GitLab Pages), `.htaccess` (Apache),
   `netlify.toml`, `vercel.json`, `*.map` (lines for a `map` of nginx). For a folder, pages that refresh are written,
   with a script that keeps the fragment; a file that exists is never replaced.
2. Only moves that are certain are written, each from every URL that nothing answers any more, directly to the end; and
   only what `Planned.redirect` lets through. One that cannot be written keeps back no other.
3. No other line of the file is lost. New rules come before the first one with a variable, since the first match counts.
   A rule that leads to what has moved gets the new target in its place in the text, so that there are no chains; one
   for a path that is a page again goes. A path that has a rule of its own, or that rules lead there already, gets no
   second one. In `vercel.json` the rules are written anew if there are more, or fewer.
4. The result is read by the code that reads such files for a check. A URL that then does not lead to its new place (a
   rule may lead in a circle, or take the URL elsewhere before) is left out, with all that was changed for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from rehref.checking.hosting.configured import add_rules, read_redirects
from rehref.checking.hosting.hosts import HOSTS, Host
from rehref.checking.hosting.redirects import FoundRules, Pointer, RefusedError
from rehref.checking.hosting.written_redirects import Planned, Redirect, UnwrittenRedirect
from rehref.checking.model import UNKNOWN_HOST
from rehref.checking.paths import decode_path, encode
from rehref.checking.site.locating import Locator
from rehref.comparing.nginx_map import pointers_of_map
from rehref.comparing.redirect_formats import FORMATS, OPTION, Format, in_json, in_text, with_targets
from rehref.comparing.states import State
from rehref.comparing.urls import Fate
from rehref.exceptions import OptionError
from rehref.files.file_documents import encode_path
from rehref.files.file_errors import FileError
from rehref.files.reading import read_file
from rehref.files.writing import write_atomically
from rehref.uri.components import split
from rehref.uri.relativize import Relativizer

_SITE: Final = f"{UNKNOWN_HOST}/"
_MARK: Final = "<title>Moved</title>"
_PAGES: Final = (".html", ".htm")
_LONGEST_NAME: Final = 255
_UNUSABLE: Final = ("it is not an object", "redirects is not a list of rules")
_ROUNDS: Final = 10


class WrittenRedirects(NamedTuple):
    """The files with redirections that change, with their new content; how many URLs lead on, and which do not."""

    files: Mapping[Path, bytes]
    number: int
    unwritten: tuple[UnwrittenRedirect, ...]


def moves_of(fates: Iterable[Fate], new: State) -> Iterator[Planned]:
    """Yield the redirections for what has certainly moved (rule 2)."""
    for fate in fates:
        to = fate.move.to
        if fate.missing and fate.move.is_sure and not fate.is_replaced and to is not None:
            on_site = new.at(to.partition("#")[0]) is not None or split(to).scheme is None
            yield from (Planned(url, to, on_site) for url in fate.missing if url != to)


def write_redirects(path: Path, new: State, fates: Mapping[str, Fate]) -> WrittenRedirects:
    """Write the redirections for what has moved. Raises `FileError`, `OptionError`."""
    written = with_redirects(path, new, moves_of(fates.values(), new))
    for file, data in written.files.items():
        write_atomically(file, data, within=path if path.is_dir() else None)
    return written


def with_redirects(path: Path, new: State, planned: Iterable[Planned], before: bytes | None = None) -> WrittenRedirects:
    """Return the files with redirections (rules 2 to 4). Raises `FileError`, `OptionError`.

    `before`: the content of the file, if it is not what is there.
    """
    moves, unwritten = dict[Redirect, str](), list[UnwrittenRedirect]()
    for each in planned:
        try:
            moves[each.redirect()] = each.url
        except RefusedError as refused:
            unwritten.append(UnwrittenRedirect(each.url, str(refused)))
    if path.is_dir() or not (path.suffix or path.name in FORMATS or path.name == "-"):
        files, left = _pages(path, moves)
        number = len(files)
    else:
        files, left = _in_file(path, new, moves, before)
        number = len(moves) - len(left) if files else 0
    unwritten += (UnwrittenRedirect(moves[move], reason) for move, reason in left.items())
    return WrittenRedirects(files, number, tuple(unwritten))


def _in_file(
    path: Path, new: State, moves: Iterable[Redirect], before: bytes | None
) -> tuple[dict[Path, bytes], dict[Redirect, str]]:
    """Return the file if it changes, and what is left out, with the reasons. Raises `FileError`, `OptionError`."""
    form = FORMATS.get("*.map" if path.suffix == ".map" else path.name)
    if form is None:
        raise OptionError(f"{OPTION} {path}", "names no format", f"name a folder, {', '.join(FORMATS)}")
    if before is None:
        before = read_file(path) if path.exists() else b""
    merging, left = _Merging(path, form, before, new), dict[Redirect, str]()
    for _ in range(_ROUNDS):
        data, wrong = merging.merged([each for each in moves if each not in left])
        left |= wrong
        if not wrong:
            return {} if data == before else {path: data}, left
    raise OptionError(f"{OPTION} {path}", "the rules in it are in the way of the new ones", "name another format")


class _Merging:
    """Merges redirections into one file."""

    def __init__(self, path: Path, form: Format, before: bytes, new: State) -> None:
        """Raises `FileError` for a file that cannot be read."""
        on_site = None if new.context is None else new.context.host
        self._host = on_site if on_site is not None and path.name in on_site.redirect_files else HOSTS[form.host]
        self._path, self._form, self._before, self._new = path, form, before, new
        self._there_is = self._rules_in(before)
        unread = self._there_is.unread
        if any(each.line is None or each.reason in _UNUSABLE for each in unread):
            raise FileError(str(path), unread[0].reason, "correct it")

    def merged(self, moves: Iterable[Redirect]) -> tuple[bytes, dict[Redirect, str]]:
        """Return the file with redirections, and those that are wrong then, with the reasons (rules 3, 4)."""
        root = _root(self._host, self._new.uri)
        rules = {move: move.below(root) for move in moves}
        ends = {rule.path: rule.to for rule in rules.values() if rule.query is None}
        site = self._site(self._before)
        data = with_targets(self._path.name, self._before, _news(self._there_is.pointers, ends, site))
        site, there = self._site(data), {pointer.source for pointer in self._there_is.pointers}
        more, wrong = list[Redirect](), dict[Redirect, str]()
        for move, rule in rules.items():
            if rule.path not in there and (site is None or self._wrong(site, move)):
                try:
                    in_text(self._form, b"", [rule])
                    more.append(rule)
                except RefusedError as refused:
                    wrong[move] = str(refused)
        if self._path.suffix == ".json":
            data = in_json(data, more)
        elif more:
            data = in_text(self._form, data, more)
        site = self._site(data)
        for move in rules.keys() - wrong.keys() if site is not None else ():
            code = self._wrong(site, move)
            if code:
                wrong[move] = self._reason(code, move, rules[move].path, data)
        return data, wrong

    def _reason(self, code: str, move: Redirect, path: str, data: bytes) -> str:
        if code == "redirect-loop":
            return "with the rules in the file it would lead in a circle"
        if all(pointer.source != path for pointer in self._rules_in(data).pointers):
            return f"this kind of file cannot say that it leads to {move.to}"
        return f"another rule in the file comes first, and leads elsewhere than to {move.to}"

    def _rules_in(self, data: bytes) -> FoundRules:
        """Return what the file says to its host."""
        found, name = FoundRules(), self._path.name
        if name.endswith(".map"):
            found.pointers += pointers_of_map(name, data)
        elif data and name in self._host.redirect_files:
            add_rules(found, name, data, self._host, self._new.uri)
        return found

    def _site(self, data: bytes) -> Locator | None:
        """Return what finds the files of the new site, with the rules in a file; None if that is not known."""
        context, name = self._new.context, self._path.name
        if name not in self._host.redirect_files or context is None or not isinstance(context.locator, Locator):
            return None
        redirects = read_redirects(context.folder, {name}, self._host, self._new.uri, {name: data})
        return Locator(context.files, self._new.uri, self._host, redirects=redirects)

    def _wrong(self, site: Locator | None, move: Redirect) -> str:
        """Return what is wrong about where a URL leads, as a code; "" if it is right, or not known."""
        if site is None:
            return ""
        source = self._new.uri + move.source[1:]
        if not move.to.startswith("/"):
            step = site.step_from(source)
            return "" if step is not None and step.to == move.to else "elsewhere"
        end, wanted = site.locate(source), site.locate(self._new.uri + move.to[1:].partition("#")[0])
        return end.code or ("" if end.path == wanted.path else "elsewhere")


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
        elif to is not None and to != pointer.to and pointer.span is not None and pointer.written(to) is not None:
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


def _pages(folder: Path, moves: Iterable[Redirect]) -> tuple[dict[Path, bytes], dict[Redirect, str]]:
    """Return a page that refreshes for each move (rule 1), and the moves that get none, with the reasons."""
    pages, left = dict[Path, bytes](), dict[Redirect, str]()
    paths = {move.path[1:] for move in moves}
    folders = {above for path in paths for above in (folder / _file_at(path)).parents}
    for move in moves:
        path = move.path[1:]
        if f"{path}.html" in paths:  # the host answers with that page
            continue
        name = _file_at(path)
        reason = _why_no_page(folder, name, move)
        if not reason and folder / name in folders:
            reason = "there is a folder of that name"
        if reason:
            left[move] = reason
            continue
        to = move.to
        if to.startswith("/"):  # the site may be anywhere
            to = Relativizer(f"{_SITE}{encode_path(name)}", paths_only=True)(f"{_SITE}{to[1:]}")
        pages[folder / name] = _page(to).encode()
    return pages, left


def _why_no_page(folder: Path, name: str, move: Redirect) -> str:
    """Return why a move gets no page of a name in a folder; "" if nothing speaks against it. Raises `FileError`."""
    file = folder / name
    if move.query is not None:
        return "no page can look at the query of its URL"
    if not name.endswith(_PAGES):
        return "no page can be at the place of another kind of file"
    if any(len(part.encode("utf-8", "surrogateescape")) > _LONGEST_NAME for part in name.split("/")):
        return "its name is too long for a file"
    if file.exists() or file.is_symlink():
        return f"{file} is there, and would be replaced"
    above = next((each for each in file.parents if each.exists() and each.is_relative_to(folder)), folder)
    if above.exists() and not above.is_dir():
        return f"{above} is not a folder"
    end = folder / _file_at(decode_path(split(move.to).path)[1:]) if move.to.startswith("/") else None
    if end is not None and end.is_file() and _MARK in read_file(end)[:200].decode("utf-8", "replace"):
        return f"{end} leads away from a page that is there again; remove it"
    return ""


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
