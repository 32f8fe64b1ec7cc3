"""What the package does, as functions: read the links of a source, rewrite them.

A *source* is bytes, a str, a path (`os.PathLike`) or a binary file. A str is the document itself, never a path.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, TypeAlias, TypedDict, Unpack, overload

from rehref.base import Candidate, Layers
from rehref.documents import css, html, text
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.selection import Selection, extra
from rehref.entities.files import file_uri, type_of_name
from rehref.parsers.contract import Source
from rehref.parsers.css_encoding import sniff_css
from rehref.parsers.encoding import Sniffed, sniff
from rehref.parsers.registry import DEFAULT, core
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.rules import Absolute, DocumentRule, Rule
from rehref.uri.resolver import PROFILES, Profile

AnySource: TypeAlias = "bytes | str | os.PathLike[str] | BinaryIO"

HTML_TYPES = frozenset({"text/html", "application/xhtml+xml", "application/x-asp", "application/x-httpd-php"})
CSS_TYPE = "text/css"
TEXT_TYPE = "text/plain"


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
    scripting: bool = False
    conditional_comments: bool = False
    attributes: tuple[str, ...] = ()

    def selection(self) -> Selection:
        """What to look for beside the rest. Raises ValueError for an attribute that cannot be one."""
        return Selection(self.scripting, self.conditional_comments, tuple(map(extra, self.attributes)))


def open_document(data: bytes | str, options: Options) -> Document:
    """Read a document: its references found, its base established.

    HTML if no media type says otherwise. The parser core, and what is looked for beside the rest (`selection`), matter
    for HTML only: style sheets and plain texts have no markup.
    Raises `UnknownMediaTypeError`, `UnknownEncodingError`, `ParserError`, or ValueError for an unknown profile.
    """
    if options.profile not in PROFILES:
        raise ValueError(f"unknown profile {options.profile!r}; there are {', '.join(PROFILES)}")
    media_type = _essence(options.media_type)
    entity = () if options.entity_base is None else (Candidate(options.entity_base, "entity", "entity base"),)
    layers = Layers(entity, options.url, options.default_base)
    if isinstance(data, str):
        source = Source(data)
    else:
        sniffed = encoding_of(data, media_type, options.encoding)
        source = Source(data, sniffed.name, sniffed.bom)
    if media_type == CSS_TYPE:
        return css.read(source, layers, options.profile)
    if media_type == TEXT_TYPE:
        return text.read(source, layers, options.profile)
    return html.read(
        source,
        core(options.parser),
        layers,
        options.profile,
        ignore_embedded_base=options.ignore_embedded_base,
        selection=options.selection(),
    )


def encoding_of(data: bytes, media_type: str | None = None, declared: str | None = None) -> Sniffed:
    """The encoding of a document, and how it was found out; each type of document has its own way to tell.

    `declared`: a label that overrides what the document says, but not its byte order mark. Raises
    `UnknownMediaTypeError`, `UnknownEncodingError`.
    """
    essence = _essence(media_type)
    if essence == CSS_TYPE:
        return sniff_css(data, declared)
    if essence == TEXT_TYPE:
        return text.sniff_text(data, declared)
    return sniff(data, declared)


def _essence(media_type: str | None) -> str:
    """A media type without its parameters, in lower case; HTML for None. Raises `UnknownMediaTypeError`."""
    if media_type is None:
        return "text/html"
    essence = media_type.partition(";")[0].strip().lower()
    if essence not in HTML_TYPES | {CSS_TYPE, TEXT_TYPE}:
        raise UnknownMediaTypeError(
            f"the media type {essence!r} cannot be read; text/html, text/css and text/plain can"
        )
    return essence


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


def _type(source: AnySource, media_type: str | None) -> str | None:
    """A file's media type, where none is given, is that which its name tells, if it does."""
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
) -> list[Link]:
    """Every reference of a document, in document order, with its base and target.

    `url`: the retrieval URI, after redirects (RFC 3986 §5.1.3). `entity_base`: the base of what encloses the document
    (§5.1.2). `default_base`: the base where nothing else gives one (§5.1.4). `media_type`: `text/html`, `text/css` or
    `text/plain`; by default what the name of a file tells, or HTML. `encoding`: overrides what the document says,
    though not a byte order mark. `parser`: a name from `rehref parsers`. `profile`: how to resolve.
    `scripting`: read as a browser that runs scripts does, for which `noscript` holds text. `conditional_comments`: look
    into `<!--[if IE]>`, too. `attributes`: attributes of one's own that carry references, such as `img@data-src`,
    `*@data-srcset` or `div@data-images=spaces` (the micro-syntax, where the name does not tell).

    Raises `OSError` if the source cannot be read, `LookupError` for an unknown encoding or parser, ValueError for an
    unknown profile or media type; nothing on account of what the document holds.
    """
    options = Options(
        _file_uri(source, url),
        entity_base,
        default_base,
        _type(source, media_type),
        encoding,
        parser,
        profile,
        ignore_embedded_base,
        scripting,
        conditional_comments,
        tuple(attributes),
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
    scripting: bool
    conditional_comments: bool
    attributes: Sequence[str]


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
    scripting: bool = False,
    conditional_comments: bool = False,
    attributes: Sequence[str] = (),
) -> bytes | str:
    """The document with its references as `rule` wants them (`Absolute()` if none is given); the rest byte for byte.

    The result is a str for a str, and bytes for all else. The other arguments, and what is raised, are as in `links`.
    """
    options = Options(
        _file_uri(source, url),
        entity_base,
        default_base,
        _type(source, media_type),
        encoding,
        parser,
        profile,
        ignore_embedded_base,
        scripting,
        conditional_comments,
        tuple(attributes),
    )
    document = open_document(_data(source), options)
    return rewrite_document(document, Absolute() if rule is None else rule).data
