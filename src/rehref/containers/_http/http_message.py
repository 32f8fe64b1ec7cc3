"""A saved HTTP response: the output of `curl -i`, or only the heads, as `curl -D` writes them. And heads that change.

It is one or more heads, and the body after the last, which describes it; a head alone is enough. `Content-Location` is
a candidate for the base of the body only if asked for: by RFC 9110 §8.7 it names a resource, and no more. When
rewritten, all but a changed body and its head stay, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, NamedTuple

from rehref.containers.codings import decode_body, is_coded
from rehref.containers.parts import ChangePart, ContainerOptions, Diagnostic, Part, WantsDocument
from rehref.documents.base import Candidate, Layers, clean
from rehref.documents.integrity import Digests, Hashes
from rehref.documents.media_types import Beginning, MediaType
from rehref.text.encoding import lookup
from rehref.text.header_fields import Head
from rehref.uri.components import split
from rehref.uri.resolver import Resolver

"""The result of `type_of_body` for XML; a part then gets no type, since not every parser core reads XML."""

_MOST_HEADS = 500
_STATUS_LINE = re.compile(rb"HTTP/[0-9](?:\.[0-9])?[\t ]++([0-9]{3})(?![0-9])[^\n]*+(?:\n|\Z)").match
_EMPTY_LINE = re.compile(rb"\n\r?\n").search
_STATUS = re.compile(r"HTTP/[0-9](?:\.[0-9])?[\t ]++([0-9]{3})").match
_COLON = ord(":")
_NO_LONGER_TRUE = frozenset(("content-encoding", "trailer", "content-md5", "digest", "content-digest", "repr-digest"))
_FORBIDDEN = re.compile(r"[\r\n\0]").search  # RFC 9110 §5.5


def recognizes(head: bytes, file: BinaryIO | None = None) -> bool:
    """Whether data that begin with these bytes are a saved response: whether they begin with a status line."""
    return _STATUS_LINE(head) is not None


class SplitResponse(NamedTuple):
    """A saved response: its heads, each with its empty line, and its body, as they are written."""

    heads: tuple[bytes, ...]
    body: bytes


def split_response(data: bytes) -> SplitResponse:
    """Separate the heads and the body. Raises nothing.

    Another head follows one that is not final (`_goes_on`). After any other comes the body, unless the whole rest is
    heads.
    """
    heads: list[bytes] = []
    position = body = 0
    while len(heads) < _MOST_HEADS:
        empty = _EMPTY_LINE(data, position)
        end = len(data) if empty is None else empty.end()
        heads.append(data[position:end])
        position = end
        if _STATUS_LINE(data, position) is None:
            break
        if body == 0 and not _goes_on(Head.read(heads[-1])):
            body = len(heads)
    if position == len(data) or body == 0:
        return SplitResponse(tuple(heads), data[position:])
    return SplitResponse(tuple(heads[:body]), data[sum(map(len, heads[:body])) :])


def _goes_on(head: Head) -> bool:
    """Whether the response is not the final one.

    Not final are an interim response (1xx), a redirect with a `Location`, a challenge (401, 407), and a proxy's answer
    to CONNECT (2xx without a type, length or coding).
    """
    status = http_status(head)
    if 200 <= status < 300:
        return all(head.find(name) is None for name in ("Content-Type", "Content-Length", "Transfer-Encoding"))
    return 100 <= status < 200 or status in (401, 407) or _is_redirect(head)


def _is_redirect(head: Head) -> bool:
    return 300 <= http_status(head) < 400 and head.find("Location") is not None


def http_status(head: Head) -> int:
    """The status code; 0 if there is none."""
    found = _STATUS(head.start_line)
    return 0 if found is None else int(found[1])


def content_length(head: Head) -> int | None:
    """The number of bytes that Content-Length says; None if it is missing, or not a number."""
    value = head.get("Content-Length") or ""
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 20 else None


def type_of_body(data: bytes) -> str | None:
    """The media type of a body whose head names none: XML or HTML, as it looks; None if it does not begin with "<".

    For another the extension of the URI may determine it.
    """
    beginning = Beginning.of(data)
    if data == b"" or not beginning.looks_like_html:
        return None
    return MediaType.XML if beginning.looks_like_xml else MediaType.HTML


def _retrieval_uris(heads: tuple[bytes, ...], first: str | None) -> list[str | None]:
    """The retrieval URI of each head, and of the body, which has that of the last head. `first`: from outside.

    A redirect, followed by a head, changes it: to its `Location`, resolved (RFC 9110 §15.4, §10.2.2).
    """
    uris = [first]
    for data in heads[:-1]:
        head, uri = Head.read(data), uris[-1]
        location = head.text("Location")
        if location is not None and _is_redirect(head):
            reference = clean(location)
            if uri is not None:
                uri = Resolver(uri, relative_base=True)(reference)
            elif split(reference).scheme is not None:
                uri = reference
        uris.append(uri)
    return uris


class SavedResponse:
    """A saved response, with the values from its heads, and its parts.

    `last`: the head that describes the body. `uris`: the retrieval URI of each head. `media_type`: with its parameters,
    None if there is none. `content_length`: in bytes.
    """

    def __init__(self, data: bytes, options: ContainerOptions) -> None:
        self.heads, self.body = split_response(data)
        self.options = options
        self.last = Head.read(self.heads[-1])
        self.uris = _retrieval_uris(self.heads, options.outer.retrieval)
        self.media_type = self.last.get("Content-Type") or None
        self.content_length = content_length(self.last)

    def head_part(self, number: int) -> Part:
        """Head number `number`, from 0: `headers`, the last, or `headers 1`, …; it is relative to its own retrieval
        URI.
        """
        name = "headers" if number == len(self.heads) - 1 else f"headers {number + 1}"
        layers = self.options.outer._replace(retrieval=self.uris[number])
        return Part(name, name, self.heads[number], MediaType.HEAD, None, layers)

    def body_part(self, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
        """Yield the body, if there is one and it is wanted, and its diagnostics."""
        body, media_type = self.body, self.media_type
        name = self.uris[-1] or self.options.outer.file or "body"
        if body == b"" or not (
            wanted(MediaType.of(media_type), name) or (media_type is None and wanted(MediaType.HTML, name))
        ):
            return
        why = self.options.limits.exceeded(len(body), len(body))
        decoded = decode_body(self.last, body, self.options.limits)
        if why or decoded.data is None:
            yield Diagnostic("body", why or decoded.note, code="too-large" if why else "unreadable")
            return
        media_type = media_type or type_of_body(decoded.data) or MediaType.by_extension(name)
        if self.media_type is None and not wanted(MediaType.of(media_type), name):
            return
        if decoded.note:
            yield Diagnostic("body", decoded.note, code="damaged")
        elif not is_coded(self.last) and self.content_length is not None and len(body) < self.content_length:
            what = f"ends after {len(body):,} of {self.content_length:,} bytes"
            yield Diagnostic("body", what, code="truncated")
        encoding = lookup(MediaType.charset_of(self.media_type))
        media_type = None if self.media_type is None and media_type == MediaType.XML else media_type
        yield Part("body", "body", decoded.data, media_type, encoding, self._layers())

    def _layers(self) -> Layers:
        """The layers outside the body."""
        outer, location = self.options.outer, self.last.text("Content-Location")
        entity = outer.entity
        if self.options.source.content_location_base and location is not None:
            entity = (Candidate(location, "entity", "Content-Location"), *entity)
        return outer._replace(entity=entity, retrieval=self.uris[-1], policies=self.last.policies)

    def diagnostics(self) -> Iterator[Diagnostic]:
        """Yield the diagnostics of the heads."""
        if not self.last.complete:
            yield Diagnostic("headers", "the empty line that ends them is missing", code="truncated")


def read(file: BinaryIO, options: ContainerOptions, wanted: WantsDocument) -> Iterator[Part | Diagnostic]:
    """Yield the heads and the body of a saved response. Raises nothing because of the content.

    `options.outer.retrieval`: the first URI requested. `wanted` is called with `message/http` and "headers", and with
    the body's type and URI.
    """
    message = SavedResponse(file.read(), options)
    yield from message.diagnostics()
    if wanted(MediaType.HEAD, "headers"):
        yield from map(message.head_part, range(len(message.heads)))
    yield from message.body_part(wanted)


def rewrite(
    file: BinaryIO, out: BinaryIO, change: ChangePart, options: ContainerOptions, wanted: WantsDocument
) -> Iterator[Diagnostic]:
    """Write a saved response with its parts changed, the body without codings. The arguments are those of `read`."""
    message = SavedResponse(file.read(), options)
    heads, body = list(message.heads), message.body
    yield from message.diagnostics()
    if wanted(MediaType.HEAD, "headers"):
        for number in range(len(heads)):
            changed = change(message.head_part(number))
            if changed is not None:
                heads[number] = changed.data
    for part in message.body_part(wanted):
        if isinstance(part, Diagnostic):
            yield part
            continue
        changed = change(part)
        if changed is not None:
            body = changed.data
            last = Head.read(heads[-1])
            fields = with_hashes(last, changed.hashes)
            heads[-1] = head_without_codings(fields, len(body)) + heads[-1][last.end :]
    for piece in (*heads, body):
        out.write(piece)


def with_fields(head: Head, changes: dict[str, str | None]) -> bytes:
    """The head with these fields set to a value; None: drop all fields of the name.

    Only their lines change; a new field becomes the last, and its line ends like the first line. If there are several
    fields of a name, the first keeps the value and the others are dropped. Values are characters up to U+00FF. Raises
    ValueError if one cannot be the value of a field.
    """
    new = {name.lower(): (name, value) for name, value in changes.items() if value is not None}
    if _FORBIDDEN("".join([value for _, value in new.values()])):
        raise ValueError("a field's value is one line, without NUL")
    data, position = head.data, 0
    pieces = []
    for field in head.all(*changes):
        change = new.pop(field.name.lower(), None)
        if change is None:
            pieces.append(data[position : field.line_start])
            position = field.line_end
        else:
            # "Name:" without a value: add the usual space
            space = " " if data[field.start - 1] == _COLON else ""
            pieces += data[position : field.start], f"{space}{change[1]}".encode("latin-1")
            position = field.end
    lines = b"".join([_line(head, *change) for change in new.values()])
    return b"".join((*pieces, _with_last(head, position, lines) if lines else data[position:]))


def _with_last(head: Head, position: int, lines: bytes) -> bytes:
    """The head from a position on, with more lines after its last field."""
    data = head.data
    if head.complete:
        at = head.end - (2 if data.endswith(b"\r\n") else 1)
        return data[position:at] + lines + data[at:]
    between = b"" if data == b"" or data.endswith(b"\n") else _line_end(data)
    return data[position:] + between + lines


def _line(head: Head, name: str, value: str) -> bytes:
    return f"{name}: {value}".encode("latin-1") + _line_end(head.data)


def _line_end(data: bytes) -> bytes:
    first = data.find(b"\n")
    return b"\n" if first >= 0 and data[first - 1 : first] != b"\r" else b"\r\n"


def with_hashes(head: Head, hashes: Mapping[str, Sequence[Digests]]) -> Head:
    """The head with the hashes in its policies written anew; `hashes`: what they become, by their values."""
    if not hashes:
        return head
    data = head.data
    for field in reversed(head.all("Content-Security-Policy")):
        old = data[field.start : field.end].decode("latin-1")
        new = Hashes.in_policy(old).renewed(lambda value: hashes.get(value, ()))
        data = data[: field.start] + new.encode("latin-1") + data[field.end :]
    return Head.read(data)


def head_without_codings(head: Head, length: int) -> bytes:
    """The head that fits a body of `length` bytes without codings.

    It loses Content-Encoding, Transfer-Encoding and Trailer, and the digests that are no longer valid (Content-MD5,
    Digest, Content-Digest, Repr-Digest); Content-Length is corrected if there was one, and takes the place of
    Transfer-Encoding.
    """
    names = head.values
    changes: dict[str, str | None] = {} if _NO_LONGER_TRUE.isdisjoint(names) else dict.fromkeys(_NO_LONGER_TRUE)
    if "content-length" in names:
        changes["Content-Length"] = str(length)
        if "transfer-encoding" in names:
            changes["Transfer-Encoding"] = None
    elif "transfer-encoding" in names:
        changes["Transfer-Encoding"] = str(length)
    new = with_fields(head, changes)
    if "content-length" in names or "transfer-encoding" not in names:
        return new  # without either, the body ends with the connection
    field = Head.read(new).find("Transfer-Encoding")
    assert field is not None
    start = field.line_start
    return new[:start] + b"Content-Length" + new[start + len(field.name) :]
