"""`rehref mv`: move a file, a folder or an id, and correct every reference to it and within it.

1. Nothing is written unless all of it can be (`rehref.moving`). What cannot be done is an error (2), in one line.
2. The folder is read as `rehref check` reads it, with the same host and the same URL.
3. `--dry-run` shows a patch that `git apply` takes, with the new names, and writes nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from rehref.checking.option_table import DEFAULTS, ROWS
from rehref.cli import output
from rehref.cli.click_options import declared
from rehref.cli.config import config_option
from rehref.cli.errors import say
from rehref.cli.outcomes import say_parted
from rehref.files.file_errors import FileError
from rehref.reports.text import count

if TYPE_CHECKING:
    from rehref.checking.site.site_context import SiteContext
    from rehref.moving.plan import MovePlan

_OF_SITE = {name: ROWS[name] for name in ("site_url", "host", "dialect")}


@click.command(
    "mv",
    short_help="Move a file, and correct every reference.",
    epilog="""
    \b
    Examples:
      rehref mv --folder public/ public/wind.html public/guide/
      rehref mv --dry-run guide/ handbook/
      rehref mv a.html#gale a.html#storm
    """,
)
@click.argument("old")
@click.argument("new")
@click.option(
    "--folder",
    type=click.Path(file_okay=False),
    default=".",
    metavar="FOLDER",
    help="The folder of the site, in which references are corrected. Default: the working folder.",
)
@declared("check", _OF_SITE)
@click.option("--dry-run", is_flag=True, help="Show what would change, as a patch, and write nothing.")
@click.option("-q", "--quiet", is_flag=True, help="Print only errors.")
@config_option
def command(
    old: str, new: str, folder: str, site_url: str | None, host: str | None, dialect: str | None, dry_run: bool, quiet: bool
) -> None:
    """Move a file or a folder from OLD to NEW, and correct every reference to it and within it.

    Both are in the folder of a site. Documents that refer to what moves, and those that move, are written anew, with no
    other change: HTML, CSS, SVG, feeds, sitemaps, Markdown sources ... In a repository, git mv moves the file.
    FILE#OLD and FILE#NEW rename an id. Nothing is written unless all of it can be.
    """
    from rehref.moving.carrying_out import carry_out
    from rehref.moving.places import move_of
    from rehref.moving.plan import plan_move

    context = _context(folder, site_url, host, dialect)
    plan = plan_move(context, move_of(context, old, new))
    if dry_run:
        output.write_bytes(_patch(plan))
        output.flush()
    parted = 0 if dry_run else carry_out(plan)
    if not quiet:
        say(_what_was_done(plan, dry_run=dry_run))
        say_parted(parted)


def _context(folder: str, site_url: str | None, host: str | None, dialect: str | None) -> SiteContext:
    """Return the context of a folder. Raises `FileError`, `OptionError`."""
    from rehref.checking.given import Selected, check_options
    from rehref.checking.site.site_context import site_context

    given = {**DEFAULTS, "site_url": site_url, "host": host, "dialect": dialect}
    return site_context(Path(folder), check_options(given, Selected((), (), (), (), ())))


def _patch(plan: MovePlan) -> bytes:
    """Return what a plan changes, as a patch (rule 3)."""
    from rehref.reports.diff import patch, renaming

    documents = {each.old_path: each for each in plan.documents}
    shown = []
    for path in sorted({*plan.files, *documents}):
        document, new = documents.get(path), plan.move.of(path)
        if new != path:
            shown.append(renaming(path, new))
        if document is not None and document.packed:
            say(str(FileError(path, "is gzipped, so that a patch cannot be made", "do without --dry-run")))
        elif document is not None:
            shown.append(patch(path, document.old, document.new, new))
    return b"".join(shown)


def _what_was_done(plan: MovePlan, *, dry_run: bool) -> str:
    """Return the sum, in one line."""
    verb = "to correct" if dry_run else "corrected"
    within = f", {plan.within:,} of them within {plan.move.new.rpartition('/')[2]}" if plan.within else ""
    files = sum(each.references > 0 for each in plan.documents)
    return f"{count(plan.references, 'link')} {verb} in {count(files, 'file')}{within}"
