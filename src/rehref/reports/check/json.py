"""What checking found, for programs: `json`, one object, and `jsonl`, one finding a line.

1. The object has `summary`, with the names of `Summary`'s fields, and `problems`: the findings, each on a line of its
   own, with the names of `Finding`'s fields that are the contract (`FIELDS`), in that order.
2. `base` is an object as in the JSON of links, or null; `span` a list of two numbers or null.
3. `jsonl` has the same problems, without the summary: so lines may be joined, sorted and counted.
4. Text that is no Unicode is given with lone surrogates, as JSON escapes. Passwords are masked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from json import JSONEncoder
from json.encoder import encode_basestring

from rehref.checking.model import CheckResult, Finding
from rehref.reports.formats import Presentation
from rehref.reports.links.json import base_object
from rehref.reports.text import mask
from rehref.uri.privacy import mask_text

FIELDS = (
    *("document", "line", "column", "span", "element", "attribute", "reference", "target", "base"),
    *("code", "severity", "message", "suggestion"),
)

_IN_BLOCK = 500

_encode = JSONEncoder(ensure_ascii=False).encode


class _Texts(dict[str | None, str]):
    """The JSON of texts that come again and again."""

    def __missing__(self, text: str | None) -> str:
        made = self[text] = _encode(mask(text))
        return made


def _lines(findings: tuple[Finding, ...]) -> Iterator[str]:
    # there may be a hundred thousand: what those of a document share is written once, and no object is made of any
    texts = _Texts()
    document, base = None, None
    in_document, based = "", "null"
    for finding in findings:
        if finding.document != document:
            document = finding.document
            in_document = _encode(document)
        if finding.base is not base:
            base = finding.base
            based = "null" if base is None else _encode(base_object(base))
        line, column, span, reference = finding.line, finding.column, finding.span, finding.reference
        text = (
            f'{{"document": {in_document}, "line": {"null" if line is None else line}, '
            f'"column": {"null" if column is None else column}, '
            f'"span": {"null" if span is None else f"[{span[0]}, {span[1]}]"}, '
            f'"element": {texts[finding.element]}, "attribute": {texts[finding.attribute]}, '
            f'"reference": {encode_basestring(reference if "@" not in reference else mask_text(reference))}, '
            f'"target": {texts[finding.target]}, "base": {based}, '
            f'"code": {texts[finding.code]}, "severity": {texts[finding.severity]}, '
            f'"message": {texts[finding.message]}, "suggestion": {texts[finding.suggestion]}}}'
        )
        yield text if text.isascii() else _as_unicode(text)


def _as_unicode(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _blocks(findings: tuple[Finding, ...], between: str) -> Iterator[str]:
    """The lines of all findings, some at a time, with `between` between them."""
    lines = _lines(findings)
    begin = ""
    while block := between.join(islice(lines, _IN_BLOCK)):
        yield begin + block
        begin = between


def json(result: CheckResult, _: Presentation) -> Iterator[str]:
    """One object: the summary and all problems."""
    yield f'{{"summary": {_encode(asdict(result.summary))},\n"problems": [\n'
    yield from _blocks(result.findings, ",\n")
    yield "\n]}\n" if result.findings else "]}\n"


def lines(result: CheckResult, _: Presentation) -> Iterator[str]:
    """One problem a line."""
    yield from _blocks(result.findings, "\n")
    yield "\n" if result.findings else ""
