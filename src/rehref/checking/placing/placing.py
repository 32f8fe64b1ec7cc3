"""Where a folder is on the web: what options say, else what its files say, else nothing.

1. A place is what claims give (`claims.py`), else the host in `CNAME`, with the folder as its root.
2. It has to fit what the pages refer to. It is not taken if the paths from the root have another prefix
   (`paths_from_root.py`), or lead to files of the folder as if it were the root, more of them than all those that lead
   to files of that place; nor if most of the whole URIs of that place lead to none.
3. Without such a place the host is not known (`UNKNOWN_HOST`), and the folder
   is where the prefix of those paths says, else the root.
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
    """The URI of a folder, and by which means: `sources` names them, for people.

    `has_clean_urls`: whether its files say, too, that `/a` stands for `a.html`.
    """

    uri: str
    basis: Basis
    sources: tuple[str, ...] = ()
    has_clean_urls: bool = False


def infer_place(folder: Path, paths: Collection[str], pages: Sequence[str], index_names: Sequence[str] = ()) -> Placed:
    """Where a folder is, by a sample of its files. `paths`: all of them; `pages`: those that are HTML, in order.

    `index_names`: those that the host has. Raises nothing.
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
    """The place that `CNAME` gives (rule 1)."""
    if name == "":
        return None
    beginning = f"https://{name.lower()}"
    return Claimed(Place(origin(split(beginning)), ROOT), ("CNAME",), Counter((beginning,)), {})


def _fits(place: Place, found: Sample, rooted: PathsFromRoot, prefix: str | None, files: FilePaths) -> bool:
    """Whether a place fits what the pages refer to (rule 2)."""
    if prefix is not None and prefix != place.path:
        return False
    counts = Counter(uri for page in found.whole for uri in page if place.origin[1] in uri.lower())
    right = wrong = weight = 0
    for uri, count in counts.items():
        below = _below(uri, place)
        if below is not None:
            is_file = files.file_of(below) is not None
            right += is_file
            wrong += not is_file
            weight += count * is_file
    if wrong > max(_FEW, right):
        return False
    return place.path == ROOT or rooted.weight(ROOT) <= rooted.weight(place.path) + weight


def _below(uri: str, place: Place) -> str | None:
    """The path of a URI below a place; None if it is not there."""
    parts = split(uri)
    path = decode_path(parts.path) or "/"
    return path[len(place.path) :] if path.startswith(place.path) and origin(parts) == place.origin else None
