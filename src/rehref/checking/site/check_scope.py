"""What of a site is checked: which documents, and which of their targets.

1. Documents that match `exclude_paths` are not checked. They may still be linked to: then their names are read.
2. If files are named, only these, and the documents in named folders, are checked: within the same site, with the same
   findings as in a check of all. Findings about anything else are not reported.
3. A reference is checked if one of the expressions of `include` is found in it as it is written, or in its target, or
   there are no such expressions; and none of `exclude` is found. In a target on an unknown host, only the part after
   the host is searched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from rehref.checking.expressions import Searched
from rehref.checking.ignoring import is_excluded
from rehref.checking.model import UNKNOWN_HOST
from rehref.checking.options import CheckOptions


class CheckScope(NamedTuple):
    """What of a site is checked.

    `documents`: the paths of all documents, in order; `unchecked`: those that are not checked; `named`: the only files
    and folders to check, None for the whole site.
    """

    options: CheckOptions = CheckOptions()
    documents: tuple[str, ...] = ()
    unchecked: frozenset[str] = frozenset()
    named: frozenset[str] | None = None

    @property
    def checked(self) -> list[str]:
        """The documents that are checked, in order."""
        return [path for path in self.documents if path not in self.unchecked]

    @property
    def is_narrowed(self) -> bool:
        """Whether not all targets are checked."""
        return bool(self.options.include or self.options.exclude)

    def chooses(self, uri: str, reference: str = "") -> bool:
        """Whether a reference with that target is checked (rule 3)."""
        if not self.is_narrowed:
            return True
        include, exclude = self.options.include, self.options.exclude
        return (not include or is_found(include, uri, reference)) and not is_found(exclude, uri, reference)

    def leaves_out(self, path: str) -> bool:
        """Whether a file is not checked (rule 1)."""
        return is_excluded(path, self.options.exclude_paths)

    def reports(self, path: str) -> bool:
        """Whether findings about a file, or about one that is not there, are reported (rule 2)."""
        return self.named is None or _is_named(path, self.named)


def is_found(patterns: Iterable[Searched], uri: str, reference: str) -> bool:
    """Whether an expression matches in a reference or in its target (rule 3)."""
    target = uri.removeprefix(UNKNOWN_HOST)
    return any(pattern.search(target) or pattern.search(reference) for pattern in patterns)


def scope_of(options: CheckOptions, documents: Sequence[str]) -> CheckScope:
    """Return what is checked of the documents of a site, given in order (rules 1, 2)."""
    globs = options.exclude_paths
    unchecked = {path for path in documents if is_excluded(path, globs)} if globs else set()
    named = None if options.files is None else frozenset(options.files)
    if named is not None:
        unchecked |= {path for path in documents if not _is_named(path, named)}
    return CheckScope(options, tuple(documents), frozenset(unchecked), named)


def _is_named(path: str, named: Collection[str]) -> bool:
    """Whether a path, or a folder that contains it, is among `named` (rule 2); "" is the whole folder."""
    end = len(path)
    while end > 0:
        if path[:end] in named:
            return True
        end = path.rfind("/", 0, end)
    return "" in named
