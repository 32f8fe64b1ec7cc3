"""Where the folder is, according to what files say of themselves and of each other: canonical links, `og:url`, …

A place is an origin (`rehref.site._paths`: `http` and `https` are one, a name with and without `www.` are two) and the
path of a folder. A claim fits a place if its URI is that place followed by a path that can mean a file
(`paths_from_root.py`); if a page makes the claim about itself, that file must be the page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rehref.site._paths import decode_path, encode, origin
from rehref.site._placing.paths_from_root import Cut, FilePaths
from rehref.site._placing.samples import Claim
from rehref.uri.components import split

_FOR_EACH_AGAINST: Final = 3
_ENOUGH: Final = 2
_PAGE: Final = ".html"
_NOT_FOUND: Final = "404.html"  # shown for any URL


class FolderPlace(NamedTuple):
    """A possible place of a folder: an origin, and a decoded path, slashes at both ends."""

    origin: tuple[str, str]
    path: str


class Claimed(NamedTuple):
    """A place according to claims. `sources`: their kinds. `beginnings`: their spellings of scheme and host.

    `endings`: whether they write the `.html` at the end of the names of files.
    """

    place: FolderPlace
    sources: tuple[str, ...]
    beginnings: Counter[str]
    endings: Mapping[str, bool]

    @property
    def uri(self) -> str:
        """Return the URI of the place, its scheme and host spelt as in most of those claims, `https` before `http`."""
        beginning = max(self.beginnings, key=lambda one: (self.beginnings[one], one))
        return beginning + encode(self.place.path)

    @property
    def has_clean_urls(self) -> bool:
        """Whether `/a` means `a.html` there.

        It does if two files are written without the `.html` at the end of their names, and for each file written with
        it, three are written without it.
        """
        written = sum(self.endings.values())
        return len(self.endings) - written >= max(_ENOUGH, _FOR_EACH_AGAINST * written)


@dataclass(slots=True)
class _Fits:
    """What fits one place: the files, without the home page; the indexes of the claims."""

    files: set[str] = field(default_factory=set)
    has_home: bool = False
    claims: set[int] = field(default_factory=set)
    endings: dict[str, bool] = field(default_factory=dict)


def claimed(claims: Mapping[str, Sequence[Claim]], files: FilePaths) -> Claimed | None:
    """Return the place according to claims, by source; None if there is none, or they contradict.

    If no source yields a place, all of them together may. Sources with different places contradict each other.
    """
    given = [one for source, each in claims.items() if (one := _of_one(each, (source,), files)) is not None]
    if not given:
        return _of_one([claim for each in claims.values() for claim in each], tuple(claims), files)
    if any(one.place != given[0].place for one in given):
        return None
    beginnings: Counter[str] = sum((one.beginnings for one in given), Counter())
    endings = {file: is_written for one in given for file, is_written in one.endings.items()}
    sources = tuple(source for one in given for source in one.sources)
    return Claimed(given[0].place, sources, beginnings, endings)


def _of_one(claims: Sequence[Claim], sources: tuple[str, ...], files: FilePaths) -> Claimed | None:
    """Return the place according to some claims: the one that most files fit.

    It is taken if at least two files fit it, one of which is not the home page; if no other place fits as many; if for
    each claim that leads to no file of that place, there are three that fit; and if no more claims lead to other files
    of it than fit. So nothing is taken from pages that all name the home page, or another site, as the canonical one.
    """
    fits: defaultdict[FolderPlace, _Fits] = defaultdict(_Fits)
    reach: defaultdict[FolderPlace, set[int]] = defaultdict(set)
    for number, claim in enumerate(claims):
        for host, cut in _cuts(claim, files):
            place = FolderPlace(host, cut.folder)
            reach[place].add(number)
            if claim.path is None or claim.path == cut.file:
                found = fits[place]
                found.claims.add(number)
                found.has_home |= cut.is_home
                if not cut.is_home:
                    found.files.add(cut.file)
                    if cut.file.endswith(_PAGE) and not cut.is_index and cut.file != _NOT_FOUND:
                        found.endings[cut.file] = claim.uri.endswith(_PAGE)
    by_files = sorted(fits, key=lambda place: -len(fits[place].files))
    if not by_files or (len(by_files) > 1 and len(fits[by_files[0]].files) == len(fits[by_files[1]].files)):
        return None
    place = by_files[0]
    found = fits[place]
    agree, inside = len(found.claims), len(reach[place])
    against = len(claims) - inside
    if not found.files or len(found.files) + found.has_home < 2:
        return None
    if agree < _FOR_EACH_AGAINST * against or agree < inside - agree:
        return None
    beginnings = Counter(_beginning(claims[number].uri) for number in found.claims)
    return Claimed(place, sources, beginnings, found.endings)


def _cuts(claim: Claim, files: FilePaths) -> Iterator[tuple[tuple[str, str], Cut]]:
    """Yield the ways to cut the path of a claim, with its origin."""
    parts = split(claim.uri)
    if parts.authority:
        host = origin(parts)
        for cut in files.cuts(decode_path(parts.path) or "/"):
            yield host, cut


def _beginning(uri: str) -> str:
    """Return the scheme and the host of a URI."""
    parts = split(uri)
    return f"{parts.scheme or ''}://{parts.authority or ''}".lower()
