"""The values that a container returns and accepts: the documents in it, and diagnostics.

A container (an HTTP message, a MIME message, a WARC file, a zip) is read as a series of `Part`s. A `Diagnostic` says
where and what cannot be read, and reading continues: the content raises nothing (except that a function that reads a
container may raise `ContainerError` if nothing could be read). Everything is bounded by `Limits`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypeVar

from rehref.documents.base import Layers
from rehref.documents.options import SourceOptions
from rehref.exceptions import OutOfTimeError, ParserError, RehrefError, other_module
from rehref.text.encoding import Splice

if TYPE_CHECKING:
    from rehref.containers.streams import AnyBytes, ByteRange
    from rehref.documents.document import Document
    from rehref.documents.integrity import Digests
    from rehref.documents.options import ReadOptions

MEGABYTE = 1 << 20
MOST_ALIKE = 20
"""The number of diagnostics of one kind that are reported one by one."""

DIAGNOSTIC_ROWS: Final = (
    (
        "truncated",
        "It is incomplete: the file was cut off, a body is too short, or a boundary is missing.",
        "Everything up to that place was read. Save it again, completely.",
        "error",
    ),
    (
        "damaged",
        "The container breaks the rules of its format.",
        "The parts that can be recognized were read. Save it again, or repair it with a tool for that format.",
        "error",
    ),
    (
        "too-large",
        "It exceeds a limit.",
        "It was not read, since it may be malicious. Allow more with --max-size or --max-time if you trust it.",
        "error",
    ),
    (
        "unsupported",
        "It cannot be read: it is encrypted, its coding or type is not supported, or a package is missing.",
        "It was left unchanged. Save it without encryption, or install what the message names.",
        "error",
    ),
    (
        "unreadable",
        "It cannot be read for another reason, which the message gives.",
        "Remove the cause that the message gives, and try again.",
        "error",
    ),
    (
        "kept",
        "It was read, but not changed, since a change could not be written back.",
        "Unpack the container, and rewrite the file.",
        "error",
    ),
    (
        "stale",
        "It no longer fits the file that it is about: an index, a hash or a signature.",
        "Create it again.",
        "error",
    ),
    (
        "odd",
        "It is not as it should be, but was read.",
        "There is nothing to do.",
        "info",
    ),
    (
        "fault",
        "rehref failed because of an error of its own.",
        "Report it as a bug of rehref, with the file if you can.",
        "error",
    ),
)
"""The codes of diagnostics: name, meaning, what to do, and severity."""

DiagnosticCode: TypeAlias = Literal[
    "truncated", "damaged", "too-large", "unsupported", "unreadable", "kept", "stale", "odd", "fault"
]
"""The names of `DIAGNOSTIC_ROWS`, for type checkers."""

_VARIABLE: Final = r"""(?s:['"].*['"])|[0-9][0-9,]*+"""

_Other = TypeVar("_Other")


class Limits(NamedTuple):
    """Limits for unpacking untrusted content.

    A part that unpacks to more than `size` bytes, or to more than `ratio` times its packed size and more than `free`
    bytes, or is nested deeper than `depth`, becomes a `Diagnostic`, and stays as it is.
    """

    size: int = 256 * MEGABYTE
    """The maximum number of bytes of one part, unpacked."""
    ratio: int = 200
    """The maximum number of bytes unpacked for each byte packed."""
    free: int = 4 * MEGABYTE
    """The number of bytes up to which the ratio does not matter."""
    depth: int = 100
    """The maximum depth of containers in containers."""

    @classmethod
    def of(cls, options: SourceOptions) -> Limits:
        """Those that options set."""
        return cls() if options.max_size is None else cls(size=options.max_size)

    def exceeded(self, packed: int, unpacked: int) -> str:
        """The reason why a size exceeds the limits, for people; "" if it does not. Both in bytes."""
        if unpacked > self.size:
            return f"unpacks to more than {_bytes(self.size)}"
        if unpacked > self.free and unpacked > packed * self.ratio:
            return f"unpacks to more than {self.ratio} times its size"
        return ""


class ContainerOptions(NamedTuple):
    """How to read and rewrite a container.

    `outer`: the layers outside it. `as_conversion`: in a WARC, write each changed document after its record, as a
    `conversion` record. `source`: the options that it was opened with. `within`: for an archive, the range of offsets
    whose members are read; the position of the file is the first of them.
    """

    outer: Layers = Layers()
    limits: Limits = Limits()
    as_conversion: bool = False
    source: SourceOptions = SourceOptions.DEFAULT
    within: ByteRange | None = None


def _bytes(size: int) -> str:
    return f"{size // MEGABYTE:,} MB" if size >= MEGABYTE else f"{size:,} bytes"


_NO_PARTS: Final[Mapping[str, str]] = MappingProxyType({})


class Part(NamedTuple):
    """A document in a container.

    `name`: its name for programs: the number of a MIME part ("2", "1.3"), a record's id ("urn:uuid:..."), the name of a
    file in a zip, "headers". `label`: the same for people ("part 2", "record <urn:uuid:...>"). `data`: the document,
    as the bytes of its own characters. `media_type`: as declared, with parameters, None if it is not declared.
    `encoding`: the one declared outside of it. `layers`: the layers outside it, for its base. `inside`: for
    absolute URIs (without fragment) that are documents of the same container, the label of the part. `uri`, `date`: for
    a record, its target URI and the time of capture (`2024-01-02T03:04:05Z`); "" if not known. `is_response`: whether
    a document that declares no encoding is read as browsers read responses, not as a file. `is_counted`: whether it
    counts as a document of the container; not if it is looked at again for another one. `offset`: for a record, where
    it, or the member that it is in, begins in its archive.
    """

    name: str
    label: str
    data: bytes
    media_type: str | None
    encoding: str | None
    layers: Layers
    inside: Mapping[str, str] = _NO_PARTS
    uri: str = ""
    date: str = ""
    is_response: bool = True
    is_counted: bool = True
    offset: int = 0

    @property
    def title(self) -> str:
        """Its heading in reports: for a record, its URI and date come first."""
        about = ", ".join(filter(None, (self.uri, self.date)))
        return f"{about} ({self.label})" if self.uri else self.label

    def opened(self, how: ReadOptions) -> Document:
        """Read it as a document. Raises `UnknownMediaTypeError`, `ParserError`.

        Without a media type its content decides; it is HTML if that is not recognized. A charset that is not a label of
        an encoding counts as none.
        """
        from rehref.documents.media_types import MediaType
        from rehref.documents.reading import read_document

        media_type = self.media_type
        if MediaType.of(media_type).reader is None:
            media_type = MediaType.by_extension(self.name)
        document = read_document(self.data, media_type, self.encoding, self.layers, how, is_response=self.is_response)
        document.part_of = document.part_of._replace(name=self.name, date=self.date or None, others=self.inside)
        return document

    def not_read(self, error: Exception) -> Diagnostic:
        """The diagnostic if it could not be read, whatever the reason."""
        from rehref.documents.reading import UnknownMediaTypeError

        if isinstance(error, UnknownMediaTypeError | ParserError):
            return Diagnostic(self.label, str(error), code="unsupported")
        if isinstance(error, OutOfTimeError):
            return Diagnostic(self.label, str(error), code="too-large")
        what = f"it could not be read ({type(error).__name__}: {error})"
        return Diagnostic(self.label, what, f"this is a fault of {other_module(error) or 'rehref'}", code="fault")


_EARLIEST = "00000101000000"
PARTIAL: Final = 206
"""The status of a response with a part of the resource (RFC 9110 §15.3.7)."""


class Capture(NamedTuple):
    """A capture. Values that are not known are "".

    `number`: from 0. `date`: `2024-01-02T03:04:05Z`. `status`: of HTTP, 0 if it has none. `location`: the value of the
    HTTP field. `id`: of the record, in angle brackets. `digest`: of the payload, as it is written. `is_revisit`, and
    then `original`, `original_uri`, `original_date`: the capture it refers to. `part`: its body, if that was wanted and
    can be read. `content_range`, and `validator` (ETag or Last-Modified): of a response with the status 206.
    `refresh`: the value of the HTTP field. `concurrent`: the ids of the records that its record names as concurrent.
    `method`: of its request, if an index says it.
    """

    number: int
    uri: str
    date: str
    status: int
    location: str
    id: str
    digest: str
    is_revisit: bool = False
    original: str = ""
    original_uri: str = ""
    original_date: str = ""
    part: Part | None = None
    content_range: str = ""
    validator: str = ""
    refresh: str = ""
    concurrent: tuple[str, ...] = ()
    method: str = ""


WantsCapture: TypeAlias = Callable[[Capture], bool]
"""Whether the body of a capture is wanted; `part` is None in the call."""


class Request(NamedTuple):
    """A request: its target URI and date, the ids of its record and of those that it names, its method."""

    uri: str
    date: str
    id: str
    concurrent: tuple[str, ...]
    method: str


_HARMLESS = frozenset(name for name, *_, severity in DIAGNOSTIC_ROWS if severity == "info")


class Fault(NamedTuple):
    """A fault at a position that is not known yet."""

    code: DiagnosticCode
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something in a container that cannot be read, or not be written correctly.

    `where`: for people, "part 2", "record <...> at byte 512", "" for the whole container. `message`: the fault;
    `remedy`: what to do, "" if there is nothing. `code`: the fault, for programs (`DIAGNOSTIC_ROWS`).
    """

    where: str
    message: str
    remedy: str = ""
    code: DiagnosticCode = "unreadable"

    @property
    def harmless(self) -> bool:
        """Whether everything was read, or done, in spite of it."""
        return self.code in _HARMLESS

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}; {self.remedy}" if self.remedy else text


def located_in(outer: str, diagnostic: Diagnostic) -> Diagnostic:
    """The diagnostic for what encloses the container: a file, or another container."""
    return replace(diagnostic, where=f"{outer}, {diagnostic.where}" if diagnostic.where else outer)


class ContainerError(RehrefError, ValueError):
    """Nothing of a container could be read; `diagnostics` say why, in order, at least one."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = tuple(diagnostics)

    def __str__(self) -> str:
        return f"nothing could be read: {self.diagnostics[0]}"


class ChangedPart(NamedTuple):
    """A changed part: its new bytes, which may be made in pieces; and, if they are known, the splices that made them
    from the old.

    A splice is (start, end, new bytes), in bytes of the old data, in order and without overlap. `hashes`: what those in
    the policies of its HTTP head become, by their values.
    """

    content: AnyBytes
    splices: Sequence[Splice[bytes]] | None = None
    hashes: Mapping[str, Sequence[Digests]] = MappingProxyType({})

    @property
    def data(self) -> bytes:
        """The new bytes as a whole."""
        return bytes(self.content)


ChangePart: TypeAlias = Callable[[Part], ChangedPart | None]
"""Returns the changed part; None: it stays as it is, and not one of its bytes changes in the container either."""


WantsDocument: TypeAlias = Callable[[str, str], bool]
"""Whether to read documents of a media type (its essence, lower case, "" if unknown) with a URI or name; others are not
unpacked."""

PartWord: TypeAlias = Literal["part", "record"]
"""The word for a container's documents."""


def few(found: Iterable[_Other | Diagnostic]) -> Iterator[_Other | Diagnostic]:
    """Yield what was found, with the first `MOST_ALIKE` diagnostics of each kind; the rest are counted at the end.

    Two are of one kind if they have the same text, apart from quotations and numbers in it: the author of a container
    can vary these, but not the words, so there are few kinds.
    """
    counts: dict[str, int] = {}
    lasts: dict[str, Diagnostic] = {}
    for each in found:
        if isinstance(each, Diagnostic):
            kind = re.sub(_VARIABLE, "", each.message)
            counts[kind] = counts.get(kind, 0) + 1
            if counts[kind] > MOST_ALIKE:
                lasts[kind] = each
                continue
        yield each
    for kind, last in lasts.items():
        more = counts[kind] - MOST_ALIKE
        where = f"{more:,} more, up to {last.where}" if last.where else f"{more:,} more"
        yield last if more == 1 else replace(last, where=where)


def timestamp(date: str) -> str:
    """The 14 digits of a date in WARC's form (`2024-01-02T03:04:05Z`, or less precise); "" for no date."""
    digits = re.sub("[^0-9]", "", date)[:14]
    return digits + _EARLIEST[len(digits) :] if len(digits) >= 4 else ""
