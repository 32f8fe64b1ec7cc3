"""Modules of a page, put into an import map in the page, since browsers load no module from a disk.

1. Each module is in the map once, as `data:` under its path in the copy, with all that it imports (cycles too). In it,
   specifiers of saved modules become those paths, and others absolute; a bare specifier stays.
2. A module script with a `src` imports that path. One in the page stays: the map has its specifiers as they are.
3. A module stays on the disk, and is counted, if it or one that it imports asks for its URL (`import.meta`), imports
   what only running it would show, is not JavaScript, or is too large. The modules of a page are in the map and counted
   too if one of them imports dynamically: such scripts load more than modules.
4. Specifiers are found by a plain search, not by reading the language.
"""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from collections.abc import Callable, Mapping
from urllib.parse import quote, quote_from_bytes

from rehref.rewriting.loading_restrictions import at_beginning
from rehref.rewriting.offline_copies.remaining import CopiedFile, scripts
from rehref.rewriting.rules.offline import comparable
from rehref.uri.resolver import resolve

_COMMENT = rb"\s{0,99}(?:/\*[^*]{0,200}\*/\s{0,99})?"
_SPECIFIERS = re.compile(
    rb"""((?:\bfrom%b|\bimport\b%b(?:\(%b)?)(["'`]))((?:\.{0,2}/|https?:)[^"'`\\$\s]{0,2000})(?=\2)"""
    % ((_COMMENT,) * 3)
)
_SPECIFIER, _REPLACE = _SPECIFIERS.finditer, _SPECIFIERS.sub
_LEFT = re.compile(rb"""\bimport\.meta\b|\bimport\s{0,99}\(%b(?![\s"'/]|`[^`$]*`)""" % _COMMENT).search

_MOST = 2000  # how many specifiers a module may have
_MOST_STEPS = 20_000  # how many modules are looked at for a page, again for each script of it
_LARGEST = 16 << 20
_DYNAMIC = re.compile(rb"\bimport\s{0,99}\(").search


class Modules:
    """The modules of a page. `files`: all of the copy, by path; `read`: returns a file, or None.

    `working`: how many of its module scripts work from a disk.
    """

    def __init__(self, page: CopiedFile, files: Mapping[str, CopiedFile], read: Callable[[str], bytes | None]) -> None:
        self._page, self._files, self._read = page, files, read
        self._known: dict[str, tuple[bytes, dict[str, str]] | None] = {}
        self._imports: dict[str, str | None] = {}
        self._left, self._steps = _LARGEST, _MOST_STEPS
        self.working = 0

    def reference(self, attribute: str | None, path: str, attributes: Mapping[str, str]) -> str | None:
        """Return the reference to a module, in `src` or in an import map of the page; None if it stays."""
        if attribute is None:
            return self._as_data(path) if self._take(path) else None
        if attributes.get("type", "").strip().lower() != "module" or not self._take(path):
            return None
        self.working += 1
        return f"data:text/javascript,import{quote(json.dumps(_specifier(path)))}"

    def with_map(self, page: bytes) -> bytes:
        """Return the page with the import map at its beginning (rule 2)."""
        for type_, content in scripts(page):
            imported = self._imported(self._page, content) if type_ == b"module" else {}
            if imported and all(map(self._take, imported.values())):
                self._imports.update({each: self._as_data(path) for each, path in imported.items()})
                self.working += 1
        if not self._imports:
            self.working = 0
            return page
        if any(module is not None and _DYNAMIC(module[0]) is not None for module in self._known.values()):
            self.working = 0
        text = json.dumps({"imports": self._imports}).replace("<", "\\u003c").replace("&", "\\u0026")
        return at_beginning(page, b'<script type="importmap">' + text.encode() + b"</script>")

    def _imported(self, file: CopiedFile, text: bytes) -> dict[str, str]:
        """Return the specifiers in the text of a file, each with the path that it leads to; "" if it is not saved."""
        found = {each[3].decode("utf-8", "replace") for each in _SPECIFIER(text)}
        return {each: file.find(comparable(resolve(file.base, each))) or "" for each in found}

    def _take(self, path: str) -> bool:
        """Put a module and all that it imports into the map; return whether that is possible (rule 3)."""
        seen, wanted = {path}, [path]
        while wanted:
            here = wanted.pop()
            self._steps -= 1
            if self._steps < 0:
                return False
            if _specifier(here) in self._imports:
                continue
            if here not in self._known:
                self._known[here] = self._module(here)
            module = self._known[here]
            if module is None:
                return False
            wanted += set(filter(None, module[1].values())) - seen
            seen.update(wanted)
        self._imports |= {
            _specifier(each): self._as_data(each) for each in seen if _specifier(each) not in self._imports
        }
        return True

    def _module(self, path: str) -> tuple[bytes, dict[str, str]] | None:
        """Return the text of a module, and what it imports; None for one that stays (rule 3)."""
        entry = self._files.get(path)
        text = self._read(path) if entry is not None and entry.media_type.endswith("javascript") else None
        if entry is None or text is None or _LEFT(text) is not None or len(_SPECIFIERS.findall(text)) > _MOST:
            return None
        return text, self._imported(entry, text)

    def _as_data(self, path: str) -> str | None:
        """Return a module as `data:`; None, which loads nothing in an import map, if the map would be too large."""
        text, imported = self._known[path] or (b"", {})
        if self._left < 0:
            return None

        def written(found: re.Match[bytes]) -> bytes:
            specifier = found[3].decode("utf-8", "replace")
            return found[1] + (_specifier(imported[specifier]) or resolve(self._files[path].base, specifier)).encode()

        data = f"data:text/javascript;base64,{b64encode(_REPLACE(written, text)).decode()}"
        self._left -= len(data)
        return data


def _specifier(path: str) -> str:
    """Return the specifier of a module: its path, which may be any text, without quotes or backslashes."""
    return quote_from_bytes(os.fsencode(path))
