"""The sitemaps that `robots.txt` names (RFC 9309 §2.2.4)."""

from __future__ import annotations

import re
from typing import Final

SITEMAP_LINES: Final = re.compile(rb"^[ \t]*+sitemap[ \t]*+:[ \t]*+([^\r\n#]*+)", re.IGNORECASE | re.MULTILINE).finditer
"""Finds each such line; group 1: the sitemap that it names."""
