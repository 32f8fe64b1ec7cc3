"""What a value says of the base of a reference in it: `@base` in JSON-LD, a custom property in CSS.

`--icon: url(i.png)` is only text until a declaration uses it by `var(--icon)`: browsers resolve it there, in the style
sheet of that declaration (CSS Variables 1 §3, CSS Values 4 §4.5.4). Where that is not known, nothing is.
"""

from __future__ import annotations

from rehref.documents._bases.bound_resolver import BoundResolver, HasBases
from rehref.documents.base import Candidate, Problem
from rehref.documents.document import Document
from rehref.uri.components import folder_of
from rehref.uri.syntaxes import Occurrence


def resolver_of(document: Document, found: Occurrence, within: HasBases) -> BoundResolver | None:
    """The resolver for a reference whose value decides about its base; None: it does not.

    `within`: the document, or the part of it that has the reference.
    """
    if found.bases:
        return document.resolvers.below_values(found.bases, within)
    return _of_property(document, found.property, found.text, within) if found.property else None


def _of_property(document: Document, name: str, reference: str, within: HasBases) -> BoundResolver | None:
    """The resolver for a relative reference in a custom property; None: that of the document."""
    if document.site.base_of_property is None:
        base = document.own.uri if name in document.declared.properties else ""
    elif reference.startswith("/"):
        return None  # it is the same for all documents of a site
    else:
        base = document.site.base_of_property(name)
    if base == "":
        return _uncertain(document, name)
    if base is None or folder_of(base) == folder_of(within.bases.base.uri or ""):
        return None
    return document.resolvers.below([Candidate(base, "embedded", f"the style sheet that uses {name}")], within)


def _uncertain(document: Document, name: str) -> BoundResolver:
    """The resolver for references that lead nowhere that is known."""
    message = f"it is in the custom property {name}: the style sheet that uses it is its base, which is not known here"
    return document.resolvers.nowhere(Problem("uncertain-base", message))
