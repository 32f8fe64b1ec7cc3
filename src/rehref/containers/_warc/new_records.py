"""New records: rewritten ones, and conversions.

A rewritten record keeps its type, id and date, and all its fields; Content-Length is corrected, and its digests are
computed again in their old form, or dropped if their algorithm is unknown.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from itertools import chain
from typing import Final, NamedTuple

from rehref.containers._http.http_message import with_fields
from rehref.containers._warc.archive_copy import Pieces
from rehref.containers._warc.record_heads import RecordHead, bracketed
from rehref.containers.streams import AnyBytes, pieces_of

_ALGORITHMS: Final = frozenset(("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "blake2b", "blake2s"))
_SHA1: Final = "sha1:"
_USUAL: Final = len(_SHA1) + 32  # the length of a sha1 in base 32, which needs no padding
_END = b"\r\n\r\n"
_ARC_END = b"\n"
_VERSION_2 = re.compile(rb" [0-9]{14}(?: [^ ]*){7}[\r\n]*\Z").search


def rewritten(record: RecordHead, http: bytes, body: AnyBytes, *, body_changed: bool) -> Pieces:
    """A record with new content: `http`, its HTTP head, b"" if it has none, and `body`.

    WARC-Payload-Digest covers the bytes after the HTTP head, and stays if only that changes. In pieces, since a body is
    long, and would have to be copied.
    """
    length = len(http) + len(body)
    if record.kind == "arc":
        return _arc_line(record.data, length), http, body, _ARC_END
    fields = record.fields
    changes: dict[str, str | None] = {"Content-Length": str(length)}
    if record.block_digest is not None:
        changes["WARC-Block-Digest"] = digest_like(record.block_digest, chain((http,), pieces_of(body)))
    if record.payload_digest is not None and body_changed:
        changes["WARC-Payload-Digest"] = digest_like(record.payload_digest, pieces_of(body))
    return with_fields(fields, changes), http, body, _END


def _arc_line(line: bytes, length: int) -> bytes:
    """The line ends in the new length; in version 2 its checksum becomes "-", which means none."""
    words = line.rstrip(b"\r\n\t ").split(b" ")
    if _VERSION_2(line) is not None:
        words[-5] = b"-"
    words[-1] = b"%d" % length
    return b" ".join(words) + b"\n"


class Conversion(NamedTuple):
    """A conversion record: its id, that of the record it refers to, both with their angle brackets, and its bytes."""

    id: str
    refers_to: str
    data: bytes

    def may_follow(self, other: RecordHead | None) -> bool:
        """Whether another record is a conversion of the same one, so that this one may come after it."""
        if other is None or other.kind != "conversion":
            return False
        return bracketed(other.fields.get("WARC-Refers-To") or "") == self.refers_to

    def is_same(self, other: RecordHead | None) -> bool:
        """Whether another record is this one: a program sees so that a record has this very conversion already."""
        return other is not None and other.id == self.id


def conversion(record: RecordHead, body: bytes, media_type: str | None) -> Conversion:
    """A conversion record of the same version for another record, with `body` as its block, and sha1 digests.

    It has the original's target URI and date, and an id made from the original's and the new content, so that the same
    input gives the same output.
    """
    import hashlib
    import uuid

    old = record.fields
    name = f"{record.id} {hashlib.sha256(body).hexdigest()}"
    identity = f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, name)}>"
    digest = digest_like("sha1:", (body,))
    fields = [
        ("WARC-Type", "conversion"),
        ("WARC-Record-ID", identity),
        ("WARC-Refers-To", record.id),
        *((name, old.get(name)) for name in ("WARC-Date", "WARC-Target-URI", "WARC-Warcinfo-ID")),
        ("WARC-Block-Digest", digest),
        ("WARC-Payload-Digest", digest),
        ("Content-Type", media_type),
        ("Content-Length", str(len(body))),
    ]
    lines = [old.start_line, *(f"{name}: {value}" for name, value in fields if value)]
    head = "".join(f"{line}\r\n" for line in lines) + "\r\n"
    return Conversion(identity, record.id, head.encode("latin-1") + body + _END)


def digest_like(old: str, data: Iterable[bytes]) -> str | None:
    """The digest of `data`, given in pieces, with the algorithm and form of an old one; None if these are unknown."""
    if len(old) == _USUAL and old.startswith(_SHA1) and old[len(_SHA1) :].isalnum():
        return _SHA1 + base64.b32encode(_digest("sha1", data)).decode("ascii")
    name, _, value = old.partition(":")
    algorithm = name.strip().lower().replace("sha-", "sha")
    if algorithm not in _ALGORITHMS:
        return None
    return f"{name}:{_written(_digest(algorithm, data), value.strip())}"


def hash_of(algorithm: str, data: Iterable[bytes]) -> str:
    """`algorithm:value`, in base 16."""
    return f"{algorithm}:{_digest(algorithm, data).hex()}"


def _digest(algorithm: str, data: Iterable[bytes]) -> bytes:
    import hashlib  # not where archives are only read: it loads OpenSSL

    digester = getattr(hashlib, algorithm)(usedforsecurity=False)
    for piece in data:
        digester.update(piece)
    digest: bytes = digester.digest()
    return digest


def _written(digest: bytes, old: str) -> str:
    """A digest in the form of an old one (ISO 28500 §5.8, §5.9): `algorithm:value`.

    The value is base 32, base 16 or base 64 (RFC 4648), base 64 also in its alphabet for URLs; its length shows which
    one. Padding is kept or left out as before; base 16 keeps its case. If the form cannot be determined, it is base 32,
    as usual for sha1.
    """
    plain = old.rstrip("=")
    if len(plain) == len(digest) * 2:
        return digest.hex() if plain == plain.lower() else digest.hex().upper()
    if len(plain) == (len(digest) * 8 + 5) // 6:
        encode = base64.urlsafe_b64encode if "-" in plain or "_" in plain else base64.b64encode
        text = encode(digest).decode("ascii")
    else:
        text = base64.b32encode(digest).decode("ascii")
    return text.rstrip("=") if old != "" and plain == old else text
