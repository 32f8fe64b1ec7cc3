"""`rehref check`: check all links of a static site, and report what is wrong with them.

1. The exit code is 1 if a link is broken, else 0. Warnings count only with `--strict`; with `--exit-zero` nothing
   counts. A folder without any link is an error (2; `refusing.py`).
2. A report goes to standard output or to `-o`; each `--format NAME=FILE` writes another report to a file.
3. `--baseline` leaves out what was found before; `--write-baseline` writes the present findings, and ends with 0.
4. `--watch` reports once, and then each change (`watch.py`).
5. With `--external`, Ctrl-C ends the requests: what is known is reported, nothing is corrected, the exit code is 130.
6. `--fix` writes the suggestions that are sure, byte-exactly, and checks again; with `--diff` it only shows them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from rehref.checking.checks.registry import ON_REQUEST
from rehref.checking.client_routes import CLIENT_ROUTES
from rehref.checking.hosting.hosts import HOSTS
from rehref.cli import output
from rehref.cli.click_options import declared, general_options, raw_csv_option
from rehref.cli.commands.check.asked import asked
from rehref.cli.commands.check.crawl import fetched, urls_of, with_named_hosts
from rehref.cli.commands.check.refusing import empty_error, refuse_archives, refuse_beside, refuse_for_several
from rehref.cli.commands.check.reports import reports_to, write_external
from rehref.cli.commands.check.running import check_site, context_of, exit_code, new_only, presentation_of, since
from rehref.cli.commands.check.selection_options import selected, selection_options
from rehref.cli.commands.check.web_options import end_of, outside_of, refuse_of_web, web_options
from rehref.cli.config import configured
from rehref.cli.errors import FAILED, say
from rehref.cli.option_groups import GENERAL, GroupedCommand, group
from rehref.cli.parameters import Choice, Report, WholeNumber
from rehref.reports.formats import OF_FINDINGS, described
from rehref.reports.text import count

if TYPE_CHECKING:
    from rehref.checking.external.outside import Outside
    from rehref.checking.site.site_context import SiteContext
    from rehref.cli.commands.check.reports import ReportTo

_several = partial(click.option, multiple=True)
_file = partial(click.option, type=click.Path(), metavar="FILE")
_WITH_FALLBACK = [host.name for host in HOSTS.values() if host.fallback_extensions]


def _checks_on_request(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add an option for each check that is made on request."""
    for check in reversed(ON_REQUEST):
        command = click.option(check.option, check.name, is_flag=True, help=check.help)(command)
    return command


@click.command(
    "check",
    cls=GroupedCommand,
    short_help="Check the links of a static site.",
    epilog="""
    \b
    Examples:
      rehref check public/
      rehref check public/ --site-url https://example.org/docs/ --host github-pages
      rehref check public/ --format sarif=links.sarif --format github
      rehref check public/ --external --accept 200..=299,403
      rehref check public/ --fix --diff
      git diff --name-only | rehref check --files-from - --root public/
      rehref check public/ --write-baseline known.json
      rehref check public/ --baseline known.json
    """,
)
@click.argument("targets", metavar="FOLDER|FILE|URL...", nargs=-1, type=click.Path())
@group("What to check")
@_several("--exclude", metavar="REGEX", help="Skip references that match, or whose targets match.")
@_several("--include", metavar="REGEX", help="Check only references that match, or whose targets match.")
@_several("--exclude-path", metavar="GLOB", help="Skip documents whose path or folder matches; * matches slashes too.")
@_file(
    "--files-from",
    type=click.Path(allow_dash=True),
    help="Check the files that FILE lists, one a line (or before each NUL); - is standard input. Files that are not in "
    "the site, do not exist or are not documents are skipped.",
)
@click.option(
    "--root",
    type=click.Path(),
    metavar="DIR",
    help="The folder of the site that contains all FILEs and FOLDERs: only they are checked, against the whole site. "
    "Default: each FOLDER is a site, and FILEs belong to the working directory or, if they are not all in it, to the "
    "folder that they have in common.",
)
@_checks_on_request
@click.option("--no-fragments", is_flag=True, help="Do not check fragments (#x).")
@_several(
    "--script-ids",
    metavar="REGEX",
    help="Accept these fragments on every page, since scripts create them: REGEX matches the whole fragment, decoded "
    "and without #.",
)
@_several(
    "--client-routes",
    type=Choice(tuple(CLIENT_ROUTES)),
    help="Accept fragments that are routes of scripts on every page: hash is #/..., hashbang is #!..., params is #?... "
    "and #name=value.",
)
@group("Where the site is")
@click.option(
    "--site-url",
    "--url",
    "site_url",
    metavar="URL",
    help="The URL of the folder on the web: links to it are checked in the folder. Default: the one that the files "
    "agree on (canonical links, sitemaps, feeds ...), else the root of a host.",
)
@click.option(
    "--host",
    type=Choice(tuple(HOSTS)),
    help="The host whose rules map paths to files: index files, clean URLs, redirects, upper and lower case. Default: "
    "inferred from its files (_redirects, .htaccess, CNAME, vercel.json ...), else none.",
)
@_several(
    "--own-host",
    "own_hosts",
    metavar="HOST[:PORT]",
    help="Another host name of the site: links to it are checked in the folder.",
)
@click.option(
    "--root-dir",
    metavar="DIR",
    help="Look up paths from the root that lead out of the site in this folder below FOLDER; . is FOLDER itself.",
)
@click.option(
    "--index-files",
    metavar="NAMES",
    help="The files that a folder's path leads to, separated by commas, in order of preference. Default: index.html; "
    "for apache, .htaccess may set others.",
)
@click.option(
    "--fallback-extensions",
    metavar="EXTENSIONS",
    help="Extensions to try if there is no file of that name, separated by commas, such as html,htm. Default: html for "
    f"{', '.join(_WITH_FALLBACK[:-1])} and {_WITH_FALLBACK[-1]}, none for the others.",
)
@click.option("--document-extensions", metavar="EXTENSIONS", help="More extensions of HTML files, such as php,tpl.")
@click.option("--directory-listing", is_flag=True, help="The host lists folders that have no index file.")
@_several(
    "--remap",
    metavar="REGEX=URL",
    help="Replace what REGEX matches in a target before the target is checked; \\1 stands for a group, and the result "
    "may be relative to the site's URI. The first REGEX that matches counts.",
)
@click.option(
    "--no-infer",
    is_flag=True,
    help="Infer nothing from files: without --site-url the folder is at its file: URI, without --host it has no host.",
)
@group("What to report")
@selection_options
@_file("--baseline", help="Leave out findings that this file lists.")
@_file("--write-baseline", help="Write the present findings to this file, for --baseline, and report nothing.")
@click.option("--allow-empty", is_flag=True, help="Accept a folder without any document or link.")
@group("Output")
@_several(
    "-f",
    "--format",
    "formats",
    type=Report({row.name: row.summary for row in OF_FINDINGS}),
    metavar="NAME[=FILE]",
    help=f"The format of the report, and its file if one is named (- is standard output). Default: "
    f"{OF_FINDINGS[0].name}. {described(OF_FINDINGS)}.",
)
@_file("-o", "--output", "out", help="Write the report to this file, if --format names none.")
@click.option("--all-places", is_flag=True, help="Show every finding, page by page. Default: show each cause once.")
@click.option(
    "--max-findings",
    type=WholeNumber(min=0),
    metavar="N",
    help="Show at most N findings in text, github, markdown and html. The others are counted.",
)
@click.option("--show-secrets", is_flag=True, help="Show passwords in json, jsonl, csv, sarif and junit.")
@raw_csv_option
@_file(
    "--dump-external",
    type=click.Path(allow_dash=True),
    help="Write the URLs on other sites to FILE, a line each: the URL, a tab, its first place; - is standard output.",
)
@group("Fixing")
@click.option("--fix", is_flag=True, help="Write suggestions that are sure into the documents, and check again.")
@click.option("--fix-unsure", is_flag=True, help="Write the best guesses too; implies --fix.")
@click.option("--diff", is_flag=True, help="With --fix: show the changes as a patch, and write nothing.")
@web_options
@declared("check")
@group(GENERAL)
@click.option(
    "--why",
    metavar="URL",
    help="Explain how a link to URL is treated, and check nothing. A relative URL is resolved against the site's URI.",
)
@click.option("--watch", is_flag=True, help="Check again after each change, until Ctrl-C. Needs rehref[watch].")
@general_options
@click.pass_context
def command(click_context: click.Context, /, targets: tuple[str, ...], **given: Any) -> None:
    """Check the links of all documents in a folder, of single files, or, with --external, of pages on a server: do
    their targets exist, in that spelling, with that fragment?

    rehref reads HTML, CSS, SVG, feeds, sitemaps and other XML, and web app manifests. It resolves references against
    the same base as its other commands. Links to other hosts are checked only with --external. An option with REGEX,
    GLOB or NAME[=FILE] may be repeated.

    Exit codes: 0, no link is broken, or --exit-zero; 1, links are broken, or with --strict there are warnings; 2, a
    usage, configuration or I/O error, or nothing to check; 130, stopped by Ctrl-C; 141, the reader of the report has
    closed the pipe (| head).
    """
    from rehref.checking.given import check_options
    from rehref.cli.commands.check.places import say_places
    from rehref.cli.commands.check.sites import say_read, sites

    began = time.perf_counter()
    refuse_beside(click_context, given)
    if given["watch"]:
        from rehref.cli.commands.check.watch import watcher

        watcher()
    urls = urls_of(click_context, targets)
    refuse_archives(targets, given)
    named = [] if urls else sites(targets, given["root"], given["files_from"])
    lists_external = given["dump_external"] is not None
    options = check_options({**given, "lists_external": lists_external}, selected(click_context))
    reports = reports_to(given["formats"], given["out"], dump=given["dump_external"])
    refuse_for_several(named, given)
    refuse_of_web(click_context)
    if given["why"] is not None and named:
        from rehref.cli.commands.check.explain_url import explain_url

        click_context.exit(explain_url(context_of(named[0], options, given), given["why"]))
    outside = outside_of(click_context, with_named_hosts(options, urls) if urls else options)
    if outside is not None and urls:
        contexts = [fetched(click_context, urls, outside)]
    else:
        contexts = [context_of(site, options, given) for site in named]
    if not given["quiet"]:
        say_read(named, contexts, verbose=given["verbose"])
    if given["watch"]:
        from rehref.cli.commands.check.watch_sites import watch_sites

        if not given["quiet"]:
            say_places(contexts)
        present = partial(presentation_of, options=asked(click_context), note=configured(click_context))
        watch_sites(named, options, reports, given, present)
    _once(click_context, contexts, reports, given, outside, began)


def _once(
    click_context: click.Context,
    contexts: Sequence[SiteContext],
    reports: Sequence[ReportTo],
    given: dict[str, Any],
    outside: Outside | None,
    began: float,
) -> NoReturn:
    """Check, correct and check again with `--fix`, and report. `began`: the time when the command began.

    Raises what these raise.
    """
    from rehref.checking.results.joining import joined
    from rehref.cli.commands.check.places import say_hints, say_places

    fixes = given["fix"] or given["fix_unsure"]
    end = partial(end_of, outside, quiet=given["quiet"], fixes=fixes)
    results = [check_site(context, given, outside) for context in contexts]
    if not given["quiet"]:
        say_places(contexts)
    failed = 0
    stopped = outside is not None and outside.stopped
    if fixes and not stopped:
        from rehref.cli.commands.check.fix import fix, show

        unsure = given["fix_unsure"]
        if given["diff"]:
            output.write_bytes(b"".join(map(partial(show, unsure=unsure), contexts, results)))
            click_context.exit(end(max(exit_code(result, given) for result in results)))
        failed = sum(map(partial(fix, unsure=unsure, quiet=given["quiet"]), contexts, results))
        results = [check_site(context, given, outside) for context in contexts]
    result = since(began, joined(results))
    if given["dump_external"] is not None:
        write_external(result, given["dump_external"], show_secrets=given["show_secrets"])
    if given["write_baseline"] is not None and not stopped:
        from rehref.checking.results.baseline import write_baseline

        write_baseline(Path(given["write_baseline"]), result.findings)
        if not given["quiet"]:
            say(f"{count(len(result.findings), 'finding')} written to {given['write_baseline']}")
        click_context.exit(end(0))
    result = new_only(result, given["baseline"], None if given["quiet"] else contexts[0])
    presentation = presentation_of(contexts, given, asked(click_context), note=configured(click_context))
    is_whole = outside is None or not outside.stopped
    errors = filter(None, map(partial(empty_error, given=given), results, contexts))
    error = next(errors, None) if is_whole else None
    for report in reports:
        if error is None or result.findings or result.summary.links or not report.is_for_people:
            report.write(result, presentation)
            if report.file is not None and not given["quiet"]:
                say(f"{report.name} written to {report.file}")
    if not given["quiet"]:
        say_hints(result)
    if configured(click_context) and not any(report.is_for_people for report in reports) and not given["quiet"]:
        output.flush()
        say(f"{count(result.summary.documents, 'document')} checked{configured(click_context)}")
    if error is not None:
        raise error
    click_context.exit(end(FAILED if failed else exit_code(result, given)))
