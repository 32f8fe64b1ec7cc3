"""Request records (ISO 28500 §6.4), of which only the method counts, and the records that are concurrent to others."""

from __future__ import annotations

import re

from rehref.containers._warc.record_heads import RecordHead, bracketed

BEGINNING = 64
"""The number of bytes of a request that are enough for its method."""
_METHOD = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ").match  # a token (RFC 9110 §9.1)


def method_of(beginning: bytes) -> str:
    """Return the method of the request that begins so; "" if it is not one."""
    found = _METHOD(beginning)
    return "" if found is None else found[1].decode("ascii").upper()


def concurrent_to(record: RecordHead) -> tuple[str, ...]:
    """Return the ids in `WARC-Concurrent-To` of a record (§5.7), which may occur more than once."""
    fields = record.fields
    if fields.get("WARC-Concurrent-To") is None:
        return ()
    return tuple(filter(None, (bracketed(field.value) for field in fields.all("WARC-Concurrent-To"))))
