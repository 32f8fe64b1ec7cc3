"""The line that says where the root of a folder is on the web, for each folder that `rehref check` reads.

It has the inferred URL and its source, then the host and the file that names it, and the options that override them.
What options say is not repeated; that a folder is taken for the root is only said if a finding depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rehref.cli.messages import say

if TYPE_CHECKING:
    from rehref.site.findings import CheckResult


def say_places(results: Iterable[CheckResult]) -> None:
    """Print the URLs and hosts of folders that no option gives on standard error."""
    from rehref.reports.words_of_findings import places_of_sites

    for result in results:
        for sentence in places_of_sites(result) if result.summary.documents else ():
            say(sentence)
