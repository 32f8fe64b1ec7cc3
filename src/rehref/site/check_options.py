"""The options for checking a folder.

1. Everything has a default: `CheckOptions()`.
2. All values are plain, so that they can be sent to other processes.
3. `given` has the options by name, as they were given. An option has a field too if it is read into something else.
"""

from __future__ import annotations

from typing import Final, NamedTuple, cast

from rehref.documents.options import ReadOptions
from rehref.site._expressions import Searched
from rehref.site._hosts.hosts import Host
from rehref.site._ignoring import IGNORE_ATTRIBUTE
from rehref.site._option_table import DEFAULTS, PLAIN, GivenToCheck
from rehref.site._target_map import Remap
from rehref.web.asking_options import WebOptions

WEB_OPTIONS: Final = WebOptions()
"""How servers are asked by default."""
GIVEN: Final = cast("GivenToCheck", {name: DEFAULTS[name] for name in PLAIN})
"""The options by default."""
ACCEPTED: Final = (range(100, 104), range(200, 300))
"""The statuses of servers that are accepted by default."""


class CheckOptions(NamedTuple):
    """How a folder is checked.

    `site_url`: the URI of the folder; a slash is added if it does not end in one. `root_dir`: a folder below it, "" for
    itself; paths that lead out of the site on its own host are looked up there. `host`: the rules that map paths to
    files. Values that are not given are inferred from the files (`rehref.site._placing`); without `infer`, the
    folder's `file:` URI is used, and no host. `own_hosts`: other host names of this site, with or without a port.
    `remap`: replacements in targets, made before they are judged (`rehref.site._target_map`).
    `published_at`: the names or URLs of places that show the README; `own_repository`: the URL of the project's
    repository (`rehref.site._grounds.publishing`). `directory_listing`: whether the host also shows a folder without an
    index file. `document_extensions`: more extensions, without the dot, of files that are HTML. `fallback_extensions`,
    `index_files`: if not None, they replace those of the host (extensions without the dot).

    `encoding`: the label of the encoding in which all documents are read, whatever the host and the documents say.
    `how`: how documents are read; only its fields that `rehref check` has options for count.

    `include`, `exclude`: patterns (`rehref.site._expressions`, or of Python's `re`) searched for in references as
    they are written, and in their targets; a reference is skipped if no `include` matches, or if an `exclude` matches.
    `exclude_paths`: globs for paths below the folder, with slashes (`*` also matches slashes); files that match are not
    checked, but may be linked to. `files`: the paths of documents, or of folders of them; only these are checked,
    within the whole site; None: all of it.

    `select`, `ignore`, `error`, `warn`: names of codes and of their groups: those to report, not to report, to report
    as errors, and as warnings (`rehref.site._checks.all_checks`). `per_path_ignores`: patterns like those of
    `.rehrefignore`, each with the codes that are not reported for the documents that it matches. `ignore_attributes`:
    an element with one of these is ignored, with everything in it.

    `fragments`: whether they are checked. `script_ids`: patterns for whole fragments, decoded, that scripts create;
    they exist on every page. `checks`: the names of the checks on request that are made
    (`rehref.site._checks.all_checks`). `lists_external`: whether the result has the URLs on other sites.

    `web`: how servers are asked, if they are (the check `external`); `accept`: the statuses that are accepted.

    `jobs`: the number of processes; None for as many as are useful. `given`: see rule 3.
    """

    site_url: str | None = None
    root_dir: str | None = None
    host: Host | None = None
    infer: bool = True
    fallback_extensions: tuple[str, ...] | None = None
    index_files: tuple[str, ...] | None = None
    own_hosts: tuple[str, ...] = ()
    remap: tuple[Remap, ...] = ()
    published_at: tuple[str, ...] = ()
    own_repository: str | None = None
    directory_listing: bool = False
    document_extensions: tuple[str, ...] = ()
    encoding: str | None = None
    how: ReadOptions = ReadOptions.DEFAULT
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
    given: GivenToCheck = GIVEN
