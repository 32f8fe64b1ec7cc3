"""Values of rules in TOML and JSON, which may be of any type.

1. A text that is part of an address has no control characters and no lone surrogates.
2. A status is a whole number from 100 to 599.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rehref.checking.hosting.redirects import RefusedError


def text_of(table: Mapping[str, Any], key: str) -> str:
    """Return the text at a key (rule 1). Raises `RefusedError`."""
    value = table.get(key)
    if value is None:
        raise RefusedError(f"it has no {key!a}")
    if not isinstance(value, str):
        raise RefusedError(f"{key!a} is not a text")
    if not value.isprintable():
        raise RefusedError(f"{key!a} has characters that no URI has")
    return value


def status_of(table: Mapping[str, Any], key: str, default: int) -> int:
    """Return the status at a key (rule 2). Raises `RefusedError`."""
    value = table.get(key, default)
    if type(value) is not int or not 100 <= value < 600:
        raise RefusedError(f"{key!a} is not a status")
    return value
