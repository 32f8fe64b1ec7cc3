"""`rehref check --why URL`: explain step by step how a target is treated.

The explanation begins with what is inferred about the site. The exit code is 1 if the check would report an error.
"""

from __future__ import annotations

from rehref.cli import output
from rehref.reports.terminal import visible
from rehref.reports.words_of_findings import place_of_site
from rehref.site.site import Site
from rehref.uri.components import mask_text


def explain_url(site: Site, url: str) -> int:
    """Print how the URL is treated, and return the exit code. Raises `FileError`."""
    place, status = place_of_site(site.place), 0
    if place != "":
        _show(place)
    for statement in site.explained(url):
        status |= statement.is_error
        _show(statement.text)
    return status


def _show(text: str) -> None:
    output.show(visible(mask_text(text)) + "\n")
