"""The summaries that `rehref rewrite` prints at its end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rehref.cli.errors import say
from rehref.cli.outcomes import Counts, say_parted
from rehref.reports.text import count
from rehref.rewriting.link_properties import PLACES

if TYPE_CHECKING:
    from rehref.rewriting.offline_copies.remaining import Remaining


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


def say_what_is_needed(remaining: Remaining, folder: Path, *, no_network: bool) -> None:
    """Print what of an offline copy needs the web or a server."""
    if remaining.web:
        loaded = "only scripts can load from there" if remaining.scripted_xml else "nothing is loaded from there"
        remedy = loaded if no_network else "--no-network lets nothing be loaded from there"
        say(f"{count(remaining.web, 'reference')} to the web {'stays' if remaining.web == 1 else 'stay'}; {remedy}")
    if remaining.in_scripts and not no_network:
        say(f"{count(remaining.in_scripts, 'absolute URL')} in scripts, though saved, may lead to the web")
    if remaining.scripted_xml and no_network:
        documents = count(remaining.scripted_xml, "XML document")
        say(f"scripts in {documents} can ask the web: there is no place for a policy")
    kinds = {
        "module": remaining.modules,
        "fetching script": remaining.fetching,
        "SVG or track reference": remaining.refused,
    }
    refused = [count(number, noun) for noun, number in kinds.items() if number]
    if refused:
        say(f"{' and '.join(refused)} will not work from a disk: rehref serve {folder}")


def _otherwise(number: int, places: Sequence[str]) -> str:
    """Return the line about references that browsers read differently (`rehref.rewriting.link_properties`)."""
    stay, become = ("stays", "is") if number == 1 else ("stay", "are")
    where = f"{'first ' if len(places) < number else ''}in {', '.join(places)}; " if places else ""
    return (
        f"{count(number, 'reference')} that browsers read differently from the RFC ({where}browser-differs in rehref "
        f"links) {stay}, or {become} written as browsers read them if the base changes; --profile whatwg reads all as "
        "browsers do"
    )
