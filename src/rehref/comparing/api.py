"""`rehref.compare`: what a change of a site loses, as values.

1. The options are those of `rehref.check`, by the same names, and those of the command.
2. The order is fixed: both states are read, URLs are matched, then ids, then broken links. Only what options ask for is
   written, and only at the end: a state that cannot be compared changes no file.
3. What is gone, or newly broken, is an error. What pages themselves declared unpublished (`noindex`) is a note.
4. With `anchors`, the new state is a translation: what it lacks is reported, and nothing is looked for elsewhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rehref.checking.checks.registry import severities
from rehref.checking.given import OF_CODES, Selected, check_options, code_names, patterns
from rehref.checking.model import CheckResult, Finding, Summary
from rehref.checking.option_table import DEFAULTS
from rehref.checking.option_types import refuse_no_path, refuse_other_types, refuse_unknown_names
from rehref.checking.results.causes import with_causes
from rehref.checking.results.joining import summed
from rehref.code_groups import COMPARE
from rehref.codes import CODES, Severity
from rehref.comparing.broken import NewlyBroken, newly_broken
from rehref.comparing.contract import write_contract
from rehref.comparing.ids import IdFate, IgnoredIds, changed_ids, hollow_pages, ids_of
from rehref.comparing.opening import open_state
from rehref.comparing.redirects import host_of, write_redirects
from rehref.comparing.states import State
from rehref.comparing.urls import Fate, Move, fates_of
from rehref.exceptions import OptionError


class Change(NamedTuple):
    """One thing that a change of a site loses, or that it moves.

    `url`: the URL below the site, with `#` and the id for one; of a broken link, that of its document. `message`: for
    people. `moved_to`: where it is now, if that is known; `certainty`: how certain that is, from 0 to 1; `candidates`:
    URLs of which none could be chosen. `document`, `line`, `column`, `reference`, `target`: of a link that is newly
    broken, as in a finding; `is_unchanged`: whether its document has the same bytes as before.
    """

    code: str
    severity: Severity
    url: str
    message: str
    moved_to: str | None = None
    certainty: float | None = None
    candidates: tuple[str, ...] = ()
    document: str = ""
    line: int | None = None
    column: int | None = None
    reference: str = ""
    target: str | None = None
    is_unchanged: bool = False


class Tally(NamedTuple):
    """How many URLs or ids were kept, have moved for good, and are gone."""

    kept: int
    moved: int
    gone: int


@dataclass(frozen=True, slots=True)
class ComparisonSummary:
    """The numbers of a comparison.

    `urls`, `ids`: those of the old state, `newly_broken`: links that only the change broke; `in_unchanged`: in how many
    pages with the same bytes as before. `unpublished`: URLs that are gone, and that their pages left out of search
    engines. `replaced`: files that a build has renamed. `redirects`: the number of redirections written. `errors`: how
    many changes are errors.
    """

    urls: Tally
    ids: Tally
    newly_broken: int = 0
    in_unchanged: int = 0
    unpublished: int = 0
    replaced: int = 0
    redirects: int = 0
    errors: int = 0


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a change of a site loses. `old`, `new`: the states, as they were named; `problems`: sorted, errors first."""

    old: str
    new: str
    summary: ComparisonSummary
    problems: tuple[Change, ...]

    def as_result(self, sentence: str) -> CheckResult:
        """Return the same as the result of a check, for its reports. `sentence`: sums it up."""
        findings = [
            Finding(
                document=each.document or each.url.partition("#")[0],
                code=each.code,
                message=each.message if each.document else f"{each.url}: {each.message}",
                line=each.line,
                column=each.column,
                reference=each.reference or each.url,
                target=each.target,
                asked_severity=each.severity,
            )
            for each in self.problems
        ]
        result = CheckResult(self.new, Summary(sum(self.summary.urls), 0, 0), (), sentence=sentence)
        return summed(result, with_causes(findings, ""))


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
    from rehref.checking.api import os_errors

    for name, value in (("old", old), ("new", new)):
        refuse_no_path(name, value)
    given = given_options(options, write_redirects)
    with os_errors(), ExitStack() as stack:
        states = [open_side(os.fspath(each), given, stack, progress) for each in (old, new)]
        how = CompareOptions(tuple(ignore_ids), new_only, anchors, save, write_redirects)
        return compared(states[0], states[1], how, given)


class CompareOptions(NamedTuple):
    """How two states are compared: the arguments of `compare`."""

    ignore_ids: tuple[str, ...] = ()
    new_only: bool = False
    anchors: bool = False
    save: str | os.PathLike[str] | None = None
    write_redirects: str | os.PathLike[str] | None = None


def given_options(options: Mapping[str, Any], redirects: str | os.PathLike[str] | None = None) -> dict[str, Any]:
    """Return all options of a check by name; `redirects`: a file to write, whose name may say which host it is.

    Raises `TypeError` for unknown options, and what `check` raises.
    """
    refuse_unknown_names(options)
    given = {**DEFAULTS, **options}
    refuse_other_types(given)
    if redirects is not None and given["host"] is None:
        given["host"] = host_of(Path(redirects))
    return given


def open_side(
    name: str, given: Mapping[str, Any], stack: ExitStack, progress: Callable[[int, int], None] | None
) -> State:
    """Return one side of a comparison. Raises what `open_state` raises."""
    selected = Selected((), (), (), (), ())
    options = check_options({**given, "per_path_ignores": {}}, selected)._replace(checks=frozenset())
    return open_state(name, options, given, stack, progress)


def compared(old: State, new: State, how: CompareOptions, given: Mapping[str, Any]) -> Comparison:
    """Return what became of a state, and write what is asked for (rule 2). Raises `OptionError`, `FileError`."""
    named = {name: code_names(f"--{name}", given[name]) for name in OF_CODES}
    reported = severities(**{**named, "select": named["select"] or (COMPARE,)})
    ignored = IgnoredIds(old, patterns("--ignore-ids", how.ignore_ids))
    fates = fates_of(old, new, looks_for_moves=not how.anchors)
    ids = list(ids_of(old, new, fates, ignored, looks_for_moves=not how.anchors))
    if not any(not fate.missing or fate.move.is_sure for fate in fates.values()):
        raise OptionError(new.name, f"has nothing in common with {old.name}", "name two states of one site")
    broken = [] if how.anchors or "newly-broken" not in reported else newly_broken(old, new, fates)
    found = [*_of_broken(broken)]
    if not how.new_only:
        found += [*_of_urls(fates, how), *_of_ids(ids, fates, how, ignored)]
    known = (each for each in found if each.code in reported)
    problems = [
        each if each.severity != CODES[each.code].severity else each._replace(severity=reported[each.code])
        for each in known
    ]
    problems.sort(key=lambda each: (each.severity != "error", each.severity, each.code == "newly-broken"))
    if how.save is not None:
        save_contract(new, Path(how.save))
    written = 0 if how.write_redirects is None else write_redirects(Path(how.write_redirects), new, fates)
    summary = ComparisonSummary(
        urls=_tally_of_urls(fates),
        ids=Tally(
            kept=sum(each.move is None and not each.to for each in ids),
            moved=sum(each.move is None and each.to != "" for each in ids),
            gone=sum(each.move is not None for each in ids),
        ),
        newly_broken=len(broken),
        in_unchanged=len({each.finding.document for each in broken if each.is_unchanged}),
        unpublished=sum(_is_unpublished(fate) for fate in fates.values()),
        replaced=sum(fate.is_replaced for fate in fates.values()),
        redirects=written,
        errors=sum(each.severity == "error" for each in problems),
    )
    return Comparison(old.name, new.name, summary, tuple(problems))


def save_contract(state: State, path: Path) -> None:
    """Write the contract of a state. Raises `FileError`, `WorkerError`."""
    state.read_details(state.resources)
    write_contract(path, state.contract)


def _is_unpublished(fate: Fate) -> bool:
    """Whether something is gone that its page declared unpublished (rule 3)."""
    details = fate.resource.details
    return bool(fate.missing) and details is not None and details.is_left_out


def _tally_of_urls(fates: Mapping[str, Fate]) -> Tally:
    counted = [fate for fate in fates.values() if not fate.is_replaced and not _is_unpublished(fate)]
    gone = sum(bool(fate.missing) for fate in counted)
    moved = sum(not fate.missing and _has_moved(fate) for fate in counted)
    return Tally(len(counted) - gone - moved, moved, gone)


def _has_moved(fate: Fate) -> bool:
    return fate.landing.is_moved and not (fate.resource.to or fate.resource.is_redirect)


def _where(move: Move) -> str:
    """Return where something went, for people: `; now begin.html (same title)`; "" if nothing is known."""
    if move.to is not None:
        return f"; {'now' if move.is_sure else 'perhaps'} {move.to} ({move.why})"
    if not move.candidates:
        return ""
    return f"; {move.why or 'one of'}: {', '.join(move.candidates)}"


def _change(code: str, url: str, message: str, move: Move, severity: Severity = "error") -> Change:
    certainty = None if move.to is None else move.certainty
    return Change(code, severity, url, message + _where(move), move.to, certainty, move.candidates)


def _of_urls(fates: Mapping[str, Fate], how: CompareOptions) -> Iterator[Change]:
    for url, fate in fates.items():
        if fate.missing and not fate.is_replaced:
            what = "not there" if how.anchors else "gone"
            if fate.missing[0] != url:
                what += f", but /{url} is there"
            elif fate.landing.status != 200:
                what += f", though it is redirected: {fate.landing.why}"
            left_out = " (its page was noindex)" if _is_unpublished(fate) else ""
            severity: Severity = "info" if left_out else "error"
            yield _change("url-gone", fate.missing[0], what + left_out, fate.move, severity)
        elif _has_moved(fate) and not how.anchors:
            to = "another site" if fate.landing.resource is None else fate.landing.resource.url or "/"
            by = "by a page that refreshes" if fate.landing.refreshes else f"with {fate.landing.status}"
            by += " and drops fragments" if fate.landing.drops else ""
            where = None if fate.landing.resource is None else fate.landing.resource.url
            yield Change("url-moved", "info", url, f"redirected to {to}, {by}", where, 1.0)
    for fate in () if how.anchors else hollow_pages(fates):
        yield Change("page-hollow", "warning", fate.resource.url, "nearly all of its text is gone")


def _of_ids(
    ids: Sequence[IdFate], fates: Mapping[str, Fate], how: CompareOptions, ignored: IgnoredIds
) -> Iterator[Change]:
    for url, name, to, move, why in ids:
        if move is not None:
            what = "not there" if how.anchors else "gone" if why == "no element has it" else f"gone: {why}"
            yield _change("id-gone", f"{url}#{name}", what, move)
        elif to:
            drops = fates[url].landing.drops
            what = f"redirected to {to}" + (", but the page that refreshes drops fragments" if drops else "")
            yield Change("id-moved", "warning" if drops else "info", f"{url}#{name}", what, to, 1.0)
    for url, name, _, move, _ in () if how.anchors else changed_ids(fates, ignored):
        if move is not None:
            yield _change("id-changed", f"{url}#{name}", "means something else", move, "warning")


def _of_broken(broken: Sequence[NewlyBroken]) -> Iterator[Change]:
    for finding, is_unchanged in broken:
        yield Change(
            code="newly-broken",
            severity="error",
            url=finding.document,
            message=f"{finding.code}: {finding.message}",
            document=finding.document,
            line=finding.line,
            column=finding.column,
            reference=finding.reference,
            target=finding.target,
            is_unchanged=is_unchanged,
        )
