"""What HTML and XML have in common in the trees of lxml, which writes nodes beside the document element one by one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote as percent_encode

NOT_WRITTEN = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""A character that lxml cannot write: NUL, other control characters, lone surrogates."""

_LAST_LINE = 65535
"""libxml2 does not know lines from this one on."""


def document_nodes(root: Any) -> Sequence[Any]:
    """The document element and the nodes before and behind it, in order."""
    return [*reversed([*root.itersiblings(preceding=True)]), root, *root.itersiblings()]


def take_doctype(root: Any) -> str:
    """Take the document type out of a tree, and return its markup and a line end, "" if there is none.

    libxml2 writes a tree with XHTML's otherwise.
    """
    info = root.getroottree().docinfo
    doctype = str(info.doctype)
    info.clear()
    return f"{doctype}\n" if doctype else ""


def writable(text: str) -> str:
    """Percent-encode what lxml cannot write."""
    if text.isprintable():
        return text
    return NOT_WRITTEN.sub(lambda found: percent_encode(found[0], errors="replace"), text)


def line_of(node: Any) -> int | None:
    """The line of a node, if it is known."""
    line: int | None = node.sourceline
    return line if line is not None and line < _LAST_LINE else None
