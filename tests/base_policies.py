"""Policies and bases, and which of them browsers let count: asked of rehref and of Chromium."""

from typing import Final

PAGE: Final = "http://pages.example/p/page.html"

BASES: Final = (
    *("/b/", "http://other.example/b/", "https://other.example/b/", "http://sub.other.example/b/"),
    *("http://other.example:8080/", "https://pages.example/", "ftp://other.example/", "http://pages.example/a/x"),
    *("http://pages.example/a", "http://127.0.0.1/", "ws://other.example/", "foo:bar", "http://pages.example:80/x"),
    *("http://[::1]/", "https://other.example:8443/", "HTTP://Other.Example/%62/"),
)
_HTTP: Final = frozenset(base for base in BASES if base.lower().startswith(("/", "http:", "https:")))
_OWN: Final = frozenset(
    base for base in BASES if base.startswith(("/", "http://pages.example", "https://pages.example"))
)
_OTHER: Final = frozenset(("http://other.example/b/", "https://other.example/b/", "HTTP://Other.Example/%62/"))

ALLOWED: Final = {
    "base-uri 'none'": frozenset[str](),
    "BASE-URI 'NONE'": frozenset[str](),
    "base-uri": frozenset[str](),
    "base-uri 'nonce-x'": frozenset[str](),
    "base-uri 'none'; base-uri *": frozenset[str](),
    "base-uri *, base-uri 'none'": frozenset[str](),
    "base-uri 'self'": _OWN,
    " ;; ; img-src *;base-uri 'self';": _OWN,
    "base-uri\t'SELF'\n": _OWN,
    "base-uri 'self' http://other.example:8080": _OWN | {"http://other.example:8080/"},
    "base-uri pages.example:*": _OWN,
    "base-uri http://pages.example/a/": frozenset(["http://pages.example/a/x"]),
    "base-uri http://pages.example/a": frozenset(["http://pages.example/a"]),
    "base-uri http:": _HTTP,
    "base-uri https:": frozenset(base for base in BASES if base.startswith("https:")),
    "base-uri ws:": frozenset(["ws://other.example/"]),
    "base-uri foo:": frozenset(["foo:bar"]),
    "base-uri *": _HTTP | {"ws://other.example/"},
    "base-uri 'none' *": _HTTP | {"ws://other.example/"},
    "base-uri http://*": _HTTP - {"http://other.example:8080/", "https://other.example:8443/"},
    "base-uri *:8080": frozenset(["http://other.example:8080/"]),
    "base-uri other.example": _OTHER,
    "base-uri http://other.example": _OTHER,
    "base-uri other.example:80": _OTHER,
    "base-uri other.example:443": frozenset(["https://other.example/b/"]),
    "base-uri https://other.example": frozenset(["https://other.example/b/"]),
    "base-uri http://other.example/%62/": _OTHER,
    "base-uri OTHER.example/B/": frozenset[str](),
    "base-uri *.other.example": frozenset(["http://sub.other.example/b/"]),
    "base-uri http://127.0.0.1": frozenset(["http://127.0.0.1/"]),
    "base-uri http://[::1]": frozenset[str](),
    "default-src 'none'": frozenset(BASES),
}
"""For each policy, the bases that it lets count."""

_NONE: Final = "<meta http-equiv=content-security-policy content=\"base-uri 'none'\">"
PLACES: Final = {
    "before": (f"{_NONE}<base href=/b/>", False),
    "after": (f"<base href=/b/>{_NONE}", True),
    "between": (f"<base href=/b/>{_NONE}<base href=/c/>", True),
    "two": (f"<meta http-equiv=Content-Security-Policy content='base-uri *'>{_NONE}<base href=/b/>", False),
    "behind the head": (f"<head></head>{_NONE}<base href=/b/>", False),
    "in the body": (f"<body>{_NONE}<base href=/b/>", True),
    "in the body, between": (f"<p>{_NONE}<base href=/b/>{_NONE}<base href=/c/>", True),
    "in the head of a base in the body": (f"{_NONE}<body><p><base href=/b/>", False),
    "in a template": (f"<template>{_NONE}</template><base href=/b/>", True),
    "in a noscript": (f"<noscript>{_NONE}</noscript><base href=/b/>", False),
    "in SVG": (f"<svg>{_NONE}</svg><base href=/b/>", True),
    "a report": (_NONE.replace("policy", "policy-report-only") + "<base href=/b/>", True),
    "a name": (_NONE.replace("http-equiv", "name") + "<base href=/b/>", True),
    "a space": (_NONE.replace("content-security-policy", "' content-security-policy'") + "<base href=/b/>", True),
    "without content": ("<meta http-equiv=content-security-policy><base href=/b/>", True),
    "around a srcdoc": (f"{_NONE}<iframe srcdoc='<base href=/b/><a href=x>'></iframe>", False),
    "behind a srcdoc": (f"<iframe srcdoc='<base href=/b/><a href=x>'></iframe>{_NONE}", True),
    "in a srcdoc": (
        "<iframe srcdoc='<meta http-equiv=content-security-policy content=&quot;base-uri https:&quot;>"
        "<base href=/b/><a href=x>'></iframe>",
        False,
    ),
}
"""Where a policy is, and whether a base counts all the same."""


def page(policy: str, base: str) -> str:
    """A page with a policy, a base and a reference."""
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}"><base href="{base}"><a href=x>'
