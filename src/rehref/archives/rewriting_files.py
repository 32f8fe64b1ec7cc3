"""Rewrite a file, or a piece of one: every way to rewrite many files calls this, here and in a cluster.

A document is rewritten as a whole, a container document by document. A file that is not a document, whatever its name,
is copied unchanged.
"""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from rehref.archives._rewriting_containers import MissingTargets, first_places, rewrite_container, withheld
from rehref.archives.links_of_many import as_error, file_at, notes_about, notes_and_errors
from rehref.archives.pieces import PLACES, PieceOutcome, RunCounts
from rehref.archives.targets_of_rewriting import FileTarget, NewDocument, Target
from rehref.containers.parts import Diagnostic
from rehref.containers.streams import ByteRange, is_same
from rehref.documents.options import ReadOptions, SourceOptions
from rehref.exceptions import OutOfTimeError
from rehref.files.file_documents import FileDocument
from rehref.files.file_errors import FileError, OtherFormatError
from rehref.files.reading_files import packed_in_pieces_like, packed_like
from rehref.files.sources import Opened, ReadDocument, not_read, opened
from rehref.reports.terminal import count
from rehref.rewriting.built_in_rules import Absolute
from rehref.rewriting.edits import Rewritten, rewrite_document
from rehref.rewriting.rule import offered_by

if TYPE_CHECKING:
    from rehref.archives._container_integrity import ContainerHashes
    from rehref.archives._copies.copied_documents import CopiedDocument
    from rehref.containers.kinds import Container
    from rehref.documents.document import Document
    from rehref.documents.link import Link
    from rehref.rewriting.rule import DocumentRule, Rule


class RewriteOptions(NamedTuple):
    """How references are rewritten. The fields are the arguments of `rehref.rewrite_into`."""

    rule: Rule | DocumentRule = Absolute()
    as_conversion: bool = False
    all_types: bool = False
    percent_encode: bool = False


def rewrite_file(
    path: str | PathLike[str],
    to: str | PathLike[str],
    wanted: RewriteOptions | None = None,
    options: SourceOptions = SourceOptions.DEFAULT,
    *,
    within: ByteRange | None = None,
) -> PieceOutcome:
    """Rewrite a file to the path `to`, completely or not at all. Raises `FileError` if it cannot be read or written.

    `within`: the range of an archive to rewrite, as if the archive had no other members: the results of all ranges,
    concatenated, are the result of the whole archive.
    """
    return rewrite_found(file_at(str(path), options), FileTarget(Path(to)), wanted or RewriteOptions(), options, within)


def rewrite_found(
    file: FileDocument,
    to: Target,
    wanted: RewriteOptions,
    options: SourceOptions,
    within: ByteRange | None = None,
    hashes: ContainerHashes | None = None,
) -> PieceOutcome:
    """Rewrite a file to a target; `rewrite_file` and the command line call this. Raises `FileError`.

    `hashes`: of all archives that are rewritten together.
    """
    diagnostics: list[Diagnostic] = []
    with opened(file, options, as_conversion=wanted.as_conversion, within=within) as found:
        container = found.container
        if container is not None and file.headers is None:
            return _rewrite_container(file, container, to, wanted, options.how, hashes)
        try:
            read = found.read_named() if container is None else _body(file, container, options.how, diagnostics)
        except OtherFormatError as error:
            assert isinstance(found.stored, bytes)
            to.take_other(file, found.stored)
            return PieceOutcome(RunCounts(others=1), (str(error),))
    new = new_document(file, read, wanted)
    to.take_document(file, read, new)
    notes, errors = notes_and_errors(file, diagnostics)
    about = () if container is not None else notes_about(file, read.document)
    notes = (*about, *notes, *without_base(file, read.document, new.counts.references), *not_written(file, new))
    if new.counts.otherwise:
        new.counts.places = first_places(file.name, read.document)
    return PieceOutcome(new.counts, notes, errors)


def rewrite_opened(
    found: Opened, out: BinaryIO, wanted: RewriteOptions, report: Callable[[Diagnostic], object]
) -> tuple[bytes | str | None, int, bool]:
    """Rewrite what was opened, as a program asks for it; the functions of the package call this.

    Returns the document, or None for a container, which is written to `out`; how many references are withheld; and
    whether some stay because there is no base. What cannot be read is reported, and stays. What the rule raises is
    raised.
    """
    if found.container is not None:
        counts = RunCounts()
        for diagnostic in rewrite_container(
            found.container,
            out,
            wanted.rule,
            found.options.how,
            counts,
            all_types=wanted.all_types,
            percent_encode=wanted.percent_encode,
        ):
            report(diagnostic)
        return None, counts.withheld, False
    try:
        stored, data, document = found.read()
        rewritten = rewrite_document(document, wanted.rule, percent_encode=wanted.percent_encode)
        new, held = rewritten.data, withheld(document, wanted.rule)
        lacking = lacks_base(document, rewritten.references)
    except FileError as error:
        report(not_read(error))
        return found.stored, 0, False
    except OutOfTimeError as error:
        report(Diagnostic("", str(error), code="too-large"))
        return found.stored, 0, False
    if isinstance(stored, str) or isinstance(new, str):
        return new, held, lacking
    if new == data:
        return stored, held, lacking
    return new if data is stored else packed_like(stored, new), held, lacking


def _body(file: FileDocument, message: Container, how: ReadOptions, diagnostics: list[Diagnostic]) -> ReadDocument:
    """The document that came with header fields, read as these say. Adds to `diagnostics`; raises `FileError`."""
    body: ReadDocument | None = None
    for each in message.documents(how):
        if not isinstance(each, tuple):
            diagnostics.append(each)
        elif each[0].name == "body":
            part, document = each
            body = ReadDocument(part.data, part.data, document)
    if body is not None:
        return body
    if diagnostics:
        raise as_error(file, diagnostics[0])
    raise FileError(file.name, "is not a document by its header fields", "leave out --headers, or use --media-type")


def _rewrite_container(
    file: FileDocument,
    source: Container,
    to: Target,
    wanted: RewriteOptions,
    how: ReadOptions,
    hashes: ContainerHashes | None,
) -> PieceOutcome:
    """Rewrite the documents of a container. Raises `FileError`."""
    counts = RunCounts()
    diagnostics: list[Diagnostic] = []
    places: list[str] = []

    def write(out: BinaryIO) -> bool:
        diagnostics.extend(write_container(source, out, wanted, how, counts, places, hashes))
        return counts.is_any_changed

    indexes = to.take_container(file, source, write)
    counts.parted += indexes.parted
    notes, errors = notes_and_errors(file, [*diagnostics, *indexes.diagnostics])
    if source.kind.unpacked_as == "files" and file.url is not None and not counts.changed:
        notes = (*notes, f"{file.name}: the files of a book refer to each other inside it, so --url changes nothing")
    counts.places = tuple(f"{file.name} {each}" for each in places)
    return PieceOutcome(counts, (*notes, *indexes.notes), errors)


def new_document(file: FileDocument, read: ReadDocument, wanted: RewriteOptions) -> NewDocument:
    """The rewritten document. Raises `FileError`."""
    rule = rule_for_file(wanted.rule, file)
    counting = offered_by(rule).counting
    copied: CopiedDocument | None = None if counting is None else counting(read.document)
    new = rewrite_document(read.document, copied or rule, percent_encode=wanted.percent_encode)
    if copied is not None:
        copied.count(new)
    content = new.content
    assert isinstance(read.stored, bytes)
    assert isinstance(read.data, bytes)
    assert not isinstance(content, str)
    if copied is not None:
        content = copied.finished(bytes(content), read.document.source.encoding or "utf-8")
    is_changed = not is_same(content, read.data)
    counts = RunCounts(
        documents=1,
        references=new.references,
        changed=new.changed,
        changed_documents=int(new.changed > 0),
        missing=_missing(file, rule, new),
        otherwise=new.otherwise,
        withheld=withheld(read.document, rule),
        web=0 if copied is None else copied.web,
        kept_bases=int(new.keeps_base),
    )
    stored = packed_in_pieces_like(read.stored, content) if is_changed else read.stored
    return NewDocument(content, is_changed, stored, counts, new.refused)


def write_container(
    container: Container,
    out: BinaryIO,
    wanted: RewriteOptions,
    how: ReadOptions,
    counts: RunCounts,
    places: list[str] | None = None,
    hashes: ContainerHashes | None = None,
) -> list[Diagnostic]:
    """Write a container with its documents rewritten, add to `counts` and `places`, and return the diagnostics."""
    found = rewrite_container(
        container,
        out,
        rule_in_containers(wanted.rule),
        how,
        counts,
        all_types=wanted.all_types,
        guarded=True,
        percent_encode=wanted.percent_encode,
        places=places,
        hashes=hashes if container.kind.holds_records else None,
    )
    return list(found)


def rule_in_containers(rule: Rule | DocumentRule) -> Rule | DocumentRule:
    """The rule for documents in containers: they are not saved files."""
    return _nothing if offered_by(rule).in_file is not None else rule


def lacks_base(document: Document, references: int) -> bool:
    """Whether references of a document stay as they are because there is no base."""
    if document.base.uri is not None or not references:
        return False
    return any(problem.code == "no-base" for link in document.links() for problem in link.problems)


def without_base(file: FileDocument, document: Document, references: int) -> tuple[str, ...]:
    """A note, if references of a document stay as they are because there is no base."""
    if not lacks_base(document, references):
        return ()
    return (f"{file.name}: there is no base, so relative references stay as they are; --url URI gives one",)


def not_written(file: FileDocument, new: NewDocument) -> tuple[str, ...]:
    """A note that names references that stay because the new ones would be read differently, if there are any."""
    if not new.refused:
        return ()
    first = ", ".join(f"{file.name}:{line}:{column}" for line, column in new.refused[:PLACES])
    stay = f"{count(len(new.refused), 'reference')} {'stays' if len(new.refused) == 1 else 'stay'}"
    where = f"{stay}, the first ones here" if len(new.refused) > PLACES else stay
    return (f"{first}: {where}: in that place the new reference would be read differently",)


def rule_for_file(rule: Rule | DocumentRule, file: FileDocument) -> Rule | DocumentRule:
    """The rule for a document in this file, if it depends on the file or is counted. Raises `FileError`."""
    offer = offered_by(rule)
    if offer.needs_date:
        raise FileError(
            file.name,
            "is not in a WARC, whose records have dates: {timestamp} has no value",
            "give one with --set timestamp=20240102030405",
        )
    if offer.in_file is not None:
        return offer.in_file(file.relative)
    return rule


def _missing(file: FileDocument, rule: Rule | DocumentRule, new: Rewritten) -> int:
    """How many references were written that lead to missing files."""
    if not offered_by(rule).may_miss_files or file.path is None:
        return 0
    path = file.path.absolute()
    below = len(Path(file.relative).parts) if file.in_folder else len(path.parts) - 1
    return MissingTargets(path.parents[below - 1], "/".join(path.parts[-below:])).count(new)


def _nothing(link: Link) -> None:
    """The rule for saved files, for documents in a container: they are not such files."""
