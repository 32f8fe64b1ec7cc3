"""The references in header fields that a host is configured to send, checked like those of documents.

`rehref.site._hosts.header_files` says which files are read, and which fields they send;
`rehref.documents._formats.headers` which references these have: `Link`, `Location`, … A path from the root begins at
the folder for `_headers`, since the folder is always the root of its host; for `.htaccess`, it begins at the root of
the host; without a site URL, the folder counts as this root. A file of more than 1 MiB is not read, and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from typing import Final

from rehref.documents.base import Base, Layers, clean
from rehref.documents.document import Document
from rehref.documents.link import Link, Reference
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import read_document
from rehref.files.file_documents import encode_path
from rehref.files.file_errors import FileError
from rehref.site._grounds.site_context import SiteContext
from rehref.site._hosts.header_files import ANY, VARIABLE, HostField, fields_of
from rehref.site._hosts.host_files import HTACCESS, host_files, read_host_file, text_of
from rehref.site._pages.classifier import SKIPPED, TargetClassifier, leads_elsewhere
from rehref.site._pages.fragments import Defined
from rehref.site._pages.made_findings import finding_of
from rehref.site._pages.read_page import defined_in
from rehref.site._pages.reading_site_pages import unreadable
from rehref.site._pages.site_tables import SiteTable
from rehref.site._pages.targets import followed
from rehref.site._pages.written import code_for, noticed, wrong_as_written
from rehref.site.findings import Finding
from rehref.uri.components import Components, split, unsplit
from rehref.uri.normalization import percent_encode

_KEPT: Final = 64
_NAMED = re.compile(r":[A-Za-z]\w*+", re.ASCII)


def findings(context: SiteContext, table: SiteTable, facts: Mapping[str, object]) -> Iterator[Finding]:
    """Yield the findings for the header fields that the host of a folder sends by its files, and count their links."""
    fields = _Fields(context)
    classifier = TargetClassifier(context)
    defined = lru_cache(maxsize=_KEPT)(partial(_defined, context, table))
    for path in host_files(context.host.header_file, context.files.paths):
        if context.scope.leaves_out(path):
            continue
        try:
            data = read_host_file(context.folder, path)
        except FileError as error:
            yield unreadable(path, error)
            continue
        units = text_of(data)
        for link, base in fields.links(path, data):
            table.links += 1
            assert link.span is not None
            line, column = units.position(link.span[0])
            link = link._replace(line=line, column=column)
            target = link.target or ""
            wrong = wrong_as_written(context, link.reference, link.target, link.problems)
            if wrong is not None:
                yield finding_of(path, link, wrong.code, wrong.message)._replace(base=base)
            elif not context.scope.chooses(target, link.reference):
                table.skipped += 1
                continue
            elif classifier[target] == SKIPPED or leads_elsewhere(context, target, link.reference):
                table.skipped += 1
            elif (verdict := classifier.verdict(target, defined)) is not None:
                yield finding_of(path, link, code_for(verdict, link.kind), verdict.message)._replace(base=base)
            for problem in noticed(context, link.reference, link.target, link.problems):
                finding = finding_of(path, link, problem.code, problem.message)
                yield finding._replace(base=base)


def _defined(context: SiteContext, table: SiteTable, path: str) -> Defined | None:
    """Return what fragments may lead to in a file; a file that no checked page links to is read only here."""
    return table.defined(path) if path in table.read else defined_in(context, path)


class _Fields:
    """Reads the references of header fields within a site."""

    def __init__(self, context: SiteContext) -> None:
        self._context = context
        parts = split(context.uri)
        self._root = unsplit(Components(parts.scheme, parts.authority, "/", None, None))
        self._is_local = (parts.scheme or "").lower() == "file"
        self._site_path = "/" if self._is_local else parts.path

    def links(self, path: str, data: bytes) -> Iterator[tuple[Link, Base | None]]:
        """Yield the links in a file that can be checked, with their spans in it, and their bases."""
        for field in fields_of(path, data, self._site_path + encode_path(path.removesuffix(HTACCESS))):
            yield from self._links(field, folder_is_root=not path.endswith(HTACCESS) or self._is_local)

    def _links(self, field: HostField, *, folder_is_root: bool) -> Iterator[tuple[Link, Base | None]]:
        """Yield those of a field. Other sites are not checked, nor excluded references, nor those that are never
        fetched.

        A reference is relative to the URI of the path that its field is sent for. If the rule's path has `*` or
        `:name`, so that it may be one of several, only references that lead to the same place from all of them are
        checked. A reference that itself has `:splat` or `:name`, which the host replaces, is not one of these.
        """
        path = field.path.partition("?")[0].partition("#")[0]
        variable = VARIABLE.search(path)
        first, *others = self._read(field, path)
        names = {":splat" if found[0] == ANY else found[0] for found in VARIABLE.finditer(path)}
        behind = len(field.name) + 1
        for number, link in enumerate(first):
            if link.target is None or link.span is None or any(link.target != other[number].target for other in others):
                continue
            if not names.isdisjoint(_NAMED.findall(link.reference)):
                continue
            parts = split(clean(link.reference))
            target, base = link.target, None
            is_own = parts.scheme is None and parts.authority is None
            if folder_is_root and is_own and target.startswith(self._root):
                target = self._context.uri + target[len(self._root) :]
            if not self._is_local and (not folder_is_root or self._root == self._context.uri):
                if variable is None:
                    base = link.base
                elif not is_own or parts.path.startswith("/"):
                    folder = path[: path.rfind("/", 0, variable.start()) + 1]
                    base = link.base._replace(uri=percent_encode(self._root + folder[1:]))
            start, end = link.span
            span = (field.offsets[start - behind], field.offsets[end - behind])
            yield link._replace(target=target, span=span), base

    def _read(self, field: HostField, path: str) -> list[list[Link]]:
        """Return the links of a field, relative to the URI of its path, or to two that differ as much as possible."""
        paths = [path]
        if VARIABLE.search(path) is not None:
            # # no reference in the field leads up as many folders as the second path has
            depth = field.value.count(b"/") + field.value.count(b"\\") + 1
            deep = path.replace(ANY, "1/" * depth + "1", 1)
            paths = [VARIABLE.sub("0", path), VARIABLE.sub("1", deep)]
        data = field.name.encode() + b":" + field.value
        how = ReadOptions(profile=self._context.options.how.profile)
        layers = [Layers(retrieval=percent_encode(self._root + path[1:])) for path in paths]
        documents = [read_document(data, MediaType.HEAD, None, each, how) for each in layers]
        return [[_followed(document, each) for each in document.references() if each.fetched] for document in documents]


def _followed(document: Document, reference: Reference) -> Link:
    """Return the link of a reference, with the target that browsers follow."""
    link = document.link(reference)
    return link._replace(target=followed(document.resolver.in_browsers, link.reference, link.target, link.problems))
