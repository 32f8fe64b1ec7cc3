"""Fragments: what they name in a document, what the scripts of a page read, and what a refresh does with them.

HTML Standard, "scrolling to a fragment"; SVG 2 §16.2. No script is run. What is known of a page comes from programs
that are known to make such pages. Scripts create ids, too: patterns say which fragments are assumed to exist
(`--script-ids`); they match a whole fragment, decoded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from rehref.documents.document import Document
from rehref.documents.link import Reference
from rehref.documents.reading import read_page
from rehref.site._expressions import Searched
from rehref.text import lower
from rehref.text.encoding import Source


class Scripts(NamedTuple):
    """The scripts of a page: any script at all; the lines of a source, with rustdoc's script.

    `numbered`: the number of lines to which jsdoc's script gives ids. `unseen`: the text that is read of the page is
    not all (`CompleteParsed.is_whole`), and it may have any id; `possible`: ids of headings that only some programs
    give, where it is not known which one made them: references to them count as skipped. `prefixes`, `own_ids`: on a
    forge, ids in Markdown may be written with a prefix, and a README has one of its own (`forge_pages.py`). `views`: it
    is a picture in SVG, whose views may be named.
    """

    any: bool
    lines: bool
    numbered: int = 0
    unseen: bool = False
    possible: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    own_ids: tuple[str, ...] = ()
    views: bool = False


NO_SCRIPTS: Final = Scripts(any=False, lines=False)
UNSEEN: Final = Scripts(any=False, lines=False, unseen=True)

_HEAD = _TAIL = 4096
_NUMBERS_LINES = b"linenumber.js"
_NUMBERED = frozenset({"prettyprint", "source", "linenums"})
_LINES = re.compile(r"([0-9]+)-([0-9]+)").fullmatch
_STATE = re.compile(r"[\w.~-]+=[\w.~%+-]").match
_LINE = re.compile(r"line([1-9][0-9]{0,8})").fullmatch


def scripts_of(document: Document, names: Container[str]) -> Scripts:
    """Return the scripts of a page that defines `names`."""
    data, page = document.source.data, document.page
    assert isinstance(data, bytes)
    if not page.runs_scripts():
        return NO_SCRIPTS
    return Scripts(True, "1" in names and _is_by_rustdoc(data[:_HEAD]), 0 if page.is_xml else _numbered(document, data))


def _is_by_rustdoc(head: bytes) -> bool:
    """Return whether rustdoc made a page that begins like that.

    `#12-34` are lines of its source pages, whose script shows the first and marks them all (`source-script.js`,
    "lineNumbersRegex"); the ids `12` and `34` must exist. Without that script, browsers look for the id `12-34`.
    """
    if b"rustdoc" not in head:
        return False
    metas = read_page(Source(head, "utf-8")).elements({"meta": ("name", "content")})
    values = (each.values for each in metas)
    return any(
        lower(each.get("name", "")) == "generator" and each.get("content", "").split()[:1] == ["rustdoc"]
        for each in values
    )


def _numbered(document: Document, data: bytes) -> int:
    """Return the number of lines to which jsdoc's script gives ids (`#line12`).

    `linenumber.js`, at the end of the page, numbers the lines of the first `<pre class="prettyprint source linenums">`.
    A line end at its end begins no line.
    """
    if data.find(_NUMBERS_LINES, -_TAIL) == -1:
        return 0
    page = document.page
    if not any((each.src or "").endswith(_NUMBERS_LINES.decode()) for each in page.scripts()):
        return 0
    text = page.text_of("pre", _NUMBERED)
    return 0 if text is None else max(len(text.splitlines()), 1)


def is_for_scripts(fragment: str, names: Container[str], scripts: Scripts) -> bool:
    """Whether a fragment is one that scripts read: `#/x` and `#!x` are routes, and `#map=5/51/0` is a state.

    They are right in every page with a script, and only there. Data in a `script` are not a script (HTML Standard, "the
    script element": a `type` that is neither JavaScript's nor `module`).
    """
    if scripts.unseen or names_one_of(fragment, scripts.possible) or fragment in scripts.own_ids:
        return True
    if scripts.prefixes and fragment.startswith(scripts.prefixes):
        ids = (fragment.removeprefix(prefix) for prefix in scripts.prefixes)
        return any(names_one_of(id, names) or names_one_of(id, scripts.possible) for id in ids)
    if fragment.startswith(("/", "!")) or _STATE(fragment):
        return scripts.any
    if scripts.numbered:
        line = _LINE(fragment)
        return line is not None and int(line[1]) <= scripts.numbered
    lines = _LINES(fragment) if scripts.lines else None
    return lines is not None and lines[1] in names and lines[2] in names


class LeadsOn(NamedTuple):
    """Where a page refreshes to (`rehref.site._pages.metas`): a page of the site, else "".

    `at_once`: without waiting; `keeps_fragment`: with the fragment. Unlike a redirection, a refresh drops the fragment
    of the link (HTML Standard, "shared declarative refresh steps": browsers navigate to the refresh's own URL), unless
    a script keeps it.
    """

    path: str
    at_once: bool
    keeps_fragment: bool = False


_LOCATION = re.compile(r"\blocation\b").search
_HASH = re.compile(r"\bhash\b").search


def keeps_fragment(data: bytes) -> bool:
    """Whether a script in a page reads the fragment: `location.hash`, in a page that refreshes at once.

    Documentation generators write such pages at old addresses. The fragment then belongs to the page that they lead to.
    """
    if b"hash" not in data:
        return False
    scripts = read_page(Source(data, "utf-8")).scripts()
    return any(each.src is None and each.is_javascript and _reads_hash(each.text) for each in scripts)


def may_lead_on(page: Document) -> bool:
    """Whether a script in a page mentions `location`: it may lead browsers to another page."""
    return any(each.src is None and each.is_javascript and _LOCATION(each.text) for each in page.page.scripts())


def _reads_hash(script: str) -> bool:
    """Whether `hash` follows `location` anywhere; two searches, since one pattern would take quadratic time."""
    location = _LOCATION(script)
    return location is not None and _HASH(script, location.end()) is not None


DIRECTIVE = ":~:"
"""The beginning of the directives of a fragment."""

_LONGEST_SHOWN: Final = 200
_MOST_SENT_ON: Final = 20  # the same number as for redirections
_VIEW = re.compile(
    r"svgView\(|(?:xywh|t|track|id|viewBox|preserveAspectRatio|transform|zoomAndPan)="
    r"|(?:only-(?:light|dark)|gh-(?:light|dark)-mode-only)\Z"
).match


class Defined(NamedTuple):
    """What makes fragments of a document right: its names; its scripts; where it refreshes to."""

    names: frozenset[str]
    scripts: Scripts = NO_SCRIPTS
    sent_on: LeadsOn | None = None


def without_directive(fragment: str) -> str:
    """Return a fragment up to its directives for the browser, which name nothing.

    They begin at `:~:` (URL Fragment Text Directives, "the fragment directive").
    """
    return fragment.partition(DIRECTIVE)[0]


def shown_fragment(fragment: str) -> str:
    """Return a fragment for people, in quotes: decoded, if it is the encoding of a text."""
    text = unquote(fragment)
    text = fragment if "\ufffd" in text else text
    text = text if len(text) <= _LONGEST_SHOWN else text[:_LONGEST_SHOWN] + "…"
    return repr(text).replace("\\\\", "\\")  # a backslash is written once


def is_top(fragment: str) -> bool:
    """Whether a fragment without directives is empty, or `top` in any case: it means the top of every document."""
    return fragment == "" or unquote(fragment).lower() == "top"


def names_one_of(fragment: str, names: Container[str]) -> bool:
    """Whether a fragment without directives names an element; `names`: the ids and names of a document.

    That is the element with that `id`, in any namespace, or the `a` with that `name`; the content of a `template` is
    not part of the document. The fragment is tried as written, and then percent-decoded, as UTF-8.
    """
    return fragment in names or ("%" in fragment and unquote(fragment) in names)


def is_view(fragment: str, scripts: Scripts) -> bool:
    """Whether a fragment names a view of a picture.

    In SVG, `svgView(…)` and media fragments (`xywh=`, `t=`) do. `only-light`, `only-dark` (Material for MkDocs),
    `gh-light-mode-only` and `gh-dark-mode-only` (GitHub) say when a picture is shown.
    """
    return scripts.views and _VIEW(fragment) is not None


def is_right(
    fragment: str, names: Container[str], script_ids: Sequence[Searched], scripts: Scripts = NO_SCRIPTS
) -> bool:
    """Whether a fragment, without directives, exists in a document that defines `names`."""
    return (
        names_one_of(fragment, names)
        or is_top(fragment)
        or is_view(fragment, scripts)
        or is_for_scripts(fragment, names, scripts)
        or any(pattern.fullmatch(unquote(fragment)) for pattern in script_ids)
    )


def names_something(
    path: str, fragment: str, defined: Callable[[str], Defined | None], script_ids: Sequence[Searched]
) -> bool:
    """Whether a fragment, without directives, exists in the document at `path`, or where that refreshes to with it.

    `defined`: returns what a document defines; None: that is not known, and the fragment may be right.
    """
    reached = with_refreshed(path, defined)
    return any(own is None or is_right(fragment, own.names, script_ids, own.scripts) for _, own in reached)


def with_refreshed(path: str, defined: Callable[[str], Defined | None]) -> Iterator[tuple[str, Defined | None]]:
    """Yield a document, and those to which it refreshes with the fragment, with what each defines."""
    for _ in range(_MOST_SENT_ON):
        found = defined(path)
        yield path, found
        if found is None or found.sent_on is None or not found.sent_on.keeps_fragment:
            return
        path = found.sent_on.path


_AT_FONT_FACE = re.compile(r"@font-face\s*(?:/\*[^*]*\*/\s*)?\Z", re.IGNORECASE).search
_FURTHEST = 200
_IS_SVG = re.compile(r"[^?#]*\.svg(?:\?[^#]*)?#", re.IGNORECASE).match


def names_svg_font(document: Document, reference: Reference) -> bool:
    """Whether a reference in CSS (`@font-face`) names a font in SVG by a fragment (CSS Fonts 3 §4.3).

    No browser supports fonts in SVG any more, and those that did used the first one if none had that name. So only the
    file is looked up.
    """
    if _IS_SVG(reference.text) is None:
        return False
    text = document.parsed.places[reference.place].value
    opened = text.rfind("{", 0, reference.start)
    if opened == -1 or text.rfind("}", opened, reference.start) != -1:
        return False
    return _AT_FONT_FACE(text[max(0, opened - _FURTHEST) : opened]) is not None
