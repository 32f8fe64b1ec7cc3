"""The findings of a check for programs: `json`, one object, and `jsonl`, one finding a line.

Text that is not Unicode has lone surrogates, as JSON escapes; so has what a terminal would act on
(`rehref.reports.terminal`). Passwords are masked, unless asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from itertools import islice
from json import JSONEncoder
from json.encoder import encode_basestring

from rehref.reports.formats import Presentation
from rehref.reports.terminal import Mask, json_text, masked_base
from rehref.site.findings import Cause, CheckResult, Finding, SitePlace

FIELDS = (
    *("document", "line", "column", "span", "element", "attribute", "reference", "target", "base"),
    *("code", "severity", "message", "suggestion", "cause"),
)
CAUSE_FIELDS = ("id", "code", "target", "occurrences")

_IN_BLOCK = 500

_encode = JSONEncoder(ensure_ascii=False).encode


class _Texts(dict[str | None, str]):
    """The JSON of texts that occur often."""

    def __init__(self, mask: Mask) -> None:
        super().__init__()
        self._mask = mask

    def __missing__(self, text: str | None) -> str:
        made = self[text] = _encode(self._mask(text))
        return made


def _lines(findings: Iterable[Finding], mask: Mask) -> Iterator[str]:
    # there may be a hundred thousand: the text that findings of a document share is made once, and no object for any
    texts = _Texts(mask)
    document, base = None, None
    in_document, based = "", "null"
    for finding in findings:
        if finding.document != document:
            document = finding.document
            in_document = _encode(document)
        if finding.base is not base:
            base = finding.base
            based = "null" if base is None else _encode(masked_base(base, mask).as_dict())
        line, column, span, reference = finding.line, finding.column, finding.span, finding.reference
        text = (
            f'{{"document": {in_document}, "line": {"null" if line is None else line}, '
            f'"column": {"null" if column is None else column}, '
            f'"span": {"null" if span is None else f"[{span[0]}, {span[1]}]"}, '
            f'"element": {texts[finding.element]}, "attribute": {texts[finding.attribute]}, '
            f'"reference": {encode_basestring(reference) if "@" not in reference else texts[reference]}, '
            f'"target": {texts[finding.target]}, "base": {based}, '
            f'"code": {texts[finding.code]}, "severity": {texts[finding.severity]}, '
            f'"message": {texts[finding.message]}, "suggestion": {texts[finding.suggestion]}, '
            f'"cause": "{finding.cause}"}}'
        )
        yield json_text(text)


def _blocks(lines: Iterator[str], between: str) -> Iterator[str]:
    """These lines, in chunks, with `between` between them."""
    begin = ""
    while block := between.join(islice(lines, _IN_BLOCK)):
        yield begin + block
        begin = between


def cause_object(cause: Cause, mask: Mask) -> dict[str, str | int | None]:
    """A cause as a value for JSON."""
    return {**{name: getattr(cause, name) for name in CAUSE_FIELDS}, "target": mask(cause.target)}


def _site_object(site: SitePlace, mask: Mask) -> dict[str, object]:
    """The URI and host of a folder, and their sources.

    `url` is on `https://site.invalid` if the host is not known. `basis`: "given" by an option, "stated" by its files,
    "links": by its paths from the root, "root": by nothing, "file": the folder's own place. `clean_urls`: whether its
    files say that `/a` means `a.html`.
    """
    return {
        "folder": site.folder,
        "url": mask(site.url),
        "basis": site.basis,
        "sources": site.sources,
        "host": site.host,
        "host_source": site.host_source,
        "clean_urls": site.has_clean_urls,
    }


def json(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """One object: `summary`, `problems` and `causes`, with the names of the fields of `Summary`, `Finding` and `Cause`.

    Findings and causes are each on a line of their own, with `FIELDS` and `CAUSE_FIELDS` in that order. The `cause` of
    a finding is the `id` of a cause; `base` is an object as in the JSON of links, or null; `span` a list of two numbers
    or null. The summary has `sites`, one for each checked folder.
    """
    causes = (json_text(_encode(cause_object(cause, presentation.mask))) for cause in result.causes)
    sites = [_site_object(site, presentation.mask) for site in result.sites]
    summary = json_text(_encode({**asdict(result.summary), "sites": sites}))
    yield f'{{"summary": {summary},\n"problems": [\n'
    yield from _blocks(_lines(result.rows, presentation.mask), ",\n")
    yield '\n],\n"causes": [\n' if result.rows else '],\n"causes": [\n'
    yield from _blocks(causes, ",\n")
    yield "\n]}\n" if result.causes else "]}\n"


def lines(result: CheckResult, presentation: Presentation) -> Iterator[str]:
    """One finding a line, without summary and causes: so lines may be joined, sorted and counted."""
    yield from _blocks(_lines(result.rows, presentation.mask), "\n")
    yield "\n" if result.rows else ""
