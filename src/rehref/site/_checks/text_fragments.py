"""Text directives of fragments, searched for in the page that they lead to (WICG, URL Fragment Text Directives).

The code is `text-fragment`. Each directive that is not found is a finding, and so is one that is not a text directive,
since browsers skip it. A faulty redirection and a missing file of the target are reported elsewhere. Directives are
collected while pages are read. Their target pages are read again for their text, each once, and each directive is
searched for in it once: that takes time linear in the length of the text.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from urllib.parse import unquote

from rehref.documents.base import without_fragment
from rehref.documents.link import Link
from rehref.documents.media_types import MediaType
from rehref.documents.reading import read_page
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.folded_text import BLOCK, folded
from rehref.site._pages.fragments import DIRECTIVE
from rehref.site._pages.made_findings import finding_of
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.reading_site_pages import read_or_skip
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.site_tables import SiteTable
from rehref.site.findings import Finding
from rehref.text.large_bytes import mentions

_NAME: Final = "text="
_LONGEST: Final = 2_000
_LONGEST_SHOWN: Final = 80
# Thai to Tibetan, Myanmar, Khmer, kana, Han (UAX #29: only dictionaries separate their words)
_WITHOUT_SPACES: Final = (
    (0x0E00, 0x0FFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)


class Directive(NamedTuple):
    """A text directive, decoded."""

    prefix: str | None
    start: str
    end: str | None
    suffix: str | None


def collect(read: ReadPage) -> list[tuple[str, Link]] | None:
    """Return the links with text directives that lead to pages of the site, each with its page."""
    if not mentions(read.data, b":~:text"):
        return None
    context = read.context
    found = []
    for link in _links(read.page):
        located = context.locator.locate(without_fragment(link.target or ""))
        if located.code == "" and located.path is not None and context.files.types.of(located.path) in MediaType.PAGES:
            found.append((located.path, link))
    return found or None


def findings(
    context: SiteContext, table: SiteTable, facts: Mapping[str, Sequence[tuple[str, Link]]]
) -> Iterator[Finding]:
    """Yield the findings for the text directives in documents that lead to pages of the site."""
    uses: defaultdict[str, list[tuple[str, Link]]] = defaultdict(list)
    for path, links in facts.items():
        for target, link in links:
            uses[target].append((path, link))
    for target, links in sorted(uses.items()):
        text = _text_of(context, target)
        if text is None:
            continue
        known: dict[str, str] = {}
        for path, link in links:
            for directive in directives(link.target or ""):
                message = known.get(directive)
                if message is None:
                    message = known[directive] = _fault_of_directive(directive, text, target)
                if message != "":
                    yield finding_of(path, link, "text-fragment", message)


def directives(uri: str) -> list[str]:
    """Return the text directives of a URI, without their name, percent-encoded.

    After `:~:`, a fragment has directives, separated by `&`. Those with other names than `text` are skipped (§3.3,
    §3.4).
    """
    found = uri.partition("#")[2].partition(DIRECTIVE)[2].split("&")
    return [each.removeprefix(_NAME) for each in found if each.startswith(_NAME)]


def parse(directive: str) -> Directive | None:
    """Return a directive: `[prefix-,]start[,end][,-suffix]`, each part percent-encoded.

    None if it is not one (§3.3).
    """
    parts = directive.split(",")
    prefix = suffix = None
    if parts[0].endswith("-"):
        prefix = parts.pop(0)[:-1]
    if parts and parts[-1].startswith("-"):
        suffix = parts.pop()[1:]
    if len(parts) not in (1, 2) or "" in (prefix, suffix, *parts):
        return None
    end = unquote(parts[1]) if len(parts) == 2 else None
    return Directive(prefix and unquote(prefix), unquote(parts[0]), end, suffix and unquote(suffix))


def is_found(directive: Directive, text: str) -> bool:
    """Whether a text has a directive (§3.5).

    `start` is searched for within one block. `end` may be anywhere after it. `prefix` is directly before `start`,
    `suffix` directly after the end, ignoring white space and block boundaries.
    """
    prefix, start, end, suffix = (None if part is None else _searched(part) for part in directive)
    if "" in (prefix, start, end, suffix):
        return False
    assert start is not None
    for behind in _starts(text, start, prefix, bounded=end is not None or suffix is None):
        if end is None:
            if suffix is None or _has_suffix(text, behind, suffix):
                return True
            continue
        # an end after a later start is after this one as well
        return any(
            (not _is_inside(text, at + len(end)) if suffix is None else _has_suffix(text, at + len(end), suffix))
            for at in _occurrences(text, end, behind)
            if not _is_inside(text, at)
        )
    return False


def _links(page: SitePage) -> Iterator[Link]:
    """Yield the links of a page that have text directives, and are checked.

    Targets that are neither HTML nor XHTML are not, nor those whose text is not known, nor directives of more than
    `_LONGEST` characters. In a shadow tree or a `srcdoc`, a reference to the document itself may mean another document.
    """
    document = page.document
    for reference in document.references():
        if DIRECTIVE not in reference.text or reference.is_local:
            continue
        link = document.link(reference)
        if page.is_for_nobody(reference.place):
            continue
        unclear = reference.inner is not None or document.parsed.places[reference.place].in_template
        if link.target is None or not directives(link.target) or (unclear and link.same_document):
            continue
        if page.context.scope.chooses(link.target, link.reference):
            yield link


def _text_of(context: SiteContext, path: str) -> str | None:
    """Return the folded text of a page; None if it is not known."""
    data = read_or_skip(context, path)
    if data is None:
        return None
    page = read_page(context.source(path, data), is_xml=context.files.types.of(path) != MediaType.HTML)
    blocks = page.blocks()
    return None if blocks is None else folded(BLOCK.join(blocks))


def _fault_of_directive(directive: str, text: str, path: str) -> str:
    """Return what is wrong with a directive to a page at `path` that has this text, folded; "" if nothing is."""
    if len(directive) > _LONGEST:
        return ""
    shown = unquote(directive)
    shown = shown if len(shown) <= _LONGEST_SHOWN else shown[:_LONGEST_SHOWN] + "…"
    parsed = parse(directive)
    if parsed is None:
        return f"{shown!r} is not a text directive; in the text, a comma is written %2C, and a hyphen %2D"
    return "" if is_found(parsed, text) else f"the text {shown!r} is not in {path}"


def _searched(part: str) -> str:
    """Return the form of a part to search for in a folded text."""
    return folded(part.replace(BLOCK, "\ufffd")).strip(" ")


def _starts(text: str, start: str, prefix: str | None, *, bounded: bool) -> Iterator[int]:
    """Yield where matches of `start` end, after the `prefix`; `bounded`: they end with a word."""
    for at in _occurrences(text, start if prefix is None else prefix):
        if _is_inside(text, at):
            continue
        begin = at
        if prefix is not None:
            begin = _past_space(text, at + len(prefix))
            if not text.startswith(start, begin):
                continue
        if not bounded or not _is_inside(text, begin + len(start)):
            yield begin + len(start)


def _has_suffix(text: str, position: int, suffix: str) -> bool:
    begin = _past_space(text, position)
    return text.startswith(suffix, begin) and not _is_inside(text, begin + len(suffix))


def _past_space(text: str, position: int) -> int:
    # # a folded text has one space at most
    return position + (text[position : position + 1] in (" ", BLOCK))


def _occurrences(text: str, what: str, position: int = 0) -> Iterator[int]:
    """Yield the places of a text in another from a position on, overlapping ones too."""
    while (position := text.find(what, position)) != -1:
        yield position
        position += 1


def _is_inside(text: str, position: int) -> bool:
    """Whether a position is inside a word (§3.5, "word boundaries"); scripts without spaces have a boundary everywhere.

    A text begins and ends with a word, except where it touches the prefix or suffix.
    """
    return 0 < position < len(text) and _is_of_word(text[position - 1]) and _is_of_word(text[position])


def _is_of_word(character: str) -> bool:
    if character.isascii():
        return character.isalnum() or character == "_"
    code = ord(character)
    return character.isalnum() and not any(first <= code <= last for first, last in _WITHOUT_SPACES)
