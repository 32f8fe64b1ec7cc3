"""The checks beside that of the links of pages, in the order in which they are made.

1. A check is a module of this room that has `findings(context, table)`: what it finds in the site, given what reading
   its pages gave. A finding has a code of its own, with a row in `rehref.codes`.
2. One that has a help text is made if it is asked for: `--NAME` on the command line, `CheckOptions.checks` in Python.
   All others always are.
3. Where a check says so, its findings stand for all errors that others find at their places.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:  # the command line asks for the names alone
    from rehref.checking.model import Finding
    from rehref.checking.pages.tables import SiteTable
    from rehref.checking.site.site_context import SiteContext


class Check(NamedTuple):
    """A check: the name of its module, what the command line says of it (rule 2), and whether it goes before others."""

    name: str
    help: str = ""
    replaces: bool = False

    @property
    def option(self) -> str:
        """What asks for it on the command line."""
        return f"--{self.name.replace('_', '-')}"

    @property
    def findings(self) -> Callable[[SiteContext, SiteTable], Iterable[Finding]]:
        """What makes the check. Its module is imported now, for few checks are asked for."""
        findings: Callable[[SiteContext, SiteTable], Iterable[Finding]]
        findings = import_module(f"rehref.checking.checks.{self.name}").findings
        return findings


CHECKS: Final = (
    Check("unread_redirects"),
    Check("refresh_loops"),
    Check("header_fields"),
    Check("text_fragments", "Check text fragments (#:~:text=...) against the page's text."),
    Check("orphans", "Report pages that no other page leads to."),
    Check("sitemap", "Compare sitemaps with the pages there are.", replaces=True),
)


ON_REQUEST: Final = tuple(check for check in CHECKS if check.help)
"""Those that are made if they are asked for (rule 2)."""


def chosen(names: Collection[str]) -> Iterator[Check]:
    """The checks that are made where those with some names are asked for (rule 2)."""
    return (check for check in CHECKS if not check.help or check.name in names)
