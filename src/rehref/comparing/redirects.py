"""Redirections for what has moved, in the syntax of a host, merged into the file that there is.

1. The name of the file decides: `_redirects` (Netlify, Cloudflare Pages, GitLab Pages), `.htaccess` (Apache),
   `netlify.toml`, `vercel.json`, `*.map` (lines for a `map` of nginx). For a folder, pages that refresh are written,
   with a script that keeps the fragment; a file that exists is never replaced.
2. Only moves that are certain are written, each from every URL that nothing answers any more, directly to the end.
3. No line of the file is lost. New rules come before the first one with a variable, since the first match counts. A
   rule that leads to what has moved gets the new target (in `_redirects` and `.htaccess` in its place in the text), so
   that there are no chains. A path that has a rule of its own, or that rules lead there already, gets no second one.
4. The result is read by the code that reads such files for a check. Unless each URL leads to its new place, nothing is
   written: a rule may lead in a circle, or take the URL elsewhere before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from rehref.checking.hosting.configured import add_rules
from rehref.checking.hosting.hosts import HOSTS, Host
from rehref.checking.hosting.redirects import FoundRules, Pointer, Redirects
from rehref.checking.hosting.redirects_file import TABLE
from rehref.checking.model import UNKNOWN_HOST
from rehref.checking.paths import decode_path
from rehref.checking.site.locating import Locator
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
_ESCAPED = str.maketrans({":": "%3A", "*": "%2A", "(": "%28", ")": "%29", "+": "%2B"})

_UNUSABLE: Final = ("it is not an object", "redirects is not a list of rules")


class Redirect(NamedTuple):
    """A rule to write: paths from the root, as URIs have them; `to` may have a fragment, or be a whole URI."""

    source: str
    to: str


class _Format(NamedTuple):
    """A syntax of lines. `host`: one that reads it; `rule`: writes a rule; `apart`: what is between two of them.

    `variable`: finds a rule with a variable in its source; None: new rules come at the end. `target`: finds the `place`
    of a target in the text, and what it leads `to`, if the reader of the file does not say where that is; and its
    `source`, if nothing reads the file.
    """

    host: str
    rule: Callable[[Redirect], str]
    variable: re.Pattern[str] | None = None
    target: re.Pattern[str] | None = None
    apart: str = "\n"


def _match(rule: Redirect) -> str:
    """Return a line for Apache, which matches the decoded path, and escapes the target of `RedirectMatch` itself."""
    source, to = re.escape(decode_path(rule.source)), re.sub("[$&]", r"\\\g<0>", unquote(rule.to))
    source, to = (re.sub(r'\\([ #-])|(")', lambda found: found[1] or '\\"', text) for text in (source, to))
    return f'RedirectMatch 301 "^{source}$" "{to}"'


def _of_map(rule: Redirect) -> str:
    """Return a line for nginx, which replaces variables in targets."""
    return f"{json.dumps(decode_path(rule.source), ensure_ascii=False)} {json.dumps(rule.to.replace('$', '%24'))};"


def _table(rule: Redirect) -> str:
    return f"[[redirects]]\nfrom = {json.dumps(_escaped(rule.source))}\nto = {json.dumps(rule.to)}\nstatus = 301"


def _escaped(source: str) -> str:
    return source.translate(_ESCAPED)


_FORMATS: Final[Mapping[str, _Format]] = {
    "_redirects": _Format(
        "netlify",
        lambda rule: f"{_escaped(rule.source)} {rule.to} 301",
        variable=re.compile(r"^[ \t]*(?:/\S*)?[*:]", re.MULTILINE),
    ),
    ".htaccess": _Format("apache", _match),
    "netlify.toml": _Format(
        "netlify",
        _table,
        variable=re.compile(rf"{TABLE.pattern}(?s:(?!\[\[).)*?from[ \t]*=[ \t]*[\"'][^\"'\n]*[*:](?!//)", re.MULTILINE),
        target=re.compile(r'^[ \t]*to[ \t]*=[ \t]*(?P<place>"(?P<to>[^"\\\n]*)")', re.MULTILINE),
        apart="\n\n",
    ),
    "vercel.json": _Format("vercel", _table),  # written as a whole
    "*.map": _Format(
        "nginx",
        _of_map,
        target=re.compile(
            r'^[ \t]*"?(?P<source>/[^"\s;]*)"?[ \t]+(?P<place>"?(?P<to>[^"\s;]+)"?)[ \t]*;', re.MULTILINE
        ),
    ),
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
    there = {pointer.source for pointer in there_is.pointers}
    leads = _ends(path, host, before, root, new)
    more = [
        rule
        for rule, (source, to) in zip(rules, moves, strict=True)
        if decode_path(rule.source) not in there and (leads is None or not leads(source, to).is_right)
    ]
    if path.suffix == ".json":
        data = _in_json(before, more, ends)
    else:
        data = _in_text(form, before, more, ends, there_is.pointers)
    leads = _ends(path, host, data, root, new)
    for source, to in moves:
        is_right, code = leads(source, to) if leads is not None else _End(True, "")
        if code == "redirect-loop":
            raise OptionError(f"{_OPTION} {path}", f"/{source} would lead in a circle", "correct the rules in the file")
        if not is_right:
            what = f"a rule in it leads /{source} elsewhere, and not to /{to}"
            raise OptionError(f"{_OPTION} {path}", what, "put that rule after the others, or remove it")
    return {path: data}


def _root(host: Host, site_uri: str) -> str:
    """Return the path at which the site is in the rules of a host, with slashes at both ends."""
    is_below = host.redirects_on_host or not host.redirect_files
    path = split(site_uri).path if is_below and site_uri.startswith("http") else "/"
    return path if path.endswith("/") else path + "/"


def _rules_in(name: str, data: bytes, host: Host, site_uri: str) -> FoundRules:
    """Return what a file says to a host. Whether rules come before files does not matter to what is written."""
    found = FoundRules()
    if data and name in host.redirect_files:
        add_rules(found, name, data, host._replace(plain_redirects=False), site_uri)
    return found


class _End(NamedTuple):
    """Whether a URL leads where it should; else the code of what is wrong."""

    is_right: bool
    code: str


def _ends(path: Path, host: Host, data: bytes, root: str, new: State) -> Callable[[str, str], _End] | None:
    """Return what says where the rules in a file lead (rule 4); None if that is not known."""
    context = new.context
    if path.name not in host.redirect_files or context is None or not isinstance(context.locator, Locator):
        return None
    found = _rules_in(path.name, data, host, new.uri)
    if host.redirects_always:
        found.rules = [rule._replace(always=True) for rule in found.rules]
    locator = Locator(context.files, new.uri, host, redirects=Redirects(found, root))

    def leads(source: str, to: str) -> _End:
        end, wanted = locator.locate(new.uri + source), locator.locate(new.uri + to.partition("#")[0])
        return _End(end.path == wanted.path and not end.code, end.code)

    return leads


def _in_text(
    form: _Format, data: bytes, rules: Sequence[Redirect], ends: Mapping[str, str], pointers: Iterable[Pointer]
) -> bytes:
    """Return a file with the targets replaced that have moved, and with more rules (rule 3)."""
    leads = ((pointer.span, ends.get(pointer.source) or ends.get(decode_path(pointer.to))) for pointer in pointers)
    spans = {span: to for span, to in leads if span is not None and to is not None}
    data = spliced(data, ((*span, to.encode()) for span, to in sorted(spans.items())))
    text = data.decode("utf-8", "surrogateescape")
    if form.target is not None:
        found = list(form.target.finditer(text))
        targets = ((each.span("place"), ends.get(decode_path(each["to"]))) for each in found)
        text = spliced(text, ((*span, json.dumps(to)) for span, to in targets if to is not None))
        there = {decode_path(each.groupdict().get("source", "")) for each in found}
        rules = [each for each in rules if decode_path(each.source) not in there]
    special = None if form.variable is None else form.variable.search(text)
    at = len(text) if special is None else special.start()
    before, after = text[:at], text[at:]
    if rules:
        between = "" if not before or before.endswith(form.apart) else form.apart[before.endswith("\n") :]
        more = between + form.apart.join(map(form.rule, rules)) + (form.apart if after else "\n")
        before += more.replace("\n", "\r\n") if "\r\n" in text else more
    return (before + after).encode("utf-8", "surrogateescape")


def _in_json(data: bytes, rules: Sequence[Redirect], ends: Mapping[str, str]) -> bytes:
    """Return the same for `vercel.json`."""
    found: dict[str, Any] = json.loads(data.decode("utf-8-sig")) if data else {}
    listed = found.setdefault("redirects", [])
    tables = [each if isinstance(each, dict) else {} for each in listed]
    for each in tables:
        if isinstance(each.get("destination"), str):
            each["destination"] = ends.get(decode_path(each["destination"]), each["destination"])
    special = (number for number, each in enumerate(tables) if re.search("[:(*]", str(each.get("source", ""))))
    at = next(special, len(listed))
    listed[at:at] = ({"source": _escaped(source), "destination": to, "permanent": True} for source, to in rules)
    return json.dumps(found, indent=2, ensure_ascii=False).encode() + b"\n"


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
