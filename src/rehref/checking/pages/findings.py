"""Findings about what is at hand: a link of a document."""

from __future__ import annotations

from rehref.checking.model import Finding
from rehref.documents.link import Link


def finding_of(path: str, link: Link, code: str, message: str) -> Finding:
    """A finding about a link of the document at a path."""
    return Finding(
        document=path,
        code=code,
        message=message,
        line=link.line,
        column=link.column,
        span=link.span,
        element=link.element,
        attribute=link.attribute,
        reference=link.reference,
        target=link.target,
        base=link.base,
    )
