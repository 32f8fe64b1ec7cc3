"""A file with other references: what every way to rewrite many calls, here and in a cluster.

1. A document is rewritten as a whole, a container document by document. What is no document, whatever its name, is
   written as it is.
2. Of an archive some members can be rewritten, as if it had no others: what comes of all of them, one behind the
   other, is what comes of the whole.
3. A rule that depends on where a document is saved, or when it was captured, is asked for each file (`rule_for_file`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Protocol

from rehref.collections.opening import Opening, ReadDocument, notes_and_errors, opened, read_document
from rehref.collections.processing import file_at
from rehref.collections.targets import FileTarget, NewDocument, NewIndexes, WriteContainer
from rehref.containers.file_pieces import ByteRange
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError, OtherFormatError
from rehref.files.gzipped import packed_like
from rehref.rewriting.containers import Counts, rewrite_container
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.missing_targets import MissingTargetsCounter
from rehref.rewriting.rules.absolute import Absolute
from rehref.rewriting.rules.offline import Offline
from rehref.rewriting.rules.relative import Relative
from rehref.rewriting.rules.template import Template
from rehref.rewriting.withheld_file_uris import withheld

if TYPE_CHECKING:
    from rehref.containers.parts import Diagnostic
    from rehref.containers.registry import Container
    from rehref.documents.document import Document
    from rehref.documents.link import Link
    from rehref.rewriting.contract import DocumentRule, Rule


@dataclass(frozen=True, slots=True)
class Wanted:
    """What references become. The fields are the arguments of `rehref.rewrite_into`."""

    rule: Rule | DocumentRule = field(default_factory=Absolute)
    as_conversion: bool = False
    all_types: bool = False
    percent_encode: bool = False


class Result(NamedTuple):
    """What came of a file: what was counted; what is reported of it, and what failed.

    `others`: 1 of what is not a document, whatever its name.
    """

    counts: Counts
    notes: tuple[str, ...] = ()
    errors: tuple[FileError, ...] = ()
    others: int = 0


class Target(Protocol):
    """Where what is rewritten goes. Each method raises `FileError` if it cannot go there."""

    def take_document(self, file: FileDocument, read: ReadDocument, new: NewDocument) -> None:
        """Take a document."""
        ...

    def take_other(self, file: FileDocument, data: bytes) -> None:
        """Take what is not a document, as it is."""
        ...

    def take_container(self, file: FileDocument, source: Container, write: WriteContainer) -> NewIndexes:
        """Take a container: gives what is reported of the indexes beside it."""
        ...


def rewrite_file(
    path: str | PathLike[str],
    to: str | PathLike[str],
    wanted: Wanted | None = None,
    how: Opening | None = None,
    *,
    within: ByteRange | None = None,
) -> Result:
    """Write a file anew, whole or not at all; `to`: where. Raises `FileError` if it cannot be read, or written.

    `within`: of an archive, the members that are rewritten (rule 2).
    """
    wanted, how = wanted or Wanted(), how or Opening()
    return rewrite_found(file_at(str(path), how), FileTarget(Path(to)), wanted, how, within)


def rewrite_found(
    file: FileDocument, to: Target, wanted: Wanted, how: Opening, within: ByteRange | None = None
) -> Result:
    """Rewrite a file that was found: what `rewrite_file` and the command line call. Raises `FileError`."""
    with opened(file, how, as_conversion=wanted.as_conversion, within=within) as source:
        if not isinstance(source, bytes) and how.headers is None:
            return _rewrite_container(file, source, to, wanted, how)
        try:
            read = read_document(file, source, how)
        except OtherFormatError as error:
            assert isinstance(source, bytes)
            to.take_other(file, source)
            return Result(Counts(), (str(error),), others=1)
    new = new_document(file, read, wanted)
    to.take_document(file, read, new)
    return Result(new.counts, (*read.notes, *without_base(file, read.document, new.counts.references)), read.errors)


def _rewrite_container(file: FileDocument, source: Container, to: Target, wanted: Wanted, how: Opening) -> Result:
    """Rewrite the documents of a container. Raises `FileError`."""
    counts = Counts()
    diagnostics: list[Diagnostic] = []

    def write(out: BinaryIO) -> bool:
        diagnostics.extend(write_container(source, out, wanted, how, counts))
        return counts.changed > 0

    indexes = to.take_container(file, source, write)
    notes, errors = notes_and_errors(file, [*diagnostics, *indexes.diagnostics])
    return Result(counts, (*notes, *indexes.notes), errors)


def new_document(file: FileDocument, read: ReadDocument, wanted: Wanted) -> NewDocument:
    """A document with its references as they are wanted. Raises `FileError`."""
    rule = rule_for_file(wanted.rule, file)
    new = rewrite_document(read.document, rule, percent_encode=wanted.percent_encode)
    assert isinstance(new.data, bytes)
    counts = Counts(
        documents=1,
        references=new.references,
        changed=new.changed,
        changed_documents=int(new.changed > 0),
        missing=rule.missing if isinstance(rule, MissingTargetsCounter) else 0,
        otherwise=new.otherwise,
        withheld=withheld(read.document, rule),
    )
    return NewDocument(new.data, read.stored if new.data == read.data else packed_like(read.stored, new.data), counts)


def write_container(
    container: Container, out: BinaryIO, wanted: Wanted, how: Opening, counts: Counts
) -> list[Diagnostic]:
    """Write a container with its documents rewritten: what is wrong with it. What is counted goes to `counts`."""
    rule = _nothing if isinstance(wanted.rule, Offline) else wanted.rule
    found = rewrite_container(
        container,
        out,
        rule,
        how.options.how,
        counts,
        all_types=wanted.all_types,
        guarded=True,
        percent_encode=wanted.percent_encode,
    )
    return list(found)


def without_base(file: FileDocument, document: Document, references: int) -> tuple[str, ...]:
    """What there is to say of a document whose references stay for want of a base."""
    if document.base.uri is not None or not references:
        return ()
    if not any(problem.code == "no-base" for link in document.links() for problem in link.problems):
        return ()
    return (f"{file.name}: there is no base, so relative references stay as they are; --url URI gives one",)


def rule_for_file(rule: Rule | DocumentRule, file: FileDocument) -> Rule | DocumentRule:
    """The rule, which knows where the document is saved, or is watched, if that matters. Raises `FileError`."""
    if isinstance(rule, Template) and rule.needs_date:
        raise FileError(
            file.name,
            "is not in a WARC, whose records have dates: {timestamp} has no value",
            "give one with --set timestamp=20240102030405",
        )
    if isinstance(rule, Offline):
        return replace(rule, at=file.relative)
    if isinstance(rule, Relative) and file.path is not None:
        path = file.path.absolute()
        below = len(Path(file.relative).parts) if file.in_folder else len(path.parts) - 1
        return MissingTargetsCounter(rule, path.parents[below - 1], "/".join(path.parts[-below:]))
    return rule


def _nothing(link: Link) -> None:
    """The rule for what is in a container, which is saved nowhere."""
