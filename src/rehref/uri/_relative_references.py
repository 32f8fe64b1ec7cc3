"""The way back: candidates for a reference that, resolved against a base, gives a target.

Of the forms of RFC 3986 §4.2 and §4.4 the shortest wins; of two equally short ones, the one nearer to the document
(fragment, query, relative path, absolute path, network path). What is odd in a base (a rootless path, dot segments of
its own, no scheme) can make a reference longer, but never wrong: the caller resolves each candidate before it takes it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.uri.components import Components, unsplit

# What a relative path must not begin with: readers strip white space there, browsers all control characters, and
# browsers read a backslash as a slash
_NOT_FIRST = frozenset("\\").union(map(chr, range(0x21)))


def candidates(
    base: Components, directory: str, target: Components, *, queries: bool, paths_only: bool
) -> Iterator[str]:
    """Every form that may give the target, nearest first; what does not, a resolver finds out.

    `directory`: what precedes a relative path. `queries`: whether a reference may be a query alone; by RFC 2396 it may
    not: its grammar has no such reference, and browsers read it differently. `paths_only`: a target of the base's
    scheme and authority is not written as an absolute path or a network path, so that it still leads there when
    documents move.
    """
    if target.scheme != base.scheme:
        return
    _, authority, path, query, fragment = target
    if authority == base.authority:
        if path == base.path:
            yield unsplit((None, None, "", None, fragment))
            if queries:
                yield unsplit((None, None, "", query, fragment))
        relative = _relative_path(directory, path)
        if relative is not None:
            yield unsplit((None, None, relative, query, fragment))
        if paths_only and relative is not None:
            return
        if path.startswith("/"):
            rooted = f"/.{path}" if path.startswith(("//", "/\\")) else path  # not taken for an authority
            yield unsplit((None, None, rooted, query, fragment))
    if authority is not None:
        yield unsplit((None, authority, path, query, fragment))


def rootless(directory: str, target: Components) -> str:
    """A relative path that may give a rootless target such as `foo:a/b`, where the base's scheme is ignored."""
    relative = _relative_path(f"/{directory}", f"/{target.path}")
    return unsplit((None, None, relative or "", target.query, target.fragment))


def _relative_path(directory: str, path: str) -> str | None:
    """The shortest path relative to `directory` (which ends in "/" or is empty) that leads to `path`."""
    if directory == "" or not path.startswith("/"):
        return None
    here = directory.split("/")[1:-1]
    there = path.split("/")[1:]
    last = there.pop()
    common = 0
    for one, other in zip(here, there, strict=False):
        if one != other:
            break
        common += 1
    up = len(here) - common
    down = [*there[common:], last]
    relative = "../" * up + "/".join(down)
    if up:
        # "../" and ".." lead to the same place
        return relative if down != [""] else relative[:-1]
    if down[0] == "":
        # nothing, or an empty segment: "" would be the base's own path, "/a" an absolute path
        return "." if len(down) == 1 else "./" + relative
    if ":" in down[0] or down[0][0] in _NOT_FIRST:
        return "./" + relative  # §4.2: it would be mistaken for a scheme
    return relative
