"""Which file a path of a URL can mean, and where the folder is on its host according to the paths from the root.

A path is cut after each of its slashes: the part before the cut may be the path of the folder, the part after it a path
below the folder. Each path counts once for each page that refers to it, so that a path on every page outweighs a path
on a few.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from rehref.site._paths import decode_path

INDEXES: Final = ("index.html", "index.htm")
_DEEPEST: Final = 16


class Cut(NamedTuple):
    """A path, cut: the path of the folder, slashes at both ends; the file below it that the rest means.

    `is_index`: whether that is the index of a folder; `is_home`: the index of the folder itself.
    """

    folder: str
    file: str
    is_index: bool
    is_home: bool


class FilePaths:
    """Finds files for paths."""

    def __init__(self, paths: Collection[str], index_names: tuple[str, ...] = INDEXES) -> None:
        """`paths`: the files below the folder."""
        self._paths = paths
        self._indexes = index_names

    def file_of(self, path: str) -> str | None:
        """Return the file that a decoded path below the folder can mean; "" means the index of the folder itself.

        It means the file of that name; or the index of the folder; or, as with clean URLs, the file with `.html` added.
        The slash at its end may be missing or superfluous. Any URL with a slash at its end can be cut so that it means
        the home page: this is weak evidence.
        """
        if path in self._paths:
            return path
        stem = path.rstrip("/")
        folder = f"{stem}/" if stem else ""
        others = [folder + name for name in self._indexes]
        if stem:
            others.append(f"{stem}.html")
        return next((other for other in others if other in self._paths), None)

    def cuts(self, path: str) -> Iterator[Cut]:
        """Yield the ways to cut a decoded path from the root that leave a file, the shortest folder first."""
        end = 0
        for _ in range(_DEEPEST):
            file = self.file_of(path[end + 1 :])
            if file is not None:
                is_index = file.rpartition("/")[2] in self._indexes
                yield Cut(path[: end + 1], file, is_index, is_home=is_index and "/" not in file)
            end = path.find("/", end + 1)
            if end == -1:
                break
        else:
            return
        if not path.endswith("/") and (home := self.file_of("")) is not None:
            yield Cut(f"{path}/", home, is_index=True, is_home=True)


ROOT: Final = "/"
_ENOUGH: Final = 3
_ENOUGH_WITH_BASE: Final = 2
_CLEARLY: Final = 4


class PathsFromRoot(NamedTuple):
    """The paths from the root that pages refer to. `counts`: decoded, with the number of pages.

    `bases`: the folders, decoded, that `base` elements have.
    """

    counts: Counter[str]
    fitting: dict[str, set[str]]
    """By prefix: the paths that fit it."""
    bases: frozenset[str] = frozenset()

    def weight(self, prefix: str) -> int:
        """Return how often paths that fit a prefix are referred to."""
        return sum(self.counts[path] for path in self.fitting.get(prefix, ()))

    def prefix(self) -> str | None:
        """Return the prefix that is taken; None if none is clear.

        A path fits a prefix if the rest after it means a file other than the home page. A prefix other than the root is
        taken if four times as many fit it as fit the root; if at least half of the paths that begin with it fit; and if
        no other prefix fits half as many, except those that begin with it, or with which it begins.
        """
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
        """Return how many different paths must fit a prefix.

        They are fewer if a `base` element has the prefix (`<base href="/app/">`), and no path fits the root.
        """
        return _ENOUGH_WITH_BASE if prefix in self.bases and ROOT not in self.fitting else _ENOUGH


def paths_from_root(
    pages: Iterable[frozenset[str]], files: FilePaths, bases: Iterable[str] = frozenset()
) -> PathsFromRoot:
    """Return the paths of a sample. `pages`: those of each page; `bases`: those of `base` elements, as written."""
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
    """Return the folder, decoded, that a path from the root is in, or is."""
    return decode_path(base.partition("?")[0].partition("#")[0].rpartition("/")[0] + "/")
