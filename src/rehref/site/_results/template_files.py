"""Templates among the files of a site: their references count as skipped, with one note for each file.

Themes ship files from which pages are made (`_static/webpack-macros.html`). Their references have template syntax (`{{
pathto('x') }}`, `<%= x %>`, `${x}`, `$(x)$`), and lead somewhere only when it is replaced. In any other page, template
syntax is what a generator failed to replace. It is reported like any reference, since visitors meet it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import PurePosixPath
from typing import Final

from rehref.documents.media_types import MediaType
from rehref.site._found.repeated import Repeated, spread
from rehref.site._grounds.forge_pages import FORGES
from rehref.site._grounds.site_context import SiteContext
from rehref.site._pages.not_found import is_not_found_page
from rehref.site._pages.reading_site_pages import in_processes, read_or_skip
from rehref.site._pages.written import AS_WRITTEN, ENDPOINT
from rehref.site._paths import encode_any
from rehref.site.findings import Finding
from rehref.text.large_bytes import mentions
from rehref.uri.components import mask_text

_MOST: Final = 100
_SYNTAX = re.compile(r"\{(?:[{%$]|__\w)|<[%?]|\$\{|\$\(\w+\)").search
_STATEMENT = re.compile(rb"\{%[-+]?\s*+\w|\{\{[-~]?\s*+[#/>]|<%(?![=%])").search
_BLOCK = re.compile(rb"\{%[-+~]?[ \t]*+(end)?(set|capture|raw|verbatim|highlight|comment)\b([^\n%]*+)%\}").finditer
_CHECKED: Final = AS_WRITTEN | {ENDPOINT}
_LONGEST_SHOWN: Final = 60


def without_templates(context: SiteContext, rows: Sequence[Repeated]) -> tuple[list[Repeated], int]:
    """Return the findings with one note for each template, and how many references are skipped that were not before.

    They come in any order. Raises `WorkerError`.
    """
    rows, captured = _without_captured(context, rows)
    held: dict[str, list[Finding]] = {}
    for row in rows:
        document = row.finding.document
        if _SYNTAX(row.finding.reference) is not None and context.files.types.is_document(document):
            held.setdefault(document, []).extend(row.each())
    has_all = not context.is_sent and not context.files.unlisted  # else what mentions a file is not known
    templates = _templates(context, held) if held and has_all else ()
    left = [row for row in rows if row.finding.document not in templates or _SYNTAX(row.finding.reference) is None]
    skipped = [one for path in templates for one in held[path] if one.severity == "error" or one.code in _CHECKED]
    return [*left, *(Repeated(_note(path, held[path])) for path in templates)], _places(skipped) + captured


def _without_captured(context: SiteContext, rows: Sequence[Repeated]) -> tuple[Sequence[Repeated], int]:
    """Return the findings outside of blocks of templates in Markdown for a generator, and how many were inside."""
    types = context.files.types
    if not types.has_sources or context.options.how.dialect in FORGES:
        return rows, 0
    spans: dict[str, list[tuple[int, int]]] = {}
    inside: list[Finding] = []
    outside: list[Repeated] = []

    def is_inside(one: Finding) -> bool:
        return one.span is not None and any(start <= one.span[0] < end for start, end in spans[one.document])

    for row in rows:
        document = row.finding.document
        if row.finding.span is None or types.of(document) != MediaType.MARKDOWN:
            outside.append(row)
            continue
        if document not in spans:
            spans[document] = _captured(read_or_skip(context, document) or b"")
        if spans[document]:
            each = spread([row])
            inside += (one.finding for one in each if is_inside(one.finding))
            outside += (one for one in each if not is_inside(one.finding))
        else:
            outside.append(row)
    return outside, _places(inside)


def _captured(data: bytes) -> list[tuple[int, int]]:
    """Return the stretches of a text that are in blocks of templates, not one within another.

    Such a block captures text, shows code or leaves it out (`{% set x %}` to `{% endset %}`): its references are not
    certainly on the page, and are skipped.
    """
    found: list[tuple[int, int]] = []
    name, start = b"", 0
    for tag in _BLOCK(data):
        if not name and not tag[1] and (tag[2] != b"set" or b"=" not in tag[3]):
            name, start = tag[2], tag.end()
        elif tag[1] and tag[2] == name:
            found.append((start, tag.start()))
            name = b""
    return found


def _places(findings: Iterable[Finding]) -> int:
    """Return the number of places that findings are about."""
    return len({(one.document, one.line, one.column, one.reference) for one in findings})


def _note(path: str, findings: Sequence[Finding]) -> Finding:
    """Return the note on a template with these findings at references with template syntax."""
    first, number = mask_text(findings[0].reference), _places(findings)
    first = first if len(first) <= _LONGEST_SHOWN else first[:_LONGEST_SHOWN] + "…"
    message = f"the file is a template: references with template syntax are not checked ({number:,}, such as {first})"
    return Finding(document=path, code="template-file", message=message)


def _templates(context: SiteContext, held: Mapping[str, Sequence[Finding]]) -> Collection[str]:
    """Return the templates among documents, given with their findings at references with template syntax.

    A file is one if visitors do not get it: it is neither an index nor an error page, and no document that cannot be a
    template itself mentions its name. Of a folder of sources, visitors get no file as it is, except on a forge: there,
    the text alone decides; and in Markdown for a generator, any template syntax is one that it replaces. At most
    `_MOST` documents are looked at. All others are searched for their names, without being parsed: that does not depend
    on which files are checked; but where not all folders are listed, nothing is a template.
    """
    host = context.host
    words: dict[str, bytes] = {}
    sources: list[str] = []
    for path in sorted(held)[:_MOST]:
        name, types = PurePosixPath(path).name, context.files.types
        if types.has_sources:
            is_replaced = types.of(path) == MediaType.MARKDOWN and context.options.how.dialect not in FORGES
            sources += [path] * (is_replaced or _is_like_one(context, path, held[path]))
            continue
        if name in host.index_names or is_not_found_page(context, path) or not _is_like_one(context, path, held[path]):
            continue
        # a page is found by its name alone where the host adds an extension
        shown = PurePosixPath(path).stem if host.fallback_extensions else name
        # only what is written in the same way everywhere
        words[path] = encode_any(shown).partition("%")[0].lower().encode("ascii")
    if words:
        for mentioned in in_processes(
            context, partial(_mentioned, context, words), [one for one in context.scope.documents if one not in words]
        ):
            words = {path: word for path, word in words.items() if path not in mentioned}
    return [*words, *sources]


def _is_like_one(context: SiteContext, path: str, findings: Sequence[Finding]) -> bool:
    """Whether the text of a document is that of a template.

    It has statements (`{% if x %}`, `{{#each x}}`, `<% x %>`), or half of its references have template syntax.
    """
    data = read_or_skip(context, path)
    if data is None or _STATEMENT(data) is not None:
        return data is not None
    return 2 * _places(findings) >= sum(1 for _ in context.document_of(path, data).links())


def _mentioned(context: SiteContext, words: Mapping[str, bytes], documents: Sequence[str]) -> set[str]:
    """Return the paths whose words some documents mention."""
    found: set[str] = set()
    different = {*words.values()}
    for document in documents:
        data = read_or_skip(context, document)
        if data is not None and mentions(data, *different):
            found.update([path for path in words if path not in found and mentions(data, words[path])])
    return found
