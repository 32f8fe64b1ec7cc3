"""Resolution as RFC 2396 §5.2 says and its Appendix C shows.

1. A reference with no path, scheme, authority or query (`""`, `#s`) is "the current document", not the base
   (§4.2, step 2): it comes back unchanged.
2. `?y` has an empty path and is merged like any relative path: `http://a/b/c/?y` (Appendix C.1).
3. `..` segments that have nothing to remove stay (step 6g leaves it open; Appendix C.2 shows it).
4. Dot segments are removed from merged paths only: those of `/./g`, `//g/../x` or `http:x/..` stay.
5. A reference with a scheme is absolute, whatever its scheme (step 3).
"""

from __future__ import annotations

import re

from rehref.uri.components import Components, split, unsplit

_DOT_SEGMENT = re.compile(r"(?:\A|/)\.\.?+(?![^/])").search


def _merge(base_path: str, path: str) -> str:
    """Merge a relative path with the base's (RFC 2396 §5.2, step 6)."""
    # 6a, 6b
    merged = base_path[: base_path.rfind("/") + 1] + path
    if _DOT_SEGMENT(merged) is None:
        return merged
    rooted = merged.startswith("/")
    segments = merged.split("/")
    if rooted:
        del segments[0]
    # 6c, 6d: "." segments go; a last one leaves the "/" before it
    kept = [segment for segment in segments if segment != "."]
    if segments[-1] == ".":
        kept.append("")
    # 6e, 6f: "<segment>/.." goes, leftmost first, where <segment> is not ".."
    output: list[str] = []
    for number, segment in enumerate(kept):
        if segment == ".." and output and output[-1] != "..":
            output.pop()
            if number == len(kept) - 1:
                output.append("")
        else:
            output.append(segment)
    # 6g: what still begins with ".." stays as it is
    return ("/" if rooted else "") + "/".join(output)


def transform(base: Components, reference: Components) -> Components:
    """Transform a reference into target components (RFC 2396 §5.2); `""` and `#s` come back unchanged."""
    scheme, authority, path, query, fragment = reference
    # 2: a reference to the current document; 3: an absolute one
    if scheme is not None or (path == "" and authority is None and query is None):
        return reference
    scheme = base.scheme
    # 4: a net_path keeps its authority; 5: an abs_path its path; 6: the rest is merged
    if authority is None:
        authority = base.authority
        if not path.startswith("/"):
            base_path = "/" if base.path == "" and base.authority is not None else base.path
            path = _merge(base_path, path)
    return Components(scheme, authority, path, query, fragment)


def resolve(base: str, reference: str) -> str:
    """Resolve a reference against a base as RFC 2396 has it. Never fails."""
    return unsplit(transform(split(base), split(reference)))
