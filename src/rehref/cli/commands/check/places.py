"""The inferred URL and host of each checked folder: one line on standard error for each folder.

1. The line has the folder's URL and its source, then the host and the file that names it, and the options that override
   them. What options say is not repeated.
2. A hint after the report says what may repair many of the findings.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rehref.cli import output
from rehref.cli.errors import say
from rehref.reports.check.words import place_of_site

if TYPE_CHECKING:
    from rehref.checking.model import CheckResult
    from rehref.checking.site.site_context import SiteContext


def say_places(contexts: Iterable[SiteContext]) -> None:
    """Print the URLs and hosts of folders that no option gives."""
    for context in contexts:
        sentence = place_of_site(context.place) if context.scope.checked else ""
        if sentence != "":
            say(sentence)


def say_hints(result: CheckResult) -> None:
    """Print what may repair many findings (rule 2)."""
    for hint in result.hints:
        output.flush()
        say(f"hint: {hint}")
