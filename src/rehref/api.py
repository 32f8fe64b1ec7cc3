"""The functions of the package: they read the links of a source, and rewrite them.

`rehref.files.sources` decides what a source holds: a document, or a container of documents (MHTML, WARC, WACZ, EPUB, an
HTTP response). All documents of a container are read and rewritten, one at a time; those of a folder are only read.
Reading a file that is not a document, whatever its name, raises `ContainerError`; rewriting copies it. All functions
take the same options, which `rehref.documents.options` declares.
"""

from __future__ import annotations

import io
import logging
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias, Unpack, overload

from rehref.archives.rewriting_files import RewriteOptions, rewrite_opened
from rehref.containers.kinds import ENDINGS
from rehref.containers.parts import MOST_ALIKE, ContainerError, Diagnostic
from rehref.containers.streams import NOT_BINARY
from rehref.documents.document import Document
from rehref.documents.link import Link, Page
from rehref.documents.media_types import MediaType
from rehref.documents.options import DECLARED, Given, SourceOptions
from rehref.exceptions import NoBaseWarning, SourceResemblesPathWarning, refuse_no_flags
from rehref.files.sources import AnySource, BinarySource, Headers, documents, opened
from rehref.option_rows import described
from rehref.rewriting.built_in_rules import Absolute, refuse_other_rules
from rehref.rewriting.offline_rule import ATTRIBUTES, Offline
from rehref.rewriting.rule import DocumentRule, Rule

__all__ = ["iter_links", "iter_pages", "links", "rewrite", "rewrite_into"]

_LOG = logging.getLogger("rehref")
_ABSOLUTE = Absolute()

_described = partial(described, rows=DECLARED.values())

_WANTED = "a source is bytes, a str (the document itself), a path (pathlib.Path) or something with read(), not "
_LONGEST_NAME = 1_024
_NOT_A_NAME = re.compile(r"[<\x00-\x1f]").search
_URL = re.compile(r"https?://[^\s]+", re.IGNORECASE).fullmatch
_FILE_NAME: Final = (
    rf"[^\s{{}}]*\.(?:{'|'.join(re.escape(ending[1:]) for ending in (*MediaType.BY_EXTENSION, *ENDINGS))})"
)

OnDiagnostic: TypeAlias = "Callable[[Diagnostic], object]"


@_described
def links(
    source: AnySource, *, headers: Headers = None, on_diagnostic: OnDiagnostic | None = None, **options: Unpack[Given]
) -> list[Link]:
    """Return every reference of a document, in document order, with its base and target; of a container, all of them.

    `source`: bytes, a str (the document itself), a path, or anything with a `read()` that returns bytes. A str that
    looks like a path or a URL is read as a document, with a `SourceResemblesPathWarning`. A folder is read as its
    documents, each with its own URI, and `url` is that of the folder. All other arguments are keyword arguments.
    `headers`: the HTTP header fields of the document, as bytes, or the file with them, as `curl -D` saves it; they give
    its type and charset, and have references themselves. `on_diagnostic`: called with each `Diagnostic` of a container
    or folder, in order; by default they are logged as warnings of the logger `rehref`.

    Raises `OSError` if the source cannot be read; TypeError for an argument of the wrong type or an unknown option;
    ValueError for an unknown profile or media type, for a `url` or `default_base` without a scheme, and for `headers`
    without header fields; `LookupError` for an unknown encoding or parser; `ContainerError` (a ValueError) if nothing
    of a container or folder could be read, or if a file is an image, an archive, a PDF file or the like; RuntimeError
    if a document takes longer than `max_time`. Nothing else is raised because of what the source holds.
    """
    how = _asked(source, options, on_diagnostic, headers)
    # the links of each document as one iterator: yielding each link in Python would take as long as the twin does
    return list(chain.from_iterable(each for _, each in _documents(source, how, headers, on_diagnostic)))


@_described
def iter_links(
    source: AnySource, *, headers: Headers = None, on_diagnostic: OnDiagnostic | None = None, **options: Unpack[Given]
) -> Iterator[Link]:
    """Yield the references that `links` returns, one by one: a WARC of any size is read record by record.

    The source is opened when the first link is asked for, and closed after the last. Arguments and exceptions are those
    of `links`; `ContainerError` is raised at the end.
    """
    how = _asked(source, options, on_diagnostic, headers)
    return (link for _, each in _documents(source, how, headers, on_diagnostic) for link in each)


@_described
def iter_pages(
    source: AnySource, *, headers: Headers = None, on_diagnostic: OnDiagnostic | None = None, **options: Unpack[Given]
) -> Iterator[Page]:
    """Yield each document of a source, also the only one, as a `Page`, with an iterator of its links.

    Arguments and exceptions are those of `links`, and come when those of `iter_links` come.
    """
    how = _asked(source, options, on_diagnostic, headers)
    found = _documents(source, how, headers, on_diagnostic)
    return (Page(each.own.uri, each.part_of.date, each.media_type, each.base, iter(links)) for each, links in found)


def _asked(source: object, given: Mapping[str, Any], on_diagnostic: object, headers: object = None) -> SourceOptions:
    """Return the options that are given. Raises TypeError and ValueError for arguments that cannot be used.

    Call it from a public function directly: a warning then names the line that called the public function.
    """
    how = SourceOptions.of(given)
    _check_source(source, how.media_type, stacklevel=4)
    if on_diagnostic is not None and not callable(on_diagnostic):
        raise TypeError(f"on_diagnostic must be a function of a Diagnostic, not {type(on_diagnostic).__name__}")
    if headers is not None and not isinstance(headers, bytes | os.PathLike):
        raise TypeError(f"headers is bytes or a path (pathlib.Path), not {type(headers).__name__}")
    return how


def _check_source(source: object, media_type: str | None, *, stacklevel: int) -> None:
    """Raise TypeError for what is not a source, and warn of a str that looks like a path or URL.

    A source is bytes, a str (the document itself), a path, or an object whose `read()` returns bytes. A file in text
    mode is refused: its encoding was not established by rehref, and its line ends are not those of the file.
    `stacklevel`: how many calls up the line is that the warning names, 1 being this function.
    """
    if isinstance(source, bytes):
        return
    if isinstance(source, str):
        found = _resembles(source, media_type)
        if found is not None:
            what, remedy = found
            what = f"the source is a str that looks like {what}, and was read as the document itself"
            warnings.warn(f"{what}; {remedy}", SourceResemblesPathWarning, stacklevel=stacklevel)
        return
    if isinstance(source, io.TextIOBase):
        raise TypeError(NOT_BINARY)
    if not isinstance(source, bytearray | memoryview | os.PathLike) and not callable(getattr(source, "read", None)):
        raise TypeError(_WANTED + type(source).__name__)


def _resembles(text: str, media_type: str | None) -> tuple[str, str] | None:
    """What a document looks like, if it looks like a path or URL, and what to do about it."""
    if len(text) > _LONGEST_NAME or _NOT_A_NAME(text) is not None:
        return None
    if _URL(text) is not None:  # which a plain text may contain
        remedy = f"nothing is fetched; pass the retrieved document, with url={text!r}"
        return ("a URL", remedy) if media_type is None else None
    if re.fullmatch(_FILE_NAME, text, re.IGNORECASE) is not None or _is_file(text):
        return "the name of a file", f"for the file, pass pathlib.Path({text!r})"
    return None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def _documents(
    source: AnySource, options: SourceOptions, headers: Headers, on_diagnostic: OnDiagnostic | None
) -> Iterator[tuple[Document, Iterable[Link]]]:
    """Yield the documents of a source, each with its links, and report what cannot be read.

    The rest of a container is read. No links means that there are none: if nothing could be read, and diagnostics say
    why, `ContainerError` is raised. Rewriting does not raise it: it copies what it cannot read.
    """
    was_read, report = False, on_diagnostic or _log
    diagnostics: list[Diagnostic] = []
    for each in documents(source, options, headers):
        if isinstance(each, Diagnostic):
            report(each)
            if not each.harmless and len(diagnostics) < MOST_ALIKE:
                diagnostics.append(each)
        else:
            was_read = True
            yield each
        del each  # it may be large, and the next one is read now
    if diagnostics and not was_read:
        raise ContainerError(diagnostics)


@overload
def rewrite(
    source: str,
    rule: Rule | DocumentRule | None = ...,
    *,
    percent_encode: bool = ...,
    on_diagnostic: OnDiagnostic | None = ...,
    **options: Unpack[Given],
) -> str: ...
@overload
def rewrite(
    source: BinarySource,
    rule: Rule | DocumentRule | None = ...,
    *,
    percent_encode: bool = ...,
    on_diagnostic: OnDiagnostic | None = ...,
    **options: Unpack[Given],
) -> bytes: ...
@_described
def rewrite(
    source: AnySource,
    rule: Rule | DocumentRule | None = None,
    *,
    percent_encode: bool = False,
    on_diagnostic: OnDiagnostic | None = None,
    **options: Unpack[Given],
) -> bytes | str:
    """Return the source with its references rewritten by `rule` (default: `Absolute()`), all other bytes unchanged.

    `rule`: a rule such as `Absolute()`, `Relative()`, `Mapping(…)`, `Template(…)` or `Offline(…)`, or a function that
    takes a `Link` and returns the new reference as a str, None to leave it, or `DROP` to remove the attribute.

    In a document whose only known URI is that of its file, `Absolute` and `Template` leave references relative, unless
    they have `file_urls=True`; the logger `rehref` warns how many references these are. In a document without a base,
    such as a str without `url`, relative references stay, with a `NoBaseWarning`.

    The result is a str for a str, and bytes for every other source. The other arguments and the exceptions are those of
    `links`, except that there is no `ContainerError`: what cannot be read is copied. In a WARC the pages are rewritten.

    `percent_encode`: write only valid URIs (RFC 3986), mapping other texts by RFC 3987 §3.1, even where the rule leaves
    a reference unchanged. These stay as they are: metadata, `javascript:`, `data:`, `mailto:`, `about:`, `blob:`,
    `cid:`, `mid:`, and references that browsers would then read differently.
    """
    how = _asked(source, options, on_diagnostic)
    refuse_no_flags(percent_encode=percent_encode)
    out = io.BytesIO()
    new = _rewrite(source, out, rule, how, on_diagnostic, percent_encode=percent_encode)
    return out.getvalue() if new is None else new


@_described
def rewrite_into(
    source: AnySource,
    out: BinaryIO,
    rule: Rule | DocumentRule | None = None,
    *,
    as_conversion: bool = False,
    all_types: bool = False,
    percent_encode: bool = False,
    on_diagnostic: OnDiagnostic | None = None,
    **options: Unpack[Given],
) -> None:
    """Write the result of `rewrite` to a binary file, a str in UTF-8; a WARC of any size is written record by record.

    Raises what `rewrite` raises, and ValueError for a str with a lone surrogate (half a character).

    `as_conversion`: keep the records of a WARC, and add the rewritten ones as `conversion` records. `all_types`: in a
    WARC, rewrite style sheets, XML and header fields too. `percent_encode`: see `rewrite`.
    """
    how = _asked(source, options, on_diagnostic)
    refuse_no_flags(percent_encode=percent_encode, as_conversion=as_conversion, all_types=all_types)
    if not hasattr(out, "write") or isinstance(out, io.TextIOBase):
        what = "one in text mode" if isinstance(out, io.TextIOBase) else type(out).__name__
        raise TypeError(f"out must be a binary file, not {what}")
    new = _rewrite(
        source,
        out,
        rule,
        how,
        on_diagnostic,
        percent_encode=percent_encode,
        as_conversion=as_conversion,
        all_types=all_types,
    )
    if new is not None:
        out.write(_in_utf_8(new) if isinstance(new, str) else new)


def _in_utf_8(text: str) -> bytes:
    """Return a text in UTF-8. Raises ValueError if it has a lone surrogate (half a character)."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        what = f"half a character (U+{ord(text[error.start]):04X}) at {error.start}"
        raise ValueError(f"the source cannot be written in UTF-8: {what}; use rehref.rewrite, or give bytes") from None


def _rewrite(
    source: AnySource,
    out: BinaryIO,
    rule: Rule | DocumentRule | None,
    options: SourceOptions,
    on_diagnostic: OnDiagnostic | None,
    *,
    percent_encode: bool,
    as_conversion: bool = False,
    all_types: bool = False,
) -> bytes | str | None:
    """Return the rewritten document, or None for a container, which is written to `out`."""
    rule, report = _ABSOLUTE if rule is None else rule, on_diagnostic or _log
    refuse_other_rules(rule)
    if isinstance(rule, Offline):  # needs more than references
        attributes = (*ATTRIBUTES, *options.how.attributes)
        options = replace(options, how=replace(options.how, attributes=attributes))
    wanted = RewriteOptions(rule, as_conversion, all_types, percent_encode)
    with opened(source, options, as_conversion=as_conversion) as found:
        new, withheld, lacks_base = rewrite_opened(found, out, wanted, report)
    if withheld:
        _LOG.warning(
            "%s: %s references stay: they would become file: URIs of this machine; give url, or file_urls=True",
            source if isinstance(source, os.PathLike) else "the source",
            withheld,
        )
    if lacks_base:
        message = "there is no base, so relative references stay as they are; url gives one"
        warnings.warn(message, NoBaseWarning, stacklevel=3)
    return new


def _log(diagnostic: Diagnostic) -> None:
    _LOG.warning("%s", diagnostic)
