"""Values in JSON objects replaced, the rest of the text left as it is written.

A string becomes a string, in the author's way of escaping; a number becomes a number.
"""

from __future__ import annotations

from collections.abc import Mapping

from rehref.carriers.json_text import Object, String, read, write
from rehref.text.splices import Splice, spliced


def value_of(object_: Object, name: str) -> str | None:
    """What a member says, the last of that name: a string's text, a number as it is written; None of all else."""
    for own, value in reversed(object_.items):
        if own.text == name:
            return value.text if isinstance(value, String) else value if isinstance(value, str) else None
    return None


def splices(text: str, object_: Object, values: Mapping[str, str]) -> list[Splice]:
    """What to replace in `text` for members of an object in it to have these values. Members it lacks stay out."""
    found = []
    for name, value in object_.items:
        new = values.get(name.text)
        if new is None:
            continue
        if isinstance(value, String):
            found.append((value.start, value.end, write(new, value.form)))
        elif isinstance(value, str):
            start = text.index(value, text.index(":", name.end))  # behind the name there are white space and ":"
            found.append((start, start + len(value), new))
    return found


def with_values(text: str, values: Mapping[str, str]) -> str | None:
    """A JSON object, as a text, with these values; None if the text is none."""
    root = read(text)
    return spliced(text, sorted(splices(text, root, values))) if isinstance(root, Object) else None
