"""No pattern repeats a group possessively: Python before 3.11.5 misreads some that do (gh-106052).

Nor does one end the alternatives of a group in `(?!)`, which made such groups safe. Single characters and sets may be
repeated possessively.
"""

from __future__ import annotations

import importlib
import io
import pkgutil
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

import rehref

SOURCE = Path(rehref.__file__).parent
# but not in a set of characters, of which one may be "("
_GROUP = re.compile(r"\|\(\?!\)|(?<!\\)\)(?:[*+?]|\{[0-9,]*\}\}?)\+(?!,|[^\[\]]*\])")
_MAYBE = re.compile(r"\|\(\?!\)|\)(?:[*+?]|\{[0-9,]*\}\}?)\+")
"""What a module has that has such a group."""
_SINGLE = {_constants.IN, _constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.CATEGORY}


def groups_of(pattern: Any) -> Iterator[object]:
    """Every part of a parsed pattern that is repeated possessively, and is no single character or set."""
    if isinstance(pattern, _parser.SubPattern | list | tuple):
        parts = list(pattern)
        if len(parts) == 2 and parts[0] is _constants.POSSESSIVE_REPEAT:
            repeated = parts[1][2]
            if len(repeated) != 1 or repeated[0][0] not in _SINGLE:
                yield repeated
        for part in parts:
            yield from groups_of(part)


@cache
def repeats(pattern: re.Pattern[Any]) -> bool:
    """Whether a compiled pattern repeats a group possessively."""
    return any(groups_of(_parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)))


def compiled(value: Any, depth: int = 3) -> Iterator[re.Pattern[Any]]:
    """The patterns in a value: itself, what a method is of, or what is in a tuple or a mapping."""
    value = getattr(value, "__self__", value)
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, tuple | list | dict) and depth:
        for each in value.values() if isinstance(value, dict) else value:
            yield from compiled(each, depth - 1)


def texts(path: Path) -> Iterator[str]:
    """The string literals of a module; none if nothing in it is like such a group."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline) if _MAYBE.search(source) else ():
        if token.type == tokenize.STRING or token.type == getattr(tokenize, "FSTRING_MIDDLE", None):
            yield token.string


MODULES = sorted(module.name for module in pkgutil.walk_packages([str(SOURCE)], "rehref."))


def test_no_pattern_repeats_a_group_possessively() -> None:
    assert len(MODULES) > 400
    found = [
        (name, where, pattern.pattern)
        for name in MODULES
        if "__main__" not in name
        for where, value in vars(importlib.import_module(name)).items()
        for pattern in compiled(value)
        if repeats(pattern)
    ]
    assert found == []


def test_nothing_like_it_is_written_anywhere() -> None:
    found = [
        (path.relative_to(SOURCE).as_posix(), text)
        for path in SOURCE.rglob("*.py")
        for text in texts(path)
        if _GROUP.search(text)
    ]
    assert found == []


@pytest.mark.parametrize(
    "pattern", [r"(?:ab)*+", r"(a)?+", r"(?:aa|b)++", r"x(?:[ab]*+|c){2,3}+", r"(?:a(?:bc)?+|d)", r"[(](?:ab)*+[)]"]
)
def test_one_that_does_is_found(pattern: str) -> None:
    assert any(groups_of(_parser.parse(pattern)))
    assert _GROUP.search(pattern)


@pytest.mark.parametrize("pattern", [r"[ab]*+", r"a?+b++", r"[^()*+,;=]*+", r"(?:ab)*", r"(?:[ab]*+)", r"(?!a)\)?+."])
def test_one_that_does_not_is_not(pattern: str) -> None:
    assert not any(groups_of(_parser.parse(pattern)))
