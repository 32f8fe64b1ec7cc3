"""Writing a tree as HTML (HTML Standard §13.3, "serializing HTML fragments"), with some values replaced.

1. The tree must look like ElementTree's (`tag`, `text`, `tail`, `items()`, iteration); a `Dialect` says how to read its
   names. A node whose tag is not a str is a comment. The tree is not changed: new values are looked up during writing.
2. Values and text are escaped as the Standard does, and not changed in any other way: no percent-encoding.
3. Where the Standard's own serialization does not read back the same, ours does: a carriage return is written as a
   reference, a newline that begins a `pre` twice (the parser has dropped one), and no end tag follows text that only
   the end of the document ends (`plaintext`, or a script with `<!--<script>`).
4. A void element has no end tag. A parser that does not know it may have put content into it: that follows.
5. A void element that loses its last attribute is removed too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from rehref.parsers.source.names import VOID
from rehref.parsers.source.raw_text import raw_text_end

Changes: TypeAlias = Mapping[Any, Mapping[str | None, str | None]]
"""For elements that change: qualified attribute name to new value (None: removed); None to new text."""

RAW_TEXT = frozenset({"style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"})
"""Elements whose text is not escaped."""

_DROPS_NEWLINE = frozenset({"pre", "textarea", "listing"})
_NO_CHANGE: Mapping[str | None, str | None] = {}


class Dialect(NamedTuple):
    """How to read the names of a tree."""

    element: Callable[[str], tuple[str, bool]]
    """From an element's tag to its name, and whether it is an HTML element."""
    attribute: Callable[[str], str]
    """From an attribute's name in the tree to its qualified name."""
    raw: frozenset[str] = RAW_TEXT
    """HTML elements whose text is not escaped."""


class _Open(NamedTuple):
    """An element whose children are being written."""

    children: Iterator[Any]
    end: str
    """Its end tag."""
    raw: bool
    """Whether its text is not escaped."""
    mute: bool
    """Whether its text has been replaced as a whole, and precedes its children."""
    tail: str
    """The text after it, escaped."""


def serialize(nodes: Iterable[Any], dialect: Dialect, changes: Changes) -> str:
    """Yield the nodes of a document (and any str among them as it is) as markup, with the changes."""
    out: list[str] = []
    write = out.append
    stack = [_Open(iter(nodes), "", False, False, "")]
    at_end = False
    while stack:
        children, end, raw, mute, tail = stack[-1]
        for node in children:
            if isinstance(node, str):
                write(node)
                continue
            after = "" if mute else _text(node.tail, raw)
            changed = changes.get(node, _NO_CHANGE)
            if not isinstance(node.tag, str):
                write(f"<!--{changed.get(None, node.text) or ''}-->{after}")
                continue
            if at_end and not (len(node) or node.text or node.items()):
                continue  # a `body` that the parser has added at the end
            name, html = dialect.element(node.tag)
            write(_start_tag(node, name, html, dialect, changed))
            inside_raw = html and name in dialect.raw
            text = _text(changed.get(None, node.text), inside_raw)
            if html and name in _DROPS_NEWLINE and text.startswith("\n"):
                write("\n")
            write(text)
            at_end = at_end or (inside_raw and unending(name, node.text or ""))
            inner_end = "" if html and name in VOID else f"</{name}>"
            stack.append(_Open(iter(node), inner_end, inside_raw, None in changed, after))
            break
        else:
            stack.pop()
            write(tail if at_end else end + tail)
    return "".join(out)


def unending(name: str, text: str) -> bool:
    """Whether only the end of the document can have ended a raw text element: its end tag would be text."""
    return raw_text_end(f"{text}</{name}>", name, 0) > len(text)


def _start_tag(node: Any, name: str, html: bool, dialect: Dialect, changed: Mapping[str | None, str | None]) -> str:
    """Write a start tag; "" for a void element that has lost its last attribute."""
    parts = [f"<{name}"]
    for key, value in node.items():
        attribute = dialect.attribute(key)
        new = changed.get(attribute, value)
        if new is not None:
            parts.append(f' {attribute}="{_attribute(new)}"')
    if len(parts) == 1 and html and name in VOID and any(new is None for new in changed.values()):
        return ""
    return "".join(parts) + ">"


def _attribute(value: str) -> str:
    """Escape a value in double quotes (§13.3, "escaping a string", in attribute mode)."""
    return _text(value, False).replace('"', "&quot;")


def _text(text: str | None, raw: bool) -> str:
    """Escape text (§13.3, "escaping a string"), unless it is raw."""
    if not text or raw:
        return text or ""
    text = text.replace("&", "&amp;").replace("\xa0", "&nbsp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("\r", "&#13;")


def doctype(name: str, public: str | None, system: str | None) -> str:
    """Write a document type with its identifiers, which decide whether browsers use quirks mode."""
    if public:
        ids = f" PUBLIC {_quoted(public)}" + (f" {_quoted(system)}" if system else "")
    else:
        ids = f" SYSTEM {_quoted(system)}" if system else ""
    return f"<!DOCTYPE {name}{ids}>\n" if name else "<!DOCTYPE>\n"


def _quoted(identifier: str) -> str:
    """Put an identifier in the quotes it does not contain (none can contain both)."""
    return f"'{identifier}'" if '"' in identifier else f'"{identifier}"'
