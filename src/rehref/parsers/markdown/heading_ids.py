"""The ids that generators and forges give to headings, by dialect.

1. An id is made of the text of a heading: what remains of its characters, in lower case, and hyphens for spaces.
   `{#id}` or `{: #id}` at its end is its id instead, where the dialect has that.
2. `github`, `docusaurus` (github-slugger): letters, marks, digits, `_`, `-` remain. What GitHub takes of HTML and
   images in a heading is not known for certain: of such a heading both ids count.
3. `gitlab`: as GitHub, but runs of hyphens become one, and only digits get `anchor-` before them. (By its source text,
   not run.)
4. `mkdocs` (Python-Markdown's toc): ASCII alone, after decomposition (NFKD); runs of spaces and hyphens become one.
5. `hugo` (its type `github`): the heading as it is written, so that the URL of a link counts, too; no marks.
6. `jekyll` (kramdown's GFM): hyphens that its typography joins to dashes vanish.
7. A repeated id gets a number behind `-`, for `mkdocs` behind `_`. What is taken is counted on (`hello-1-1`), but not
   in kramdown and GitLab. An empty text gives no id; Hugo calls it `heading`. The text of a heading with an id of its
   own takes nothing; that id is taken for `mkdocs` and `hugo`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final
from unicodedata import category, normalize

from rehref.parsers.markdown.reading import Heading

Ids = Callable[[bytes, Sequence[Heading]], Sequence[tuple[str, ...]]]
"""Gives the ids of headings in a text: none, one, or two (rule 2)."""

_OPENING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]*")
_CLOSING = re.compile(r"[ \t]+#+[ \t]*\Z|\n[ \t]*(?:=+|-+)[ \t]*\Z")
_UNDERLINE = re.compile(r"\n[^\n]*\Z")
_ATTRIBUTES = re.compile(r"[ \t]*\{:?[^{}\n]*\}[ \t]*\Z")
_EXPLICIT = re.compile(r"\{:?[ \t]*(?:[^{}\n]*[ \t])?#([^\s{}]+)[^{}\n]*\}[ \t]*\Z").search
_OPEN_BRACE = re.compile(r"\{:?[ \t]*(?=[^{}\n]*\}\Z)").search
_NUMBERED = re.compile(r"(.*)_([0-9]+)").fullmatch
_KEPT: Final = frozenset({"Nd", "Nl", "Pc"})


def _github(text: str) -> str:
    return "".join(
        "-" if char == " " else char
        for char in text.lower()
        if char in "- " or category(char)[0] in "LM" or category(char) in _KEPT
    )


def _gitlab(text: str) -> str:
    made = re.sub("-+", "-", _github(text.strip()))
    return f"anchor-{made}" if made.isdecimal() else made


def _mkdocs(text: str) -> str:
    ascii_only = normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", ascii_only).strip().lower())


def _hugo(written: str) -> str:
    kept = (char for char in written.strip() if char in " -_" or category(char)[0] == "L" or category(char) == "Nd")
    return "".join("-" if char == " " else char.lower()[0] for char in kept) or "heading"


def _kramdown(text: str) -> str:
    return _github(re.sub("-{2,3}", "", text).replace("\t", " "))


def _written(data: bytes, heading: Heading) -> str:
    """A heading as it is written, without what marks it as one, and without attributes."""
    text = data[heading.start : heading.end].decode("utf-8", "replace").rstrip("\r\n").replace("\r", "")
    return _ATTRIBUTES.sub("", _CLOSING.sub("", _OPENING.sub("", text, count=1)))


def _counted(ids: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Ids, of which each is used once: what is taken is counted on (rule 7)."""
    counts = dict.fromkeys(taken, 0)
    made = []
    for id in ids:
        new = id
        while new in counts:
            counts[id] += 1
            new = f"{id}-{counts[id]}"
        counts[new] = 0
        made.append(new)
    return made


def _numbered(ids: Iterable[str], _: Iterable[str]) -> list[str]:
    """The same, but a number is not looked up again."""
    uses: dict[str, int] = {}
    made = []
    for id in ids:
        made.append(f"{id}-{uses[id]}" if id in uses else id)
        uses[id] = uses.get(id, 0) + 1
    return made


def _numbered_by_toc(ids: Iterable[str], others: Iterable[str]) -> list[str]:
    """The same with `_`, by Python-Markdown's `unique`: an empty id is always numbered."""
    taken = set(others)
    made = []
    for id in ids:
        while id in taken or not id:
            found = _NUMBERED(id)
            id = f"{found[1]}_{int(found[2]) + 1}" if found else f"{id}_1"
        taken.add(id)
        made.append(id)
    return made


_Unique = Callable[[Iterable[str], Iterable[str]], list[str]]
_MADE: Final[Mapping[str, tuple[Callable[[str], str], _Unique]]] = MappingProxyType(
    {
        "github": (_github, _counted),
        "gitlab": (_gitlab, _numbered),
        "mkdocs": (_mkdocs, _numbered_by_toc),
        "docusaurus": (_github, _counted),
        "hugo": (_hugo, _counted),
        "jekyll": (_kramdown, _numbered),
    }
)


def ids_of(dialect: str, data: bytes, headings: Sequence[Heading]) -> list[tuple[str, ...]]:
    """The ids that headings in a text get in a dialect, none in `commonmark`."""
    if dialect not in _MADE:
        return [()] * len(headings)
    slug, unique = _MADE[dialect]
    explicit = [_explicit(dialect, data, each) for each in headings]
    others = [each for each, own in zip(headings, explicit, strict=True) if own is None]
    taken = {own for own in explicit if own is not None and dialect in ("mkdocs", "hugo")}
    found = zip(*(unique(made, taken) for made in _texts(dialect, data, others, slug)), strict=True)
    return [(own,) if own is not None else tuple({id: None for id in next(found) if id}) for own in explicit]


def _texts(
    dialect: str, data: bytes, headings: Sequence[Heading], slug: Callable[[str], str]
) -> Sequence[Sequence[str]]:
    """The ids before they are numbered: one list of them, or two (rule 2)."""
    if dialect == "hugo":
        return [[slug(_written(data, each)) for each in headings]]
    texts = [[slug(each.text) for each in headings]]
    if dialect in ("github", "docusaurus"):
        texts = [[slug(each.text.strip()) for each in headings], [slug(each.with_markup) for each in headings]]
    return texts


def _explicit(dialect: str, data: bytes, heading: Heading) -> str | None:
    """The id that is written behind a heading (rule 1)."""
    if dialect in ("github", "gitlab"):
        return None
    if heading.id is not None:
        return heading.id
    text = data[heading.start : heading.end].decode("utf-8", "replace").rstrip()
    found = _EXPLICIT(text)
    return None if found is None else found[1]


def id_splice(data: bytes, heading: Heading, id: str) -> tuple[int, int, bytes] | None:
    """What to replace in a text so that a heading has that id written behind it; None behind closing `#`s, where
    dialects differ.
    """
    text = _UNDERLINE.sub("", data[heading.start : heading.end].decode("utf-8", "replace").rstrip()).rstrip()
    if (found := _EXPLICIT(text)) is not None:
        first, behind, new = *found.span(1), id
    elif (found := _OPEN_BRACE(text)) is not None:
        first, behind, new = found.end(), found.end(), f"#{id} "
    elif _CLOSING.search(text) is not None:
        return None
    else:
        first, behind, new = len(text), len(text), f" {{#{id}}}"
    at = heading.start + len(text[:first].encode())
    return at, at + len(text[first:behind].encode()), new.encode()
