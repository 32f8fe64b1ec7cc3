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
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

from rehref.checking.hosting.configured import add_rules
from rehref.checking.hosting.hosts import HOSTS, Host
from rehref.checking.hosting.htaccess import match_target, quoted
from rehref.checking.hosting.redirects import FoundRules, Pointer, Redirects
from rehref.checking.hosting.redirects_file import TABLE
from rehref.checking.model import UNKNOWN_HOST
from rehref.checking.paths import decode_path, encode
from rehref.checking.site.locating import Locator
from rehref.comparing.nginx_map import line_of_map, pointers_of_map
from rehref.comparing.states import State
from rehref.comparing.urls import Fate
from rehref.exceptions import OptionError
from rehref.files.file_documents import encode_path
from rehref.files.file_errors import FileError
from rehref.files.reading import read_file
from rehref.files.writing import write_atomically
from rehref.text.encoding import spliced
from rehref.uri.components import split
from rehref.uri.relativize import Relativizer
from rehref.uri.resolver import resolve

_OPTION: Final = "redirects"
_SITE: Final = f"{UNKNOWN_HOST}/"
_CONTROL = re.compile(r"[\x00-\x1f]").search
_TO_QUOTE = re.compile(r"[\s\"';{}]").search
_ESCAPED = str.maketrans({":": "%3A", "*": "%2A", "(": "%28", ")": "%29", "+": "%2B"})

_UNUSABLE: Final = ("it is not an object", "redirects is not a list of rules")


class Redirect(NamedTuple):
    """A rule to write: paths from the root, as URIs have them; `to` may have a fragment, or be a whole URI."""

    source: str
    to: str


class _Format(NamedTuple):
    """A syntax of lines. `host`: one that reads it; `rule`: writes a rule, if it can be.

    `variable`: finds a rule with a variable in its source; None: new rules come at the end. `apart`: what is between
    two rules.
    """

    host: str
    rule: Callable[[Redirect], str | None]
    variable: re.Pattern[bytes] | None = None
    apart: str = "\n"


def _match(rule: Redirect) -> str | None:
    """Return a line for Apache.

    `RedirectMatch` cannot lead to a path with `?` or `#`. `Redirect` leads on from what is below a path, too, but a
    file has nothing there.
    """
    source, to = decode_path(rule.source), match_target(rule.to)
    if to is None:
        return None if "${" in source else f'Redirect 301 "{quoted(source)}" "{rule.to}"'
    pattern = re.sub(r"\\([ #&~-])", r"\1", re.escape(source))
    return f'RedirectMatch 301 "^{quoted(pattern)}$" "{to}"'


def _table(rule: Redirect) -> str:
    return f"[[redirects]]\nfrom = {json.dumps(_escaped(rule.source))}\nto = {json.dumps(rule.to)}\nstatus = 301"


def _escaped(source: str) -> str:
    return source.translate(_ESCAPED)


_FORMATS: Final[Mapping[str, _Format]] = {
    "_redirects": _Format(
        "netlify",
        lambda rule: f"{_escaped(rule.source)} {rule.to} 301",
        variable=re.compile(rb"^[ \t]*(?:/\S*)?[*:]", re.MULTILINE),
    ),
    ".htaccess": _Format("apache", _match),
    "netlify.toml": _Format(
        "netlify",
        _table,
        variable=re.compile(
            TABLE.pattern + rb"(?s:(?!\[\[).)*?from[ \t]*=[ \t]*[\"'][^\"'\n]*[*:](?!//)", re.MULTILINE
        ),
        apart="\n\n",
    ),
    "vercel.json": _Format("vercel", _table),  # written as a whole
    "*.map": _Format("nginx", lambda rule: line_of_map(*rule)),
}


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
    if path.is_dir() or not (path.suffix or path.name in _FORMATS or path.name == "-"):
        return _pages(path, moves)
    form = _FORMATS.get("*.map" if path.suffix == ".map" else path.name)
    if form is None:
        raise OptionError(f"{_OPTION} {path}", "names no format", f"name a folder, {', '.join(_FORMATS)}")
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
    site = _site(path, host, before, root, new)
    data = with_targets(path.name, before, _news(there_is.pointers, ends, site))
    site = _site(path, host, data, root, new)
    there = {pointer.source for pointer in there_is.pointers}
    more = [
        rule
        for rule, (source, to) in zip(rules, moves, strict=True)
        if decode_path(rule.source) not in there and (site is None or not _leads(site, new.uri, source, to).is_right)
    ]
    if path.suffix == ".json":
        data = _in_json(data, more)
    elif more:
        data = _in_text(path, form, data, more)
    site = _site(path, host, data, root, new)
    for source, to in moves:
        is_right, code = _End(True, "") if site is None else _leads(site, new.uri, source, to)
        if code == "redirect-loop":
            raise OptionError(f"{_OPTION} {path}", f"/{source} would lead in a circle", "correct the rules in the file")
        if not is_right:
            what = f"a rule in it leads /{source} elsewhere, and not to /{to}"
            raise OptionError(f"{_OPTION} {path}", what, "put that rule after the others, or remove it")
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
    found = site.locate_at_once(site.uri_of(to).partition("#")[0])
    return found.path if found.code == "" else None


def _root(host: Host, site_uri: str) -> str:
    """Return the path at which the site is in the rules of a host, with slashes at both ends."""
    is_below = host.redirects_on_host or not host.redirect_files
    path = split(site_uri).path if is_below and site_uri.startswith("http") else "/"
    return path if path.endswith("/") else path + "/"


def _rules_in(name: str, data: bytes, host: Host, site_uri: str) -> FoundRules:
    """Return what a file says to a host. Whether rules come before files does not matter to what is written."""
    found = FoundRules()
    if name.endswith(".map"):
        found.pointers += pointers_of_map(name, data)
    elif data and name in host.redirect_files:
        add_rules(found, name, data, host._replace(plain_redirects=False), site_uri)
    return found


class _End(NamedTuple):
    """Whether a URL leads where it should; else the code of what is wrong."""

    is_right: bool
    code: str


def _site(path: Path, host: Host, data: bytes, root: str, new: State) -> Locator | None:
    """Return what finds the files of the new site, with the rules in a file (rule 4); None if that is not known."""
    context = new.context
    if path.name not in host.redirect_files or context is None or not isinstance(context.locator, Locator):
        return None
    found = _rules_in(path.name, data, host, new.uri)
    if host.redirects_always:
        found.rules = [rule._replace(always=True) for rule in found.rules]
    return Locator(context.files, new.uri, host, redirects=Redirects(found, root))


def _leads(site: Locator, uri: str, source: str, to: str) -> _End:
    end, wanted = site.locate(uri + source), site.locate(uri + to.partition("#")[0])
    return _End(end.path == wanted.path and not end.code, end.code)


def with_targets(name: str, data: bytes, news: Iterable[tuple[Pointer, str | None]]) -> bytes:
    """Return a file with new targets of rules, and without those with None (rule 3). Raises `FileError`."""
    splices, gone = [], set[str]()
    for pointer, to in news:
        if to is None and name.endswith(".json"):
            gone.add(pointer.source)
        elif to is None and pointer.rule is not None:
            start, end = pointer.rule
            end = end if data[end - 1 : end] == b"\n" else data.find(b"\n", end) + 1 or len(data)
            splices.append((data.rfind(b"\n", 0, start) + 1, end, b""))
        elif to is not None:
            text = pointer.written(to)
            if pointer.span is None or text is None:
                raise FileError(name, f"line {pointer.line} leads to what moves", f"let it lead to {to} first")
            start, end = pointer.span
            is_quoted = data[start - 1 : start] == data[end : end + 1] and data[end : end + 1] in (b'"', b"'")
            new = (f'"{text}"' if not is_quoted and _TO_QUOTE(text) else text).encode("utf-8", "surrogateescape")
            splices.append((start, end, new.replace(b"'", b"%27") if data[end : end + 1] == b"'" else new))
    data = spliced(data, sorted(splices))
    return _in_json(data, (), gone) if gone else data


def _in_text(path: Path, form: _Format, data: bytes, rules: Sequence[Redirect]) -> bytes:
    """Return a file with more rules (rule 3). Raises `OptionError` for one that cannot be written."""
    lines = [form.rule(rule) or "" for rule in rules]
    for rule, line in zip(rules, lines, strict=True):
        if line == "" or _CONTROL(decode_path(rule.source)):
            raise OptionError(
                f"{_OPTION} {path}", f"{rule.source} cannot be written in it", "name a file of another kind"
            )
    special = None if form.variable is None else form.variable.search(data)
    at = len(data) if special is None else special.start()
    before, after, apart = data[:at], data[at:], form.apart.encode()
    between = b"" if not before or before.endswith(apart) else apart[before.endswith(b"\n") :]
    more = form.apart.join(lines).encode("utf-8", "surrogateescape")
    more = between + more + (apart if after else b"\n")
    return before + (more.replace(b"\n", b"\r\n") if b"\r\n" in data else more) + after


def _in_json(data: bytes, rules: Sequence[Redirect], gone: Collection[str] = ()) -> bytes:
    """Return `vercel.json` with more rules, and without those for some paths (rule 3)."""
    found: dict[str, Any] = json.loads(data.decode("utf-8-sig")) if data else {}
    listed = [each for each in found.get("redirects", []) if decode_path(str(_source_in(each))) not in gone]
    special = (number for number, each in enumerate(listed) if re.search("[:(*]", _source_in(each)))
    at = next(special, len(listed))
    listed[at:at] = ({"source": _escaped(source), "destination": to, "permanent": True} for source, to in rules)
    if not rules and not gone:
        return data
    indent = re.search(rb"\n([ \t]+)", data)
    found["redirects"] = listed
    return json.dumps(found, indent=indent[1].decode() if indent else 2, ensure_ascii=False).encode() + b"\n"


def _source_in(table: object) -> str:
    return str(table.get("source", "")) if isinstance(table, dict) else ""


def _pages(folder: Path, moves: Sequence[Redirect]) -> dict[Path, bytes]:
    """Return a page that refreshes for each move (rule 1). Raises `OptionError`."""
    pages = {}
    paths = {decode_path("/" + source)[1:]: to for source, to in moves}
    for path, to in paths.items():
        if f"{path}.html" in paths:  # the host answers with that page
            continue
        if "." not in path.rpartition("/")[2]:
            path = f"{path.rstrip('/')}/index.html".lstrip("/")
        if path.endswith((".html", ".htm", ".xhtml")):
            relative = Relativizer(f"{_SITE}{encode_path(path)}", paths_only=True)  # the site may be anywhere
            pages[folder / path] = _page(relative(resolve(_SITE, to)))
    there = next((path for path in pages if path.exists()), None)
    if there is not None:
        raise OptionError(f"{_OPTION} {folder}", f"{there} is there, and would be replaced", "name an empty folder")
    return {file: page.encode() for file, page in pages.items()}


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
