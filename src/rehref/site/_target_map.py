"""Replacing targets before they are judged: `--remap`, and other host names of the site.

Every target is mapped, including targets of redirections. After the rules, a target on another host name of the site
(http or https) becomes the same path on the site. If the site has no host itself (`file:`), its folder is the root of
that host.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rehref.site._expressions import ExpressionError, Searched
from rehref.site._paths import origin
from rehref.uri.components import split
from rehref.uri.resolver import Resolver

_GROUP = re.compile(r"\\(?:([0-9])|g<([^<>]*)>|(\\)|.?)", re.DOTALL)


class Remap(NamedTuple):
    """A rule: a pattern, and the replacement for its match in a target, without its fragment.

    The first that matches counts.
    """

    pattern: Searched
    replacement: str


def remap_of(pattern: Searched, replacement: str) -> Remap:
    """Return the rule for a pattern. Raises `ExpressionError` if the replacement names an unknown group."""
    compiled = pattern if isinstance(pattern, re.Pattern) else pattern.compiled
    for found in _GROUP.finditer(replacement):
        number, name, backslash = found.groups()
        is_there = number is not None and int(number) <= compiled.groups
        if not (is_there or name in compiled.groupindex or backslash):
            raise ExpressionError(f"{found[0]} in the replacement is not a group of the pattern")
    return Remap(pattern, replacement)


class TargetMap:
    """Maps each target to the URI that is judged in its place."""

    def __init__(self, site_uri: str, remaps: Sequence[Remap] = (), own_hosts: Sequence[str] = ()) -> None:
        """`site_uri`: as in `Locator`. `own_hosts`: host names, with a port or without."""
        self._remaps = remaps
        self._own = {origin(split(f"http://{host}/")) for host in own_hosts}
        self._resolver = Resolver(site_uri)
        parts = split(site_uri)
        is_hosted = (parts.scheme or "").lower() in ("http", "https")
        self._root = f"{parts.scheme}://{parts.authority}" if is_hosted else site_uri.rstrip("/")

    def __bool__(self) -> bool:
        """Whether there is anything to map."""
        return bool(self._remaps or self._own)

    def __call__(self, target: str) -> str:
        """Return the URI that is judged in the place of a target without a fragment."""
        for pattern, replacement in self._remaps:
            found = pattern.search(target)
            if found is not None:
                target = self._resolver(target[: found.start()] + _expanded(replacement, found) + target[found.end() :])
                break
        if self._own and target[:4].lower() == "http":
            parts = split(target)
            if parts.authority and origin(parts) in self._own:
                path = parts.path if parts.path.startswith("/") else "/" + parts.path
                return self._root + path + ("" if parts.query is None else f"?{parts.query}")
        return target


def _expanded(replacement: str, found: re.Match[str]) -> str:
    r"""Return a replacement with its groups filled in, relative to the site's URI.

    `\1` and `\g<name>` mean groups (`\0` the whole match), `\\` a backslash.
    """

    def text_of(group: re.Match[str]) -> str:
        number, name, backslash = group.groups()
        return backslash or found[int(number) if number is not None else name] or ""

    return _GROUP.sub(text_of, replacement)
