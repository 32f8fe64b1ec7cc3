"""The targets of values, as the checker sees them (`Table.values`).

A text that is the whole value of its places is judged once, and the places of all other references one by one. The
compiled twin does the same with rows that it has read (`_native/table_texts.c`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rehref.documents.link import Values
from rehref.uri.ordinary_references import Prefixes, classify


def targets_of(
    texts: Iterable[str], folders: tuple[str, ...], names: Mapping[str, bool] | None
) -> Iterator[str | None]:
    """Yield the targets of values (`Values`, `Table.values`)."""
    before = Prefixes(folders, None, None, None, None, absolute=folders != ())
    for text in texts:
        if text == "":
            yield Values.HERE if folders and names is not None else None
        elif text[0] != "#":
            yield None if classify(text) is None else before.target(text)
        elif names is None or (text != "#" and text[1:] not in names):
            yield None
        else:
            found = classify(text)
            yield None if found is None or found.beyond or found.faulty else Values.HERE
