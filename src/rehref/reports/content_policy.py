"""The Content-Security-Policy of report pages: hashes of their style and scripts."""

from __future__ import annotations

import base64
import hashlib


def policy_hash(text: str) -> str:
    """The hash of a style's or script's text, as a Content-Security-Policy names it (CSP 3 §2.3.1)."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
