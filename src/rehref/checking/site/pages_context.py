"""What pages of a server are read within: the same as a folder is (`SiteContext`), with pages in the place of files.

1. Nothing is inferred: where a page is, its URL says. What a host does with paths it does itself.
2. The URI of the site is the root of the host of the first page; a target below it need not be a page.
3. Options that are about a folder (`OF_FOLDERS`) do not matter.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

from rehref.checking.model import SitePlace
from rehref.checking.options import OF_FOLDERS, CheckOptions
from rehref.checking.site.check_scope import CheckScope
from rehref.checking.site.fetched import Fetched, PageLocator
from rehref.checking.site.site_context import SiteContext
from rehref.checking.target_map import TargetMap
from rehref.uri.components import split

_FOLDER_OPTIONS: Final[Mapping[str, object]] = {
    **{each.name: each.default for each in fields(CheckOptions) if each.name in OF_FOLDERS},
    "infer": False,
}
"""The fields of `CheckOptions` that do not matter here (rule 3), and what they are then."""


def pages_context(
    first: str, fetched: Fetched, options: CheckOptions, known: Container[str] | None = None
) -> SiteContext:
    """What some pages are read and checked within.

    `first`: the URL of the first page. `known`: the URLs that are taken for pages, if not those that were fetched.
    """
    options = replace(options, **_FOLDER_OPTIONS)  # type: ignore[arg-type]
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
