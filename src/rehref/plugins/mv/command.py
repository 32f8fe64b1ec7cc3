"""`rehref mv`: move a file, a folder or an id, and correct every reference to it and within it.

Nothing is written unless all of it can be. What cannot be done is an error (2), in one line. The folder is read as
`rehref check` reads it, with the same host and the same URL.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rehref.cli import output
from rehref.cli.click_options import declared
from rehref.cli.config import config_option
from rehref.cli.messages import Progress, say, say_hashes, say_parted, say_unwritten, wanted
from rehref.cli.parameters import setting
from rehref.files.file_errors import FileError
from rehref.reports.terminal import count
from rehref.site.check_options import ROWS

if TYPE_CHECKING:
    from rehref.plugins.mv.move_plan import MovePlan

_OF_SITE = {name: ROWS[name] for name in ("site_url", "host", "dialect")}


@click.command(
    "mv",
    short_help="Move a file, and correct every reference.",
    epilog="""
    \b
    Examples:
      rehref mv --folder public/ public/wind.html public/guide/
      rehref mv --dry-run guide handbook
      rehref mv a.html#gale a.html#storm
    """,
)
@click.argument("old")
@click.argument("new")
@setting(
    "--folder",
    type=click.Path(file_okay=False),
    default=".",
    metavar="FOLDER",
    help="The folder of the site, in which references are corrected. Default: the working folder.",
    found="inside",
)
@setting(
    "--redirects",
    type=click.Path(),
    metavar="FILE|DIR",
    help="Add redirects from the old URLs. The name says how: _redirects, .htaccess, netlify.toml, vercel.json, a .map "
    "for nginx, mkdocs.yml, or a folder for pages that refresh.",
    found="writes",
    makes_folder=True,
)
@setting(
    "--aliases",
    is_flag=True,
    help="Add the old URLs to the front matter of pages, for Hugo and Jekyll.",
    found="writes",
)
@declared("check", _OF_SITE)
@setting("--dry-run", is_flag=True, help="Show what would change, as a patch, and write nothing.", found="counts")
@setting("-q", "--quiet", is_flag=True, help="Print only errors.", found="counts")
@config_option
def command(
    old: str, new: str, folder: str, redirects: str | None, aliases: bool, dry_run: bool, quiet: bool, **options: Any
) -> None:
    """Move a file or a folder from OLD to NEW, and correct every reference to it and within it.

    Both are in the folder of a site. Documents that refer to what moves, and those that move, are written anew, with no
    other change: HTML, CSS, SVG, feeds, sitemaps, Markdown sources ... The index of git gets the new names.
    FILE#OLD and FILE#NEW rename an id. What is at NEW already is not moved again, but links that still lead to OLD are
    corrected. Nothing is written unless all of it can be. A run that was killed is finished by the same command.
    """
    from rehref.files.writing import alone_in
    from rehref.plugins.mv._carrying_out import carry_out
    from rehref.plugins.mv.moving import planned
    from rehref.site.given_options import site_options

    note = (lambda _: None) if quiet else say
    shown = wanted(quiet=quiet, no_progress=False, prints_results=False)
    with alone_in([folder], note), Progress(shown=shown) as progress:
        plan = planned(
            old,
            new,
            Path(folder),
            site_options(options),
            redirects=redirects,
            aliases=aliases,
            dry_run=dry_run,
            progress=progress.show,
        )
        parted = 0 if dry_run else carry_out(plan, note)
    if dry_run:
        output.write_bytes(_patch(plan))
        output.flush()
    if not quiet:
        say(_what_was_done(plan, dry_run=dry_run))
        say_parted(parted)
        say_hashes(0 if dry_run else plan.hashed, plan.stale)
    say_unwritten(plan.unwritten)


def _patch(plan: MovePlan) -> bytes:
    """Return what a plan changes, as a patch that `git apply` takes, with the new names.

    Names are those below the working folder if all is in it, else below the folder that holds all.
    """
    from rehref.reports.diff import naming, patch

    folder, here = Path(os.path.realpath(plan.folder)), Path.cwd()
    changes, shown = {each.old_path: each for each in plan.documents}, []
    common = Path(os.path.commonpath([folder, *((folder / each).parent for each in changes)]))
    top = here if common.is_relative_to(here) else common
    for path in sorted({*plan.files, *changes}):
        change = changes.get(path)
        old, new = (os.path.relpath(folder / each, top) for each in (path, plan.move.of(path)))
        if change is not None and change.packed:
            say(str(FileError(path, "is gzipped, so that a patch cannot be made", "do without --dry-run")))
            change = None
        if new != old or (change is not None and change.old is not None):
            shown.append(naming(old, new))
        if change is not None:
            shown.append(patch(old, change.old, change.new, new))
    return b"".join(shown)


def _what_was_done(plan: MovePlan, *, dry_run: bool) -> str:
    """Return the sum, in one line."""
    old, new, is_done = *plan.move.names, plan.move.is_done
    if is_done and not plan.documents:
        return f"nothing to do: {new} is there, {old} is not, and no link leads to it"
    verb = "to correct" if dry_run else "corrected"
    within = f", {plan.within:,} of them within {new.rpartition('/')[2]}" if plan.within else ""
    files = sum(each.references > 0 for each in plan.documents)
    done = f"{count(plan.references, 'link')} {verb} in {count(files, 'file')}{within}"
    if plan.redirects:
        done += f"; {count(plan.redirects, 'old URL')} {'to redirect' if dry_run else 'redirected'}"
    return done + (f"; {new} was there already" if is_done else "")
