"""Docstrings, prepared for mkdocstrings.

- Docstrings are plain text with code between backticks: outside of code, `<`, `*` and `_` mean themselves.
- A named tuple shows its fields with their types, as mkdocstrings does for dataclasses by itself.
- A function whose docstring lists the options of sources (`rehref.api._described`) refers to the list of them.
"""

from __future__ import annotations

import re
from typing import Any

import griffe

_CODE_OR_MARKUP = re.compile(r"(`+)(?:.(?!\1))*.\1|[<*_]", re.DOTALL)
_ESCAPED = {"<": "&lt;", "*": r"\*", "_": r"\_"}


class PlainDocstrings(griffe.Extension):
    """Escapes text that Markdown would read as markup, and adds fields."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Escape in the docstring of an object, and refer to the options."""
        if obj.docstring is None:
            return
        text = obj.docstring.value
        obj.docstring.value = _CODE_OR_MARKUP.sub(lambda found: _ESCAPED.get(found[0], found[0]), text)
        if isinstance(obj, griffe.Function) and any(str(each.value) == "_described" for each in obj.decorators):
            obj.docstring.value += "\n\nThe keyword arguments are the [options of sources](python.md#options)."

    def on_class_members(self, *, cls: griffe.Class, **_: Any) -> None:
        """Show the fields of a named tuple."""
        if cls.docstring is not None and any(str(base) == "NamedTuple" for base in cls.bases):
            attributes = (member for member in cls.members.values() if isinstance(member, griffe.Attribute))
            fields = "".join(f"    {_field(each)},\n" for each in attributes if each.annotation is not None)
            cls.docstring.value = f"```python\n{cls.name}(\n{fields})\n```\n\n{cls.docstring.value}"


def _field(attribute: griffe.Attribute) -> str:
    default = "" if attribute.value is None else f" = {attribute.value}"
    return f"{attribute.name}: {attribute.annotation}{default}"
