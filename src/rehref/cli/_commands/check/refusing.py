"""What `rehref check` refuses before it reads a file, and when it is an error that nothing was checked.

An option that would do nothing together with another one is refused; a configuration may have it.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from rehref.cli.click_options import typed
from rehref.cli.messages import OptionError
from rehref.containers.kinds import KINDS, named_like
from rehref.files.file_errors import FileError
from rehref.reports.terminal import count

if TYPE_CHECKING:
    from rehref.cli._commands.check.sites import NamedSite
    from rehref.site.findings import CheckResult
    from rehref.site.site import Site

_READ: Final = frozenset({"text/html", "application/xhtml+xml", "text/markdown"})
_NOT_WITH_WATCH: Final = frozenset({"fix", "fix_unsure", "diff", "write_baseline", "why", "external", "sources"})
_NOT_WITH_WHY: Final = frozenset(
    {
        *("fix", "fix_unsure", "diff", "baseline", "write_baseline", "formats", "out", "raw_csv", "dump_external"),
        *("all_places", "all", "max_findings", "show_secrets", "external", "sources"),
    }
)


def refuse_beside(context: click.Context, given: dict[str, Any]) -> None:
    """Raise `OptionError` for options that do not go with others."""
    if given["watch"]:
        _refuse(context, "--watch", "checks again and again", _NOT_WITH_WATCH)
        if given["external"]:  # from a configuration
            raise OptionError("--watch", "checks again and again, so it does not ask servers", "leave one of them out")
    if given["why"] is not None:
        _refuse(context, "--why", "explains one URL", _NOT_WITH_WHY)
    if given["diff"] and not (given["fix"] or given["fix_unsure"]):
        raise OptionError("--diff", "goes with --fix only", "leave it out")


def _refuse(context: click.Context, asked: str, does: str, names: Collection[str]) -> None:
    for option in context.command.params:
        if option.name in names and typed(context, option.name):
            flag = max(option.opts, key=len)
            raise OptionError(asked, f"{does}, so it does not go with {flag}", "leave one of them out")


def refuse_for_several(named: Sequence[NamedSite], given: dict[str, Any]) -> None:
    """Raise `OptionError` for options that can only be for one site."""
    option = next((name for name in ("site_url", "why", "sources") if given[name] is not None), None)
    if len(named) > 1 and option is not None:
        remedy = "check them one by one, or name the site that contains them with --root"
        raise OptionError(f"--{option.replace('_', '-')}", "is for one site, but several are named", remedy)


def refuse_archives(targets: Sequence[str], given: dict[str, Any]) -> None:
    """Raise `FileError` if only archives are named; it says how to unpack them."""
    endings = tuple(ending for kind in KINDS if kind.unpacked_as for _, names in kind.endings for ending in names)
    are_archives = all(target.lower().endswith(endings) and Path(target).is_file() for target in targets)
    if targets and are_archives and not given["allow_empty"]:
        name = targets[0]
        remedy = f"unpack it first: rehref rewrite --unpack DIR {shlex.quote(name)}; then rehref check DIR"
        raise FileError(name, f"it is {named_like(name)}, and check reads folders and pages", remedy)


def empty_error(result: CheckResult, context: Site, given: dict[str, Any]) -> FileError | None:
    """The error if nothing was checked, and that is one; else None.

    A folder without documents, or without any link, is one unless `--allow-empty` is given, or a list names the files
    to check. A report for people that has nothing to say is left out then.
    """
    folder, summary = context.place.folder, result.summary
    if given["allow_empty"] or given["files_from"] is not None or summary.links:
        return None
    if context.is_sent:
        if result.rows:  # it could not be fetched, which is reported
            return None
        return FileError(folder, "there is no link in it", "name another page, or add --allow-empty")
    if context.options.files is not None:
        what = "there is no link in the named files" if summary.documents else "none of its documents was named"
        return FileError(folder, what, "name other files, or add --allow-empty")
    if given["exclude_path"] and context.scope.documents and not summary.documents:
        return FileError(folder, "--exclude-path leaves out all its documents", "leave out less, or add --allow-empty")
    if context.files.paths and _READ.isdisjoint(map(context.files.types.of, context.scope.documents)):
        what = f"it holds {count(len(context.files.paths), 'file')} and no HTML document"
        return FileError(folder, what, "check the folder that your generator writes, or add --allow-empty")
    what = "there is no link in its documents" if summary.documents else "there is no document in it"
    return FileError(folder, what, "name another folder, or say --allow-empty")
