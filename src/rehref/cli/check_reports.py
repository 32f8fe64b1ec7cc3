"""The reports of `rehref check`: their options, and where they go.

Errors are reported before any file is read: an unknown format, two reports for one place. A report for people on
standard output has the width and encoding of that; all others are as for programs.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple, TypedDict

from rehref.cli import output
from rehref.cli.click_options import RAW_CSV
from rehref.cli.messages import OptionError
from rehref.cli.parameters import Report
from rehref.option_rows import FilePath, Option, rows_of
from rehref.reports.formats import OF_FINDINGS, Presentation, described, findings_format, named, names
from rehref.uri.components import mask_text

if TYPE_CHECKING:
    from rehref.site.findings import CheckResult

OUTPUT: Final = "Output"
"""The group of the options."""

_FORMAT: Final = Report({row.name: row.summary for row in OF_FINDINGS})
_of_reports = partial(Option, commands=("check",), group=OUTPUT)
_CONTROL = re.compile(r"[\x00-\x20\x7f]")


class _OptionsOfReports(TypedDict, total=False):
    formats: Annotated[
        Sequence[str],
        _of_reports(
            f"The format of the report, and its file if one is named (- is standard output). Default: "
            f"{OF_FINDINGS[0].name}. {described(OF_FINDINGS)}.",
            "NAME[=FILE]",
            flags=("-f", "--format"),
            kind="report",
            described=_FORMAT.choices,
            found="writes",
        ),
    ]
    out: Annotated[
        FilePath,
        _of_reports(
            "Write the report to this file, if --format names none.", "FILE", flags=("-o", "--output"), found="writes"
        ),
    ]
    all_places: Annotated[
        bool,
        _of_reports(
            "Show every finding, page by page. Default: show each cause once: the same mistake, wherever it is.",
            found="counts",
        ),
    ]
    all: Annotated[
        bool,
        _of_reports("Show all causes. Default for text: the 25 with the most findings.", found="counts"),
    ]
    max_findings: Annotated[
        int | None,
        _of_reports(
            "Show at most N findings in text, github, markdown and html. The others are counted.", "N", found="counts"
        ),
    ]
    show_secrets: Annotated[bool, _of_reports("Show passwords in json, jsonl, csv, sarif and junit.", found="yours")]
    raw_csv: Annotated[bool, _of_reports(RAW_CSV, found="yours")]
    dump_external: Annotated[
        FilePath,
        _of_reports(
            "Write the URLs on other sites to FILE, a line each: the URL, a tab, its first place; - is standard "
            "output.",
            "FILE",
            found="writes",
        ),
    ]


OF_REPORTS: Final = rows_of(_OptionsOfReports)
"""The options, by name."""


class ReportTo(NamedTuple):
    """A report to make: the name of its format, and its file (None: standard output)."""

    name: str
    file: Path | None

    @property
    def is_for_people(self) -> bool:
        """Return whether it is for people, on standard output."""
        return self.file is None and named(self.name, OF_FINDINGS).for_people

    def write(
        self, result: Any, presentation: Presentation, form: Callable[[Any, Presentation], Any] | None = None
    ) -> None:
        """Write the report. Raises `FileError`. `presentation`: how to show it; its note is for people.

        `form`: shows a result of another kind.
        """
        form = findings_format(self.name) if form is None else form
        if self.is_for_people:
            screen = output.screen()
            for piece in form(result, presentation._replace(columns=screen.columns, style=screen.style)):
                output.show(piece)
            return

        _write(form(result, presentation._replace(note="")), self.file)


def _write(pieces: Iterable[str], file: Path | None) -> None:
    """Write for programs, to standard output if no file is named. Raises `FileError`."""

    def write(send: output.Send) -> None:
        for piece in pieces:
            send(output.for_programs(piece))

    output.write_report(write, file)


def write_external(result: "CheckResult", file: str, *, show_secrets: bool) -> None:
    """Write the list of URLs on other sites. Raises `FileError`. `file`: may be `-`."""
    _write(_external_lines(result, show_secrets=show_secrets), None if file in output.STDOUT else Path(file))


def _external_lines(result: "CheckResult", *, show_secrets: bool) -> Iterator[str]:
    """Yield the lines of the list of URLs on other sites: a URL and, after a tab, its first place, `path:line:column`.

    Lines are sorted by URL. Characters that would end a line or a column, and other control characters and spaces, are
    percent-encoded in URLs, and escaped in paths. Passwords are masked, unless asked for.
    """
    from rehref.reports.words_of_findings import file_path

    for url, document, line, column in result.external:
        place = [file_path(result.folder, document), *(str(number) for number in (line, column) if number is not None)]
        shown = _encoded(url if show_secrets else mask_text(url))
        yield f"{shown}\t{_CONTROL.sub(_escape_but_space, ':'.join(place))}\n"


def _encoded(url: str) -> str:
    return _CONTROL.sub(lambda found: f"%{ord(found[0]):02X}", url)


def _escape_but_space(found: re.Match[str]) -> str:
    return found[0] if found[0] == " " else f"\\x{ord(found[0]):02x}"


def reports_to(formats: Sequence[str], out: str | None, *, dump: str | None = None) -> list[ReportTo]:
    """Return the reports to make. Raises `OptionError`.

    `formats`: `NAME` or `NAME=FILE` each; none means the first format. `out`: the file for the report that names none.
    Either may be `-`. `dump`: the file for the list of URLs on other sites; if that is standard output, the list
    replaces a report that was not asked for.
    """
    is_dumped = dump in output.STDOUT
    if is_dumped and not formats and out is None:
        return []
    unnamed = None if out is None or out in output.STDOUT else Path(out)
    reports: list[ReportTo] = []
    names_no_file = 0
    for text in formats or names(OF_FINDINGS)[:1]:
        name, file = _FORMAT.parted(text)
        names_no_file += file is None
        reports.append(ReportTo(name, unnamed if file is None else None if file in output.STDOUT else Path(file)))
    if unnamed is not None and not names_no_file:
        raise OptionError(f"-o {out}", "every report has a file of its own", "leave it out")
    if sum(report.file is None for report in reports) + is_dumped > 1:
        raise OptionError("--format", "two reports cannot both go to standard output", "write NAME=FILE")
    files = [file for _, file in reports if file is not None and not file.is_relative_to("/dev")]
    twice = next((file for file in files if files.count(file) > 1), None)
    if twice is not None:
        raise OptionError(f"--format …={twice}", "two reports cannot both go there", "name another file for one")
    return reports
