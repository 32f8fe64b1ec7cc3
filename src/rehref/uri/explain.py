"""How a target comes about: each step of the algorithm that a profile follows, as values.

1. RFC 3986: the lines of the pseudocode of §5.2.2 that were reached, each condition with its answer and each assignment
   with its value; within them remove_dot_segments (§5.2.4) step by step, 2A to 2E, with the two buffers.
2. RFC 2396: the steps 1 to 7 of §5.2, step 6 with its buffer after each of 6a to 6g.
3. The URL Standard's parser has several hundred steps, which nobody wants to see: a statement stands for them.
4. The target is always what `Resolver` gives (a test compares them). This module computes it on its own way, literally;
   it is for showing.
5. Buffers are recorded for the first `LIMIT` steps only, so that what is recorded stays linear; nothing else is left
   out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from rehref.uri import whatwg
from rehref.uri.components import Components, split, unsplit
from rehref.uri.resolver import PROFILES, Profile, resolve
from rehref.uri.rfc3986 import guard, merge

LIMIT = 100


class DotStep(NamedTuple):
    """One round of remove_dot_segments: the rule applied ("2A" … "2E"), and the buffers after it."""

    rule: str
    input: str
    output: str


@dataclass(frozen=True, slots=True)
class Condition:
    """A line of the pseudocode that asks: `if defined(R.scheme) then`."""

    depth: int
    text: str
    holds: bool


@dataclass(frozen=True, slots=True)
class Assignment:
    """A line of the pseudocode that sets: `T.path = merge(Base.path, R.path);`, and the value (None: undefined).

    `name` is "" where the expression is the whole line: `undefine(R.scheme)`.
    """

    depth: int
    name: str
    expression: str
    value: str | None
    removal: tuple[DotStep, ...] = ()
    """The rounds of remove_dot_segments; the first shows the buffers as they were before."""
    unrecorded: int = 0
    """How many rounds more there were."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A step told in words, its number (`6a`, or ""), and what it leaves behind (None: nothing to show)."""

    number: str
    text: str
    value: str | None = None


Step: TypeAlias = Condition | Assignment | Statement


@dataclass(frozen=True, slots=True)
class Explanation:
    """How one reference was resolved: what went in, the steps, and the target (None: the profile finds none)."""

    profile: Profile
    base: Components
    reference: Components
    steps: tuple[Step, ...]
    target: str | None
    others: tuple[tuple[Profile, str | None], ...]
    """What the profiles give that disagree with this one."""


def explain(base: str, reference: str, profile: Profile = "rfc3986") -> Explanation:
    """Resolve a reference against a base URI and tell how. Raises ValueError for an unknown profile."""
    if profile not in PROFILES:
        raise ValueError(f"unknown profile {profile!r}; there are {', '.join(PROFILES)}")
    from_base, from_reference = split(base), split(reference)
    steps: list[Step] = []
    target: str | None
    if profile == "whatwg":
        target = whatwg.resolve_or_none(base, reference)
        steps.append(_browser_step(target))
    elif profile == "rfc2396":
        target = _rfc2396(from_base, from_reference, steps)
    else:
        target = _rfc3986(from_base, from_reference, steps, compat=profile == "rfc3986-compat")
    others = tuple(
        (other, given)
        for other in PROFILES
        if other != profile and (given := _resolve_or_none(base, reference, other)) != target
    )
    return Explanation(profile, from_base, from_reference, tuple(steps), target, others)


def _resolve_or_none(base: str, reference: str, profile: Profile) -> str | None:
    try:
        return resolve(base, reference, profile)
    except whatwg.ResolutionError:
        return None


def _browser_step(target: str | None) -> Statement:
    text = "the basic URL parser is run on the reference, with the base URL"
    return Statement("", text if target is not None else text + ", and returns failure")


def _rfc3986(base: Components, reference: Components, steps: list[Step], *, compat: bool) -> str:
    """The pseudocode of RFC 3986 §5.2.2, line by line; §5.3 in the end."""

    def ask(depth: int, text: str, holds: bool) -> bool:
        steps.append(Condition(depth, f"if {text} then", holds))
        return holds

    def let(depth: int, name: str, expression: str, value: str | None) -> str | None:
        steps.append(Assignment(depth, f"T.{name}", expression, value))
        return value

    def let_path(depth: int, path: str, expression: str) -> str:
        rounds, more, result = remove_dot_segments(path)
        steps.append(Assignment(depth, "T.path", f"remove_dot_segments({expression})", result, rounds, more))
        return result

    scheme, authority, path, query, fragment = reference
    if compat:
        same = scheme is not None and base.scheme is not None and scheme.lower() == base.scheme.lower()
        if ask(0, "(not strict and (R.scheme == Base.scheme))", same):
            scheme = None
            steps.append(Assignment(1, "", "undefine(R.scheme)", None))
    if ask(0, "defined(R.scheme)", scheme is not None):
        let(1, "scheme", "R.scheme", scheme)
        let(1, "authority", "R.authority", authority)
        path = let_path(1, path, "R.path")
        let(1, "query", "R.query", query)
    else:
        if ask(1, "defined(R.authority)", authority is not None):
            let(2, "authority", "R.authority", authority)
            path = let_path(2, path, "R.path")
            let(2, "query", "R.query", query)
        else:
            if ask(2, '(R.path == "")', path == ""):
                path = base.path
                let(3, "path", "Base.path", path)
                if ask(3, "defined(R.query)", query is not None):
                    let(4, "query", "R.query", query)
                else:
                    query = let(4, "query", "Base.query", base.query)
            else:
                if ask(3, '(R.path starts-with "/")', path.startswith("/")):
                    path = let_path(4, path, "R.path")
                else:
                    path = merge(base, path)
                    let(4, "path", "merge(Base.path, R.path)", path)
                    path = let_path(4, path, "T.path")
                let(3, "query", "R.query", query)
            authority = let(2, "authority", "Base.authority", base.authority)
        scheme = let(1, "scheme", "Base.scheme", base.scheme)
    let(0, "fragment", "R.fragment", fragment)
    guarded = guard(scheme, authority, path)
    if guarded != path:
        steps.append(Statement("§3.3", "this path would be read as something else, so it is written", guarded))
    return unsplit((scheme, authority, guarded, query, fragment))


def remove_dot_segments(path: str) -> tuple[tuple[DotStep, ...], int, str]:
    """Remove dot segments literally as RFC 3986 §5.2.4 says: the rounds, how many were not recorded, and the result.

    A path without dot segments has no rounds worth showing: none are recorded, and none counted.
    """
    rounds = [DotStep("1", path, "")]
    output: list[str] = []
    unrecorded = at = 0
    removed = False
    while at < len(path):
        rule, at, replaced = _round(path, at, output)
        removed = removed or rule != "2E"
        if len(rounds) <= LIMIT:
            rounds.append(DotStep(rule, replaced + path[at:], "".join(output)))
        else:
            unrecorded += 1
        if replaced:  # the "/" that stands in the place of what was taken away at the very end
            output.append("/")
            rounds.append(DotStep("2E", "", "".join(output)))
    result = "".join(output)
    return (tuple(rounds), unrecorded, result) if removed else ((), 0, result)


def _round(path: str, at: int, output: list[str]) -> tuple[str, int, str]:
    """One round of §5.2.4, on the input buffer that begins at `at`: the rule, where the input buffer begins then, and
    the "/" it begins with besides, where none stands in the path at that place.
    """
    rest = len(path) - at
    # 2A: a prefix of "../" or "./" is removed
    for prefix in ("../", "./"):
        if path.startswith(prefix, at):
            return "2A", at + len(prefix), ""
    # 2B: "/./" or "/." becomes "/"
    if path.startswith("/./", at):
        return "2B", at + 2, ""
    if rest == 2 and path.endswith("/."):
        return "2B", at + 2, "/"
    # 2C: "/../" or "/.." becomes "/", and the last segment leaves the output buffer
    if path.startswith("/../", at) or (rest == 3 and path.endswith("/..")):
        if output:
            output.pop()
        return "2C", at + 3, "" if rest > 3 else "/"
    # 2D: "." or ".." alone is removed
    if rest <= 2 and path[at:] in (".", ".."):
        return "2D", len(path), ""
    # 2E: the first segment moves to the output buffer, with the "/" before it
    end = path.find("/", at + 1)
    end = len(path) if end == -1 else end
    output.append(path[at:end])
    return "2E", end, ""


def _rfc2396(base: Components, reference: Components, steps: list[Step]) -> str:
    """The steps of RFC 2396 §5.2."""

    def tell(number: str, text: str, value: str | None = None) -> None:
        steps.append(Statement(number, text, value))

    scheme, authority, path, query, fragment = reference
    tell("1", "the reference is parsed into its components")
    if scheme is None and authority is None and path == "" and query is None:
        tell(
            "2", "path empty; scheme, authority and query undefined: a reference to the current document, left as it is"
        )
        return unsplit(reference)
    tell("2", "not a reference to the current document")
    if scheme is not None:
        tell("3", "the scheme is defined: the reference is an absolute URI, and done", scheme)
        return unsplit(reference)
    tell("3", "the scheme is undefined, and inherited from the base", base.scheme)
    if authority is not None:
        tell("4", "the authority is defined: on to step 7", authority)
    else:
        authority = base.authority
        tell("4", "the authority is undefined, and inherited from the base", authority)
        if path.startswith("/"):
            tell("5", "the path begins with a slash, and is absolute: on to step 7", path)
        else:
            tell("5", "the path does not begin with a slash")
            path = _rfc2396_merge(base, path, steps)
    target = unsplit((base.scheme, authority, path, query, fragment))
    tell("7", "the components are combined", target)
    return target


def _rfc2396_merge(base: Components, path: str, steps: list[Step]) -> str:
    """Step 6: the path is merged with the base's, in a buffer."""

    def tell(number: str, text: str, buffer: str) -> None:
        steps.append(Statement(number, text, buffer))

    base_path = "/" if base.path == "" and base.authority is not None else base.path
    buffer = base_path[: base_path.rfind("/") + 1]
    tell("6a", "all but the last segment of the base's path is copied to the buffer", buffer)
    buffer += path
    tell("6b", "the reference's path is appended", buffer)
    root, segments = ("/", buffer[1:].split("/")) if buffer.startswith("/") else ("", buffer.split("/"))
    segments = [segment for segment in segments[:-1] if segment != "."] + segments[-1:]
    tell("6c", 'all "./" that are a whole segment are removed', root + "/".join(segments))
    if segments[-1] == ".":
        segments[-1] = ""
    tell("6d", 'a "." that is the last segment is removed', root + "/".join(segments))
    segments = [*_climb(segments[:-1]), segments[-1]]
    tell(
        "6e", 'all "<segment>/../" are removed, where <segment> is not "..", leftmost first', root + "/".join(segments)
    )
    if segments[-1] == ".." and len(segments) > 1 and segments[-2] != "..":
        segments[-2:] = [""]
    buffer = root + "/".join(segments)
    tell("6f", 'a "<segment>/.." at the end is removed', buffer)
    if ".." in segments:
        tell("6g", 'the ".." that are left have nothing to remove, and stay (Appendix C.2)', buffer)
    return buffer


def _climb(segments: list[str]) -> list[str]:
    """Remove each ".." together with the segment before it, leftmost first."""
    output: list[str] = []
    for segment in segments:
        if segment == ".." and output and output[-1] != "..":
            output.pop()
        else:
            output.append(segment)
    return output
