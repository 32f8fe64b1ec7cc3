r"""The way back: a reference that, resolved against a base, gives a target.

1. The law: `resolve(base, relativize(base, target)) == target` in the profile asked for, for every target that
   resolution can give. A target that it cannot give (`http://h/a/../b`) comes back as it is.
2. Of the forms a reference can have (§4.2, §4.4: fragment only, query only, relative path, absolute path, network
   path, absolute) the shortest in characters is taken; of two equally short ones, the one nearer to the document,
   which is the order of this list.
3. A relative path does not begin with what would be read as a scheme (`./a:b`), nor with an empty segment (`.//a`),
   nor with a control character, space or backslash: readers strip white space there, browsers all control characters,
   and they read a backslash as a slash. For the same reason no absolute path begins with `//` or `/\`.
4. With `paths_only`, a target of the same scheme and authority is never written as an absolute path or a network path:
   such references keep working when the documents are moved, or opened from a disk.
5. Each candidate is resolved before it is returned, so that what is odd in a base (a rootless path, dot
   segments of its own, no scheme) can make a reference longer, but never wrong.
6. A rootless target (`foo:a/b`) is written as it is; but where the base's scheme is ignored, that may give another
   one: then it is written as a relative path, if that is possible.
7. In the profile `rfc2396` no reference is a query alone: its grammar has none, and browsers read it differently.
"""

from __future__ import annotations

from collections.abc import Iterator

from rehref.uri.components import Components, unsplit

_NOT_FIRST = frozenset("\\").union(map(chr, range(0x21)))  # rule 3


def candidates(
    base: Components, directory: str, target: Components, *, queries: bool, paths_only: bool
) -> Iterator[str]:
    """Every form that may give the target, nearest first; what does not, a resolver finds out.

    `directory`: what precedes a relative path. `queries`: whether a reference may be a query alone (rule 7).
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
    """A relative path that may give a rootless target (rule 6)."""
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
        return "./" + relative  # §4.2: it would be mistaken for a scheme; rule 3
    return relative
