"""Reference resolution (RFC 3986 §5.2), literally: the algorithm, step by step.

1. The result is what the pseudocode of §5.2.2 gives, character for character; nothing is normalized besides
   the dot segments the algorithm itself removes.
2. One guard: a path that would begin with `//` without an authority before it is written `/.//…` (§3.3), so that
   the result, split again, has the components that were meant.
3. Strict by default; with `compat`, a scheme equal to the base's is ignored (§5.2.2, "for backward
   compatibility"). Schemes compare without regard to case (§3.1).
4. Whether the base is a valid base URI is not checked here. A base without a scheme, or with a rootless path, follows
   the algorithm literally.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rehref.uri.components import Components, split
from rehref.uri.steps import UNSEEN, Rounds, Steps

# A "." or ".." that is a whole segment
HAS_DOT_SEGMENT = re.compile(r"(?:\A|/)\.\.?+(?![^/])").search


def remove_dot_segments(path: str, watch: Callable[[str, str, int, list[str]], None] | None = None) -> str:
    """Remove "." and ".." segments from a path (RFC 3986 §5.2.4), in linear time.

    `watch` is called after each round; see `Rounds.add`. Without dot segments there are none.
    """
    if HAS_DOT_SEGMENT(path) is None:
        return path
    output: list[str] = []
    at, slash = 0, ""
    while at < len(path):
        end = path.find("/", at + 1)
        end = len(path) if end == -1 else end
        segment = path[at:end]
        rule, at = "2E", end
        if segment in (".", ".."):  # 2A: "../" and "./" are removed; 2D: they are, alone
            rule, at = ("2D", end) if end == len(path) else ("2A", end + 1)
        elif segment in ("/.", "/.."):  # 2B: "/./" becomes "/"; 2C: so does "/../", and the last segment goes
            rule = "2B" if segment == "/." else "2C"
            if rule == "2C" and output:
                output.pop()
            slash = "/" if end == len(path) else ""  # so do "/." and "/..": one that is not in the path
        else:  # 2E: the first segment moves to the output buffer, with the "/" before it
            output.append(segment)
        if watch is not None:
            watch(rule, slash, at, output)
    if slash:
        output.append(slash)
        if watch is not None:
            watch("2E", "", at, output)
    return "".join(output)


def merge(base: Components, path: str) -> str:
    """Merge a relative path with the base's path (RFC 3986 §5.2.3)."""
    if base.authority is not None and base.path == "":
        return "/" + path
    return base.path[: base.path.rfind("/") + 1] + path


def guard(scheme: str | None, authority: str | None, path: str) -> str:
    """Keep a path from being read as something else (§3.3): `//x` as an authority, `a:b` as a scheme."""
    if authority is None:
        if path.startswith("//"):
            return "/." + path
        if scheme is None and split(path).scheme is not None:
            return "./" + path
    return path


def transform(base: Components, reference: Components, *, compat: bool = False, steps: Steps = UNSEEN) -> Components:
    """Transform a reference into target components (RFC 3986 §5.2.2), the guard of rule 2 included."""
    scheme, authority, path, query, fragment = reference
    ask, let = steps.ask, steps.let
    if compat:
        same = scheme is not None and base.scheme is not None and scheme.lower() == base.scheme.lower()
        if ask(0, "(not strict and (R.scheme == Base.scheme))", same):
            scheme = None
            let(1, "", "undefine(R.scheme)", None)
    if ask(0, "defined(R.scheme)", scheme is not None):
        let(1, "T.scheme", "R.scheme", scheme)
        let(1, "T.authority", "R.authority", authority)
        path = _remove_dot_segments(path, steps, 1, "R.path")
        let(1, "T.query", "R.query", query)
    else:
        if ask(1, "defined(R.authority)", authority is not None):
            let(2, "T.authority", "R.authority", authority)
            path = _remove_dot_segments(path, steps, 2, "R.path")
            let(2, "T.query", "R.query", query)
        else:
            if ask(2, '(R.path == "")', path == ""):
                path = base.path
                let(3, "T.path", "Base.path", path)
                if ask(3, "defined(R.query)", query is not None):
                    let(4, "T.query", "R.query", query)
                else:
                    query = base.query
                    let(4, "T.query", "Base.query", query)
            else:
                if ask(3, '(R.path starts-with "/")', path.startswith("/")):
                    path = _remove_dot_segments(path, steps, 4, "R.path")
                else:
                    path = merge(base, path)
                    let(4, "T.path", "merge(Base.path, R.path)", path)
                    path = _remove_dot_segments(path, steps, 4, "T.path")
                let(3, "T.query", "R.query", query)
            authority = base.authority
            let(2, "T.authority", "Base.authority", authority)
        scheme = base.scheme
        let(1, "T.scheme", "Base.scheme", scheme)
    let(0, "T.fragment", "R.fragment", fragment)
    guarded = guard(scheme, authority, path)
    if guarded != path:
        steps.note("§3.3", "this path would be read as something else, so it is written", guarded)
    return Components(scheme, authority, guarded, query, fragment)


def _remove_dot_segments(path: str, steps: Steps, depth: int, expression: str) -> str:
    """Set T.path to a path without dot segments."""
    if steps is UNSEEN:
        return remove_dot_segments(path)
    rounds = Rounds(path)
    result = remove_dot_segments(path, rounds.add)
    steps.let(depth, "T.path", f"remove_dot_segments({expression})", result, rounds)
    return result
