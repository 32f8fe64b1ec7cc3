"""Where the folder is on its host, by the paths from the root that its pages refer to.

1. A path fits a prefix if what follows the prefix stands for a file (`file_paths.py`) that is not the home page. Each
   counts once for a page that refers to it, so that what every page refers to goes before what some do.
2. A prefix other than the root is taken if three different paths fit it; if four times as many fit it as fit the root;
   if at least half of those that begin with it fit; and if no other prefix, but for those that it begins with or that
   begin with it, fits half as many.
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
_CLEARLY: Final = 4


@dataclass(frozen=True, slots=True)
class PathsFromRoot:
    """The paths from the root that pages refer to. `counts`: decoded, and by how many pages."""

    counts: Counter[str]
    fitting: dict[str, set[str]]
    """By prefix: the paths that fit it."""

    def weight(self, prefix: str) -> int:
        """How often paths that fit a prefix are referred to."""
        return sum(self.counts[path] for path in self.fitting.get(prefix, ()))

    def prefix(self) -> str | None:
        """The prefix that is taken; None if none is clear (rule 2)."""
        found = [one for one in self.fitting if one != ROOT]
        best = max(found, key=lambda one: (self.weight(one), -len(one)), default=None)
        if best is None or len(self.fitting[best]) < _ENOUGH:
            return None
        weight = self.weight(best)
        beginning = sum(count for path, count in self.counts.items() if path.startswith(best))
        others = [self.weight(one) for one in found if not one.startswith(best) and not best.startswith(one)]
        is_clear = weight >= _CLEARLY * self.weight(ROOT) and 2 * weight >= beginning
        return best if is_clear and weight > 2 * max(others, default=0) else None


def paths_from_root(pages: Iterable[frozenset[str]], files: FilePaths) -> PathsFromRoot:
    """What the pages of a sample refer to. `pages`: the paths of each, as they are written."""
    counts: Counter[str] = Counter()
    for written in pages:
        counts.update({decode_path(each.partition("?")[0]) for each in written})
    fitting: defaultdict[str, set[str]] = defaultdict(set)
    for path in counts:
        for cut in files.cuts(path):
            if not cut.is_home:
                fitting[cut.folder].add(path)
    return PathsFromRoot(counts, dict(fitting))
