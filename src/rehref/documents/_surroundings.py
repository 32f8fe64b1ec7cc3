"""What is around a document: the container that it is in, and the site that it is on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, NamedTuple


def _of_source(path: str) -> str | None:
    return None


class PartOf(NamedTuple):
    """Where a document is in a container.

    `name`: of the part that it is; `date`: the time of capture of its record. `others`: the documents of the same
    container: absolute URI without fragment, and the name of the part.
    """

    name: str | None = None
    date: str | None = None
    others: Mapping[str, str] = MappingProxyType({})


ALONE: Final = PartOf()
"""Not in a container."""


class OnSite(NamedTuple):
    """What is known of the site that a document is on.

    `has_root`: whether it is known where paths from the root lead, in Markdown in a named dialect. `base_of_page`:
    returns the URI to which a path is relative on the site that is made of the document; "" if unknown; None: to
    itself. `base_of_property`: returns the URI of what uses a custom property there; "" if it is uncertain. None: there
    is no site.
    """

    has_root: bool = False
    base_of_page: Callable[[str], str | None] = _of_source
    base_of_property: Callable[[str], str] | None = None


NO_SITE: Final = OnSite()
