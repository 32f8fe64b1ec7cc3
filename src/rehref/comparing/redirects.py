"""Redirections for what has moved, in the syntax of a host, merged into the file that there is.

1. The name of the file decides: `_redirects` (Netlify, Cloudflare Pages, GitLab Pages), `.htaccess` (Apache),
   `netlify.toml`, `vercel.json`, `*.map` (lines for a `map` of nginx). For a folder, pages that refresh are written,
   with a script that keeps the fragment; a file that exists is never replaced.
2. Only moves that are certain are written, each from every URL that nothing answers any more, directly to the end.
3. No line of the file is lost. New rules come before the first one with a variable, since the first match counts. A
   rule that leads to what has moved gets the new target (in `_redirects` and `.htaccess` in its place in the text), so
   that there are no chains. A path that has a rule of its own gets no second one.
4. The result is read by the code that reads such files for a check. Unless each URL leads to its new place, nothing is
   written: a rule may lead in a circle, or take the URL elsewhere before.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from rehref.checking.hosting.hosts import HOSTS
from rehref.checking.hosting.htaccess import parse_htaccess
from rehref.checking.hosting.redirects import FoundRules, Pointer, Redirects
from rehref.checking.hosting.redirects_file import TABLE, parse_netlify_toml, parse_redirects
from rehref.checking.hosting.vercel_redirects import parse_vercel_json
from rehref.checking.paths import decode_path
from rehref.checking.site.locating import Locator
from rehref.comparing.states import State
from rehref.comparing.urls import Fate
from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError
from rehref.files.reading import read_file
from rehref.files.writing import write_atomically
from rehref.text.encoding import spliced
from rehref.uri.components import split

_OPTION: Final = "redirects"
_VARIABLE = re.compile(rb"[ \t]*(?:/\S*)?[*:]")
_DOLLAR = re.compile("[$&]")
_TO = re.compile(r'^([ \t]*to[ \t]*=[ \t]*)"([^"\\\n]*)"', re.MULTILINE)
_OF_MAP = re.compile(r'^([ \t]*"?(/[^"\s;]*)"?[ \t]+)"?([^"\s;]+)"?[ \t]*;', re.MULTILINE)
_HAS_VARIABLE = re.compile(r'from[ \t]*=[ \t]*["\'][^"\'\n]*[*:](?!//)')
_ESCAPED = str.maketrans({":": "%3A", "*": "%2A", "(": "%28", ")": "%29", "+": "%2B"})


class Redirect(NamedTuple):
    """A rule to write: paths from the root, as URIs have them; `to` may have a fragment, or be a whole URI."""

    source: str
    to: str


class _Format(NamedTuple):
    """A syntax: the host that reads it, the function that reads it, and the one that merges rules into a file."""

    host: str
    parse: Callable[[FoundRules, bytes, str], object] | None
    merge: Callable[[bytes, Sequence[Redirect], Mapping[str, str], Sequence[Pointer]], bytes]


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
    return len(moves) if path in files else len(files)


def with_redirects(path: Path, new: State, moves: Sequence[Redirect], before: bytes | None = None) -> dict[Path, bytes]:
    """Return the files with redirections, as they are to be written. Raises `FileError`, `OptionError` (rule 4).

    `before`: the content of the file, if it is not what is there.
    """
    if path.is_dir() or not (path.suffix or path.name in _FORMATS):
        return _pages(path, moves)
    form = _FORMATS.get("*.map" if path.suffix == ".map" else path.name)
    if form is None:
        raise OptionError(f"{_OPTION} {path}", "names no format", f"name a folder, {', '.join(_FORMATS)}")
    root = _root(form, new)
    rules = [Redirect(_rooted(root, source), _rooted(root, to)) for source, to in moves]
    if before is None:
        before = read_file(path) if path.exists() else b""
    there_is = FoundRules()
    if form.parse is not None and before:
        form.parse(there_is, before, root)
    if any(each.line is None or each.reason == "it is not an object" for each in there_is.unread):
        raise FileError(str(path), there_is.unread[0].reason, "correct it")
    pointers = there_is.pointers
    there = {pointer.source for pointer in pointers if pointer.source}
    ends = {decode_path(source): to for source, to in rules}
    data = form.merge(before, [each for each in rules if decode_path(each.source) not in there], ends, pointers)
    _read_back(path, form, data, root, new, moves)
    return {path: data}


def _root(form: _Format, new: State) -> str:
    """Return the path at which the site is in the rules of a host, with slashes at both ends."""
    on_host = HOSTS[form.host].redirects_on_host or form.parse is None
    path = split(new.uri).path if on_host and new.uri.startswith("http") else "/"
    return path if path.endswith("/") else path + "/"


def _rooted(root: str, url: str) -> str:
    return url if split(url).scheme is not None else root + url


def _read_back(path: Path, form: _Format, data: bytes, root: str, new: State, moves: Sequence[Redirect]) -> None:
    """Raise `OptionError` if the rules do not lead where they should (rule 4)."""
    context = new.context
    if form.parse is None or context is None or not isinstance(context.locator, Locator):
        return
    found = FoundRules()
    form.parse(found, data, root)
    host = context.host if path.name in context.host.redirect_files else HOSTS[form.host]
    if host.redirects_always:
        found.rules = [rule._replace(always=True) for rule in found.rules]
    locator = Locator(context.files, new.uri, host, redirects=Redirects(found, root))
    for source, to in moves:
        end, wanted = locator.locate(new.uri + source), locator.locate(new.uri + to.partition("#")[0])
        if end.code == "redirect-loop":
            raise OptionError(f"{_OPTION} {path}", f"/{source} would lead in a circle", "correct the rules in the file")
        if end.path != wanted.path or end.code:
            what = f"a rule in it leads /{source} elsewhere, and not to /{to}"
            raise OptionError(f"{_OPTION} {path}", what, "put that rule after the others, or remove it")


def _retargeted(data: bytes, ends: Mapping[str, str], pointers: Iterable[Pointer]) -> bytes:
    """Return a file with the targets replaced that have moved (rule 3)."""
    leads = ((pointer.span, ends.get(pointer.source) or ends.get(decode_path(pointer.to))) for pointer in pointers)
    found = {span: to for span, to in leads if span is not None and to is not None}
    return spliced(data, ((*span, to.encode()) for span, to in sorted(found.items())))


def _with_lines(data: bytes, lines: Iterable[str], *, before_variables: bool) -> bytes:
    """Return a text file with more lines, before the first one with a variable, or at its end."""
    ending = "\r\n" if b"\r\n" in data else "\n"
    more = "".join(line + ending for line in lines).encode()
    at, start = len(data), 0
    for line in data.splitlines(keepends=True):
        if before_variables and _VARIABLE.match(line):
            at = start
            break
        start += len(line)
    between = ending.encode() if at == len(data) and data and not data.endswith(b"\n") else b""
    return data[:at] + between + more + data[at:] if more else data


def _in_redirects(
    data: bytes, rules: Sequence[Redirect], ends: Mapping[str, str], pointers: Sequence[Pointer]
) -> bytes:
    lines = (f"{source.translate(_ESCAPED)} {to} 301" for source, to in rules)
    return _with_lines(_retargeted(data, ends, pointers), lines, before_variables=True)


def _in_htaccess(data: bytes, rules: Sequence[Redirect], ends: Mapping[str, str], pointers: Sequence[Pointer]) -> bytes:
    # Apache matches the decoded path, and escapes the target of `RedirectMatch` itself
    lines = (
        f'RedirectMatch 301 "^{_quoted(re.escape(decode_path(each.source)))}$" '
        f'"{_quoted(_DOLLAR.sub(_escaped, unquote(each.to)))}"'
        for each in rules
    )
    return _with_lines(_retargeted(data, ends, pointers), lines, before_variables=False)


def _escaped(found: re.Match[str]) -> str:
    return f"\\{found[0]}"


def _quoted(text: str) -> str:
    return text.replace('"', '\\"').replace("\\ ", " ").replace("\\-", "-").replace("\\#", "#")


def _in_map(data: bytes, rules: Sequence[Redirect], ends: Mapping[str, str], _: Sequence[Pointer]) -> bytes:
    def retargeted(found: re.Match[str]) -> str:
        to = ends.get(decode_path(found[3]))
        return found[0] if to is None else f"{found[1]}{json.dumps(to)};"

    text = _OF_MAP.sub(retargeted, data.decode("utf-8", "surrogateescape"))
    there = {decode_path(found[2]) for found in _OF_MAP.finditer(text)}
    named = ((decode_path(source), to.replace("$", "%24")) for source, to in rules)  # nginx replaces variables there
    lines = (f"{json.dumps(path, ensure_ascii=False)} {json.dumps(to)};" for path, to in named if path not in there)
    return _with_lines(text.encode("utf-8", "surrogateescape"), lines, before_variables=False)


def _in_toml(data: bytes, rules: Sequence[Redirect], ends: Mapping[str, str], _: Sequence[Pointer]) -> bytes:
    text = _TO.sub(lambda found: f"{found[1]}{json.dumps(ends.get(decode_path(found[2]), found[2]))}", data.decode())
    if not rules:
        return text.encode()
    tables = [found.start() for found in TABLE.finditer(text)]
    bounds = pairwise([*tables, len(text)])
    at = next((start for start, end in bounds if _HAS_VARIABLE.search(text, start, end)), len(text))
    more = "".join(
        f"[[redirects]]\nfrom = {json.dumps(source.translate(_ESCAPED))}\nto = {json.dumps(to)}\nstatus = 301\n\n"
        for source, to in rules
    )
    between = "" if text[:at].endswith("\n\n") or not text[:at] else "\n" if text[:at].endswith("\n") else "\n\n"
    return (text[:at] + between + more.removesuffix("\n" if at == len(text) else "") + text[at:]).encode()


def _in_vercel(data: bytes, rules: Sequence[Redirect], ends: Mapping[str, str], _: Sequence[Pointer]) -> bytes:
    found: dict[str, Any] = json.loads(data.decode("utf-8-sig")) if data else {}
    listed = found.setdefault("redirects", [])
    for each in listed:
        if isinstance(each, dict) and isinstance(each.get("destination"), str):
            each["destination"] = ends.get(decode_path(each["destination"]), each["destination"])
    more = [{"source": source.translate(_ESCAPED), "destination": to, "permanent": True} for source, to in rules]
    special = (number for number, each in enumerate(listed) if re.search("[:(*]", str(each.get("source", ""))))
    at = next(special, len(listed))
    listed[at:at] = more
    return json.dumps(found, indent=2, ensure_ascii=False).encode() + b"\n"


_FORMATS: Final[Mapping[str, _Format]] = {
    "_redirects": _Format(
        "netlify", lambda found, data, _: parse_redirects(found, data, "_redirects", plain=False), _in_redirects
    ),
    ".htaccess": _Format(
        "apache", lambda found, data, root: parse_htaccess(found, data, ".htaccess", root), _in_htaccess
    ),
    "netlify.toml": _Format("netlify", lambda found, data, _: parse_netlify_toml(found, data), _in_toml),
    "vercel.json": _Format("vercel", lambda found, data, _: parse_vercel_json(found, data), _in_vercel),
    "*.map": _Format("nginx", None, _in_map),
}


def _pages(folder: Path, moves: Sequence[Redirect]) -> dict[Path, bytes]:
    """Return a page that refreshes for each move (rule 1). Raises `OptionError`."""
    pages = {}
    for source, to in moves:
        path = decode_path("/" + source)[1:]
        if "." not in path.rpartition("/")[2]:
            path = f"{path.rstrip('/')}/index.html".lstrip("/")
        if path.endswith((".html", ".htm", ".xhtml")):
            pages[folder / path] = _page(_relative(path, to) if split(to).scheme is None else to)
    there = next((path for path in pages if path.exists()), None)
    if there is not None:
        raise OptionError(f"{_OPTION} {folder}", f"{there} is there, and would be replaced", "name an empty folder")
    return {file: page.encode() for file, page in pages.items()}


def _relative(path: str, to: str) -> str:
    """Return the reference from a page to a URL below the site, by its path, as the site may be anywhere."""
    url, mark, fragment = to.partition("#")
    found = posixpath.relpath(f"/{url}", posixpath.dirname(f"/{path}"))
    slash = "/" if url == "" or url.endswith("/") else ""
    return f"{'./' if ':' in found.partition('/')[0] else ''}{found}{slash}{mark}{fragment}"


def _page(to: str) -> str:
    """Return a page that refreshes. A script keeps the fragment; without scripts, the refresh loses it."""
    url, ending = escape(to), "" if "#" in to else "+location.hash"
    target = json.dumps(to).replace("<", "\\u003c")
    return (
        f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>Moved</title>\n<link rel="canonical" href="{url}">\n'
        f"<script>location.replace({target}{ending})</script>\n"
        f'<noscript><meta http-equiv="refresh" content="0; url={url}"></noscript>\n'
        f'<p>Moved to <a href="{url}">{url}</a>\n'
    )
