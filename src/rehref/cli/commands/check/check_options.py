"""What `rehref check` is asked for, as the checker takes it.

1. What cannot be is found out before any file is read: a URL that cannot be a base, an expression that is none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rehref.base import Candidate
from rehref.checking.checks.registry import ON_REQUEST
from rehref.checking.client_routes import CLIENT_ROUTES
from rehref.checking.hosting.hosts import HOSTS
from rehref.cli.click_options import attributes_of, refuse_no_base, refuse_unknown_encoding
from rehref.cli.commands.check.selection_options import Selected
from rehref.cli.errors import OptionError
from rehref.options import read_options

if TYPE_CHECKING:
    from rehref.checking.expressions import Expression
    from rehref.checking.options import CheckOptions
    from rehref.checking.target_map import Remap

_SHOWN = 80
_HOST = re.compile(r"(?:\[[0-9A-Fa-f:.]+\]|[^\s:/?#@\[\]\\]+)(?::[0-9]{1,5})?").fullmatch


def check_options(given: dict[str, Any], selected: Selected) -> CheckOptions:
    """The options of the checker, from those of the command line. Raises `OptionError`."""
    from rehref.checking.options import CheckOptions

    site_url = given["site_url"]
    if site_url is not None:
        refuse_no_base("--site-url", site_url, (Candidate(site_url, "default", "--site-url"),), given["profile"])
    refuse_unknown_encoding(given["encoding"])
    return CheckOptions(
        site_url=site_url,
        root_dir=given["root_dir"],
        host=HOSTS[given["host"]],
        fallback_extensions=_names(given["fallback_extensions"], "."),
        index_files=_names(given["index_files"]),
        own_hosts=tuple(map(_own_host, given["own_hosts"])),
        remap=tuple(map(_remap, given["remap"])),
        directory_listing=given["directory_listing"],
        document_extensions=_names(given["document_extensions"], ".") or (),
        encoding=given["encoding"],
        how=read_options({**given, "attributes": attributes_of(given)}),
        include=_patterns("--include", given["include"]),
        exclude=_patterns("--exclude", given["exclude"]),
        exclude_paths=tuple(given["exclude_path"]),
        **selected._asdict(),
        ignore_attributes=tuple(map(str.lower, given["ignore_attributes"])),
        jobs=given["jobs"],
        fragments=not given["no_fragments"],
        script_ids=(
            *_patterns("--script-ids", given["script_ids"]),
            *(CLIENT_ROUTES[name] for name in given["client_routes"]),
        ),
        checks=frozenset(check.name for check in ON_REQUEST if given[check.name]),
    )


def _names(text: str | None, without: str = "") -> tuple[str, ...] | None:
    """What stands between commas, without white space around it, and without some characters before it."""
    if text is None:
        return None
    names = (name.strip() for name in text.split(","))
    return tuple(name.lstrip(without) if without else name for name in names if name)


def _patterns(option: str, texts: Sequence[str]) -> tuple[Expression, ...]:
    from rehref.checking.expressions import Expression, ExpressionError

    patterns = []
    for text in texts:
        try:
            patterns.append(Expression(text, option))
        except ExpressionError as error:
            raise _wrong(option, text, error) from error
    return tuple(patterns)


def _wrong(option: str, text: str, error: ValueError) -> OptionError:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return OptionError(f"{option} {shown}", str(error), "correct it")


def _own_host(text: str) -> str:
    """The name of a host, with a port or without."""
    if _HOST(text) is None:
        raise OptionError(f"--own-host {text}", "is not the name of a host", "write such as www.example.org")
    return text


def _remap(text: str) -> Remap:
    """A rule, from a pattern and what replaces it; the first = stands between them."""
    from rehref.checking.expressions import Expression, ExpressionError
    from rehref.checking.target_map import remap_of

    pattern, equals, replacement = text.partition("=")
    if not pattern or not equals:
        raise OptionError(f"--remap {text}", "is not REGEX=URL", "write = between the two, and \\x3D for one in REGEX")
    try:
        return remap_of(Expression(pattern, "--remap"), replacement)
    except ExpressionError as error:
        raise _wrong("--remap", text, error) from error
