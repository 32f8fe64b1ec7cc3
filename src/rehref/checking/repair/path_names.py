"""The names in the paths of files, and groups of paths. The path of a folder ends with a slash."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable


def last_name(path: str) -> str:
    """The last name of a path; that of a folder with its slash."""
    return path[path.rfind("/", 0, -1) + 1 :]


def two_names(path: str) -> str:
    """The last two names of a path; if it has only one, that one with a slash before it."""
    before = path[: -len(last_name(path))]
    return last_name(before) + last_name(path) if before != "" else "/" + path


def cut(path: str) -> tuple[str, str]:
    """A path without the extension of its last name, and the extension with its dot; for a folder, its slash."""
    if path.endswith("/"):
        return path[:-1], "/"
    start = path.rfind("/") + 1
    dot = path.rfind(".", start + 1)
    return (path, "") if dot == -1 else (path[:dot], path[dot:])


def ends_first(found: Iterable[str], path: str) -> list[str]:
    """Paths, beginning with those that are the end of `path`."""
    return sorted(found, key=lambda other: not path.endswith(f"/{other}"))


def grouped(texts: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    """Texts grouped by a key, each group in the order of the texts."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for text in texts:
        groups[key(text)].append(text)
    return dict(groups)
