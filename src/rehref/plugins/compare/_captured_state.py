"""The state of a site that an archive has captured.

Of several captures of a URL, the one counts that `rewrite --unpack` saves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from rehref.archives._unpacking.web_archives import capture_bodies, may_be_saved, plan_captures
from rehref.containers.kinds import Container
from rehref.site.check_options import CheckOptions
from rehref.site.site import Resource
from rehref.site.states import State


def state_of_archive(
    container: Container, name: str, options: CheckOptions, folder: Path, progress: Callable[[int, int], None] | None
) -> State:
    """Return the state that an archive has captured. Its bodies are kept in a folder while the state is used.

    Raises `OptionError` if it has no pages.
    """
    start = container.file.tell()
    plan, _, _ = plan_captures(container.captures(may_be_saved))
    redirects, urls = list[Resource](), defaultdict[int, list[str]](list)
    for entry in plan.entries:
        url = entry.uri.partition("#")[0]
        if entry.location:
            redirects.append(Resource(url, status=entry.status, to=entry.location))
        else:
            urls[entry.number].append(url)
    container.file.seek(start)
    bodies = capture_bodies(container.captures(plan.wanted), plan.joints)
    return State.captured(name, options, redirects, ((urls[number], part) for number, part in bodies), folder, progress)
