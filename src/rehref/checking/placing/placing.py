"""Where a folder is on the web: according to options, else to its files, else unknown.

1. The place comes from claims (`claims.py`), else from the host in `CNAME`, with the folder as its root.
2. It must fit what the pages refer to. It is not taken if the paths from the root have another prefix
   (`paths_from_root.py`), or if more of them lead to files as if the folder were the root than lead to files of that
   place; nor if most of the whole URIs of that place lead to no file, whether a URI counts once or for each page.
3. Without such a place, the host is unknown (`UNKNOWN_HOST`), and the folder is at the prefix of those paths, else at
   the root.
4. What is inferred is taken only if it is clear: a wrong place would make right links broken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from rehref.checking.model import UNKNOWN_HOST, Basis
from rehref.checking.origins import origin
from rehref.checking.paths import decode_path, encode
from rehref.checking.placing.claims import Claimed, Place, claimed
from rehref.checking.placing.file_paths import INDEXES, FilePaths
from rehref.checking.placing.host_signs import cname
from rehref.checking.placing.paths_from_root import ROOT, PathsFromRoot, paths_from_root
from rehref.checking.placing.samples import Sample, sample
from rehref.uri.components import split

_FEW: Final = 2
_OF_LINKS: Final = "paths from the root"


class Placed(NamedTuple):
    """The URI of a folder, and how it was found: `sources` names that, for people.

    `has_clean_urls`: whether its files also say that `/a` means `a.html`.
    """

    uri: str
    basis: Basis
    sources: tuple[str, ...] = ()
    has_clean_urls: bool = False


def infer_place(folder: Path, paths: Collection[str], pages: Sequence[str], index_names: Sequence[str] = ()) -> Placed:
    """Return where a folder is, from a sample of its files. `paths`: all of them; `pages`: the HTML files, in order.

    `index_names`: those of the host. Raises nothing.
    """
    files = FilePaths(paths, tuple(dict.fromkeys((*index_names, *INDEXES))))
    found = sample(folder, paths, pages)
    rooted = paths_from_root(found.from_root, files, found.bases)
    prefix = rooted.prefix()
    claim = claimed(found.claims, files) or _of_cname(cname(folder, paths))
    if claim is not None and _fits(claim.place, found, rooted, prefix, files):
        return Placed(claim.uri, "stated", claim.sources, claim.has_clean_urls)
    if prefix is not None:
        return Placed(UNKNOWN_HOST + encode(prefix), "links", (_OF_LINKS,))
    return Placed(f"{UNKNOWN_HOST}/", "root")


def _of_cname(name: str) -> Claimed | None:
    """Return the place according to `CNAME` (rule 1)."""
    if name == "":
        return None
    beginning = f"https://{name.lower()}"
    return Claimed(Place(origin(split(beginning)), ROOT), ("CNAME",), Counter((beginning,)), {})


def _fits(place: Place, found: Sample, rooted: PathsFromRoot, prefix: str | None, files: FilePaths) -> bool:
    """Whether a place fits what the pages refer to (rule 2)."""
    if prefix is not None and prefix != place.path:
        return False
    counts = Counter(uri for page in found.whole for uri in page if place.origin[1] in uri.lower())
    right: list[int] = []
    wrong: list[int] = []
    for uri, count in counts.items():
        below = _below(uri, place)
        if below is not None:
            (wrong if files.file_of(below) is None else right).append(count)
    if len(wrong) > max(_FEW, len(right)) and sum(wrong) > sum(right):
        return False
    return place.path == ROOT or rooted.weight(ROOT) <= rooted.weight(place.path) + sum(right)


def _below(uri: str, place: Place) -> str | None:
    """Return the path of a URI below a place; None if it is not below."""
    parts = split(uri)
    path = decode_path(parts.path) or "/"
    return path[len(place.path) :] if path.startswith(place.path) and origin(parts) == place.origin else None
