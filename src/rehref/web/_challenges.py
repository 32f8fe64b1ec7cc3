"""Challenges: what a server sends instead of a page, so that only browsers get the page.

Their status alone says little: Anubis answers 200, Cloudflare 403 or 503, AWS WAF 202. A header field or the body does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_FIELDS: Final = (
    ("Cloudflare", "cf-mitigated", ("challenge",)),
    ("AWS WAF", "x-amzn-waf-action", ("challenge", "captcha")),
)
"""Programs, a header field of theirs, and texts in its value."""
_IN_BODIES: Final = (
    ("Cloudflare", b"/orchestrate/chl_", 400),  # the script of its page; others have scripts of /cdn-cgi/ too
    ("Anubis", b'id="anubis_challenge"', 200),
)
"""Programs, what is in the bodies that they send, and the lowest status that these have."""
_FURTHEST: Final = 1 << 16
"""Bytes of a body in which a mark is looked for: these pages are small."""


def challenger(status: int | None, headers: Mapping[str, str], body: bytes | None) -> str:
    """Return the program that a challenge is from; "" if a response is not one.

    `headers`: by names in lower case. `body`: as far as it was read.
    """
    for program, name, texts in _FIELDS:
        value = headers.get(name)
        if value is not None and any(text in value.lower() for text in texts):
            return program
    if body is None:
        return ""
    begin = body[:_FURTHEST]
    of_body = (program for program, mark, least in _IN_BODIES if (status or 0) >= least and mark in begin)
    return next(of_body, "")
