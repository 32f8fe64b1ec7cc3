"""The options that only the command has: what is named, watched and corrected; and all its options in order.

A row is declared like those of the checker (`rehref.site.check_options`). `--help` shows groups in the order of
`GROUPS`; in a group, a row follows the one that it names, or those before it.
"""

from functools import partial
from typing import Annotated, Final, TypedDict

from rehref.cli.check_reports import OF_REPORTS, OUTPUT
from rehref.cli.program import GENERAL
from rehref.option_rows import FilePath, Option, rows_of
from rehref.site.check_options import GROUPS as OF_CHECKER
from rehref.site.check_options import REPORTED, ROWS, WHAT

_of_check = partial(Option, commands=("check",))
_what = partial(_of_check, group=WHAT)
_reported = partial(_of_check, group=REPORTED)
_fixing = partial(_of_check, group="Fixing")
_general = partial(_of_check, group=GENERAL)
GROUPS: Final = (*OF_CHECKER[:3], OUTPUT, "Fixing", *OF_CHECKER[3:], "Reading documents", GENERAL)


class OnCommandLine(TypedDict, total=False):
    """The rows."""

    files_from: Annotated[
        FilePath,
        _what(
            "Check the files that FILE lists, one a line (or before each NUL); - is standard input. Files that are not "
            "in the site, do not exist or are not documents are skipped.",
            "FILE",
            after="exclude_path",
            about="folder",
            found="inside",
        ),
    ]
    root: Annotated[
        FilePath,
        _what(
            "The folder of the site that contains all FILEs and FOLDERs: only they are checked, against the whole "
            "site. Default: each FOLDER is a site, and FILEs belong to the working directory or, if they are not all "
            "in it, to the folder that they have in common.",
            "DIR",
            after="files_from",
            about="folder",
            found="inside",
        ),
    ]
    strict: Annotated[
        bool, _reported("End with 1 if there are warnings, too.", after="ignore_attributes", found="counts")
    ]
    exit_zero: Annotated[
        bool,
        _reported(
            "End with 0 even if links are broken; usage errors still end with 2.", after="require_https", found="counts"
        ),
    ]
    baseline: Annotated[FilePath, _reported("Leave out findings that this file lists.", "FILE", found="inside")]
    write_baseline: Annotated[
        FilePath,
        _reported(
            "Write the present findings to this file, for --baseline, and report nothing.", "FILE", found="writes"
        ),
    ]
    allow_empty: Annotated[bool, _reported("Accept a folder without any document or link.", found="counts")]
    fix: Annotated[
        bool,
        _fixing("Write suggestions that are sure into the documents, and check again.", about="folder", found="writes"),
    ]
    fix_unsure: Annotated[bool, _fixing("Write the best guesses too; implies --fix.", about="folder", found="writes")]
    diff: Annotated[
        bool, _fixing("With --fix: show the changes as a patch, and write nothing.", about="folder", found="counts")
    ]
    why: Annotated[
        str | None,
        _general(
            "Explain how a link to URL is treated, and check nothing. A relative URL is resolved against the site's "
            "URI.",
            "URL",
            about="folder",
            found="yours",
        ),
    ]
    watch: Annotated[
        bool,
        _general("Check again after each change, until Ctrl-C. Needs rehref[watch].", about="folder", found="yours"),
    ]


OF_CHECK: Final = (
    {name: row for name, row in ROWS.items() if "check" in row.commands} | OF_REPORTS | rows_of(OnCommandLine)
)
"""Every option of the command by name, except the general ones."""
FIRST: Final = (
    *("exclude", "exclude_path", "external", "site_url", "host", "ignore", "strict"),
    *("baseline", "formats", "all", "fix", "diff", "why"),
)
"""The options that `--help` alone shows: what people need for most sites."""
