"""What identifies the content of a page: its title, a sample of its text, and the text behind each of its ids.

The text is that which browsers show (`PageContent.blocks`), folded as searches do.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Final
from zlib import crc32

from rehref.documents.media_types import MediaType
from rehref.documents.reading import UnknownMediaTypeError
from rehref.files.file_errors import FileError
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.folded_text import BLOCK, folded
from rehref.site._pages.metas import is_left_out
from rehref.site._pages.read_page import ReadPage
from rehref.site._pages.reading_site_pages import read
from rehref.site._pages.site_page import SitePage
from rehref.site._states.contract import NO_PRINT, Details, Print, Sketch
from rehref.site._states.word_runs import word_runs, words
from rehref.text import lower
from rehref.text.large_bytes import mentions

MOST_READ: Final = 1 << 20
"""How many bytes of a file that is not a page are read."""
_PRINTED: Final = 240
_DEEPEST: Final = 3
_MOST_PAGES: Final = 6
_BUCKETS: Final = 1 << 22
_MARK = re.compile("\x02([0-9]{1,9})\x03")
"""Where an element begins. A page may have such text itself, which need not name an element."""
_AROUND_HEADING = re.compile(r"^[0-9.\s]+(?=\D)|[¶#§\s]+$")


def digest_of_page(page: ReadPage) -> str:
    """Return what identifies the bytes of a page, while it is in memory."""
    return _digest_of(page.data)


def digest_of_other(beginning: bytes, size: int) -> str:
    """Return what identifies another file: its size, and the first `MOST_READ` bytes of its `beginning`."""
    return _digest_of(b"%d:" % size + beginning[:MOST_READ])


def _digest_of(data: bytes) -> str:
    return blake2b(data, digest_size=8).hexdigest()


def read_details(context: SiteContext, paths: Sequence[str]) -> dict[str, Details]:
    """Return the details of some pages, by path; those that cannot be read have none."""
    found = {}
    for path in paths:
        try:
            found[path] = details_of(SitePage(context, path, read(context, path)))
        except (FileError, UnknownMediaTypeError):
            found[path] = Details()
    return found


def details_of(page: SitePage) -> Details:
    """Return the details of a page. Its content raises nothing."""
    if page.media_type not in MediaType.PAGES:
        return Details()
    names = [] if not page.is_html else _named(page)
    read_page = page.document.page
    text = folded(BLOCK.join(read_page.blocks(_marks(names)) or ()))
    parts = _MARK.split(text)
    own = "".join(parts[::2])
    prints: dict[str, Print] = {}
    at = 0
    for before, mark in zip(parts[::2], parts[1::2], strict=False):
        at += len(before)
        if int(mark) < len(names):
            prints.setdefault(names[int(mark)][1], _print(own[at : at + _PRINTED]))
    return Details(
        read_page.title,
        _canonical(page),
        _may_say(page, b"robots") and is_left_out(page.document),
        _sketch(own),
        {name: each for name, each in prints.items() if each != NO_PRINT},
    )


def _marks(names: Sequence[tuple[int, str]]) -> dict[int, str]:
    """Return what marks the elements of some names in the text, by their tags."""
    marks: dict[int, str] = {}
    for number, (tag, _) in enumerate(names):
        marks[tag] = f"{marks.get(tag, '')}\x02{number}\x03"
    return marks


def _named(page: SitePage) -> list[tuple[int, str]]:
    """Return the names of a page, each with the offset of its tag, in order."""
    return [
        (place.tag, place.value)
        for place in page.parsed.places
        if (place.attribute == "id" or (place.element, place.attribute) == ("a", "name"))
        and place.value
        and not place.in_template
    ]


def _may_say(page: SitePage, word: bytes) -> bool:
    """Return whether an attribute of a page may have a word: as it is, in UTF-16, or by character references."""
    return mentions(page.data, word, b"&#")


def _canonical(page: SitePage) -> str:
    """Return the canonical URL of a page, as a path below the site if it is one; "" if there is none."""
    if not _may_say(page, b"canonical"):
        return ""
    for number, place in enumerate(page.parsed.places):
        is_link = place.element == "link" and place.attribute == "href" and not place.in_template
        if is_link and "canonical" in lower(page.parsed.attributes_at(number).get("rel", "")).split():
            target = next((link.target for _, link in page.resolved(number)), None)
            return (target or "").removeprefix(page.context.uri)
    return ""


def _print(text: str) -> Print:
    """Return the print of the text behind an id.

    It is the first block of text behind its tag, its heading, and the beginning of what follows that. Numbers of
    sections and signs of links are not a part of a heading.
    """
    blocks = text.lstrip(f"{BLOCK} ").split(BLOCK)
    heading = _AROUND_HEADING.sub("", blocks[0])
    beginning = words(" ".join(blocks[1:]))[:-1]  # the last one may be cut off
    return Print(crc32(heading.encode()), crc32(" ".join(beginning[:30]).encode()) if len(beginning) > 2 else 0)


def _sketch(text: str) -> Sketch:
    """Return a sample of the text of a page, hashed in runs of four words.

    A page keeps about an eighth of the hashes, a short one more: those below a bound, so that samples of two pages have
    in common what their texts have in common ("FracMinHash").
    """
    runs = word_runs(text)
    level = min(_DEEPEST, max(0, (len(runs) - 1).bit_length() - 6))
    return Sketch(level, runs[: bisect_left(runs, 1 << (32 - level))])


def without_template(details: Mapping[str, Details]) -> dict[str, Details]:
    """Return the details of the pages of a state without the text that many of them share (menus, headers).

    Hashes that occur on more than six pages, or on more than half of few pages, are removed from all.
    """
    counts = array("I", [0]) * _BUCKETS
    for each in details.values():
        for hashed in each.text.hashes:
            counts[hashed % _BUCKETS] += 1
    most = min(_MOST_PAGES, max(2, len(details) // 2))

    def own(text: Sketch) -> Sketch:
        return Sketch(text.level, array("I", (each for each in text.hashes if counts[each % _BUCKETS] <= most)))

    return {url: each._replace(text=own(each.text)) for url, each in details.items()}
