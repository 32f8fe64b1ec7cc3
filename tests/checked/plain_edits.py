"""How many edits are between two names, as it is defined."""

from __future__ import annotations

from rehref.text.encoding import alike_up_to


def is_within(one: str, other: str, most: int) -> bool:
    """The definition of `edits`, step by step: slow, and plain."""
    same = alike_up_to(one, other)
    one, other = one[same:], other[same:]
    if one == "" or other == "":
        return len(one) + len(other) <= most
    if most == 0:
        return False
    if one[:2] == other[1::-1] and one[2:] == other[2:]:
        return True
    rest, other_rest, fewer = one[1:], other[1:], most - 1
    return is_within(rest, other_rest, fewer) or is_within(rest, other, fewer) or is_within(one, other_rest, fewer)
