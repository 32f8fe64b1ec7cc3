"""Replace values in JSON objects, and leave the rest of the text as it is written.

A string becomes a string, with the same way of escaping; a number becomes a number.
"""

from __future__ import annotations

from collections.abc import Mapping

from rehref.carriers.json_text import Object, String, read, write
from rehref.text.source import Splice, spliced


def value_of(object_: Object, name: str) -> str | None:
    """The value of a member, the last of that name: a string's text, a number as it is written; None otherwise."""
    for own, value in reversed(object_.items):
        if own.text == name:
            return value.text if isinstance(value, String) else value if isinstance(value, str) else None
    return None


def splices(text: str, object_: Object, values: Mapping[str, str]) -> list[Splice]:
    """The splices in `text` that give members of an object in it these values. Members that it lacks are not added."""
    found = []
    for name, value in object_.items:
        new = values.get(name.text)
        if new is None:
            continue
        if isinstance(value, String):
            found.append((value.start, value.end, write(new, value.form)))
        elif isinstance(value, str):
            start = text.index(value, text.index(":", name.end))  # after the name there are white space and ":"
            found.append((start, start + len(value), new))
    return found


def with_values(text: str, values: Mapping[str, str]) -> str | None:
    """A JSON object, as a text, with these values; None if the text is not a JSON object."""
    root = read(text)
    return spliced(text, sorted(splices(text, root, values))) if isinstance(root, Object) else None
