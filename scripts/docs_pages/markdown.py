"""Markdown for the pages: tables, code in a cell, text without markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_MARKUP = re.compile(r"[&\\`*_{}\[\]<>|#]")

_OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]")


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; cells are Markdown."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines) + "\n"


def code(text: str) -> str:
    """A text as code, also in a cell."""
    return f"<code>{_escaped(text)}</code>" if text else "–"


def plain(text: str) -> str:
    """A text of the program as Markdown that shows it unchanged, in one line, with options as code."""
    return _OPTION.sub(r"<code>\g<0></code>", _escaped(" ".join(text.split())))


def _escaped(text: str) -> str:
    return _MARKUP.sub(lambda found: f"&#{ord(found[0])};", text)
