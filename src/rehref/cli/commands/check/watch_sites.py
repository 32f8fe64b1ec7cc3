"""`rehref check --watch`: what is watched, and how it is reported (`watch.py` watches)."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

from rehref.checking.rechecking import Rechecker
from rehref.checking.results.joining import one_result
from rehref.cli.commands.check.reports import write_external
from rehref.cli.commands.check.running import SELDOM, context_of, new_only, say_hints
from rehref.cli.commands.check.watch import Watching

if TYPE_CHECKING:
    from rehref.checking.model import CheckResult
    from rehref.checking.options import CheckOptions
    from rehref.checking.site.site_context import SiteContext
    from rehref.cli.commands.check.reports import ReportTo
    from rehref.cli.commands.check.sites import Site
    from rehref.reports.formats import Presentation


def watch_sites(
    named: Sequence[Site],
    options: CheckOptions,
    reports: Sequence[ReportTo],
    given: dict[str, Any],
    present: Callable[[Sequence[SiteContext], dict[str, Any]], Presentation],
) -> NoReturn:
    """Check again and again, until Ctrl-C. Raises what `Watching.run` raises.

    `present`: returns how to show the results of some sites.
    """
    sites = [Rechecker(partial(context_of, site, options, given)) for site in named]

    def report(result: CheckResult, for_people: CheckResult) -> None:
        contexts = [site.context for site in sites if site.context is not None]
        presentation = present(contexts, given)
        for each in reports:
            each.write(for_people if each.is_for_people else result, presentation)
        if given["dump_external"] is not None:
            write_external(result, given["dump_external"], show_secrets=given["show_secrets"])

    for_people = all(each.is_for_people for each in reports)
    known = partial(new_only, baseline=given["baseline"])
    gc.set_threshold(SELDOM)
    hints: Callable[[CheckResult], None] = (lambda _: None) if given["quiet"] else say_hints
    watching = Watching(sites, lambda results: known(one_result(results)), report, hints, for_people)
    watching.run([site.folder for site in named])
    raise AssertionError("it never ends")
