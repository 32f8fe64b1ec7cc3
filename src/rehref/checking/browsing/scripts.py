"""Fragments that name nothing in a page, but that its scripts handle, as far as the page shows it.

1. No script is run. What is known of a page comes from programs that are known to make such pages.
2. `#12-34` are lines of a source page by rustdoc, whose script shows the first and marks them all (`source-script.js`,
   "lineNumbersRegex"). It is right if rustdoc has made the page, and the ids `12` and `34` exist. For any other
   program, the ids alone mean nothing: without that script, browsers look for the id `12-34`.
3. `#line12` is a line of a source page by jsdoc, or by a template for it that has the same script: `linenumber.js`, at
   the end of the page, numbers the lines of the first `<pre class="prettyprint source linenums">`. It is right if the
   `pre` has so many lines. A line end at its end begins no line.
4. `#/x` and `#!x` are routes, which scripts read. They are right in every page with a script, and only there. Data in a
   `script` are not a script (HTML Standard, "the script element": a `type` that is neither JavaScript's nor `module`).
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final, NamedTuple

from rehref.text.encoding import may_be_wide


class Scripts(NamedTuple):
    """The scripts of a page: any script at all (rule 4); the lines of a source, with rustdoc's script (rule 2).

    `numbered`: the number of lines to which jsdoc's script gives ids (rule 3).
    """

    any: bool
    lines: bool
    numbered: int = 0


NO_SCRIPTS: Final = Scripts(any=False, lines=False)

_RUSTDOC = re.compile(rb"<meta\b[^>]*\bcontent=[\"']?rustdoc\b").search
_HEAD = _TAIL = 4096
_NUMBERS_LINES = b"linenumber.js"
_NUMBERED = re.compile(rb'<pre class="prettyprint source linenums"[^<>]*+><code>([^<]*+)').search
_TAGS = re.compile(rb"<script\b([^>]*+)", re.IGNORECASE).finditer
_IS_DATA = re.compile(
    rb"\btype\s*+=\s*+[\"']?\s*+(?!(?:text|application)/(?:x-)?(?:java|ecma)script|module)[^\s\"'>]", re.IGNORECASE
).search
_LINES = re.compile(r"([0-9]+)-([0-9]+)").fullmatch
_LINE = re.compile(r"line([1-9][0-9]{0,8})").fullmatch


def scripts_of(data: bytes, names: Container[str]) -> Scripts:
    """Return the scripts of a page that defines `names`."""
    has_tags = b"<script" in data or b"<SCRIPT" in data
    any_ = (has_tags and any(_IS_DATA(tag[1]) is None for tag in _TAGS(data))) or may_be_wide(data)
    return Scripts(any_, any_ and "1" in names and _RUSTDOC(data, 0, _HEAD) is not None, _numbered(data))


def _numbered(data: bytes) -> int:
    """Return the number of lines to which jsdoc's script gives ids (rule 3)."""
    found = _NUMBERED(data) if data.find(_NUMBERS_LINES, -_TAIL) != -1 else None
    return 0 if found is None else max(len(found[1].splitlines()), 1)


def is_for_scripts(fragment: str, names: Container[str], scripts: Scripts) -> bool:
    """Whether a fragment that names no element of a page is right, because its scripts read it."""
    if fragment.startswith(("/", "!")):
        return scripts.any
    if scripts.numbered:
        line = _LINE(fragment)
        return line is not None and int(line[1]) <= scripts.numbered
    lines = _LINES(fragment) if scripts.lines else None
    return lines is not None and lines[1] in names and lines[2] in names
