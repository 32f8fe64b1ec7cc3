"""Resolution as RFC 2396 §5.2 says and its Appendix C shows.

It differs from RFC 3986 where a test suite of that time expects it: `?y` is merged like a relative path
(`http://a/b/c/?y`), `..` with nothing to remove stays, and the dot segments of `/./g`, `//g/../x` or `http:x/..` stay,
since only merged paths lose theirs.
"""

from __future__ import annotations

from rehref.uri._rfc3986 import UNSEEN, Steps
from rehref.uri.components import HAS_DOT_SEGMENT, Components, unsplit


def resolve(base: Components, reference: Components, steps: Steps = UNSEEN) -> str:
    """The target of a reference (RFC 2396 §5.2). Never fails.

    One without a path, scheme, authority or query (`""`, `#s`) is "the current document", not the base, and comes back
    unchanged (§4.2).
    """
    scheme, authority, path, query, fragment = reference
    note = steps.note
    note("1", "the reference is parsed into its components")
    if scheme is None and authority is None and path == "" and query is None:
        what = "a reference to the current document, left as it is"
        note("2", f"path empty; scheme, authority and query undefined: {what}")
        return unsplit(reference)
    note("2", "not a reference to the current document")
    if scheme is not None:
        note("3", "the scheme is defined: the reference is an absolute URI, and done", scheme)
        return unsplit(reference)
    note("3", "the scheme is undefined, and inherited from the base", base.scheme)
    if authority is not None:
        note("4", "the authority is defined: on to step 7", authority)
    else:
        authority = base.authority
        note("4", "the authority is undefined, and inherited from the base", authority)
        if path.startswith("/"):
            note("5", "the path begins with a slash, and is absolute: on to step 7", path)
        else:
            note("5", "the path does not begin with a slash")
            path = _merge(base, path, steps)
    target = unsplit((base.scheme, authority, path, query, fragment))
    note("7", "the components are combined", target)
    return target


def _merge(base: Components, path: str, steps: Steps) -> str:
    """Step 6: the path is merged with the base's, in a buffer.

    One deviation: a base with an authority and without a path has the path "/", as in RFC 3986 §5.2.3. By the letter of
    step 6 `http://a` and `g` would be `http://ag`, on another host.
    """
    note = steps.note
    base_path = "/" if base.path == "" and base.authority is not None else base.path
    buffer = base_path[: base_path.rfind("/") + 1]
    note("6a", "all but the last segment of the base's path is copied to the buffer", buffer)
    buffer += path
    note("6b", "the reference's path is appended", buffer)
    if steps is UNSEEN and HAS_DOT_SEGMENT(buffer) is None:
        return buffer
    root, segments = ("/", buffer[1:].split("/")) if buffer.startswith("/") else ("", buffer.split("/"))
    segments = [segment for segment in segments[:-1] if segment != "."] + segments[-1:]
    note("6c", 'all "./" that are a whole segment are removed', root + "/".join(segments))
    if segments[-1] == ".":
        segments[-1] = ""
    note("6d", 'a "." that is the last segment is removed', root + "/".join(segments))
    segments = [*_climb(segments[:-1]), segments[-1]]
    what = 'all "<segment>/../" are removed, where <segment> is not "..", leftmost first'
    note("6e", what, root + "/".join(segments))
    if segments[-1] == ".." and len(segments) > 1 and segments[-2] != "..":
        segments[-2:] = [""]
    buffer = root + "/".join(segments)
    note("6f", 'a "<segment>/.." at the end is removed', buffer)
    if ".." in segments:
        note("6g", 'the ".." that are left have nothing to remove, and stay (Appendix C.2)', buffer)
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
