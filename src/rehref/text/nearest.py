"""What an author may have meant by a name that does not exist.

1. The nearest name is the one that has most in common with the written name, capitals aside; if all have little in
   common (less than `enough`, of 1), there is none.
2. A name is near if the written name begins with it, or it begins with the written name.
"""

from __future__ import annotations

from collections.abc import Collection

_ENOUGH = 0.6
_LONGEST = 100


def nearest(written: str, names: Collection[str], enough: float = _ENOUGH) -> str | None:
    """Which of these names is nearest to what was written; None if none is near (rules 1 and 2)."""
    from difflib import get_close_matches  # only errors need it

    if len(written) > _LONGEST:
        return None
    by_lower = {name.lower(): name for name in names}
    lowered = written.lower()
    found = get_close_matches(lowered, by_lower, 1, enough)
    if not found and len(lowered) > 1:
        found = [name for name in by_lower if name.startswith(lowered) or lowered.startswith(name)][:1]
    return by_lower[found[0]] if found else None


def did_you_mean(written: str, names: Collection[str]) -> str:
    """`did you mean X?`, or, if none is near, all names: `take one of X, Y, Z`."""
    near = nearest(written, names)
    return f"take one of {', '.join(names)}" if near is None else f"did you mean {near}?"
