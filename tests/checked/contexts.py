"""Sites for tests: their files, what documents are read within, and what a check finds there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from rehref.documents.options import ReadOptions
from rehref.site._checking import merged
from rehref.site._checks.all_checks import CHECKS
from rehref.site._grounds.files import Files
from rehref.site._grounds.serving import Located
from rehref.site._grounds.site_context import CheckScope
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.findings import CheckResult, Finding
from rehref.site.given_options import all_options, check_options
from rehref.site.site import Site


def written(folder: Path, files: Mapping[str, str | bytes] | Mapping[str, str]) -> Path:
    """A folder with these files, by their paths below it; texts are in UTF-8."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def checked(folder: Path, files: Mapping[str, str | bytes] | Mapping[str, str], /, **options: Any) -> CheckResult:
    """The result of checking a folder with these files; `options`: the fields of `CheckOptions`."""
    return CheckRun().check(Site.of(written(folder, files), CheckOptions(**{"jobs": 1, **options}))).result


def host_named(name: str) -> Any:
    """The value of `CheckOptions.host` for the name of a host."""
    return check_options(all_options({"host": name})).host


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


def found(folder: Path, page: str, name: str = "index.html", **options: Any) -> list[Finding]:
    return list(checked(folder, {name: page}, **options).findings)


def codes(findings: list[Finding]) -> list[tuple[str, str, str]]:
    return [(finding.reference, finding.code, finding.severity) for finding in findings]
