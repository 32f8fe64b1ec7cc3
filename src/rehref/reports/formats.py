"""The formats of reports: a row for each, and the values and functions that make them.

A row is all that the command line and the documentation know about a format. To add one, add a module, which is loaded
when its format is asked for, and a row here. Formats for programs are the same on every machine: no colours, no widths.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from rehref.reports.terminal import PLAIN, Style, json_text, mask

if TYPE_CHECKING:
    from rehref.containers.parts import PartWord
    from rehref.documents.base import Base
    from rehref.documents.document import Document
    from rehref.documents.link import Link
    from rehref.reports.disagreement import Disagreement
    from rehref.site.findings import CheckResult, LineOf
    from rehref.text.large_bytes import LargeBytes


class ReportFormat(NamedTuple):
    """A row. `summary`: for people; `made_by`: module and function, below `rehref.reports`; `for_people`: or for
    programs.

    `of_all`: a format of links that summarizes all documents, before it shows each: it also has `whole`, the report
    from the facts about all documents, and from those that were shown. For a format of links, the function makes it
    from a `Presentation`; for a format of findings, it is the format. `into_folder`: `-o` writes it in pieces.
    """

    name: str
    summary: str
    made_by: str
    for_people: bool = False
    of_all: bool = False
    into_folder: bool = False


OF_LINKS: Final = (
    ReportFormat("table", "for people", "_links.table:table", for_people=True),
    ReportFormat("json", "one array of links", "_links.links_json:array"),
    ReportFormat("jsonl", "one link a line", "_links.links_json:lines", into_folder=True),
    ReportFormat("csv", "for spreadsheets", "spreadsheets:links"),
    ReportFormat("html", "a page for browsers, with the sources", "_links.links_html:html", of_all=True),
)
OF_FINDINGS: Final = (
    ReportFormat("text", "for people", "_findings.findings_text:text", for_people=True),
    ReportFormat("json", "one object", "_findings.findings_json:json"),
    ReportFormat("jsonl", "one finding a line", "_findings.findings_json:lines"),
    ReportFormat("csv", "for spreadsheets", "spreadsheets:findings"),
    ReportFormat("sarif", "for code scanning", "_findings.sarif:sarif"),
    ReportFormat("junit", "for systems that show tests", "_findings.junit:junit"),
    ReportFormat("github", "annotations in a GitHub workflow", "_findings.github:github"),
    ReportFormat("markdown", "for the summary of a job", "_findings.findings_markdown:markdown"),
    ReportFormat("html", "a page for browsers", "_findings.findings_html:html"),
)
"""The default of each is the first, for terminals."""


class InventoryLimits(NamedTuple):
    """How much of an inventory its page shows: documents, references in all of them, and bytes of each source."""

    documents: int = 100
    references: int = 10_000
    source: int = 128 << 10


class Presentation(NamedTuple):
    """Other values that formats need; each uses some of them.

    `columns`, `style`: those of the terminal; `columns` None: no folding. `line_of`: returns source lines of findings.
    `note`: a text to add to the summary. `raw_csv`: cells unchanged, even formulas. `compared`: the report shows
    where parser cores disagree. `extent`: how much an inventory shows.

    For findings: `all_places`: formats for people show each finding, not each cause once; `most`: the number of entries
    to show at most; None: as many as the format shows by itself, or with `all`, all. `show_secrets`: formats for
    programs show passwords. `made`: the time of the report; `options`: those that were given, as on a command line,
    without secrets. `quiet`: text for people has no summary.
    """

    columns: int | None = None
    style: Style = PLAIN
    line_of: LineOf | None = None
    note: str = ""
    raw_csv: bool = False
    compared: bool = False
    extent: InventoryLimits = InventoryLimits()
    all_places: bool = False
    most: int | None = None
    all: bool = False
    show_secrets: bool = False
    made: str = ""
    options: tuple[str, ...] = ()
    quiet: bool = False

    @property
    def entry(self) -> str:
        """What formats for people show, for people."""
        return "finding" if self.all_places else "cause"

    def mask(self, text: str | None) -> str | None:
        """A text in formats for programs: its passwords are masked, unless they are asked for; None stays."""
        return text if self.show_secrets else mask(text)


class LinksFormat(Protocol):
    """A way to show the links of documents, each separately (in other processes, too).

    So a report of any length is written document by document.
    """

    @property
    def head(self) -> str:
        """The text before the first document."""

    @property
    def between(self) -> str:
        """The text between two documents that have something to show."""

    @property
    def tail(self) -> str:
        """The text after the last document."""

    def document(self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part") -> str:
        """The text for one document, "" for nothing; `where`: what parts of its container are called."""

    def written(self, name: str, document: Document, where: PartWord = "part") -> tuple[AnyText, int] | None:
        """The same for a document that has been read, in UTF-8, and the number of its links, if it can be written
        without making a `Link` of each; else None.
        """

    def disagreements(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The same for the disagreements of parser cores; `bases` has the document's base by each core's name."""


FindingsFormat: TypeAlias = "Callable[[CheckResult, Presentation], Iterator[str]]"
"""Shows the findings of a check: returns the report in pieces, the last of which ends with a line end."""


def links_format(name: str, presentation: Presentation) -> LinksFormat:
    """The format of links of that name. Raises `ValueError` for an unknown name."""
    made: LinksFormat = function_of(name, OF_LINKS)(presentation)
    return made


def findings_format(name: str) -> FindingsFormat:
    """The format of findings of that name. Raises `ValueError` for an unknown name."""
    found: FindingsFormat = function_of(name, OF_FINDINGS)
    return found


def named(name: str, rows: Sequence[ReportFormat]) -> ReportFormat:
    """The row of that name. Raises `ValueError` for an unknown name."""
    for row in rows:
        if row.name == name:
            return row
    raise ValueError(f"{name!r} is not a format; there are {', '.join(names(rows))}")


def names(rows: Sequence[ReportFormat]) -> list[str]:
    """The names of these formats."""
    return [row.name for row in rows]


def described(rows: Sequence[ReportFormat]) -> str:
    """A description of these formats, for `--help`: `json: one object; …`."""
    return "; ".join(f"{row.name}: {row.summary}" for row in rows)


def function_of(name: str, rows: Sequence[ReportFormat]) -> Any:
    """The function of a row, whose module is loaded now. Raises `ValueError` for an unknown name."""
    module, _, function = named(name, rows).made_by.partition(":")
    return getattr(import_module(f"rehref.reports.{module}"), function)


TEXT: Final = "text"
"""The name, in commands that print objects, of the format for people, which is not made here."""
ARRAY: Final = "json"
LINES: Final = "jsonl"
OBJECT_FORMATS: Final = (TEXT, ARRAY, LINES)
"""The formats of a command that prints objects; the first is the default."""


def objects_written(objects: Iterable[Mapping[str, Any]], format: str) -> Iterator[str]:
    """The text in pieces, as `ARRAY` (one object on each line, too) or in `LINES`, as the objects come.

    If their source raises an exception, the array is ended first, so that what was written is JSON.
    """
    from json import JSONEncoder

    encode, is_array = JSONEncoder(ensure_ascii=False).encode, format == ARRAY
    before = "[\n" if is_array else ""
    problem: Exception | None = None
    try:
        for each in objects:
            text = json_text(encode(each))
            yield f"{before}{text}" if is_array else f"{text}\n"
            before = ",\n"
    except Exception as error:
        problem = error
    if is_array:
        yield "[\n]\n" if before == "[\n" else "\n]\n"
    if problem is not None:
        raise problem


_IN_MEMORY: Final = 8 << 20


class LongText:
    """Bytes that are added in pieces, and then read in pieces, as often as needed; in memory up to 8 MB, else in a
    file.

    It is written only when all of it is known, so that it is written completely or not at all. It can be sent to
    another process, in memory.
    """

    __slots__ = ("_file",)

    def __init__(self) -> None:
        self._file: IO[bytes] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been added."""
        return self._file is None

    def add(self, piece: bytes | bytearray) -> None:
        """Add bytes. Raises OSError if the temporary file cannot be written."""
        if self._file is None:
            import tempfile

            self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115 (closed by `__del__`)
        self._file.write(piece)

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def __iter__(self) -> Iterator[bytes]:
        from rehref.containers.streams import pieces_of_file  # few processes need it

        return iter(()) if self._file is None else pieces_of_file(self._file)

    def __reduce__(self) -> tuple[Callable[[bytes], LongText], tuple[bytes]]:
        return _made_of, (b"".join(self),)


def _made_of(data: bytes) -> LongText:
    text = LongText()
    if data:
        text.add(data)
    return text


AnyText: TypeAlias = "bytes | bytearray | LongText | LargeBytes"


def in_pieces(text: AnyText) -> Iterable[bytes | bytearray]:
    """The bytes of a text of any kind, in pieces."""
    return (text,) if isinstance(text, bytes | bytearray) else text
