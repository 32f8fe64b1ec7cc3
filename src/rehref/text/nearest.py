"""What somebody may have meant who wrote a name that there is not.

1. The nearest name is the one that has most in common with what was written, capitals aside; if all have little, there
   is none.
2. A name that what was written begins, or that begins what was written, is near.
"""

from __future__ import annotations

from collections.abc import Collection

_ENOUGH = 0.6
_LONGEST = 100


def nearest(written: str, names: Collection[str]) -> str | None:
    """Which of these names is nearest to what was written; None if none is near (rules 1 and 2)."""
    from difflib import get_close_matches  # only what is wrong needs it

    if len(written) > _LONGEST:
        return None
    by_lower = {name.lower(): name for name in names}
    lowered = written.lower()
    found = get_close_matches(lowered, by_lower, 1, _ENOUGH)
    if not found and len(lowered) > 1:
        found = [name for name in by_lower if name.startswith(lowered) or lowered.startswith(name)][:1]
    return by_lower[found[0]] if found else None


def did_you_mean(written: str, names: Collection[str]) -> str:
    """`did you mean X?`, or, where nothing is near, what there is: `take one of X, Y, Z`."""
    near = nearest(written, names)
    return f"take one of {', '.join(names)}" if near is None else f"did you mean {near}?"
