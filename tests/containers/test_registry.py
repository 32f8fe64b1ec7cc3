"""The kinds of containers: every row is complete, and nobody but the rows says what a kind is like."""

from __future__ import annotations

import ast
import inspect
import io
import re
from pathlib import Path

import pytest

from rehref.containers.kinds import (
    ENDINGS,
    KINDS,
    ArchiveModule,
    ContainerKind,
    ContainerModule,
    named_like,
    of_media_type,
    recognize,
)
from rehref.files.discovery import is_container_name

SOURCE = Path(__file__).resolve().parents[2] / "src" / "rehref"
NAMES = {kind.name for kind in KINDS}
SCHEMES = {"http"}
"""Names that are something else outside, too."""
EXAMPLES = {
    "epub": "containers/book.epub",
    "wacz": "containers/pages.wacz",
    "warc": "containers/pages.warc.gz",
    "http": "containers/response.http",
    "mime": "mime/unmht.mht",
}


def functions(protocol: type) -> dict[str, list[str]]:
    """The functions that a module must have, with the names of their parameters."""
    found = inspect.getmembers(protocol, inspect.isfunction)
    return {name: [*inspect.signature(each).parameters][1:] for name, each in found if not name.startswith("_")}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_row_is_complete(kind: ContainerKind) -> None:
    wanted = functions(ArchiveModule if kind.holds_records else ContainerModule)
    assert {"recognizes", "read", "rewrite"} <= wanted.keys()
    module = kind.load()
    for name, parameters in wanted.items():
        has = [*inspect.signature(getattr(module, name)).parameters]
        assert has[: len(parameters)] == parameters, (name, has)
    assert kind.media_types
    assert all(of_media_type(each + "; x=y") is kind for each in kind.media_types)
    for called, endings in kind.endings:
        assert called.startswith(("a ", "an "))
        assert all(named_like(f"X{ending.upper()}") == called for ending in endings)
        assert all(is_container_name(f"a{ending}?v=1") for ending in endings)
    assert kind.unpacked_as != "captures" or kind.holds_records


def test_no_two_rows_claim_the_same() -> None:
    assert len(NAMES) == len(KINDS)
    assert len(set(ENDINGS)) == len(ENDINGS)
    types = [media_type for kind in KINDS for media_type in kind.media_types]
    assert len(set(types)) == len(types)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_kind_is_recognized(kind: ContainerKind, fixtures: Path) -> None:
    data = (fixtures / EXAMPLES[kind.name]).read_bytes()
    assert recognize(data, io.BytesIO(data)) is kind
    assert recognize(b"<p>" + data, io.BytesIO(b"<p>" + data)) is None
    assert recognize(data, io.BytesIO(data), "text/html") is None


def literals(node: ast.AST) -> set[object]:
    return {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}


_MAYBE = re.compile(rf"[\"'](?:{'|'.join(sorted(NAMES - SCHEMES))})[\"']|kind\.name\b")
"""What a module has that compares something with one of them, or asks for one."""


def compared(path: Path) -> list[str]:
    """Where a module compares something with the name of a kind, or asks for that name."""
    source = path.read_text(encoding="utf-8")
    if not _MAYBE.search(source):
        return []
    tree = ast.parse(source)
    found = []
    for node in ast.walk(tree):
        is_compared = isinstance(node, ast.Compare | ast.match_case) and literals(node) & (NAMES - SCHEMES)
        is_asked = isinstance(node, ast.Attribute) and node.attr == "name" and isinstance(node.value, ast.Attribute)
        if is_compared or (is_asked and node.value.attr == "kind"):
            found.append(f"{path}:{node.lineno}")
    return found


def test_nobody_else_asks_which_kind_it_is() -> None:
    outside = [path for path in SOURCE.rglob("*.py") if "containers" not in path.relative_to(SOURCE).parts[:-1]]
    assert len(outside) > 200
    assert [each for path in outside for each in compared(path)] == []


@pytest.mark.parametrize("code", ['x.kind == "warc"', 'x.kind.name in ("mime", "y")', "print(x.kind.name)"])
def test_who_asked_would_be_noticed(code: str, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(code, encoding="utf-8")
    assert compared(tmp_path / "a.py")
