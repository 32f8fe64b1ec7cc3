"""Opens a state, whatever it is: a folder, a contract, an archive, or a site that is crawled.

1. A folder is a site in that folder. A file is a contract or a web archive by its content. A URL is crawled
   (`--recursive` with its pages), only if `external` allows it.
2. Of several captures of a URL in an archive, the one counts that `rewrite --unpack` saves. Bodies are kept in a
   temporary folder while the state is used.
3. A side that is not a site, or has nothing, is refused in one line.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rehref.checking.external.caching import asking
from rehref.checking.options import CheckOptions
from rehref.checking.paths import origin
from rehref.checking.remote.crawl_scope import first_pages, is_page
from rehref.checking.remote.fetching import pages_of
from rehref.checking.site.fetched import pages_context
from rehref.checking.site.files import Fetched, FetchedPage
from rehref.checking.site.site_context import site_context
from rehref.comparing.contract import Resource, is_contract, read_contract
from rehref.comparing.pages import digest_of_other
from rehref.comparing.states import State, state_of_context
from rehref.containers.registry import Container
from rehref.documents.media_types import essence, reader_of
from rehref.documents.sniffing import is_type_of_document
from rehref.door import opened
from rehref.exceptions import OptionError
from rehref.files.file_errors import FileError
from rehref.options import SOURCE_OPTIONS
from rehref.rewriting.unpacking.saved_captures import Saved
from rehref.rewriting.unpacking.web_archives import capture_bodies, may_be_saved, plan_captures
from rehref.uri.components import split, unsplit

Progress = Callable[[int, int], None]


def open_state(
    name: str, options: CheckOptions, given: Mapping[str, Any], stack: ExitStack, progress: Progress | None = None
) -> State:
    """Return a state; what it needs is kept until the stack is closed. `given`: the options of a check, by name.

    Raises `FileError`, `OptionError`, and what `check_folder` raises.
    """
    path = Path(name)
    if is_page(name):
        urls = first_pages([name], "" if given["external"] else "--external")
        outside = stack.enter_context(asking(options, given, lambda _: None, named="--external", usually=False))
        state = state_of_context(stack.enter_context(pages_of(urls, given, outside)).context, name, progress)
    elif path.is_dir():
        state = state_of_context(site_context(path, options), name, progress)
    else:
        try:
            with opened(path, SOURCE_OPTIONS) as found:
                if found.container is not None and found.container.kind.holds_records:
                    folder = Path(stack.enter_context(TemporaryDirectory()))
                    state = _of_archive(found.container, name, options, folder, progress)
                elif isinstance(found.stored, bytes) and is_contract(found.stored):
                    state = State(name, *read_contract(found.stored, name))
                else:
                    remedy = "name a folder, a contract (--save), a WARC or WACZ, or a URL"
                    raise FileError(name, "is not a site", remedy)
        except OSError as error:
            raise FileError.of(name, "cannot be read", error) from error
    if not any(each.named is not None for each in state.resources.values()):
        raise OptionError(name, "has no pages", "name a folder, a contract, an archive or a URL with pages")
    return state


def _of_archive(
    container: Container, name: str, options: CheckOptions, folder: Path, progress: Progress | None
) -> State:
    """Return the state that an archive has captured (rule 2)."""
    pages: dict[str, FetchedPage] = {}
    others: dict[str, Resource] = {}
    start = container.file.tell()
    plan, _, _ = plan_captures(container.captures(may_be_saved))
    by_number = defaultdict[int, list[Saved]](list)
    for entry in plan.entries:
        url = entry.uri.partition("#")[0]
        if entry.location:
            others[url] = Resource(url, status=entry.status, to=entry.location)
        else:
            by_number[entry.number].append(entry)
    container.file.seek(start)
    for number, part in capture_bodies(container.captures(plan.wanted), plan.joints):
        for entry in by_number[number]:
            url, media_type = entry.uri.partition("#")[0], essence(part.media_type)
            others[url] = Resource(url, digest=digest_of_other(part.data, len(part.data)))
            if reader_of(media_type) is not None and is_type_of_document(media_type):
                file = folder / str(number)
                file.write_bytes(part.data)
                pages[url] = FetchedPage(url, str(file), media_type, part.encoding, part.layers.policies)
    if not pages:
        raise OptionError(name, "has no pages", "name an archive with captured pages")
    first = min((url for url, page in pages.items() if page.media_type.endswith("html")), default=min(pages))
    context = pages_context(first, Fetched(pages), options)
    state = state_of_context(context, name, progress, options.site_url)
    state.has_files = True
    for url, resource in others.items():
        below = url.removeprefix(state.uri)
        if url.startswith(state.uri) and below not in state.resources:
            to = None if resource.to is None else _below(state.uri, resource.to)
            state.resources[below] = resource._replace(url=below, to=to)
    return state


def _below(site: str, url: str) -> str:
    """Return a URL below a site's as a path, whether by http or https; any other as it is."""
    parts, above = split(url), split(site)
    if origin(parts) != origin(above) or not parts.path.startswith(above.path):
        return url
    return unsplit(parts._replace(scheme=None, authority=None, path=parts.path[len(above.path) :]))
