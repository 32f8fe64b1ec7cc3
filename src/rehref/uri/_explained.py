"""How a reference becomes a target: each step of the algorithm that a profile follows, as values.

1. The algorithms of the RFCs record their steps themselves (`rfc3986`, rule 5).
2. The URL Standard's parser has several hundred steps, too many to show: one statement stands for them.
"""

from __future__ import annotations

from dataclasses import dataclass

from rehref.exceptions import refuse_unknown
from rehref.uri import _rfc2396 as rfc2396
from rehref.uri._rfc3986 import Step, Steps, transform
from rehref.uri.components import Components, refuse_other_types, split, unsplit
from rehref.uri.resolver import PROFILES, Profile, Resolver


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one reference was resolved: what went in, the steps, and the target (None: the profile finds none)."""

    profile: Profile
    base: Components
    reference: Components
    steps: tuple[Step, ...]
    target: str | None
    others: tuple[tuple[Profile, str | None], ...]
    """The targets in the profiles that disagree with this one."""


def explain(base: str, reference: str, profile: Profile = "rfc3986") -> Explanation:
    """Resolve a reference against a base URI, and report each step.

    Raises ValueError for an unknown profile, TypeError for what is not a str.
    """
    refuse_other_types("base", base)
    refuse_other_types("reference", reference)
    refuse_unknown("profile", profile, PROFILES)
    from_base, from_reference = split(base), split(reference)
    taken: list[Step] = []
    steps = Steps(taken)
    target: str | None
    if profile == "whatwg":
        target = Resolver(base, profile).or_none(reference)
        failure = "" if target is not None else ", and returns failure"
        steps.note("", f"the basic URL parser is run on the reference, with the base URL{failure}")
    elif profile == "rfc2396":
        target = rfc2396.resolve(from_base, from_reference, steps)
    else:
        target = unsplit(transform(from_base, from_reference, compat=profile == "rfc3986-compat", steps=steps))
    others = tuple(
        (other, given)
        for other in PROFILES
        if other != profile and (given := Resolver(base, other).or_none(reference)) != target
    )
    return Explanation(profile, from_base, from_reference, tuple(taken), target, others)
