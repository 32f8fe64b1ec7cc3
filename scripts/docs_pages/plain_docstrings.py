"""Docstrings are plain text with code between backticks: outside of that `<`, `*` and `_` mean themselves."""

from __future__ import annotations

import re
from typing import Any

import griffe

_CODE_OR_MARKUP = re.compile(r"(`+)(?:.(?!\1))*.\1|[<*_]", re.DOTALL)
_ESCAPED = {"<": "&lt;", "*": r"\*", "_": r"\_"}


class PlainDocstrings(griffe.Extension):
    """Escapes what Markdown would take for markup."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Escape in the docstring of an object."""
        if obj.docstring is not None:
            text = obj.docstring.value
            obj.docstring.value = _CODE_OR_MARKUP.sub(lambda found: _ESCAPED.get(found[0], found[0]), text)
