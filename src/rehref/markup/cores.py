"""The parser cores: the built-in ones, and the entry points of the group `rehref.parsers`.

The built-in ones need no installed metadata, however rehref was put on the path (a zip application, a bare copy of the
source), and other packages cannot take their names. Loading one core does not load the others.
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
"""The modules of the built-in cores, each of which has it as `CORE`."""


@cache
def _registered() -> dict[str, EntryPoint]:
    """The cores of other packages, by their names. Reading the metadata takes longer than reading many pages."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


def names() -> list[str]:
    """The names of all registered cores, the default first."""
    return sorted({*_registered(), *BUILT_IN}, key=lambda name: (name != DEFAULT, name))


@cache
def core(name: str = DEFAULT) -> Core:
    """The core of that name. Raises `ParserError`, with the available names, if nobody registered it or it does not
    load.
    """
    is_ours = name in BUILT_IN
    if not is_ours and name not in _registered():
        raise ParserError(f"there is no parser {name!r}; there are {', '.join(names())}")
    where = f"{BUILT_IN[name]}:CORE" if is_ours else _registered()[name].value
    try:
        loaded: Core = import_module(BUILT_IN[name]).CORE if is_ours else _registered()[name].load()
    except Exception as error:
        raise ParserError(f"the parser {name!r} ({where}) cannot be loaded: {error}") from error
    return loaded
