"""The state of a site that an archive has captured.

Of several captures of a URL, the one counts that `rewrite --unpack` saves.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rehref.archives.offline_copies import captured
from rehref.archives.saved_captures import Saved
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
    redirects, bodies = captured(container)
    resources = [Resource(_url(each), status=each.status, to=each.location) for each in redirects]
    found = ((list(map(_url, saved)), part) for saved, part in bodies)
    return State.captured(name, options, resources, found, folder, progress)


def _url(capture: Saved) -> str:
    return capture.uri.partition("#")[0]
