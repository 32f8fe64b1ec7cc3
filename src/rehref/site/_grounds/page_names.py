"""The names that generators give to folders and pages, and what front matter changes in them.

Each function is one of a row of `page_rules.py`: of the names on the disk, it makes those on the site.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

_NUMBER = re.compile(r"^(?!\d+[-_.]\d)\d+\s*[-_.]+\s*(?=[^-_.\s])")
_NOT_IN_SLUG = re.compile(r"[^\w -]+")
_VERSION = re.compile(r"\d+(?:\.\d+)*(?:\.x)?").fullmatch
_ORDERED = re.compile(r"\A\d+\.")
_NOT_IN_PATH = re.compile(r"[^\w\s$*+~.()'\"!:@-]+", re.ASCII)
_DATED = re.compile(r"\A\d{4}-\d\d-\d\d[-_]")
_BARE_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")


class NamedPage(NamedTuple):
    """A page by the names that its source gives it: of the folders above, its own ("" for the index of a folder), and
    the name of its source without an ending. `named`: gives another name as the generator does.
    """

    above: Sequence[str]
    name: str
    stem: str
    named: Callable[[str], str]

    @property
    def names(self) -> Sequence[str]:
        """The names in its path."""
        return (*self.above, self.name) if self.name else self.above


def as_on_disk(name: str, _: Mapping[str, str]) -> str:
    """The generator publishes a page under the name of its file."""
    return name


def without_number(name: str, _: Mapping[str, str]) -> str:
    """Return the name in Docusaurus: without the number before it."""
    return _NUMBER.sub("", name)


def slug_of_starlight(name: str, _: Mapping[str, str]) -> str:
    """Starlight: in lower case, hyphens for spaces, no other punctuation."""
    return _NOT_IN_SLUG.sub("", name.lower()).replace(" ", "-")


def slug_of_zola(name: str, _: Mapping[str, str]) -> str:
    """Return the name in Zola: a slug of ASCII, without the date before it."""
    plain = unicodedata.normalize("NFKD", _DATED.sub("", name)).encode("ascii", "ignore").decode()
    return re.sub("[^a-z0-9]+", "-", plain.lower()).strip("-")


def slug_of_nuxt(name: str, _: Mapping[str, str]) -> str:
    """Return the name in Nuxt Content: a slug, without the number before it, and without `.draft`."""
    if _VERSION(name):
        return name
    plain = _ORDERED.sub("", name, count=1).removesuffix(".draft")
    ascii_only = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode()
    return re.sub(r"\s+", "-", _NOT_IN_PATH.sub("", ascii_only).strip()).lower()


def sanitized_by_hugo(name: str, said: Mapping[str, str]) -> str:
    """Return the name in Hugo: letters, digits and a few signs, as its configuration says."""
    if said["has_plain_letters"]:
        plain = unicodedata.normalize("NFD", name)
        name = unicodedata.normalize("NFC", "".join(each for each in plain if unicodedata.category(each) != "Mn"))
    kept = re.sub(r" *- *| +", "-", "".join(map(_kept, _BARE_PERCENT.sub("", name))))
    return kept if said["has_capitals"] else "".join(each.lower()[:1] for each in kept)  # Go: one for one


def _kept(each: str) -> str:
    """Return what Hugo keeps of a character: a space of white space."""
    is_kept = each in "./_#+~-@%" or unicodedata.category(each)[0] in "LNM"
    return each if is_kept else " " * each.isspace()


def as_named(page: NamedPage, _: Mapping[str, str]) -> Sequence[str]:
    """Return the names of a page whatever its front matter says."""
    return page.names


def slugged_in_zola(page: NamedPage, own: Mapping[str, str]) -> Sequence[str]:
    """Return the names in Zola: `slug` is the last one, but of an index."""
    return (*page.above, page.named(own["slug"])) if "slug" in own and page.name else page.names


def slugged_in_hugo(page: NamedPage, own: Mapping[str, str]) -> Sequence[str]:
    """Return the names in Hugo: `slug` is the last one, but of a section."""
    return (*page.names[:-1], page.named(own["slug"])) if "slug" in own and page.stem != "_index" else page.names


def slugged_in_docusaurus(page: NamedPage, own: Mapping[str, str]) -> Sequence[str]:
    """Return the names in Docusaurus: `slug` or `id` is the last one, `slug: /a` the path below the first folder."""
    name = own.get("slug", own.get("id", page.name) if page.name else "")
    below = page.above[:1] if name.startswith("/") else page.above
    path = posixpath.normpath("/".join((*below, name.strip("/")))).lstrip(".")
    return path.split("/") if path else ()
