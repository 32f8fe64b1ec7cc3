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
from rehref.documents.media_types import MediaType
from rehref.exceptions import OptionError
from rehref.site._grounds.files import FetchedPage
from rehref.site._states.page_details import digest_of_other
from rehref.site.check_options import CheckOptions
from rehref.site.site import Resource
from rehref.site.states import State, captured_state


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
            url, media_type = entry.uri.partition("#")[0], MediaType.of(part.media_type)
            others[url] = Resource(url, digest=digest_of_other(part.data, len(part.data)))
            if media_type.reader is not None and media_type.is_found:
                file = folder / str(number)
                file.write_bytes(part.data)
                pages[url] = FetchedPage(url, str(file), media_type, part.encoding, part.layers.policies)
    if not pages:
        raise OptionError(name, "has no pages", "name an archive with captured pages")
    return captured_state(name, options, pages, others, progress)
