"""The page of profiles: references by which profiles differ, and the answer of each profile, computed.

A cell that differs from RFC 3986 is bold.
"""

from __future__ import annotations

from docs_pages.markdown import code, table
from rehref.uri.resolver import PROFILES, Profile, Resolver

BASE = "http://a/b/c/d;p?q"
"""The base of the examples in RFC 3986 §5.4 and in RFC 2396, Appendix C."""
CASES = (
    (BASE, "g", "A relative path"),
    (BASE, "../g", "One level up"),
    (BASE, "?y", "A query alone: RFC 2396 drops the file name"),
    (BASE, "", "Nothing: RFC 2396 calls it “the current document”, which is not a URI"),
    (BASE, "#s", "A fragment alone: the same"),
    (BASE, "../../../g", "More `..` than there are levels"),
    (BASE, "/../g", "`..` in a path from the root"),
    (BASE, "/./g", "`.` in a path from the root"),
    (BASE, "g?x/../y", "`..` in a query stays"),
    (BASE, "http:g", "The base's own scheme: strict parsers take it as absolute"),
    (BASE, "//h", "Another host: browsers write the path"),
    (BASE, "\\g", "A backslash: to browsers it is a slash"),
    (BASE, "/%2e%2e/g", "Encoded dots: browsers read them as dots"),
    (BASE, "g h", "A space: browsers encode it"),
    (BASE, "ä", "A letter outside ASCII: the RFC profiles keep the IRI"),
    (BASE, "HTTP://A:80/x", "Case and the default port: browsers normalize"),
    (BASE, "http://0x7f.1/", "A rare way to write 127.0.0.1"),
    (BASE, "http://[::1", "A broken host: browsers go nowhere"),
    ("file:///home/a/b", "/c:/x", "A drive letter"),
    ("foo:a/b", "../c", "A base without a leading slash"),
    ("mailto:anna@example.org", "x", "A base without a hierarchy"),
    ("http://a", "g", "A base without a path"),
)
"""Base, reference, and how profiles differ."""

_TOP = """---
hide: [toc]
---

# Profiles

A *profile* is the set of rules by which rehref resolves a reference. `--profile` names it on the command line,
`profile=` in Python. The answers on this page are computed when it is built.

| profile | what it follows | when to take it |
| --- | --- | --- |
| `rfc3986` | RFC 3986, strictly | the default |
| `rfc3986-compat` | the same, without a scheme that equals the base's (§5.2.2) | old pages, with `http:g` |
| `rfc2396` | RFC 2396, which RFC 3986 replaced in 2005 | to know what an old program did |
| `whatwg` | the URL Standard, which browsers follow | to know where a browser goes |

[Browsers and the RFC](../explanation/browsers-and-rfc.md) explains the reasons.
`rehref resolve --explain BASE REFERENCE` shows each step.

## Compared

A dash means that the profile finds no target. **Bold**: different from RFC 3986. Unless the row names another base, it
is `http://a/b/c/d;p?q`, as in the examples of both RFCs.

"""


def answers(base: str, reference: str) -> dict[Profile, str | None]:
    """The target of a reference in each profile."""
    return {profile: Resolver(base, profile).or_none(reference) for profile in PROFILES}


def _row(base: str, reference: str, why: str) -> list[str]:
    found = answers(base, reference)
    cells = [code(target) if target is not None else "–" for target in found.values()]
    strict = found["rfc3986"]
    marked = [cell if target == strict else f"**{cell}**" for cell, target in zip(cells, found.values(), strict=True)]
    against = "" if base == BASE else f"<br>base {code(base)}"
    shown = code(reference) if reference else "(empty)"
    return [f"{shown}{against}", *marked, why]


def page() -> str:
    """The page, as Markdown."""
    return _TOP + table(
        ("reference", *(code(name) for name in PROFILES), "what it shows"), (_row(*case) for case in CASES)
    )
