"""One run of `rehref check`: the context of a site, the check itself, what is said of it, and what of it is reported.

On a terminal there is a progress bar: of files found, of documents, and then of URLs, if servers are asked. Hints after
the report say what may repair many of the findings.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from rehref.cli import output
from rehref.cli.config import NAME
from rehref.cli.messages import say
from rehref.reports.formats import Presentation

if TYPE_CHECKING:
    from rehref.cli._commands.check.sites import NamedSite
    from rehref.site.check import CheckRun
    from rehref.site.check_options import CheckOptions
    from rehref.site.findings import CheckResult
    from rehref.site.site import Site

SELDOM: Final = 100_000
"""How many objects are made until the garbage collector runs: findings are many, and have no cycles."""


def context_of(site: NamedSite, options: CheckOptions, given: dict[str, Any]) -> Site:
    """Return the context in which a site is checked; a bar shows its listing. Raises `FileError`, `OptionError`."""
    from rehref.cli.messages import beside_messages
    from rehref.site.site import Site

    is_known = site.files is None or given["root"] is not None or given["why"] is not None
    find = Site.of if is_known or Site.is_in(site.folder, (NAME,)) else Site.of_named
    with beside_messages(given) as progress:
        listed = partial(progress.show, total=None, what="files")
        return find(site.folder, options._replace(files=site.files), listed)


def with_bars(
    run: CheckRun, sites: Sequence[Site], given: dict[str, Any]
) -> Iterator[tuple[Site, Callable[[int, int], None]]]:
    """Yield each of the sites of a run with what shows the progress of its check."""
    from rehref.cli.messages import beside_messages

    gc.freeze()
    gc.set_threshold(SELDOM)
    for site in sites:
        with beside_messages(given) as progress:
            if run.outside is not None:
                run.outside.progress = partial(progress.show, what="URLs")
            yield site, progress.show


def say_hints(result: CheckResult) -> None:
    """Print what may repair many findings."""
    for hint in result.hints:
        output.flush()
        say(f"hint: {hint}")


def new_only(result: CheckResult, baseline: str | None, context: Site | None = None) -> CheckResult:
    """The result without the findings of the baseline; what that lists in vain is counted.

    `context`: None says nothing. Raises `FileError`.
    """
    if baseline is None:
        return result
    from rehref.site.findings import Baseline

    known = Baseline.read(Path(baseline))
    new = list(known.new_in(result.rows))
    if context is not None:
        codes, scope = context.reported_codes, context.scope
        vain = known.without(result.rows).known.items()
        others = sum(number for one, number in vain if one.code in codes and scope.reports(one.document))
        rest = f"; {others:,} more in {baseline} did not occur (--write-baseline leaves them out)" if others else ""
        before = len(result.rows) - len(new)
        say(f"{before:,} finding{' was' if before == 1 else 's were'} known before{rest}")
    return result.with_findings(new)


def presentation_of(
    contexts: Sequence[Site], given: dict[str, Any], options: tuple[str, ...], *, note: str
) -> Presentation:
    """Return how to show results; `options`: those that are given; `note`: added to the summary line."""
    from rehref.cli._commands.check.sites import lines_of

    flags = {name: given[name] for name in ("raw_csv", "all_places", "all", "show_secrets", "quiet")}
    return Presentation(
        line_of=lines_of(contexts),
        note=note,
        most=given["max_findings"],
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        options=options,
        **flags,
    )
