"""Where the folder is on its host, by the paths from the root that its pages refer to.

1. A path fits a prefix if what follows the prefix stands for a file (`file_paths.py`) that is not the home page. Each
   counts once for a page that refers to it, so that what every page refers to goes before what some do.
2. A prefix other than the root is taken if three different paths fit it; if four times as many fit it as fit the root;
   if at least half of those that begin with it fit; and if no other prefix, but for those that it begins with or that
   begin with it, fits half as many.
3. Two different paths are enough if the prefix is what a `base` element has (`<base href="/app/">`), and no path at all
   fits the root.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rehref.checking.paths import decode_path
from rehref.checking.placing.file_paths import FilePaths

ROOT: Final = "/"
_ENOUGH: Final = 3
_ENOUGH_WITH_BASE: Final = 2
_CLEARLY: Final = 4


@dataclass(frozen=True, slots=True)
class PathsFromRoot:
    """The paths from the root that pages refer to. `counts`: decoded, and by how many pages.

    `bases`: the folders, decoded, that `base` elements have.
    """

    counts: Counter[str]
    fitting: dict[str, set[str]]
    """By prefix: the paths that fit it."""
    bases: frozenset[str] = frozenset()

    def weight(self, prefix: str) -> int:
        """How often paths that fit a prefix are referred to."""
        return sum(self.counts[path] for path in self.fitting.get(prefix, ()))

    def prefix(self) -> str | None:
        """The prefix that is taken; None if none is clear (rules 2, 3)."""
        found = [one for one in self.fitting if one != ROOT]
        best = max(found, key=lambda one: (self.weight(one), -len(one)), default=None)
        if best is None or len(self.fitting[best]) < self._enough(best):
            return None
        weight = self.weight(best)
        beginning = sum(count for path, count in self.counts.items() if path.startswith(best))
        others = [self.weight(one) for one in found if not one.startswith(best) and not best.startswith(one)]
        is_clear = weight >= _CLEARLY * self.weight(ROOT) and 2 * weight >= beginning
        return best if is_clear and weight > 2 * max(others, default=0) else None

    def _enough(self, prefix: str) -> int:
        """How many different paths have to fit a prefix (rules 2, 3)."""
        return _ENOUGH_WITH_BASE if prefix in self.bases and ROOT not in self.fitting else _ENOUGH


def paths_from_root(
    pages: Iterable[frozenset[str]], files: FilePaths, bases: Iterable[str] = frozenset()
) -> PathsFromRoot:
    """What the pages of a sample have. `pages`: the paths of each; `bases`: those of `base` elements, as written."""
    counts: Counter[str] = Counter()
    for written in pages:
        counts.update({decode_path(each.partition("?")[0]) for each in written})
    fitting: defaultdict[str, set[str]] = defaultdict(set)
    for path in counts:
        for cut in files.cuts(path):
            if not cut.is_home:
                fitting[cut.folder].add(path)
    return PathsFromRoot(counts, dict(fitting), frozenset(map(_folder_of, bases)))


def _folder_of(base: str) -> str:
    """The folder, decoded, that a path from the root is in, or is."""
    return decode_path(base.partition("?")[0].partition("#")[0].rpartition("/")[0] + "/")
