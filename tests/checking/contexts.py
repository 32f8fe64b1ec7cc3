"""What documents are read within, for tests that need no folder for that."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rehref.checking.checks.registry import CHECKS
from rehref.checking.model import Finding
from rehref.checking.options import CheckOptions
from rehref.checking.run import merged
from rehref.checking.site.files import Files
from rehref.checking.site.serving import Located
from rehref.checking.site.site_context import CheckScope, SiteContext
from rehref.options import ReadOptions


def context_of(
    uri: str, locate: Callable[[str], Located], folder: str | Path = "/srv/www", **options: Any
) -> SiteContext:
    """A folder that is at `uri`, of which nothing is known but where targets lead; `options`: how it is read."""
    given = CheckOptions(site_url=uri, how=ReadOptions(**options))
    locator: Any = SimpleNamespace(locate=locate)
    files = Files(frozenset(), frozenset())
    return SiteContext(Path(folder), given, uri, files, locator, scope=CheckScope(given))


def found_by(name: str, context: SiteContext) -> list[Finding]:
    """What the check of that name finds in a site, the pages of which are read for it."""
    context = context._replace(options=context.options._replace(checks=frozenset({name})))
    table = merged(context)
    check = next(check for check in CHECKS if check.name == name)
    return list(check.findings(context, table, table.facts.get(name, {})))
