"""The sources of a site: their texts, the references in them, and the words that may be references.

Markdown is read in the dialect that is named, or inferred as for a folder of sources; else as Jekyll's, with front
matter and without bare URLs. Pages and layouts in a template language are read as HTML.
"""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from rehref.documents.link import Link
from rehref.files.discovery import looks_like_text
from rehref.files.file_documents import read_within, relative_to
from rehref.files.file_errors import FileError
from rehref.site._grounds.files import is_hidden
from rehref.site._grounds.generators import front_matter_of
from rehref.site._grounds.site_context import SiteContext, site_context
from rehref.site._grounds.source_signs import dialect_of
from rehref.site._tracing.page_sources import TEMPLATES
from rehref.site.check_options import CheckOptions

_INSTALLED: Final = frozenset({"node_modules", "vendor", "bower_components"})
_COMMENTS: Final = (
    (b"{{/*", b"*/"),
    (b"{{- /*", b"*/"),
    (b"{#", b"#}"),
    (b"<!--", b"-->"),
    (b"{% comment", b"{% endc"),
)
_TAGS: Final = ((b"{{", b"}}"), (b"{%", b"%}"))
_FARTHEST: Final = 1 << 16
"""How many bytes around a place are looked at."""
_WORD = re.compile(rb"(?:[\w:-]+=(?=[/.#\w]))?([^\s\"'<>()\[\]{}|\\^`,;*]+)")
_BLOCK_TAG = re.compile(rb"(?:\{\{[<%]-?\s*(/?)|\{%-?\s*(end)?)\s*([\w./-]+)")
_BEFORE_VALUE = re.compile(rb"""["'=]\Z|[:=]\s\Z""").search


class SourceReference(NamedTuple):
    """A reference in a source, and whether it is a definition, which links elsewhere use."""

    link: Link
    span: tuple[int, int]
    is_definition: bool


class Word(NamedTuple):
    """A word that may be a reference: its source, where it is (in bytes), its text."""

    path: str
    span: tuple[int, int]
    text: str


class SourceTexts:
    """The sources of the site of a context."""

    def __init__(self, context: SiteContext, folder: Path) -> None:
        """Read them. Raises `FileError`, if the folder cannot be read."""
        dialect = context.options.given["dialect"] or dialect_of(folder)
        how = replace(context.options.how, dialect=dialect or "jekyll")
        here = site_context(folder, CheckOptions(infer=False, how=how, document_extensions=TEMPLATES))
        self.context = here if dialect else here._replace(files=here.files._replace(generator=None))
        built = relative_to(os.path.realpath(context.folder), os.path.realpath(folder))
        files = self.context.files
        self.unread = {each.file: each for each in files.errors if _is_source(each.file, built)}
        self.texts: dict[str, bytes] = {}
        for path in sorted(path for path in files.paths if _is_source(path, built)):
            try:
                data = read_within(self.context.folder, self.context.folder / path) or b""
            except FileError as error:
                if isinstance(error.__cause__, OSError):  # not what is too large, or outside
                    self.unread[path] = error
                continue
            if looks_like_text(data):
                self.texts[path] = data
        self.references = cache(self._references)

    def _references(self, path: str) -> list[SourceReference]:
        """The references of a source, in order; a definition as often as links use it."""
        if not self.context.files.types.is_document(path):
            return []
        document = self.context.document_of(path, self.texts[path])
        parsed, uses = document.parsed, dict[tuple[int, int] | None, int]()
        for number, place in enumerate(parsed.places):
            if (many := parsed.uses(number)) is not None:
                uses[parsed.span(number, 0, len(place.value))] = many
        found = []
        for link in document.links():
            if link.span is not None and link.kind not in ("base", "namespace"):
                many = uses.get(link.span)
                found += [SourceReference(link, link.span, many is not None)] * (1 if many is None else many)
        return found

    @cached_property
    def _words(self) -> Mapping[str, list[Word]]:
        """The words of all sources, by their last names."""
        words: dict[str, list[Word]] = defaultdict(list)
        for path, data in self.texts.items():
            for found in _WORD.finditer(data):
                start, word = found.start(1), found[1].decode("utf-8", "replace").rstrip(".:!?")
                if any(sign in word for sign in "/.#?") or _BEFORE_VALUE(data[max(0, start - 2) : start]):
                    words[last_name(word)].append(Word(path, (start, start + len(word.encode())), word))
        return words

    def words_like(self, reference: str) -> list[Word]:
        """Return the words that are like a reference: in a data file, in front matter, in an argument of a shortcode.

        A word of any text may be one, if it is a path or in quotes.
        """
        return [word for word in self._words.get(last_name(reference), ()) if is_alike(word.text, reference)]

    def is_comment(self, path: str, start: int) -> bool:
        """Return whether a byte of a source is in a comment, of HTML or of a template language."""
        return self._is_within(_COMMENTS, path, start)

    def is_in_tag(self, word: Word) -> bool:
        """Return whether a word is in front matter, or in a tag of a template language."""
        (start, _), front = word.span, front_matter_of(self.texts[word.path])
        return start < len(front) or self._is_within(_TAGS, word.path, start)

    def _is_within(self, signs: Sequence[tuple[bytes, bytes]], path: str, start: int) -> bool:
        """Whether a byte of a source is between two signs."""
        data, first = self.texts[path], max(0, start - _FARTHEST)
        return any(
            data.rfind(opens, first, start) > data.rfind(ends, first, start) and data.find(ends, start) != -1
            for opens, ends in signs
        )

    def is_enclosed(self, path: str, start: int) -> bool:
        """Return whether a byte of a source is between two tags of a template language, that may leave it out."""
        data, first = self.texts[path], max(0, start - _FARTHEST)
        if b"{{" not in data and b"{%" not in data:
            return False
        opened: Counter[bytes] = Counter()
        for ends, also_ends, name in _BLOCK_TAG.findall(data, first, start):
            opened[name] += -1 if ends or also_ends else 1
        tags = _BLOCK_TAG.findall(data, start, start + _FARTHEST)
        return any(opened[name] > 0 for ends, also_ends, name in tags if ends or also_ends)


def _is_source(path: str, built: str | None) -> bool:
    """Whether a path is that of a source. `built`: the path of the checked folder, None if it is elsewhere.

    That is every file of up to 1 MB that is UTF-8, except what is hidden, installed (`node_modules`), or built. What
    cannot be read is remembered (`SourceTexts.unread`).
    """
    is_built = built is not None and (built == "" or path.startswith(f"{built}/"))
    return not is_built and not is_hidden(path) and _INSTALLED.isdisjoint(path.split("/"))


def is_alike(one: str, other: str) -> bool:
    """Whether a reference is the end of another, slashes and dots at the beginning aside.

    A template may put the rest before.
    """
    one, other = _core(one), _core(other)
    return one.endswith(other) or other.endswith(one)


def last_name(reference: str) -> str:
    """Return what references that are alike have in common."""
    return unquote(reference).rstrip("/").rpartition("/")[2]


def _core(reference: str) -> str:
    return unquote(reference).lstrip("./").rstrip("/")
