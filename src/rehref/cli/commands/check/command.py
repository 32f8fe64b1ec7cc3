"""`rehref check`: the links of a static site, all of them, and what is wrong with them.

1. The exit code is 1 if a link is broken, 0 if none is; warnings count with `--strict` only, and with `--exit-zero`
   nothing does. A folder without any link is an error (2; `refusing.py`).
2. A report goes to standard output, or to `-o`; with `--format NAME=FILE`, which may be repeated, to files besides.
3. `--baseline` leaves out what was found before; `--write-baseline` writes what is found now, and finds nothing wrong.
4. `--watch` reports, and then what changes (`watch.py`).
5. With `--external`, Ctrl-C ends the asking: what is known is reported, nothing is corrected, and the exit code is 130.
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
from rehref.cli.commands.check.crawl import fetched, urls_of
from rehref.cli.commands.check.refusing import refuse_beside, refuse_empty, refuse_for_several
from rehref.cli.commands.check.reports import reports_to, write_external
from rehref.cli.commands.check.running import check_site, context_of, exit_code, new_only, presentation_of, since
from rehref.cli.commands.check.selection_options import selected, selection_options
from rehref.cli.commands.check.web_options import end_of, outside_of, refuse_of_web, web_options
from rehref.cli.config import configured
from rehref.cli.errors import FAILED, say
from rehref.cli.parameters import Choice, Report
from rehref.reports.formats import OF_FINDINGS, described
from rehref.reports.text import count

if TYPE_CHECKING:
    from rehref.checking.external.outside import Outside
    from rehref.checking.site.site_context import SiteContext
    from rehref.cli.commands.check.reports import ReportTo

_WITH_FALLBACK = [host.name for host in HOSTS.values() if host.fallback_extensions]


def _checks_on_request(command: Callable[..., Any]) -> Callable[..., Any]:
    """An option for each check that is made if it is asked for."""
    for check in reversed(ON_REQUEST):
        command = click.option(check.option, check.name, is_flag=True, help=check.help)(command)
    return command


@click.command(
    "check",
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
      rehref check public/ --write-baseline known.json; rehref check public/ --baseline known.json
    """,
)
@click.argument("targets", metavar="FOLDER|FILE|URL...", nargs=-1, type=click.Path())
@click.option(
    "--root",
    type=click.Path(),
    metavar="DIR",
    help="The site that all FILEs and FOLDERs are in: only they are checked, against all of it. Without it each FOLDER "
    "is a site, and that of FILEs is the working directory.",
)
@click.option(
    "--files-from",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Check the files that are listed there, one a line (or before each NUL); - is standard input. What is not in "
    "the site, not there or no document is skipped.",
)
@click.option(
    "--site-url",
    "--url",
    "site_url",
    metavar="URL",
    help="Where the folder is on the web, or will be: links to it are checked in the folder. Default: what its files "
    "say (canonical links, sitemaps, feeds, paths from the root), if that is clear; else it is the root of its host.",
)
@click.option(
    "--root-dir",
    metavar="DIR",
    help="A folder of FOLDER in which paths from the root are looked up that lead out of the site; . is FOLDER itself.",
)
@click.option(
    "--host",
    type=Choice(tuple(HOSTS)),
    help="Whose rules make paths into files: index files, clean URLs, redirections, whether case matters. Default: the "
    "one whose files are there (_redirects, .htaccess, CNAME, vercel.json ...), else none.",
)
@click.option(
    "--no-infer",
    is_flag=True,
    help="Whatever the files say: without --site-url the folder is at its file: URI, and without --host on none.",
)
@click.option(
    "--fallback-extensions",
    metavar="EXTENSIONS",
    help="Endings to try where no file has the name, separated by commas, such as html,htm. Default: html for "
    f"{', '.join(_WITH_FALLBACK[:-1])} and {_WITH_FALLBACK[-1]}, none for the others.",
)
@click.option(
    "--index-files",
    metavar="NAMES",
    help="What a folder's path leads to, separated by commas, the best first. Default: index.html, for every host; for "
    "apache, .htaccess may say otherwise.",
)
@click.option("--directory-listing", is_flag=True, help="A folder without an index file is shown, too, by the host.")
@click.option(
    "--document-extensions",
    metavar="EXTENSIONS",
    help="More endings of files that hold HTML, separated by commas, such as php,tpl.",
)
@click.option(
    "--own-host",
    "own_hosts",
    multiple=True,
    metavar="HOST[:PORT]",
    help="Another host name of the site: links to it are checked in the folder.",
)
@click.option(
    "--remap",
    multiple=True,
    metavar="REGEX=URL",
    help="Judge targets in which REGEX is found with that part replaced; \\1 stands for a group, and the result may be "
    "relative to the site's URI. The first that is found counts.",
)
@declared("check")
@click.option(
    "--include",
    multiple=True,
    metavar="REGEX",
    help="Check only references in which, or in whose targets, this is found.",
)
@click.option(
    "--exclude", multiple=True, metavar="REGEX", help="Skip references in which, or in whose targets, this is found."
)
@click.option(
    "--exclude-path",
    multiple=True,
    metavar="GLOB",
    help="Do not check documents whose path, or a folder of it, matches; * stops at no slash.",
)
@click.option("--no-fragments", is_flag=True, help="Do not check fragments (#x).")
@click.option(
    "--script-ids",
    multiple=True,
    metavar="REGEX",
    help="Whole fragments, decoded and without #, that scripts make: right on every page.",
)
@click.option(
    "--client-routes",
    multiple=True,
    type=Choice(tuple(CLIENT_ROUTES)),
    help="Fragments that scripts take for routes, right on every page: hash is #/..., hashbang is #!..., params is "
    "#?... and #name=value.",
)
@_checks_on_request
@web_options
@selection_options
@click.option("--fix", is_flag=True, help="Write the suggestions that are sure into the documents, and check again.")
@click.option("--fix-unsure", is_flag=True, help="Write the best guesses too; says --fix.")
@click.option("--diff", is_flag=True, help="With --fix: only show what would change, as a patch.")
@click.option("--baseline", type=click.Path(), metavar="FILE", help="Leave out what this file says was found before.")
@click.option(
    "--write-baseline",
    type=click.Path(),
    metavar="FILE",
    help="Write what is found now to this file, for --baseline, and report nothing.",
)
@click.option(
    "-f",
    "--format",
    "formats",
    type=Report(),
    multiple=True,
    metavar="NAME[=FILE]",
    help=f"How to report; to a file if one is named (- is standard output). Default: {OF_FINDINGS[0].name}. "
    f"{described(OF_FINDINGS)}.",
)
@click.option(
    "--all-places",
    is_flag=True,
    help="Show every finding, page by page. Default: what has the same cause once, with its first place.",
)
@click.option(
    "--max-findings",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show this many at most, in text, github, markdown and html. All count.",
)
@click.option("--show-secrets", is_flag=True, help="Show passwords in json, jsonl, csv, sarif and junit.")
@raw_csv_option
@click.option(
    "-o",
    "--output",
    "out",
    type=click.Path(),
    metavar="FILE",
    help="Write the report there, if it has no file of its own.",
)
@click.option(
    "--dump-external",
    type=click.Path(allow_dash=True),
    metavar="FILE",
    help="Write the URLs on other sites there, a line each, with a tab and its first place; - is standard output.",
)
@click.option(
    "--why",
    metavar="URL",
    help="Explain how a link to this is treated, and check nothing. One that is relative is so to the site's URI.",
)
@click.option(
    "--watch", is_flag=True, help="Check again whenever something changes, until Ctrl-C. Needs rehref[watch]."
)
@click.option("--allow-empty", is_flag=True, help="A folder without any document or link is not an error.")
@general_options
@click.pass_context
def command(click_context: click.Context, /, targets: tuple[str, ...], **given: Any) -> None:
    """Check the links of all documents in a folder, of single files, or, with --external, of pages of a server: is what
    they lead to there, in that spelling?

    Read are HTML, CSS, SVG, feeds, sitemaps and other XML, and web app manifests; a link to a host that is not the
    site's own is not followed, unless --external says so. Fragments are checked, the base is established as everywhere.
    An option with REGEX, GLOB or NAME[=FILE] may be repeated.

    Exit codes: 0, no link is broken, or --exit-zero; 1, some are, or with --strict there are warnings; 2, a usage,
    configuration or I/O error, or nothing to check; 130, stopped by Ctrl-C; 141, whoever was reading the
    report has gone before its end (| head).
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
    named = [] if urls else sites(targets, given["root"], given["files_from"])
    lists_external = given["dump_external"] is not None
    options = check_options({**given, "lists_external": lists_external}, selected(click_context))
    reports = reports_to(given["formats"], given["out"], dump=given["dump_external"])
    refuse_for_several(named, given)
    refuse_of_web(click_context)
    if given["why"] is not None and named:
        from rehref.cli.commands.check.explain_url import explain_url

        click_context.exit(explain_url(context_of(named[0], options), given["why"]))
    outside = outside_of(click_context, options)
    if outside is not None and urls:
        contexts = [fetched(click_context, urls, outside)]
    else:
        contexts = [context_of(site, options) for site in named]
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
    """Check, correct and check again if that is asked for, and report. `began`: when the command did.

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
            say(f"{len(result.findings):,} findings written to {given['write_baseline']}")
        click_context.exit(end(0))
    result = new_only(result, given["baseline"], quiet=given["quiet"])
    presentation = presentation_of(contexts, given, asked(click_context), note=configured(click_context))
    for report in reports:
        report.write(result, presentation)
    if not given["quiet"]:
        say_hints(result)
    if configured(click_context) and not any(report.is_for_people for report in reports) and not given["quiet"]:
        output.flush()
        say(f"{count(result.summary.documents, 'document')} checked{configured(click_context)}")
    if outside is None or not outside.stopped:
        for context, each in zip(contexts, results, strict=True):
            refuse_empty(each, context, given)
    click_context.exit(end(FAILED if failed else exit_code(result, given)))
