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

from rehref.uri._rfc3986 import merge, remove_dot_segments
from rehref.uri.components import Components, refuse_other_types, split, unsplit
from rehref.uri.resolver import Profile, Resolver

_NOT_FIRST = frozenset("\\").union(map(chr, range(0x21)))  # rule 3


class Relativizer:
    """Writes targets as references relative to one base, split once.

    `base`: the base URI. `profile`: how references are to be resolved. `paths_only`: see rule 4. Raises ValueError for
    an unknown profile.
    """

    __slots__ = ("_base", "_directory", "_paths_only", "_queries", "_resolver")

    def __init__(self, base: str, profile: Profile = "rfc3986", *, paths_only: bool = False) -> None:
        refuse_other_types("base", base)
        self._base = split(base)
        self._directory = remove_dot_segments(merge(self._base, ""))
        self._resolver = Resolver(base, profile)
        self._queries = profile != "rfc2396"
        self._paths_only = paths_only

    def __repr__(self) -> str:
        more = ", paths_only=True" if self._paths_only else ""
        return f"Relativizer({self._resolver.base!r}, {self._resolver.profile!r}{more})"

    def __call__(self, target: str) -> str:
        """The shortest reference that gives `target` (RFC 3986 §4.2, §5.2), or `target` itself.

        Raises TypeError for what is not a str.
        """
        refuse_other_types("target", target)
        best: str | None = None
        for candidate in self._candidates(split(target)):
            if (best is None or len(candidate) < len(best)) and self._resolver.or_none(candidate) == target:
                best = candidate
        if best is None and self._resolver.or_none(target) != target:
            best = self._rootless(target)
        if best is None or (len(target) < len(best) and not self._paths_only):
            return target
        return best

    def _rootless(self, target: str) -> str | None:
        """A relative path to a rootless target (rule 6), if there is one that gives it."""
        *_, path, query, fragment = split(target)
        relative = _relative_path("/" + self._directory, "/" + path)
        candidate = unsplit((None, None, relative or "", query, fragment))
        return candidate if self._resolver.or_none(candidate) == target else None

    def _candidates(self, target: Components) -> Iterator[str]:
        """Every form that may give the target, nearest first; what does not, the resolver finds out."""
        base = self._base
        if target.scheme != base.scheme:
            return
        _, authority, path, query, fragment = target
        if authority == base.authority:
            if path == base.path:
                yield unsplit((None, None, "", None, fragment))
                if self._queries:
                    yield unsplit((None, None, "", query, fragment))
            relative = _relative_path(self._directory, path)
            if relative is not None:
                yield unsplit((None, None, relative, query, fragment))
            if self._paths_only and relative is not None:
                return
            if path.startswith("/"):
                rooted = f"/.{path}" if path.startswith(("//", "/\\")) else path  # not taken for an authority
                yield unsplit((None, None, rooted, query, fragment))
        if authority is not None:
            yield unsplit((None, authority, path, query, fragment))


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


def relativize(base: str, target: str) -> str:
    """The shortest reference that, resolved against `base`, gives `target`.

    A target that no reference can give comes back as it is. See `Relativizer` for many targets.

    Raises TypeError for what is not a str.
    """
    return Relativizer(base)(target)
