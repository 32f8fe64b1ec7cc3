"""The formats of reports: a row for each, and the values and functions that they are.

1. A row is all that the command line and the documentation know of a format. To add one, add a module and a row here.
2. Modules are loaded when their format is asked for.
3. A format of links is a value, which shows documents apart from each other (in other processes, too): so a report of
   any length is written document by document. Its `head`, `between` and `tail` stand around them.
4. A format of findings is a function that gives the report piece by piece; together the pieces end with a line end.
5. Formats for programs are the same on every machine: no colours, no widths.
6. A format of links that says something of all documents together shows them apart from each other all the same;
   besides it has `whole`, the report of what is known of all of them and of the documents that were shown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias

from rehref.reports.style import PLAIN, Style
from rehref.reports.text import mask

if TYPE_CHECKING:
    from rehref.base import Base
    from rehref.checking.model import CheckResult
    from rehref.checking.results.causes import LineOf
    from rehref.containers.parts import PartWord
    from rehref.documents.document import Document
    from rehref.documents.link import Link
    from rehref.reports.links.disagreement import Disagreement


class Format(NamedTuple):
    """A row. `summary`: what it is; `made_by`: module and function, below `rehref.reports`; `for_people`: or programs.

    `of_all`: of links, it says something of all documents together, before it shows each (rule 6).

    The function of a format of links makes it, given a `Presentation`; that of a format of findings is the format.
    """

    name: str
    summary: str
    made_by: str
    for_people: bool = False
    of_all: bool = False


OF_LINKS: Final = (
    Format("table", "for people", "links.table:table", for_people=True),
    Format("json", "one array of links", "links.json:array"),
    Format("jsonl", "one link a line", "links.json:lines"),
    Format("csv", "for spreadsheets", "links.csv:csv"),
    Format("html", "a page for browsers, with the sources", "links.html:html", of_all=True),
)
OF_FINDINGS: Final = (
    Format("text", "for people", "check.text:text", for_people=True),
    Format("json", "one object", "check.json:json"),
    Format("jsonl", "one finding a line", "check.json:lines"),
    Format("csv", "for spreadsheets", "check.csv:csv"),
    Format("sarif", "for code scanning", "check.sarif:sarif"),
    Format("junit", "for systems that show tests", "check.junit:junit"),
    Format("github", "annotations in a GitHub workflow", "check.github:github"),
    Format("markdown", "for the summary of a job", "check.markdown:markdown"),
    Format("html", "a page for browsers", "check.html:html"),
)
"""The first of each is the default, for terminals."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How much of an inventory its page shows: documents, references in all of them, and bytes of each source."""

    documents: int = 100
    references: int = 10_000
    source: int = 128 << 10


@dataclass(frozen=True, slots=True)
class Presentation:
    """What formats have to know besides; each takes of it what it needs.

    `columns`, `style`: those of the terminal; `columns` None: no folding. `line_of`: gives source lines of findings.
    `note`: what a summary says besides. `raw_csv`: cells as they are, be they formulas. `compared`: what is shown is
    what parser cores disagree about. `extent`: how much an inventory shows.

    Of findings: `all_places`: formats for people show each, not each cause once; `most`: of as many entries at most,
    None: of all. `show_secrets`: formats for programs show passwords. `made`: when the report was made; `options`:
    those that were given, as a command line has them, without secrets.
    """

    columns: int | None = None
    style: Style = PLAIN
    line_of: LineOf | None = None
    note: str = ""
    raw_csv: bool = False
    compared: bool = False
    extent: Extent = Extent()
    all_places: bool = False
    most: int | None = None
    show_secrets: bool = False
    made: str = ""
    options: tuple[str, ...] = ()

    def mask(self, text: str | None) -> str | None:
        """A text as formats for programs have it: its passwords masked, unless they are asked for; None stays."""
        return text if self.show_secrets else mask(text)


class LinksFormat(Protocol):
    """A way to show the links of documents (rule 3)."""

    @property
    def head(self) -> str:
        """What comes before the first document."""

    @property
    def between(self) -> str:
        """What comes between two documents that have something to show."""

    @property
    def tail(self) -> str:
        """What comes after the last document."""

    def document(self, name: str, base: Base, links: Iterable[Link], where: PartWord = "part") -> str:
        """The text for one document, "" for nothing; `where`: what documents in its container are called."""

    def written(self, name: str, document: Document, where: PartWord = "part") -> tuple[bytearray, int] | None:
        """The same of a document that has been read, in UTF-8, and how many links it has, if that is written without
        making a `Link` of each; else None.
        """

    def disagreements(self, name: str, bases: Mapping[str, Base], found: Sequence[Disagreement]) -> str:
        """The same of what parser cores disagree about; `bases` has the document's base by each core's name."""


FindingsFormat: TypeAlias = "Callable[[CheckResult, Presentation], Iterator[str]]"
"""A way to show what checking found (rule 4)."""


def links_format(name: str, presentation: Presentation) -> LinksFormat:
    """The format of links of that name. Raises `ValueError` for a name that is none."""
    made: LinksFormat = function_of(name, OF_LINKS)(presentation)
    return made


def findings_format(name: str) -> FindingsFormat:
    """The format of findings of that name. Raises `ValueError` for a name that is none."""
    found: FindingsFormat = function_of(name, OF_FINDINGS)
    return found


def named(name: str, rows: Sequence[Format]) -> Format:
    """The row of that name. Raises `ValueError` for a name that is none."""
    for row in rows:
        if row.name == name:
            return row
    raise ValueError(f"{name!r} is not a format; there are {', '.join(names(rows))}")


def names(rows: Sequence[Format]) -> list[str]:
    """The names of these formats."""
    return [row.name for row in rows]


def described(rows: Sequence[Format]) -> str:
    """What these formats are, for `--help`: `json: one object; …`."""
    return "; ".join(f"{row.name}: {row.summary}" for row in rows)


def function_of(name: str, rows: Sequence[Format]) -> Any:
    """The function of a row, whose module is loaded now (rule 2). Raises `ValueError` for a name that is none."""
    module, _, function = named(name, rows).made_by.partition(":")
    return getattr(import_module(f"rehref.reports.{module}"), function)
