"""The checks, in the order in which they are made: their protocol, and which codes are reported.

A check is a module of this folder with a row here. It runs in two steps (`Check.collect`, which may be missing, and
`Check.findings`). One without a row has its name only in the rows of its codes. If there is an option with its name
(`rehref.site.check_options`), it can be requested, which selects its codes, unless `select` names some of them. No
document is read again, except when the need is known only after all are read: for the places of missing fragments and
of refreshes in a circle, and for the text of pages that text fragments lead to.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from rehref.exceptions import RehrefError, did_you_mean
from rehref.site.check_options import ROWS
from rehref.site.codes import CODES, GROUPS, Severity, members

if TYPE_CHECKING:
    from rehref.site._grounds.site_context import SiteContext
    from rehref.site._pages.read_page import ReadPage
    from rehref.site._pages.site_tables import SiteTable
    from rehref.site.check_options import CheckOptions
    from rehref.site.findings import Finding

Collect: TypeAlias = "Callable[[ReadPage], Any]"
"""Collects the facts of a page."""


def _codes_of_checks() -> dict[str, list[str]]:
    """Return the codes of checks that are made only if one of these is reported, by their names."""
    found: dict[str, list[str]] = {}
    for row in CODES.values():
        if row.check:
            found.setdefault(row.check, []).append(row.name)
    return found


_OF_CHECKS: Final[Mapping[str, Collection[str]]] = _codes_of_checks()


class Check(NamedTuple):
    """A check: the name of its module, and whether its findings replace all errors of other checks at their places.

    `of_site`: whether its findings depend on all documents, so that it collects facts of those, too, that are not
    checked, unless they are excluded. `asks_servers`: it is made only on request, whatever is selected. `group`: the
    group that a request for it selects, if not all its codes. `of_host`: whether it looks only at files with rules for
    the host; it is not made without these. `collects`: whether it has the first step.
    """

    name: str
    replaces: bool = False
    of_site: bool = False
    asks_servers: bool = False
    group: str = ""
    of_host: bool = False
    collects: bool = True

    @property
    def codes(self) -> Collection[str]:
        """Its codes, if it is made only for these."""
        return _OF_CHECKS.get(self.name, ())

    @property
    def collect(self) -> Collect:
        """Return what it needs of a page: its facts, any small value that can be pickled; None for nothing.

        It is called in the process that reads the page, while that is in memory.
        """
        collect: Collect = self._module.collect
        return collect

    @property
    def findings(self) -> Callable[[SiteContext, SiteTable, Mapping[str, Any]], Iterable[Finding]]:
        """Return the findings for a site: `table` has the results of reading for all checks (`SiteTable`).

        `facts`: its own, by the paths of documents. A finding has a code with a row in `rehref.site.codes`.
        """
        findings: Callable[[SiteContext, SiteTable, Mapping[str, Any]], Iterable[Finding]] = self._module.findings
        return findings

    @property
    def _module(self) -> Any:
        """Its module, imported only now, since few checks are requested."""
        return import_module(f"rehref.site._checks.{self.name}")


_LISTED: Final = (
    Check("unreadable", collects=False),
    Check("links"),
    Check("empty_references"),
    Check("ids"),
    Check("place_dependent"),
    Check("well_formed"),
    Check("unadded_slash"),
    Check("redirect_targets", of_host=True, collects=False),
    Check("refresh_loops", collects=False),
    Check("header_fields", of_host=True, collects=False),
    Check("integrity"),
    Check("text_fragments"),
    Check("sitemap", replaces=True, of_site=True),
    Check("lint_links"),
    Check("lint_pages"),
    Check("external", asks_servers=True, group="web"),
)
CHECKS: Final = (
    *_LISTED,
    *(Check(name, of_site=True) for name in _OF_CHECKS if name not in {check.name for check in _LISTED}),
    Check("unread_redirects", collects=False),  # the last one: others may find that a rule is too slow
)

ON_REQUEST: Final = tuple(check for check in CHECKS if check.name in ROWS)
"""The checks that can be requested."""


def reported(options: CheckOptions) -> Mapping[str, Severity]:
    """Return the severity of each code that is reported. Raises `UnknownCodeError`.

    A code is reported if a selected name covers it, and no ignored name covers it as closely. If nothing is selected,
    `DEFAULT` is. A code named as an error, or as a warning, has that severity; it is also selected, unless only a broad
    group names it. If both name a code, the closer name counts; of equally close ones, the error.
    """
    selected = options.select or DEFAULT
    named = closeness(selected)
    asked = [
        name
        for check in ON_REQUEST
        if check.name in options.checks and not any(code in named for code in check.codes)
        for name in ((check.group,) if check.group else check.codes)
    ]
    return severities((*selected, *asked), options.ignore, options.error, options.warn)


def chosen(options: CheckOptions) -> list[Check]:
    """Return the checks that are made."""
    codes, asked = reported(options), options.checks
    allowed = (check for check in CHECKS if check.name in asked or not check.asks_servers)
    return [check for check in allowed if not check.codes or any(code in codes for code in check.codes)]


def collectors(options: CheckOptions, *, of_site: bool = False) -> list[tuple[str, Collect]]:
    """Return the functions that collect facts, with the names of their checks; `of_site`: only those of the site."""
    checks = (check for check in chosen(options) if (check.of_site or not of_site) and not check.of_host)
    return [(check.name, check.collect) for check in checks if check.collects]


DEFAULT: Final = ("default",)
"""Selected if nothing else is."""
_BROADLY, _BY_GROUP, _BY_CODE = 1, 2, 3


class UnknownCodeError(RehrefError, ValueError):
    """A name that is neither a code nor a group; `name`, and `remedy`: what was probably meant."""

    def __init__(self, name: str) -> None:
        self.name = name
        near = did_you_mean(name, (*CODES, *GROUPS))
        self.remedy = near if near.startswith("did") else "rehref explain lists them"
        super().__init__(f"there is no code {name!r}; {self.remedy}")


def severities(
    select: Sequence[str] = (), ignore: Sequence[str] = (), error: Sequence[str] = (), warn: Sequence[str] = ()
) -> Mapping[str, Severity]:
    """Return the severity of each code that is reported. Raises `UnknownCodeError`."""
    selected, ignored = closeness(select or DEFAULT), closeness(ignore)
    errors, warnings = closeness(error), closeness(warn)
    found: dict[str, Severity] = {}
    for name, row in CODES.items():
        as_error, as_warning = errors.get(name, 0), warnings.get(name, 0)
        said = max(as_error, as_warning)
        closest = max(selected.get(name, 0), said if said > _BROADLY else 0)
        if closest > ignored.get(name, 0):
            found[name] = row.severity if said == 0 else "error" if as_error >= as_warning else "warning"
    return found


def closeness(names: Iterable[str]) -> dict[str, int]:
    """Return how closely the names name each code. Raises `UnknownCodeError`.

    A code names itself most closely, next a group about one subject (`base`), then a broad group (`warnings`).
    """
    found: dict[str, int] = {}
    for name in names:
        if name not in CODES and name not in GROUPS:
            raise UnknownCodeError(name)
        close = _BY_CODE if name in CODES else _BROADLY if GROUPS[name].broad else _BY_GROUP
        for code in members(name):
            found[code] = max(found.get(code, 0), close)
    return found
