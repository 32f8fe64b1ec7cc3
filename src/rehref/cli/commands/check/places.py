"""Where the folders that are checked are taken to be: a line on standard error for each of which that is inferred.

1. The line says where the folder is and what says so, then the host and the file that names it; and which option says
   otherwise. What options say is not repeated.
2. A hint is said behind the report: what may be to do about many of its findings.
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
    """Say where folders are taken to be, as far as no option says it."""
    for context in contexts:
        sentence = place_of_site(context.place) if context.scope.checked else ""
        if sentence != "":
            say(sentence)


def say_hints(result: CheckResult) -> None:
    """Say what may be to do about many findings (rule 2)."""
    for hint in result.hints:
        output.flush()
        say(f"hint: {hint}")
