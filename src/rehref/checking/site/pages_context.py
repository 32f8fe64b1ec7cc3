"""The context for pages of a server: the same as for a folder (`SiteContext`), with pages in place of files.

1. Nothing is inferred: the URL of a page says where it is. Rules of hosts are not applied: the host itself did that.
2. The URI of the site is the root of the host of the first page; a target below it need not be a page.
3. Options about folders have no effect.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from pathlib import Path
from typing import Any, Final

from rehref.checking.model import SitePlace
from rehref.checking.option_table import OF_FOLDERS
from rehref.checking.options import CheckOptions
from rehref.checking.site.check_scope import CheckScope
from rehref.checking.site.fetched import Fetched, PageLocator
from rehref.checking.site.site_context import SiteContext
from rehref.checking.target_map import TargetMap
from rehref.uri.components import split

_NO_FOLDER: Final = CheckOptions(infer=False)
_FOLDER_OPTIONS: Final[Mapping[str, Any]] = {
    name: value
    for name, value in _NO_FOLDER._asdict().items()
    if name in {"infer", "exclude_paths", *(row.name for row in OF_FOLDERS)}
}
"""The fields of `CheckOptions` that have no effect here (rule 3), with the values that they get."""
_GIVEN: Final[Any] = {row.name: row.default for row in OF_FOLDERS}


def pages_context(
    first: str, fetched: Fetched, options: CheckOptions, known: Container[str] | None = None
) -> SiteContext:
    """Return the context in which pages are read and checked.

    `first`: the URL of the first page. `known`: the URLs that count as pages, if not those that were fetched.
    """
    options = options._replace(**_FOLDER_OPTIONS, given={**options.given, **_GIVEN})
    parts = split(first)
    uri = f"{parts.scheme}://{parts.authority}/"
    urls = frozenset(page.url for page in fetched.pages.values()) if known is None else known
    return SiteContext(
        Path(),
        options,
        uri,
        fetched.files(),
        PageLocator(urls, TargetMap(uri, options.remap)),
        charsets=fetched.charsets(options.encoding),
        scope=CheckScope(options, tuple(sorted(fetched.pages))),
        place=SitePlace(first, uri),
        fetched=fetched,
    )
