"""What the package does, as functions: read the links of a source, rewrite them.

1. A *source* is bytes, a str, a path (`os.PathLike`) or a binary file. A str is the document itself, never a path.
2. What the source is, its content tells, unless `media_type` does: a document, or a container of documents (MHTML,
   WARC, WACZ, EPUB, an HTTP response). Of a container all documents are read and rewritten.
3. What is the matter with a container is logged as a warning of the logger `rehref`; the rest is done.
"""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, TypeAlias, TypedDict, Unpack, overload

from rehref.base import Candidate, Layers
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.reading import Reading, UnknownMediaTypeError, encoding_of, read_document, selection
from rehref.documents.types import type_of_name
from rehref.entities.containers import HEAD, Container, peeked, recognize, retrieval_uri
from rehref.entities.files import file_uri
from rehref.entities.opening import opened
from rehref.entities.parts import Limits, Trouble
from rehref.parsers.registry import DEFAULT
from rehref.rewriting.containers import Counts, rewrite_container
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.rules import Absolute, DocumentRule, Rule
from rehref.uri.resolver import Profile

__all__ = ["Options", "UnknownMediaTypeError", "encoding_of", "links", "open_document", "rewrite", "rewrite_into"]

AnySource: TypeAlias = "bytes | str | os.PathLike[str] | BinaryIO"

_LOG = logging.getLogger("rehref")


@dataclass(frozen=True, slots=True)
class Options:
    """How to read a document; the fields are the keyword arguments of `links` and `rewrite`."""

    url: str | None = None
    entity_base: str | None = None
    default_base: str | None = None
    media_type: str | None = None
    encoding: str | None = None
    parser: str = DEFAULT
    profile: Profile = "rfc3986"
    ignore_embedded_base: bool = False
    scripting: bool = False
    conditional_comments: bool = False
    attributes: tuple[str, ...] = ()
    content_location_base: bool = False
    max_size: int | None = None

    def reading(self) -> Reading:
        """How to read any document. Raises ValueError for an attribute that cannot be one."""
        looked_for = selection(
            scripting=self.scripting, conditional_comments=self.conditional_comments, attributes=self.attributes
        )
        return Reading(self.parser, self.profile, self.ignore_embedded_base, looked_for)

    def layers(self) -> Layers:
        """What stands outside of the source."""
        entity = () if self.entity_base is None else (Candidate(self.entity_base, "entity", "entity base"),)
        return Layers(entity, self.url, self.default_base)

    def limits(self) -> Limits:
        """How much of a container is unpacked."""
        return Limits() if self.max_size is None else Limits(size=self.max_size)


def open_document(data: bytes | str, options: Options) -> Document:
    """Read a document on its own: its references found, its base established.

    HTML if no media type says otherwise, and it does not look like XML. The parser core, and what is looked for beside
    the rest, matter for markup only.
    Raises `UnknownMediaTypeError`, `UnknownEncodingError`, `ParserError`, or ValueError for an unknown profile.
    """
    return read_document(data, options.media_type, options.encoding, options.layers(), options.reading())


@contextmanager
def _opened(source: AnySource, media_type: str | None) -> Iterator[bytes | str | Container]:
    """The data of a document, or the container that a source is (its surroundings and limits still to be told)."""
    if isinstance(source, str):
        yield source
        return
    if isinstance(source, bytearray | memoryview):
        source = bytes(source)
    if isinstance(source, bytes):
        kind = recognize(source[:HEAD], io.BytesIO(source) if source[:2] == b"PK" else None, media_type)
        yield source if kind is None else Container(kind, io.BytesIO(source), Layers())
        return
    stream = Path(source).open("rb") if isinstance(source, os.PathLike) else source  # noqa: SIM115  # closed below
    try:
        if not isinstance(stream.read(0), bytes):
            raise TypeError("a file must be opened in binary mode, for its encoding to be established")
        with peeked(stream, media_type) as (kind, file):
            yield file.read() if kind is None else Container(kind, file, Layers())
    finally:
        if stream is not source:
            stream.close()


def _surrounded(container: Container, source: AnySource, options: Options, *, as_conversion: bool = False) -> Container:
    url = retrieval_uri(container.kind, options.url, _file_uri(source, None))
    return replace(
        container,
        around=replace(options, url=url).layers(),
        limits=options.limits(),
        content_location_base=options.content_location_base,
        as_conversion=as_conversion,
        profile=options.profile,
    )


def _warn(trouble: Trouble) -> None:
    _LOG.warning("%s", trouble)


def _file_uri(source: AnySource, url: str | None) -> str | None:
    """A file's retrieval URI, where none is given, is its own `file:` URI."""
    if url is None and isinstance(source, os.PathLike):
        return file_uri(Path(source))
    return url


def _type(source: AnySource, media_type: str | None) -> str | None:
    """A document's media type, where none is given, is that which the file's name tells, if it does."""
    if media_type is None and isinstance(source, os.PathLike):
        return type_of_name(Path(source).name)
    return media_type


def links(
    source: AnySource,
    *,
    url: str | None = None,
    entity_base: str | None = None,
    default_base: str | None = None,
    media_type: str | None = None,
    encoding: str | None = None,
    parser: str = DEFAULT,
    profile: Profile = "rfc3986",
    ignore_embedded_base: bool = False,
    scripting: bool = False,
    conditional_comments: bool = False,
    attributes: Sequence[str] = (),
    content_location_base: bool = False,
    max_size: int | None = None,
) -> list[Link]:
    """Every reference of a document, in document order, with its base and target.

    `url`: the retrieval URI, after redirects (RFC 3986 §5.1.3). `entity_base`: the base of what encloses the document
    (§5.1.2). `default_base`: the base where nothing else gives one (§5.1.4). `media_type`: of the document or
    container; by default what the content tells, then the name of a file, or else HTML. `encoding`: overrides what the
    document says, though not a byte order mark. `parser`: a name from `rehref parsers`. `profile`: how to resolve.
    `scripting`: read as a browser that runs scripts does, for which `noscript` holds text. `conditional_comments`: look
    into `<!--[if IE]>`, too. `attributes`: attributes of one's own that carry references, such as `img@data-src`,
    `*@data-srcset` or `div@data-images=spaces` (the micro-syntax, where the name does not tell).
    `content_location_base`: have HTTP's `Content-Location` set the base, though RFC 9110 says that it does not.
    `max_size`: how many bytes of one document in a container are unpacked at most.

    Raises `OSError` if the source cannot be read, `LookupError` for an unknown encoding or parser, ValueError for an
    unknown profile or media type; nothing on account of what the document holds.
    """
    options = Options(
        url,
        entity_base,
        default_base,
        media_type,
        encoding,
        parser,
        profile,
        ignore_embedded_base,
        scripting,
        conditional_comments,
        tuple(attributes),
        content_location_base,
        max_size,
    )
    with _opened(source, media_type) as found:
        if not isinstance(found, Container):
            return list(open_document(found, _of_file(options, source)).links())
        gathered: list[Link] = []
        for part in opened(_surrounded(found, source, options), options.reading()):
            if isinstance(part, Trouble):
                _warn(part)
            else:
                gathered += part[1].links()
        return gathered


class _Reading(TypedDict, total=False):
    url: str | None
    entity_base: str | None
    default_base: str | None
    media_type: str | None
    encoding: str | None
    parser: str
    profile: Profile
    ignore_embedded_base: bool
    scripting: bool
    conditional_comments: bool
    attributes: Sequence[str]
    content_location_base: bool
    max_size: int | None


@overload
def rewrite(source: str, rule: Rule | DocumentRule | None = ..., **options: Unpack[_Reading]) -> str: ...
@overload
def rewrite(
    source: bytes | os.PathLike[str] | BinaryIO,
    rule: Rule | DocumentRule | None = ...,
    **options: Unpack[_Reading],
) -> bytes: ...
def rewrite(source: AnySource, rule: Rule | DocumentRule | None = None, **options: Unpack[_Reading]) -> bytes | str:
    """The source with its references as `rule` wants them (`Absolute()` if none is given); the rest byte for byte.

    The result is a str for a str, and bytes for all else. The other arguments, and what is raised, are as in `links`.
    Of a WARC the pages are rewritten.
    """
    if isinstance(source, str):
        rewritten = rewrite_document(open_document(source, _options(options)), Absolute() if rule is None else rule)
        return rewritten.data
    out = io.BytesIO()
    rewrite_into(source, out, rule, **options)
    return out.getvalue()


def rewrite_into(
    source: AnySource,
    out: BinaryIO,
    rule: Rule | DocumentRule | None = None,
    *,
    as_conversion: bool = False,
    all_types: bool = False,
    **options: Unpack[_Reading],
) -> None:
    """Write what `rewrite` gives to a binary file; a WARC of any size record by record.

    `as_conversion`: keep the records of a WARC, and add what is rewritten as `conversion` records. `all_types`: rewrite
    style sheets, XML and heads in a WARC, too.
    """
    chosen = Absolute() if rule is None else rule
    how = _options(options)
    with _opened(source, how.media_type) as found:
        if not isinstance(found, Container):
            rewritten = rewrite_document(open_document(found, _of_file(how, source)), chosen).data
            out.write(rewritten.encode() if isinstance(rewritten, str) else rewritten)
            return
        surrounded = _surrounded(found, source, how, as_conversion=as_conversion)
        for trouble in rewrite_container(surrounded, out, chosen, how.reading(), Counts(), all_types=all_types):
            _warn(trouble)


def _options(options: _Reading) -> Options:
    """The options that were given as keyword arguments."""
    if "attributes" in options:
        options["attributes"] = tuple(options["attributes"])
    return Options(**options)  # type: ignore[arg-type]  # a tuple of attributes, now


def _of_file(options: Options, source: AnySource) -> Options:
    """The options with what a file's name tells: its URI, the document's media type; where they are not given."""
    if not isinstance(source, os.PathLike):
        return options
    return replace(options, url=_file_uri(source, options.url), media_type=_type(source, options.media_type))
