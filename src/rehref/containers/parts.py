"""What a container gives out and takes back: documents that stand in it, and what is wrong with it.

1. A container (an HTTP message, a MIME message, a WARC file, a zip) is read as a series of `Part`s: documents without
   their transfer and content encodings, each with what the container says of its type, encoding and base.
2. What cannot be read is a `Diagnostic`: it says where and what, and the rest goes on. Nothing raises on content
   (whoever reads a container may raise `ContainerError` if nothing could be read of it).
3. A part is put back by a `ChangePart`, a function that is called with each part and says what becomes of it; None
   leaves it, and then not one of its bytes changes in the container either.
4. Everything is bounded by `Limits`: what unpacks to more than `size` bytes, or to more than `ratio` times what it
   takes up once it is past `free` bytes, or is nested deeper than `depth`, is a `Diagnostic`, and stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from rehref.base import Layers
from rehref.codes import DIAGNOSTICS, DiagnosticCode
from rehref.containers.file_pieces import ByteRange
from rehref.exceptions import RehrefError
from rehref.options import SOURCE_OPTIONS, SourceOptions
from rehref.text.encoding import lookup

MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of what nobody vouches for is unpacked (rule 4)."""

    size: int = 256 * MEGABYTE
    """Bytes of one part, unpacked."""
    ratio: int = 200
    """Bytes unpacked for each byte packed."""
    free: int = 4 * MEGABYTE
    """Bytes up to which the ratio does not matter."""
    depth: int = 100
    """Containers in containers."""

    def exceeded(self, packed: int, unpacked: int) -> str:
        """Why this much is too much, for people; "" if it is not. Both in bytes."""
        if unpacked > self.size:
            return f"unpacks to more than {_bytes(self.size)}"
        if unpacked > self.free and unpacked > packed * self.ratio:
            return f"unpacks to more than {self.ratio} times its size"
        return ""


@dataclass(frozen=True, slots=True)
class ContainerOptions:
    """How a container is read, and put back.

    `outer`: what stands outside of it. `as_conversion`: in a WARC what changes is put behind its record, as a
    conversion. `source`: the options that it was opened with. `within`: of an archive, where the members begin that
    are read; the file stands where the first one does.
    """

    outer: Layers = field(default_factory=Layers)
    limits: Limits = field(default_factory=Limits)
    as_conversion: bool = False
    source: SourceOptions = SOURCE_OPTIONS
    within: ByteRange | None = None


def _bytes(size: int) -> str:
    return f"{size // MEGABYTE:,} MB" if size >= MEGABYTE else f"{size:,} bytes"


@dataclass(frozen=True, slots=True)
class Part:
    """A document in a container.

    `name`: what machines call it: the number of a MIME part ("2", "1.3"), a record's id ("urn:uuid:..."), the name of a
    file in a zip, "headers". `label`: the same for people ("part 2", "record <urn:uuid:...>"). `data`: the document,
    decoded down to its own characters' bytes. `media_type`: as declared, with parameters, None if it is not.
    `encoding`: the charset declared outside the document. `layers`: what stands outside for its base. `inside`: for
    absolute URIs (without fragment) that are documents of the same container, the label of the part. `uri`, `date`: of
    a record, its target URI and when it was captured (`2024-01-02T03:04:05Z`); "" if that is not told. `is_response`:
    whether a document that declares no encoding is read as browsers read what is sent to them, not as a file.
    """

    name: str
    label: str
    data: bytes
    media_type: str | None
    encoding: str | None
    layers: Layers
    inside: Mapping[str, str] = field(default_factory=dict)
    uri: str = ""
    date: str = ""
    is_response: bool = True

    @property
    def charset(self) -> str | None:
        """The name of the encoding declared outside of it, if there is such a one."""
        return None if self.encoding is None else lookup(self.encoding)

    @property
    def title(self) -> str:
        """What it is called above what is reported of it: of a record its URI and date before all."""
        about = ", ".join(filter(None, (self.uri, self.date)))
        return f"{about} ({self.label})" if self.uri else self.label


_HARMLESS = frozenset(row.name for row in DIAGNOSTICS if row.severity == "info")


class Fault(NamedTuple):
    """What is wrong with something, before it is known where that stands."""

    code: DiagnosticCode
    message: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something in a container that cannot be read, or not be written as it should be.

    `where`: for people, "part 2", "record <...> at byte 512", "" for all of it. `message`: what it is; `remedy`: what
    to do, "" if there is nothing. `code`: what it is, for programs (`rehref.codes`).
    """

    where: str
    message: str
    remedy: str = ""
    code: DiagnosticCode = "unreadable"

    @property
    def harmless(self) -> bool:
        """Whether it is worth a word, but everything was read, or done, all the same."""
        return self.code in _HARMLESS

    def __str__(self) -> str:
        text = f"{self.where}: {self.message}" if self.where else self.message
        return f"{text}; {self.remedy}" if self.remedy else text


class ContainerError(RehrefError, ValueError):
    """Nothing of a container could be read; `diagnostics` say why, in order, at least one."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = tuple(diagnostics)

    def __str__(self) -> str:
        return f"nothing could be read of the container: {self.diagnostics[0]}"


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """What becomes of a part: its new bytes; and, where they are known, the splices that made them out of the old.

    A splice is (start, end, new bytes), in bytes of the old data, in order and without overlap.
    """

    data: bytes
    splices: Sequence[tuple[int, int, bytes]] | None = None


ChangePart: TypeAlias = Callable[[Part], ChangedPart | None]
"""Says what becomes of a part; None: it stays as it is."""

WantsDocument: TypeAlias = Callable[[str, str], bool]
"""Whether documents of a media type (its essence, lower case, "" if unknown) and a URI or name are to be read at all;
what is not wanted is not unpacked."""

PartWord: TypeAlias = Literal["part", "record"]
"""What a container's documents are called."""
