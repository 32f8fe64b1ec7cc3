"""The options that only the command has: what is named, printed, written and corrected; and all its options in order.

1. A row is declared like those of the checker (`rehref.site.check_options`).
2. `--help` shows groups in the order of `GROUPS`; in a group, a row follows the one that it names, or those before it.
"""

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Final, TypedDict

from rehref.cli.click_options import RAW_CSV
from rehref.cli.program import GENERAL
from rehref.option_rows import FilePath, Option, rows_of
from rehref.reports.formats import OF_FINDINGS, described
from rehref.site.check_options import GROUPS as OF_CHECKER
from rehref.site.check_options import REPORTED, ROWS, WHAT

_of_check = partial(Option, commands=("check",))
_what = partial(_of_check, group=WHAT)
_reported = partial(_of_check, group=REPORTED)
_output = partial(_of_check, group="Output")
_fixing = partial(_of_check, group="Fixing")
_general = partial(_of_check, group=GENERAL)
GROUPS: Final = (*OF_CHECKER[:3], "Output", "Fixing", *OF_CHECKER[3:], "Reading documents", GENERAL)


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
    formats: Annotated[
        Sequence[str],
        _output(
            f"The format of the report, and its file if one is named (- is standard output). Default: "
            f"{OF_FINDINGS[0].name}. {described(OF_FINDINGS)}.",
            "NAME[=FILE]",
            flags=("-f", "--format"),
            kind="report",
            described={row.name: row.summary for row in OF_FINDINGS},
            found="writes",
        ),
    ]
    out: Annotated[
        FilePath,
        _output(
            "Write the report to this file, if --format names none.", "FILE", flags=("-o", "--output"), found="writes"
        ),
    ]
    all_places: Annotated[
        bool, _output("Show every finding, page by page. Default: show each cause once.", found="counts")
    ]
    max_findings: Annotated[
        int | None,
        _output(
            "Show at most N findings in text, github, markdown and html. The others are counted.", "N", found="counts"
        ),
    ]
    show_secrets: Annotated[bool, _output("Show passwords in json, jsonl, csv, sarif and junit.", found="yours")]
    raw_csv: Annotated[bool, _output(RAW_CSV, found="yours")]
    dump_external: Annotated[
        FilePath,
        _output(
            "Write the URLs on other sites to FILE, a line each: the URL, a tab, its first place; - is standard "
            "output.",
            "FILE",
            found="writes",
        ),
    ]
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


OF_CHECK: Final = {name: row for name, row in ROWS.items() if "check" in row.commands} | rows_of(OnCommandLine)
"""Every option of the command by name, except the general ones."""
