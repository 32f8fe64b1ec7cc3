"""What the module of a format provides: how a host reads such a file, and how redirects come into it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from rehref.site._hosts.hosts import Host
from rehref.site._hosts.redirect_rules import FoundRules, RefusedError
from rehref.site._hosts.written_redirects import Redirect

Refused: TypeAlias = dict[Redirect, str]
"""Redirects that are not written, with the reasons, for people."""
_Rule = TypeVar("_Rule")


def expressed(redirects: Iterable[Redirect], express: Callable[[Redirect], _Rule]) -> tuple[list[_Rule], Refused]:
    """Return what a function returns for each redirect, and those for which it raises `RefusedError`."""
    rules, refused = list[_Rule](), Refused()
    for each in redirects:
        try:
            rules.append(express(each))
        except RefusedError as error:
            refused[each] = str(error)
    return rules, refused


class Format(NamedTuple):
    """A kind of file with redirects. `host`: the name of a host that reads it.

    `read`: adds what a file says to what was found, given its path below the folder, its content, its host, and the URI
    of the folder; raises nothing. `add`: returns the content with more redirects, for a host, and those that the format
    cannot express, with the reasons. `without`: returns the content without the rules for some decoded paths; None: a
    rule goes with its lines.
    """

    host: str
    read: Callable[[FoundRules, str, bytes, Host, str], None]
    add: Callable[[bytes, Sequence[Redirect], Host], tuple[bytes, Refused]]
    without: Callable[[bytes, Collection[str]], bytes] | None = None
