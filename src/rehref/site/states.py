"""A state of a site: what its host answers, and what is broken in it.

Hidden files, those that configure hosts, and pages for errors are not promised. Pages of a server, crawled or in an
archive, are read as those of a folder. Of a crawl only documents are known, of an archive all captures. A contract
promises what it lists, and nothing is known of the links of its site but which are broken.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from itertools import starmap
from operator import itemgetter
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import unquote

from rehref.containers.parts import Part
from rehref.documents.media_types import MediaType
from rehref.exceptions import OptionError
from rehref.files.file_documents import encode_path
from rehref.site._checking import check_folder
from rehref.site._grounds.fetched import pages_context
from rehref.site._grounds.files import Fetched, FetchedPage
from rehref.site._grounds.locating import Locator
from rehref.site._hosts.written_redirects import Planned
from rehref.site._pages.fragments import names_something
from rehref.site._pages.reading_site_pages import in_processes
from rehref.site._pages.site_tables import Chunk, SiteTable
from rehref.site._paths import origin
from rehref.site._reading_pages import PageReader
from rehref.site._repair.carried_redirects import NewSite, WrittenRedirects, with_redirects
from rehref.site._states.contract import Contract, Details, Known, contract_file, is_contract, read_contract
from rehref.site._states.page_details import (
    MOST_READ,
    digest_of_other,
    digest_of_page,
    read_details,
    without_template,
)
from rehref.site.check_options import CheckOptions, Progress
from rehref.site.findings import HEADER_FIELDS, CheckResult, Finding
from rehref.site.site import Resource, Site
from rehref.uri.components import split, unsplit

_OWN: Final = "compare"
_NOT_THERE: Final = "there is nothing at that URL"
_NEIGHBOURS: Final = 3
_FEW: Final = 300
_NOTHING: Final = Details()


class Landing(NamedTuple):
    """What a URL leads to. `resource`: None if it is not in the site; `is_gone`: nothing answers, and `why`.

    `status`: of the first redirection, 200 if there is none; `refreshes`: whether a page leads on. `drops`: whether the
    fragment of the URL is lost on the way; `fragment`: of a redirection, which replaces it.
    """

    resource: Resource | None
    status: int = 200
    why: str = ""
    refreshes: bool = False
    drops: bool = False
    fragment: str | None = None

    @property
    def is_gone(self) -> bool:
        """Whether nothing answers."""
        return self.why != ""

    @property
    def is_moved(self) -> bool:
        """Whether the URL leads to another one for good."""
        return self.status in (301, 308) or self.refreshes


@dataclass
class State:
    """What a `Contract` has, of a state of a site called `name`. `paths`: the documents and files of resources.

    `context`, `result`: of its check; None: it is a contract. `has_files`: whether files that are not documents are
    known. `uri`: of the site; "" if that is not known. `as_read`: details by path, with the text that many pages share.
    """

    name: str
    resources: dict[str, Resource]
    details: dict[str, Details]
    broken: Counter[Known]
    context: Site | None = None
    result: CheckResult | None = None
    table: SiteTable = field(default_factory=SiteTable)
    paths: dict[str, str] = field(default_factory=dict)
    has_files: bool = True
    uri: str = ""
    as_read: dict[str, Details] = field(default_factory=dict)

    @classmethod
    def of(cls, site: Site, name: str, progress: Progress | None = None, site_url: str | None = None) -> State:
        """Return the state of a folder, or of fetched pages, by one check. Raises what `check_folder` raises.

        The check also gives the names of its pages and the digests of their bytes. Fetched pages are below the folder
        that they have in common, or below the site's URL if that is given.
        """
        table, digests, named = SiteTable(), dict[str, str](), dict[str, str | None]()
        reader = PageReader.of(site)
        reader = replace(reader, collectors=(*reader.collectors, (_OWN, digest_of_page)))

        def read(documents: Sequence[str]) -> Iterator[Chunk]:
            for chunk in in_processes(site, reader, documents):
                digests.update(chunk.facts.pop(_OWN, {}))
                rows = [row._replace(uses=b"") for row in chunk.rows]
                named.update((row.document, row.names) for row in rows)
                table.merge(Chunk(rows=rows, refreshes=chunk.refreshes))
                yield chunk

        result = check_folder(site, progress, most=0, read=read)
        promised: Iterable[tuple[str, Resource]] = site.promised()
        uri = site.uri
        if site.is_sent:
            uri = site_url or _common(site)
            below = (path for path in sorted(site.files.paths) if path.startswith(uri))
            pages = (path for path in below if not path.endswith(HEADER_FIELDS))
            promised = ((path, Resource(path.removeprefix(uri))) for path in pages)
        state = cls(name, {}, {}, Counter(), site, result, table=table, has_files=not site.is_sent, uri=uri)
        for path, resource in sorted(promised, key=itemgetter(0)):
            digest = digests.get(path) or _digest_of_file(site, path)
            state.resources[resource.url] = resource._replace(digest=digest, named=named.get(path))
            state.paths[resource.url] = path
        for url, path in state.paths.items():
            leads = table.refreshes.get(path)
            if leads is not None and leads.at_once and leads.path != path and leads.path in state.by_path:
                to, keeps = state.by_path[leads.path], leads.keeps_fragment
                state.resources[url] = state.resources[url]._replace(to=to, keeps=keeps)
        state._add_redirects()
        return replace(state, broken=Counter(map(state.known_of, state.errors)))  # more URLs are answered now

    @classmethod
    def crawled(
        cls,
        url: str,
        options: CheckOptions,
        stack: ExitStack,
        progress: Progress | None = None,
    ) -> State:
        """Return the state of the pages of a server; they are kept until the stack is closed.

        Raises `OptionError`, and what `check_folder` raises.
        """
        from rehref.site.check import CheckRun, first_pages  # most states are folders

        urls = first_pages([url], "" if options.given["external"] else "--external")
        run = stack.enter_context(CheckRun.begun(options, lambda _: None, named="--external"))
        return cls.of(stack.enter_context(run.fetched(urls)).context, url, progress)

    @classmethod
    def captured(
        cls,
        name: str,
        options: CheckOptions,
        redirects: Iterable[Resource],
        parts: Iterable[tuple[Sequence[str], Part]],
        folder: Path,
        progress: Progress | None = None,
    ) -> State:
        """Return the state that an archive has captured. Raises `OptionError` if there are no pages.

        `redirects`: with whole URLs; `parts`: all else, each with its URLs. `folder`: keeps the pages as long as the
        state is used.
        """
        pages, others = dict[str, FetchedPage](), {each.url: each for each in redirects}
        for number, (urls, part) in enumerate(parts):
            file, media_type = folder / str(number), MediaType.of(part.media_type)
            is_page = media_type.reader is not None and media_type.is_found
            if is_page:
                file.write_bytes(part.data)
            for url in urls:
                others[url] = Resource(url, digest=digest_of_other(part.data, len(part.data)))
                if is_page:
                    pages[url] = FetchedPage(url, str(file), media_type, part.encoding, part.layers.policies)
        if not pages:
            raise OptionError(name, "has no pages", "name an archive with captured pages")
        first = min((url for url, page in pages.items() if page.media_type.endswith("html")), default=min(pages))
        state = cls.of(Site(*pages_context(first, Fetched(pages), options)), name, progress, options.site_url)
        state.has_files = True
        for url, resource in others.items():
            below = url.removeprefix(state.uri)
            if url.startswith(state.uri) and below not in state.resources:
                to = None if resource.to is None else _below(state.uri, resource.to)
                state.resources[below] = resource._replace(url=below, to=to)
        return state

    @classmethod
    def of_contract(cls, data: bytes, name: str) -> State | None:
        """Return the state that a contract promises; None if the data is something else. Raises `FileError`."""
        return cls(name, *read_contract(data, name)) if is_contract(data) else None

    @cached_property
    def addresses(self) -> dict[str, str]:
        """The URL of the resource for every URL that the site answers."""
        also = {each: url for url, resource in self.resources.items() for each in resource.also}
        return also | {url: url for url in self.resources}

    @cached_property
    def by_path(self) -> dict[str, str]:
        """The URLs of documents and files."""
        return {path: url for url, path in self.paths.items()}

    @property
    def errors(self) -> list[Finding]:
        """The findings of its check that count; a contract has none."""
        found = () if self.result is None else self.result.findings
        return [finding for finding in found if finding.severity == "error"]

    def at(self, url: str) -> Resource | None:
        """Return the resource at a URL, whichever of its URLs that is."""
        return self.resources[self.addresses[url]] if url in self.addresses else None

    def about(self, url: str) -> Details:
        """Return the details of the resource with that URL; those that say nothing if they were not read."""
        return self.details.get(url, _NOTHING)

    def known_of(self, finding: Finding) -> Known:
        """Return a broken link by what it means, with URLs below the site."""
        target = (finding.reference if finding.target is None else finding.target).removeprefix(self.uri)
        return Known(self.by_path.get(finding.document, finding.document), target, finding.code)

    def land(self, url: str) -> Landing:
        """Return what a URL below the site leads to."""
        locator = None if self.context is None else self.context.locator
        if isinstance(locator, Locator):
            return self._led_on(self._located(locator, url))
        resource = self.at(url)
        return Landing(None, why=_NOT_THERE) if resource is None else self._led_on(Landing(resource))

    def _located(self, locator: Locator, url: str) -> Landing:
        target = self.uri + url
        located, step = locator.locate(target), locator.step_from(target)
        status = 200 if step is None else step.status
        if located.code != "" or (located.path is None and not located.outside):
            return Landing(None, status, located.message or "it is not known")
        known = self.by_path.get(located.path or "")
        resource = Resource(located.path or "") if known is None else self.resources[known]
        return Landing(None if located.outside else resource, status, fragment=located.fragment)

    def _led_on(self, landing: Landing) -> Landing:
        """Return where a redirection, or a page that refreshes at once, leads on.

        Fragments of the latter are lost, unless a script keeps them.
        """
        resource, seen = landing.resource, set[str]()
        while resource is not None and resource.to is not None and not landing.is_gone:
            if resource.url in seen:
                circle = Landing(None, landing.status, "the redirections go round in circles")
                return circle if resource.is_redirect else landing
            seen.add(resource.url)
            to, mark, fragment = resource.to.partition("#")
            after = self.at(to)
            if resource.is_redirect:
                status = resource.status if landing.status == 200 else landing.status
                why = "" if after is not None or split(to).scheme is not None else _NOT_THERE
                landing = Landing(
                    after, status, why, landing.refreshes, landing.drops, fragment if mark else landing.fragment
                )
            else:
                drops = landing.drops or not resource.keeps
                landing = landing._replace(resource=after or resource, refreshes=True, drops=drops)
            resource = landing.resource
        return landing

    def _add_redirects(self) -> None:
        """Add what rules for single paths answer.

        One with a placeholder is tried for the paths that the other state has.
        """
        context = self.context
        if context is None or context.redirects is None or not isinstance(context.locator, Locator):
            return
        root = context.redirects.root
        for source in context.redirects.beginnings:
            url = encode_path(source[len(root) :]) if source.startswith(root) else ""
            step = context.locator.step_from(self.uri + url) if url and unquote(url) == source[len(root) :] else None
            if step is None or step.status >= 400 or url in self.addresses:
                continue
            found = self.land(url)
            if step.status < 300 and found.resource is not None:
                kept = self.resources.get(found.resource.url)  # None: it is not promised, such as a page for errors
                if kept is not None:
                    self.resources[kept.url] = kept._replace(also=(*kept.also, url))
            elif not found.is_gone:
                end = step.to if found.resource is None else found.resource.url
                end += "" if found.fragment is None else f"#{found.fragment}"
                self.resources[url] = Resource(url, status=step.status, to=end)

    def with_redirects(
        self, file: Path, moves: Iterable[tuple[str, str, bool]], known: Collection[str]
    ) -> WrittenRedirects:
        """Return what adds redirects to this state to a file. Raises `FileError`, `OptionError`.

        `moves`: old URLs, each with the new one, and whether that is on the site. `known`: URLs of the old state, so
        that no rule matches one that it is not for.
        """
        new = NewSite(self.uri, self.context, self.addresses.keys())
        return with_redirects(file, new, starmap(Planned, moves), known=known)

    def contract(self) -> bytes:
        """Return the contract of this state, for a file. Raises `WorkerError`."""
        self.read_details(self.resources)
        return contract_file(Contract(self.resources, self.details, self.broken))

    def reached_in(self, resource: Resource) -> Callable[[str], bool]:
        """Return a function that says whether a fragment names something in a resource."""
        names, path, context = resource.names, self.paths.get(resource.url), self.context
        if resource.named is None:
            return lambda name: True
        if path is None or context is None:
            return names.__contains__
        defined, script_ids = lru_cache(maxsize=8)(self.table.defined), context.options.script_ids
        return lambda name: name in names or names_something(path, name, defined, script_ids)

    def read_details(self, urls: Iterable[str], other: State | None = None) -> None:
        """Read the details of some resources, if they have names, and of their neighbours, which have the same menus.

        Raises `WorkerError`. `other`: a state that has read some already; pages that are the same here are not read
        again, and are among the neighbours.
        """
        listed = sorted(url for url, each in self.resources.items() if each.named is not None)
        wanted = set(listed).intersection(urls) - self.details.keys()
        if self.context is None or not wanted:
            return
        same = [] if other is None else [path for path in other.as_read if self._has_same(path, other)]
        self.as_read |= {path: other.as_read[path] for path in same} if other is not None else {}
        near = listed if len(listed) <= _FEW else _near(listed, wanted, [self.by_path[path] for path in same])
        paths = sorted({self.paths[url] for url in {*wanted, *near}})
        unread = [path for path in paths if path not in self.as_read]
        for each in in_processes(self.context, partial(read_details, self.context), unread):
            self.as_read |= each
        self.details |= without_template({self.by_path[path]: self.as_read[path] for path in paths})

    def _has_same(self, path: str, other: State) -> bool:
        """Whether another state has read the page at a path, and the page has the same bytes and meaning here."""
        here, there, url = self.context, other.context, other.by_path[path]
        if here is None or there is None or here.is_sent or there.is_sent or self.by_path.get(path) != url:
            return False
        is_read_alike = self.uri == other.uri and here.options.how == there.options.how
        types = {context.files.types.of(path) for context in (here, there)}
        charsets = {context.sent_fields.charset(path) for context in (here, there)}
        is_same = self.resources[url].digest == other.resources[url].digest != ""
        return is_same and is_read_alike and types == {MediaType.HTML} and len(charsets) == 1


def _near(listed: Sequence[str], wanted: Collection[str], known: Sequence[str]) -> list[str]:
    """Return the neighbours of some URLs in a list, and some of all: the `known` ones, if these are not too few."""
    at = [number for number, url in enumerate(listed) if url in wanted][:_FEW]
    beside = {other for number in at for other in range(max(0, number - _NEIGHBOURS), number + _NEIGHBOURS + 1)}
    some = known if len(known) >= _FEW else listed[:: max(1, len(listed) // _FEW)]
    return [*(listed[number] for number in beside if number < len(listed)), *some]


def _below(site: str, url: str) -> str:
    """Return a URL below a site's as a path, whether by http or https; any other as it is."""
    parts, above = split(url), split(site)
    if origin(parts) != origin(above) or not parts.path.startswith(above.path):
        return url
    return unsplit(parts._replace(scheme=None, authority=None, path=parts.path[len(above.path) :]))


def _common(context: Site) -> str:
    """Return the folder that the fetched pages of one host, that with the most, have in common."""
    found = sorted(url.partition("?")[0] for url in context.files.paths if not url.endswith(HEADER_FIELDS))
    hosts = Counter("/".join(url.split("/", 3)[:3]) + "/" for url in found)
    host = max(hosts, key=lambda each: hosts[each], default="")
    urls = [url for url in found if url.startswith(host)] or [""]
    return os.path.commonprefix([urls[0], urls[-1]]).rpartition("/")[0] + "/"  # noqa: RUF071 -- they are not paths


def _digest_of_file(context: Site, path: str) -> str:
    """Return the digest of a file that is not a page; "" if it cannot be read."""
    try:
        with Path(context.file_of(path)).open("rb") as file:
            return digest_of_other(file.read(MOST_READ), file.seek(0, os.SEEK_END))
    except OSError:
        return ""
