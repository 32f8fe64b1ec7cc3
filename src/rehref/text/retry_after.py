"""How long a server asks to wait: the field `Retry-After` (RFC 9110 §10.2.3), a number of seconds or a date."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_MOST_DIGITS = 12


def retry_after(value: str | None, now: float) -> float | None:
    """Seconds to wait from `now` (seconds since 1970), not below 0; None where the field says nothing."""
    text = "" if value is None else value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:_MOST_DIGITS])
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    if date.tzinfo is None:  # "-0000", or no zone: HTTP dates are in UTC
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - datetime.fromtimestamp(now, UTC)).total_seconds())
