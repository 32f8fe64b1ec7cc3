"""Mistakes in a site (`made_pages`), as people make them, until there are as many as wanted.

- A mistake is a reference that leads elsewhere than it is meant to, or a base that another was written for. What a
  moved file or a wrong base makes wrong counts reference by reference; a wrong base is a mistake by itself, too.
- A mistake made in a single reference leads to nothing. What a moved file or a wrong base makes wrong may lead to
  something else: no checker can see that, and it counts all the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Literal, TypeAlias
from urllib.parse import quote, unquote, urljoin

from checked.made_pages import SITE
from checked.made_site import Site

Kind: TypeAlias = Literal["moved", "base", "typo", "folder", "fragment", "case", "extension", "dots"]
Maker: TypeAlias = Callable[[random.Random, str], str | None]
"""What makes a mistake in a reference; None if none of its kind can be made."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_WRONG_BASES = 2
_SHORTEST_MISTYPED = 4


def seed_mistakes(site: Site, count: int, rng: random.Random) -> dict[int, Kind]:
    """Make `count` mistakes: their kinds, by the numbers of the references."""
    mistakes: dict[int, Kind] = {}
    _move(site, count // 4, rng)
    _note(site, mistakes, "moved")
    _change_bases(site, rng)
    _note(site, mistakes, "base")
    links = [number for number, reference in enumerate(site.references) if reference.truth is not None]
    kinds = cycle(_MAKERS)
    while len(mistakes) < count:
        kind = next(kinds)
        mistakes[_make_one(site, [number for number in links if number not in mistakes], _MAKERS[kind], rng)] = kind
    return mistakes


def _make_one(site: Site, numbers: Sequence[int], make: Maker, rng: random.Random) -> int:
    """Make a mistake in one of these references; its number."""
    while True:
        number = rng.choice(numbers)
        new = make(rng, site.value(number))
        if new is not None and new != site.value(number) and site.leads_to(number, new) is None:
            site.values[number] = new
            return number


def _note(site: Site, mistakes: dict[int, Kind], kind: Kind) -> None:
    """Add the references that have become wrong."""
    for number in range(len(site.references)):
        if number not in mistakes and not site.is_right(number):
            mistakes[number] = kind


def _move(site: Site, most: int, rng: random.Random) -> None:
    """Move two pages, and pictures and downloads, and change no reference for that; about `most` are wrong then.

    When a page is moved, what it leads to is wrong as well.
    """
    able = [path for path, page in site.pages.items() if path.endswith(".html") and page.base is None]
    pages = rng.sample([path for path in able if not path.endswith("index.html")], 2)
    others = [path for path in site.others if path.endswith((".png", ".jpg", ".pdf"))]
    rng.shuffle(others)
    for path in (*pages, *others):
        folder, _, name = path.rpartition("/")
        site.moved[path] = f"archive/{name}" if path in pages else f"media/{folder}/{name}"
        wrong = sum(not site.is_right(number) for number in range(len(site.references)))
        if wrong > most:
            del site.moved[path]
        elif wrong > most - 3:
            break


def _change_bases(site: Site, rng: random.Random) -> None:
    """Change the bases of two pages: a `../` too many or too few, another folder, or the site's prefix forgotten."""
    bases = [page.base for path, page in site.pages.items() if page.base is not None and path.endswith(".html")]
    rng.shuffle(bases)
    left = _WRONG_BASES
    for number in bases:
        old, file = site.value(number), site.references[number].file
        dots = ["../" + old, old.removeprefix("../"), "guide/"]
        ways = [old.replace("/docs/", "/")] if old.startswith(SITE) else dots
        able = [new for new in ways if new != old and (site.uri == SITE or _is_within(site, file, new))]
        if able and left:
            site.values[number] = rng.choice(able)
            left -= 1


def _is_within(site: Site, file: str, base: str) -> bool:
    """Whether a base is a folder of the site: if that is on the disk, there is no way back into it."""
    return urljoin(site.base_of(file, None), base).startswith(site.uri)


# mistakes in a single reference


def _typo(rng: random.Random, value: str) -> str | None:
    """A slip in the name of the file."""
    path, rest = _cut(value)
    folder, slash, name = path.rpartition("/")
    return folder + slash + _slip(rng, name) + rest if len(name) > _SHORTEST_MISTYPED else None


def _folder_typo(rng: random.Random, value: str) -> str | None:
    """A slip in the name of a folder."""
    path, rest = _cut(value)
    names = path.split("/")
    able = [at for at in _folders_of_site(names) if len(names[at]) > _SHORTEST_MISTYPED]
    if not able:
        return None
    at = rng.choice(able)
    names[at] = _slip(rng, names[at])
    return "/".join(names) + rest


def _fragment_typo(rng: random.Random, value: str) -> str | None:
    """A slip in the fragment, another case, or `_` for `-`."""
    before, mark, fragment = value.partition("#")
    if len(fragment) < _SHORTEST_MISTYPED:
        return None
    new = rng.choice([_slip(rng, fragment), _slip(rng, fragment), fragment.title(), fragment.replace("-", "_")])
    return before + mark + new


def _case(rng: random.Random, value: str) -> str | None:
    """Another case, in the name of the file or a folder."""
    path, rest = _cut(value)
    names = path.split("/")
    at = rng.choice([*_folders_of_site(names), len(names) - 1])
    if not names[at].isascii() or "%" in names[at]:
        return None
    names[at] = rng.choice([names[at].title(), names[at].upper(), names[at].capitalize()])
    return "/".join(names) + rest


def _extension(rng: random.Random, value: str) -> str | None:
    """No extension, or another."""
    path, rest = _cut(value)
    stem, dot, extension = path.rpartition(".")
    if dot == "" or "/" in extension or stem.endswith("."):
        return None
    return stem + rng.choice(["", "", "." + extension[:-1], "." + extension.upper()]) + rest


def _dots(rng: random.Random, value: str) -> str | None:
    """A `../` too few or too many; of a path from the root, no prefix."""
    if value.startswith("/docs/"):
        return value.removeprefix("/docs")
    if value.startswith(("/", "#", "https:", "file:")) or value == "":
        return None
    return "../" + value.removeprefix("./") if rng.random() < 0.5 else value.removeprefix("../")


_MAKERS: Mapping[Kind, Maker] = {
    "typo": _typo,
    "folder": _folder_typo,
    "fragment": _fragment_typo,
    "case": _case,
    "extension": _extension,
    "dots": _dots,
}


def _folders_of_site(names: Sequence[str]) -> list[int]:
    """Where the names of folders stand in a path that are certainly those of the site; not in a whole URI."""
    if names[0].endswith(":") or names[:2] == ["", ""]:
        return []
    return [at for at, name in enumerate(names[:-1]) if name.strip(".") != ""]


def _slip(rng: random.Random, name: str) -> str:
    """A name with a character too many, too few or wrong, or two in each other's places; encoded as it was."""
    text = unquote(name)
    at = rng.randrange(len(text) - 1)
    letter = rng.choice(_LETTERS)
    new = rng.choice(
        [
            text[:at] + letter + text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + letter + text[at + 1 :],
            text[:at] + text[at + 1] + text[at] + text[at + 2 :],
        ]
    )
    return new if text == name else quote(new)


def _cut(value: str) -> tuple[str, str]:
    """The path, with what is before it, and what is behind it."""
    end = min((at for at in map(value.find, "?#") if at != -1), default=len(value))
    return value[:end], value[end:]
