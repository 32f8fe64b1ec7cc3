"""What `rehref rewrite` says at its end."""

from __future__ import annotations

from rehref.cli.errors import say
from rehref.cli.outcomes import Counts
from rehref.reports.text import count


def say_what_was_done(counts: Counts, *, quiet: bool, note: str) -> None:
    """Say how much was changed, and what was not as asked for. `note`: what the first line says besides."""
    if not quiet:
        failed = f"; {counts.failed:,} failed" if counts.failed else ""
        changed = f"{counts.changed:,} of {count(counts.references, 'reference')} changed"
        say(f"{changed} in {counts.changed_documents:,} of {counts.documents_and_others}{failed}{note}")
        if counts.otherwise:
            say(_otherwise(counts.otherwise))
        if counts.missing:
            was = "was written that leads" if counts.missing == 1 else "were written that lead"
            them = count(counts.missing, "reference")
            say(f"{them} {was} to what is not there; --to offline makes such references absolute")
    if counts.withheld and not (quiet and counts.changed):
        stay = f"{count(counts.withheld, 'reference')} {'stays' if counts.withheld == 1 else 'stay'}"
        say(
            f"{stay}, not to become file: URIs of this machine; --url URI says where it all is, --file-urls writes them"
        )


def _otherwise(number: int) -> str:
    """What there is to say of references that browsers read otherwise (`rehref.rewriting.browser_differences`)."""
    stay, become = ("stays as it stands", "becomes") if number == 1 else ("stay as they stand", "become")
    return (
        f"{count(number, 'reference')} that browsers read otherwise than the RFC {stay}, or {become} what they read "
        "where the base goes; --profile whatwg reads all as browsers do"
    )
