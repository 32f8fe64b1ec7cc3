"""SimonSapin's css-parsing-tests, and tinycss2, which tells what the references of any CSS text are.

- A case of the suite is an input that is a text, whatever it is meant for there.
- Its references must be those that tinycss2's component values hold and, where the case has no `@import`, those of
  the expected values that are published with it.
- Spans must be exact: with the span replaced, tinycss2 reads the new text there and everything else as before. A
  character put in at either end of the span belongs to the reference.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tinycss2  # type: ignore[import-untyped]

from rehref.uri.syntaxes import SYNTAXES
from suites import Result


def texts(value: str) -> list[str]:
    """The references that are found, as texts."""
    return [found.text for found in SYNTAXES["css"].find(value)]


def replaced(value: str, index: int, text: str) -> str:
    """CSS text with another reference in the place of one."""
    found = SYNTAXES["css"].find(value)[index]
    return value[: found.start] + SYNTAXES["css"].write(text, found.form) + value[found.end :]


# --- tinycss2


def oracle(value: str) -> list[tuple[str, bool]]:
    """The references tinycss2 finds: text, and whether it is a namespace."""
    nodes = tinycss2.parse_component_value_list(value)
    return [(text, is_namespace) for text, is_namespace in _references(nodes) if text]


def _references(nodes: list[Any], in_set: bool = False) -> Iterator[tuple[str, bool]]:
    """The references of tinycss2's component values, as `rehref.uri._syntaxes.css` finds them."""
    at_rule = names = ""
    for node in nodes:
        name = getattr(node, "lower_name", "") or ""
        if node.type in ("whitespace", "comment"):
            continue
        is_namespace = at_rule == "namespace"
        if node.type == "url" or (node.type == "string" and (at_rule or in_set)):
            yield node.value, is_namespace
        elif node.type == "function":
            arguments = [a for a in node.arguments if a.type not in ("whitespace", "comment")]
            first = arguments[:1] if name in ("url", "src") else []
            if first and first[0].type == "string":
                yield first[0].value, is_namespace and name == "url"
            yield from _references(node.arguments, name in ("image-set", "-webkit-image-set"))
        elif node.type.endswith("block"):
            yield from _references(node.content)
        names = f"{names}i" if node.type == "ident" else ""
        if node.type == "at-keyword" and node.lower_value in ("import", "namespace"):
            at_rule, names = node.lower_value, ""
        elif at_rule != "namespace" or names != "i":
            at_rule = ""


def is_exact(value: str) -> bool:
    """Whether the spans of all references are exact."""
    before = oracle(value)
    for index, found in enumerate(SYNTAXES["css"].find(value)):
        text, is_namespace = before[index]
        here = value[found.start : found.end]
        written = {"new": SYNTAXES["css"].write("new", found.form), f"-{text}": f"-{here}"}
        if found.end < len(value) or not here.endswith("\\"):  # an escape that the end cuts off would take it
            written[f"{text}-"] = f"{here}-"
        for new, raw in written.items():
            changed = value[: found.start] + raw + value[found.end :]
            if oracle(changed) != [*before[:index], (new, is_namespace), *before[index + 1 :]]:
                return False
    return True


# --- the published cases


def published(suites: Path) -> Result:
    """Hold what is found to tinycss2 and to the published values, and the spans to tinycss2."""
    total = 0
    failed = set()
    for name, value, expected in _cases(suites):
        total += 1
        found = SYNTAXES["css"].find(value)
        right = [(each.text, each.form.startswith("namespace:")) for each in found] == oracle(value) and is_exact(value)
        if "@import" not in value:  # of which the values do not say that its string is a URL
            right = right and texts(value) == [url for url in _urls(expected) if url]
        if not right:
            failed.add(f"css/{name}: {value}")
    return Result(total, frozenset(failed))


def kinds(suites: Path) -> dict[str, int]:
    """How many there are in the suite, as tinycss2 tells: `url`, `bad-url`, `function` (`url(` before a string)."""
    counter: Counter[str] = Counter()
    for _, value, _ in _cases(suites):
        for node in _all(tinycss2.parse_component_value_list(value)):
            if node.type == "error":
                counter[node.kind] += 1
            elif node.type == "url" or (node.type == "function" and node.lower_name == "url"):
                counter[node.type] += 1
    return counter


def _cases(suites: Path) -> Iterator[tuple[str, str, Any]]:
    """Each input that is a text: its name, itself, and the values it is expected to have."""
    for path in sorted((suites / "css").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        for number, (value, expected) in enumerate(zip(data[::2], data[1::2], strict=True), 1):
            if isinstance(value, str):
                yield f"{path.name}#{number}", value, expected


def _urls(node: Any) -> Iterator[str]:
    """The URLs in the expected values, whatever encloses them."""
    if not isinstance(node, list):
        return
    kind = node[0] if node and isinstance(node[0], str) else ""
    if kind == "url":
        yield node[1]
    elif kind == "function" and node[1].lower() == "url":
        strings = [argument[1] for argument in node[2:] if argument[0] == "string"]
        if strings and node[2 if node[2] != " " else 3] == ["string", strings[0]]:
            yield strings[0]
    for child in node:
        yield from _urls(child)


def _all(nodes: list[Any]) -> Iterator[Any]:
    """Component values, and those within them."""
    for node in nodes:
        yield node
        yield from _all(getattr(node, "arguments", None) or getattr(node, "content", None) or [])
