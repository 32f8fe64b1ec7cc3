"""Where the inventory of a site that Sphinx has built (`objects.inv`) says that names are, before and after a change.

Only version 2 is read: four lines of text, then lines packed with zlib, `NAME DOMAIN:ROLE PRIORITY PLACE TEXT`. At the
end of a place, `$` stands for the name. Only a folder has an inventory, not a contract or a crawl.
"""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

from rehref.site.states import State

_NAME: Final = "objects.inv"
_BEGINNING: Final = b"# Sphinx inventory version 2\n"
_LINES: Final = 4
_MOST: Final = 1 << 25
_OF_NAME = re.compile(r"^(\S[^\n]*?) ([^\s:]+:[^\s]+) -?[0-9]+ ([^\s#]*)#(\S+) ", re.MULTILINE)


class Registered(NamedTuple):
    """The place of a name in the new state.

    `is_certain`: it is a name of a programming language. Those of the domain `std` (labels, options) were chosen by
    people, and may be given to something else.
    """

    url: str
    name: str
    is_certain: bool


def moved_names(old: State, new: State) -> Mapping[tuple[str, str], Registered]:
    """Return where names went, by the URL of the old resource and the id there; not those with several places."""
    now = _places(new)
    found: defaultdict[tuple[str, str], set[Registered]] = defaultdict(set)
    for (role, name), (page, one) in (_places(old) if now else {}).items():
        url, (at, other) = old.addresses.get(page), now.get((role, name), ("", ""))
        to = new.addresses.get(at)
        if url is not None and to is not None and (url, one) != (to, other):
            found[url, one].add(Registered(to, other, not role.startswith("std:")))
    return {place: ends.pop() for place, ends in found.items() if len(ends) == 1}


def _places(state: State) -> dict[tuple[str, str], tuple[str, str]]:
    """Return the page and the id of each name, by its role and itself; none if there is no inventory.

    What is damaged says nothing, and no more than `_MOST` bytes are unpacked.
    """
    path = state.paths.get(_NAME)
    if path is None or state.context is None:
        return {}
    try:
        data = Path(state.context.file_of(path)).read_bytes()
        packed = data.split(b"\n", _LINES)[-1] if data.startswith(_BEGINNING) else b""
        text = zlib.decompressobj().decompress(packed, _MOST).decode("utf-8", "replace")
    except (OSError, zlib.error):
        return {}
    return {
        (role, name): (page, one.removesuffix("$") + name if one.endswith("$") else one)
        for name, role, page, one in _OF_NAME.findall(text)
    }
