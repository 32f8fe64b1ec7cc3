"""The result of `rehref compare` in all formats.

`text`, `json`, `jsonl` and `csv` have the fields of a change; all other formats are those of findings, and show what
changed as findings about the documents that are concerned. `json` is one object: `summary`, `unwritten`, and
`problems`, each on a line. Passwords are masked, unless asked for.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from rehref.plugins.compare.changes import Change, Comparison
from rehref.reports.formats import LINES, Presentation, findings_format, objects_written
from rehref.reports.spreadsheets import lines as csv_lines
from rehref.reports.terminal import count, json_text, shown, width
from rehref.site.check import result_of_findings
from rehref.site.findings import CheckResult, Finding

ComparisonFormat: TypeAlias = "Callable[[Comparison, Presentation], Iterator[str]]"

_WIDEST: Final = 40
_FEW: Final = 3
_encode = json.JSONEncoder(ensure_ascii=False).encode


def comparison_format(name: str) -> ComparisonFormat:
    """Return the format of that name. Raises `ValueError` for an unknown name."""
    own: dict[str, ComparisonFormat] = {"text": _text, "json": _json, "jsonl": _lines, "csv": _csv}
    if name in own:
        return own[name]
    form = findings_format(name)
    return lambda comparison, presentation: form(as_result(comparison), presentation)


def as_result(comparison: Comparison) -> CheckResult:
    """Return a comparison as the result of a check."""
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
        for each in comparison.problems
    ]
    return result_of_findings(comparison.new, findings, sum(comparison.summary.urls), sentence(comparison))


def sentence(comparison: Comparison) -> str:
    """Return the sentence that sums it up: `3 URLs and 1 id gone, 2 moved; 1,204 URLs and 9,310 ids kept`."""
    sums = comparison.summary
    gone = [count(number, noun) for number, noun in ((sums.urls.gone, "URL"), (sums.ids.gone, "id")) if number]
    parts = [f"{' and '.join(gone) or 'nothing'} gone"]
    parts += [f"{sums.urls.moved:,} moved"] if sums.urls.moved else []
    parts += [f"{count(sums.newly_broken, 'link')} newly broken"] if sums.newly_broken else []
    parts += [f"{count(sums.unpublished, 'URL')} gone that had noindex"] if sums.unpublished else []
    parts += [f"{count(sums.replaced, 'file')} replaced by a build"] if sums.replaced else []
    return f"{', '.join(parts)}; {count(sums.urls.kept, 'URL')} and {count(sums.ids.kept, 'id')} kept"


def _text(comparison: Comparison, presentation: Presentation) -> Iterator[str]:
    style = presentation.style
    alike = _alike(each for each in comparison.problems if each.code not in ("url-moved", "id-moved"))
    listed, others = alike[: presentation.most], alike[len(alike[: presentation.most]) :]
    left_out = sum(map(len, others))
    names = [shown(_name(comparison, each)) for each in listed]
    widest = min(_WIDEST, max(map(width, names), default=0))
    for name, changes in zip(names, listed, strict=True):
        each = changes[0]
        mark = style.removed if each.severity == "error" else style.alarm
        code = f"{each.code}: " if each.code in ("newly-broken", "page-hollow", "id-changed") else ""
        where = _pages(changes) if len(changes) > 1 else ""
        yield f"{name}{' ' * (widest - width(name))}  {where}{mark(code + shown(each.message, 2000))}\n"
    yield f"{count(left_out, 'change')} more not shown (--max-findings {presentation.most})\n" if left_out else ""
    sums = comparison.summary
    if sums.newly_broken:
        pages = f", in {count(sums.in_unchanged, 'page')} that this change did not touch"
        yield f"{count(sums.newly_broken, 'link')} newly broken{pages if sums.in_unchanged else ''}\n"
    dropped = sum(each.code == "id-moved" and each.severity == "warning" for each in comparison.problems)
    if dropped:
        yield f"{count(dropped, 'id')} moved with a page that refreshes and drops fragments: links end at the top\n"
    if sums.redirects:
        yield f"{count(sums.redirects, 'redirect')} written\n"
    mark = style.removed if sums.errors else style.good
    if not presentation.quiet:
        yield f"{mark(sentence(comparison))}{shown(presentation.note)}\n"


def _alike(changes: Iterable[Change]) -> list[list[Change]]:
    """Return changes, those of one id together that are the same on several pages."""
    found: dict[Hashable, list[Change]] = {}
    for each in changes:
        _, mark, name = each.url.partition("#")
        key = (each.code, name, each.message) if mark and not each.document else len(found)
        found.setdefault(key, []).append(each)
    return [*found.values()]


def _pages(changes: Sequence[Change]) -> str:
    """Return on which pages an id has changed: `in 8 pages (a.html, b.html, c.html, …): `."""
    urls = [shown(each.url.partition("#")[0] or "/") for each in changes]
    return f"in {count(len(urls), 'page')} ({', '.join([*urls[:_FEW], *['…'][: len(urls) > _FEW]])}): "


def _name(comparison: Comparison, changes: Sequence[Change]) -> str:
    change = changes[0]
    if len(changes) > 1:
        return "#" + change.url.partition("#")[2]
    if not change.document:
        return change.url or "/"
    place = ":".join(str(each) for each in (change.line, change.column) if each is not None)
    return ":".join(filter(None, ((PurePath(comparison.new) / change.document).as_posix(), place)))


def _object(change: Change, presentation: Presentation) -> dict[str, Any]:
    values = change._asdict()
    return {name: presentation.mask(value) if isinstance(value, str) else value for name, value in values.items()}


def _json(comparison: Comparison, presentation: Presentation) -> Iterator[str]:
    sums = asdict(comparison.summary) | {name: getattr(comparison.summary, name)._asdict() for name in ("urls", "ids")}
    unwritten = [
        {name: presentation.mask(text) for name, text in each._asdict().items()} for each in comparison.unwritten
    ]
    head = {"old": comparison.old, "new": comparison.new, "summary": sums, "unwritten": unwritten}
    yield json_text(_encode(head)[:-1]) + ',\n"problems": [\n'
    yield ",\n".join(json_text(_encode(_object(each, presentation))) for each in comparison.problems)
    yield "\n]}\n"


def _lines(comparison: Comparison, presentation: Presentation) -> Iterator[str]:
    return objects_written((_object(each, presentation) for each in comparison.problems), LINES)


def _csv(comparison: Comparison, presentation: Presentation) -> Iterator[str]:
    yield ",".join(Change._fields) + "\n"
    rows = (_object(each, presentation) | {"candidates": " ".join(each.candidates)} for each in comparison.problems)
    yield csv_lines(
        [[str(each) if isinstance(each, float) else each for each in row.values()] for row in rows],
        raw=presentation.raw_csv,
    )
