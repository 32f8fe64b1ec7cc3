"""The options of the checker: each declared once, a row of `GivenToCheck`, and all as the checker reads them.

From the rows derive the options of `rehref check` and its configuration keys, the keyword arguments of `rehref.check`,
the options of MkDocs and Sphinx, and tables in `docs/` (`rehref.option_rows`). To add an option, add a row, and use its
value in `CheckOptions.given`, or in a field if it is read into something else. Options of commands alone are about what
they print and write. No report has the value of a secret option (`Option.is_secret`).
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Final, NamedTuple, TypeAlias, cast

from rehref.documents.options import OPTIONS, GivenForSites, ReadOptions
from rehref.option_rows import FilePath, Option, Separated, rows_of
from rehref.site._client_routes import CLIENT_ROUTES
from rehref.site._expressions import Searched
from rehref.site._hosts.hosts import HOSTS, Host
from rehref.site._ignoring import IGNORE_ATTRIBUTE
from rehref.site._server_options import ELSEWHERE, PAGES, GivenOfServers
from rehref.site._target_map import Remap
from rehref.site._target_rules import TargetRule
from rehref.web.asking_options import WebOptions

WHAT: Final = "What to check"
WHERE: Final = "Where the site is"
REPORTED: Final = "What to report"
GROUPS: Final = (WHAT, WHERE, REPORTED, ELSEWHERE, PAGES)
"""The groups of options, in the order of `--help`."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of what was read so far, and of all."""
_CHECK: Final = ("check",)
_WITH_FALLBACK: Final = [host.name for host in HOSTS.values() if host.fallback_extensions]

_what = partial(Option, group=WHAT, commands=_CHECK)
_where = partial(Option, group=WHERE, commands=_CHECK, about="folder")
_reported = partial(Option, group=REPORTED, commands=_CHECK)
_codes = partial(_reported, metavar="CODES", kind="codes")
_of_python = partial(Option, "", commands=())


class GivenToCheck(GivenForSites, GivenOfServers, total=False):
    """The keyword arguments of `rehref.check`: the rows, and those of `GivenOfServers` and for reading documents."""

    files: Annotated[
        Iterable[str | os.PathLike[str]] | None,
        _of_python(
            kind="files",
            about="folder",
            in_python="Check only these documents, or the documents in these folders, against the whole folder; "
            "relative to the folder, unless they are absolute.",
        ),
    ]
    exclude: Annotated[
        Sequence[str], _what("Skip references that match, or whose targets match.", "REGEX", found="counts")
    ]
    include: Annotated[
        Sequence[str], _what("Check only references that match, or whose targets match.", "REGEX", found="counts")
    ]
    exclude_path: Annotated[
        Sequence[str],
        _what(
            "Skip documents whose path or folder matches; * matches slashes too.",
            "GLOB",
            about="folder",
            found="counts",
        ),
    ]
    text_fragments: Annotated[
        bool, _what("Check text fragments (#:~:text=...) against the page's text.", found="counts")
    ]
    orphans: Annotated[bool, _what("Report pages that no other page leads to.", about="whole site", found="counts")]
    sitemap: Annotated[bool, _what("Compare sitemaps with the pages of the site.", about="whole site", found="counts")]
    external: Annotated[bool, _what("Ask servers whether links to other sites work. Needs rehref[web].", found="asks")]
    no_fragments: Annotated[bool, _what("Do not check fragments (#x).", found="counts")]
    script_ids: Annotated[
        Sequence[str],
        _what(
            "Accept these fragments on every page, since scripts create them: REGEX matches the whole fragment, "
            "decoded and without #.",
            "REGEX",
            found="counts",
        ),
    ]
    client_routes: Annotated[
        Sequence[str],
        _what(
            "Accept fragments that are routes of scripts on every page: hash is #/..., hashbang is #!..., params is "
            "#?... and #name=value.",
            choices=tuple(CLIENT_ROUTES),
            found="counts",
        ),
    ]
    site_url: Annotated[
        str | None,
        _where(
            "The URL of the folder on the web: links to it are checked in the folder. Default: the one that the files "
            "agree on (canonical links, sitemaps, feeds ...), else the root of a host.",
            "URL",
            flags=("--site-url", "--url"),
            found="counts",
        ),
    ]
    host: Annotated[
        str | None,
        _where(
            "The host whose rules map paths to files: index files, clean URLs, redirects, upper and lower case. "
            "Default: inferred from its files (_redirects, .htaccess, CNAME, vercel.json ...), else none.",
            choices=tuple(HOSTS),
            found="counts",
        ),
    ]
    own_hosts: Annotated[
        Sequence[str],
        _where(
            "Another host name of the site: links to it are checked in the folder.",
            "HOST[:PORT]",
            flags=("--own-host",),
            in_python="Other host names of the site: links to them are checked in the folder.",
            found="counts",
        ),
    ]
    published_at: Annotated[
        Separated,
        _where(
            "The places where the README is shown, separated by commas: github, gitlab, pypi, npm, crates, or a URL. "
            "A relative reference must be right at each of them.",
            "PLACES",
            default=(),
            example="pypi",
            found="counts",
        ),
    ]
    own_repository: Annotated[
        str | None,
        _where(
            "The project's repository on GitHub or GitLab: links to its files in the present branch are checked in "
            "the folder. https://github.com/OWNER/REPO[/tree/BRANCH], or auto: as manifests or git's configuration "
            "say. Default with --published-at: auto.",
            "URL",
            found="counts",
        ),
    ]
    root_dir: Annotated[
        FilePath,
        _where(
            "Look up paths from the root that lead out of the site in this folder below FOLDER; . is FOLDER itself.",
            "DIR",
            kind="folder",
            found="counts",
        ),
    ]
    sources: Annotated[
        FilePath,
        _where(
            "The folder of the sources of the site: a finding is reported where its reference is written there, if "
            "that is sure, and --fix corrects the source, never the built page. Needs rehref[markdown].",
            "DIR",
            kind="folder",
            in_python="The folder of the sources of the site: a finding is reported where its reference is written "
            "there, if that is sure.",
            found="inside",
        ),
    ]
    index_files: Annotated[
        Separated,
        _where(
            "The files that a folder's path leads to, separated by commas, in order of preference. Default: "
            "index.html; for apache, .htaccess may set others.",
            "NAMES",
            example="index.html",
            found="counts",
        ),
    ]
    fallback_extensions: Annotated[
        Separated,
        _where(
            "Extensions to try if there is no file of that name, separated by commas, such as html,htm. Default: html "
            f"for {', '.join(_WITH_FALLBACK[:-1])} and {_WITH_FALLBACK[-1]}, none for the others.",
            "EXTENSIONS",
            example="html",
            found="counts",
        ),
    ]
    document_extensions: Annotated[
        Separated,
        _where(
            "More extensions of HTML files, such as php,tpl.", "EXTENSIONS", default=(), example="tmpl", found="counts"
        ),
    ]
    directory_listing: Annotated[bool, _where("The host lists folders that have no index file.", found="counts")]
    remap: Annotated[
        Sequence[str],
        _where(
            "Replace what REGEX matches in a target before the target is checked; \\1 stands for a group, and the "
            "result may be relative to the site's URI. The first REGEX that matches counts.",
            "REGEX=URL",
            about="",
            found="counts",
        ),
    ]
    no_infer: Annotated[
        bool,
        _where(
            "Infer nothing from files: without --site-url the folder is at its file: URI, without --host it has "
            "no host.",
            in_python="Infer nothing from files: without `site_url` the folder is at its file: URI, without `host` it "
            "has no host. `CheckResult.sites` has what was inferred.",
            found="counts",
        ),
    ]
    select: Annotated[
        Sequence[str],
        _codes(
            "Report only these codes or groups, separated by commas (rehref explain lists them). Default: the group "
            "default.",
            found="counts",
        ),
    ]
    ignore: Annotated[
        Sequence[str],
        _codes("Do not report these. If two options name a code, the more specific name counts.", found="counts"),
    ]
    error: Annotated[Sequence[str], _codes("Report these as errors, even if they are off by default.", found="counts")]
    warn: Annotated[Sequence[str], _codes("Report these as warnings, even if they are off by default.", found="counts")]
    per_path_ignores: Annotated[
        Mapping[str, str | Sequence[str]],
        _reported(
            "Do not report these codes for documents whose path matches, as in .rehrefignore; !GLOB: for all others. "
            "In a configuration file, a table: GLOB = CODES.",
            "GLOB:CODES",
            default={},
            kind="codes of paths",
            in_python="Codes that are not reported for documents, by globs for their paths, as in `.rehrefignore`; "
            "`!GLOB`: for all others.",
            found="counts",
        ),
    ]
    rules: Annotated[
        Sequence[str | Mapping[str, Any]],
        _reported(
            "What to do about findings with these codes, in these pages, about these targets: severity (or ignore), "
            "accept (statuses), redirects (true: they are fine), fragments (false: they are not checked). In a "
            "configuration file, [[check.rules]].",
            "JSON",
            default=(),
            kind="rules",
            in_python="Tables that say what to do about findings with these `codes`, in these `pages`, about these "
            "`targets`: `severity` (or ignore), `accept` (statuses), `redirects` (True: they are fine), `fragments` "
            "(False: they are not checked).",
            found="counts",
        ),
    ]
    ignore_attributes: Annotated[
        Sequence[str],
        _reported(
            "Report nothing in elements that have this attribute or class, such as data-proofer-ignore.",
            "NAME",
            default=(IGNORE_ATTRIBUTE,),
            flags=("--ignore-attribute",),
            shows_default=True,
            in_python="Report nothing in elements that have such an attribute or class.",
            found="counts",
        ),
    ]
    require_https: Annotated[
        bool,
        _reported(
            "Report links to http:, and what is loaded by http:, as errors: http-link, own-http, mixed-content.",
            found="counts",
        ),
    ]
    lists_external: Annotated[
        bool,
        _of_python(kind="flag", in_python="Include the URLs on other sites in the result (`CheckResult.external`)."),
    ]
    jobs: Annotated[
        int | None,
        _of_python(
            kind="jobs",
            default=1,
            in_python="How many processes; None for as many as are useful. With more than one, a script on Windows or "
            'macOS needs the guard `if __name__ == "__main__"`.',
        ),
    ]
    progress: Annotated[
        Progress | None,
        _of_python(kind="call", in_python="Called with the number of documents read so far, and the number of all."),
    ]


_OF_SERVERS: Final = rows_of(GivenOfServers)
ROWS: Final[Mapping[str, Option]] = {
    **{name: row for name, row in OPTIONS.items() if "check" in row.commands},
    **{name: row for name, row in rows_of(GivenToCheck).items() if name not in _OF_SERVERS},
    **_OF_SERVERS,
}
"""Every option of the checker, by name."""
DEFAULTS: Final[Mapping[str, Any]] = {name: row.default for name, row in ROWS.items()}
"""The values of options that are not given."""
PLAIN: Final = tuple(
    name
    for name, row in ROWS.items()
    if row.kind not in ("files", "call", "codes of paths", "rules") and not row.is_secret
)
"""The names of the options whose values checks may use as they are given."""
OF_PAGES: Final = tuple(row for row in ROWS.values() if row.about == "pages")
"""The options about which pages of a server are checked."""
OF_SERVERS: Final = tuple(_OF_SERVERS.values())
"""The options that need `external`."""
OF_FOLDERS: Final = tuple(row for row in ROWS.values() if row.about == "folder")
"""The options about a folder, with no effect where pages of a server are checked."""
OF_WHOLE_SITES: Final = tuple(row for row in ROWS.values() if row.about == "whole site")
"""The checks that need all pages of a site: a single page of a server is not enough for them."""

WEB_OPTIONS: Final = WebOptions()
"""How servers are asked by default."""
GIVEN: Final = cast(GivenToCheck, {name: DEFAULTS[name] for name in PLAIN})
"""The options by default."""
ACCEPTED: Final = (range(100, 104), range(200, 300))
"""The statuses of servers that are accepted by default."""


class CheckOptions(NamedTuple):
    """How a folder is checked. All values are plain, so that they can be sent to other processes.

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
    `.rehrefignore`, each with the codes that are not reported for the documents that it matches. `rules`: what to do
    about some findings (`rehref.site._target_rules`). `ignore_attributes`: an element with one of these is ignored,
    with everything in it.

    `fragments`: whether they are checked. `script_ids`: patterns for whole fragments, decoded, that scripts create;
    they exist on every page. `checks`: the names of the checks on request that are made
    (`rehref.site._checks.all_checks`). `lists_external`: whether the result has the URLs on other sites.

    `web`: how servers are asked, if they are (the check `external`); `accept`: the statuses that are accepted.

    `jobs`: the number of processes; None for as many as are useful. `given`: the options by name, as they were given.
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
    rules: tuple[TargetRule, ...] = ()
    ignore_attributes: tuple[str, ...] = (IGNORE_ATTRIBUTE,)
    jobs: int | None = None
    lists_external: bool = False
    fragments: bool = True
    script_ids: tuple[Searched, ...] = ()
    checks: frozenset[str] = frozenset()
    web: WebOptions = WEB_OPTIONS
    accept: tuple[range, ...] = ACCEPTED
    given: GivenToCheck = GIVEN
