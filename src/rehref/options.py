"""The options of `rehref.links` and its like, in one list.

1. `Options` is the list: names, types, defaults; `rehref.links` says what each means. `Given` has the same names for
   those who check the types of a call; a test holds the two together.
2. What the options come to for the floors below (`Reading`, `Layers`, `Limits`) is made here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple, TypedDict

from rehref.base import Candidate, Layers
from rehref.containers.parts import Diagnostic, Limits
from rehref.documents.reading import Reading, selection
from rehref.parsers.registry import DEFAULT
from rehref.uri.resolver import Profile


class Options(NamedTuple):
    """How to read a source; the fields are the keyword arguments of `rehref.links`, which says what they mean."""

    url: str | None = None
    entity_base: str | None = None
    default_base: str | None = None
    media_type: str | None = None
    encoding: str | None = None
    parser: str = DEFAULT
    profile: Profile = "rfc3986"
    ignore_embedded_base: bool = False
    scripting: bool = False
    conditional_comments: bool = False
    attributes: Sequence[str] = ()
    content_location_base: bool = False
    ignore_saved_from: bool = False
    max_size: int | None = None
    strict_uris: bool = False
    on_diagnostic: Callable[[Diagnostic], object] | None = None

    def reading(self) -> Reading:
        """How to read any document. Raises ValueError for an attribute that cannot be one."""
        return _reading(
            self.parser,
            self.profile,
            self.ignore_embedded_base,
            self.scripting,
            self.conditional_comments,
            tuple(self.attributes),
            self.strict_uris,
        )

    def layers(self, file: str | None = None, saved: Candidate | None = None) -> Layers:
        """What stands outside of the source; `file`: its own `file:` URI; `saved`: where it says that it came from."""
        entity = () if self.entity_base is None else (Candidate(self.entity_base, "entity", "entity base"),)
        return Layers(entity, self.url, self.default_base, file, saved)

    def limits(self) -> Limits:
        """How much of a container is unpacked."""
        return Limits() if self.max_size is None else Limits(size=self.max_size)


@lru_cache(maxsize=32)
def _reading(
    parser: str,
    profile: Profile,
    ignore_embedded_base: bool,
    scripting: bool,
    conditional_comments: bool,
    attributes: tuple[str, ...],
    strict_uris: bool,
) -> Reading:
    """One for all documents that are read alike."""
    looked_for = selection(scripting=scripting, conditional_comments=conditional_comments, attributes=attributes)
    return Reading(parser, profile, ignore_embedded_base, looked_for, strict_uris)


class Given(TypedDict, total=False):
    """The options as keyword arguments: see `Options`."""

    url: str | None
    entity_base: str | None
    default_base: str | None
    media_type: str | None
    encoding: str | None
    parser: str
    profile: Profile
    ignore_embedded_base: bool
    scripting: bool
    conditional_comments: bool
    attributes: Sequence[str]
    content_location_base: bool
    ignore_saved_from: bool
    max_size: int | None
    strict_uris: bool
    on_diagnostic: Callable[[Diagnostic], object] | None
