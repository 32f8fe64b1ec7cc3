"""A site, for whatever works on one: its files, what its URLs lead to, its documents, the rules of its host.

A `Site` is the context of a check with what can be asked of it. It is made of a folder and `CheckOptions`, or of a
context that is there already.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from rehref.files.file_documents import encode_path, path_below
from rehref.site._checks.all_checks import reported
from rehref.site._grounds.files import Listed, is_hidden
from rehref.site._grounds.generators import url_of_page
from rehref.site._grounds.locating import Locator
from rehref.site._grounds.serving import Located, served
from rehref.site._grounds.site_context import SiteContext, scope_of, site_context
from rehref.site._hosts.configured import read_redirects
from rehref.site._hosts.directories import Directories
from rehref.site._hosts.host_files import host_files
from rehref.site._hosts.hosts import CONFIGURING
from rehref.site._hosts.redirect_rules import Pointer
from rehref.site._ignoring import IGNORE_FILE
from rehref.site._pages.classifier import NUL
from rehref.site._pages.fragments import Defined, names_one_of, with_refreshed, without_directive
from rehref.site._pages.not_found import is_not_found_page
from rehref.site._pages.read_page import defined_in
from rehref.site._pages.reading_site_pages import SourceLines, StoredDocument, read, stored, stored_documents
from rehref.site._pages.site_page import SitePage
from rehref.site._pages.targets import is_statement
from rehref.site._paths import encode, wanted_path
from rehref.site._placing.paths_from_root import INDEXES
from rehref.site._placing.placing import find_host
from rehref.site.check_options import CheckOptions

if TYPE_CHECKING:
    from rehref.documents.document import Document
    from rehref.documents.link import Link
    from rehref.files.file_errors import FileError
    from rehref.rewriting.folder_integrity import GuardedFolder
    from rehref.site._explaining import UrlStatement
    from rehref.site._repair.carried_redirects import WrittenRedirects
    from rehref.site._repair.fixing import Fixed, Key
    from rehref.site.codes import Severity
    from rehref.site.findings import Finding


class Resource(NamedTuple):
    """A file or a redirect of a site. `url`: of the file, or of the folder whose index it is: an encoded path below the
    site; `also`: all other paths that the host answers with the same. `digest`: of its bytes.

    `to`: where it redirects or refreshes to; `keeps`: whether a page keeps the fragment then.
    `named`: what fragments reach, separated by NUL; None: nothing is known of that, as it is not a page.
    """

    url: str
    also: tuple[str, ...] = ()
    digest: str = ""
    to: str | None = None
    keeps: bool = False
    status: int = 200
    named: str | None = None

    @property
    def names(self) -> frozenset[str]:
        """What fragments reach."""
        return frozenset(self.named.split(NUL)) - {""} if self.named else frozenset()

    @property
    def is_redirect(self) -> bool:
        """Whether the host redirects, so that there is no content."""
        return self.status >= 300


class Site(SiteContext):
    """A site: what `SiteContext` has, and what can be asked of it."""

    __slots__ = ()

    @classmethod
    def of(cls, folder: Path, options: CheckOptions, listed: Listed | None = None) -> Self:
        """Return the site in a folder. Raises `FileError`, `OptionError`.

        `listed`: called with the number of files found so far.
        """
        return cls(*site_context(folder, options, listed))

    @classmethod
    def of_named(cls, folder: Path, options: CheckOptions, listed: Listed | None = None) -> Self:
        """Return the part of a site that named files need, in a folder that may hold much else. Raises as `of`."""
        from rehref.site._checking import context_of_named

        return cls(*context_of_named(folder, options, listed))

    @staticmethod
    def is_in(folder: Path, more: Iterable[str] = ()) -> bool:
        """Whether all in a folder belongs to a site: it has a home page, a file of ours, or one of `more`.

        The home of the user is not a site, and neither is what is above it.
        """
        home = Path(os.path.expanduser("~"))  # noqa: PTH111 -- it raises nothing
        names = (*INDEXES, IGNORE_FILE, *more)
        return any((folder / name).exists() for name in names) and folder.resolve() not in (home, *home.parents)

    def where(self, url: str) -> Located:
        """Return what a URL without its fragment leads to: also a source whose page has another name. Never fails."""
        led = self.locator.locate(url)
        is_source = led.code == "missing-file" and led.path is not None
        return led._replace(code="", message="") if is_source else led

    def shows(self, path: str) -> bool:
        """Whether a file is not hidden, nor in a hidden folder."""
        return not is_hidden(path)

    def stored(self, path: str) -> bytes:
        """Return the content of a file, as it is in an editor if it is open there. Raises `FileError`."""
        return stored(self, path)

    def stored_documents(self) -> Iterator[StoredDocument]:
        """Yield the documents, also gzipped ones beside unpacked ones, whose places they then have."""
        return stored_documents(self)

    def read(self, path: str) -> bytes:
        """Return the bytes of a document, unpacked if it is gzipped. Raises `FileError`."""
        return read(self, path)

    def page(self, path: str, data: bytes) -> SitePage:
        """Return a document with that content. Raises `UnknownMediaTypeError`."""
        return SitePage(self, path, data)

    def defined_in(self, path: str) -> Defined | None:
        """Return what fragments may lead to in a file; None if that is not known."""
        return defined_in(self, path)

    def explained(self, url: str) -> Iterator[UrlStatement]:
        """Yield why a URL is judged as it is, step by step. Raises `FileError`."""
        from rehref.site._explaining import explained  # few ask for it

        return explained(self, url)

    def fixes(self, findings: Iterable[Finding], *, unsure: bool = False) -> Iterator[Fixed | FileError]:
        """Yield the corrections of documents, their copies, and the hashes that change with them. Nothing is written.

        `unsure`: also use suggestions that are not sure.
        """
        from rehref.site._repair.hashes_of_fixes import fixes_with_hashes  # many sites have nothing to correct

        return fixes_with_hashes(self, findings, unsure=unsure)

    def fixed(self, path: str, data: bytes, findings: Sequence[Finding]) -> bytes:
        """Return a document with that content, with the suggestions of some findings as far as they can be written."""
        from rehref.site._repair.fixing import fix

        return fix(path, data, findings, partial(self.document_of, path)).new

    def corrected(
        self, path: str, before: Document, news: Mapping[Key, str], media_type: str | None = None
    ) -> bytes | None:
        """Return a document with new references; None if it would not read as meant here, at that path."""
        from rehref.site._repair.fixing import corrected

        return corrected(before, news, partial(self.document_of, path, media_type=media_type))

    def new_reference(self, path: str, reference: str, base: str | None, fragment: str | None = None) -> str | None:
        """Return the new text of a reference, as its author writes, so that it leads to a path, or to a fragment there.

        None if there is no such reference relative to that base.
        """
        from rehref.site._repair.fixing import new_reference
        from rehref.site._repair.suggestions import Suggestion

        return new_reference(Suggestion(path, True, fragment), reference, base, self.uri_of)

    @staticmethod
    def new_reference_to(url: str, reference: str, base: str | None) -> str | None:
        """Return the same for a URL that is not in the folder."""
        from rehref.site._repair.fixing import new_reference
        from rehref.site._repair.suggestions import Suggestion

        return new_reference(Suggestion("", True), reference, base, lambda _: url)

    @staticmethod
    def is_statement(link: Link) -> bool:
        """Whether a reference is a name or a statement, and leads nowhere."""
        return is_statement(link)

    def names_id(self, path: str, fragment: str, owner: str, id: str, defined: Callable[[str], Defined | None]) -> bool:
        """Whether a fragment of a URL that leads to a file names an id of a document, perhaps where the file refreshes.

        `defined`: what the documents define, as `defined_in` says.
        """
        fragment = without_directive(fragment)
        if not names_one_of(fragment, {id}):
            return False
        reached = with_refreshed(path, defined)
        owners = (at for at, own in reached if at == owner or own is None or names_one_of(fragment, own.names))
        return next(owners, None) == owner

    def leads_to(self, target: str | None) -> tuple[str | None, str]:
        """Return the file to which a target leads, None if that is not in the folder, and the fragment there."""
        url, _, fragment = (target or "").partition("#")
        led = self.where(url)
        path = led.path if target is not None and led.path in self.files.paths and not led.outside else None
        return path, without_directive(fragment if led.fragment is None else led.fragment)

    @property
    def reported_codes(self) -> Mapping[str, Severity]:
        """The severity of each code that is reported."""
        return reported(self.options)

    def guarded_folder(self) -> GuardedFolder:
        """Return the folder as far as integrity matters."""
        from rehref.site._repair.guarded_site import guarded_folder

        return guarded_folder(self)

    def promised(self) -> Iterator[tuple[str, Resource]]:
        """Yield the files that the host answers for good, each with the URLs of its resource.

        Hidden files, those that configure hosts, and pages for errors are not promised.
        """
        directories = Directories() if self.redirects is None else self.redirects.directories
        by_path: defaultdict[str, list[str]] = defaultdict(list)
        for address, located in served(self.files, self.host, directories).items():
            path = located.path
            if located.code == "" and path in self.files.paths and not is_hidden(path):
                by_path[path].append(address)
        for path, addresses in by_path.items():
            if path not in CONFIGURING and not is_not_found_page(self, path):
                url = next((each for each in addresses if each == "" or each.endswith("/")), path)
                also = sorted(encode_path(each) for each in addresses if each != url)
                yield path, Resource(encode_path(url), tuple(also))

    def with_redirects(
        self, file: Path, moves: Iterable[tuple[str, str]], before: bytes | None = None
    ) -> WrittenRedirects:
        """Return what adds redirects from old URLs to new ones to a file. Raises `FileError`, `OptionError`."""
        from rehref.site._hosts.written_redirects import Planned
        from rehref.site._repair.carried_redirects import NewSite, with_redirects

        return with_redirects(file, NewSite(self.uri, self, {}), starmap(Planned, moves), before)

    def path_below(self, name: str) -> str | None:
        """Return the path of a file or folder below the site's folder, with slashes; None if it is not in it."""
        return path_below(self.folder, name)

    def lines(self) -> Callable[[str, int], str | None]:
        """Return what returns lines of documents, by paths and numbers; it remembers the last documents."""
        return SourceLines(self)

    @staticmethod
    def url_of_page(path: str) -> str:
        """Return the URL of a page that a generator makes, by its path; both without a slash before them."""
        return url_of_page(path)

    def with_host_of(self, file: str) -> Self:
        """Return the site on the host that a file with that name is for, if its own host reads no redirects."""
        if self.host.redirect_files:
            return self
        return self._replace(host=find_host(self.folder, frozenset({file})).host)

    def as_published(self) -> Self:
        """Return the site as a generator publishes the folder."""
        files = self.files
        paths = frozenset(filter(None, map(files.page_of, files.paths)))
        folders = frozenset("" if str(each) == "." else str(each) for path in paths for each in Path(path).parents)
        if files.generator is not None:
            files = files._replace(paths=paths, folders=folders, generator=None)
        host = self.host._replace(lists_folders=False, made_of=(), slash_after_file=False)
        locator = Locator(files, self.uri, host, redirects=self.redirects)
        return self._replace(files=files, host=host, locator=locator)

    def with_other_names(self, name: Callable[[str], str], more: Iterable[str]) -> Self:
        """Return the site whose files and folders have other names. `more`: folders that there are then, too."""
        files = self.files
        folders = frozenset(map(name, files.folders)).union(more)
        links = {name(path): state for path, state in files.links.items()}
        own = {name(path): page for path, page in files.own.items()}
        files = files._replace(paths=frozenset(map(name, files.paths)), folders=folders, links=links, own=own)
        return self._replace(files=files, locator=self.of_folder.with_files(files))

    def with_rules(self, contents: Mapping[str, bytes]) -> Self:
        """Return the site with other rules of its host, in files with that content. Raises `FileError`."""
        redirects = read_redirects(self.folder, self.files.paths, self.host, self.uri, contents)
        return self._replace(redirects=redirects, locator=self.of_folder.with_files(self.files, redirects))

    def narrowed(self, options: CheckOptions, documents: Sequence[str]) -> Self:
        """Return the site of which only these documents are there, and are checked as the options say."""
        return self._replace(options=options, scope=scope_of(options, documents))

    @property
    def of_folder(self) -> Locator:
        """What finds files for URLs. Only for a site in a folder."""
        assert isinstance(self.locator, Locator)
        return self.locator

    @property
    def rules(self) -> Sequence[Pointer]:
        """The rules of the host that lead on."""
        return () if self.redirects is None else self.redirects.pointers

    @property
    def rule_files(self) -> list[str]:
        """The paths of the files with these rules."""
        return [path for name in self.host.redirect_files for path in host_files(name, self.files.paths)]

    def with_targets(self, file: str, news: Iterable[tuple[Pointer, str | None]]) -> bytes:
        """Return such a file with new targets of rules, and without those with None. Raises `FileError`."""
        from rehref.site._hosts.formats.all_formats import format_of
        from rehref.site._hosts.formats.changed_rules import with_targets

        form = format_of(file)
        return with_targets(self.file_of(file), self.stored(file), news, None if form is None else form.without)

    def source_at(self, pointer: Pointer) -> str | None:
        """Return the file at the URL that a rule is for; None if there is none."""
        return self.of_folder.page_at(encode(pointer.source))

    def path_in(self, url: str) -> str:
        """Return the path below the folder that a URL has, decoded, whether there is a file or not."""
        return wanted_path(self.locator.mapped(url), self.uri, self.locator.root_dir)[0]
