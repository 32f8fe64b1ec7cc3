"""`rehref links --parser all`: what the parser cores disagree about.

1. Every core that is registered reads each document. One that cannot be loaded is named on standard error, and left
   out.
2. A core that fails on a document (none of ours does) is named, and left out of the comparison of that document.
3. For people a last line says how many documents there were, and about how many of them the cores disagree.
4. To disagree is no error: the exit code is that of `rehref links`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rehref.base import Base
from rehref.cli import output
from rehref.cli.documents import Outcome, Tally, contents, open_read
from rehref.cli.errors import say
from rehref.cli.options import Settings
from rehref.documents.link import Link
from rehref.files.file_documents import FileDocument, read
from rehref.files.file_errors import FileError
from rehref.parsers.registry import ParserError, core, names
from rehref.reports.disagreement import disagreements
from rehref.reports.disagreement_formats import DisagreementFormat, make_format


@dataclass(frozen=True, slots=True)
class Compare:
    """Format what these cores disagree about in one document.

    `encoding`: that of text for people, None for programs.
    """

    settings: Settings
    parsers: tuple[str, ...]
    form: DisagreementFormat
    encoding: str | None

    def __call__(self, document: FileDocument) -> Outcome:
        """Do it. Raises `FileError`."""
        data = contents(document, read(document), self.settings)
        links: dict[str, Sequence[Link]] = {}
        bases: dict[str, Base] = {}
        notes: list[str] = []
        for parser in self.parsers:
            try:
                opened = open_read(document, data, replace(self.settings, parser=parser))
                links[parser] = list(opened.links())
            except (FileError, MemoryError):
                raise
            except Exception as error:  # a core from elsewhere may do anything
                notes.append(f"{document.name}: the parser {parser!r} failed ({type(error).__name__}: {error})")
            else:
                bases[parser] = opened.base
        found = disagreements(links)
        text = self.form.document(document.name, bases, found) if links else ""
        shown = output.for_programs(text) if self.encoding is None else output.for_people(text, self.encoding)
        differs = bool(found) or len({base.uri for base in bases.values()}) > 1
        return Outcome(document.name, shown, notes=tuple(notes), changed=int(differs))


def comparison(settings: Settings, format: str, *, raw_csv: bool = False) -> Compare:
    """The work, with all cores that load. Those that do not are told."""
    parsers = []
    for name in names():
        try:
            core(name)
        except ParserError as error:
            say(f"{error}; it is left out")
        else:
            parsers.append(name)
    screen = output.screen()
    form = make_format(format, screen.columns, screen.style, raw_csv=raw_csv)
    return Compare(settings, tuple(parsers), form, screen.encoding if format == "table" else None)


def summary(tally: Tally) -> bytes:
    """The last line of the table (rule 3)."""
    documents = "1 document" if tally.documents == 1 else f"{tally.documents:,} documents"
    gap = "\n" if tally.changed_documents else ""
    return output.for_programs(f"{gap}{documents}, {tally.changed_documents:,} with disagreements\n")
