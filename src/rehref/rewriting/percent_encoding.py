"""A rule that writes valid URIs: with `percent_encode`, every reference that is written matches RFC 3986.

1. A reference that does not match is percent-encoded (`rehref.uri.percent_encoding`) before the rule sees it, as if the
   author had written it so; one that the rule lets stay is written so, in its place. What the rule makes of it is
   percent-encoded again, if it must be.
2. Browsers must go where they went: what a browser makes of the new reference is, percent-encoded, what it made of the
   old one. Where that does not hold (a backslash that is a slash to them), `whatwg` writes where browsers go (if
   they go anywhere), and the profiles of the RFCs leave the reference as it is.
3. Left alone, if the rule does: names and fragments of this document (`usemap` compares them as they are written),
   statements (`metadata`), the schemes in `NEVER_CHANGED` (other schemes without a hierarchy, `urn:` and `magnet:`, are
   not), what leads to another part of the same container, and what cannot be a base, so that it does not become one.
4. What would be written and cannot be a URI by rule 2 is not written. A rule learns of it beforehand: its link has the
   problem `browser-differs`, so that ours leave it, or write it as browsers read it, where its base goes.
"""

from __future__ import annotations

from typing import Final

from rehref.base import Candidate, clean, establish
from rehref.documents.bound_resolver import BoundResolver
from rehref.documents.document import Document, Reference, innermost
from rehref.documents.link import Link, Problem
from rehref.rewriting.browser_differences import difference
from rehref.rewriting.contract import Drop, Rule
from rehref.uri.components import split
from rehref.uri.grammar.rfc3986 import is_valid
from rehref.uri.percent_encoding import percent_encode
from rehref.uri.whatwg import resolve_or_none

WITHIN: Final = ("arcp:", "thismessage:")
"""How URIs begin that mean something only within their container."""

NEVER_CHANGED: Final = frozenset({"about", "blob", "cid", "data", "javascript", "mailto", "mid"})
"""Schemes whose URIs are a content or a name, which stays as it is written."""

_ANY_BASE = "http://site.invalid/a/"
_LEFT_ALONE = frozenset({"fragment", "namespace", "metadata", "part"})


def write_valid(document: Document, reference: Reference, rule: Rule) -> str | Drop | None:
    """What becomes of a reference under a rule (rule 1); None if it stays."""
    link = document.link(reference)
    owner, inmost = innermost(document, reference)
    resolver = owner.resolver if inmost.base is None else inmost.base
    text = link.reference
    if not is_valid(text) and not _is_left_alone(link, document):
        text = _valid(text, resolver, owner)
        link = document.link(_with_text(reference, text))
    new = rule(_with_difference(link, resolver, owner))
    if isinstance(new, str):
        new = _valid(new, resolver, owner)
        new = new if is_valid(new) else None  # rule 4
    if new is None:
        return None if text == reference.text else text
    return new


def _with_difference(link: Link, resolver: BoundResolver, document: Document) -> Link:
    """The link with the problem `browser-differs`, if its target cannot be a URI (rule 4)."""
    target = link.target
    if target is None or is_valid(target) or is_valid(_valid(target, resolver, document)):
        return link
    if difference(link.problems) is not None:
        return link
    message = "as a URI, it leads browsers elsewhere"
    problem = Problem("browser-differs", message, resolver.in_browsers(link.reference))
    return link._replace(problems=(*link.problems, problem))


def _is_left_alone(link: Link, document: Document) -> bool:
    """Whether a reference that the rule lets stay is none of ours (rule 3)."""
    if link.kind in _LEFT_ALONE or (link.target or "").startswith(WITHIN):
        return True
    if link.kind == "base":
        candidates = (Candidate(link.target or "", "default", ""),)
        return establish(candidates, document.how.profile).uri is None
    return (split(clean(link.reference)).scheme or "").lower() in NEVER_CHANGED


def _valid(text: str, resolver: BoundResolver, document: Document) -> str:
    """A reference percent-encoded, or as browsers read it, or as it is (rule 2)."""
    if is_valid(text):
        return text
    cleaned = clean(text)
    base = resolver.base.uri
    written = percent_encode(cleaned, None if base is None else split(base).scheme, resolver.encode)
    if _leads_alike(cleaned, written, resolver):
        return written
    seen = resolver.in_browsers(cleaned) if document.how.profile == "whatwg" else None
    return text if seen is None else percent_encode(seen)


def _leads_alike(old: str, new: str, resolver: BoundResolver) -> bool:
    """Whether browsers go to the same place (rule 2)."""
    before, after = resolver.in_browsers(old), resolver.in_browsers(new)
    if before is None and after is None:  # nor elsewhere
        before, after = resolve_or_none(_ANY_BASE, old), resolve_or_none(_ANY_BASE, new)
    if before is None or after is None:
        return before == after
    return before == after or percent_encode(before) == percent_encode(after)


def _with_text(reference: Reference, text: str) -> Reference:
    """The reference with another text, in the document it stands in directly, too."""
    inner = reference.inner
    if inner is None:
        return reference._replace(text=text)
    return reference._replace(text=text, inner=inner._replace(reference=_with_text(inner.reference, text)))
