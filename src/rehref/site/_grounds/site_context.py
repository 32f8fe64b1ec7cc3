"""The context in which a folder is checked: its files, the rules of its host, its URI; and what of it is checked.

It is computed once, and answers all questions about the folder: no file is looked up again. The rules of the host are
those of the options, and those in files of the folder (`.htaccess`): which pages are the index of a folder, and which
are for errors. Pages of a server (`rehref.site._grounds.fetched`) are named by their URLs, in place of paths below a
folder.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from rehref.containers.inherited_encodings import ATTRIBUTES, REFERRING, Referring, SheetEncodings
from rehref.documents.base import Layers, without_fragment
from rehref.documents.document import Document
from rehref.documents.media_types import MediaType
from rehref.documents.options import ReadOptions
from rehref.documents.reading import encoding_of, read_document
from rehref.exceptions import OptionError, OutOfTimeError
from rehref.files.file_documents import encode_path, folder_uri
from rehref.files.file_errors import FileError
from rehref.files.reading_files import read_file
from rehref.site._expressions import Searched
from rehref.site._grounds.files import Fetched, Files, Listed, is_other_json, list_files
from rehref.site._grounds.locating import Locator, root_folder
from rehref.site._grounds.property_uses import PropertyUses
from rehref.site._grounds.publishing import Publication, with_repository
from rehref.site._grounds.sent_fields import SentFields, read_sent_fields
from rehref.site._grounds.serving import TargetLocator
from rehref.site._grounds.source_bases import base_of_page
from rehref.site._grounds.source_files import in_site, serving_sources, with_sources
from rehref.site._hosts.configured import read_redirects, with_settings
from rehref.site._hosts.host_files import host_files
from rehref.site._hosts.hosts import HOSTS, Host
from rehref.site._hosts.redirect_rules import Redirects
from rehref.site._ignoring import is_excluded
from rehref.site._paths import decode_path
from rehref.site._placing.placing import HostSign, Placed, find_host, host_at, infer_place
from rehref.site._target_map import TargetMap
from rehref.site.check_options import CheckOptions
from rehref.site.findings import HOST_OPTION, UNKNOWN_HOST, SitePlace
from rehref.text.encoding import Source
from rehref.uri.components import split


class CheckScope(NamedTuple):
    """What of a site is checked.

    `documents`: the paths of all documents, in order; `unchecked`: those that are not checked; `named`: the only files
    and folders to check, None for the whole site.
    """

    options: CheckOptions = CheckOptions()
    documents: tuple[str, ...] = ()
    unchecked: frozenset[str] = frozenset()
    named: frozenset[str] | None = None

    @property
    def checked(self) -> list[str]:
        """The documents that are checked, in order."""
        return [path for path in self.documents if path not in self.unchecked]

    @property
    def is_narrowed(self) -> bool:
        """Whether not all targets are checked."""
        return bool(self.options.include or self.options.exclude)

    def chooses(self, uri: str, reference: str = "") -> bool:
        """Whether a reference with that target is checked.

        It is if one of the expressions of `include` is found, or there are none, and none of `exclude` is.
        """
        if not self.is_narrowed:
            return True
        include, exclude = self.options.include, self.options.exclude
        return (not include or is_found(include, uri, reference)) and not is_found(exclude, uri, reference)

    def leaves_out(self, path: str) -> bool:
        """Whether a file matches `exclude_paths`, and is not checked. It may be linked to: then its names are read."""
        return is_excluded(path, self.options.exclude_paths)

    def reports(self, path: str) -> bool:
        """Whether findings about a file, or about one that is not there, are reported: all, unless files are named."""
        return self.named is None or _is_named(path, self.named)


def is_found(patterns: Iterable[Searched], uri: str, reference: str) -> bool:
    """Whether an expression matches in a reference as it is written, or in its target.

    In a target on an unknown host, only the part after the host is searched.
    """
    target = uri.removeprefix(UNKNOWN_HOST)
    return any(pattern.search(target) or pattern.search(reference) for pattern in patterns)


def scope_of(options: CheckOptions, documents: Sequence[str]) -> CheckScope:
    """Return what is checked of the documents of a site, given in order.

    If files are named, it is only these, and the documents in named folders: within the same site, with the same
    findings as in a check of all.
    """
    globs = options.exclude_paths
    unchecked = {path for path in documents if is_excluded(path, globs)} if globs else set()
    named = None if options.files is None else frozenset(options.files)
    if named is not None:
        unchecked |= {path for path in documents if not _is_named(path, named)}
    return CheckScope(options, tuple(documents), frozenset(unchecked), named)


def _is_named(path: str, named: Collection[str]) -> bool:
    """Whether a path, or a folder that contains it, is among `named`; "" is the whole folder."""
    end = len(path)
    while end > 0:
        if path[:end] in named:
            return True
        end = path.rfind("/", 0, end)
    return "" in named


_BESIDE: Final = "-/"
"""The path of the folder if another folder has the paths from the root: nothing else is there."""


class SiteContext(NamedTuple):
    """The context in which a folder is checked: its URI (which ends in a slash), its files, and what finds files for
    URIs.

    `place`: what says where it is. `scope`: what of it is checked. `sent_fields`: what the host sends with the
    documents, as far as it is known. `fetched`: the pages of a server that are checked; None: it is a folder.
    `published`: documents that are at several places, with these. `texts`: the contents of files that are open in an
    editor, and not read from the disk. `properties`, `sheets`: what in style sheets depends on the rest of the site. A
    context can be sent to other processes.
    """

    folder: Path
    options: CheckOptions
    uri: str
    files: Files
    locator: TargetLocator
    host: Host = Host("none")
    redirects: Redirects | None = None
    sent_fields: SentFields = SentFields()
    scope: CheckScope = CheckScope()
    place: SitePlace = SitePlace("", "")
    fetched: Fetched | None = None
    published: Mapping[str, Publication] = {}
    texts: Mapping[str, bytes] | None = None
    properties: PropertyUses | None = None
    sheets: SheetEncodings | None = None

    @property
    def is_sent(self) -> bool:
        """Whether documents were sent by a server, and are not files."""
        return self.fetched is not None

    @property
    def has_host_rules(self) -> bool:
        """Whether there are files with rules for the host."""
        return self.redirects is not None or bool(host_files(self.host.header_file, self.files.paths))

    def uri_of(self, path: str) -> str:
        """Return the URI of a path below the folder."""
        if self.fetched is None:
            return self.uri + encode_path(path)
        page = self.fetched.pages.get(path)
        return path if page is None else page.url

    def target_of(self, uri: str) -> str:
        """Return a URI as targets are written: a slash and the rest after the site's URI, if it is below that."""
        return "/" + uri[len(self.uri) :] if uri.startswith(self.uri) else uri

    def own_target(self, path: str) -> str:
        """Return the URI of a path below the folder, as targets are written."""
        return self.target_of(self.uri_of(path))

    def file_of(self, path: str) -> str:
        """Return the name of the file that holds a document."""
        page = None if self.fetched is None else self.fetched.pages.get(path)
        return f"{self.folder}/{path}" if page is None else page.file

    def source(self, path: str, data: bytes, media_type: str | None = None) -> Source:
        """Return the content of a document with its encoding. `media_type`: in place of the type of its name.

        Raises `UnknownMediaTypeError`.
        """
        media_type = media_type or self.files.types.of(path)
        charset = self._charset(path, data, media_type)
        return encoding_of(data, media_type, charset, is_response=self.is_sent).source(data)

    def _charset(self, path: str, data: bytes, media_type: str | None) -> str | None:
        """Return the label of the encoding that a document was sent with, or that a style sheet inherits."""
        sent = self.sent_fields.charset(path)
        return sent if self.sheets is None else self.sheets.charset(path, data, media_type, sent, self._referring)

    def _referring(self, path: str) -> Referring | None:
        """Return what the document at a path refers to, if it may refer to style sheets."""
        media_type = self.files.types.of(path)
        if media_type not in REFERRING:
            return None
        how = replace(self.options.how, attributes=ATTRIBUTES)
        try:
            data = read_file(self.file_of(path))
            charset, layers = self.sent_fields.charset(path), self.layers_of(path)
            document = read_document(data, media_type, charset, layers, how, is_response=self.is_sent)
        except (FileError, OutOfTimeError):
            return None  # which is reported where its links are checked
        return Referring.of(path, document, self._path_of, charset)

    def _path_of(self, uri: str) -> str | None:
        return self.locator.locate(without_fragment(uri)).path

    def document_of(
        self, path: str, data: bytes, media_type: str | None = None, *, text: bool = False, names: bool = False
    ) -> Document:
        """Return a document, parsed. Raises `UnknownMediaTypeError`.

        `media_type`: as for `source`. `text`: its hyperlinks have their texts. `names`: what fragments lead to in
        it is among its places.
        """
        media_type = media_type or self.files.types.of(path)
        charset, layers, how = self._charset(path, data, media_type), self.layers_of(path), self.options.how
        how = _reading(how, text=text, names=names) if text or names else how
        document = read_document(data, media_type, charset, layers, how, is_response=self.is_sent)
        document.limit = None  # what is read again is not skipped then
        has_root, of_property = self.files.types.has_root or path in self.published, None
        if self.properties is not None:
            of_property = partial(self.properties.base_of, own=document.own.uri or "")
        of_page = partial(base_of_page, self.files, self.uri, path)
        document.site = document.site._replace(has_root=has_root, base_of_page=of_page, base_of_property=of_property)
        return document

    def layers_of(self, path: str) -> Layers:
        """Return the layers outside of the document at a path: its retrieval URI, and the policies sent with it."""
        return Layers(retrieval=self.uri_of(path), policies=self.sent_fields.policies(path))


@lru_cache(maxsize=8)  # for each page
def _reading(how: ReadOptions, *, text: bool, names: bool) -> ReadOptions:
    return replace(how, text=text, names=names)


def site_context(
    folder: Path, options: CheckOptions, listed: Listed | None = None, needed: Collection[str] | None = None
) -> SiteContext:
    """Return the context in which a folder is checked. `listed`, `needed`: as for `list_files`.

    Raises `FileError` if it cannot be read, `ValueError` if the site's URL is not absolute, `OptionError` if there is
    no folder for paths from the root.
    """
    files = list_files(folder, options.document_extensions, listed, needed)
    files = files._replace(types=files.types.with_named(options.files or ()))
    files, options = with_sources(folder, options, files)
    options, published = with_repository(folder, options, files)
    documents = tuple(path for path in files.types.documents(files.paths) if not is_other_json(folder, path))
    root_dir = _root_dir(folder, options)
    found = _given(folder, options) or _inferred(folder, options, files, documents)
    is_part = files.types.has_root or published or files.generator is not None
    found = in_site(folder, found, files.generator) if is_part else found
    named = _named_host(folder, options, files, found)
    place = _place(folder, options, found, named)
    host = named.host._replace(fallback_extensions=("html",)) if place.has_clean_urls else named.host
    host, uri = serving_sources(_with_own_rules(host, options), files, found, options.how.dialect), place.url
    redirects = read_redirects(folder, files.paths, host, uri)
    target_map = TargetMap(uri, options.remap, options.own_hosts)
    locator = Locator(files, uri, host, root_dir=root_dir, redirects=redirects, target_map=target_map)
    _refuse_root_dir(locator.root_dir, files, folder, options)
    if redirects is not None:
        said = redirects.directories
        indexes = tuple(said.index_files("", host.index_names))
        host = host._replace(index_names=indexes, error_pages=said.error_pages)
    sent_fields = read_sent_fields(folder, files, host, redirects, options.encoding)
    return SiteContext(
        folder,
        options,
        uri,
        files,
        locator,
        host=host,
        redirects=redirects,
        sent_fields=sent_fields,
        scope=scope_of(options, documents),
        place=place,
        published=published,
        properties=PropertyUses(folder, uri, files),
        sheets=SheetEncodings(documents),
    )


def _refuse_root_dir(root_dir: str | None, files: Files, folder: Path, options: CheckOptions) -> None:
    """Raise `OptionError` if the folder for paths from the root is not there, or the checked folder is not in it.

    The folder itself, given as this folder, is the root of its host.
    """
    link = files.links.get(root_dir or "")
    if root_dir is None or root_dir in files.folders or (link is not None and link.folder is not None):
        return
    what = "is a file" if root_dir in files.paths else f"there is no such folder in {folder}"
    raise OptionError(f"--root-dir {options.root_dir}", what, f"name a folder below {folder}, or . for itself")


def _named_host(folder: Path, options: CheckOptions, files: Files, found: Placed) -> HostSign:
    """Return the host, and what names it: an option, else files; `found`: where the folder is."""
    named = HostSign(HOSTS["none"])
    if options.host is not None:
        named = HostSign(options.host, HOST_OPTION)
    elif options.infer:
        host, source = host_at(found.uri), found.sources[0] if found.basis == "given" else "its domain"
        named = find_host(folder, files.paths) if host is None else HostSign(host, source)
    return named._replace(host=with_settings(named.host, folder, files.paths))


def _with_own_rules(host: Host, options: CheckOptions) -> Host:
    """Return the host, with the rules replaced that options set."""
    extensions, names = options.fallback_extensions, options.index_files
    host = host if extensions is None else host._replace(fallback_extensions=extensions)
    host = host if names is None else host._replace(index_names=names)
    return host._replace(lists_folders=True) if options.directory_listing else host


def _inferred(folder: Path, options: CheckOptions, files: Files, documents: Sequence[str]) -> Placed:
    """Return where the folder is according to its files, if they are clear (`rehref.site._placing`)."""
    pages = [path for path in documents if files.types.of(path) == MediaType.HTML]
    names = options.index_files or (() if options.host is None else options.host.index_names)
    return infer_place(folder, files.paths, pages, names)


def _place(folder: Path, options: CheckOptions, found: Placed, named: HostSign) -> SitePlace:
    """Return where the folder is, and its host; its URI ends in a slash, and has neither a fragment nor a query."""
    uri = found.uri.partition("#")[0].partition("?")[0]
    uri = uri if uri.endswith("/") else uri + "/"
    is_open = options.host is None and options.fallback_extensions is None and not named.host.fallback_extensions
    is_clean = found.has_clean_urls and is_open
    host, source = named.host.name, named.source
    return SitePlace(str(folder), uri, found.basis, found.sources, host, source, has_clean_urls=is_clean)


def _root_dir(folder: Path, options: CheckOptions) -> str | None:
    """Return the folder for paths from the root, as `Files` names it; None if none was given."""
    if options.root_dir is None:
        return None
    return root_folder(options.root_dir, decode_path(split(folder_uri(folder)).path))


def _given(folder: Path, options: CheckOptions) -> Placed | None:
    """Return where the folder is as far as options say it; None: they do not."""
    if options.site_url is not None:
        return Placed(options.site_url, "given", ("--site-url",))
    root_dir = _root_dir(folder, options)
    if root_dir is not None:  # below the root, next to any other folder
        return Placed(f"{UNKNOWN_HOST}/{_BESIDE if root_dir else ''}", "given", ("--root-dir",))
    return None if options.infer else Placed(folder_uri(folder), "file")
