"""What of a site is checked: which documents, and which of the targets that they refer to.

1. Documents that `exclude_paths` matches are not checked. They may be linked to all the same, so their names are read.
2. A target is checked if one of the expressions of `include` is found in it, or there are none, and none of `exclude`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from rehref.checking.ignoring import is_excluded
from rehref.checking.options import CheckOptions


@dataclass(frozen=True, slots=True)
class CheckScope:
    """What of a site is checked.

    `documents`: the paths of all that are read, in order; `unchecked`: those of which only the names are taken.
    """

    options: CheckOptions = field(default_factory=CheckOptions)
    documents: tuple[str, ...] = ()
    unchecked: frozenset[str] = frozenset()

    @property
    def checked(self) -> list[str]:
        """The documents that are checked, in order."""
        return [path for path in self.documents if path not in self.unchecked]

    @property
    def is_narrowed(self) -> bool:
        """Whether not all targets are checked."""
        return bool(self.options.include or self.options.exclude)

    def chooses(self, uri: str) -> bool:
        """Whether a target is checked (rule 2)."""
        include, exclude = self.options.include, self.options.exclude
        is_included = not include or any(pattern.search(uri) for pattern in include)
        return is_included and not any(pattern.search(uri) for pattern in exclude)

    def leaves_out(self, path: str) -> bool:
        """Whether a file is not checked (rule 1)."""
        return is_excluded(path, self.options.exclude_paths)
