"""What `rehref rewrite` says of a document, and at its end of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rehref.cli.documents import Tally, counted

if TYPE_CHECKING:
    from rehref.documents.document import Document


def summary(tally: Tally, others: int | None) -> str:
    """How much was changed; `others`: files that are no documents."""
    references = "1 reference" if tally.references == 1 else f"{tally.references:,} references"
    failed = f"; {tally.failed:,} failed" if tally.failed else ""
    documents = counted(tally.documents, others)
    return f"{tally.changed:,} of {references} changed in {tally.changed_documents:,} of {documents}{failed}"


def otherwise(count: int) -> str:
    """What there is to say of references that browsers read otherwise (`rehref.rewriting.browser_differences`)."""
    them = "1 reference that browsers read" if count == 1 else f"{count:,} references that browsers read"
    stay = "stays as it stands" if count == 1 else "stay as they stand"
    become = "becomes" if count == 1 else "become"
    return (
        f"{them} otherwise than the RFC {stay}, or {become} what they read where the base goes; "
        "--profile whatwg reads all as browsers do"
    )


def withheld(count: int) -> str:
    """What there is to say of references that stay for want of a URL."""
    stays = "1 reference stays" if count == 1 else f"{count:,} references stay"
    return f"{stays}, not to become file: URIs of this machine; --url URI says where it all is, --file-urls writes them"


def missing(count: int) -> str:
    """What there is to say of references to what is not there."""
    written = "1 reference was written that leads" if count == 1 else f"{count:,} references were written that lead"
    return f"{written} to what is not there; --to offline makes such references absolute"


def without_base(name: str, opened: Document, references: int) -> tuple[str, ...]:
    """What there is to say of a document whose references stay for want of a base."""
    if opened.base.uri is None and references and _lacks_base(opened):
        return (f"{name}: there is no base, so relative references stay as they are; --url URI gives one",)
    return ()


def _lacks_base(opened: Document) -> bool:
    return any(problem.code == "no-base" for link in opened.links() for problem in link.problems)
