"""References to the document itself: what RFC 3986 §4.4 and RFC 2396 §4.2 each mean by that.

1. RFC 3986 compares targets: a reference is a same-document reference if its target is identical to the base URI,
   fragments aside. So `page.html#x` is one on `http://h/page.html`, and `#x` is not where a base element
   points elsewhere.
2. Identical means the same characters (§4.4). Nothing is normalized: §4.4 allows it, but normalizing is the
   caller's choice (`normalization`).
3. An empty query is not an undefined one: `http://h/p?` and `http://h/p` are two documents.
4. Without a scheme neither text is a target or a base URI: the answer is no.
5. RFC 2396 looks at the reference alone: empty, or a fragment only. Such a reference is "the current document",
   whatever the base.
"""

from __future__ import annotations

from rehref.uri.components import refuse_other_types, split


def is_same_document(target: str, base: str) -> bool:
    """Whether a target URI is the base URI, fragments aside: what RFC 3986 §4.4 calls a same-document reference.

    Both are URIs, not references: a reference is resolved first. Without a scheme the answer is no.
    Raises TypeError for what is not a str.
    """
    refuse_other_types("target", target)
    refuse_other_types("base", base)
    before, _, _ = base.partition("#")
    return before == target.partition("#")[0] and split(before).scheme is not None


def is_current_document(reference: str) -> bool:
    """Whether a reference, as written, has nothing but a fragment or nothing at all (RFC 2396 §4.2)."""
    return reference == "" or reference.startswith("#")
