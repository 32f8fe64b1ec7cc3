"""The line that says where the root of a folder is on the web, for each folder that `rehref check` reads.

It has the inferred URL and its source, then the host and the file that names it, and the options that override them.
What options say is not repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rehref.cli.messages import say

if TYPE_CHECKING:
    from rehref.site.site import Site


def say_places(contexts: Iterable[Site]) -> None:
    """Print the URLs and hosts of folders that no option gives on standard error."""
    from rehref.reports.words_of_findings import place_of_site

    for context in contexts:
        sentence = place_of_site(context.place) if context.scope.checked else ""
        if sentence != "":
            say(sentence)
