"""The redirections that Netlify and Cloudflare Pages read in `_redirects`.

1. A line of `_redirects` is `from [name=value…] to [status[!]] [condition…]`, separated by white space. `#` begins a
   comment, before the line's first word or, after `to`, before any word.
2. In `from`, `:name` matches one segment or the rest of one, and one `*`, the splat, matches anything; in `to`, `:name`
   and `:splat` are replaced by what these matched.
3. Netlify: `/a` and `/a/` are one path, and `/a/*` matches `/a` too; `name=:value` captures a query parameter; "!"
   gives a rule precedence over files ("Redirect options", docs.netlify.com).
4. A rule with a condition (`Country=`, `Language=`, `Role=`, `Cookie=`; Netlify) holds for some visitors only. It is
   tried last, and never takes precedence over a file: the check judges what all visitors get.
5. Cloudflare Pages: all rules take precedence over files; only a status may follow `to`; a rule from `/*` or `/` to an
   index page is ignored, because it would loop ("Redirects", developers.cloudflare.com/pages).
6. Netlify: a whole URL below the site's is a rule for its path. A rule for another site (`https://old.example/*`), or
   for the other of `http` and `https`, does not concern this site, and is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import unquote

from rehref.checking.hosting.host_files import MARK
from rehref.checking.hosting.redirects import (
    FoundRules,
    Pointer,
    RefusedError,
    Rule,
    Template,
    Unread,
    span_of,
)
from rehref.checking.paths import decode, origin
from rehref.uri.components import split

_STATUS = re.compile(r"([1-5][0-9]{2})(!?)", re.ASCII).fullmatch
_CONDITION = re.compile(r"(?:country|language|role|cookie)=", re.IGNORECASE).match
_PLACEHOLDER = re.compile(r":([A-Za-z]\w*+)", re.ASCII)
_CLOUDFLARE_STATUS = frozenset({200, 301, 302, 303, 307, 308})
_INDEXES = ("/index", "/index.html")


def parse_redirects(found: FoundRules, data: bytes, name: str, *, plain: bool, site_uri: str = "") -> None:
    """Add the rules of a file called `name` to those that were found, its unread lines, and the plain targets.

    `plain`: as Cloudflare Pages reads them (rule 5). `site_uri`: the URI of the folder, "" if unknown (rule 6).
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


def pointers_of(rule: Rule, source: str, name: str, line: int, place: tuple[int, int] | None) -> list[Pointer]:
    """Return the target of a rule for `source`, at a place of a file called `name`; nothing if it is not plain."""
    to = rule.to[0]
    if len(rule.to) != 1 or not isinstance(to, str):
        return []
    only = "" if "*" in source or _PLACEHOLDER.search(source) is not None else rule.begins
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
    """Return the path that a rule is for (rule 6). Raises `RefusedError`."""
    path = _path_on_site(source, site_uri) if is_whole(source) else source
    if not path.startswith("/"):
        raise RefusedError(f"a path begins with a slash, and {path} does not")
    return path


def check_target(target: str) -> None:
    """Raise `RefusedError` if no rule can have that target."""
    if not target.startswith("/") and "://" not in target:
        raise RefusedError(f"{target} is neither a path from the root nor a whole URI")


def _path_on_site(url: str, site_uri: str) -> str:
    """Return the path of a whole URL, from the folder on (rule 6). Raises `RefusedError`."""
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
    """Return a rule from its words; `loose`: the slash at the end does not count (rule 3). Raises `RefusedError`."""
    if source.count("*") > 1:
        raise RefusedError("it has more than one splat")
    names: list[str] = []
    path = source.rstrip("/") if loose else source
    segments = path.split("/")
    has_tail = loose and segments[-1] == "*"
    if has_tail:
        segments.pop()
    pattern = "/".join(_segment(segment, names) for segment in segments)
    if has_tail:
        names.append("splat")
        pattern += "(?:/(.*))?"
    elif loose:
        pattern += "/?"
    asked = []
    for name, value in parameters:
        is_any = _PLACEHOLDER.fullmatch(value) is not None
        asked.append((unquote(name), None if is_any else unquote(value)))
        if is_any:
            names.append(value[1:])
    if len(set(names)) != len(names):
        raise RefusedError("it has the same placeholder twice")
    return Rule(
        where,
        _beginning(segments, whole=not has_tail),
        re.compile(rf"\A{pattern}\Z", re.DOTALL),
        _template(target, names),
        status,
        parameters=tuple(asked) if asked else None,
    )


def _segment(segment: str, names: list[str]) -> str:
    """Return the pattern of a segment; appends the names of its captures to `names`. Raises `RefusedError`."""
    pieces = re.split(r"(:[A-Za-z][A-Za-z0-9_]*+|\*)", segment)
    if len(pieces) > 3:
        # # adjacent placeholders could share their characters in many ways
        raise RefusedError(f"there is more than one placeholder in {segment}")
    if len(pieces) == 1:
        return re.escape(decode(segment))
    before, placeholder, after = pieces
    names.append("splat" if placeholder == "*" else placeholder[1:])
    caught = "(.*)" if placeholder == "*" else "([^/]+)"
    return re.escape(decode(before)) + caught + re.escape(decode(after))


def _beginning(segments: list[str], *, whole: bool) -> str:
    """Return the beginning of all paths that the segments match; `whole`: they are the whole path."""
    literal: list[str] = []
    for segment in segments:
        if "*" in segment or _PLACEHOLDER.search(segment) is not None:
            return "/".join(literal) + "/"
        literal.append(decode(segment))
    beginning = "/".join(literal)
    return beginning if beginning != "" or not whole else "/"


def _template(target: str, names: list[str]) -> Template:
    """Return the target of a rule, with the numbers of `names` for their placeholders."""
    pieces = _PLACEHOLDER.split(target)
    # # split yields text and names in turn
    return tuple(
        piece if number % 2 == 0 else 1 + names.index(piece) if piece in names else ":" + piece
        for number, piece in enumerate(pieces)
    )
