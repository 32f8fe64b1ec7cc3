"""What `rehref check --external` reports of each way in which servers misbehave (`ways.WAYS`), and the table of it.

    python tests/web/verdict_table.py    # writes the table into docs/external-answers.md

- Every way has a line in `REPORTED`, which says what is meant to be reported: it is written by hand.
- The page that links to a server has `#here` behind what is asked for the body.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

sys.path[:0] = [str(Path(__file__).parents[1])]

from web.ways import WAYS  # noqa: E402

PAGE: Final = Path(__file__).parents[2] / "docs" / "external-answers.md"
_TABLE = re.compile(
    r"(?<=<!-- table: verdicts, written by tests/web/verdict_table.py -->\n).*?(?=<!-- end -->)", re.DOTALL
)

_FINE = (
    *("there", "kept", "no-content", "not-modified", "password", "http-1.0", "big-header", "valid"),
    *("head-405", "head-501", "head-404", "head-403", "head-500", "head-closes", "head-resets", "head-stalls"),
    *("head-garbage", "head-body", "head-loops", "head-nowhere"),
    *("moved-302", "moved-303", "moved-307", "needs-cookie"),
    *("page", "image", "gzip", "deflate", "base", "moved-page"),
)
_BY_CODE: Final[Mapping[str, tuple[str, ...]]] = {
    "web-not-found": (
        *("missing", "gone", "moved-missing"),
        *("404-stalls", "404-half", "404-large", "404-not-gzip"),
    ),
    "web-client-error": ("bad-request", "no-method"),
    "web-forbidden": ("unauthorized", "forbidden", "legal", "odd-status", "no-password"),
    "web-server-error": ("error", "bad-gateway", "unavailable", "wait-503"),
    "web-too-many-requests": ("too-many", "wait-seconds", "wait-date"),
    "web-redirected": ("moved-301", "moved-308", "moved-fragment", "moved-odd", "chain"),
    "web-redirect-loop": (*("long-chain", "ever-on", "circle", "circle-a", "circle-b", "never-content"),),
    "web-unknown-host": ("to-unknown", "unknown"),
    "web-timeout": ("slow-header", "trickling-header", "endless-100", "silent", "slow-body", "silent-tls"),
    "web-no-connection": (*("no-answer", "half-header", "reset", "reset-header", "refused", "closes", "closes-tls"),),
    "web-bad-response": (
        *("several", "endless-header", "endless-fields", "not-http", "http-0.9", "upgrade"),
        *("too-short", "too-long", "two-lengths", "bad-chunk", "half-chunk", "reset-body"),
        *("half-gzip", "bad-gzip", "odd-coding", "many-codings"),
        *("nowhere", "no-url", "to-file", "to-ftp", "to-script"),
    ),
    "web-too-large": ("endless-body", "endless-chunks", "said-large", "gzip-bomb"),
    "missing-fragment": ("wrong-charset",),
    "web-tls": ("expired", "not-yet", "self-signed", "other-host", "unknown-issuer", "not-tls"),
}
REPORTED: Final[Mapping[str, str]] = dict.fromkeys(_FINE, "") | {
    name: code for code, names in _BY_CODE.items() for name in names
}
"""The code that is reported of each way, by its name; "" for nothing."""


def table() -> str:
    """The table for `docs/external-answers.md`."""
    rows = ["| what the server does | what is reported |\n| --- | --- |\n"]
    for way in WAYS:
        code = REPORTED[way.name]
        rows.append(f"| {way.summary} | {f'`{code}`' if code else 'nothing'} |\n")
    return "".join(rows)


def written(page: str) -> str:
    """The page with the table as it is to be."""
    return _TABLE.sub(lambda _: table(), page)


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")
