"""A browser encodes queries as their document is encoded, and the profile `whatwg` does so too, in every encoding.

- One document for each encoding of the Encoding Standard, all in ASCII: the queries are character references.
- The characters: a sample of all, many to a query, and each alone of those that encoders treat specially.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import chromium
import pytest

import rehref
from rehref.text.encoding import NAMES

pytestmark = pytest.mark.browser

SAMPLE = [
    *range(0xA0, 0x500, 3),
    *range(0x2000, 0x2700, 5),
    *range(0x3000, 0x3400, 7),
    *range(0x3400, 0xA000, 67),
    *range(0xAC00, 0xD7A4, 43),
    *range(0xE000, 0xF900, 61),
    *range(0xF900, 0x10000, 11),
    *range(0x1F300, 0x1F310),
    *range(0x20000, 0x2A000, 997),
]
SPECIAL = [
    *(0xA5, 0x203E, 0x2212, 0x20AC, 0x1E3F, 0xFF5E, 0xFF61, 0xFF9F, 0xFFE0),  # yen, overline, minus, euro …
    *(0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345),  # twice in Big5
    *(0xE5E5, 0xE7C7, 0xE78D, 0xE796, 0xE81E, 0xE864),  # GB18030 and the private use area
    *(0x9FB4, 0xFE10, 0xF7D7, 0xE000, 0xE757, 0x7E8A),
]
MANY = 64
"""Characters in a query."""


def link(characters: Iterable[int]) -> str:
    return '<a href="?' + ".".join(f"&#{character};" for character in characters) + '">x</a>\n'


def document(name: str) -> bytes:
    """A document in an encoding whose bytes below 0x80 are ASCII's (UTF-16 has its mark)."""
    groups = [SAMPLE[start : start + MANY] for start in range(0, len(SAMPLE), MANY)]
    links = "".join(map(link, [*groups, *([character] for character in SPECIAL)]))
    text = f"<!DOCTYPE html>\n<meta charset={name}>\n<title>{name}</title>\n{links}"
    if name.startswith("utf-16"):
        return ("\ufeff" + text).encode(name.replace("16", "16-"))
    return text.encode("ascii")


def test_queries_are_encoded_as_the_browser_encodes_them(tmp_path: Path) -> None:
    program = chromium.needed()
    # nothing can be read in the one, and a document that declares the other is read as windows-1252
    names = sorted(NAMES - {"replacement", "x-user-defined"})
    documents = [chromium.Document(f"/queries/{name}.html", "it", document(name)) for name in names]
    answers = chromium.ask(program, documents, tmp_path)
    wrong = {}
    for name, each in zip(names, documents, strict=True):
        answer = answers[each.path, each.version]
        assert answer.encoding.lower() == name
        targets = [found.target for found in rehref.links(each.data, url=chromium.url(each.path), profile="whatwg")]
        urls = [found.url for found in answer.found]
        assert len(urls) == len(targets) > len(SPECIAL)
        different = [pair for pair in zip(urls, targets, strict=True) if pair[0] != pair[1]]
        if different:
            wrong[name] = different
    assert not wrong, "\n".join(f"{name}: {len(pairs)}, first {pairs[0]}" for name, pairs in wrong.items())
