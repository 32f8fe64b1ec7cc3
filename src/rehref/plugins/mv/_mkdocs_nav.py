"""Sources that `mkdocs.yml` names: in `nav`, and in the map of the plugin mkdocs-redirects.

A value of them that is the path of a file that moves gets the new path, and all else stays. A `nav` in brackets is
read, too, and a block scalar (`>-`) of one line, whose text has no quotes; but no other value of several lines, no
escapes and no anchors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from rehref.plugins.mv.move_plan import MovePlan, Moving
from rehref.site.site import Site
from rehref.text.encoding import spliced

_QUOTED = rb""""[^"\\\n]*+"|'[^'\n]*+'"""
_KEY = _QUOTED + rb"""|[^\s"'\[{#][^\n:]*+(?::(?![ \t\r\n])[^\n:]*+)*"""
_BEFORE = rb"[ \t]*+(?:-[ \t]++)*(?:(?:" + _KEY + rb"):[ \t]++)?"
_IN_LINE = re.compile(_BEFORE + rb"(" + _QUOTED + rb"""|[^\s"'\[{#&*!|>](?:\S|[ \t]++(?=[^\s#]))*)""").match
_SCALAR = re.compile(_BEFORE + rb"[|>][-+0-9]{0,2}[ \t]*+(?:#[^\n]*)?\r?\n?").fullmatch
"""A line that begins a block scalar."""
_IN_FLOW = re.compile(
    rb"""(?:[\[{,]\s*+|:\s++)(""" + _QUOTED + rb"""|[^\s"',\[\]{}#](?: *+(?:[^\s,\[\]{}:]|:(?!\s)))*)(?=\s*+[,\]}])"""
).finditer
# a key, and the lines below it: comments, items, and lines that are further in
_BLOCK = re.compile(
    rb"^((?:[ \t]++(?=r))?)(nav|redirect_maps):([^\n]*+)"
    rb"((?:\n(?:[ \t\r]*+(?:#[^\n]*+)?(?=\n|\Z)|\1(?:[ \t]++\S|- )[^\n]*+))*)",
    re.MULTILINE,
).finditer
_PAIR = re.compile(rb"(?m)^([ \t]++)(" + _KEY + rb"):[ \t][^\n]*+\n?").finditer
_PLAIN = re.compile(r"\w[\w./#-]*(?: [\w./-][\w./#-]*)*").fullmatch


def renamed_sources(context: Site, move: Moving) -> dict[str, str]:
    """Return the new paths of files that move, and of their folder, by the old ones, both below that of the sources."""
    made_by = context.files.generator
    if made_by is None:
        return {}
    files = ((made_by.source(old), made_by.source(new), "") for old, new in move.pairs(context.files.paths))
    moved = (*files, (made_by.source(move.old), made_by.source(move.new), "/"))
    return {old + end: new + end for old, new, end in moved if old is not None and new is not None}


def named_by_mkdocs(context: Site, plan: MovePlan) -> MovePlan:
    """Return the plan, with the new paths in the configuration."""
    made_by = context.files.generator
    if made_by is None or made_by.dialect != "mkdocs" or plan.move.old_id or not made_by.configuration.is_file():
        return plan
    change = plan.change_of(made_by.configuration)
    new, count = with_new_names(change.new, renamed_sources(context, plan.move))
    return plan.with_changes([change._replace(new=new, references=count)])


def with_new_names(data: bytes, names: Mapping[str, str]) -> tuple[bytes, int]:
    """Return the configuration with the new paths of some sources, and how many values changed."""
    splices = []
    for block in _BLOCK(data):
        is_flow = block[3].lstrip()[:1] in b"[{" and block[3].strip() != b""
        spans = (found.span(1) for found in _IN_FLOW(data, block.start(3), block.end(4)))
        values = ((*span, False) for span in spans) if is_flow else _values(data, block.start(4), block.end(4))
        for start, end, is_scalar in values:
            word = data[start:end]
            path, mark, fragment = (_decoded(word) if is_scalar else _text(word)).partition("#")
            if path in names:
                new = names[path] + mark + fragment
                splices.append((start, end, _encoded(new) if is_scalar else _written(new, word[:1])))
    return spliced(data, splices), len(splices)


def _values(data: bytes, start: int, end: int) -> list[tuple[int, int, bool]]:
    """Return where the values of a block are that have one line, and whether each is that of a block scalar."""
    values, scalar, inside, is_open = list[tuple[int, int, bool]](), list[tuple[int, int, bool]](), -1, False
    for line in re.compile(rb"[^\n]*\n?").finditer(data, start, end):
        text = line[0].strip()
        at = line.start() + len(line[0]) - len(line[0].lstrip())
        indent = at - line.start()
        if inside >= 0 and text and indent > inside:  # a line of a block scalar
            scalar.append((at, at + len(text), True))
            continue
        if inside >= 0 and text:
            values += scalar if len(scalar) == 1 else []
            scalar, inside = [], -1
        if inside >= 0 or text[:1] in (b"", b"#"):
            continue
        if _SCALAR(line[0]):
            inside, is_open = indent, False
            continue
        found = _IN_LINE(data, line.start(), line.end())
        if found is None or data[found.end(1) - 1 : line.end()].rstrip().endswith(b":"):
            is_open = False  # a key, whose value is in the lines below
        elif found.start(1) == at and is_open:
            values.pop()  # this line goes on with the value before
            is_open = False
        else:
            values.append((*found.span(1), False))
            is_open = True
    return values + (scalar if len(scalar) == 1 else [])


def with_redirect_maps(data: bytes, moves: Mapping[str, str]) -> bytes | None:
    """Return the configuration with old paths of pages in `redirect_maps`, one line for each; None if that is not
    there.

    The line of a page that is there again goes.
    """
    block = next((each for each in _BLOCK(data) if each[2] == b"redirect_maps"), None)
    if block is None or not re.fullmatch(rb"[ \t\r]*(?:#.*)?", block[3]):
        return None
    pairs = {_text(each[2]): each for each in _PAIR(data, block.start(4), block.end(4) + 1)}
    gone = [(*pairs[path].span(), b"") for path in moves.values() if path in pairs]
    at = max((each.end() for each in pairs.values()), default=block.end(3))
    indent = next((each[1] for each in pairs.values()), block[1] + b"  ")
    ending = b"\r\n" if b"\r\n" in data else b"\n"
    more = b"".join(
        b"%b%b: %b%b" % (indent, _written(old), _written(new), ending) for old, new in moves.items() if old not in pairs
    )
    if data[at - 1 : at] != b"\n" and more:
        more = ending + more.removesuffix(ending)
    return spliced(data, sorted([*gone, (at, at, more)]))


def _text(word: bytes) -> str:
    text = _decoded(word)
    return text[1:-1] if text[0] in "\"'" else text


def _decoded(word: bytes) -> str:
    return word.decode("utf-8", "surrogateescape")


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _written(text: str, quote: bytes = b"") -> bytes:
    """Return a path as a value, in the quotes that the old one had."""
    mark = quote.decode() if quote in (b'"', b"'") else ""
    is_right = not set("\"'\\") & set(text) if mark else _PLAIN(text)
    return _encoded(f"{mark}{text}{mark}" if is_right else json.dumps(text, ensure_ascii=False))
