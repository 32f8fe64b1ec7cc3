"""What the package does, as functions: read the links of a source, rewrite them.

1. What a *source* is, `rehref.sources` says: bytes, a str, a path, anything with `read()`.
2. What a source holds, its content tells, unless `media_type` does: a document, or a container of documents (MHTML,
   WARC, WACZ, EPUB, an HTTP response). Of a container all documents are read and rewritten, one at a time. A file (a
   path) that begins as an image, a PDF file or the like is none, whatever its name: reading raises `ContainerError`,
   rewriting copies it. Bytes without a name are HTML, unless they begin like XML or a container.
3. What cannot be read of a container is a `Diagnostic`, handed to `on_diagnostic`, or else logged as a warning of the
   logger `rehref`; the rest is done.
4. No links means that there are none: where diagnostics left nothing of a container to be read, reading raises
   `ContainerError`. Rewriting does not: what it cannot read it copies.
5. The options are those of `rehref.options.Options`, the same for all functions.
"""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Unpack, overload

from rehref.containers.opening import opened
from rehref.containers.parts import ContainerError, ContainerOptions, Diagnostic
from rehref.containers.registry import Container
from rehref.containers.repeated_diagnostics import MOST
from rehref.documents.document import Document
from rehref.documents.link import Link
from rehref.documents.reading import UnknownMediaTypeError, encoding_of, read_document
from rehref.documents.saved_from import saved_from
from rehref.documents.types.magic_numbers import magic
from rehref.documents.types.sniffing import XML_TYPE, told_by_name
from rehref.files.file_errors import FileError
from rehref.files.file_types import not_known, type_of_named
from rehref.files.file_uris import file_uri
from rehref.files.gzipped import is_packed, packed_like, unpacked
from rehref.options import Given, Options
from rehref.rewriting.containers import Counts, rewrite_container
from rehref.rewriting.contract import DocumentRule, Rule
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.loading_restrictions import ATTRIBUTES
from rehref.rewriting.rules.absolute import Absolute
from rehref.rewriting.rules.offline import Offline
from rehref.rewriting.withheld_file_uris import withheld
from rehref.sources import AnySource, BinarySource, opened_source

__all__ = [
    "Options",
    "UnknownMediaTypeError",
    "encoding_of",
    "iter_links",
    "links",
    "open_document",
    "rewrite",
    "rewrite_into",
]

_LOG = logging.getLogger("rehref")
_ABSOLUTE = Absolute()
_IN_MEMORY = (bytes, str)


def open_document(data: bytes | str, options: Options, file: str | None = None) -> Document:
    """Read a document on its own: its references found, its base established. `file`: its own `file:` URI.

    HTML if no media type says otherwise, and it does not look like XML. The parser core, and what is looked for beside
    the rest, matter for markup only.
    Raises `UnknownMediaTypeError`, `UnknownEncodingError`, `ParserError`, or ValueError for an unknown profile.
    """
    saved = None if options.ignore_saved_from or options.url is not None else saved_from(data)
    return read_document(data, options.media_type, options.encoding, options.layers(file, saved), options.reading())


def links(source: AnySource, **options: Unpack[Given]) -> list[Link]:
    """Every reference of a document, in document order, with its base and target; of a container, of all documents.

    `source`: bytes, a str (the document itself), a path, or anything with `read()` that gives bytes. All else is given
    by keyword.

    `url`: the retrieval URI, after redirects (RFC 3986 §5.1.3). `entity_base`: the base of what encloses the document
    (§5.1.2). `default_base`: the base where nothing else gives one (§5.1.4). `media_type`: of the document or
    container; by default what the content tells, then the name of a file, or else HTML. `encoding`: overrides what the
    document says, though not a byte order mark: a label of the Encoding Standard, or Python's name of the same encoding
    (`cp932`). `parser`: a name from `rehref parsers`. `profile`: how to resolve. `ignore_embedded_base`: what the
    document itself names as base does not count. `scripting`: read as a browser that runs scripts does, for which
    `noscript` holds text. `strict_uris`: report characters outside ASCII, too, which IRIs may have and URIs may not
    (RFC 3987). `conditional_comments`: look into `<!--[if IE]>`, too. `attributes`: attributes of one's own
    that carry references, such as `img@data-src`, `*@data-srcset` or `div@data-images=spaces` (the micro-syntax, where
    the name does not tell). `content_location_base`: have HTTP's `Content-Location` set the base, though RFC 9110 says
    that it does not. `ignore_saved_from`: where a saved page says itself that it came from (the comments of browsers,
    SingleFile, HTTrack, monolith) is not its retrieval URI; by default it is, if no `url` is given. `max_size`: how
    many bytes of one document in a container are unpacked at most. `on_diagnostic`: called with each `Diagnostic` of a
    container, in order; by default they are warnings of the logger `rehref`.

    Raises `OSError` if the source cannot be read, `LookupError` for an unknown encoding or parser, ValueError for an
    unknown profile or media type, `ContainerError` (a ValueError) if there is something wrong with a container and
    nothing could be read of it, or a file is an image, an archive, a PDF file or the like; nothing else on account of
    what the source holds.
    """
    how = Options(**options)
    with opened_source(source, how.media_type) as found:
        return list(_links_in(found, source, how))


def iter_links(source: AnySource, **options: Unpack[Given]) -> Iterator[Link]:
    """Every reference, as `links` gives them, one after the other: a WARC of any size is read record by record.

    The source is opened with the first link that is asked for, and closed behind the last. Arguments and what is raised
    are as in `links`; `ContainerError` comes at the end.
    """
    return _iter_links(source, Options(**options))


def _iter_links(source: AnySource, options: Options) -> Iterator[Link]:
    with opened_source(source, options.media_type) as found:
        yield from _links_in(found, source, options)


def _links_in(found: bytes | str | Container, source: AnySource, options: Options) -> Iterator[Link]:
    """The links of what a source holds."""
    if not isinstance(found, Container):
        return _document(found, source, options)[1].links()
    return _links_in_container(_surrounded(found, source, options), options)


def _links_in_container(container: Container, options: Options) -> Iterator[Link]:
    was_read = False
    diagnostics: list[Diagnostic] = []
    for each in opened(container, options.reading()):
        if isinstance(each, Diagnostic):
            _tell(each, options)
            if not each.harmless and len(diagnostics) < MOST:
                diagnostics.append(each)
        else:
            was_read = True
            yield from each[1].links()
    if diagnostics and not was_read:
        raise ContainerError(diagnostics)


@overload
def rewrite(
    source: str, rule: Rule | DocumentRule | None = ..., *, percent_encode: bool = ..., **options: Unpack[Given]
) -> str: ...
@overload
def rewrite(
    source: BinarySource,
    rule: Rule | DocumentRule | None = ...,
    *,
    percent_encode: bool = ...,
    **options: Unpack[Given],
) -> bytes: ...
def rewrite(
    source: AnySource,
    rule: Rule | DocumentRule | None = None,
    *,
    percent_encode: bool = False,
    **options: Unpack[Given],
) -> bytes | str:
    """The source with its references as `rule` wants them (`Absolute()` if none is given); the rest byte for byte.

    What has no URI but that of its file stays relative under `Absolute` and `Template`, unless they are told
    `file_urls=True`; how many references that is, is a warning of the logger `rehref`.

    The result is a str for a str, and bytes for all else. The other arguments, and what is raised, are as in `links`,
    but for `ContainerError`: what cannot be read is copied. Of a WARC the pages are rewritten. `percent_encode`: write
    valid URIs (RFC 3986) only, as RFC 3987 §3.1 maps what is none; what the rule leaves as it is, is written so, too,
    but metadata, `javascript:`, `data:`, `mailto:`, `about:`, `blob:`, `cid:`, `mid:`, and what browsers would read
    otherwise then.
    """
    chosen = _ABSOLUTE if rule is None else rule
    how = _looking_for(chosen, Options(**options))
    with opened_source(source, how.media_type) as found:
        if not isinstance(found, Container):
            return _rewritten(found, source, chosen, how, percent_encode=percent_encode)
        out = io.BytesIO()
        _rewrite_container(found, source, out, chosen, how, percent_encode=percent_encode)
        return out.getvalue()


def rewrite_into(
    source: AnySource,
    out: BinaryIO,
    rule: Rule | DocumentRule | None = None,
    *,
    as_conversion: bool = False,
    all_types: bool = False,
    percent_encode: bool = False,
    **options: Unpack[Given],
) -> None:
    """Write what `rewrite` gives to a binary file; a WARC of any size record by record.

    `as_conversion`: keep the records of a WARC, and add what is rewritten as `conversion` records. `all_types`: rewrite
    style sheets, XML and heads in a WARC, too. `percent_encode`: see `rewrite`.
    """
    chosen = _ABSOLUTE if rule is None else rule
    how = _looking_for(chosen, Options(**options))
    with opened_source(source, how.media_type) as found:
        if not isinstance(found, Container):
            new = _rewritten(found, source, chosen, how, percent_encode=percent_encode)
            out.write(new.encode() if isinstance(new, str) else new)
            return
        _rewrite_container(
            found,
            source,
            out,
            chosen,
            how,
            as_conversion=as_conversion,
            all_types=all_types,
            percent_encode=percent_encode,
        )


def _rewritten(
    found: bytes | str, source: AnySource, rule: Rule | DocumentRule, options: Options, *, percent_encode: bool
) -> bytes | str:
    """What a source becomes that holds a document."""
    try:
        data, document = _document(found, source, options)
    except ContainerError as error:
        _tell(error.diagnostics[0], options)
        return found
    new = rewrite_document(document, rule, percent_encode=percent_encode).data
    _tell_withheld(source, withheld(document, rule))
    if isinstance(found, str) or isinstance(new, str) or not is_packed(found):
        return new
    return found if new == data else packed_like(found, new)


def _rewrite_container(
    container: Container,
    source: AnySource,
    out: BinaryIO,
    rule: Rule | DocumentRule,
    options: Options,
    *,
    percent_encode: bool,
    as_conversion: bool = False,
    all_types: bool = False,
) -> None:
    """Write what a source becomes that holds a container."""
    surrounded = _surrounded(container, source, options, as_conversion=as_conversion)
    counts = Counts()
    diagnostics = rewrite_container(
        surrounded, out, rule, options.reading(), counts, all_types=all_types, percent_encode=percent_encode
    )
    for diagnostic in diagnostics:
        _tell(diagnostic, options)
    _tell_withheld(source, counts.withheld)


def _looking_for(rule: Rule | DocumentRule, options: Options) -> Options:
    """The options, with what a rule wants to be asked about beside references."""
    if not isinstance(rule, Offline):
        return options
    return options._replace(attributes=(*ATTRIBUTES, *options.attributes))


def _tell_withheld(source: AnySource, count: int) -> None:
    if count:
        _LOG.warning(
            "%s: %s references stay: they would become file: URIs of this machine; give url, or file_urls=True",
            source if isinstance(source, os.PathLike) else "the source",
            count,
        )


def _surrounded(container: Container, source: AnySource, options: Options, *, as_conversion: bool = False) -> Container:
    return replace(
        container,
        options=ContainerOptions(
            outer=options.layers(_file_uri(source)),
            limits=options.limits(),
            content_location_base=options.content_location_base,
            as_conversion=as_conversion,
            profile=options.profile,
        ),
    )


def _tell(diagnostic: Diagnostic, options: Options) -> None:
    if options.on_diagnostic is None:
        _LOG.warning("%s", diagnostic)
    else:
        options.on_diagnostic(diagnostic)


def _path(source: AnySource) -> Path | None:
    """The path that a source is; None if it is none."""
    return None if isinstance(source, _IN_MEMORY) or not isinstance(source, os.PathLike) else Path(source)


def _file_uri(source: AnySource) -> str | None:
    """The own `file:` URI of a source that is a path."""
    path = _path(source)
    return None if path is None else file_uri(path)


def _document(found: bytes | str, source: AnySource, options: Options) -> tuple[bytes | str, Document]:
    """The data of a document, unpacked if it is gzipped, and what it holds; its file tells what `options` do not.

    Raises `ContainerError` if it cannot be unpacked, or is none (rule 2); and what `open_document` does.
    """
    path = _path(source)
    if isinstance(found, bytes) and is_packed(found):
        try:
            found = unpacked("the source" if path is None else str(path), found, options.limits())
        except FileError as error:
            raise ContainerError([Diagnostic("", str(error), code="damaged")]) from error
    if path is None:
        return found, open_document(found, options)
    assert isinstance(found, bytes)
    media_type = options.media_type
    if media_type is None:
        if magic(found) is not None:
            what, remedy = not_known(path.name, found)
            raise ContainerError([Diagnostic("", f"{path}: {what}", remedy, code="unsupported")])
        media_type = type_of_named(path.name, found)
        if media_type == XML_TYPE != told_by_name(path.name):
            media_type = None  # not every parser core reads XML, and those that do see it themselves
    return found, open_document(found, options._replace(media_type=media_type), file_uri(path))
