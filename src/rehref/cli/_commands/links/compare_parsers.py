"""`rehref links --parser all`: report where the parser cores disagree.

Every registered core reads each document. A core that cannot be loaded, or fails on a document (none of rehref's own
does), is named, and left out. A disagreement is not an error: the exit code is that of `rehref links`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rehref.archives.pieces import RunCounts
from rehref.cli import output
from rehref.cli._outcomes import Outcome
from rehref.cli.click_options import Settings, with_how
from rehref.cli.messages import say
from rehref.documents.base import Base
from rehref.documents.link import Link
from rehref.documents.options import OPTIONS
from rehref.exceptions import ParserError
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError
from rehref.files.reading_files import stream_of
from rehref.files.sources import Opened
from rehref.reports.disagreement import disagreements
from rehref.reports.formats import LinksFormat


@dataclass(frozen=True, slots=True)
class CompareParsers:
    """Format where these cores disagree in a document; `encoding`: that of text for people, None for programs."""

    settings: Settings
    parsers: tuple[str, ...]
    form: LinksFormat
    encoding: str | None

    def __call__(self, file: FileDocument) -> Sequence[Outcome]:
        """Compare the cores on a file. Raises `FileError`."""
        with stream_of(file.name, file.path) as stream:
            data = stream.read()
        links: dict[str, Sequence[Link]] = {}
        bases: dict[str, Base] = {}
        notes: list[str] = []
        for parser in self.parsers:
            try:
                options = with_how(self.settings, parser=parser).options
                document = Opened(file, replace(options, url=file.url), stored=data).read_named().document
                links[parser] = list(document.links())
            except (FileError, MemoryError):
                raise
            except Exception as error:  # a core of another package may raise anything
                notes.append(f"{file.name}: the parser {parser!r} failed ({type(error).__name__}: {error})")
            else:
                bases[parser] = document.base
        found = disagreements(links)
        text = self.form.disagreements(file.name, bases, found) if links else ""
        differs = bool(found) or len({base.uri for base in bases.values()}) > 1
        counts = RunCounts(documents=1, changed_documents=int(differs))
        return [Outcome(output.encoded(text, self.encoding), tuple(notes), counts=counts)]


def comparison(settings: Settings, form: LinksFormat, encoding: str | None) -> CompareParsers:
    """Return the work with all cores that can be loaded. The others are reported."""
    parsers = []
    for name in OPTIONS["parser"].known():
        try:
            with_how(settings, parser=name).options.how.core()
        except ParserError as error:
            say(f"{error}; it is left out")
        else:
            parsers.append(name)
    return CompareParsers(settings, tuple(parsers), form, encoding)
