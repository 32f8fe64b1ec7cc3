"""The parser cores: the built-in ones, and the entry points of the group `rehref.parsers`.

1. The built-in cores are in the table `BUILT_IN`, and available however rehref was put on the path (a zip application,
   a bare copy of the source): no installed metadata is needed for them. Another package cannot take their names.
2. A core of another package has the name of its entry point. Loading one core does not load the others, and reads no
   metadata if it is built in: reading that takes longer than reading many pages.
3. A name that nobody registered, or a core that does not load, is a `ParserError` that lists the available cores.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from rehref.exceptions import ParserError
from rehref.markup.parsed import Core

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "rehref.parsers"
DEFAULT = "source"

BUILT_IN = MappingProxyType(
    {
        "source": "rehref.markup._source.core",
        "lxml": "rehref.markup._lxml.lxml_html",
        "html5lib": "rehref.markup._html5lib",
    }
)
"""The modules of the built-in cores, each of which has it as `CORE` (rule 1)."""


@cache
def _registered() -> dict[str, EntryPoint]:
    """The cores of other packages, by their names (rule 2)."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


def names() -> list[str]:
    """The names of all registered cores, the default first."""
    return sorted({*_registered(), *BUILT_IN}, key=lambda name: (name != DEFAULT, name))


@cache
def core(name: str = DEFAULT) -> Core:
    """The core of that name. Raises `ParserError`."""
    is_ours = name in BUILT_IN
    if not is_ours and name not in _registered():
        raise ParserError(f"there is no parser {name!r}; there are {', '.join(names())}")
    where = f"{BUILT_IN[name]}:CORE" if is_ours else _registered()[name].value
    try:
        loaded: Core = import_module(BUILT_IN[name]).CORE if is_ours else _registered()[name].load()
    except Exception as error:
        raise ParserError(f"the parser {name!r} ({where}) cannot be loaded: {error}") from error
    return loaded
