"""`rehref check`: check all links of a static site, and report what is wrong with them.

The exit code is 1 if a link is broken, else 0 (`exit_code.py`). A folder without any link is an error (2;
`refusing.py`). With `--external`, Ctrl-C ends the requests: what is known is reported, nothing is corrected, and the
exit code is 130. `--fix` checks again after it has written.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from rehref.cli import output
from rehref.cli._commands.check.asked import asked
from rehref.cli._commands.check.asking_servers import begun, end_of, refuse_of_web
from rehref.cli._commands.check.crawl import fetched, urls_of, with_named_hosts
from rehref.cli._commands.check.exit_code import exit_code
from rehref.cli._commands.check.own_options import FIRST, GROUPS, OF_CHECK
from rehref.cli._commands.check.refusing import (
    empty_error,
    refuse_archives,
    refuse_beside,
    refuse_for_several,
)
from rehref.cli._commands.check.root_line import say_places
from rehref.cli._commands.check.run_check import (
    context_of,
    new_only,
    presentation_of,
    say_hints,
    with_bars,
)
from rehref.cli.check_reports import reports_to, write_external
from rehref.cli.click_options import declared, general_options, typed
from rehref.cli.config import configured
from rehref.cli.messages import FAILED, say
from rehref.cli.program import GroupedCommand
from rehref.reports.terminal import count

if TYPE_CHECKING:
    from rehref.cli.check_reports import ReportTo
    from rehref.site.check import CheckRun
    from rehref.site.site import Site


@click.command(
    "check",
    cls=GroupedCommand,
    first=FIRST,
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
@declared("check", OF_CHECK, GROUPS)
@general_options
@click.pass_context
def command(click_context: click.Context, /, targets: tuple[str, ...], **given: Any) -> None:
    """Check the links of all documents in a folder, of single files, or, with --external, of pages on a server: do
    their targets exist, in that spelling, with that fragment?

    rehref reads HTML, CSS, SVG, feeds, sitemaps and other XML, and web app manifests. It resolves references against
    the same base as its other commands. Links to other hosts are checked only with --external. An option with REGEX,
    GLOB or NAME[=FILE] may be repeated.

    Exit codes: 0, no link is broken, or --exit-zero; 1, links are broken, or with --strict there are warnings; 2, a
    usage, configuration or I/O error, or nothing to check; 130, stopped by Ctrl-C; 141, the program that reads
    the output has ended (| head).
    """
    from rehref.cli._commands.check.sites import say_read, sites
    from rehref.site.given_options import check_options

    began = time.perf_counter()
    refuse_beside(click_context, given)
    if given["watch"]:
        from rehref.cli._commands.check.watch import watcher

        watcher()
    urls = urls_of(click_context, targets)
    refuse_archives(targets, given)
    named = [] if urls else sites(targets, given["root"], given["files_from"])
    lists_external = given["dump_external"] is not None
    options = check_options({**given, "lists_external": lists_external}, partial(typed, click_context))
    reports = reports_to(given["formats"], given["out"], dump=given["dump_external"])
    refuse_for_several(named, given)
    refuse_of_web(click_context)
    if given["why"] is not None and named:
        from rehref.cli._commands.check.explain_url import explain_url

        click_context.exit(explain_url(context_of(named[0], options, given), given["why"]))
    if (given["fix"] or given["fix_unsure"]) and not given["diff"]:
        from rehref.cli.program import write_alone

        write_alone(
            click_context, [*(each.folder for each in named), *([given["sources"]] if given["sources"] else [])]
        )
    run = begun(click_context, with_named_hosts(options, urls) if urls else options)
    if urls:
        contexts = [fetched(click_context, urls, run)]
    else:
        contexts = [context_of(site, options, given) for site in named]
    if not given["quiet"]:
        say_read(named, contexts, verbose=given["verbose"])
    if given["watch"]:
        from rehref.cli._commands.check.watch import watch_sites

        present = partial(presentation_of, options=asked(click_context), note=configured(click_context))
        watch_sites(named, options, reports, given, present)
    _once(click_context, contexts, reports, given, run, began)


def _once(
    click_context: click.Context,
    contexts: Sequence[Site],
    reports: Sequence[ReportTo],
    given: dict[str, Any],
    run: CheckRun,
    began: float,
) -> NoReturn:
    """Check, correct and check again with `--fix`, and report. `began`: the time when the command began.

    Raises what these raise.
    """
    from rehref.site.findings import CheckResult

    fixes, unsure = given["fix"] or given["fix_unsure"], given["fix_unsure"]
    end = partial(end_of, run, quiet=given["quiet"], fixes=fixes)
    checked = [run.check(*each, suggests_all=fixes) for each in with_bars(run, contexts, given)]
    results = [each.result for each in checked]
    if not given["quiet"]:
        say_places(results)
    shown_sites = [*contexts, *(each.site for each in checked if each.at_sources)]
    failed = 0
    if fixes and not run.is_stopped:
        from rehref.cli._commands.check.fix import fix, say_left, show

        if given["diff"]:
            output.write_bytes(b"".join(show(each.site, each.written, unsure=unsure) for each in checked))
            click_context.exit(end(max(exit_code(result, given) for result in results)))
        for number, each in enumerate(checked):
            are_built = not each.at_sources
            done = fix(each.site, each.written, unsure=unsure, quiet=given["quiet"], are_built=are_built)
            failed += done.failed
            if each.at_sources:
                results[number] = each.without(done.corrected)
                say_left(results[number], done.corrected, unsure=unsure, quiet=given["quiet"])
        if not any(each.at_sources for each in checked):
            results = [run.check(*each, suggests_all=fixes).result for each in with_bars(run, contexts, given)]
    result = CheckResult.joined(results).timed(began)  # pages were fetched, and documents corrected
    if given["dump_external"] is not None:
        write_external(result, given["dump_external"], show_secrets=given["show_secrets"])
    if given["write_baseline"] is not None and not run.is_stopped:
        from rehref.files.writing import write_atomically
        from rehref.site.findings import Baseline

        write_atomically(Path(given["write_baseline"]), Baseline.of(result.rows).content)
        if not given["quiet"]:
            say(f"{count(len(result.rows), 'finding')} written to {given['write_baseline']}")
        click_context.exit(end(0))
    result = new_only(result, given["baseline"], None if given["quiet"] else contexts[0])
    presentation = presentation_of(shown_sites, given, asked(click_context), note=configured(click_context))
    is_whole = not run.is_stopped
    errors = filter(None, map(partial(empty_error, given=given), results, contexts))
    error = next(errors, None) if is_whole else None
    for report in reports:
        if error is None or result.rows or result.summary.links or not report.is_for_people:
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
