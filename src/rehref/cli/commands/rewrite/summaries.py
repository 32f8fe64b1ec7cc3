"""The summary that `rehref rewrite` prints at its end."""

from __future__ import annotations

from collections.abc import Sequence

from rehref.cli.errors import say
from rehref.cli.outcomes import Counts, say_parted
from rehref.reports.text import count
from rehref.rewriting.browser_differences import PLACES


def say_what_was_done(counts: Counts, *, quiet: bool, note: str) -> None:
    """Print how much was changed, and what could not be changed. `note`: added to the first line."""
    if not quiet:
        failed = f"; {counts.failed:,} failed" if counts.failed else ""
        changed = f"{counts.changed:,} of {count(counts.references, 'reference')} changed"
        say(f"{changed} in {counts.changed_documents:,} of {counts.documents_and_others}{failed}{note}")
        if counts.otherwise:
            say(_otherwise(counts.otherwise, counts.places[:PLACES]))
        if counts.missing:
            was = "was written that leads" if counts.missing == 1 else "were written that lead"
            them = count(counts.missing, "reference")
            say(f"{them} {was} to missing files; --to offline makes such references absolute")
        say_parted(counts.parted)
    if counts.withheld and not (quiet and counts.changed):
        stay = f"{count(counts.withheld, 'reference')} {'stays' if counts.withheld == 1 else 'stay'}"
        say(f"{stay} relative: as file: URIs of this machine they mean nothing elsewhere; use --url URI or --file-urls")


def _otherwise(number: int, places: Sequence[str]) -> str:
    """Return the line about references that browsers read differently (`rehref.rewriting.browser_differences`)."""
    stay, become = ("stays", "is") if number == 1 else ("stay", "are")
    where = f"{'first ' if len(places) < number else ''}in {', '.join(places)}; " if places else ""
    return (
        f"{count(number, 'reference')} that browsers read differently from the RFC ({where}browser-differs in rehref "
        f"links) {stay}, or {become} written as browsers read them if the base changes; --profile whatwg reads all as "
        "browsers do"
    )
