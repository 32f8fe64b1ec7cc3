"""What checking a folder can be asked for.

1. Everything has a default: `CheckOptions()`.
2. All values are plain, so that they can be handed to other processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rehref.checking.expressions import Searched
from rehref.checking.hosting.hosts import Host
from rehref.checking.ignoring import IGNORE_ATTRIBUTE
from rehref.checking.target_map import Remap
from rehref.options import READ_OPTIONS, ReadOptions
from rehref.web.options import WebOptions

WEB_OPTIONS: Final = WebOptions()
"""How servers are asked, if nothing else is asked for."""
ACCEPTED: Final = (range(100, 104), range(200, 300))
"""The statuses of servers that are fine, if nothing else is asked for."""


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How a folder is checked.

    `site_url`: the URI of the folder; it ends in a slash, or one is added. `root_dir`: a folder below it, "" for
    itself, in which paths are looked up that lead out of the site on its own host. `host`: the rules by which paths
    become files. What these do not say is inferred from the files (`rehref.checking.placing`); if not `infer`, it is
    the folder's `file:` URI, and no host. `own_hosts`: other host names that are this site, too, with a port or
    without. `remap`: what targets are replaced by before they are judged (`rehref.checking.target_map`).
    `directory_listing`: whether a folder without an index file is shown all the same. `document_extensions`: more
    endings of names, without the dot, of files that are HTML. `fallback_extensions`, `index_files`: if not None, they
    replace those of the host (extensions without the dot).

    `encoding`: a label of an encoding in which all documents are read, whatever the host and they say. `how`: how they
    are read; of its fields those count that `rehref check` has options for.

    `include`, `exclude`: patterns (`rehref.checking.expressions`, or of Python's `re`) searched for in references as
    they are written, and in their targets; what no `include` or some `exclude` matches is skipped. `exclude_paths`:
    globs for paths below the folder, with slashes (`*` stops at none); what they match is not checked, but may be
    linked to. `files`: the paths of documents, or of folders of them, that alone are checked, within the whole site;
    None: all of it.

    `select`, `ignore`, `error`, `warn`: names of codes and of their groups: what is reported, what is not, what is an
    error and what a warning (`rehref.checking.selection`). `per_path_ignores`: patterns as `.rehrefignore` has, each
    with what is not reported of the documents that it matches. `ignore_attributes`: what an element is left out by,
    with all that is in it.

    `fragments`: whether they are checked. `script_ids`: patterns for whole fragments, decoded, that scripts make, and
    that are right on every page. `checks`: the names of those that are made if they are asked for
    (`rehref.checking.checks.registry`). `lists_external`: whether the result has the URLs on other sites.

    `web`: how servers are asked, if they are (the check `external`); `accept`: the statuses of theirs that are fine.

    `jobs`: processes, None for as many as are worth it.
    """

    site_url: str | None = None
    root_dir: str | None = None
    host: Host | None = None
    infer: bool = True
    fallback_extensions: tuple[str, ...] | None = None
    index_files: tuple[str, ...] | None = None
    own_hosts: tuple[str, ...] = ()
    remap: tuple[Remap, ...] = ()
    directory_listing: bool = False
    document_extensions: tuple[str, ...] = ()
    encoding: str | None = None
    how: ReadOptions = READ_OPTIONS
    include: tuple[Searched, ...] = ()
    exclude: tuple[Searched, ...] = ()
    exclude_paths: tuple[str, ...] = ()
    files: tuple[str, ...] | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    error: tuple[str, ...] = ()
    warn: tuple[str, ...] = ()
    per_path_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    ignore_attributes: tuple[str, ...] = (IGNORE_ATTRIBUTE,)
    jobs: int | None = None
    lists_external: bool = False
    fragments: bool = True
    script_ids: tuple[Searched, ...] = ()
    checks: frozenset[str] = frozenset()
    web: WebOptions = WEB_OPTIONS
    accept: tuple[range, ...] = ACCEPTED


OF_FOLDERS: Final[Mapping[str, str]] = {
    "site_url": "site_url",
    "root_dir": "root_dir",
    "host": "host",
    "infer": "no_infer",
    "fallback_extensions": "fallback_extensions",
    "index_files": "index_files",
    "own_hosts": "own_hosts",
    "directory_listing": "directory_listing",
    "document_extensions": "document_extensions",
    "exclude_paths": "exclude_path",
    "files": "files_from",
}
"""The fields that are about a folder, and do not matter where pages of a server are checked; each with its option."""
OF_WHOLE_SITES: Final = frozenset({"orphans", "sitemap"})
"""The names of the checks that need all pages of a site: a single page of a server is not enough."""
