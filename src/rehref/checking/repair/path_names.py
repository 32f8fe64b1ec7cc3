"""The names in the paths of files, and paths by what they have in common. A folder has a slash at its end."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable


def last_name(path: str) -> str:
    """The last name of a path, with the slash of a folder."""
    return path[path.rfind("/", 0, -1) + 1 :]


def two_names(path: str) -> str:
    """The last two names of a path; only one, with a slash before it, if there are no two."""
    before = path[: -len(last_name(path))]
    return last_name(before) + last_name(path) if before != "" else "/" + path


def cut(path: str) -> tuple[str, str]:
    """A path up to the extension of its last name, and that, with its dot; that of a folder is its slash."""
    if path.endswith("/"):
        return path[:-1], "/"
    start = path.rfind("/") + 1
    dot = path.rfind(".", start + 1)
    return (path, "") if dot == -1 else (path[:dot], path[dot:])


def ends_first(found: Iterable[str], path: str) -> list[str]:
    """Paths, first those that are the end of a path."""
    return sorted(found, key=lambda other: not path.endswith(f"/{other}"))


def grouped(texts: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    """Texts by what they have in common, each group in order."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for text in sorted(texts):
        groups[key(text)].append(text)
    return dict(groups)
