"""What `rehref check` is asked for, as the checker takes it.

1. What cannot be is found out before any file is read: a URL that cannot be a base, an expression that is none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rehref.base import Candidate
from rehref.checking.checks.registry import ON_REQUEST
from rehref.checking.hosting.hosts import HOSTS
from rehref.cli.click_options import refuse_no_base, refuse_unknown_encoding
from rehref.cli.commands.check.selection_options import Selected
from rehref.cli.errors import OptionError
from rehref.options import read_options

if TYPE_CHECKING:
    from rehref.checking.expressions import Expression
    from rehref.checking.options import CheckOptions

_SHOWN = 80


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
        encoding=given["encoding"],
        how=read_options(given),
        include=_patterns("--include", given["include"]),
        exclude=_patterns("--exclude", given["exclude"]),
        exclude_paths=tuple(given["exclude_path"]),
        **selected._asdict(),
        ignore_attributes=tuple(map(str.lower, given["ignore_attributes"])),
        jobs=given["jobs"],
        fragments=not given["no_fragments"],
        script_ids=_patterns("--script-ids", given["script_ids"]),
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
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
            raise OptionError(f"{option} {shown}", str(error), "correct it") from error
    return tuple(patterns)
