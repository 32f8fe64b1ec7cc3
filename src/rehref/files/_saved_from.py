"""The URI that a saved page came from, as written into it by the tool that saved it.

Browsers write a "Mark of the Web" (`<!-- saved from url=(0019)https://h.example/a -->`), SingleFile a comment with a
line `url: https://h.example/a`, HTTrack `<!-- Mirrored from h.example/a by HTTrack …, DATE -->`, monolith `<!-- Saved
from https://h.example/a at DATE using monolith … -->`. It is the retrieval URI of the page (RFC 3986 §5.1.3).
References that the tool has made local (`page_files/a.png`) are no longer relative to it; nothing shows which these
are.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from typing import Final

from rehref.documents.base import Candidate

LOOKED_AT: Final = 1 << 14

# hardly any page has one, and nearly all have comments
_MAY_SAY = re.compile(rb"<!--\s*+(?i:saved from|page saved|archive processed|mirrored from)").search
_OF_SINGLEFILE = re.compile(r"\s*+(?:Page saved with|Archive processed by) SingleFile\b").match
_URL_LINE = re.compile(r"^[ \t]*+url: (\S++)", re.MULTILINE).search
# the name of a comment, how to parse it, and whether it leaves out the scheme
_MARKS: Final[tuple[tuple[str, Callable[[str], re.Match[str] | None], bool], ...]] = (
    ("saved-from comment", re.compile(r"\s*+saved from url=\([0-9]{1,8}\)(\S++)", re.IGNORECASE).match, False),
    ("SingleFile comment", lambda comment: _URL_LINE(comment) if _OF_SINGLEFILE(comment) else None, False),
    ("HTTrack comment", re.compile(r"\s*+Mirrored from (\S++) by HTTrack").match, True),
    ("monolith comment", re.compile(r"\s*+Saved from (\S++) at \S++ using monolith").match, False),
)
_IS_ABSOLUTE = re.compile(r"(?:https?|ftp)://[^\s/]", re.IGNORECASE).match
_SCHEME: Final = r"[a-z][a-z0-9+.\-]*+:(?!\d)"
_LINE_END = re.compile(r"\r\n?|\n")
_UTF_16: Final = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def saved_from(data: bytes | str, scheme: str = "http") -> Candidate | None:
    """The URI that a page was saved from, and where it says so, or None. Raises nothing.

    The first comment that names a URI counts, before the content of the page and in its first `LOOKED_AT` bytes.
    `scheme`: of a comment that leaves it out (HTTrack's).
    """
    data = data[:LOOKED_AT]
    if _MAY_SAY(data.encode("utf-8", "replace") if isinstance(data, str) else data.replace(b"\0", b"")) is None:
        return None
    from rehref.documents.reading import read_page
    from rehref.text.encoding import Source

    text = data if isinstance(data, str) else _decoded(data)
    for position, comment in read_page(Source(text)).comments_before_content():
        for name, mark, may_be_short in _MARKS:
            found = mark(comment)
            uri = None if found is None else _absolute(found[1], f"{scheme}://" if may_be_short else "")
            if uri is not None:
                return Candidate(uri, "retrieval", f"{name} at {_place(text, position)}")
    return None


def _decoded(head: bytes) -> str:
    wide = _UTF_16.get(head[:2])
    if wide is not None:
        return head.decode(wide, "replace")
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(head)  # the last character may be cut
    except UnicodeDecodeError:
        return head.decode("latin-1")


def _absolute(text: str, missing: str) -> str | None:
    """The URI that a comment names, or None: only `http`, `https` and `ftp` count.

    Not `about:internet`, which asks Internet Explorer to trust the page. `missing`: what such comments leave out.
    """
    if _IS_ABSOLUTE(text) is not None:
        return text
    return f"{missing}{text}" if missing and re.match(_SCHEME, text, re.IGNORECASE) is None else None


def _place(text: str, position: int) -> str:
    """Line and column, from 1, of a character."""
    ends = list(_LINE_END.finditer(text, 0, position))
    start = ends[-1].end() if ends else text.startswith("\ufeff")
    return f"{len(ends) + 1}:{position - start + 1}"
