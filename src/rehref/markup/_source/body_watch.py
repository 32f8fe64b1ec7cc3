"""Where the body begins, which matters to a `base` (HTML Standard, "tree construction", the modes up to "after head").

Before it there are only white space, comments, the doctype, tags that are ignored, and elements of the head, whose text
or content (of a template) cannot begin it. In a `noscript` of the head other tags are ignored; what must not be there
ends it ("in head noscript").
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from rehref.markup import _charrefs as charrefs
from rehref.markup._source.names_of_html import OF_HEAD, RAW_TEXT, RCDATA
from rehref.markup._tokenization import declaration_end, is_declaration, raw_text_end, tag_at
from rehref.text import WHITE_SPACE, lower
from rehref.text.source_text import SourceText

_NEXT_MARKUP = re.compile("<(?=[A-Za-z/!?])").search
_IN_NOSCRIPT = frozenset({"basefont", "bgsound", "link", "meta", "noframes", "style"})
_WITH_TEXT = OF_HEAD & (RAW_TEXT | RCDATA | {"script"})


class BodyWatch:
    """Says whether a position is before or after the beginning of the body; positions must be in ascending order."""

    __slots__ = ("_begun", "_mode", "_position", "_scripting", "_templates", "_text", "_units")

    def __init__(self, units: SourceText, text: str, templates: Mapping[int, int], *, scripting: bool) -> None:
        """Prepare to watch a source.

        `text`: its units, at least up to the last position. `templates`: where each template's content begins, and
        where its end tag is.
        """
        self._units = units
        self._text = text
        self._position = units.bom
        self._templates = templates
        self._scripting = scripting
        self._mode = "before head"
        self._begun = False

    def has_begun(self, position: int) -> bool:
        """Whether the body has begun before the token at `position`, which must not precede an earlier `position`."""
        while not self._begun and self._position < position:
            self._step()
        return self._begun

    def _step(self) -> None:
        """Process the next token."""
        text, position = self._text, self._position
        markup = _NEXT_MARKUP(text, position)
        start = len(text) if markup is None else markup.start()
        if start > position:
            raw = self._units.decode(text[position:start])
            self._begun = raw.strip(WHITE_SPACE) != "" and charrefs.decode_text(raw).strip(WHITE_SPACE) != ""
            self._position = start
        elif is_declaration(text, position):
            self._position = declaration_end(text, position)
        elif (tag := tag_at(text, position)) is None:
            self._position = len(text)
        else:
            self._position = tag.end
            name = lower(self._units.decode(tag.name))
            if text.startswith("/", position + 1):
                self._end_tag(name)
            else:
                self._start_tag(name)

    def _start_tag(self, name: str) -> None:
        if name == "html" or (name in ("head", "noscript") and self._mode == "noscript"):
            return
        if self._mode == "before head" or (self._mode == "noscript" and name not in _IN_NOSCRIPT):
            self._mode = "in head"
        if name == "template":
            self._position = self._templates.get(self._position, self._position)
        elif name in _WITH_TEXT or (name == "noscript" and self._mode == "in head" and self._scripting):
            self._position = raw_text_end(self._text, name, self._position)
        elif name == "noscript" and self._mode == "in head":
            self._mode = "noscript"
        elif name not in OF_HEAD and name != "head":
            self._begun = True

    def _end_tag(self, name: str) -> None:
        if self._mode == "noscript":
            if name not in ("noscript", "br"):
                return
            self._mode = "in head"
        if name not in ("head", "body", "html", "br"):
            return
        if self._mode != "after head":
            self._mode = "after head"
            if name == "head":
                return
        self._begun = name != "head"
