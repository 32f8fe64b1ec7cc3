"""What browsers refuse to load from a disk, put into the files that refer to it.

Measured in Chromium: for a page on a disk each file has another origin. It loads style sheets, scripts, images, frames
and fonts, but not what must have the same origin, or be shared with it: SVG that is used by fragment, images that mask
or shape, tracks, and modules. SVG elements for `use` and modules are put into the page (`put_into_pages`), all others
become `data:`. Files are read again when they have all been written, and only those that need it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from rehref.archives._copies.put_into_pages import Modules, Sprites
from rehref.archives._copies.remaining import CopiedFile, Remaining
from rehref.documents.base import Base, Layers
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.exceptions import OutOfTimeError
from rehref.files.file_documents import encode_path, real_path_within
from rehref.files.file_errors import FileError
from rehref.files.writing import write_atomically
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.rule import Attributes, RowRule
from rehref.uri.resolver import Profile

MOST_OF_FILE: Final = 1 << 20
MOST_IN_FILE: Final = 8 << 20
_MOST_IN_ALL: Final = 256 << 20
"""Bytes of a file that is put into others, of what is put into one, and into all. What stays is counted."""
_ROOT = "http://copy.invalid/"
_REFUSED = r"(?:-webkit-)?(?:mask|clip-path|filter|backdrop-filter|shape-outside|fill|stroke|marker)(?:-[a-z-]{1,40})?"
_refused = re.compile(_REFUSED).fullmatch
_PROPERTY = re.compile(rb"(?:^|[\s;{\"'/])([\w-]+)\s*:[^;{}]*$").search
_BEFORE = 400
_NEEDS = re.compile(rb"<(?:[\w.-]{1,99}:)?(?:use|track)\b").search
_URL = re.compile(rb"url\((?!\s*(?:[\"']|&quot;|&#39;)?(?:#|data:|https?:))").finditer
_ANY_REFUSED = re.compile(rb"(?<![\w-])(?:--[\w-]|%b)" % _REFUSED.encode()).search
_MAY_REFUSE = re.compile(rb"(?:(?<![\w-])--[\w-]{1,99}+|%b)\s{0,99}+[:=][^;{}<>]*\Z" % _REFUSED.encode()).search


def may_need_inlining(data: bytes) -> bool:
    """Return whether a rewritten document may refer to saved files, except modules, that browsers refuse to load.

    This only saves reading most documents again: words that may mean it are enough.
    """
    text = data.lower()  # patterns that begin with plain letters are found much faster than those that ignore case
    if b"\0" in text:
        return False
    if _NEEDS(text) or (b"\\" in text and _ANY_REFUSED(text)):  # an escape may be in any word of CSS
        return True
    urls = (text[max(0, found.start() - _BEFORE) : found.start()] for found in _URL(text))
    return any(map(_MAY_REFUSE, urls))


@dataclass(slots=True)
class OfflineCopy:
    """An offline copy. `files`: its files, by path below the folder; `remaining`: what needs the web or a server."""

    folder: Path
    files: Mapping[str, CopiedFile]
    remaining: Remaining = field(default_factory=Remaining)
    _to_inline: list[str] = field(default_factory=list)

    def look_at(self, path: str, data: bytes) -> None:
        """Count what a file needs, and note whether something must be put into it."""
        file = self.files[path]
        kind = file.media_type
        has_modules = kind in MediaType.PAGES and self.remaining.look_at_page(data, file)
        if kind.reader == "xml":
            self.remaining.look_at_xml(data)
        if kind.endswith("javascript"):
            self.remaining.look_at_script(data, file)
        elif has_modules or (kind.is_rewritten and may_need_inlining(data)):
            self._to_inline.append(path)

    def read(self, path: str, most: int | None = None) -> bytes | None:
        """Return a file; None if it is not in the copy, or larger than `most` bytes."""
        try:
            file = real_path_within(self.folder, self.folder / path, done="read")
            if path in self.files and file.is_file() and (most is None or file.stat().st_size <= most):
                return file.read_bytes()
        except (FileError, OSError):
            pass
        return None

    def inline(self, how: ReadOptions, *, most: int = MOST_IN_FILE) -> None:
        """Inline what browsers refuse into the files, and count what stays. `most`: bytes for a file; 0: count only."""
        how = replace(how, parser=ReadOptions.DEFAULT.parser)
        left = _MOST_IN_ALL
        for path in self._to_inline:
            data = self.read(path)
            if data is None:
                continue
            file = self.files[path]
            rule = _Inlining(data, self, min(most, left), file.media_type)
            if file.media_type == MediaType.HTML and b"srcdoc" not in data.lower():
                rule.modules = Modules(file, self.files, rule.read)
            try:
                layers = Layers(retrieval=_ROOT + encode_path(path))
                new = rewrite_document(read_document(data, file.media_type, None, layers, how), rule).data
            except OutOfTimeError:
                self.remaining.refused += 1
                continue
            assert isinstance(new, bytes)
            if rule.modules is not None:
                new = rule.modules.with_map(new)
                self.remaining.modules -= rule.modules.working
            new = rule.sprites.into(new)
            self.remaining.refused += rule.refused
            left -= max(0, len(new) - len(data))
            if new != data:
                write_atomically(self.folder / path, new, within=self.folder)


class _Inlining:
    """The rule for one file.

    In a page with a `srcdoc`, elements and modules stay: those of the inner document would be put into the outer one.
    SVG in a custom property, which may mask something, becomes `data:`.
    """

    modules: Modules | None = None

    def __init__(self, data: bytes, copy: OfflineCopy, left: int, kind: str) -> None:
        self._data, self._copy, self._left = data, copy, left
        self.refused = 0
        self._is_page = kind in MediaType.PAGES
        self.sprites = Sprites(data, self.read, is_xml=kind == MediaType.XHTML)

    def read(self, path: str) -> bytes | None:
        """A file for inlining; None if it is not saved, or too large."""
        content = self._copy.read(path, min(MOST_OF_FILE, self._left))
        self._left -= len(content or b"")
        return content

    def for_document(self, own: Base, base: Base, profile: Profile) -> RowRule:
        """Return the rule for the file, which looks at what precedes each reference."""
        return RowRule(self._write, is_careful=False, for_each=True)

    def _write(self, link: Link, attributes: Attributes) -> str | None:
        """Return the new reference of a link, or None if it stays."""
        if link.target is None or link.same_document or not link.target.startswith(_ROOT):
            return None
        path, _, fragment = link.target.removeprefix(_ROOT).partition("#")
        path, fragment = unquote(path.partition("?")[0]), unquote(fragment)
        if link.element == "script":
            return None if self.modules is None else self.modules.reference(link.attribute, path, attributes())
        if link.element == "use" and not self._is_page:
            return None
        if link.element != "use" and not self._is_refused(link, path):
            return None
        new = self.sprites.take(path, fragment) if link.element == "use" else self._as_data(path, fragment)
        self.refused += new is None
        return new

    def _is_refused(self, link: Link, path: str) -> bool:
        """Return whether browsers refuse to load a link from a disk."""
        if link.attribute is not None and link.attribute != "style":
            return link.kind == "resource" and (link.element == "track" or _refused(link.attribute) is not None)
        start = 0 if link.span is None else link.span[0]
        before = self._data[max(0, start - _BEFORE) : start].replace(b"&quot;", b"'").replace(b"&#39;", b"'")
        found = _PROPERTY(before)
        name = "" if found is None else found[1].decode().lower()
        return _refused(name) is not None or (name.startswith("--") and path.endswith(".svg"))

    def _as_data(self, path: str, fragment: str) -> str | None:
        content = self.read(path)
        if content is None:
            return None
        mark = f"#{quote(fragment)}" if fragment else ""
        return f"data:{self._copy.files[path].media_type};base64,{b64encode(content).decode()}{mark}"
