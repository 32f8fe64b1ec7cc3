"""Redirections for what has moved, in the syntax of a host, merged into the file that there is.

The name of the file decides: `_redirects` (Netlify, Cloudflare Pages, GitLab Pages), `.htaccess` (Apache),
`netlify.toml`, `vercel.json`, `*.map` (lines for a `map` of nginx). For a folder, pages that refresh are written, with
a script that keeps the fragment; a file that exists is never replaced. No other line of the file is lost. Only moves
that are certain are written, each from every URL that nothing answers any more, directly to the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError
from rehref.files.reading_files import read_file
from rehref.site._grounds.locating import Locator
from rehref.site._grounds.site_context import SiteContext
from rehref.site._hosts.configured import read_redirects
from rehref.site._hosts.formats.all_formats import FORMATS, format_of
from rehref.site._hosts.formats.changed_rules import with_targets
from rehref.site._hosts.formats.redirect_format import Format
from rehref.site._hosts.formats.refresh_pages import pages_for
from rehref.site._hosts.hosts import HOSTS, Host
from rehref.site._hosts.redirect_rules import FoundRules, Pointer, RefusedError
from rehref.site._hosts.written_redirects import Planned, Redirect
from rehref.site._paths import decode, decode_path, encode, folded
from rehref.site.findings import UnwrittenRedirect
from rehref.uri.components import split

_UNUSABLE: Final = ("it is not an object", "redirects is not a list of rules")
_ROUNDS: Final = 10
_NOWHERE: Final = "nowhere"


class NewSite(NamedTuple):
    """The site to which redirects lead: its URI, its context if that is known, and all URLs that it answers."""

    uri: str
    context: SiteContext | None
    addresses: Collection[str]


class WrittenRedirects(NamedTuple):
    """The files with redirections that change, with their new content; how many URLs lead on, and which do not."""

    files: Mapping[Path, bytes]
    number: int
    unwritten: tuple[UnwrittenRedirect, ...]


def is_for_pages(path: Path) -> bool:
    """Whether the name is that of a folder, into which pages that refresh are written."""
    return path.is_dir() or not (path.suffix or path.name in FORMATS or path.name == "-")


def format_of_file(option: str, path: Path) -> Format:
    """Return the format of a file, by its name. Raises `OptionError`."""
    form = format_of(path.name)
    if form is None:
        raise OptionError(f"{option} {path}", "names no format", f"name a folder, {', '.join(FORMATS)}")
    return form


def with_redirects(
    path: Path, new: NewSite, planned: Iterable[Planned], before: bytes | None = None, *, known: Collection[str] = ()
) -> WrittenRedirects:
    """Return the files with redirections, only those that `Planned.redirect` lets through.

    One that cannot be written keeps back no other. Raises `FileError`, `OptionError`. `before`: the content of the
    file, if it is not what is there. `known`: URLs of the old state, so that no rule matches one that it is not for.
    """
    moves, unwritten = dict[Redirect, str](), list[UnwrittenRedirect]()
    for each in planned:
        try:
            moves[each.redirect()] = each.url
        except RefusedError as refused:
            unwritten.append(UnwrittenRedirect(each.url, str(refused)))
    if is_for_pages(path):
        files, left = pages_for(path, moves)
        number = len(files)
    else:
        files, left = _in_file(path, new, moves, before, known)
        number = len(moves) - len(left) if files else 0
    unwritten += (UnwrittenRedirect(moves[move], reason) for move, reason in left.items())
    return WrittenRedirects(files, number, tuple(unwritten))


def _in_file(
    path: Path, new: NewSite, moves: dict[Redirect, str], before: bytes | None, known: Collection[str]
) -> tuple[dict[Path, bytes], dict[Redirect, str]]:
    """Return the file if it changes, and what is left out, with the reasons. Raises `FileError`, `OptionError`.

    `moves`: with their URLs; those of the host that reads the file are added, even if the states were read for another.
    """
    form = format_of_file("redirects", path)
    if before is None:
        before = read_file(path) if path.exists() else b""
    merging, left = _Merging(path, form, before, new, known), dict[Redirect, str]()
    for each in list(merging.pretty(moves)):
        moves[each] = each.source[1:]
    for _ in range(_ROUNDS):
        data, wrong = merging.merged([each for each in moves if each not in left])
        left |= wrong
        if not wrong:
            return {} if data == before else {path: data}, left
    raise OptionError(f"redirects {path}", "the rules in it are in the way of the new ones", "name another format")


class _Merging:
    """Merges redirections into one file."""

    def __init__(self, path: Path, form: Format, before: bytes, new: NewSite, known: Collection[str]) -> None:
        """Raises `FileError` for a file that cannot be read."""
        self._host = _host_of(path, form, before, new)
        self._path, self._form, self._before, self._new, self._known = path, form, before, new, known
        self._there_is = self._rules_in(before)
        unread = self._there_is.unread
        if any(each.line is None or each.reason in _UNUSABLE for each in unread):
            raise FileError(str(path), unread[0].reason, "correct it")

    def pretty(self, moves: Collection[Redirect]) -> Iterator[Redirect]:
        """Yield the redirects for the URLs without an extension at which the host had the same pages."""
        site, paths = self._site(b""), {move.path for move in moves}
        for move in moves:
            for extension in self._host.fallback_extensions if move.query is None else ():
                stem = move.source.removesuffix(f".{extension}")
                if stem == move.source or stem.endswith("/") or decode_path(stem) in paths:
                    continue
                if stem[1:] not in self._new.addresses if site is None else site.page_at(stem) is None:
                    yield move._replace(source=stem)

    def merged(self, moves: Iterable[Redirect]) -> tuple[bytes, dict[Redirect, str]]:
        """Return the file with redirections, and those that are wrong then, with the reasons.

        New rules come before the first one with a variable, since the first match counts. The result is read by the
        code that reads such files for a check. A URL that then does not lead to its new place (a rule may lead in a
        circle, or take the URL elsewhere before) is left out, with all that was changed for it. In `vercel.json` the
        rules are written anew if there are more, or fewer.
        """
        root = _root(self._host, self._new.uri)
        rules = {move: move.below(root) for move in moves}
        rules = dict(zip(rules, self._with_case(rules.values(), root), strict=True))
        ends = {rule.path: rule.to for rule in rules.values() if rule.query is None}
        site = self._site(self._before)
        news = _news(self._there_is.pointers, ends, site)
        data = with_targets(self._path.name, self._before, news, self._form.without)
        site, there = self._site(data), {pointer.sent or pointer.source for pointer in self._there_is.pointers}
        more = list[Redirect]()
        for move, rule in rules.items():
            is_there = rule.path in there if rule.query is None else site is None and rule.source in there
            if not is_there and (site is None or self._fault_of_redirect(site, move)):
                more.append(rule)
        more.sort(key=lambda rule: rule.query is None)  # a rule without a query holds for any
        data, refused = self._form.add(data, more, self._host)
        wrong = {move: refused[rule] for move, rule in rules.items() if rule in refused}
        site = self._site(data)
        for move in rules.keys() - wrong.keys() if site is not None else ():
            code = self._fault_of_redirect(site, move)
            if code:
                wrong[move] = self._reason(code, move, rules[move].path, data)
        return data, wrong

    def _with_case(self, rules: Collection[Redirect], root: str) -> Iterator[Redirect]:
        """Yield the redirects, with what is to know of URLs that differ from theirs in case alone."""
        context = self._new.context
        there = map(decode_path, self._new.addresses) if context is None else context.files.paths
        paths = {root + path.removeprefix("/") for path in (*there, *map(decode_path, self._known))}
        paths.update(pointer.source for pointer in self._there_is.pointers)
        often = Counter(map(folded, paths.union(rule.path for rule in rules)))
        for rule in rules:
            key = folded(rule.path)
            yield rule._replace(case_matters=often[key] > 1 or key == folded(decode_path(rule.to)))

    def _reason(self, code: str, move: Redirect, path: str, data: bytes) -> str:
        if code == _NOWHERE:
            return f"there is nothing at {move.to}"
        if code == "redirect-loop":
            return "with the rules in the file it would lead in a circle"
        if all(pointer.source != path for pointer in self._rules_in(data).pointers):
            return f"this kind of file cannot say that it leads to {move.to}"
        return f"another rule in the file comes first, and leads elsewhere than to {move.to}"

    def _rules_in(self, data: bytes) -> FoundRules:
        """Return what the file says to its host."""
        found = FoundRules()
        if data:
            self._form.read(found, self._path.name, data, self._host, self._new.uri)
        return found

    def _site(self, data: bytes) -> Locator | None:
        """Return what finds the files of the new site, with the rules in a file; None if that is not known."""
        context, name = self._new.context, self._path.name
        if name not in self._host.redirect_files or context is None or not isinstance(context.locator, Locator):
            return None
        redirects = read_redirects(context.folder, {name}, self._host, self._new.uri, {name: data})
        return Locator(context.files, self._new.uri, self._host, redirects=redirects)

    def _fault_of_redirect(self, site: Locator | None, move: Redirect) -> str:
        """Return what is wrong about where a URL leads, as a code; "" if it is right, or not known."""
        if site is None:
            return ""
        source = self._new.uri + move.source[1:]
        if not move.to.startswith("/"):
            step = site.step_from(source)
            return "" if step is not None and decode(step.to) == decode(move.to) else "elsewhere"
        end, wanted = site.locate(source), site.locate(self._new.uri + move.to[1:].partition("#")[0])
        if wanted.code == "missing-file":
            return _NOWHERE
        return end.code or ("" if end.path == wanted.path else "elsewhere")


def _news(
    pointers: Iterable[Pointer], ends: Mapping[str, str], site: Locator | None
) -> Iterator[tuple[Pointer, str | None]]:
    """Yield the rules that change, with their new targets; None: it goes. `ends`: where URLs lead from now on.

    A rule that leads to what has moved gets the new target in its place in the text, so that there are no chains; one
    for a path that is a page again goes. A path that has a rule of its own, or that rules lead there already, gets no
    second one. `site`: what finds files on the new site, if that is known.
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


def _host_of(path: Path, form: Format, data: bytes, new: NewSite) -> Host:
    """Return the host that a file is for: that of the new site, if it reads such a file."""
    on_site = None if new.context is None else new.context.host
    if on_site is not None and path.name in on_site.redirect_files:
        return on_site
    host = HOSTS[form.host]
    return host if host.settings is None else host._replace(**host.settings(data))


def _root(host: Host, site_uri: str) -> str:
    """Return the path at which the site is in the rules of a host, with slashes at both ends."""
    path = split(site_uri).path if host.redirects_on_host and site_uri.startswith("http") else "/"
    return path if path.endswith("/") else path + "/"
