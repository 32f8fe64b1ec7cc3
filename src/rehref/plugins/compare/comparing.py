"""`rehref.compare`: what a change of a site loses, as values.

Both states are read, URLs are matched, then ids, then broken links. What is gone, or newly broken, is an error. What
pages themselves declared unpublished (`noindex`) is a note. With `anchors`, the new state is a translation: what it
lacks is reported, and nothing is looked for elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from rehref.exceptions import OptionError
from rehref.files.writing import refuse_no_place, write_atomically
from rehref.plugins.compare._compared_ids import IgnoredIds, changed_ids, hollow_pages, ids_of
from rehref.plugins.compare._newly_broken import newly_broken
from rehref.plugins.compare._sides import open_state
from rehref.plugins.compare._urls import Fate, changes_of_urls, fates_of
from rehref.plugins.compare.changes import Comparison, ComparisonSummary, Tally
from rehref.site.check_options import CheckOptions
from rehref.site.codes import CODES
from rehref.site.findings import CheckResult, UnwrittenRedirect
from rehref.site.given_options import os_errors, patterns, refuse_redirects_file, reported_codes, site_options
from rehref.site.states import State
from rehref.uri.components import split

_STEPS = 5


def compare(
    old: str | os.PathLike[str],
    new: str | os.PathLike[str],
    *,
    ignore_ids: Sequence[str] = (),
    new_only: bool = False,
    anchors: bool = False,
    save: str | os.PathLike[str] | None = None,
    write_redirects: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> Comparison:
    """Compare two states of a site: which URLs and ids are gone, where they went, and which links only this broke.

    `old`, `new`: each a folder, a contract (a file that `save` wrote), a WARC or WACZ, or with `external` the URL of a
    site. `ignore_ids`: regular expressions for ids that do not matter. `new_only`: only newly broken links.
    `anchors`: `new` is a translation of `old`; only what it lacks is reported. `save`: write the contract of `new` to
    this file. `write_redirects`: write redirections for what has certainly moved to this file; its name decides the
    syntax. `progress`: as for `rehref.check`.

    `options`: those of `rehref.check`: `host`, `site_url`, `exclude_path` and others say how both states are read.
    `select`, `ignore`, `error` and `warn` name codes of the group `compare`.

    Raises `OSError` if a state cannot be read, ValueError for an option value that cannot be used and for states that
    cannot be compared, `TypeError` for an unknown argument, `RuntimeError` if an expression takes too long or a
    process dies. The content of documents never raises.
    """
    own = {"ignore_ids": ignore_ids, "new_only": new_only, "anchors": anchors, "save": save}
    with os_errors():
        refuse_unwritable(save, write_redirects)
        of_sites = site_options(options, old=old, new=new)
        with opened_states([os.fspath(old), os.fspath(new)], of_sites, progress) as states:
            return compared(states, {**options, **own, "write_redirects": write_redirects})


def result_of(old: str | os.PathLike[str], new: str | os.PathLike[str], **options: Any) -> CheckResult:
    """Return a comparison as the result of a check, for `rehref.plugins.sites`. Raises what `compare` raises."""
    from rehref.plugins.compare._comparison_report import as_result

    return as_result(compare(old, new, **options))


def refuse_unwritable(save: str | os.PathLike[str] | None, write_redirects: str | os.PathLike[str] | None) -> None:
    """Refuse files that cannot be written, before a state is read. Raises `OptionError`."""
    if save is not None and os.fspath(save) != "-":
        refuse_no_place("--save", save, may_be_folder=False)
    if write_redirects is not None:
        refuse_redirects_file("--write-redirects", write_redirects)


@contextmanager
def opened_states(
    names: Sequence[str], options: CheckOptions, progress: Callable[[int, int], None] | None
) -> Iterator[list[State]]:
    """Read some states, which are there in the `with` block. Raises what `open_state` raises."""
    with ExitStack() as stack:
        yield [open_state(name, options, stack, progress) for name in names]


def compared(
    states: Sequence[State], given: Mapping[str, Any], phase: Callable[[int, int, str], None] = lambda *_: None
) -> Comparison:
    """Compare an old and a new state, and write what is asked for. `given`: the options, by name.

    `phase`: called before each step with how many are done, how many there are, and what the next one does.

    All is written at the end: a state that cannot be compared changes no file. Raises `OptionError`, `FileError`.
    """
    old, new = states
    reported = reported_codes(given, "compare")
    left_out = patterns("--ignore-ids", given["ignore_ids"])
    ignored = IgnoredIds(old, lambda name: any(each.search(name) for each in left_out))
    looks_for_moves = not given["anchors"]
    phase(0, _STEPS, "looking for moved URLs")
    fates = fates_of(old, new, looks_for_moves=looks_for_moves)
    phase(1, _STEPS, "comparing ids")
    ids, of_ids = ids_of(old, new, fates, ignored, looks_for_moves=looks_for_moves)
    if not any(not fate.missing or fate.move.is_sure for fate in fates.values()):
        raise OptionError(new.name, f"has nothing in common with {old.name}", "name two states of one site")
    phase(2, _STEPS, "comparing broken links")
    broken = newly_broken(old, new, fates) if looks_for_moves and "newly-broken" in reported else []
    unpublished = {url for url, fate in fates.items() if fate.missing and old.about(url).noindex}
    phase(3, _STEPS, "comparing the texts of pages")
    found = list(broken)
    if not given["new_only"]:
        found += changes_of_urls(fates, unpublished, looks_for_moves=looks_for_moves)
        found += hollow_pages(old, new, fates) if looks_for_moves else ()
        found += of_ids
        found += changed_ids(old, new, fates, ignored) if looks_for_moves else ()
    problems = [
        each if each.severity != CODES[each.code].severity else each._replace(severity=reported[each.code])
        for each in found
        if each.code in reported
    ]
    problems.sort(key=lambda each: (each.severity != "error", each.severity, each.code == "newly-broken"))
    phase(4, _STEPS, "writing")
    if given["save"] is not None:
        write_atomically(Path(given["save"]), new.contract())
    number, unwritten = 0, tuple[UnwrittenRedirect, ...]()
    if given["write_redirects"] is not None:
        number, unwritten = _write_redirects(Path(given["write_redirects"]), new, fates)
    counted = [fate for url, fate in fates.items() if not fate.is_replaced and url not in unpublished]
    gone, moved = sum(bool(fate.missing) for fate in counted), sum(fate.has_moved for fate in counted)
    summary = ComparisonSummary(
        urls=Tally(len(counted) - gone - moved, moved, gone),
        ids=ids,
        newly_broken=len(broken),
        in_unchanged=len({each.document for each in broken if each.is_unchanged}),
        unpublished=len(unpublished),
        replaced=sum(fate.is_replaced for fate in fates.values()),
        redirects=number,
        errors=sum(each.severity == "error" for each in problems),
    )
    return Comparison(old.name, new.name, summary, tuple(problems), unwritten)


def _write_redirects(path: Path, new: State, fates: Mapping[str, Fate]) -> tuple[int, tuple[UnwrittenRedirect, ...]]:
    """Write the redirections for what has moved; return how many, and those that were not written.

    Raises `FileError`, `OptionError`.
    """
    known = [url for fate in fates.values() for url in (fate.resource.url, *fate.resource.also)]
    written = new.with_redirects(path, _planned(fates.values(), new), known)
    for file, data in written.files.items():
        write_atomically(file, data, within=path if path.is_dir() else None)
    return written.number, written.unwritten


def _planned(fates: Iterable[Fate], new: State) -> Iterator[tuple[str, str, bool]]:
    """Yield the redirections for what has certainly moved: the old URL, the new one, whether that is on the site."""
    for fate in fates:
        to = fate.move.to
        if fate.missing and fate.move.is_sure and not fate.is_replaced and to is not None:
            on_site = new.at(to.partition("#")[0]) is not None or split(to).scheme is None
            yield from ((url, to, on_site) for url in fate.missing if url != to)
