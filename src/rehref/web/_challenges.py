"""Challenges: what a server sends instead of a page, so that only browsers get the page.

Their status says nothing: Anubis answers 200, Cloudflare 403 or 503, AWS WAF 202. A header field or the body does.
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
    ("Cloudflare", b"/orchestrate/chl_"),  # the script of its page; others have scripts of /cdn-cgi/ too
    ("Anubis", b'id="anubis_challenge"'),
)
_FURTHEST: Final = 1 << 16
"""Bytes of a body in which a mark is looked for: these pages are small."""


def challenger(headers: Mapping[str, str], body: bytes | None) -> str:
    """Return the program that a challenge is from; "" if a response is not one.

    `headers`: by names in lower case. `body`: as far as it was read.
    """
    for program, name, texts in _FIELDS:
        value = headers.get(name, "").lower()
        if any(text in value for text in texts):
            return program
    begin = (body or b"")[:_FURTHEST]
    return next((program for program, mark in _IN_BODIES if mark in begin), "")
