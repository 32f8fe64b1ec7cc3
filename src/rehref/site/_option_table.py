"""The options of the checker, each declared once: a row of `GivenToCheck`.

1. The name and type of a row are those of a keyword argument of `rehref.check`. From the rows derive the options of
   `rehref check`, configuration keys, docstrings, the options of MkDocs and Sphinx, and tables in `docs/`
   (`rehref.option_rows`, rule 2).
2. `CheckOptions.given` has the values by name (`PLAIN`): to add an option, add a row, and use its value where it
   counts. Options of the command alone (`cli/_commands/check/own_options.py`) are about what it prints and writes.
3. Names of options about servers are those of lychee if it has the option.
4. Each option says whether it counts in a configuration that was found (`Option.found`). No report has the value of an
   option that is a secret, or names a file of secrets (`Option.is_secret`).
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Final

from rehref.documents.options import DECLARED, GivenForLazyLoading, GivenShared
from rehref.option_rows import FilePath, Option, Separated, Statuses, rows_of
from rehref.site._client_routes import CLIENT_ROUTES
from rehref.site._hosts.hosts import HOSTS
from rehref.site._ignoring import IGNORE_ATTRIBUTE
from rehref.web.asking_options import WebOptions

MOST_PAGES: Final = 10_000
"""How many pages are fetched by default."""
WHAT: Final = "What to check"
WHERE: Final = "Where the site is"
REPORTED: Final = "What to report"
ELSEWHERE: Final = "Links to other sites, with --external"
PAGES: Final = "Pages of a server, with --external URL"

_CHECK: Final = ("check",)
_WEB: Final = WebOptions()
_WITH_FALLBACK: Final = [host.name for host in HOSTS.values() if host.fallback_extensions]

_what = partial(Option, group=WHAT, commands=_CHECK)
_where = partial(Option, group=WHERE, commands=_CHECK, about="folder")
_reported = partial(Option, group=REPORTED, commands=_CHECK)
_codes = partial(_reported, metavar="CODES", kind="codes")
_elsewhere = partial(Option, group=ELSEWHERE, commands=_CHECK)
_pages = partial(Option, group=PAGES, commands=_CHECK, about="pages")
_of_python = partial(Option, "", commands=())


class GivenToCheck(GivenShared, GivenForLazyLoading, total=False):
    """The keyword arguments of `rehref.check`: the rows, and options for reading documents."""

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
    accept: Annotated[
        Statuses,
        _elsewhere(
            "The statuses that are fine, such as 200..=299,403 (.. without = excludes the last one). Default: "
            "100..=103,200..=299.",
            "STATUSES",
            found="counts",
        ),
    ]
    timeout: Annotated[
        str | float,
        _elsewhere(
            "How long one response may take, such as 20s.", "TIME", default=_WEB.timeout, least=0.001, found="counts"
        ),
    ]
    max_redirects: Annotated[
        int, _elsewhere("How many redirections to follow.", "N", default=_WEB.max_redirects, found="counts")
    ]
    max_retries: Annotated[
        int,
        _elsewhere(
            "How often to retry a request after 429, 503 and the like.", "N", default=_WEB.max_retries, found="asks"
        ),
    ]
    max_concurrency: Annotated[
        int, _elsewhere("How many requests to send at once.", "N", default=_WEB.max_concurrency, least=1, found="asks")
    ]
    host_concurrency: Annotated[
        int,
        _elsewhere(
            "How many requests to send to one host at once.", "N", default=_WEB.host_concurrency, least=1, found="asks"
        ),
    ]
    host_request_interval: Annotated[
        str | float,
        _elsewhere("The least time between requests to one host.", "TIME", default=_WEB.host_interval, found="asks"),
    ]
    header: Annotated[
        Sequence[str],
        _elsewhere(
            "A header field to send, to one host (https://HOST NAME: VALUE) or, if it is not secret, to all hosts that "
            "links lead to. (--headers of other commands is a file of the header fields of a document.)",
            "[URL ]NAME: VALUE",
            is_secret=True,
            found="asks",
        ),
    ]
    user_agent: Annotated[str, _elsewhere("The User-Agent to send.", "TEXT", default=_WEB.user_agent, found="asks")]
    cookie_jar: Annotated[
        FilePath, _elsewhere("A file of cookies to send, in Netscape's format.", "FILE", is_secret=True, found="asks")
    ]
    netrc: Annotated[
        FilePath,
        _elsewhere(
            "A file of user names and passwords for hosts. The variable REHREF_NETRC may hold such lines, too.",
            "FILE",
            is_secret=True,
            found="asks",
        ),
    ]
    insecure: Annotated[bool, _elsewhere("Do not verify certificates.", found="asks")]
    ca_file: Annotated[
        FilePath, _elsewhere("A file of certificates (PEM) to trust besides the system's.", "FILE", found="asks")
    ]
    robots: Annotated[bool, _elsewhere("Do not request what robots.txt disallows.", found="counts")]
    allow_private: Annotated[
        bool,
        _elsewhere("Also ask hosts with addresses that are not public: localhost, private networks.", found="asks"),
    ]
    cache: Annotated[
        FilePath,
        _elsewhere(
            "The file that keeps answers from run to run. Default: rehref/web.sqlite in the folder for caches.",
            "FILE",
            in_python="The file that keeps answers from run to run. Without it, none are kept.",
            found="writes",
        ),
    ]
    no_cache: Annotated[bool, _elsewhere("Do not use or keep answers of other runs.", found="counts")]
    cache_age: Annotated[
        Sequence[str],
        _elsewhere(
            "How long answers count, such as 2d or 404=6h; a plain number is seconds. Default: success a week, "
            "redirections a day, errors an hour or not at all.",
            "[STATUSES=]AGE",
            found="counts",
        ),
    ]
    recursive: Annotated[
        bool,
        _pages("With --external URL: also check the pages that its pages link to. Follows robots.txt.", found="asks"),
    ]
    scope: Annotated[
        Sequence[str],
        _pages(
            "With --recursive: read pages at or below this URL, which may be relative: / is the whole host. Default: "
            "the folder of each URL.",
            "URL",
            found="asks",
        ),
    ]
    depth: Annotated[
        int | None, _pages("With --recursive: read pages that are at most this many links away.", "N", found="counts")
    ]
    max_pages: Annotated[
        int, _pages("With --recursive: fetch at most this many pages.", "N", default=MOST_PAGES, least=1, found="asks")
    ]
    no_robots: Annotated[bool, _pages("With --recursive: do not follow robots.txt.", found="asks")]
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
        Callable[[int, int], None] | None,
        _of_python(kind="call", in_python="Called with the number of documents read so far, and the number of all."),
    ]


ROWS: Final[Mapping[str, Option]] = {
    **{name: row for name, row in DECLARED.items() if "check" in row.commands},
    **rows_of(GivenToCheck),
}
"""Every option of the checker, by name."""
DEFAULTS: Final[Mapping[str, Any]] = {name: row.default for name, row in ROWS.items()}
"""The values of options that are not given."""
PLAIN: Final = tuple(
    name for name, row in ROWS.items() if row.kind not in ("files", "call", "codes of paths") and not row.is_secret
)
"""The names of the options whose values checks may use as they are given (rule 2)."""
OF_PAGES: Final = tuple(row for row in ROWS.values() if row.about == "pages")
"""The options about which pages of a server are checked."""
OF_SERVERS: Final = tuple(row for row in ROWS.values() if row.group in (ELSEWHERE, PAGES))
"""The options that need `external`."""
OF_FOLDERS: Final = tuple(row for row in ROWS.values() if row.about == "folder")
"""The options about a folder, with no effect where pages of a server are checked."""
OF_WHOLE_SITES: Final = tuple(row for row in ROWS.values() if row.about == "whole site")
"""The checks that need all pages of a site: a single page of a server is not enough for them."""
