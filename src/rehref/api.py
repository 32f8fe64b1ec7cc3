"""What the package does, as functions: read the links of a source, rewrite them.

A *source* is bytes, a str, a path (`os.PathLike`) or a binary file. A str is the document itself, never a path.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias, TypedDict, Unpack, overload

from rehref.base import Candidate, Layers
from rehref.documents import html
from rehref.documents.html import HtmlDocument
from rehref.documents.link import Link
from rehref.entities.files import file_uri
from rehref.parsers.contract import Source
from rehref.parsers.encoding import sniff
from rehref.parsers.registry import DEFAULT, core
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.rules import Absolute, DocumentRule, Rule
from rehref.uri.resolver import PROFILES, Profile

AnySource: TypeAlias = "bytes | str | os.PathLike[str] | BinaryIO"

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/x-asp", "application/x-httpd-php"})


class UnknownMediaTypeError(ValueError):
    """A media type that cannot be read."""


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


def open_document(data: bytes | str, options: Options) -> HtmlDocument:
    """Read a document: its references found, its base established.

    Raises `UnknownMediaTypeError`, `UnknownEncodingError`, `ParserError`, or ValueError for an unknown profile.
    """
    if options.profile not in PROFILES:
        raise ValueError(f"unknown profile {options.profile!r}; there are {', '.join(PROFILES)}")
    if options.media_type is not None:
        media_type = options.media_type.partition(";")[0].strip().lower()
        if media_type not in HTML_TYPES:
            raise UnknownMediaTypeError(f"the media type {media_type!r} cannot be read; text/html can")
    entity = () if options.entity_base is None else (Candidate(options.entity_base, "entity", "entity base"),)
    layers = Layers(entity, options.url, options.default_base)
    if isinstance(data, str):
        source = Source(data)
    else:
        sniffed = sniff(data, options.encoding)
        source = Source(data, sniffed.name, sniffed.bom)
    return html.read(
        source,
        core(options.parser),
        layers,
        options.profile,
        ignore_embedded_base=options.ignore_embedded_base,
    )


def _data(source: AnySource) -> bytes | str:
    if isinstance(source, bytes | str):
        return source
    if isinstance(source, bytearray | memoryview):
        return bytes(source)
    if isinstance(source, os.PathLike):
        return Path(source).read_bytes()
    data = source.read()
    if not isinstance(data, bytes):
        raise TypeError("a file must be opened in binary mode, for its encoding to be established")
    return data


def _file_uri(source: AnySource, url: str | None) -> str | None:
    """A file's retrieval URI, where none is given, is its own `file:` URI."""
    if url is None and isinstance(source, os.PathLike):
        return file_uri(Path(source))
    return url


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
) -> list[Link]:
    """Every reference of a document, in document order, with its base and target.

    `url`: the retrieval URI, after redirects (RFC 3986 §5.1.3). `entity_base`: the base of what encloses the document
    (§5.1.2). `default_base`: the base where nothing else gives one (§5.1.4). `encoding`: overrides what the document
    says, though not a byte order mark. `parser`: a name from `rehref parsers`. `profile`: how to resolve.

    Raises `OSError` if the source cannot be read, `LookupError` for an unknown encoding or parser, ValueError for an
    unknown profile or media type; nothing on account of what the document holds.
    """
    options = Options(
        _file_uri(source, url),
        entity_base,
        default_base,
        media_type,
        encoding,
        parser,
        profile,
        ignore_embedded_base,
    )
    return list(open_document(_data(source), options).links())


class _Reading(TypedDict, total=False):
    url: str | None
    entity_base: str | None
    default_base: str | None
    media_type: str | None
    encoding: str | None
    parser: str
    profile: Profile
    ignore_embedded_base: bool


@overload
def rewrite(source: str, rule: Rule | DocumentRule | None = ..., **options: Unpack[_Reading]) -> str: ...
@overload
def rewrite(
    source: bytes | os.PathLike[str] | BinaryIO,
    rule: Rule | DocumentRule | None = ...,
    **options: Unpack[_Reading],
) -> bytes: ...
def rewrite(
    source: AnySource,
    rule: Rule | DocumentRule | None = None,
    *,
    url: str | None = None,
    entity_base: str | None = None,
    default_base: str | None = None,
    media_type: str | None = None,
    encoding: str | None = None,
    parser: str = DEFAULT,
    profile: Profile = "rfc3986",
    ignore_embedded_base: bool = False,
) -> bytes | str:
    """The document with its references as `rule` wants them (`Absolute()` if none is given); the rest byte for byte.

    The result is a str for a str, and bytes for all else. The other arguments, and what is raised, are as in `links`.
    """
    options = Options(
        _file_uri(source, url),
        entity_base,
        default_base,
        media_type,
        encoding,
        parser,
        profile,
        ignore_embedded_base,
    )
    document = open_document(_data(source), options)
    return rewrite_document(document, Absolute() if rule is None else rule).data
