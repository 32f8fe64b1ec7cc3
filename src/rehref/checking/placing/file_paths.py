"""Which file a path of a URL can mean, wherever the folder is, and whatever the host does.

1. A path is cut after each of its slashes: the part before the cut may be the path of the folder, the part after it a
   path below the folder. That part means the file of that name; or the index of the folder; or, as with clean URLs, the
   file with `.html` added. The slash at its end may be missing or superfluous.
2. If the part after the cut is empty, it means the index of the folder itself, the home page. Any URL with a slash at
   its end can be cut so: this is weak evidence.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

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
        """Return the file that a decoded path below the folder can mean (rule 1)."""
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
