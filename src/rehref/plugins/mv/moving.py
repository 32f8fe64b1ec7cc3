"""`rehref.move`: a move with all its corrections, as the command makes it.

Everything is planned before anything is written: references, redirects, aliases, hashes.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rehref.exceptions import refuse_no_flags
from rehref.files.file_errors import FileError
from rehref.files.writing import alone_in
from rehref.plugins.mv._carrying_out import begun, carry_out
from rehref.plugins.mv._hashes_of_move import with_hashes
from rehref.plugins.mv._mkdocs_nav import named_by_mkdocs
from rehref.plugins.mv._moved_places import move_of
from rehref.plugins.mv._old_urls import aliased, redirected
from rehref.plugins.mv._planning import plan_move
from rehref.plugins.mv.move_plan import MovePlan, ShowProgress, show_none, whole
from rehref.site.check_options import CheckOptions
from rehref.site.findings import UnwrittenRedirect
from rehref.site.given_options import os_errors, refuse_redirects_file, site_options
from rehref.site.site import Site

_CONFIGURATIONS = (".yml", ".yaml")
"""The extensions of mkdocs.yml, which keeps redirects, too."""


@dataclass(frozen=True, slots=True)
class Move:
    """What a move has changed, or would change. `old`, `new`: the places below the folder, with `#` and an id.

    `files`: those that got new names, by their old paths; `documents`: those with other bytes, by their new paths,
    whole ones outside of the folder.
    `references`: how many were corrected; `within`: how many of them in what moved. `redirects`: how many old URLs
    lead on by redirects or aliases; `unwritten`: those for which no redirect was written, and why. `is_done`: whether
    it had moved before; then only references were corrected.
    """

    old: str
    new: str
    files: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    references: int = 0
    within: int = 0
    redirects: int = 0
    is_done: bool = False
    unwritten: tuple[UnwrittenRedirect, ...] = ()


def move(
    old: str | os.PathLike[str],
    new: str | os.PathLike[str],
    *,
    folder: str | os.PathLike[str] = ".",
    redirects: str | os.PathLike[str] | None = None,
    aliases: bool = False,
    dry_run: bool = False,
    **options: Any,
) -> Move:
    """Move a file or a folder, or rename an id, and correct every reference to it and within it.

    `old`, `new`: paths as for the command `mv`, or `FILE#ID` both. `folder`: of the site or its sources, in which
    references are corrected. `redirects`: a file to which redirects from the old URLs are added; its name decides the
    syntax. `aliases`: add the old URLs to the front matter of the pages. `dry_run`: write nothing.

    `options`: those of `rehref.check` that say how the folder is read: `site_url`, `host`, `dialect` and others.

    Nothing is written unless all of it can be. Raises `OSError` for a file that cannot be read, moved or corrected,
    ValueError for an option value that cannot be used, `TypeError` for an unknown argument.
    """
    refuse_no_flags(aliases=aliases, dry_run=dry_run)
    with os_errors():
        read = site_options(options, old=old, new=new, folder=folder, redirects=redirects or "")
        names = os.fspath(old), os.fspath(new)
        with alone_in([folder]):
            plan = planned(*names, Path(folder), read, redirects=redirects, aliases=aliases, dry_run=dry_run)
            if not dry_run:
                carry_out(plan)
    old_name, new_name = plan.move.names
    return Move(
        old=old_name,
        new=new_name,
        files=plan.files,
        documents=tuple(sorted(each.new_path for each in plan.documents)),
        references=plan.references,
        within=plan.within,
        redirects=plan.redirects,
        is_done=plan.move.is_done,
        unwritten=plan.unwritten,
    )


def planned(
    old: str,
    new: str,
    folder: Path,
    options: CheckOptions,
    *,
    redirects: str | os.PathLike[str] | None = None,
    aliases: bool = False,
    dry_run: bool = False,
    progress: ShowProgress = show_none,
) -> MovePlan:
    """Return what a move does, or the rest of it, if a run was killed that had begun it.

    `options`: how the folder is read. `progress`: called with how much is done, of how much, and of what.

    Raises `FileError`, `OptionError`.
    """
    if redirects is not None and Path(redirects).suffix not in _CONFIGURATIONS:
        is_moved = Path(new).absolute() in Path(redirects).absolute().parents
        refuse_redirects_file("--redirects", redirects, makes_folder=is_moved)
    named = (whole(old), whole(new))
    plan = begun(folder, named)
    if plan is not None and dry_run:
        raise FileError(str(folder), "this move was interrupted", "run it again without --dry-run first")
    if plan is not None:
        return plan
    # with listings of folders: what leads to a folder is corrected, too
    context = Site.of(folder, options._replace(directory_listing=True), partial(progress, total=None, what="files"))
    plan = named_by_mkdocs(context, plan_move(context, move_of(context, old, new), progress))._replace(given=named)
    if aliases:
        plan = aliased(context, plan)
    if redirects is not None:
        plan = redirected(context, plan, Path(redirects))
    return with_hashes(context, plan)
