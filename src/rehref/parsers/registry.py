"""The parser cores there are: our own, and the entry points of the group `rehref.parsers`.

1. Our own are in the table `BUILT_IN`, and are there however rehref was put on the path (a zip application, a bare copy
   of the source): no installed metadata is asked for them. Another package cannot take their names.
2. A core of another package is known by its entry point's name. Loading one core does not load the others.
3. A name that nobody registered, or a core that does not load, is a `ParserError` that says what there is.
"""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType

from rehref.parsers.contract import Core

GROUP = "rehref.parsers"
DEFAULT = "source"

BUILT_IN = MappingProxyType(
    {
        name: EntryPoint(name, f"{module}:CORE", GROUP)
        for name, module in (
            ("source", "rehref.parsers.source"),
            ("lxml", "rehref.parsers.lxml_core"),
            ("html5lib", "rehref.parsers.html5lib_core"),
        )
    }
)
"""Our own cores (rule 1)."""


class ParserError(LookupError):
    """No such parser core, or it cannot be loaded."""


@cache
def _registered() -> dict[str, EntryPoint]:
    """Every core, by its name; asking the installed packages takes longer than reading a page."""
    return {point.name: point for point in entry_points(group=GROUP)} | dict(BUILT_IN)


def names() -> list[str]:
    """The names of all registered cores, the default first."""
    return sorted(_registered(), key=lambda name: (name != DEFAULT, name))


@cache
def core(name: str = DEFAULT) -> Core:
    """The core of that name. Raises `ParserError`."""
    point = BUILT_IN.get(name) or _registered().get(name)
    if point is None:
        raise ParserError(f"there is no parser {name!r}; there are {', '.join(names())}")
    try:
        loaded: Core = point.load()
    except Exception as error:
        raise ParserError(f"the parser {name!r} ({point.value}) cannot be loaded: {error}") from error
    return loaded
