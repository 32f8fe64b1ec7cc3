"""What the built-in rules ask of a link before they touch it.

1. What none of them touches: hash-name references, `url(#id)` (kind `fragment`), namespaces; metadata, unless asked to
   (`<meta>` and JSON-LD only: `itemid` and the like never); what has no target; an empty `src` or the like, which means
   that there is nothing; schemes without a hierarchy (`javascript:`, `data:`, `mailto:`, `about:`, `cid:` …).
2. Same-document references as they are written (`""`, `#x`) stay, unless an embedded base makes them leave the
   document; then they are treated like the rest.
3. What browsers read otherwise stays, or is written as they read it (`rehref.rewriting.browser_differences`).
4. Metadata, where it is asked for, is treated like the rest, `@base` of JSON-LD too. What is relative to an `@base` is
   written in full where it could come to mean something else, since the `@base` may change.
5. A `file:` URI of this machine, which a document has only for want of another (`Base.local`), is written nowhere: it
   means something here alone. The reference stays. `Absolute` and `Template` write it if they are told to.
"""

from __future__ import annotations

from rehref.base import Base, clean
from rehref.documents.link import Link
from rehref.uri.components import Components, split
from rehref.uri.same_document import is_current_document


def is_same_document_as_written(link: Link) -> bool:
    """Whether the reference is `""` or `#…` (RFC 3986 §4.4), and stays in the document."""
    return link.same_document and is_current_document(clean(link.reference))


def is_base_element(link: Link) -> bool:
    """Whether the link is the `href` of a `base` element, or what is a base in XML in the same way (`xml:base`)."""
    return link.kind == "base" and (link.element == "base" or link.attribute in ("xml:base", "BASE"))


def is_out_of_reach(link: Link, *, metadata: bool = False) -> bool:
    """Whether no built-in rule touches the link (rule 3). `metadata`: statements may be touched, where they can be."""
    if link.target is None or link.kind in ("fragment", "namespace"):
        return True
    if link.kind == "metadata":
        # an empty IRI reference in JSON-LD is one; an empty `content` says nothing
        return not (metadata and (is_json_ld(link) or (link.element == "meta" and link.reference != "")))
    return link.reference == "" and (link.element, link.attribute) not in _EMPTY_MEANS_DOCUMENT


def is_json_ld(link: Link) -> bool:
    """Whether the link stands in JSON-LD, and is no name of a context."""
    return link.kind == "metadata" and link.element in ("script", "json-ld")


def is_below_json_ld_base(link: Link) -> bool:
    """Whether the link is relative to an `@base` in the same JSON-LD (JSON-LD 1.1 §4.1.3)."""
    return is_json_ld(link) and link.base.scope == "@base"


def is_below_codebase(link: Link) -> bool:
    """Whether the link is relative to the `codebase` of its element, which browsers do not know."""
    return link.base.scope == "codebase"


# where an empty reference is one; elsewhere (`src=""`) it means that there is nothing, and a browser fetches nothing
_EMPTY_MEANS_DOCUMENT = frozenset(
    {
        *(("a", "href"), ("area", "href"), ("base", "href"), ("a", "xlink:href")),
        *(("form", "action"), ("button", "formaction"), ("input", "formaction")),
    }
)


def is_hierarchical(parts: Components) -> bool:
    """Whether a target has an authority or a rooted path, and so can be relative or replayed."""
    return parts.authority is not None or parts.path.startswith("/")


def is_file_uri(target: str | None) -> bool:
    """Whether a target is a `file:` URI (RFC 8089)."""
    return target is not None and target[:5].lower() == "file:"


def is_absolute(reference: str, target: str | None, base: Base) -> bool:
    """Whether a reference stands for itself: with a scheme, that the profile does not ignore (§5.2.2).

    Browsers take `http:x` for relative or for `http://x`, depending on the base's scheme: it does not.
    """
    if ":" not in reference:
        return False
    parts = split(clean(reference))
    if parts.scheme is None:
        return False
    if parts.authority is not None or base.uri is None:
        return True
    if target is not None and split(target).authority is not None:
        return False
    return parts.scheme.lower() != (split(base.uri).scheme or "").lower()


def in_full(link: Link) -> str | None:
    """The target; None if the reference stands for itself as it is, or would lead to a file of this machine."""
    if link.base.local and is_file_uri(link.target):
        return None
    return None if is_absolute(link.reference, link.target, link.base) else link.target
