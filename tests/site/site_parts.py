"""Parts of the checker for its own tests: what documents are read within, and what one check finds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rehref.documents.options import ReadOptions
from rehref.site._checking import merged
from rehref.site._checks.all_checks import CHECKS
from rehref.site._grounds.files import Files
from rehref.site._grounds.serving import Located
from rehref.site._grounds.site_context import CheckScope
from rehref.site.check_options import CheckOptions
from rehref.site.findings import Finding
from rehref.site.site import Site


def context_of(
    uri: str, locate: Callable[[str], tuple[Any, ...]], folder: str | Path = "/srv/www", **options: Any
) -> Site:
    """A folder that is at `uri`, of which nothing is known but where targets lead; `options`: how it is read.

    `locate`: gives the values of what `Site.where` does.
    """
    given = CheckOptions(site_url=uri, how=ReadOptions(**options))
    locator: Any = SimpleNamespace(locate=lambda target: Located(*locate(target)))
    files = Files(frozenset(), frozenset())
    return Site(Path(folder), given, uri, files, locator, scope=CheckScope(given))


def found_by(name: str, context: Site) -> list[Finding]:
    """What the check of that name finds in a site, the pages of which are read for it."""
    context = context._replace(options=context.options._replace(checks=frozenset({name})))
    table = merged(context)
    check = next(check for check in CHECKS if check.name == name)
    return list(check.findings(context, table, table.facts.get(name, {})))
