"""Reference resolution (RFC 3986 §5.2), literally: the algorithm, step by step.

1. The result is what the pseudocode of §5.2.2 gives, character for character; nothing is normalized besides
   the dot segments the algorithm itself removes.
2. One guard: a path that would begin with `//` without an authority before it is written `/.//…` (§3.3), so that
   the result, split again, has the components that were meant.
3. Strict by default; with `compat`, a scheme equal to the base's is ignored (§5.2.2, "for backward
   compatibility"). Schemes compare without regard to case (§3.1).
4. Whether the base may be one is not asked here. A base without a scheme, or with a rootless path, follows the
   algorithm's letter.
"""

from __future__ import annotations

import re

from rehref.uri.components import Components, split

# A "." or ".." that is a whole segment
_HAS_DOT_SEGMENT = re.compile(r"(?:\A|/)\.\.?+(?![^/])").search


def remove_dot_segments(path: str) -> str:
    """Remove "." and ".." segments from a path (RFC 3986 §5.2.4), in linear time."""
    if _HAS_DOT_SEGMENT(path) is None:
        return path
    # 2A: leading "../" and "./" go; 2D: a path that is only "." or ".." is empty.
    start = 0
    while True:
        if path.startswith("../", start):
            start += 3
        elif path.startswith("./", start):
            start += 2
        else:
            break
    if path[start:] in (".", ".."):
        return ""
    # 2B, 2C, 2E. A rootless first segment has no "/" before it, yet 2C removes it like any other, and what then
    # comes next begins with the "/" of "/../": so the result may be rooted where the input was not.
    segments = path[start:].split("/")
    output: list[str] = []  # each with the "/" before it, the rootless first one without
    if segments[0] != "":
        output.append(segments[0])
    last = len(segments) - 1
    for number in range(1, len(segments)):
        segment = segments[number]
        if segment == ".":
            if number == last:
                output.append("/")
        elif segment == "..":
            if output:
                output.pop()
            if number == last:
                output.append("/")
        else:
            output.append("/" + segment)
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


def transform(base: Components, reference: Components, *, compat: bool = False) -> Components:
    """Transform a reference into target components (RFC 3986 §5.2.2), the guard of rule 2 included."""
    scheme, authority, path, query, fragment = reference
    if compat and scheme is not None and base.scheme is not None and scheme.lower() == base.scheme.lower():
        scheme = None
    if scheme is not None:
        path = remove_dot_segments(path)
    elif authority is not None:
        scheme = base.scheme
        path = remove_dot_segments(path)
    else:
        scheme = base.scheme
        authority = base.authority
        if path == "":
            path = base.path
            if query is None:
                query = base.query
        elif path.startswith("/"):
            path = remove_dot_segments(path)
        else:
            path = remove_dot_segments(merge(base, path))
    return Components(scheme, authority, guard(scheme, authority, path), query, fragment)
