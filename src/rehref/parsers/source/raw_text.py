"""Where text without markup ends: comments, bogus comments, the doctype, raw text (HTML Standard, "tokenization").

1. A comment ends at `-->` or `--!>`, and at once in `<!-->` and `<!--->`; a bogus comment (`<!x`, `<?`, `</ `) and a
   doctype end at the next ">", even in quotes.
2. Raw text ends where the "appropriate end tag" begins: `</`, the element's name in any case, and white space, "/" or
   ">". `plaintext` has no end.
3. In a `script`, `<!--` begins escaped text, `-->` ends it; `<script` in it begins double escaped text, in which the
   next `</script` ends only that.

The functions take a text and a position in it. What does not end, ends where the text does. All take linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from rehref.parsers.source.tags import NAME_END

_COMMENT_END = re.compile(r"--!?+>").search
_SCRIPT = re.compile(rf"<!--|-->|<(/?+)[sS][cC][rR][iI][pP][tT]{NAME_END}").search
_DECLARATION = re.compile(r"<(?:[!?]|/(?![A-Za-z]))").match


def is_declaration(text: str, position: int) -> bool:
    """Whether a comment, bogus comment or doctype begins there ("tag open state", "end tag open state")."""
    return _DECLARATION(text, position) is not None


def declaration_end(text: str, position: int) -> int:
    """Where the comment, bogus comment or doctype that begins there ends (rule 1)."""
    if text.startswith("<!--", position):
        if text.startswith(">", position + 4):
            return position + 5
        if text.startswith("->", position + 4):
            return position + 6
        found = _COMMENT_END(text, position + 4)
        return len(text) if found is None else found.end()
    end = text.find(">", position)
    return len(text) if end == -1 else end + 1


def raw_text_end(text: str, name: str, position: int) -> int:
    """Where the text of the element of that name, which begins there, ends (rules 2 and 3)."""
    if name == "plaintext":
        return len(text)
    if name == "script":
        return _script_end(text, position)
    found = _end_tag(name)(text, position)
    return len(text) if found is None else found.start()


@cache
def _end_tag(name: str) -> Callable[[str, int], re.Match[str] | None]:
    """Find the "appropriate end tag"."""
    return re.compile(rf"</{re.escape(name)}{NAME_END}", re.IGNORECASE | re.ASCII).search


def _script_end(text: str, position: int) -> int:
    """Where a script's end tag begins ("script data state" and those after it)."""
    escaped = doubly = False
    while (found := _SCRIPT(text, position)) is not None:
        position = found.end()
        if found[0] == "<!--":
            escaped = True
            position = found.start() + 2  # `<!-->` ends what it begins
        elif found[0] == "-->":
            escaped = doubly = False
        elif found[1] == "/":
            if not doubly:
                return found.start()
            doubly = False
        elif escaped:
            doubly = True
    return len(text)
