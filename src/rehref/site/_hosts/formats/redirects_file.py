"""The redirections that Netlify and Cloudflare Pages read in `_redirects`.

A line is `from [name=value…] to [status[!]] [condition…]`, separated by white space. `#` begins a comment, before the
line's first word or, after `to`, before any word. Cloudflare Pages: all rules take precedence over files; only a status
may follow `to`; a rule from `/*` or `/` to an index page is ignored, because it would loop ("Redirects",
developers.cloudflare.com/pages).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final
from urllib.parse import quote, unquote

from rehref.site._hosts.formats.changed_rules import with_rules
from rehref.site._hosts.formats.placeholders import (
    Caught,
    compiled_path,
    compiled_target,
    literal_path,
    literal_target,
    refuse_twice,
)
from rehref.site._hosts.formats.redirect_format import Format, Refused
from rehref.site._hosts.host_files import MARK
from rehref.site._hosts.hosts import Host
from rehref.site._hosts.redirect_rules import FoundRules, Pointer, RefusedError, Rule, Unread, span_of
from rehref.site._hosts.written_redirects import Redirect
from rehref.site._paths import origin
from rehref.uri.components import split

_STATUS = re.compile(r"([1-5][0-9]{2})(!?)", re.ASCII).fullmatch
_CONDITION = re.compile(r"(?:country|language|role|cookie)=", re.IGNORECASE).match
_PLACEHOLDER = re.compile(r":([A-Za-z]\w*+)", re.ASCII)
_CLOUDFLARE_STATUS = frozenset({200, 301, 302, 303, 307, 308})
_WITH_VARIABLE = re.compile(rb"^[ \t]*(?:/\S*)?[*:]", re.MULTILINE)
_INDEXES = ("/index", "/index.html")


def parse_redirects(found: FoundRules, data: bytes, name: str, *, plain: bool, site_uri: str = "") -> None:
    """Add the rules of a file called `name` to those that were found, its unread lines, and the plain targets.

    `plain`: as Cloudflare Pages reads them. `site_uri`: the URI of the folder, "" if unknown.
    """
    start = end = len(MARK) if data.startswith(MARK) else 0
    for number, content in enumerate(data[start:].split(b"\n"), start=1):
        start, end = end, end + len(content) + 1
        words = content.decode("utf-8", "replace").split()
        if not words or words[0].startswith("#"):
            continue
        where = f"{name}:{number}"
        try:
            rule = _parse(words, where, plain, site_uri)
        except RefusedError as refused:
            found.unread.append(Unread(name, number, str(refused)))
        else:
            found.rules.append(rule)
            for pointer in pointers_of(rule, words[0], name, number, (start, end - 1)):
                span = span_of(words, words.index(pointer.to, 1), content, range(start, end))
                found.pointers.append(pointer._replace(span=span))


def _read(found: FoundRules, path: str, data: bytes, host: Host, site_uri: str) -> None:
    parse_redirects(found, data, path, plain=host.plain_redirects, site_uri=site_uri)


def _add(data: bytes, redirects: Sequence[Redirect], host: Host) -> tuple[bytes, Refused]:
    return with_rules(data, redirects, partial(_line, host=host), _WITH_VARIABLE)


def _line(redirect: Redirect, host: Host) -> str:
    """Return the line for a redirect. Raises `RefusedError`."""
    parameters = [f"{quote(name, '')}={quote(value, '')}" for name, value in redirect.parameters()]
    if parameters and not host.redirects_by_query:
        raise RefusedError("on this host no redirect depends on a query")
    return " ".join((literal_path(redirect.encoded_path), *parameters, literal_target(redirect.to), "301"))


FORMAT: Final = Format("netlify", _read, _add)


def pointers_of(rule: Rule, source: str, name: str, line: int, place: tuple[int, int] | None) -> list[Pointer]:
    """Return the target of a rule for `source`, at a place of a file called `name`; nothing if it is not plain."""
    to = rule.to[0]
    if len(rule.to) != 1 or not isinstance(to, str):
        return []
    is_one = rule.parameters is None and "*" not in source and _PLACEHOLDER.search(source) is None
    only = rule.begins if is_one else ""
    is_for_all = rule.parameters is None and not rule.last and 300 <= rule.status < 400
    return [Pointer(name, line, to, None, only, rule.always, place if is_for_all else None)]


def _parse(words: list[str], where: str, plain: bool, site_uri: str) -> Rule:
    """Parse one line. Raises `RefusedError`."""
    if plain and is_whole(words[0]):
        raise RefusedError("this host supports paths, but not whole URLs")
    source = source_path(words[0], site_uri)
    parameters: list[tuple[str, str]] = []
    at = 1
    while at < len(words) and "=" in words[at] and not words[at].startswith(("/", "http:", "https:")):
        name, _, value = words[at].partition("=")
        parameters.append((name, value))
        at += 1
    if at == len(words):
        raise RefusedError("it has no target")
    target = words[at]
    check_target(target)
    status, forced, has_condition = _options(words[at + 1 :])
    if plain:
        if parameters or has_condition:
            raise RefusedError("this host supports neither parameters nor conditions")
        if status not in _CLOUDFLARE_STATUS:
            raise RefusedError(f"this host does not support rules with the status {status}")
        if source.endswith(("/*", "/")) and target.endswith(_INDEXES) and "://" not in target:
            raise RefusedError("this host ignores it, because it would loop")
    rule = redirect_of(where, source, parameters, target, status, loose=not plain)
    return rule._replace(always=plain or (forced and not has_condition), last=has_condition)


def is_whole(source: str) -> bool:
    """Whether a source is a whole URL, and not a path."""
    return "://" in source and not source.startswith("/")


def source_path(source: str, site_uri: str = "") -> str:
    """Return the path that a rule is for. Raises `RefusedError`."""
    path = _path_on_site(source, site_uri) if is_whole(source) else source
    if not path.startswith("/"):
        raise RefusedError(f"a path begins with a slash, and {path} does not")
    return path


def check_target(target: str) -> None:
    """Raise `RefusedError` if no rule can have that target."""
    if not target.startswith("/") and "://" not in target:
        raise RefusedError(f"{target} is neither a path from the root nor a whole URI")


def _path_on_site(url: str, site_uri: str) -> str:
    """Return the path of a whole URL below the site's, from the folder on (Netlify).

    Raises `RefusedError` for one on another site (`https://old.example/*`), or for the other of `http` and `https`: the
    rule does not concern this site.
    """
    found, site = split(url), split(site_uri)
    prefix = site.path.rstrip("/") + "/"
    same_scheme = (found.scheme or "").lower() == (site.scheme or "").lower()
    if not same_scheme or origin(found) != origin(site) or not (found.path + "/").startswith(prefix):
        raise RefusedError("it is for another site")
    return "/" + found.path[len(prefix) :]


def _options(words: list[str]) -> tuple[int, bool, bool]:
    """Return the status of a rule, whether it is forced, and whether it has a condition. Raises `RefusedError`."""
    status, forced, has_condition = 301, False, False
    for number, word in enumerate(words):
        found = _STATUS(word)
        if word.startswith("#"):
            break
        if number == 0 and found is not None:
            status, forced = int(found[1]), found[2] == "!"
        elif _CONDITION(word) is not None:
            has_condition = True
        else:
            raise RefusedError(f"{word} is neither a status nor a condition")
    return status, forced, has_condition


def redirect_of(
    where: str, source: str, parameters: Iterable[tuple[str, str]], target: str, status: int, *, loose: bool
) -> Rule:
    """Return a rule from its words. Raises `RefusedError`.

    `loose`: the slash at the end does not count, as for Netlify ("Redirect options", docs.netlify.com). A rule with a
    condition (`Country=`, `Language=`, `Role=`, `Cookie=`; Netlify) holds for some visitors only. It is tried last, and
    never takes precedence over a file: the check judges what all visitors get.
    """
    if source.count("*") > 1:
        raise RefusedError("it has more than one splat")
    path = compiled_path(source.rstrip("/") if loose else source, partial(_segment, loose=loose))
    ends_in_splat = loose and source.rstrip("/").endswith("/*")
    names, asked = path.names, []
    for name, value in parameters:
        is_any = _PLACEHOLDER.fullmatch(value) is not None
        asked.append((unquote(name), None if is_any else unquote(value)))
        names += [value[1:]] if is_any else []
    refuse_twice(names)
    numbers = {name: number for number, name in enumerate(names, start=1)}
    return Rule(
        where,
        path.begins,
        re.compile(rf"\A{path.pattern}{'/?' if loose and not ends_in_splat else ''}\Z", re.DOTALL),
        compiled_target(target, _PLACEHOLDER, lambda found: numbers.get(found[1], found[0])),
        status,
        parameters=tuple(asked) if asked else None,
    )


def _segment(segment: str, is_last: bool, *, loose: bool) -> Sequence[str | Caught]:
    """Return the texts and placeholders of a segment. Raises `RefusedError`.

    `:name` matches one segment or the rest of one, and one `*`, the splat, matches anything; in `to`, `:name` and
    `:splat` are replaced by what these matched. Netlify: `/a/*` matches `/a` too.
    """
    if segment == "*" and is_last and loose:
        return [Caught("splat", "(?:/(.*))?", with_slash=True)]
    pieces = re.split(r"(:[A-Za-z][A-Za-z0-9_]*+|\*)", segment)
    if len(pieces) > 3:
        # # adjacent placeholders could share their characters in many ways
        raise RefusedError(f"there is more than one placeholder in {segment}")
    return [
        piece if number % 2 == 0 else Caught("splat", "(.*)") if piece == "*" else Caught(piece[1:])
        for number, piece in enumerate(pieces)
    ]
