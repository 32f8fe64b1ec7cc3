"""The state of a site that an archive has captured.

Of several captures of a URL, the one counts that `rewrite --unpack` saves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from rehref.archives.saved_captures import Saved
from rehref.archives.web_archives import capture_bodies, may_be_saved, plan_captures
from rehref.containers.kinds import Container
from rehref.documents._sniffing import is_type_of_document
from rehref.documents.media_types import essence, reader_of
from rehref.exceptions import OptionError
from rehref.site._grounds.fetched import pages_context
from rehref.site._grounds.files import Fetched, FetchedPage
from rehref.site._paths import origin
from rehref.site._states.contract import Resource
from rehref.site._states.page_details import digest_of_other
from rehref.site.check_options import CheckOptions
from rehref.site.states import State, state_of_context
from rehref.uri.components import split, unsplit


def state_of_archive(
    container: Container, name: str, options: CheckOptions, folder: Path, progress: Callable[[int, int], None] | None
) -> State:
    """Return the state that an archive has captured. Its bodies are kept in a folder while the state is used."""
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
