"""What browsers refuse to load from a disk, put into the files that refer to it.

1. Measured in Chromium: for a page on a disk each file has another origin. It loads style sheets, scripts, images,
   frames and fonts, but not what must have the same origin, or be shared with it: SVG that is used by fragment, images
   that mask or shape, tracks, and modules.
2. SVG elements for `use` are put into the page (`rehref.rewriting.unpacking.sprites`), since no browser takes `data:`
   there. Modules of HTML pages are put into an import map (`rehref.rewriting.unpacking.inlined_modules`). All others
   become `data:`, in style sheets and SVG too. So does SVG in a custom property, which may mask something.
   In a page with a `srcdoc`, elements and modules stay: those of the inner document would be put into the outer one.
3. A file of more than a megabyte stays, and so do others if more than eight would be put into one file, or more than
   256 into all. What stays is counted.
4. Files are read again when they have all been written, one document at a time, and only those that need it.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

from rehref.base import Layers
from rehref.documents.link import Link
from rehref.documents.reading import read_document
from rehref.documents.time_limit import OutOfTimeError
from rehref.documents.types.media_types import HTML_TYPE, XHTML_TYPE
from rehref.files.writing import write_atomically
from rehref.options import ReadOptions
from rehref.parsers.registry import DEFAULT
from rehref.rewriting.edits import rewrite_document
from rehref.rewriting.unpacking.capture_plan import Plan, Saved
from rehref.rewriting.unpacking.inlined_modules import Modules
from rehref.rewriting.unpacking.sprites import Sprites

MOST_OF_FILE: Final = 1 << 20
MOST_IN_FILE: Final = 8 << 20
_MOST_IN_ALL: Final = 256 << 20
_ROOT = "http://copy.invalid/"
_REFUSED = r"(?:-webkit-)?(?:mask|clip-path|filter|backdrop-filter|shape-outside|fill|stroke|marker)(?:-[a-z-]{1,40})?"
_refused = re.compile(_REFUSED).fullmatch
_PROPERTY = re.compile(rb"(?:^|[\s;{\"'/])([\w-]+)\s*:[^;{}]*$").search
_BEFORE = 400
_NEEDS = re.compile(
    rb"<use\b|<track\b|\btype\s*=\s*[\"']?module|(?:(?<![\w-])--[\w-]{1,99}+|%b)\s{0,99}+[:=]"
    rb"[^;{}<>]{0,200}?url\((?!\s*[\"']?(?:\#|data:))" % _REFUSED.encode(),
    re.IGNORECASE,
).search


def may_need_inlining(data: bytes) -> bool:
    """Return whether a document may refer to something that browsers refuse to load from a disk."""
    return _NEEDS(data) is not None and b"\0" not in data


def inline(folder: Path, plan: Plan, how: ReadOptions, *, most: int = MOST_IN_FILE) -> None:
    """Inline what browsers refuse into the written files, and count what stays. `most`: see rule 3; 0: count only."""
    how = replace(how, parser=DEFAULT)
    files = {entry.path: entry for entry in reversed(plan.entries) if entry.path}
    left = _MOST_IN_ALL
    for path in plan.to_inline:
        data = (folder / path).read_bytes()
        kind = files[path].media_type
        rule = _Inlining(data, folder, files, min(most, left), kind)
        if kind == HTML_TYPE and b"srcdoc" not in data.lower():
            rule.modules = Modules(files[path], files, plan, rule.read)
        try:
            document = read_document(data, kind, None, Layers(retrieval=_ROOT + quote(path)), how)
            new = rewrite_document(document, rule).data
        except OutOfTimeError:
            plan.remaining.refused += 1
            continue
        assert isinstance(new, bytes)
        if rule.modules is not None:
            new = rule.modules.with_map(new)
            plan.remaining.modules -= rule.modules.working
        new = rule.sprites.into(new)
        plan.remaining.refused += rule.refused
        left -= max(0, len(new) - len(data))
        if new != data:
            write_atomically(folder / path, new, within=folder)


class _Inlining:
    """The rule for one file."""

    modules: Modules | None = None

    def __init__(self, data: bytes, folder: Path, files: Mapping[str, Saved], left: int, kind: str) -> None:
        self._data, self._folder, self._files, self._left = data, folder, files, left
        self.refused = 0
        self._is_page = kind in (HTML_TYPE, XHTML_TYPE)
        self.sprites = Sprites(data, self.read, is_xml=kind == XHTML_TYPE)

    def read(self, path: str) -> bytes | None:
        """Return a file for inlining; None if it is not saved, or too large (rule 3)."""
        file = self._folder / path
        if path not in self._files or file.stat().st_size > min(MOST_OF_FILE, self._left):
            return None
        content = file.read_bytes()
        self._left -= len(content)
        return content

    def __call__(self, link: Link) -> str | None:
        """See `of_element`."""
        return self.of_element(link, {})

    def of_element(self, link: Link, attributes: Mapping[str, str]) -> str | None:
        """Return the new reference of a link, or None if it stays."""
        if link.target is None or link.same_document or not link.target.startswith(_ROOT):
            return None
        path, _, fragment = link.target.removeprefix(_ROOT).partition("#")
        path, fragment = unquote(path.partition("?")[0]), unquote(fragment)
        if link.element == "script":
            return None if self.modules is None else self.modules.reference(link.attribute, path, attributes)
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
        return f"data:{self._files[path].media_type};base64,{b64encode(content).decode()}{mark}"
