"""Pages of a server instead of a folder: `rehref check --external URL…`; with `--recursive` the pages they lead to.

Options about a folder are refused if a URL is named, and options about pages if none is; in a configuration, which may
be for both, they are ignored then. With `--recursive` robots.txt is followed, unless `--no-robots` is given.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from rehref.cli._commands.check.own_options import OF_CHECK
from rehref.cli.click_options import typed
from rehref.cli.messages import OptionError, say
from rehref.files.file_errors import is_url
from rehref.reports.terminal import count

if TYPE_CHECKING:
    from rehref.site.check import CheckRun
    from rehref.site.check_options import CheckOptions
    from rehref.site.site import Site

_OF_FOLDERS: Final = frozenset(row.name for row in OF_CHECK.values() if row.about == "folder")
"""The names of the options that are about a folder."""
_OF_PAGES: Final = frozenset(row.name for row in OF_CHECK.values() if row.about == "pages")
_OF_CRAWLS: Final = _OF_PAGES - {"recursive"}
_OF_WHOLE_SITES: Final = frozenset(row.name for row in OF_CHECK.values() if row.about == "whole site")


def urls_of(context: click.Context, targets: tuple[str, ...]) -> tuple[str, ...]:
    """Return the URLs of the named pages, in the form of requests; none for folders or files. Raises `OptionError`."""
    given = context.params
    named: list[str] = []
    if any(map(is_url, targets)):
        from rehref.site.check import first_pages, is_page

        named = [target for target in targets if is_page(target)]
    if not named:
        _refuse(context, _OF_PAGES, "is about pages of a server, but no URL is named")
        return ()
    urls = first_pages(named, "" if given["external"] else "--external")
    if len(named) < len(targets):
        other = next(target for target in targets if target not in named)
        raise OptionError(
            other, "is not a URL, but the other arguments are", "check folders and URLs one after the other"
        )
    _refuse(context, _OF_FOLDERS, "is about a folder, but a URL is named")
    if not given["recursive"]:
        _refuse(context, _OF_CRAWLS, "goes with --recursive only")
        _refuse(context, _OF_WHOLE_SITES, "needs all pages of the site", "add --recursive")
    return urls


def with_named_hosts(options: CheckOptions, urls: tuple[str, ...]) -> CheckOptions:
    """The options under which the local hosts of the named pages may be asked.

    A URL that a person types may be of an address that is not public (`http://127.0.0.1:8000/`), or have the name of a
    local host: that host is asked, with that port. Any other name has to lead to a public address, since others decide
    where it leads; and `rehref.check` needs `allow_private`, since its URL may come from anybody.
    """
    from rehref.web.servers import host_of, is_local_host

    named = frozenset(host_of(url) for url in urls if is_local_host(url))
    return options._replace(web=replace(options.web, named_hosts=named))


def fetched(context: click.Context, urls: tuple[str, ...], run: CheckRun) -> Site:
    """Fetch pages, and return the context of their check, which lasts until the command ends. Raises `OptionError`."""
    from rehref.cli.messages import beside_messages

    given = context.params
    with beside_messages(given) as progress:
        pages = context.with_resource(run.fetched(urls, partial(progress.show, what="pages")))
    if not given["quiet"]:
        for url, media_type in pages.no_documents:
            say(f"{url}: is {media_type}, which rehref does not read; it exists")
        if pages.not_asked:
            endless = pages.endless
            often = f"; most are {endless}?…, which may be endless (--exclude leaves them out)" if endless else ""
            more = count(len(pages.not_asked), "page")
            full = f"the pages that are kept fill {pages.most_bytes >> 20:,} MiB; check parts of the site with --scope"
            bound = full if pages.is_full else f"{given['max_pages']:,} were (--max-pages)"
            say(f"{more} more in scope not fetched, for {bound}{often}")
    return pages.context


def _refuse(context: click.Context, names: frozenset[str], what: str, remedy: str = "leave it out") -> None:
    """Raise `OptionError` if the command line has an option with one of these names."""
    for option in context.command.params:
        if option.name in names and typed(context, option.name):
            raise OptionError(max(option.opts, key=len), what, remedy)
