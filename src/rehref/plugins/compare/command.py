"""`rehref compare`: which URLs and ids a change of a site loses, where they went, and which links only it broke.

The exit code is 1 if something is gone or newly broken, else 0; with `--new-only` only what is newly broken counts.
With `--exit-zero` nothing counts. Notes and warnings do not. A side that cannot be compared is an error (2), and
nothing is written. With `--save` alone, one state is read and its contract written, which may be to `-`.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from rehref.cli import output
from rehref.cli.check_reports import OF_REPORTS, reports_to
from rehref.cli.click_options import declared, general_options
from rehref.cli.config import configured
from rehref.cli.messages import OptionError, say, say_unwritten
from rehref.cli.parameters import Codes, setting
from rehref.cli.program import GENERAL, GroupedCommand, group
from rehref.reports.formats import Presentation
from rehref.site.check_options import ROWS

_OF_SITES = (
    *("exclude_path", "script_ids", "host", "site_url", "fallback_extensions", "index_files"),
    *("ignore", "error", "warn"),
)
_OF_REPORTS = ("formats", "out", "max_findings", "show_secrets")
_OF_SERVERS = ("allow_private", "recursive", "max_pages")
_ROWS = {name: {**ROWS, **OF_REPORTS}[name] for name in (*_OF_SITES, *_OF_REPORTS, *_OF_SERVERS)}
_file = partial(setting, type=click.Path(), found="writes")


@click.command(
    "compare",
    cls=GroupedCommand,
    short_help="Compare two states of a site: what a change loses.",
    epilog="""
    \b
    Examples:
      rehref compare published/ public/ --host netlify
      rehref compare published/ public/ --write-redirects public/_redirects
      rehref compare --save contract.jsonl public/
      rehref compare contract.jsonl public/
      rehref compare crawl.warc.gz public/ --new-only
      rehref compare en/ ja/ --anchors
    """,
)
@click.argument("sides", metavar="OLD NEW", nargs=-1, required=True, type=click.Path())
@group("What to compare")
@setting("--ignore-ids", multiple=True, metavar="REGEX", help="Leave out ids in which this is found.", found="counts")
@setting("--new-only", is_flag=True, help="Report, and fail for, newly broken links only.", found="counts")
@setting(
    "--anchors", is_flag=True, help="NEW is a translation: report the pages and ids that it lacks.", found="counts"
)
@setting("--external", is_flag=True, help="Allow a side to be the URL of a site, which is fetched.", found="asks")
@group("What to write")
@_file("--save", metavar="FILE", help="Write a contract: the URLs and ids of the last side, to compare with later.")
@_file(
    "--write-redirects",
    metavar="FILE|DIR",
    help="Write redirects for what has certainly moved. The name says how: _redirects, .htaccess, netlify.toml, "
    "vercel.json, a .map for nginx, or a folder for pages that refresh.",
)
@group("What to report")
@setting(
    "--select",
    multiple=True,
    type=Codes(),
    metavar="CODES",
    help="Report only these codes (rehref explain compare lists them).",
    found="counts",
)
@setting(
    "--exit-zero", is_flag=True, help="End with 0 even if something is gone; usage errors end with 2.", found="counts"
)
@declared("check", _ROWS)
@group(GENERAL)
@general_options
@click.pass_context
def command(context: click.Context, /, sides: tuple[str, ...], **given: Any) -> None:
    """Compare two states of a site: which URLs and ids are gone or have moved, where they are now, and which links
    only this change broke.

    OLD and NEW are folders, contracts (lists of URLs and ids, which --save writes), web archives (WARC, WACZ) or, with
    --external, URLs. Nothing is guessed below a certainty of 0.9, and nothing by one sign alone.

    Exit codes: 0, nothing is gone and nothing newly broken, or --exit-zero; 1, something is; 2, a usage, configuration
    or I/O error, or sides that cannot be compared.
    """
    from rehref.cli.messages import beside_messages
    from rehref.files.writing import write_atomically
    from rehref.plugins.compare._comparison_report import comparison_format
    from rehref.plugins.compare.comparing import compared, opened_states, refuse_unwritable
    from rehref.site.given_options import site_options

    if len(sides) != 2 and not (len(sides) == 1 and given["save"]):
        what = f"{len(sides)} sides are named" if len(sides) != 1 else "only one side is named"
        raise OptionError("OLD NEW", what, "name the old state and the new one, or one with --save FILE")
    if len(sides) == 2 and given["save"] in output.STDOUT:
        raise OptionError("--save -", "the report is on standard output", "name a file, or only one side")
    reports = reports_to(given["formats"], given["out"])
    refuse_unwritable(given["save"], given["write_redirects"])
    options = site_options({name: given[name] for name in (*_OF_SITES, *_OF_SERVERS, "external", "jobs")})
    if given["write_redirects"]:
        from rehref.cli.program import write_alone

        write_alone(context, [given["write_redirects"]])
    with beside_messages(given) as progress, opened_states(sides, options, progress.show) as states:
        if len(states) == 1:
            contract = states[0].contract()
            if given["save"] in output.STDOUT:
                output.write_bytes(contract)
                return
            write_atomically(Path(given["save"]), contract)
            if not given["quiet"]:
                say(f"{len(states[0].resources):,} URLs written to {given['save']}")
            return
        result = compared(states, given, progress.show)
    presentation = Presentation(
        note=configured(context),
        most=given["max_findings"],
        show_secrets=given["show_secrets"],
        quiet=given["quiet"],
    )
    for report in reports:
        report.write(result, presentation, comparison_format(report.name))
        if report.file is not None and not given["quiet"]:
            say(f"{report.name} written to {report.file}")
    say_unwritten(result.unwritten)
    if given["write_redirects"] and not result.summary.redirects and not given["quiet"]:
        say(f"no redirects to write: {given['write_redirects']} stays as it is")
    context.exit(1 if result.summary.errors and not given["exit_zero"] else 0)
