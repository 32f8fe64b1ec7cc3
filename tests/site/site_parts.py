"""A site of which nothing is known but where targets lead, and what one check finds: for tests of the checker."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from rehref.documents.options import ReadOptions
from rehref.site.check import CheckRun
from rehref.site.check_options import CheckOptions
from rehref.site.codes import CODES
from rehref.site.findings import Finding
from rehref.site.site import Site


@cache
def _empty() -> Site:
    with TemporaryDirectory() as folder:
        return Site.of(Path(folder), CheckOptions())


def files_of(paths: Iterable[str], folders: Iterable[str] | None = None) -> Any:
    """What `Site.files` is of a folder with these files. `folders`: those in it, by default those of the files."""
    if folders is None:
        folders = {path.rpartition("/")[0] for path in paths}
        folders = {"/".join(folder.split("/")[:end]) for folder in folders for end in range(folder.count("/") + 2)}
    return _empty().files._replace(paths=frozenset(paths), folders=frozenset({"", *folders}))


def context_of(
    uri: str, locate: Callable[[str], tuple[Any, ...]], folder: str | Path = "/srv/www", **options: Any
) -> Site:
    """A folder that is at `uri`, of which nothing is known but where targets lead; `options`: how it is read.

    `locate`: gives the values of what `Site.where` does.
    """
    with TemporaryDirectory() as empty:
        site = Site.of(Path(empty), CheckOptions(site_url=uri, how=ReadOptions(**options)))
    here = site.where(uri)._replace(outside=False)

    def located(target: str) -> object:
        return here._replace(**dict(zip(here._fields, locate(target), strict=False)))

    locator: Any = SimpleNamespace(locate=located)
    return site._replace(folder=Path(folder), locator=locator)


def found_by(name: str, context: Site) -> list[Finding]:
    """What the check of that name finds in a site, and what cannot be read there."""
    context = context._replace(options=context.options._replace(checks=frozenset({name})))
    return [
        each
        for each in CheckRun().check(context).result.findings
        if CODES[each.code].check == name or each.code == "unreadable"
    ]
